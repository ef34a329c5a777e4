// SPDX-License-Identifier: MIT OR Apache-2.0
//! `gpu-lsu disasm`: words to text.

use std::process::ExitCode;

use super::{
    Error, asm,
    filter::{self, Row},
};
use crate::isa::{
    Inst, Isa,
    text::{ParseError, is_blank},
};

const EXAMPLES: &str = "\
A line gives a line: the instruction, or `error: line N, column C: ...`; blank and comment lines stay blank.
A word is 16 hexadecimal digits, after `0x` or not, inside `/* */` or not.

Examples:
  echo bca0000001870104 | gpu-lsu disasm --isa spa5 -
  gpu-lsu disasm --isa spa5 --json words.txt";

/// Disassemble: words to instructions, a line each
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    filter: filter::Args,
}

pub fn run(args: &Args) -> Result<ExitCode, Error> {
    filter::run(&args.filter, disassemble, |row| &row.text)
}

fn disassemble(isa: Isa, line: &str, row: &mut Row) -> Result<bool, ParseError> {
    match Inst::from_code(isa, line) {
        Ok(inst) => asm::fill(row, &inst),
        Err(_) if is_blank(line) => return Ok(false),
        Err(error) => return Err(error),
    }
    Ok(true)
}
