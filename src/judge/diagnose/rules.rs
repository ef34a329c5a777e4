// SPDX-License-Identifier: MIT OR Apache-2.0
//! The rules that, bent, explain everything that an operation did, and that no other operation contradicts.

use super::{deeds::Deeds, naming::Explains, subject::Subject};
use crate::{
    clause::Clause,
    judge::{contract::Contract, log::Issue},
    model::Plan,
    op::{Fault, LaneMask},
};

/// The most rules that are named beside the first.
const ALTERNATIVES: usize = 2;

fn law(subject: &Subject<'_>) -> bool {
    subject.issue.op.rule().law(subject)
}

/// The rules that may be bent for an operation, the refusal of every legal operation, and one fault that is reported as
/// another.
fn rules(contract: &Contract, issue: &Issue) -> Vec<Explains> {
    const TOLD: [(Fault, Fault); 4] = [
        (Fault::Window, Fault::Allocation),
        (Fault::Allocation, Fault::Window),
        (Fault::Undefined, Fault::Allocation),
        (Fault::Allocation, Fault::Undefined),
    ];
    let rule = issue.op.rule();
    let mut rules: Vec<Explains> = vec![(Clause::ComIllegal, Box::new(refused))];
    rules.extend(rule.bends(issue));
    for (fault, other) in TOLD {
        let clause = rule.outcome(contract, issue, fault, Some(other)).unwrap_or(Clause::ComFault);
        let told = move |lane: usize, plan: &Plan| if plan.faults[lane] == fault { other } else { plan.faults[lane] };
        rules.push((clause, Box::new(move |subject| subject.by(|_, _, _| {}, told))));
    }
    rules
}

/// What explains an operation of which little is seen, and is considered only where no other rule does: the refusal of
/// some legal operations, the suppression of all lanes instead of the helper lanes, and what a set adds. Some operations
/// are refused by a rule of their own, which does not explain that others are.
fn last_rules(contract: &Contract, issue: &Issue) -> Vec<Explains> {
    let by_rule = |contract: &Contract, issue: &Issue| {
        let told = issue.op.rule().outcome(contract, issue, Fault::None, Some(Fault::Illegal));
        told.unwrap_or(Clause::ComIllegal)
    };
    let some = |subject: &Subject<'_>| subject.deeds.done.is_some() && refused(subject);
    let own = by_rule(contract, issue);
    let of_own =
        move |subject: &Subject<'_>| law(subject) || by_rule(subject.contract, subject.issue) == own && some(subject);
    let of_all = move |subject: &Subject<'_>| law(subject) || some(subject);
    let idle = |subject: &Subject<'_>| {
        subject.by_plan(|_, op, lanes| {
            if op.suppress_helpers {
                lanes.active = LaneMask::NONE;
            }
        })
    };
    let mut rules: Vec<Explains> = vec![
        (own, Box::new(of_own)),
        (Clause::ComIllegal, Box::new(of_all)),
        (issue.op.rule().helper(), Box::new(idle)),
    ];
    rules.extend(issue.op.rule().last_bends(issue));
    rules
}

fn refused(subject: &Subject<'_>) -> bool {
    subject.by_plan(|_, op, _| op.element_bytes = 3)
}

/// The clauses of the rules that explain everything that an operation did; none if the unbent rules explain it. A rule
/// is left out if another operation was right and would have been wrong by the rule. Of the other rules, those remain
/// that explain the most wrong operations.
pub fn that_explain(subject: &Subject<'_>, all: &[(usize, Deeds)]) -> Vec<Clause> {
    if law(subject) {
        return Vec::new();
    }
    let of_kind = |issue: &Issue| (issue.op.rule(), issue.op.is_burst());
    let others = all.iter().filter_map(|(index, deeds)| {
        let issue = &subject.log.issues()[*index];
        let other = !std::ptr::eq(issue, subject.issue) && of_kind(issue) == of_kind(subject.issue);
        (other && deeds.done.is_some()).then_some(Subject { issue, deeds, progress: None, ..*subject })
    });
    let others: Vec<(Subject<'_>, bool)> = others.map(|other| (other, law(&other))).collect();
    let mut clauses = best(rules(subject.contract, subject.issue), subject, &others);
    if !clauses.is_empty() {
        // A fault that is told as another says less than a rule that leads to it.
        if clauses.len() > 1 {
            clauses.retain(|clause| *clause != Clause::ComFault);
        }
        return clauses;
    }
    let mut clauses = best(last_rules(subject.contract, subject.issue), subject, &others);
    // A rule of the operation's own comes first.
    if clauses.first() != Some(&Clause::ComIllegal) {
        clauses.retain(|clause| *clause != Clause::ComIllegal);
    }
    clauses
}

/// Of `others`, it is known whether each was right.
fn best(mut able: Vec<Explains>, subject: &Subject<'_>, others: &[(Subject<'_>, bool)]) -> Vec<Clause> {
    able.retain(|(_, explains)| explains(subject));
    able.retain(|(_, explains)| others.iter().all(|(other, right)| !right || explains(other)));
    let speak = |explains: &dyn Fn(&Subject<'_>) -> bool| {
        others.iter().filter(|(other, right)| !right && explains(other)).count()
    };
    let able: Vec<(Clause, usize)> = able.iter().map(|(clause, explains)| (*clause, speak(explains))).collect();
    let most = able.iter().map(|(_, speak)| *speak).max();
    let mut clauses = Vec::new();
    for (clause, speak) in able {
        if Some(speak) == most && !clauses.contains(&clause) {
            clauses.push(clause);
        }
    }
    clauses.truncate(1 + ALTERNATIVES);
    clauses
}
