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
    op::Fault,
};

/// Data may run ahead of their operation by so many beats.
const AHEAD: usize = 64;
/// An operation that writes fewer bytes has other operations' data by chance.
const BYTES: u32 = 4;

/// The clause of data that are those of another place in the stream of beats.
///
/// They are shifted by an operation that took the wrong number of beats. Completions may tell: a legal operation that
/// was refused took none, and an illegal one that was performed took some. One without active lanes does not tell, but
/// others like it do. Else the data tell, which are those of a few
/// beats before or after; then an illegal operation is to blame if there was one since the last right data.
pub fn shifted(contract: &Contract, log: &Log, place: usize, op: usize) -> Option<Clause> {
    let all = deeds::gather(log, place);
    let before = || all.iter().rev().filter(|(index, _)| *index < op);
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

    let subject = |index: usize, issue: &Issue, deeds: &Deeds| {
        let bytes: u32 = deeds.requests(log, issue.op.kind).iter().map(|(seen, _)| seen.byte_enable.count_ones()).sum();
        let subject = Subject { contract, log, issue, deeds, progress: None };
        !log.issues()[index].data.is_empty() && bytes >= BYTES && subject.by_plan(|_, _, _| {})
    };
    let (_, deeds) = all.iter().find(|(index, _)| *index == op)?;
    let issues = log.issues();
    let start: usize = issues[..op].iter().map(|issue| issue.data.len()).sum();
    let beats: Vec<_> = issues.iter().flat_map(|issue| &issue.data).collect();
    let from = (start.saturating_sub(AHEAD)..=start + AHEAD).filter(|from| *from != start);
    let elsewhere = from.into_iter().any(|from| {
        let data = beats.get(from..from + issues[op].data.len());
        data.is_some_and(|data| {
            let data = data.iter().map(|&&beat| beat).collect();
            subject(op, &Issue { data, ..issues[op].clone() }, deeds)
        })
    });
    let right = |(index, deeds): &&(usize, Deeds)| subject(*index, &issues[*index], deeds);
    let since = before().take_while(|one| !right(one));
    let illegal = since.into_iter().any(|(index, _)| !model::legal(&issues[*index].op));
    let own = subject(op, &issues[op], deeds);
    (!own && elsewhere).then_some(if illegal { Clause::ComIllegal } else { Clause::PortData })
}
