// SPDX-License-Identifier: MIT OR Apache-2.0
//! The rule that all wrong operations have in common, where no bent rule explains what they did: a fault of one lane, one
//! warp or one size.

use super::{deeds::Deeds, subject::Subject};
use crate::{clause::Clause, model};

/// A rule is named if the wrong operations have it in common by chance as rarely as this.
const CHANCE: f64 = 1e-3;

/// An operation's rules, and whether it was right.
struct Tried {
    rules: Vec<Clause>,
    right: bool,
}

/// The rule that mattered in all wrong operations, and in so few others that this is no chance. Of several, it is
/// `named`, if that is one of them, or else the rarest, or the most specific. Of the operations that are not done, only the
/// subject counts. None, if the subject's requests, registers and faults are right.
pub fn in_common(
    subject: &Subject<'_>,
    all: &[(usize, Deeds)],
    named: Clause,
    may_be: impl Fn(Clause) -> bool,
) -> Option<Clause> {
    if subject.issue.op.rule().law(subject) {
        return None;
    }
    let of_kind = |one: &Subject<'_>| (one.issue.op.rule(), one.issue.op.is_burst());
    let each = all.iter().filter_map(|(index, deeds)| {
        let other = Subject { issue: &subject.log.issues()[*index], deeds, progress: None, ..*subject };
        let is_subject = std::ptr::eq(other.issue, subject.issue);
        let counts = of_kind(&other) == of_kind(subject) && (is_subject || deeds.done.is_some());
        counts.then(|| Tried { rules: rules(&other), right: !is_subject && other.issue.op.rule().law(&other) })
    });
    let each: Vec<Tried> = each.collect();
    let wrong = || each.iter().filter(|one| !one.right);
    let shared = rules(subject).into_iter().rev().filter(|clause| wrong().all(|one| one.rules.contains(clause)));
    let shared: Vec<Clause> = shared.filter(|&clause| may_be(clause)).collect();
    if shared.contains(&named) {
        return Some(named);
    }
    let has = |clause: Clause| each.iter().filter(|one| one.rules.contains(&clause)).count();
    // Draws the wrong operations from all, as if each were as likely.
    let chance = |has: usize| {
        (0..wrong().count()).map(|drawn| (has - drawn) as f64 / (each.len() - drawn) as f64).product::<f64>()
    };
    let (clause, has) = shared.into_iter().map(|clause| (clause, has(clause))).min_by_key(|(_, has)| *has)?;
    // What matters in most operations says little, however many are wrong.
    (2 * has <= each.len() && chance(has) < CHANCE).then_some(clause)
}

/// The rules that mattered to some lane, the most specific last.
fn rules(subject: &Subject<'_>) -> Vec<Clause> {
    let Subject { contract, issue, .. } = subject;
    let mut rules = Vec::new();
    for lane in 0..contract.shape.lanes {
        for clause in model::trace(&contract.shape, &contract.ctrl, &issue.op, &issue.lanes, lane).clauses {
            if !rules.contains(&clause) {
                rules.push(clause);
            }
        }
    }
    rules
}
