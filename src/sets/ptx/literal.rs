// SPDX-License-Identifier: MIT OR Apache-2.0
//! Number literals.

use super::{constant::Constant, lex::Token};
use crate::sets::text::{Failure, Parsed};

/// Reads a literal. An integer may have any size: it is taken modulo 2^64.
pub fn number(token: &Token<'_>) -> Parsed<Constant> {
    let no_number = || {
        Failure::expected(token.span.clone(), "a number")
            .help("write `20`, `0x14`, `1.5`, or bits: `0f` and 8 digits, `0d` and 16")
    };
    let bits = |digits: &str| match digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        true => u64::from_str_radix(digits, 16).map_err(|_| no_number()),
        false => Err(no_number()),
    };
    let (integer, unsigned) = match token.text.strip_suffix('U') {
        Some(integer) => (integer, true),
        None => (token.text, false),
    };
    let (digits, radix) = match token.text.get(..2) {
        Some("0f" | "0F") if token.text.len() == 10 => {
            return bits(&token.text[2..]).map(|bits| Constant::Single(bits as u32));
        }
        Some("0d" | "0D") if token.text.len() == 18 => {
            return bits(&token.text[2..]).map(|bits| Constant::Double(f64::from_bits(bits)));
        }
        Some("0x" | "0X") => (integer.get(2..).unwrap_or_default(), 16),
        Some("0b" | "0B") => (integer.get(2..).unwrap_or_default(), 2),
        _ if token.text.contains(['.', 'e', 'E']) => return double(token.text).ok_or_else(no_number),
        _ if integer.starts_with('0') => (integer, 8),
        _ => (integer, 10),
    };
    let (mut value, mut fits) = (0_u64, !digits.is_empty());
    let mut signed = !unsigned;
    for digit in digits.bytes() {
        let Some(digit) = char::from(digit).to_digit(radix) else {
            fits = false;
            break;
        };
        let wide = u128::from(value) * u128::from(radix) + u128::from(digit);
        signed &= wide <= i64::MAX as u128;
        value = wide as u64;
    }
    if fits { Ok(Constant::Integer { bits: value, signed }) } else { Err(no_number()) }
}

/// Reads digits with a point or an exponent.
fn double(text: &str) -> Option<Constant> {
    let mantissa = text.split(['e', 'E']).next().unwrap_or_default();
    let plain = mantissa.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let value: f64 = text.parse().ok().filter(|_| plain)?;
    value.is_finite().then_some(Constant::Double(value))
}
