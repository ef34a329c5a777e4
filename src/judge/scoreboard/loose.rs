// SPDX-License-Identifier: MIT OR Apache-2.0
//! Requests of a unit that does not keep PORT-MIN or PORT-GROUP: it may request an operation's lines in any order, in
//! parts and several times. In the end, each byte of each of the model's requests must have been requested. What writes
//! must leave there is judged in `stored`, what reads bring in `answered`, and whose an error is in `doubts`. Pairs of
//! compare-and-stores and mmio accesses are never loose.

mod answered;
mod doubts;
mod stored;

use doubts::Doubts;

use super::{Divergence, Field, Progress, Scoreboard, Site, Verdict, broken};
use crate::{
    clause::Clause,
    judge::{
        contract::Contract,
        log::{Issue, Seen},
    },
    model::{self, Request},
    op::{LaneMask, MAX_LINE_BYTES, Op, ReqKind},
};

/// The progress of an operation's requests.
#[derive(Clone, Default)]
pub(crate) struct Loose {
    /// By number of the model's request.
    parts: Vec<Part>,
    /// The number of requests without their first answer, and of those without their last.
    unanswered: usize,
    unfinished: usize,
    /// By register, lanes that load a byte into it that was read several times, with different values. It is not known
    /// which value they took.
    torn: Vec<(usize, LaneMask)>,
    /// Lanes that load a byte that was read again after their own later store to it. They must have taken the value
    /// from before (COM-OWN).
    pub first: LaneMask,
    /// The reads in flight that ask for such bytes: id, lane, bytes.
    late: Vec<(u8, usize, u128)>,
    pub doubts: Doubts,
}

/// One of the model's requests.
#[derive(Clone)]
struct Part {
    /// Bytes that were requested; of a write, only those whose last value was right. The others, whose last value was
    /// another lane's, are in `wrong`.
    asked: u128,
    wrong: u128,
    /// Bytes that were answered, and those of them that were read without an error.
    answered: u128,
    read: u128,
    /// The bytes as they were read last, and first.
    line: [u8; MAX_LINE_BYTES],
    first: [u8; MAX_LINE_BYTES],
    /// By register, lanes that an answer with an error served. Their values stay 0.
    failed: Vec<(usize, LaneMask)>,
    /// By byte: how often it was written, if that counts (PTX-SEM).
    times: [u8; MAX_LINE_BYTES],
}

impl Loose {
    /// The state of an operation with this many requests, none of them made. Those of lanes that have the same byte may
    /// be `apart`.
    pub fn new(requests: usize, apart: bool) -> Self {
        let (line, first, times) = ([0; MAX_LINE_BYTES], [0; MAX_LINE_BYTES], [0; MAX_LINE_BYTES]);
        let part = Part { asked: 0, wrong: 0, answered: 0, read: 0, line, first, failed: Vec::new(), times };
        Loose { parts: vec![part; requests], doubts: Doubts::new(apart), ..Loose::default() }
    }

    /// The bytes of the model's request `number` that were requested, with whatever value.
    pub fn asked(&self, number: usize) -> u128 {
        self.parts.get(number).map_or(0, |part| part.asked | part.wrong)
    }

    /// Those of them whose last value was the model's.
    pub fn asked_right(&self, number: usize) -> u128 {
        self.parts.get(number).map_or(0, |part| part.asked)
    }

    /// The lanes of which it is not known which value they took for a register.
    pub fn torn(&self, register: usize) -> LaneMask {
        let here = self.torn.iter().filter(|&&(of, _)| of == register);
        here.fold(LaneMask::NONE, |all, &(_, lanes)| all | lanes)
    }

    /// Whether some request lacks its first answer or, if `last`, its last one.
    pub fn waits(&self, last: bool) -> bool {
        if last { self.unfinished > 0 } else { self.unanswered > 0 }
    }
}

impl Scoreboard {
    /// Whether an operation may make requests that differ from the model's.
    pub(crate) fn has_loose(&self, index: usize) -> bool {
        self.places.get(index).is_some_and(|&place| self.ops[place as usize].loose.is_some())
    }

