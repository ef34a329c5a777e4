// SPDX-License-Identifier: MIT OR Apache-2.0
//! Errors of a program: every problem, each with its place, its rule and its remedy.

use std::{fmt, ops::Range};

use crate::clause::Clause;

/// A program that cannot be run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProgramError {
    /// Name of the program.
    pub name: String,
    /// Text of the program.
    pub text: String,
    /// Every problem, in line order.
    pub problems: Vec<Problem>,
}

impl ProgramError {
    pub(crate) fn new(name: &str, text: &str, problems: Vec<Problem>) -> Self {
        ProgramError { name: name.to_owned(), text: text.to_owned(), problems }
    }
}

/// Prints a line for each problem.
impl fmt::Display for ProgramError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, problem) in self.problems.iter().enumerate() {
            let gap = if number == 0 { "" } else { "\n" };
            write!(f, "{gap}{}: {problem}", self.name)?;
        }
        Ok(())
    }
}

impl std::error::Error for ProgramError {}

/// One problem of a program.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {message}")]
pub struct Problem {
    /// Line number, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// The bytes at fault in the program's text.
    pub span: Range<usize>,
    /// What is wrong.
    pub message: String,
    /// The clause of the specification that refuses it, if there is one.
    pub clause: Option<Clause>,
    /// What to write instead; may be empty.
    pub help: String,
}
