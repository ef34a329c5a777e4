// SPDX-License-Identifier: MIT OR Apache-2.0
//! Dwords as hexadecimal text, as `asm` prints and `disasm` reads them.

use super::{Inst, decode, encode};
use crate::sets::{
    dwords,
    text::{Failure, ParseError},
};

const HELP: &str = "a CF word is two dwords, a memory read three, or four with the last 0";

/// Formats the dwords of an instruction with eight digits each and blanks between: two, or the first three of a read.
pub fn code(inst: &Inst) -> String {
    dwords::text(&encode(inst))
}

/// Reads dwords of eight hexadecimal digits, or of up to eight after `0x`, with blanks or commas between. They may
/// stand inside `/* */`, alone in the line, or have comments around them. Two are a CF word, three or four (the last 0)
/// a memory read.
///
/// ```
/// use gpu_lsu::sets::r700;
///
/// let read = r700::parse_code("0x00000862, 0x188D1006, 0x00000005, 0x0 // from a dump").unwrap();
/// assert_eq!(r700::code(&read), "00000862 188d1006 00000005");
/// ```
pub fn parse_code(line: &str) -> Result<Inst, ParseError> {
    let found = dwords::dwords(line, HELP).map_err(|failure| failure.explain(line))?;
    let dwords: Vec<u32> = found.iter().map(|dword| dword.value).collect();
    decode(&dwords).map_err(|error| {
        let start = line.len() - line.trim_start().len();
        ParseError { message: error.to_string(), ..Failure::refused(start..start, "", "").explain(line) }
    })
}

/// Whether a word of a line is a dword, as opposed to the name of an instruction.
pub fn is_dword(word: &str) -> bool {
    dwords::digits(word).is_some()
}
