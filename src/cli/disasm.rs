// SPDX-License-Identifier: MIT OR Apache-2.0
//! `gpu-lsu disasm`: words to text.

use std::process::ExitCode;

use super::{
    Error, asm,
    filter::{self, Row, Source},
};
use crate::sets::{
    Inst, Isa,
    text::{ParseError, is_blank, unmarked},
};

mod shader;

use shader::Form;

const EXAMPLES: &str = "\
Each line of input gives one line of output: the instruction, or `error: line N, column C: ...`. Blank lines and \
comment lines give blank lines.

Words are hexadecimal, with or without `0x`, inside `/* */` or not: 16 digits for spa5; dwords of 8 digits for r700, \
two for a CF word and three or four for a memory read; the dwords of one instruction for sm5. `--json` has the fields \
of r700 by their names in the manual. Where drivers mean something else by its equation, `hint` has first_dw and \
limit_dw of both forms (R700-HINT).

For sm5, the input may instead be a whole shader: a DXBC container (.dxbc, .cso), recognised by its first four bytes, \
or a shader's tokens as bytes or hexadecimal text, recognised by the version token that they begin with. Each \
atomic_cmp_store gives a line, with the resource that it writes as the shader declares it, and the token at which it \
begins. The container's checksum is not verified.

Examples:
  echo bca0000001870104 | gpu-lsu disasm --isa spa5 -
  echo c0018005 9200f000 | gpu-lsu disasm --isa r700 -
  echo 00000862 188d1006 00000005 | gpu-lsu disasm --isa r700 --long -
  gpu-lsu disasm --isa sm5 shader.cso
  gpu-lsu disasm --isa spa5 --json words.txt

Exit codes: 0 every line has its text, 1 a line or the shader is refused, 2 a usage error, or a file that cannot be \
read or written";

/// Disassemble words to instructions, line by line
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    filter: filter::Args,
    /// Print the long text, which names every field (r700)
    #[arg(long)]
    long: bool,
}

pub fn run(args: &Args) -> Result<ExitCode, Error> {
    let (isa, long) = (args.filter.isa, args.long);
    if long && !isa.has_long_text() {
        return Err(Error::Usage(format!("`--long` goes with {}: {isa} has one text", long_ones())));
    }
    let mut source = Source::open(&args.filter)?;
    if isa == Isa::Sm5 {
        let first = unmarked(&source.first_line()?).to_vec();
        match Form::of(&first) {
            Some(form) => return shader::run(form, first, source, args.filter.json),
            None => source = source.after(first),
        }
    }
    let json = args.filter.json;
    filter::lines(&args.filter, source, |line, row| disassemble(isa, (long, json), line, row), |row| &row.text)
}

/// The sets that have a long text: `--isa r700`.
fn long_ones() -> String {
    let named = Isa::ALL.iter().filter(|isa| isa.has_long_text()).map(|isa| format!("`--isa {isa}`"));
    named.collect::<Vec<_>>().join(" or ")
}

fn disassemble(isa: Isa, (long, json): (bool, bool), line: &str, row: &mut Row) -> Result<bool, ParseError> {
    let inst = match Inst::from_code(isa, line) {
        Ok(inst) => inst,
        Err(_) if is_blank(line) => return Ok(false),
        Err(error) => return Err(error),
    };
    asm::fill(row, &inst);
    row.hint = if json { inst.both_forms() } else { None };
    if let Some(text) = inst.long().filter(|_| long) {
        row.text = text;
    }
    Ok(true)
}