    /// Judges a request that was accepted. Returns the number of the model's request that it is a part of.
    pub(crate) fn loose_request(
        &mut self,
        contract: &Contract,
        issues: &[Issue],
        seen: &Seen,
        index: usize,
    ) -> Verdict<usize> {
        let promises = &contract.promises;
        let progress = self.op(index);
        let Some(loose) = &progress.loose else { return Ok(progress.sent) };
        let requests = &progress.plan.requests;
        if seen.byte_enable == 0 && !requests.is_empty() {
            let field = Field::signal(Site::MemReq, "be");
            return Err(broken(Clause::PortReq, Some(index), field, "one byte at least", "none"));
        }
        // A request has the space of its leader, and its parts may have leaders of their own.
        let local = progress.plan.local;
        let mixed = |request: &Request| {
            let lanes = request.lanes & local;
            !promises.keeps(Clause::PortMin) && !lanes.is_empty() && lanes != request.lanes
        };
        let fits = |&place: &usize| {
            let request = &requests[place];
            let enable = match promises.keeps(Clause::PortMin) {
                true => request.byte_enable == seen.byte_enable && loose.asked(place) == 0,
                false => seen.byte_enable & !request.byte_enable == 0,
            };
            enable
                && request.kind as u8 == seen.kind
                && request.line == seen.line
                && (request.space as u8 == seen.space || mixed(request))
                && (!promises.keeps(Clause::PortGroup) || request.group == seen.group)
                && (!promises.keeps(Clause::ComAttr) || progress.attr == seen.attr)
        };
        // Two groups may go to the same bytes of one line. The request counts for the group that it names, or else for
        // the one that lacks most of its bytes.
        let lacks = |place: usize| (seen.byte_enable & !loose.parts[place].asked).count_ones();
        let best = |&place: &usize| (requests[place].group == seen.group, lacks(place));
        let Some(place) = (0..requests.len()).rev().filter(fits).max_by_key(best) else {
            // If none is for its bytes, the first that is not made.
            let is_for = |request: &Request| request.line == seen.line && seen.byte_enable & !request.byte_enable == 0;
            let missing = (0..requests.len()).filter(|&place| !whole(progress, place));
            let number = missing.min_by_key(|&place| !is_for(&requests[place]));
            let seen = Box::new(seen.clone());
            return Err(Box::new(match number {
                Some(number) => Divergence::Request { op: index, number, seen },
                None => Divergence::ExtraRequest { op: index, seen },
            }));
        };
        if promises.keeps(Clause::PortGroup) {
            self.in_turn(index, place)?;
        }
        let issue = &issues[index];
        if requests[place].kind == ReqKind::Write {
            if promises.keeps(Clause::PtxSem) {
                self.in_one_piece(&issue.op, seen, index, place)?;
            }
            self.loose_write(contract, issue, seen, (index, place))?;
        } else {
            self.note_late(issues, seen, (index, place));
            self.ask(index, place, seen.byte_enable);
        }
        Ok(place)
    }

    /// PORT-GROUP: something of every earlier line of the operation must have been requested.
    fn in_turn(&self, index: usize, place: usize) -> Verdict {
        let progress = self.op(index);
        let Some(loose) = &progress.loose else { return Ok(()) };
        let Some(earlier) = (0..place).find(|&earlier| loose.asked(earlier) == 0) else { return Ok(()) };
        let line = |number: usize| format!("line {:#x}", progress.plan.requests[number].line);
        let field = Field::signal(Site::MemReq, "addr").request(place);
        let expected = format!("after a request for {}", line(earlier));
        Err(broken(Clause::PortGroup, Some(index), field, &expected, format!("{} before that", line(place))))
    }

    fn ask(&mut self, index: usize, place: usize, bytes: u128) {
        if let Some(loose) = &mut self.op_mut(index).loose {
            loose.parts[place].asked |= bytes;
            loose.unanswered += 1;
            loose.unfinished += 1;
        }
    }

    /// Whether all of an operation's requests were made.
    pub(crate) fn all_asked(&self, index: usize) -> bool {
        let progress = self.op(index);
        (0..progress.plan.requests.len()).all(|place| whole(progress, place))
    }

    /// Judges a completion before all of an operation's requests were made. A line of which some bytes were requested
    /// counts as one request for all of these.
    pub(crate) fn loose_over(&self, index: usize) -> Verdict {
        let progress = self.op(index);
        let Some(loose) = &progress.loose else { return Ok(()) };
        for (number, (part, request)) in loose.parts.iter().zip(&progress.plan.requests).enumerate() {
            if part.wrong != 0 {
                return Err(self.wrong_in_the_end((index, number), part.wrong));
            }
            if part.asked != 0 && part.asked != request.byte_enable {
                let seen = Seen { byte_enable: part.asked, ..progress.asks(request) };
                return Err(Box::new(Divergence::Request { op: index, number, seen: Box::new(seen) }));
            }
        }
        Ok(())
    }
}

/// Whether one of the model's requests was made, to its last byte.
pub(super) fn whole(progress: &Progress, place: usize) -> bool {
    let part = progress.loose.as_ref().and_then(|loose| loose.parts.get(place));
    part.is_none_or(|part| part.asked == progress.plan.requests[place].byte_enable)
}

/// The bytes of one of the model's requests that several lanes have, each of which may ask for them by itself.
pub(super) fn disputed(op: &Op, progress: &Progress, number: usize) -> u128 {
    let apart = progress.loose.as_ref().is_some_and(|loose| loose.doubts.apart);
    let request = progress.plan.requests.get(number).filter(|_| apart);
    request.map_or(0, |request| owned(op, progress, request, request.lanes).1)
}

/// The bytes of a request that one of these lanes has, and those that several have.
fn owned(op: &Op, progress: &Progress, request: &Request, lanes: LaneMask) -> (u128, u128) {
    lanes
        .iter()
        .map(|lane| model::lane_bytes(op, &progress.plan, request, lane))
        .fold((0, 0), |(one, several), own| (one | own, several | one & own))
}
