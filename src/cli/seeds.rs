// SPDX-License-Identifier: MIT OR Apache-2.0
//! `--seeds FILE`: the seeds of a campaign.

use std::{collections::BTreeMap, path::Path};

use super::{Error, refusal, shared::read_text, units};
use crate::program::{Problem, ProgramError};

/// The seeds of a file, ascending; none, if its problems were said.
///
/// # Errors
///
/// When it cannot be read.
pub fn of_file(path: &Path) -> Result<Option<Vec<u64>>, Error> {
    let text = read_text(path)?;
    match seeds(&text) {
        Ok(seeds) => Ok(Some(seeds)),
        Err(problems) => {
            refusal::tell(&ProgramError { name: path.display().to_string(), text, problems });
            Ok(None)
        }
    }
}

/// A seed a line, each once.
fn seeds(text: &str) -> Result<Vec<u64>, Vec<Problem>> {
    let mut lines = BTreeMap::new();
    let mut problems = Vec::new();
    let problem = |line: usize, column: usize, length: usize, message: String, help: &str| Problem {
        line,
        column,
        span: 0..length,
        message,
        clause: None,
        help: help.to_owned(),
    };
    for (number, line) in text.lines().enumerate() {
        let word = line.split('#').next().unwrap_or_default().trim();
        if word.is_empty() {
            continue;
        }
        let column = line.chars().take_while(|c| c.is_whitespace()).count() + 1;
        match units::seed(word) {
            Ok(seed) => {
                if let Some(first) = lines.insert(seed, number + 1) {
                    let message = format!("the seed {seed:#x} is in line {first} already");
                    problems.push(problem(number + 1, column, word.len(), message, "each seed counts once"));
                }
            }
            Err(what) => problems.push(problem(number + 1, column, word.len(), what, "one seed a line")),
        }
    }
    if lines.is_empty() && problems.is_empty() {
        problems.push(problem(1, 1, 0, "there is no seed in the file".to_owned(), "one seed a line"));
    }
    if problems.is_empty() { Ok(lines.into_keys().collect()) } else { Err(problems) }
}
