// SPDX-License-Identifier: MIT OR Apache-2.0
//! Requests of a unit that does not keep PORT-MIN or PORT-GROUP: it may request an operation's lines in any order, in
//! parts and several times. In the end, each byte of each of the model's requests must have been requested, and the
//! last value written to it must be right. An element of a store that is not weak is written in one piece, and that of a
//! volatile one once. Pairs of compare-and-stores and mmio accesses are never loose.

use super::{Divergence, Field, Progress, Scoreboard, Site, Verdict, broken, request::some_lanes_store};
use crate::{
    clause::Clause,
    judge::{
        contract::Contract,
        flight::Flight,
        log::{Issue, Response, Seen},
        trail::origin,
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
    /// Lanes that load a byte that was read several times, with different values. It is not known which value they
    /// took.
    pub torn: LaneMask,
    /// Whether lanes may ask for the same byte in requests of their own.
    apart: bool,
    /// Lanes that may have a bus error: every byte for which they got one is another lane's as well, which may have
    /// asked for it.
    pub perhaps: LaneMask,
    /// The lanes of each such error: one of them at least has it.
    pub errors: Vec<LaneMask>,
    /// The number of errors so far.
    number: usize,
    /// Register by register what such an error may have made 0, with the number of the error. The other registers of its
    /// lanes may be 0 as well, since all their bytes of a line are awaited together: without a number.
    unsure: Vec<(usize, LaneMask, Option<usize>)>,
    /// Lanes that have 0 for another value because of it, and so must report it; and those that have the value of the
    /// only one that they may have, and so must not.
    failed: LaneMask,
    spared: LaneMask,
}

/// One of the model's requests.
#[derive(Clone)]
struct Part {
    /// Bytes that were requested; of a write, only those whose last value was right. The others, whose last value was
    /// another lane's, are in `wrong`.
    asked: u128,
    wrong: u128,
    /// Bytes that were answered.
    answered: u128,
    /// The bytes that were read.
    line: [u8; MAX_LINE_BYTES],
    /// By register, lanes that an answer with an error served. Their values stay 0.
    failed: Vec<(usize, LaneMask)>,
    /// By byte: how often it was written, if that counts (PTX-SEM).
    times: [u8; MAX_LINE_BYTES],
}

impl Loose {
    /// The state of an operation with this many requests, none of them made. Those of lanes that have the same byte may
    /// be `apart`.
    pub fn new(requests: usize, apart: bool) -> Self {
        let (line, times) = ([0; MAX_LINE_BYTES], [0; MAX_LINE_BYTES]);
        let part = Part { asked: 0, wrong: 0, answered: 0, line, failed: Vec::new(), times };
        Loose { parts: vec![part; requests], apart, ..Loose::default() }
    }

    /// The bytes of the model's request `number` that were requested, with whatever value.
    pub fn asked(&self, number: usize) -> u128 {
        self.parts.get(number).map_or(0, |part| part.asked | part.wrong)
    }

    /// Of the lanes of a beat that differ from the model, those that are right because of an error. Notes what each lane
    /// has then shown of it.
    pub fn excused(&mut self, register: usize, lanes: LaneMask, wrong: LaneMask, data: &[u32]) -> LaneMask {
        let mut excused = LaneMask::NONE;
        for lane in lanes.iter() {
            let of = || self.unsure.iter().filter(|(_, lanes, _)| lanes.contains(lane));
            let mut here = of().filter(|(of, ..)| *of == register).map(|(.., error)| *error).peekable();
            if here.peek().is_none() {
                continue;
            }
            // The only error that it may have is one of this register.
            let only =
                here.flatten().next().filter(|mine| of().filter_map(|(.., error)| *error).all(|one| one == *mine));
            let zero = data[lane] == 0;
            excused.insert_if(zero, lane);
            self.failed.insert_if(zero && wrong.contains(lane), lane);
            self.spared.insert_if(!zero && only.is_some(), lane);
        }
        excused & wrong
    }

    /// Whether a lane that may have an error may report it, or not, after what it has loaded.
    pub fn may_report(&self, lane: usize, error: bool) -> bool {
        let shown = if error { self.spared } else { self.failed };
        self.perhaps.contains(lane) && !shown.contains(lane)
    }

    /// Whether a lane must report an error that others may have instead, after what it has loaded.
    pub fn must_report(&self, lane: usize) -> bool {
        self.failed.contains(lane)
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
        issue: &Issue,
        seen: &Seen,
        index: usize,
    ) -> Verdict<usize> {
        let promises = &contract.promises;
        let progress = self.op(index);
        let Some(loose) = &progress.loose else { return Ok(progress.sent) };
        let requests = &progress.plan.requests;
        // A request has the space of its leader, and its parts may have leaders of their own.
        let local = progress.plan.local;
        let mixed = |request: &Request| {
            let lanes = request.lanes & local;
            !promises.keeps(Clause::PortMin) && !lanes.is_empty() && lanes != request.lanes
        };
        let fits = |&place: &usize| {
            let request = &requests[place];
            let enable = match promises.keeps(Clause::PortMin) {
                true => request.byte_enable == seen.byte_enable && loose.parts[place].asked == 0,
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
        let found = (0..requests.len()).rev().filter(fits).max_by_key(best);
        let in_order = !promises.keeps(Clause::PortGroup) || found.is_none_or(|place| self.in_turn(index, place));
        let Some(place) = found.filter(|_| in_order) else {
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
        if requests[place].kind == ReqKind::Write {
            if promises.keeps(Clause::PtxSem) {
                self.in_one_piece(&issue.op, seen, index, place)?;
            }
            self.loose_write(contract, issue, seen, (index, place))
        } else {
            self.ask(index, place, seen.byte_enable);
            Ok(place)
        }
    }

    /// PORT-GROUP: whether something of every earlier line of the operation has been requested.
    fn in_turn(&self, index: usize, place: usize) -> bool {
        let progress = self.op(index);
        let Some(loose) = &progress.loose else { return true };
        loose.parts[..place].iter().all(|part| (part.asked | part.wrong) != 0)
    }

    /// PTX-SEM: whether a write has each element of a strong store whole, and none of a volatile one again. A byte that
    /// several lanes store to may come once for each.
    fn in_one_piece(&mut self, op: &Op, seen: &Seen, index: usize, place: usize) -> Verdict {
        let progress = self.op(index);
        let order = model::orders(op, &progress.plan);
        if !order.whole {
            return Ok(());
        }
        let request = &progress.plan.requests[place];
        let lanes = request.lanes - model::private(op, &progress.plan);
        let own = owned(op, progress, request, lanes).0;
        // Elements lie at multiples of their size, so those of several lanes are the same or apart.
        let size = usize::from(op.element_bytes).clamp(1, MAX_LINE_BYTES);
        for first in (0..MAX_LINE_BYTES).step_by(size) {
            let element = own & (u128::MAX >> (MAX_LINE_BYTES - size)) << first;
            let asked = seen.byte_enable & element;
            if asked != 0 && asked != element {
                let seen = Box::new(seen.clone());
                return Err(Box::new(Divergence::Request { op: index, number: place, seen }));
            }
        }
        if !order.once {
            return Ok(());
        }
        let enabled = (0..MAX_LINE_BYTES).filter(|byte| (seen.byte_enable & own) >> byte & 1 == 1);
        let most = |byte: usize| {
            let has = |&lane: &usize| model::lane_bytes(op, &progress.plan, request, lane) >> byte & 1 == 1;
            lanes.iter().filter(has).count()
        };
        let limits: Vec<_> = enabled.map(|byte| (byte, most(byte))).collect();
        let Some(loose) = &mut self.op_mut(index).loose else { return Ok(()) };
        for (byte, most) in limits {
            let times = &mut loose.parts[place].times[byte];
            if usize::from(*times) >= most {
                let field = Field::signal(Site::MemReq, "be").request(place).byte(byte);
                return Err(broken(Clause::PtxSem, Some(index), field, "a volatile byte once", "again".to_owned()));
            }
            *times += 1;
        }
        Ok(())
    }

    /// Judges a write. A byte that several lanes store to may hold another lane's value for a while, but not in the
    /// end, unless their order is open.
    fn loose_write(
        &mut self,
        contract: &Contract,
        issue: &Issue,
        seen: &Seen,
        (index, place): (usize, usize),
    ) -> Verdict<usize> {
        let progress = self.op(index);
        let request = &progress.plan.requests[place];
        let last = !contract.promises.any_lane_order();
        let differs = |&byte: &usize| seen.byte_enable >> byte & 1 == 1 && request.data[byte] != seen.data[byte];
        let mut wrong = 0;
        for byte in (0..MAX_LINE_BYTES).filter(differs) {
            wrong |= u128::from(!progress.dataless) << byte;
        }
        if wrong != 0 && !some_lanes_store(&contract.promises, issue, progress, request, seen) {
            let seen = Box::new(seen.clone());
            return Err(Box::new(Divergence::Request { op: index, number: place, seen }));
        }
        let wrong = if last { wrong } else { 0 };
        let undone =
            if contract.promises.keeps(Clause::PortHazard) { self.undone(seen, index, place) } else { Vec::new() };
        self.ask(index, place, seen.byte_enable);
        for (later, bytes) in undone {
            if let Some(loose) = &mut self.op_mut(index).loose {
                let part = &mut loose.parts[later];
                part.asked &= !bytes;
                part.wrong |= bytes;
            }
        }
        if let Some(loose) = &mut self.op_mut(index).loose {
            let part = &mut loose.parts[place];
            part.asked &= !wrong;
            part.wrong = part.wrong & !seen.byte_enable | wrong;
        }
        Ok(place)
    }

    /// The bytes that a later GPR of the burst has written, and that this write replaces with other values
    /// (R700-ELEM): by number of the model's request.
    fn undone(&self, seen: &Seen, index: usize, place: usize) -> Vec<(usize, u128)> {
        let progress = self.op(index);
        let requests = &progress.plan.requests;
        let Some(loose) = progress.loose.as_ref().filter(|_| !progress.dataless) else { return Vec::new() };
        let (line, group) = (requests[place].line, requests[place].group);
        let later = (0..requests.len()).filter(|&other| requests[other].line == line && requests[other].group > group);
        let differs = |other: usize| {
            let shared = seen.byte_enable & loose.parts[other].asked;
            let bytes = (0..MAX_LINE_BYTES).filter(|byte| shared >> byte & 1 == 1);
            bytes.filter(|&byte| requests[other].data[byte] != seen.data[byte]).fold(0, |all, byte| all | 1 << byte)
        };
        later.map(|other| (other, differs(other))).filter(|&(_, bytes)| bytes != 0).collect()
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
            if let Some(byte) = (part.wrong != 0).then(|| part.wrong.trailing_zeros()) {
                let field = Field::signal(Site::MemReq, "data").request(number).byte(byte as usize);
                let later = |other: &Request| other.line == request.line && other.group != request.group;
                return Err(match progress.plan.requests.iter().any(later) {
                    true => {
                        let (expected, found) = ("the later GPR's value in the end", "another one's".to_owned());
                        broken(Clause::R700Elem, Some(index), field, expected, found)
                    }
                    false => {
                        let (expected, found) = ("the highest lane's value in the end", "another lane's".to_owned());
                        broken(Clause::ComSameaddr, Some(index), field, expected, found)
                    }
                });
            }
            if part.asked != 0 && part.asked != request.byte_enable {
                let seen = Seen { byte_enable: part.asked, ..progress.asks(request) };
                return Err(Box::new(Divergence::Request { op: index, number, seen: Box::new(seen) }));
            }
        }
        Ok(())
    }

    /// Follows an answer to a part.
    pub(crate) fn loose_answered(&mut self, op: &Op, flight: &Flight, response: &Response, first: bool, error: bool) {
        let cycle = self.cycle;
        let (place, bytes, write) = (flight.request, flight.byte_enable, flight.write);
        let progress = self.op_mut(flight.op);
        let Some(mut loose) = progress.loose.take() else { return };
        if response.last {
            loose.unfinished = loose.unfinished.saturating_sub(1);
            progress.last_finished = cycle;
        }
        if let (true, Some(request), Some(part)) =
            (first, progress.plan.requests.get(place), loose.parts.get_mut(place))
        {
            loose.unanswered = loose.unanswered.saturating_sub(1);
            progress.last_answered = cycle;
            let of = |lane: usize| model::lane_bytes(op, &progress.plan, request, lane);
            let lanes = |wanted: &dyn Fn(u128) -> bool| -> LaneMask {
                let mut mask = LaneMask::NONE;
                request.lanes.iter().filter(|&lane| wanted(of(lane))).for_each(|lane| mask.insert(lane));
                mask
            };
            // What was read before, with another value.
            let mut torn = 0u128;
            for byte in (0..MAX_LINE_BYTES).filter(|byte| !error && bytes >> byte & part.answered >> byte & 1 == 1) {
                torn |= u128::from(part.line[byte] != response.data[byte]) << byte;
            }
            part.answered |= bytes;
            let mut failed = LaneMask::NONE;
            if error {
                let several = if loose.apart { owned(op, progress, request, request.lanes).1 } else { 0 };
                let (touched, faulty) = (lanes(&|own| own & bytes != 0), lanes(&|own| own & bytes & !several != 0));
                let unsure = touched - faulty;
                loose.perhaps |= unsure;
                if faulty.is_empty() {
                    loose.errors.push(touched);
                }
                loose.number += 1;
                // Only the registers that the answer would have filled (COM-FAULT).
                for (register, served) in model::delivers(op, request) {
                    let fills =
                        |lane: &usize| origin::read_bytes(op, &progress.plan, request, *lane, register) & bytes != 0;
                    let filled: LaneMask = (served & touched).iter().filter(fills).collect();
                    part.failed.push((register, filled & faulty));
                    loose.unsure.push((register, filled & unsure, Some(loose.number)));
                    loose.unsure.push((register, (served & touched) - filled, None));
                    let settled = &mut progress.settled[register];
                    progress.from_memory.settle(register, settled, served & touched, cycle);
                }
                failed = faulty;
            } else {
                for byte in (0..MAX_LINE_BYTES).filter(|byte| bytes >> byte & 1 == 1) {
                    part.line[byte] = response.data[byte];
                }
            }
            if !write {
                loose.torn |= lanes(&|own| own & torn != 0);
                let there = lanes(&|own| own & !part.answered == 0);
                model::load(op, &progress.plan, place, &part.line, &mut progress.registers);
                for (register, served) in model::delivers(op, request) {
                    let settled = &mut progress.settled[register];
                    progress.from_memory.settle(register, settled, served & there, cycle);
                }
                for &(register, failed) in &part.failed {
                    super::set(&mut progress.registers[register], failed, 0);
                }
            }
            model::bus_error(&mut progress.plan, failed);
        }
        progress.loose = Some(loose);
    }
}

/// Whether one of the model's requests was made, to its last byte.
pub(super) fn whole(progress: &Progress, place: usize) -> bool {
    let part = progress.loose.as_ref().and_then(|loose| loose.parts.get(place));
    part.is_none_or(|part| part.asked == progress.plan.requests[place].byte_enable)
}

/// The bytes of a request that one of these lanes has, and those that several have.
fn owned(op: &Op, progress: &Progress, request: &Request, lanes: LaneMask) -> (u128, u128) {
    lanes
        .iter()
        .map(|lane| model::lane_bytes(op, &progress.plan, request, lane))
        .fold((0, 0), |(one, several), own| (one | own, several | one & own))
}
