// SPDX-License-Identifier: MIT OR Apache-2.0
//! The values of one signal, transfer by transfer, as a text that a page reads faster than an array.

use std::fmt::Write;

use serde::{Serialize, Serializer};

/// Tokens separated by blanks; `a*3` stands for three times `a`.
#[derive(Clone, Debug, Default)]
pub(super) struct Column {
    text: String,
    /// The last token, which is not in `text` yet, and its number of repetitions.
    last: String,
    times: u64,
}

impl Column {
    pub fn push(&mut self, token: &str) {
        if self.times > 0 && self.last == token {
            self.times += 1;
            return;
        }
        self.flush();
        self.last.clear();
        self.last.push_str(token);
        self.times = 1;
    }

    pub fn push_number(&mut self, number: u64) {
        self.push(&number.to_string());
    }

    fn flush(&mut self) {
        if self.times == 0 {
            return;
        }
        if !self.text.is_empty() {
            self.text.push(' ');
        }
        self.text.push_str(&self.last);
        if self.times > 1 {
            self.text.push('*');
            self.text.push_str(&self.times.to_string());
        }
    }

    /// Returns the whole text.
    pub fn text(mut self) -> String {
        self.flush();
        self.text
    }
}

impl Serialize for Column {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.clone().text())
    }
}

/// Appends `width` bits from bit `offset` on, least significant word first, as hexadecimal digits without leading
/// zeros.
///
/// It works by words rather than bits, as a long log has gigabits of them.
pub(super) fn hex(words: &[u32], offset: usize, width: usize, out: &mut String) {
    let start = out.len();
    let word = |at: usize| u64::from(words.get(at).copied().unwrap_or(0));
    for at in (0..width.div_ceil(32)).rev() {
        let from = offset + 32 * at;
        let both = word(from / 32) | word(from / 32 + 1) << 32;
        let kept = (width - 32 * at).min(32);
        let value = both >> (from % 32) & (u64::MAX >> (64 - kept));
        if out.len() > start {
            let _ = write!(out, "{value:08x}"); // writing to a string does not fail
        } else if value != 0 {
            let _ = write!(out, "{value:x}");
        }
    }
    if out.len() == start {
        out.push('0');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeated_tokens_are_counted() {
        let mut column = Column::default();
        assert_eq!(column.clone().text(), "");
        for token in ["a", "a", "a", "b", "-", "-"] {
            column.push(token);
        }
        column.push_number(0);
        column.push_number(u64::MAX);
        assert_eq!(column.text(), "a*3 b -*2 0 18446744073709551615");
    }

    #[test]
    fn bits_are_hexadecimal_digits() {
        let of = |words: &[u32], offset: usize, width: usize| {
            let mut out = "x".to_owned();
            hex(words, offset, width, &mut out);
            out
        };
        assert_eq!(of(&[0, 0], 0, 64), "x0");
        assert_eq!(of(&[0x8000_0001, 0x2f], 0, 38), "x2f80000001");
        assert_eq!(of(&[0xffff_ffff], 0, 5), "x1f");
        assert_eq!(of(&[0xabcd_ef01, 0x2345_6789, 5], 28, 36), "x23456789a");
        assert_eq!(of(&[0xabcd_ef01, 0, 5], 60, 8), "x50");
    }
}
