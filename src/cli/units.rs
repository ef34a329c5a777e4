// SPDX-License-Identifier: MIT OR Apache-2.0
//! Arguments that choose a unit, a seed, a budget.

use std::{env::VarError, num::NonZero, time::Duration};

use clap::builder::{PossibleValuesParser, TypedValueParser};
use rand::RngExt;

use super::Error;

/// More than any machine has cores.
const MAX_JOBS: usize = 1024;

/// A number of lanes that a unit can have.
pub fn lanes() -> impl TypedValueParser<Value = usize> {
    PossibleValuesParser::new(["4", "8", "16", "32"]).map(|text| text.parse().unwrap_or(32))
}

/// A seed, decimal or hexadecimal.
pub fn seed(text: &str) -> Result<u64, String> {
    number(text).map_err(|_| "a seed is a 64-bit number, decimal or 0x...".to_owned())
}

/// A number, decimal or hexadecimal.
pub fn number(text: &str) -> Result<u64, String> {
    match text.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16),
        None => text.parse(),
    }
    .map_err(|_| "a 64-bit number, decimal or 0x...".to_owned())
}

/// A number of operations, at least 1: `250_000`, `10k`, `1.5M`, `1e6`.
pub fn operations(text: &str) -> Result<u64, String> {
    match count(text) {
        Some(0) => Err("zero operations check nothing: give at least 1".to_owned()),
        Some(count) => Ok(count),
        None => Err("a number of operations, such as 1000000, 1M or 1e6".to_owned()),
    }
}

/// A whole number; `_` may group digits, and a power of ten may follow.
fn count(text: &str) -> Option<u64> {
    let text = text.replace('_', "");
    let (number, power) = match text.strip_suffix(['k', 'M', 'G']) {
        Some(number) if text.ends_with('k') => (number, 3),
        Some(number) if text.ends_with('M') => (number, 6),
        Some(number) => (number, 9),
        None => match text.split_once(['e', 'E']) {
            Some((number, power)) => (number, power.parse::<usize>().ok()?),
            None => (text.as_str(), 0),
        },
    };
    let (whole, part) = number.split_once('.').unwrap_or((number, ""));
    let is_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || !is_digits(whole) || !is_digits(part) || number.ends_with('.') {
        return None;
    }
    let zeros = power.checked_sub(part.len())?;
    format!("{whole}{part}").parse::<u64>().ok()?.checked_mul(10u64.checked_pow(u32::try_from(zeros).ok()?)?)
}

/// A seed if none was given: that of GPU_LSU_SEED, or else a new one.
///
/// # Errors
///
/// When the variable is no seed.
pub fn drawn_seed() -> Result<u64, Error> {
    Ok(of_env("GPU_LSU_SEED", seed)?.unwrap_or_else(|| rand::rng().random()))
}

/// The number of jobs if none was given: that of GPU_LSU_JOBS, or else one for each core.
///
/// # Errors
///
/// When the variable is no number of jobs.
pub fn usual_jobs() -> Result<NonZero<usize>, Error> {
    let cores = || std::thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN);
    Ok(of_env("GPU_LSU_JOBS", jobs)?.unwrap_or_else(cores))
}

/// The text of a variable of the environment; none if it is empty, as if it were not set.
///
/// # Errors
///
/// When it is no text.
pub fn variable(name: &str) -> Result<Option<String>, Error> {
    match std::env::var(name) {
        Ok(text) => Ok(Some(text).filter(|text| !text.is_empty())),
        Err(VarError::NotPresent) => Ok(None),
        Err(VarError::NotUnicode(value)) => {
            Err(Error::Usage(format!("{name} is `{}`, which is no UTF-8 text", value.display())))
        }
    }
}

/// The value of a variable of the environment; none if it is empty, as if it were not set.
fn of_env<T>(name: &str, parse: fn(&str) -> Result<T, String>) -> Result<Option<T>, Error> {
    let Some(text) = variable(name)? else { return Ok(None) };
    parse(&text).map(Some).map_err(|what| Error::Usage(format!("{name} is `{text}`: {what}")))
}

/// Failures until there are enough, at least 1.
#[cfg(feature = "rtl")]
pub fn failures(text: &str) -> Result<NonZero<u64>, String> {
    count(text).and_then(NonZero::new).ok_or_else(|| "a number of failing blocks, at least 1".to_owned())
}

/// A number of something of which there is one at least.
pub fn at_least_one(text: &str) -> Result<NonZero<u64>, String> {
    count(text).and_then(NonZero::new).ok_or_else(|| "a whole number, at least 1".to_owned())
}

/// The same, as a number of any kind.
pub fn positive<T: TryFrom<u64>>(text: &str) -> Result<T, String> {
    at_least_one(text).and_then(|number| fitting(number.get()))
}

/// A number of something, or its place, from 0.
pub fn whole<T: TryFrom<u64>>(text: &str) -> Result<T, String> {
    count(text).ok_or_else(|| "a whole number, 0 or more".to_owned()).and_then(fitting)
}

fn fitting<T: TryFrom<u64>>(number: u64) -> Result<T, String> {
    T::try_from(number).map_err(|_| "a smaller number".to_owned())
}

/// A share, in per cent.
pub fn percent(text: &str) -> Result<f64, String> {
    let number = text.strip_suffix('%').unwrap_or(text).trim_end().parse::<f64>().ok();
    number.filter(|number| (0.0..=100.0).contains(number)).ok_or_else(|| "a number from 0 to 100".to_owned())
}

/// Units or proofs that run side by side, at least 1.
pub fn jobs(text: &str) -> Result<NonZero<usize>, String> {
    match text.parse::<usize>().map(NonZero::new) {
        Ok(None) => Err("no jobs do no work: give at least 1".to_owned()),
        Ok(Some(jobs)) if jobs.get() <= MAX_JOBS => Ok(jobs),
        _ => Err(format!("a number of jobs, 1 to {MAX_JOBS}")),
    }
}

/// A duration: `90s`, `5m`, `1h`.
pub fn duration(text: &str) -> Result<Duration, String> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = match &text[digits.len()..] {
        "s" | "" => 1,
        "m" => 60,
        "h" => 3600,
        _ => return Err("a time is in seconds, or ends in s, m or h: 90, 90s, 5m".to_owned()),
    };
    match digits.parse::<u64>().ok().and_then(|count| count.checked_mul(unit)) {
        Some(0) => Err("no time checks nothing: give at least 1s".to_owned()),
        Some(seconds) => Ok(Duration::from_secs(seconds)),
        None => Err("a time such as 90s, 5m or 1h".to_owned()),
    }
}
