// SPDX-License-Identifier: MIT OR Apache-2.0
//! The rule that all wrong operations have in common, where no bent rule explains what they did: a fault of one lane, one
//! warp or one size.

use super::{deeds, subject::Subject};
use crate::{
    clause::{Clause, Page},
    judge::{contract::Contract, log::Log, mismatch::Mismatch},
    model,
};

/// A rule is named if the wrong operations have it in common by chance as rarely as this.
const CHANCE: f64 = 1e-4;

/// An operation's rules, and whether it was right.
struct Tried {
    rules: Vec<Clause>,
    right: bool,
}

/// The rule that mattered in all wrong operations, and in so few others that this is no chance: the rarest, or the most
/// specific. `mismatch` is that of operation `op`; of the operations that are not done, only this one counts. None, if the
/// mismatch is certain of its clause, or names a rule that mattered in all wrong operations, or if the requests, registers
/// and faults of `op` are right.
pub fn in_common(contract: &Contract, log: &Log, place: usize, op: usize, mismatch: &Mismatch) -> Option<Clause> {
    let issue = &log.issues()[op];
    let of_data = |clause: Clause| issue.op.rule().of_data().contains(&clause);
    let certain = match mismatch.clause {
        Clause::PortReq | Clause::PortWb | Clause::PortDone | Clause::PortOrder | Clause::PortGroup => false,
        Clause::ComIllegal | Clause::ComBuserr | Clause::ComSameaddr | Clause::ComAttr => true,
        clause => clause.page() == Page::Ports || of_data(clause),
    };
    if certain {
        return None;
    }
    let all = deeds::gather(log, place);
    let (_, deeds) = all.iter().find(|(index, _)| *index == op)?;
    let subject = Subject { contract, log, issue, deeds, progress: None };
    if issue.op.rule().law(&subject) {
        return None;
    }
    let of_kind = |one: &Subject<'_>| (one.issue.op.rule(), one.issue.op.is_burst());
    let each = all.iter().filter_map(|(index, deeds)| {
        let other = Subject { issue: &log.issues()[*index], deeds, ..subject };
        let is_subject = *index == op;
        let counts = of_kind(&other) == of_kind(&subject) && (is_subject || deeds.done.is_some());
        counts.then(|| Tried { rules: rules(&other), right: !is_subject && other.issue.op.rule().law(&other) })
    });
    let each: Vec<Tried> = each.collect();
    let wrong = || each.iter().filter(|one| !one.right);
    let shared = rules(&subject).into_iter().rev().filter(|clause| wrong().all(|one| one.rules.contains(clause)));
    let shared: Vec<Clause> = shared.filter(|&clause| of_data(clause) == mismatch.field.is_data()).collect();
    if shared.contains(&mismatch.clause) {
        return None;
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
