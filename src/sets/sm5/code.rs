// SPDX-License-Identifier: MIT OR Apache-2.0
//! Dwords as hexadecimal text: what `asm` prints and `disasm` reads.

use super::{Inst, decode, encode};
use crate::sets::{
    dwords,
    text::{Failure, ParseError},
};

/// The help text on a line of dwords.
pub(crate) const HELP: &str = "an instruction is as many dwords as bits 30:24 of its first one say";

/// The dwords of an instruction, eight digits each, separated by blanks.
pub fn code(inst: &Inst) -> String {
    dwords::text(&encode(inst))
}

/// Reads the dwords of one instruction.
///
/// A dword has eight hexadecimal digits, or up to eight after `0x`. Blanks or commas separate dwords. They may stand
/// inside `/* */`, or have comments around them.
///
/// ```
/// use gpu_lsu::sets::sm5;
///
/// let line = "090000ac 0011e000 00000000 0010000a 00000000 0010000a 00000001 0010000a 00000002";
/// assert_eq!(sm5::parse_code(line).unwrap().to_string(), "atomic_cmp_store u0, r0.x, r1.x, r2.x");
/// let error = sm5::parse_code("090000ac 0011e000 00000000 0010000a 00000000 0010000a 00000001 0010000b 0").unwrap_err();
/// assert_eq!(error.column, 73);
/// ```
pub fn parse_code(line: &str) -> Result<Inst, ParseError> {
    let found = dwords::dwords(line, HELP).map_err(|failure| failure.explain(line))?;
    let dwords: Vec<u32> = found.iter().map(|dword| dword.value).collect();
    decode(&dwords).map_err(|error| {
        let span = found.get(error.at).or(found.last()).map_or(0..0, |dword| dword.span.clone());
        ParseError { message: error.to_string(), ..Failure::refused(span, "", "").explain(line) }
    })
}

/// Reads dwords of any instructions, without decoding them.
pub fn parse_dwords(line: &str) -> Result<Vec<u32>, ParseError> {
    let found = dwords::dwords(line, HELP).map_err(|failure| failure.explain(line))?;
    Ok(found.into_iter().map(|dword| dword.value).collect())
}

/// Whether a word of a line is a dword, rather than the name of an instruction.
pub fn is_dword(word: &str) -> bool {
    dwords::digits(word).is_some()
}
