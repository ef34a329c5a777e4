// SPDX-License-Identifier: MIT OR Apache-2.0
//! PORT-FAIR, of requests: one comes soon after the last thing that it can have waited for, whatever others do.
//!
//! ```text
//!      Op   Request of others        Request
//!  ----+----[=======]-----------[====+--->  cycles; in brackets what is offered until it is taken
//!      |<-->        <---------->  these are free
//! ```
//!
//! Nothing is worked out before a request comes late. Then the log is read backwards from it: the first entry that it
//! can have waited for ends the search, and so do more cycles in which the port was free than it may wait.

use std::iter;

use super::{
    contract::Contract,
    log::{Entry, Event, Issue, Log, Port, Response, Seen},
    mismatch::{Field, Mismatch, Site},
    scoreboard::{Divergence, Scoreboard},
};
use crate::{
    clause::Clause,
    op::{ReqKind, Scope},
};

/// Requests of which is remembered when they were offered first.
const REMEMBERED: usize = 256;

/// When requests were made.
pub struct Wait {
    /// By request: the cycle in which it was offered first, and that in which it was taken.
    made: [(u64, u64); REMEMBERED],
    /// By warp: the cycle in which its last one was taken.
    last: [u64; 8],
    /// The cycle in which a beat or a completion was taken last that had waited: what is not taken may hold what comes
    /// after it.
    stalled: u64,
    /// Data beats that came before their operation.
    ahead: u64,
    /// A data beat is put in its place a cycle: the cycle in which the last one is, and that of each operation, by tag.
    placed: u64,
    placed_of: [u64; 256],
}

/// What is known of the time before a request, down to the entry that was looked at last.
struct Search<'a> {
    log: &'a Log,
    seen: &'a Seen,
    /// The cycle in which its warp got on last: its operation or a request of it was taken, or data put in their place.
    last: u64,
    mmio: bool,
    /// A release waits until the requests of its warp are answered for its scope.
    release: Option<Scope>,
    /// Its number among the requests.
    request: u32,
    /// Ids in use, and with how many none was left.
    ids: u64,
    full: u32,
    /// Ids that were answered since, by requests that are not found yet.
    answered: u64,
    /// Those of them that were answered before as well.
    again: u64,
    /// Those of them that were answered for that scope since, and not before.
    reached: u64,
    /// When requests were offered first.
    wait: &'a Wait,
    /// The last request that was found: its id, if that is free before, and the cycle in which it was offered first.
    offered: (u64, u64),
    /// Free cycles from the end of that offer on.
    free: u64,
}

impl Default for Wait {
    fn default() -> Self {
        Wait { made: [(0, 0); REMEMBERED], last: [0; 8], stalled: 0, ahead: 0, placed: 0, placed_of: [0; 256] }
    }
}

impl Wait {
    /// An operation is taken, with the beats that came before it.
    #[inline]
    pub fn op(&mut self, cycle: u64, issue: &Issue) {
        let beats = self.ahead.min(issue.data.len() as u64);
        self.ahead -= beats;
        self.placed_of[usize::from(issue.op.tag)] = 0;
        self.place(cycle, issue.op.tag, beats);
    }

    /// A data beat is taken, of an operation among those that are accepted or after them.
    #[inline]
    pub fn data(&mut self, cycle: u64, log: &Log, number: u32, accepted: usize) {
        match log.owner(number) {
            Some(owner) if owner < accepted => self.place(cycle, log.issues()[owner].op.tag, 1),
            _ => self.ahead += 1,
        }
    }

    fn place(&mut self, cycle: u64, tag: u8, beats: u64) {
        if beats > 0 {
            self.placed = self.placed.max(cycle).saturating_add(beats);
            self.placed_of[usize::from(tag)] = self.placed;
        }
    }

    /// A request is taken, whoever's it is; it was offered first in the first of both cycles.
    #[inline]
    pub fn taken(&mut self, cycles: (u64, u64), number: u32) {
        self.made[number as usize % REMEMBERED] = cycles;
    }

    /// A beat or a completion is taken that was offered first in the first of both cycles.
    #[inline]
    pub fn stalled(&mut self, offered: u64, cycle: u64) {
        if offered < cycle {
            self.stalled = cycle;
        }
    }

    /// The cycle in which one of the last requests was offered first.
    fn first(&self, number: u32) -> u64 {
        self.made[number as usize % REMEMBERED].0
    }

    /// It is one of an operation, the entry at `place`; `board` has heard of it. `stalls`: a beat or a completion waits to
    /// be taken.
    #[inline]
    pub fn request(
        &mut self,
        (log, place): (&Log, usize),
        board: &Scoreboard,
        contract: &Contract,
        (op, number): (usize, usize),
        stalls: bool,
    ) -> Result<(), Box<Divergence>> {
        let bound = contract.promises.waits(&contract.shape);
        let warp = usize::from(board.op(op).warp & 7);
        let last = std::mem::replace(&mut self.last[warp], board.cycle);
        let last = last.max(self.stalled).max(board.op(op).taken).max(self.placed_of[usize::from(board.op(op).tag)]);
        let Some(&Entry { event: Event::Request(request), .. }) = log.entries().get(place) else { return Ok(()) };
        if self.first(request) <= last.saturating_add(bound)
            || stalls
            || !board.is_timed(op, number)
            || !contract.promises.keeps(Clause::PortFair)
        {
            return Ok(());
        }
        let bound = bound.saturating_add(board.own_cycles(op, &log.issues()[op].op));
        if self.is_soon(request, last, bound) {
            return Ok(());
        }
        self.search((log, place, request), board, (op, last), bound)
    }

