// SPDX-License-Identifier: MIT OR Apache-2.0
//! Store data that went to another operation than their own (PORT-DATA).

use super::{
    deeds::{self, Deeds},
    subject::Subject,
};
use crate::{
    clause::Clause,
    judge::{
        contract::Contract,
        log::{Issue, Log},
    },
    model::{self, Plan},
    op::{Fault, Kind},
};

/// Data may run ahead of their operation by so many beats.
const AHEAD: usize = 64;
/// An operation that writes fewer bytes has other operations' data by chance.
const BYTES: u32 = 4;
/// So many operations after it have other data than their own as well, for beats that are lost stay lost.
const NEXT: usize = 3;

/// The clause of data that are those of another place in the stream of beats.
///
/// They are shifted by an operation that took the wrong number of beats. Completions may tell: a legal operation that
/// was refused took none, and an illegal one that was performed took some. One without active lanes does not tell, but
/// others like it do. Else the data tell, which are those of a few beats before or after; then an illegal operation is to
/// blame if there was one since the last right data.
pub fn shifted(contract: &Contract, log: &Log, place: usize, op: usize) -> Option<Clause> {
    let all = deeds::gather(log, place);
    let wrongly = |(index, deeds): &(usize, Deeds)| {
        let issue = &log.issues()[*index];
        let mut plan = Plan::default();
        model::plan(&contract.shape, &contract.ctrl, &issue.op, &issue.lanes, &issue.data, &mut plan);
        let refused = |code: u8| code == Fault::Illegal as u8;
        let told = |number: u32| log.completed(number).faults.iter().zip(&plan.faults);
        deeds.done.is_some_and(|done| told(done).any(|(told, fault)| refused(*told) != refused(*fault as u8)))
    };
    if all.iter().any(wrongly) {
        return Some(Clause::ComIllegal);
    }

    let issues = log.issues();
    let ends = issues.iter().scan(0, |end, issue| {
        *end += issue.data.len();
        Some(*end)
    });
    let starts: Vec<usize> = ends.zip(issues).map(|(end, issue)| end - issue.data.len()).collect();
    let beats: Vec<_> = issues.iter().flat_map(|issue| &issue.data).collect();
    // Of a compare-and-store, only the reads are compared below.
    let tells = |(index, deeds): &&(usize, Deeds)| {
        let made = deeds.requests(log, issues[*index].op.kind);
        let bytes: u32 = made.iter().map(|(seen, _)| seen.byte_enable.count_ones()).sum();
        issues[*index].op.kind == Kind::Store as u8 && !issues[*index].data.is_empty() && bytes >= BYTES
    };
    // Whether the operation did what follows from the beats that begin at `from`.
    let holds = |(index, deeds): &(usize, Deeds), from: usize| {
        let data = beats.get(from..from + issues[*index].data.len());
        data.is_some_and(|data| {
            let data = data.iter().map(|&&beat| beat).collect();
            let issue = &Issue { data, ..issues[*index].clone() };
            Subject { contract, log, issue, deeds, progress: None }.by_plan(|_, _, _| {})
        })
    };
    let right = |one: &(usize, Deeds)| holds(one, starts[one.0]);
    let elsewhere = |one: &(usize, Deeds)| {
        let near = starts[one.0].saturating_sub(AHEAD)..=starts[one.0] + AHEAD;
        !right(one) && near.into_iter().any(|from| holds(one, from))
    };
    let one = all.iter().find(|(index, _)| *index == op).filter(tells)?;
    let next = all.iter().filter(|one| one.0 > op && one.1.done.is_some()).filter(tells).take(NEXT);
    if !elsewhere(one) || !next.into_iter().all(elsewhere) {
        return None;
    }
    let since = all.iter().rev().filter(|one| one.0 < op).take_while(|one| !(tells(one) && right(one)));
    let illegal = since.into_iter().any(|(index, _)| !model::legal(&issues[*index].op));
    Some(if illegal { Clause::ComIllegal } else { Clause::PortData })
}
