// SPDX-License-Identifier: MIT OR Apache-2.0
//! The deeds of operations, from acceptance to completion or to the end of the log. The player of a unit does not stop
//! where the unit goes wrong, and later events tell one rule from another.

use super::requests::is_for;
use crate::{
    judge::{
        log::{Event, Log, Response, Seen},
        scoreboard::{Progress, is_load, same_enabled},
    },
    model::Request,
    op::{Kind, LaneMask, Op, ReqKind},
};

/// The requests, beats and completion of an operation.
#[derive(Default)]
pub struct Deeds {
    /// Each with its first answer, by number in the log.
    requests: Vec<(u32, Option<u32>)>,
    pub beats: Vec<u32>,
    pub done: Option<u32>,
}

/// The deeds of all operations that were accepted under the same control registers as the event at `place`, by operation.
pub fn gather(log: &Log, place: usize) -> Vec<(usize, Deeds)> {
    let entries = log.entries();
    let changes = |event: Event| matches!(event, Event::Control(_) | Event::Reset);
    let start = entries[..place].iter().rposition(|entry| changes(entry.event)).map_or(0, |at| at + 1);
    let rest = entries.get(place..).unwrap_or_default();
    let end = rest.iter().position(|entry| changes(entry.event)).map_or(entries.len(), |at| place + at);

    let mut all: Vec<(usize, Deeds)> = Vec::new();
    // By tag, the operation in flight; by id, the request that waits for its first answer.
    let (mut by_tag, mut by_id) = ([None; 256], [None; 64]);
    for entry in &entries[start..end] {
        match entry.event {
            Event::Op(number) => {
                by_tag[usize::from(log.issues()[number as usize].op.tag)] = Some(all.len());
                all.push((number as usize, Deeds::default()));
            }
            Event::Request(number) => {
                let seen = log.requested(number);
                if let Some(owner) = by_tag[usize::from(seen.tag)] {
                    let requests = &mut all[owner].1.requests;
                    by_id[usize::from(seen.id % 64)] = Some((owner, requests.len()));
                    requests.push((number, None));
                }
            }
            Event::Response(number) => {
                if let Some((owner, which)) = by_id[usize::from(log.responded(number).id % 64)].take() {
                    all[owner].1.requests[which].1 = Some(number);
                }
            }
            Event::Beat(number) => {
                if let Some(owner) = by_tag[usize::from(log.written_back(number).tag)] {
                    all[owner].1.beats.push(number);
                }
            }
            Event::Done(number) => {
                if let Some(owner) = by_tag[usize::from(log.completed(number).tag)].take() {
                    all[owner].1.done = Some(number);
                }
            }
            _ => {}
        }
    }
    all
}

/// The requests and beats with the tag of an operation in flight, from the event at `place` until another operation has
/// the tag. This includes events after the operation's completion, where none may come.
pub fn later(log: &Log, place: usize, tag: u8) -> impl Iterator<Item = Event> {
    let rest = log.entries().get(place..).unwrap_or_default().iter().map(|entry| entry.event);
    let over = move |event: &Event| match *event {
        Event::Op(number) => log.issues()[number as usize].op.tag == tag,
        event => event == Event::Reset,
    };
    rest.take_while(move |event| !over(event)).filter(move |event| match *event {
        Event::Request(number) => log.requested(number).tag == tag,
        Event::Beat(number) => log.written_back(number).tag == tag,
        _ => false,
    })
}

/// Whether the request `seen`, at `place`, is right and of a later GPR than the model's request `number`, which is due, and
/// the GPR that is due is not left out.
pub fn is_early((log, place): (&Log, usize), progress: &Progress, number: usize, seen: &Seen) -> bool {
    let requests = &progress.plan.requests;
    let due = requests[number].group;
    let agrees = |request: &Request| {
        let same = request.kind as u8 == seen.kind && request.space as u8 == seen.space && request.group == seen.group;
        let stores = request.kind == ReqKind::Write && !progress.dataless;
        same && is_for(request, seen) && (!stores || same_enabled(seen.byte_enable, &request.data, &seen.data))
    };
    let of_due = |event: Event| matches!(event, Event::Request(made) if log.requested(made).group == due);
    let comes =
        || requests[..number].iter().any(|request| request.group == due) || later(log, place, progress.tag).any(of_due);
    seen.group > due && requests[number..].iter().any(agrees) && comes()
}

/// Whether some of these lanes of a register are written back in an operation's name after the event at `place`, before a
/// load with the same tag is taken.
pub fn writes_later(log: &Log, place: usize, op: usize, (register, lanes): (usize, LaneMask)) -> bool {
    let (issues, Op { warp, tag, .. }) = (log.issues(), log.issues()[op].op);
    let rest = log.entries().get(place..).unwrap_or_default().iter().map(|entry| entry.event);
    let over = |event: &Event| match *event {
        Event::Op(number) => issues[number as usize].op.tag == tag && is_load(&issues[number as usize].op),
        event => event == Event::Reset,
    };
    rest.take_while(|event| !over(event)).any(|event| {
        let Event::Beat(number) = event else { return false };
        let beat = log.written_back(number);
        (beat.warp, beat.tag, usize::from(beat.register)) == (warp, tag, register) && !(beat.mask & lanes).is_empty()
    })
}

impl Deeds {
    /// The requests that the operation made, with their first answers. Of a compare-and-store, only the first request
    /// to each line counts.
    pub fn requests<'a>(&self, log: &'a Log, kind: u8) -> Vec<(&'a Seen, Option<&'a Response>)> {
        let answered =
            |&(number, answer): &(u32, Option<u32>)| (log.requested(number), answer.map(|at| log.responded(at)));
        let mut all: Vec<(&Seen, Option<&Response>)> = self.requests.iter().map(answered).collect();
        if kind == Kind::CmpStore as u8 {
            let mut lines = Vec::new();
            all.retain(|(seen, _)| {
                let first = seen.kind != ReqKind::WriteExclusive as u8 && !lines.contains(&seen.line);
                lines.push(seen.line);
                first
            });
        }
        all
    }

    /// Whether a line's lanes have a bus error only because memory refused their exclusive read.
    pub fn is_refused(&self, log: &Log, line: u64) -> bool {
        let answered = |&(number, answer): &(u32, Option<u32>)| Some((log.requested(number), log.responded(answer?)));
        let here = || self.requests.iter().filter_map(answered).filter(|(seen, _)| seen.line == line);
        let refused =
            |(seen, answer): (&Seen, &Response)| answer.exclusive_failed && seen.kind == ReqKind::ReadExclusive as u8;
        here().any(refused) && !here().any(|(_, answer)| answer.error)
    }

    /// Lines whose request or pair ended in an error.
    pub fn errors(&self, log: &Log) -> Vec<u64> {
        let failed = |&(number, answer): &(u32, Option<u32>)| {
            let (seen, answer) = (log.requested(number), log.responded(answer?));
            let refused = answer.exclusive_failed && seen.kind == ReqKind::ReadExclusive as u8;
            (answer.error || refused).then_some(seen.line)
        };
        self.requests.iter().filter_map(failed).collect()
    }
}
