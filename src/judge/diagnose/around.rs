// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the log shows around an event that diverged: what is taken in the same cycle, and what comes after it.

use super::deeds;
use crate::{
    clause::Clause,
    judge::{
        log::{Entry, Event, Log, Port, Seen},
        mismatch::Site,
        scoreboard::{Pair, Progress, Scoreboard, Step},
    },
    model::{self, Plan, Request},
    op::{LaneMask, MAX_LINE_BYTES, MAX_REGISTERS, Op, ReqKind},
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

/// The clause of a request whose bytes come one part after the other, each once: lanes did not join it, or an element
/// that has to come in one piece did not.
pub fn split(log: &Log, place: usize, op: &Op, (plan, request): (&Plan, &Request), seen: &Seen) -> Option<Clause> {
    let part = |other: &Seen| {
        let same = (other.line, other.group, other.kind) == (request.line, request.group, request.kind as u8);
        (same && other.byte_enable & !request.byte_enable == 0).then_some(other.byte_enable)
    };
    let first = part(seen).filter(|_| op.rule().merges(op) && seen.byte_enable != request.byte_enable)?;
    let rest = || {
        deeds::later(log, place + 1, op.tag).filter_map(|event| match event {
            Event::Request(number) => part(log.requested(number)),
            _ => None,
        })
    };
    if model::orders(op, plan).whole {
        let size = usize::from(op.element_bytes).clamp(1, MAX_LINE_BYTES);
        let element = |first: usize| request.byte_enable & (u128::MAX >> (MAX_LINE_BYTES - size)) << first;
        let is_cut = |element: &u128| ![0, *element].contains(&(first & element));
        let all = rest().fold(first, |all, part| all | part);
        let mut cut = (0..MAX_LINE_BYTES).step_by(size).map(element).filter(is_cut);
        if cut.any(|element| all & element == element) {
            return Some(Clause::PtxSem);
        }
    }
    let all = rest().try_fold(first, |all, part| (all & part == 0).then_some(all | part))?;
    (all == request.byte_enable).then_some(Clause::PortGroup)
}

/// A register whose values are there, but are never written back to some lanes: the register, these lanes, and the cycle
/// of the completion that comes all the same.
pub fn lost_beat(log: &Log, place: usize, progress: &Progress) -> Option<(usize, LaneMask, u64)> {
    let is_done = |entry: &&Entry| match entry.event {
        Event::Done(number) => (log.completed(number).warp, log.completed(number).tag) == (progress.warp, progress.tag),
        _ => false,
    };
    let done = log.entries().get(place..)?.iter().find(is_done)?.cycle;
    let mut written: [LaneMask; MAX_REGISTERS] = std::array::from_fn(|register| progress.delivered(register));
    for event in deeds::later(log, place, progress.tag) {
        if let Event::Beat(number) = event {
            let beat = log.written_back(number);
            written[usize::from(beat.register) % MAX_REGISTERS] |= beat.mask;
        }
    }
    let lost = (0..MAX_REGISTERS).map(|register| (register, progress.settled[register] - written[register]));
    lost.into_iter().find(|(_, lanes)| !lanes.is_empty()).map(|(register, lanes)| (register, lanes, done))
}

/// The least number of requests that show whether the port takes one a cycle.
const MANY: usize = 8;

/// Whether the next request of an operation is never offered in the cycle after the one before it was taken, although
/// nothing came between for which it could have waited.
pub fn pauses_always(log: &Log) -> bool {
    let (mut pauses, mut taken, mut offered) = (0, None, None);
    for &Entry { cycle, event } in log.entries() {
        match event {
            Event::Offer(number) if log.offered(number).port() == Port::Request => {
                offered.get_or_insert(cycle);
            }
            Event::Request(number) => {
                let Seen { tag, kind, .. } = *log.requested(number);
                let first: u64 = offered.take().unwrap_or(cycle);
                let plain = kind == ReqKind::Read as u8 || kind == ReqKind::Write as u8;
                match taken.replace((tag, cycle)).filter(|(before, _)| *before == tag && plain) {
                    // Who is slow pauses for a cycle or two; who pauses for longer waits for others.
                    Some((_, before)) if first <= before + 1 || first > before + 3 => return false,
                    Some(_) => pauses += 1,
                    None => {}
                }
            }
            Event::Reset => (taken, offered) = (None, None),
            Event::Response(_) | Event::Data(_) => taken = None,
            _ => {}
        }
    }
    pauses >= MANY
}
