// SPDX-License-Identifier: MIT OR Apache-2.0
//! The values of our variables.

use std::{borrow::Cow, fmt::Write as _};

/// Bits, or a text.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    /// x throughout.
    Unknown,
    Number(u128),
    /// The first byte lowest.
    Bytes(Box<[u8]>),
    Text(Cow<'static, str>),
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Value::Text(text.into())
    }
}

impl From<&'static str> for Value {
    fn from(text: &'static str) -> Self {
        Value::Text(text.into())
    }
}

/// A number as bits, or x.
pub(super) fn number(value: impl Into<Option<u128>>) -> Value {
    value.into().map_or(Value::Unknown, Value::Number)
}

/// Bytes as bits, the first byte lowest.
pub(super) fn bytes(value: &[u8]) -> Value {
    Value::Bytes(value.into())
}

impl Value {
    /// The bits as in a VCD: missing higher bits are x if the highest given bit is x, and else 0.
    pub(super) fn digits(&self) -> String {
        match self {
            Value::Unknown => "x".to_owned(),
            Value::Number(number) => format!("{number:b}"),
            Value::Bytes(bytes) => {
                let mut all = String::with_capacity(8 * bytes.len());
                for byte in bytes.iter().rev() {
                    // Writing to a string does not fail.
                    let _ = write!(all, "{byte:08b}");
                }
                match all.find('1') {
                    Some(first) => all.split_off(first),
                    None => "0".to_owned(),
                }
            }
            Value::Text(_) => String::new(),
        }
    }

    /// The bits as 32-bit words, lowest first, as many as `width` bits need; no words if the bits are unknown.
    pub(super) fn words(&self, width: usize, words: &mut Vec<u32>) {
        words.clear();
        match self {
            Value::Number(number) => words.extend((0..u128::BITS).step_by(32).map(|bit| (number >> bit) as u32)),
            Value::Bytes(bytes) => words.extend(bytes.chunks(4).map(|bytes| {
                let mut word = [0; 4];
                word[..bytes.len()].copy_from_slice(bytes);
                u32::from_le_bytes(word)
            })),
            Value::Unknown | Value::Text(_) => return,
        }
        words.resize(width.div_ceil(32), 0);
    }
}
