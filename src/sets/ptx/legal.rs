// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which `st` are legal: one function a clause.

use std::{borrow::Cow, ops::Range};

use super::{
    feature::{self, Target, Version},
    names::Names,
    statement::{At, Statement},
};
use crate::{
    clause::Clause,
    sets::text::{Failure, ParseError, shown},
};

mod cache;
mod data;
mod operand;
mod order;
mod shape;

/// Why a statement is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Refusal {
    /// The bytes at fault, in the source.
    pub span: Range<usize>,
    /// The fact.
    pub message: String,
    /// The rule that refuses it.
    pub clause: Clause,
    /// The modifier or operand at fault, as it was written; empty where something is missing.
    pub fault: String,
    /// What would be legal.
    pub help: Cow<'static, str>,
}

impl Refusal {
    /// A part is at fault; what would be legal is still to be said.
    pub(crate) fn new<T>(clause: Clause, at: &At<'_, T>, message: String) -> Self {
        Refusal { span: at.span.clone(), message, clause, fault: at.shown().into_owned(), help: "".into() }
    }

    /// What cannot be read: a failure in a source of any number of lines.
    pub fn unreadable(mut failure: Failure, source: &str) -> Self {
        // Told within its line, so that a source of many failures takes no more than time in proportion.
        let at = failure.span.start.min(source.len());
        let start = source.get(..at).and_then(|before| before.rfind('\n')).map_or(0, |newline| newline + 1);
        let line = source.get(start..).and_then(|rest| rest.lines().next()).unwrap_or_default();
        let end = failure.span.end.min(start + line.len()).max(at) - start;
        failure.span = at - start..end;
        let ParseError { span, message, clause, help, .. } = failure.explain(line);
        let fault = shown(line.get(span.clone()).unwrap_or_default()).into_owned();
        let span = start + span.start..start + span.end;
        Refusal { span, message, clause: clause.unwrap_or(Clause::PtxSyntax), fault, help: help.into() }
    }
}

impl Refusal {
    /// The same of a line by itself.
    pub fn in_line(self, line: &str) -> ParseError {
        let help = match self.help {
            Cow::Borrowed(help) => help,
            Cow::Owned(_) => "",
        };
        let column = line.get(..self.span.start).unwrap_or(line).chars().count() + 1;
        ParseError { column, span: self.span, message: self.message, clause: Some(self.clause), help }
    }
}

/// A clause's answer.
type Verdict = Result<(), Refusal>;
/// A clause.
type Rule = fn(&Statement<'_>, &Names<'_>) -> Verdict;

/// The clauses in the order in which they are asked. The first that refuses is reported: an order that no store has
/// before what it lacks, and PTX-L19 where it is the only one.
const RULES: &[Rule] = &[
    order::l5,
    order::l1,
    order::l2,
    order::l3,
    order::l4,
    cache::l6,
    cache::l7,
    cache::l8,
    cache::l9,
    cache::l10,
    shape::vector,
    shape::l11,
    shape::l12,
    shape::l13,
    shape::l14,
    operand::guard,
    operand::l15,
    operand::l16,
    operand::l17,
    operand::index,
    data::l18,
    shape::l19,
];

/// Judges a statement where these names are declared.
pub fn judge(statement: &Statement<'_>, names: &Names<'_>, target: Target, version: Version) -> Verdict {
    RULES.iter().try_for_each(|rule| rule(statement, names))?;
    feature::known(statement, names, target, version)
}

/// What is wrong with a part: why goes on after it, as in "`.ca` is ...".
fn fault<T>(clause: Clause, at: &At<'_, T>, why: &str, help: &'static str) -> Refusal {
    Refusal { help: help.into(), ..Refusal::new(clause, at, format!("`{}` {why}", at.shown())) }
}

fn refuse<T>(clause: Clause, at: &At<'_, T>, why: &str, help: &'static str) -> Verdict {
    Err(fault(clause, at, why, help))
}

/// Refuses two parts together; the later one in the text is at fault.
fn clash<T, U>(clause: Clause, one: &At<'_, T>, other: &At<'_, U>, help: &'static str) -> Verdict {
    if one.span.start > other.span.start {
        refuse(clause, one, &format!("cannot stand with `{}`", other.shown()), help)
    } else {
        refuse(clause, other, &format!("cannot stand with `{}`", one.shown()), help)
    }
}

/// Refuses the second part of a class.
fn once<'a, T>(clause: Clause, mut class: impl Iterator<Item = At<'a, T>>, what: &str, help: &'static str) -> Verdict {
    match (class.next(), class.next()) {
        (Some(first), Some(second)) => {
            refuse(clause, &second, &format!("is a second {what}, after `{}`", first.shown()), help)
        }
        _ => Ok(()),
    }
}

/// Refuses the modifiers that `st` never takes and this clause names.
fn never(clause: Clause, statement: &Statement<'_>, help: &'static str) -> Verdict {
    let mut found = statement.of(|modifier| (modifier == super::modifier::Modifier::Never(clause)).then_some(()));
    match found.next() {
        Some(at) => refuse(clause, &at, "is no modifier of `st`", help),
        None => Ok(()),
    }
}
