// SPDX-License-Identifier: MIT OR Apache-2.0
//! Arguments that choose a unit, a seed, a budget.

use std::time::Duration;

use clap::builder::{PossibleValuesParser, TypedValueParser};

/// A number of lanes that a unit can have.
pub fn lanes() -> impl TypedValueParser<Value = usize> {
    PossibleValuesParser::new(["4", "8", "16", "32"]).map(|text| text.parse().unwrap_or(32))
}

/// A seed, decimal or hexadecimal.
pub fn seed(text: &str) -> Result<u64, String> {
    match text.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16),
        None => text.parse(),
    }
    .map_err(|_| "a seed is a 64-bit number, decimal or 0x...".to_owned())
}

/// A number of operations, at least 1; `_` may group digits.
pub fn operations(text: &str) -> Result<u64, String> {
    match text.replace('_', "").parse() {
        Ok(0) => Err("zero operations check nothing: give at least 1".to_owned()),
        Ok(count) => Ok(count),
        Err(_) => Err("a number of operations, such as 1000000".to_owned()),
    }
}

/// A duration: `90s`, `5m`, `1h`.
pub fn duration(text: &str) -> Result<Duration, String> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = match &text[digits.len()..] {
        "s" | "" => 1,
        "m" => 60,
        "h" => 3600,
        _ => return Err("a time ends in s, m or h, such as 90s".to_owned()),
    };
    match digits.parse::<u64>().ok().and_then(|count| count.checked_mul(unit)) {
        Some(0) => Err("no time checks nothing: give at least 1s".to_owned()),
        Some(seconds) => Ok(Duration::from_secs(seconds)),
        None => Err("a time such as 90s, 5m or 1h".to_owned()),
    }
}
