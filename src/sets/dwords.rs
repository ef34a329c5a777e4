// SPDX-License-Identifier: MIT OR Apache-2.0
//! Dwords as hexadecimal text, for instruction sets whose instructions have several.

use std::ops::Range;

use super::text::{self, Failure, Input, Parsed, Token, eat, in_comments, peek, skip, token};

/// A dword, and its place in the line.
pub struct Dword {
    pub value: u32,
    pub span: Range<usize>,
}

/// Reads one or more dwords of eight hexadecimal digits, or of up to eight after `0x`, with blanks or commas between.
/// They may stand inside `/* */`, alone in the line, or have comments around them. `help` is the remedy shown where
/// anything else stands.
pub fn dwords(line: &str, help: &'static str) -> Parsed<Vec<Dword>> {
    let start = line.len() - line.trim_start().len();
    let commented = in_comments(line, |inner| {
        let parts = inner.split(|c: char| c == ',' || c.is_whitespace()).filter(|part| !part.is_empty());
        let dword = |part| digits(part).map(|value| Dword { value, span: start..start });
        parts.map(dword).collect::<Option<Vec<_>>>().filter(|found| !found.is_empty())
    });
    if let Some(found) = commented {
        return Ok(found);
    }
    let mut input = Input::new(line);
    let mut found = Vec::new();
    skip(&mut input)?;
    while found.is_empty() || peek(&input).is_some_and(|next| next != ';') {
        let Token { text, span } = token(&mut input)?;
        let failure = || Failure::expected(span.clone(), "a dword of 8 hexadecimal digits").help(help);
        let value = digits(text).ok_or_else(failure)?;
        found.push(Dword { value, span });
        eat(&mut input, ',')?;
    }
    eat(&mut input, ';')?;
    text::end(&mut input)?;
    Ok(found)
}

/// The value of a word that is a dword by this syntax.
pub fn digits(text: &str) -> Option<u32> {
    let prefixed = text.strip_prefix("0x").or(text.strip_prefix("0X"));
    let digits = prefixed.unwrap_or(text);
    let count = if prefixed.is_some() { 1..=8 } else { 8..=8 };
    let hexadecimal = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    (hexadecimal && count.contains(&digits.len())).then(|| u32::from_str_radix(digits, 16).ok()).flatten()
}

/// Formats each dword with eight digits, blanks between.
pub fn text(dwords: &[u32]) -> String {
    dwords.iter().map(|dword| format!("{dword:08x}")).collect::<Vec<_>>().join(" ")
}