    /// Whether the port was free in so few cycles since its warp got on that there is nothing to look for.
    fn is_soon(&self, request: u32, last: u64, bound: u64) -> bool {
        let (mut free, mut first) = (0u64, self.first(request));
        for number in (0..request).rev().take(REMEMBERED - 1) {
            let (offered, taken) = self.made[number as usize % REMEMBERED];
            if taken <= last {
                break;
            }
            free = free.saturating_add(first.saturating_sub(taken.saturating_add(1)));
            first = offered;
        }
        free.saturating_add(first.saturating_sub(last.saturating_add(1))) <= bound
    }

    /// Whether nothing that a request can have waited for is near enough.
    #[cold]
    fn search(
        &self,
        (log, place, request): (&Log, usize, u32),
        board: &Scoreboard,
        (op, last): (usize, u64),
        bound: u64,
    ) -> Result<(), Box<Divergence>> {
        let seen = log.requested(request);
        let mut search = Search {
            log,
            seen,
            last,
            mmio: board.op(op).mmio,
            release: board.op(op).release,
            ids: board.ids_besides(seen.id),
            full: board.ids_for(seen.kind),
            answered: 0,
            again: 0,
            reached: 0,
            wait: self,
            request,
            offered: (0, self.first(request)),
            free: 0,
        };
        let mut entries = log.entries()[..place].iter().rev();
        let too_early = loop {
            let Some(entry) = entries.next() else { return Ok(()) };
            if search.free_since(entry.cycle.max(last)) > bound {
                break entry;
            }
            if search.waited_for(entry) {
                return Ok(());
            }
        };
        let from = too_early.cycle;
        let mut entries = iter::once(too_early).chain(entries);
        // Answers in time, to requests from before; of some they are not the first.
        while search.answered != 0 {
            let Some(entry) = entries.next() else { return Ok(()) };
            match entry.event {
                Event::Request(number) if search.asked(log.requested(number)) => return Ok(()),
                Event::Response(number) => search.answered_before(log.responded(number)),
                _ => {}
            }
        }
        if board.acts_after(from) {
            return Ok(());
        }
        let m = Mismatch::new(Clause::PortFair, Some(op), Field::event(Site::MemReq, ""));
        let expected = format!("within {bound} cycles, in which the port is free, of the last thing that it waits for");
        Err(m.values(expected, format!("after {}", search.free_since(from))).into())
    }
}

impl Search<'_> {
    /// Cycles after this one in which nothing was offered at the port.
    fn free_since(&self, cycle: u64) -> u64 {
        self.free.saturating_add(self.offered.1.saturating_sub(cycle.saturating_add(1)))
    }

    /// Whether an answer is one for the scope of the release.
    fn reaches(&self, response: &Response) -> bool {
        self.release.is_some_and(|scope| response.last || response.scope >= scope as u8)
    }

    /// An answer that came too early to be what the late one waited for.
    fn answered_before(&mut self, response: &Response) {
        let bit = bit(response.id);
        self.again |= bit & self.answered;
        if self.reaches(response) {
            self.reached &= !bit;
        }
    }

    /// Whether a request of which an answer was found is one that the late one can have waited for.
    fn asked(&mut self, asked: &Seen) -> bool {
        let bit = bit(asked.id);
        let [found, again, reached] = [self.answered, self.again, self.reached].map(|ids| ids & bit != 0);
        self.answered &= !bit;
        self.again &= !bit;
        self.reached &= !bit;
        let is = |seen: &Seen, kind: ReqKind| seen.kind == kind as u8;
        let exclusive = |seen: &Seen| is(seen, ReqKind::ReadExclusive) || is(seen, ReqKind::WriteExclusive);
        let shares = asked.byte_enable & self.seen.byte_enable != 0;
        let writes = is(asked, ReqKind::Write) || is(self.seen, ReqKind::Write);
        let (same, pair) = (asked.line == self.seen.line, exclusive(asked) || exclusive(self.seen));
        let own = asked.warp == self.seen.warp;
        found && (same && pair || reached && own || !again && (same && shares && writes || self.mmio && own))
    }

    /// Goes back over an entry: whether the late request can have waited for it.
    fn waited_for(&mut self, entry: &Entry) -> bool {
        let log = self.log;
        let warp = self.seen.warp;
        match entry.event {
            _ if entry.cycle <= self.last => true,
            Event::Done(number) => log.completed(number).warp == warp,
            Event::Request(number) => {
                let asked = log.requested(number);
                self.ids &= !self.offered.0;
                self.free = self.free_since(entry.cycle);
                // A pair keeps its id between its requests.
                let plain = asked.kind == ReqKind::Read as u8 || asked.kind == ReqKind::Write as u8;
                self.offered = (u64::from(plain) * bit(asked.id), self.wait.first(number));
                let forgotten = (self.request - number) as usize >= REMEMBERED;
                forgotten || self.asked(asked)
            }
            // What is not taken may hold what comes after it.
            Event::Offer(number) => log.offered(number).port() != Port::Request,
            Event::Response(number) => {
                let response = log.responded(number);
                let bit = bit(response.id);
                self.answered |= bit;
                self.reached |= u64::from(self.reaches(response)) * bit;
                // A request has its id a cycle before it is offered.
                if entry.cycle.saturating_add(1) < self.offered.1 {
                    self.ids &= !std::mem::take(&mut self.offered.0);
                }
                self.offered.0 &= !bit;
                self.ids |= bit;
                self.ids.count_ones() >= self.full
            }
            Event::Reset | Event::Withdrawn(_) => true,
            _ => false,
        }
    }
}

