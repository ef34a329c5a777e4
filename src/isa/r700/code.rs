// SPDX-License-Identifier: MIT OR Apache-2.0
//! Dwords as hexadecimal text: what `asm` prints and `disasm` reads.

use std::fmt::Write;

use super::{Inst, decode, encode};
use crate::isa::text::{self, Failure, Input, ParseError, Parsed, Token, eat, peek, skip, token};

/// The dwords of an instruction, eight digits each, blanks between: two, or a read's first three.
pub fn code(inst: &Inst) -> String {
    let mut text = String::with_capacity(26);
    for (index, dword) in encode(inst).iter().enumerate() {
        let gap = if index == 0 { "" } else { " " };
        let _ = write!(text, "{gap}{dword:08x}"); // a String takes everything
    }
    text
}

/// Reads dwords: eight hexadecimal digits each, or up to eight after `0x`; blanks or commas between; alone inside
/// `/* */` or with comments around. Two are a CF word, three or four (the last 0) a memory read.
///
/// ```
/// use gpu_lsu::isa::r700;
///
/// let read = r700::parse_code("0x00000862, 0x188D1006, 0x00000005, 0x0 // from a dump").unwrap();
/// assert_eq!(r700::code(&read), "00000862 188d1006 00000005");
/// ```
pub fn parse_code(line: &str) -> Result<Inst, ParseError> {
    let dwords = dwords(line).map_err(|failure| failure.explain(line))?;
    decode(&dwords).map_err(|error| {
        let start = line.len() - line.trim_start().len();
        ParseError { message: error.to_string(), ..Failure::refused(start..start, "", "").explain(line) }
    })
}

/// Whether a word of a line is a dword, rather than the name of an instruction.
pub fn is_dword(word: &str) -> bool {
    digits(word).is_some()
}

fn dwords(line: &str) -> Parsed<Vec<u32>> {
    if let Some(inner) = line.trim().strip_prefix("/*").and_then(|rest| rest.strip_suffix("*/")) {
        let parts = inner.split(|c: char| c == ',' || c.is_whitespace()).filter(|part| !part.is_empty());
        if let Some(found) = parts.map(digits).collect::<Option<Vec<_>>>().filter(|found| !found.is_empty()) {
            return Ok(found);
        }
    }
    let mut input = Input::new(line);
    let mut found = Vec::new();
    skip(&mut input)?;
    while found.is_empty() || peek(&input).is_some_and(|next| next != ';') {
        found.push(dword(&token(&mut input)?)?);
        eat(&mut input, ',')?;
    }
    eat(&mut input, ';')?;
    text::end(&mut input)?;
    Ok(found)
}

fn dword(token: &Token<'_>) -> Parsed<u32> {
    digits(token.text).ok_or_else(|| {
        Failure::expected(token.span.clone(), "a dword of 8 hexadecimal digits")
            .help("a CF word is two dwords, a memory read three, or four with the last 0")
    })
}

fn digits(text: &str) -> Option<u32> {
    let prefixed = text.strip_prefix("0x").or(text.strip_prefix("0X"));
    let digits = prefixed.unwrap_or(text);
    let count = if prefixed.is_some() { 1..=8 } else { 8..=8 };
    let hexadecimal = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    (hexadecimal && count.contains(&digits.len())).then(|| u32::from_str_radix(digits, 16).ok()).flatten()
}
