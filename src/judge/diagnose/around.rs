// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the log shows around an event that diverged: what is taken in the same cycle, and what comes after it.

use super::deeds;
use crate::{
    clause::Clause,
    judge::{
        log::{Entry, Event, Log},
        mismatch::Site,
        scoreboard::{Pair, Scoreboard, Step},
    },
    op::ReqKind,
};

/// Whether a lane of a pair matched, but nothing is ever written. A write that is only late comes after the event.
pub fn lacks_write(pair: &Pair, log: &Log, place: usize) -> bool {
    let writes = |event| match event {
        Event::Request(number) => log.requested(number).kind == ReqKind::WriteExclusive as u8,
        _ => false,
    };
    pair.step == Step::ToWrite && !deeds::later(log, place, log.issues()[pair.op].op.tag).any(writes)
}

/// The pair that the unit takes for over, since another operation has its line or its id, though nothing was written.
pub fn left_behind<'a>(board: &'a Scoreboard, log: &Log, place: usize) -> Option<&'a Pair> {
    let Some(&Entry { event: Event::Request(number), .. }) = log.entries().get(place) else { return None };
    let seen = log.requested(number);
    let is_other = |pair: &&Pair| log.issues()[pair.op].op.tag != seen.tag;
    let has = |pair: &&Pair| pair.line == seen.line || pair.id == seen.id;
    board.pairs().iter().filter(is_other).filter(has).find(|pair| lacks_write(pair, log, place))
}

/// Whether an event is of an operation that is taken in the same cycle, and so of nothing old.
pub fn is_of_now(log: &Log, place: usize) -> bool {
    let Some((entry, rest)) = log.entries().get(place..).and_then(<[Entry]>::split_first) else { return false };
    let (warp, tag) = match entry.event {
        Event::Request(number) => (log.requested(number).warp, log.requested(number).tag),
        Event::Beat(number) => (log.written_back(number).warp, log.written_back(number).tag),
        Event::Done(number) => (log.completed(number).warp, log.completed(number).tag),
        _ => return false,
    };
    rest.iter().take_while(|other| other.cycle == entry.cycle).any(|other| match other.event {
        Event::Op(number) => {
            (log.issues()[number as usize].op.warp, log.issues()[number as usize].op.tag) == (warp, tag)
        }
        _ => false,
    })
}

/// The clause of a port's events.
pub fn of_port(site: Site) -> Clause {
    match site {
        Site::Wb => Clause::PortWb,
        Site::Done => Clause::PortDone,
        _ => Clause::PortReq,
    }
}

/// Whether a request's group comes again for its line: lanes did not join the request.
pub fn is_asked_again(log: &Log, place: usize) -> bool {
    let Some(&Entry { event: Event::Request(number), .. }) = log.entries().get(place) else { return false };
    let seen = log.requested(number);
    deeds::later(log, place + 1, seen.tag).any(|event| match event {
        Event::Request(number) => {
            let other = log.requested(number);
            (other.line, other.group) == (seen.line, seen.group)
        }
        _ => false,
    })
}