/// Of an id.
fn bit(id: u8) -> u64 {
    1 << (id & 63)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        judge::{
            Judge, Mismatch, Trial,
            log::{Beat, Done, Response},
        },
        model::Memory,
        op::{Ctrl, Lanes, MAX_LANES, MAX_LINE_BYTES, Op, Range, Shape, Space},
    };

    const BASE: u64 = 0x1000;

    /// A load of four bytes by lane 0, with a line of its own for each tag.
    fn load(tag: u8) -> Op {
        let imm = BASE + 0x80 * u64::from(tag);
        let op = Op { imm, tag, warp: tag.min(1), element_bytes: 4, ..Op::default() };
        Op { element_count: 1, element_mask: 1, ..op }
    }

    /// Warp 0 loads, and has its request taken in cycle `asked`, after it was offered for `offered` cycles. Meanwhile
    /// warp 1 makes a load every ten cycles.
    fn judge(asked: u64, offered: u64) -> Result<(), Box<Mismatch>> {
        let mut events: Vec<(u64, usize, u8)> = vec![(0, 5, 0)];
        events.extend((0..4).map(|step| (asked + step, 1 + step as usize, 0)));
        events.extend((offered > 0).then_some((asked - offered, 0, 0)));
        for (tag, cycle) in (1..8).zip((10..).step_by(10)) {
            events.push((cycle - 5, 5, tag));
            events.extend((0..4).map(|step| (cycle + step, 1 + step as usize, tag)));
        }
        events.sort_unstable();
        let mut log = Log::default();
        let mut lanes = Lanes::default();
        lanes.active.insert(0);
        lanes.predicate.insert(0);
        for (cycle, what, tag) in events {
            let (op, warp, id) = (load(tag), tag.min(1), tag);
            let seen = Seen {
                id,
                warp,
                tag,
                space: Space::Global as u8,
                attr: op.attr.to_words(),
                line: op.imm,
                byte_enable: 15,
                ..Seen::default()
            };
            match what {
                0 => log.offer(cycle, crate::judge::log::Offer::Request(Box::new(seen))),
                1 => log.request(cycle, seen),
                2 => {
                    let data = [0; MAX_LINE_BYTES];
                    let answer = Response { id, data, error: false, exclusive_failed: false, scope: 3, last: true };
                    log.response(cycle, answer);
                }
                3 => log.beat(cycle, Beat { warp, tag, register: 0, mask: lanes.active, data: [0; MAX_LANES] }),
                4 => log.done(cycle, Done { warp, tag, faults: [0; MAX_LANES] }),
                _ => log.op(cycle, &op, &lanes, None),
            }
        }
        log.end(100, false);
        let shape = Shape::with_lanes(4);
        let mut ctrl = Ctrl::default();
        ctrl.alloc[0] = Range { base: BASE, size: 0x1000 };
        let contract = Contract::new(shape, ctrl);
        let memory = || Memory::new(1);
        let trial = Trial { contract: &contract, memory: &memory, counts: false, histories: false };
        Judge::new(&shape).judge(&trial, &log, None).map(|_| ())
    }

    /// The port is used in three cycles before.
    #[test]
    fn a_request_that_comes_late_is_told() {
        for (asked, offered) in [(3, 0), (31, 0), (32, 0), (39, 7), (39, 6)] {
            assert_eq!(judge(asked, offered).map_err(|mismatch| mismatch.to_string()), Ok(()), "{asked} {offered}");
        }
        // From 35 on the other warp has a request ready.
        for (asked, offered, bound) in [(33, 0, 28), (39, 5, 29), (48, 0, 29)] {
            let mismatch = judge(asked, offered).unwrap_err();
            assert_eq!((mismatch.clause, mismatch.op), (Clause::PortFair, Some(0)));
            assert!(mismatch.expected.starts_with(&format!("within {bound} cycles")), "{mismatch}");
            let after = mismatch.actual.strip_prefix("after ").unwrap();
            assert!(after.parse::<u64>().unwrap() > bound, "{mismatch}");
        }
    }
}
