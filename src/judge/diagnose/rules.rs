// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which rules, bent, explain all that an operation did, and do not stand against what others did.

use super::{deeds::Deeds, subject::Subject};
use crate::{
    clause::Clause,
    judge::log::Issue,
    model,
    op::{Ctrl, Lanes, Op},
    sets::{
        Isa,
        ptx::diagnose::bends as ptx_bends,
        r700::diagnose::bends::{self as burst_bends, of_kind},
        sm5::diagnose::bends as sm5_bends,
        spa5::bends::{self, Bend},
    },
};

/// Rules that are named beside the first.
const ALTERNATIVES: usize = 2;

/// How a rule is bent.
#[derive(Clone, Copy)]
enum Rule {
    /// It is not.
    Law,
    /// The operation is refused.
    Refused,
    Lanes(fn(&mut Ctrl, &mut Op, &mut Lanes)),
    Burst(burst_bends::Bent),
}

impl Rule {
    /// Whether it explains all that an operation did.
    fn explains(self, subject: &Subject<'_>) -> bool {
        let issue = subject.issue;
        match self {
            Rule::Law if issue.op.is_burst() && model::legal(&issue.op) => subject.by_burst(|_| {}),
            Rule::Law => subject.by_plan(|_, _, _| {}),
            Rule::Refused => model::legal(&issue.op) && subject.by_plan(|_, op, _| op.element_bytes = 3),
            Rule::Lanes(bend) => {
                let (mut ctrl, mut op, mut lanes) = (subject.contract.ctrl, issue.op, issue.lanes.clone());
                bend(&mut ctrl, &mut op, &mut lanes);
                // A vector bent to nothing explains nothing.
                (model::legal(&op) || issue.isa() == Isa::Spa5) && subject.by_plan(bend)
            }
            Rule::Burst(bend) => subject.by_burst(bend),
        }
    }
}

/// The rules of one lane's access, of a set; those of bursts are others.
pub fn of_set(isa: Isa) -> &'static [Bend] {
    match isa {
        Isa::Ptx => ptx_bends::BENDS,
        Isa::Sm5 => sm5_bends::BENDS,
        Isa::Spa5 | Isa::R700 => bends::BENDS,
    }
}

fn rules(issue: &Issue) -> Vec<(Clause, Rule)> {
    let mut rules = vec![(Clause::ComIllegal, Rule::Refused)];
    if issue.op.is_burst() {
        let bursts = burst_bends::BENDS.iter();
        rules.extend(bursts.map(|&(clause, bend)| (of_kind(clause, &issue.op), Rule::Burst(bend))));
    } else {
        rules.extend(of_set(issue.isa()).iter().map(|&(clause, bend)| (clause, Rule::Lanes(bend))));
    }
    rules
}

/// The clauses of the rules that explain everything that an operation did, where the rules as they are do not. Only those
/// that no other operation stands against, which was right and would have been wrong; of these, those that the most wrong
/// operations speak for.
pub fn that_explain(subject: &Subject<'_>, all: &[(usize, Deeds)]) -> Vec<Clause> {
    if Rule::Law.explains(subject) {
        return Vec::new();
    }
    let mut able = rules(subject.issue);
    able.retain(|(_, rule)| rule.explains(subject));
    let of_kind = |issue: &Issue| (issue.isa(), issue.op.is_burst());
    let others = all.iter().filter_map(|(index, deeds)| {
        let issue = &subject.log.issues()[*index];
        let other = !std::ptr::eq(issue, subject.issue) && of_kind(issue) == of_kind(subject.issue);
        (other && deeds.done.is_some()).then_some(Subject { issue, deeds, progress: None, ..*subject })
    });
    let others: Vec<(Subject<'_>, bool)> = others.map(|other| (other, Rule::Law.explains(&other))).collect();
    able.retain(|(_, rule)| others.iter().all(|(other, right)| !right || rule.explains(other)));
    let speak = |rule: &Rule| others.iter().filter(|(other, right)| !right && rule.explains(other)).count();
    let able: Vec<(Clause, usize)> = able.iter().map(|(clause, rule)| (*clause, speak(rule))).collect();
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
