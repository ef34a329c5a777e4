// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is wrong with a program: all of it, each problem with its place, its rule and its remedy.

use std::{fmt, ops::Range};

use crate::clause::Clause;

/// A program that cannot be run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProgramError {
    /// What the program was called.
    pub name: String,
    /// The program.
    pub text: String,
    /// Every problem, in the order of the lines.
    pub problems: Vec<Problem>,
}

impl ProgramError {
    pub(crate) fn new(name: &str, text: &str, problems: Vec<Problem>) -> Self {
        ProgramError { name: name.to_owned(), text: text.to_owned(), problems }
    }
}

/// A line for each problem.
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

/// One thing that is wrong.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {message}")]
pub struct Problem {
    /// From 1.
    pub line: usize,
    /// Characters, from 1.
    pub column: usize,
    /// Bytes of the program's text.
    pub span: Range<usize>,
    /// The fact.
    pub message: String,
    /// The rule, where one of the specification refuses it.
    pub clause: Option<Clause>,
    /// What to write instead; may be empty.
    pub help: String,
}
