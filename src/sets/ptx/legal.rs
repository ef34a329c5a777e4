// SPDX-License-Identifier: MIT OR Apache-2.0
//! Judges which `st` are legal, with one function for each clause.

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
    /// What is wrong.
    pub message: String,
    /// The rule that refuses it.
    pub clause: Clause,
    /// The modifier or operand at fault, as it was written; empty if something is missing.
    pub fault: String,
    /// What would be legal.
    pub help: Cow<'static, str>,
}

impl Refusal {
    /// A refusal because of one part, still without its help.
    pub(crate) fn new<T>(clause: Clause, at: &At<'_, T>, message: String) -> Self {
        Refusal { span: at.span.clone(), message, clause, fault: at.shown().into_owned(), help: "".into() }
    }

    /// A refusal of text that cannot be read, from a failure in a source of any number of lines.
    pub fn unreadable(mut failure: Failure, source: &str) -> Self {
        // The failure is explained within its line, so that the time for many failures stays linear in the source.
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
    /// Turns a refusal of a single line into a parse error.
    pub fn in_line(self, line: &str) -> ParseError {
        let help = match self.help {
            Cow::Borrowed(help) => help,
            Cow::Owned(_) => "",
        };
        let column = line.get(..self.span.start).unwrap_or(line).chars().count() + 1;
        ParseError { column, span: self.span, message: self.message, clause: Some(self.clause), help }
    }
}

/// The answer of a clause.
type Verdict = Result<(), Refusal>;
/// The function of a clause.
type Rule = fn(&Statement<'_>, &Names<'_>) -> Verdict;

/// The clauses, in the order of judgement. The first one that refuses is reported. An order that no store has is
/// therefore reported before anything that is missing, and PTX-L19 only if no other clause refuses.
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

/// Judges a statement, with the names declared at its place.
pub fn judge(statement: &Statement<'_>, names: &Names<'_>, target: Target, version: Version) -> Verdict {
    RULES.iter().try_for_each(|rule| rule(statement, names))?;
    feature::known(statement, names, target, version)
}

/// Says what is wrong with a part. `why` continues the sentence, as in "`.ca` is ...".
fn fault<T>(clause: Clause, at: &At<'_, T>, why: &str, help: &'static str) -> Refusal {
    Refusal { help: help.into(), ..Refusal::new(clause, at, format!("`{}` {why}", at.shown())) }
}

fn refuse<T>(clause: Clause, at: &At<'_, T>, why: &str, help: &'static str) -> Verdict {
    Err(fault(clause, at, why, help))
}

/// Refuses two parts that cannot stand together. The one that comes later in the text is at fault.
fn clash<T, U>(clause: Clause, one: &At<'_, T>, other: &At<'_, U>, help: &'static str) -> Verdict {
    if one.span.start > other.span.start {
        refuse(clause, one, &format!("cannot stand with `{}`", other.shown()), help)
    } else {
        refuse(clause, other, &format!("cannot stand with `{}`", one.shown()), help)
    }
}

/// Refuses a second part of the same class.
fn once<'a, T>(clause: Clause, mut class: impl Iterator<Item = At<'a, T>>, what: &str, help: &'static str) -> Verdict {
    match (class.next(), class.next()) {
        (Some(first), Some(second)) => {
            refuse(clause, &second, &format!("is a second {what}, after `{}`", first.shown()), help)
        }
        _ => Ok(()),
    }
}

/// Refuses the modifiers that `st` never takes and that this clause names.
fn never(clause: Clause, statement: &Statement<'_>, help: &'static str) -> Verdict {
    let mut found = statement.of(|modifier| (modifier == super::modifier::Modifier::Never(clause)).then_some(()));
    match found.next() {
        Some(at) => refuse(clause, &at, "is no modifier of `st`", help),
        None => Ok(()),
    }
}
