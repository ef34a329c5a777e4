// SPDX-License-Identifier: MIT OR Apache-2.0
//! `gpu-lsu asm`: text to words.

use std::{fmt::Write, process::ExitCode};

use super::{
    Error,
    filter::{self, Fields, Row},
};
use crate::sets::{
    Inst, Isa,
    text::{ParseError, is_blank},
};

const EXAMPLES: &str = "\
Each line of input gives one line of output: its words, or `error: line N, column C: ...`. Blank lines and comment \
lines give blank lines.

The words are 16 hexadecimal digits for spa5; for r700, two dwords of 8 digits, or three for a memory read (the \
fourth is always 0); for sm5, the dwords of the instruction. r700 is read in its short text and in the long text of \
`disasm --long`; fields that a text leaves out get the value that drivers give them. sm5 is read as vkd3d prints it, \
and gives the tokens that vkd3d's compiler writes.

Examples:
  echo 'ST.64 [R1 - 20], R4' | gpu-lsu asm --isa spa5 -
  echo 'MEM_SCRATCH WRITE 5 R3.xyzw ES:3 AS:0' | gpu-lsu asm --isa r700 -
  echo 'atomic_cmp_store u0, r0.x, r1.x, r2.x' | gpu-lsu asm --isa sm5 -
  gpu-lsu asm --isa spa5 --json kernel.txt

Exit codes: 0 every line has its words, 1 a line is refused, 2 a usage error, or a file that cannot be read or \
written";

/// Assemble instructions to words, line by line
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    filter: filter::Args,
}

pub fn run(args: &Args) -> Result<ExitCode, Error> {
    filter::run(&args.filter, |line, row| assemble(args.filter.isa, line, row), |row| &row.word)
}

fn assemble(isa: Isa, line: &str, row: &mut Row) -> Result<bool, ParseError> {
    if is_blank(line) {
        return Ok(false);
    }
    let (inst, annotations) = Inst::assemble(isa, line)?;
    fill(row, &inst);
    row.annotations = annotations;
    Ok(true)
}

/// The row of an instruction.
pub(super) fn fill(row: &mut Row, inst: &Inst) {
    row.word = inst.code();
    row.text.clear();
    let _ = write!(row.text, "{inst}"); // a String takes everything
    row.fields = Fields(inst.fields());
}
