// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is wrong with a program: all of it, each problem with its place, its rule and its remedy.

use std::fmt;

use miette::{Diagnostic, LabeledSpan, NamedSource, SourceSpan};

use crate::clause::Clause;

/// A program that cannot be run. Rendered by miette it shows each problem in its line.
#[derive(Debug, thiserror::Error, Diagnostic)]
#[error("{name} cannot be run: {} problem{}", problems.len(), if problems.len() == 1 { "" } else { "s" })]
pub struct ProgramError {
    name: String,
    #[source_code]
    text: NamedSource<String>,
    /// Every problem, in the order of the lines.
    #[related]
    pub problems: Vec<Problem>,
}

impl ProgramError {
    pub(super) fn new(name: &str, text: &str, problems: Vec<Problem>) -> Self {
        ProgramError { name: name.to_owned(), text: NamedSource::new(name, text.to_owned()), problems }
    }
}

/// One thing that is wrong.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {message}")]
pub struct Problem {
    /// From 1.
    pub line: usize,
    /// Characters, from 1.
    pub column: usize,
    /// Bytes of the program's text.
    pub span: SourceSpan,
    /// The fact.
    pub message: String,
    /// The rule, where one of the specification refuses it.
    pub clause: Option<Clause>,
    /// What to write instead; may be empty.
    pub help: String,
}

impl Diagnostic for Problem {
    fn code<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        self.clause.map(|clause| Box::new(clause) as Box<dyn fmt::Display>)
    }

    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        (!self.help.is_empty()).then(|| Box::new(&self.help) as Box<dyn fmt::Display>)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        Some(Box::new(std::iter::once(LabeledSpan::new_with_span(Some("here".to_owned()), self.span))))
    }
}
