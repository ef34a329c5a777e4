// SPDX-License-Identifier: MIT OR Apache-2.0
//! PORT-FAIR for requests: a request comes soon after the last event that it can have waited for, whatever others do.
//!
//! ```text
//!      Op   Request of others        Request
//!  ----+----[=======]-----------[====+--->  cycles; in brackets what is offered until it is taken
//!      |<-->        <---------->  these are free
//! ```
//!
//! Nothing is computed until a request comes late. Then the log is read backwards from the request. The search ends at
//! the first entry that the request can have waited for, and also once the port was free in more cycles than the
//! request may wait.
//!
//! Many requests, none of which is late, may still take turns with others that go nowhere. As long as nothing is
//! answered, nothing that stands against a request goes away; so the cycles that a warp's requests wait until the next
//! answer are added up. And a request may be passed by others that conflict with it, but not for ever ([`passed`]).

mod half;
mod passed;
mod search;
mod stalls;
#[cfg(test)]
mod tests;

use std::iter;

use search::Search;
use stalls::Stalls;

use super::{
    contract::Contract,
    log::{Entry, Event, Issue, Log, Seen},
    mismatch::{Field, Mismatch, Site},
    scoreboard::{Divergence, Scoreboard},
};
use crate::{clause::Clause, op::Op};

/// Cycles that other warps may take of a request's bound.
const GRANTED: u64 = 8;

/// The number of requests whose cycles are remembered.
const REMEMBERED: usize = 1024;

/// The cycles that an operation itself may need before its next request: one for each GPR of its burst.
pub fn own_cycles(op: &Op) -> u64 {
    if op.is_burst() { op.present_gprs.count_ones().into() } else { 0 }
}

/// The cycles in which requests were made.
pub struct Wait {
    /// By request: the cycles of its first offer and of its handshake.
    made: [(u64, u64); REMEMBERED],
    /// By warp: the cycle in which its last request was taken, and the number of that request.
    last: [u64; 8],
    numbers: [u32; 8],
    /// The cycle of the last answer; by warp, that before which its sum was begun, and the sum: free cycles since then
    /// that it waited for nothing.
    answered: u64,
    lost: [(u64, u64); 8],
    /// Beats and completions that waited to be taken, and the cycle since which one waits; they may hold up what comes
    /// after them.
    stalls: Stalls,
    waits: u64,
    /// The cycle in which a half of a pair was taken last.
    halved: u64,
    /// Data beats that came before their operation.
    ahead: u64,
    /// The cycle in which the last data beat is put in its place, at one a cycle; and by tag, that of each operation's
    /// last one.
    placed: u64,
    placed_of: [u64; 256],
}

impl Default for Wait {
    fn default() -> Self {
        Wait {
            made: [(0, 0); REMEMBERED],
            last: [0; 8],
            numbers: [0; 8],
            answered: 0,
            lost: [(0, 0); 8],
            stalls: Stalls::default(),
            waits: u64::MAX,
            halved: 0,
            ahead: 0,
            placed: 0,
            placed_of: [0; 256],
        }
    }
}

impl Wait {
    /// Records an operation that is taken, with the beats that came before it.
    #[inline]
    pub fn op(&mut self, cycle: u64, issue: &Issue) {
        let beats = self.ahead.min(issue.data.len() as u64);
        self.ahead -= beats;
        self.placed_of[usize::from(issue.op.tag)] = 0;
        self.place(cycle, issue.op.tag, beats);
    }

    /// Records a data beat that is taken, of an accepted operation or of one to come.
    #[inline]
    pub fn data(&mut self, cycle: u64, log: &Log, number: u32, accepted: usize) {
        match log.owner(number) {
            Some(owner) if owner < accepted => self.place(cycle, log.issues()[owner].op.tag, 1),
            _ => self.ahead += 1,
        }
    }

    /// The cycle in which an operation's last data beat is put in its place.
    pub fn placed(&self, op: &Op) -> u64 {
        self.placed_of[usize::from(op.tag)]
    }

    fn place(&mut self, cycle: u64, tag: u8, beats: u64) {
        if beats > 0 {
            self.placed = self.placed.max(cycle).saturating_add(beats);
            self.placed_of[usize::from(tag)] = self.placed;
        }
    }

    /// Records a request that is taken, of any owner: the cycles of its first offer and of its handshake.
    #[inline]
    pub fn taken(&mut self, cycles: (u64, u64), number: u32) {
        self.made[number as usize % REMEMBERED] = cycles;
    }

    /// Records an answer.
    #[inline]
    pub fn answer(&mut self, cycle: u64) {
        self.answered = cycle;
    }

    /// Records a beat or a completion that is taken. `offered` is the cycle of its first offer.
    #[inline]
    pub fn stalled(&mut self, offered: u64, cycle: u64, contract: &Contract) {
        if offered < cycle {
            self.stalls.add((offered, cycle), contract.promises.latency.waits);
        }
    }

    /// The cycles in which nothing stalls, from one to before another.
    fn count(&self, from: u64, to: u64) -> u64 {
        self.stalls.count(from, to.min(self.waits))
    }

    /// The cycle in which a remembered request was first offered.
    fn first(&self, number: u32) -> u64 {
        self.made[number as usize % REMEMBERED].0
    }

    /// Judges the request at entry `place`, which is request `number` of operation `op`, after `board` was told of it.
    /// `waits` is the cycle since which a beat or a completion waits to be taken.
    #[inline]
    pub fn request(
        &mut self,
        (log, place): (&Log, usize),
        board: &Scoreboard,
        contract: &Contract,
        (op, number): (usize, usize),
        waits: Option<u64>,
    ) -> Result<(), Box<Divergence>> {
        let bound = contract.promises.latency.waits;
        let warp = usize::from(board.op(op).warp & 7);
        let before = std::mem::replace(&mut self.last[warp], board.cycle);
        let came = board.op(op).taken.max(self.placed_of[usize::from(board.op(op).tag)]);
        let last = before.max(came);
        self.waits = waits.unwrap_or(u64::MAX);
        let Some(&Entry { event: Event::Request(request), .. }) = log.entries().get(place) else { return Ok(()) };
        let first = self.first(request);
        let others = u64::from(request.saturating_sub(std::mem::replace(&mut self.numbers[warp], request)));
        if let Some(pair) = board.made_half(op, number) {
            let halved = std::mem::replace(&mut self.halved, board.cycle);
            // A unit may compare its lanes one by one.
            let bound = bound.max(contract.promises.latency.idle);
            return self.half((request, halved), board, contract, (pair, &log.issues()[op].op), bound);
        }
        let calm = waits.is_none() && self.stalls.last <= last;
        let timed = || board.is_timed(op, number) && contract.promises.keeps(Clause::PortFair);
        if others > bound.saturating_mul(2) && waits.is_none() && timed() && contract.promises.keeps(Clause::PortHazard)
        {
            let bound = bound.saturating_add(own_cycles(&log.issues()[op].op));
            passed::judge((log, place, request), board, (op, last.max(self.stalls.last)), bound)?;
        }
        let late = first > last.saturating_add(bound);
        let most = most_later(contract);
        // An operation that came only now is still on its way through the unit, and a slow unit is no unfair one.
        let lingers = first > before.saturating_add(1)
            && contract.promises.keeps(Clause::PortRate)
            && calm
            && before == last
            && before >= came.saturating_add(bound)
            && before > self.answered;
        if !(late || lingers) || !timed() {
            return Ok(());
        }
        let bound = bound.saturating_add(own_cycles(&log.issues()[op].op));
        let free = self.free_until(request, last);
        if lingers && board.pairs().is_empty() && !board.has_own_affairs() && !board.acts_after(before) {
            self.add(warp, free, op, bound)?;
        }
        if free <= bound && others <= most {
            return Ok(());
        }
        self.search((log, place, request), log.requested(request), board, (op, last), (bound, most))
    }

    /// Judges requests that have not come by the end of the log, or by a reset, in `cycle`: none may be owed for longer
    /// than `patience`. `number` is that of the request that would be the log's next one. From cycle `waits` on, something
    /// waits to be taken.
    pub fn missing(
        &mut self,
        (log, place, cycle): (&Log, usize, u64),
        (number, waits): (u32, u64),
        board: &Scoreboard,
        contract: &Contract,
        patience: u64,
    ) -> Result<(), Box<Divergence>> {
        self.taken((cycle, cycle), number);
        self.waits = waits;
        for pair in board.due_halves() {
            self.half((number, self.halved), board, contract, (pair, &log.issues()[pair.op].op), patience)?;
        }
        for (op, seen) in board.unsent() {
            let warp = usize::from(seen.warp & 7);
            let came = board.op(op).taken.max(self.placed_of[usize::from(board.op(op).tag)]);
            let last = self.last[warp].max(came);
            let others = u64::from(number.saturating_sub(self.numbers[warp]));
            let bound = patience.saturating_add(own_cycles(&log.issues()[op].op));
            let most = most_later(contract);
            if self.free_until(number, last) > bound || others > most {
                self.search((log, place, number), &seen, board, (op, last), (bound, most))?;
            }
        }
        Ok(())
    }

    /// Adds to what a warp's requests waited since the last answer.
    fn add(&mut self, warp: usize, free: u64, op: usize, bound: u64) -> Result<(), Box<Divergence>> {
        let (since, lost) = &mut self.lost[warp];
        *lost = if *since == self.answered { lost.saturating_add(free) } else { free };
        *since = self.answered;
        if *lost <= bound {
            return Ok(());
        }
        let m = Mismatch::new(Clause::PortFair, Some(op), Field::event(Site::MemReq, ""));
        let expected = format!("requests of its warp that wait for {bound} free cycles at most, until the next answer");
        Err(m.values(expected, format!("for {lost}")).into())
    }

    /// The cycles between the warp's last progress and a request in which the port was free and nothing stalled.
    fn free_until(&self, request: u32, last: u64) -> u64 {
        let (mut free, mut first) = (0u64, self.first(request));
        for number in (0..request).rev().take(REMEMBERED - 1) {
            let (offered, taken) = self.made[number as usize % REMEMBERED];
            if taken <= last {
                break;
            }
            free = free.saturating_add(self.count(taken.saturating_add(1), first));
            first = offered;
        }
        free.saturating_add(self.count(last.saturating_add(1), first))
    }

    /// Searches for an event that the request can have waited for; the request is late if none is near enough.
    #[cold]
    fn search(
        &self,
        (log, place, request): (&Log, usize, u32),
        seen: &Seen,
        board: &Scoreboard,
        (op, last): (usize, u64),
        (bound, most): (u64, u64),
    ) -> Result<(), Box<Divergence>> {
        let mut search = Search::new(self, (log, seen, request), board, op, last);
        // Who may do anything may take ids as well.
        let affairs = board.has_own_affairs();
        let mut entries = log.entries()[..place].iter().rev();
        let too_early = loop {
            let Some(entry) = entries.next() else { return Ok(()) };
            let late = !search.short && search.is_late(entry.cycle.max(last), bound);
            if late || search.is_passed(most) {
                break entry;
            }
            if search.waited_for(entry) || search.short && affairs {
                return Ok(());
            }
        };
        let from = too_early.cycle;
        let mut entries = iter::once(too_early).chain(entries);
        // The answers in time are to requests from before. They need not be the first answers to these.
        while search.answered != 0 {
            let Some(entry) = entries.next() else { return Ok(()) };
            match entry.event {
                Event::Request(number) if search.asked(log.requested(number)) => return Ok(()),
                Event::Response(number) => search.answered_before(log.responded(number)),
                _ => {}
            }
        }
        // With the last id, a pair may have kept it waiting until the last answer, though others came free.
        let ids = (board.ids_besides(seen.id) | search.ids | search.freed, search.full);
        let acts = board.acts_against(from, seen, ids) || search.release.is_some() && board.acts_after(from);
        if acts || board.is_behind(op, seen) {
            return Ok(());
        }
        let m = Mismatch::new(Clause::PortFair, Some(op), Field::event(Site::MemReq, ""));
        let (expected, found) = match (search.turns > most, search.is_short_of(most)) {
            (true, _) => {
                (format!("before {most} groups of one warp that came later"), format!("after {}", search.turns))
            }
            (_, true) => (format!("before {most} requests of one other warp"), format!("after {}", search.made())),
            _ => {
                let free = search.free_since(from);
                let expected =
                    format!("within {bound} cycles, in which the port is free, of the last thing that it waits for");
                (expected, format!("after {free}"))
            }
        };
        Err(m.values(expected, found).into())
    }
}

/// The most groups of one other warp that go before a request that is due, if their operations came later. As many as the
/// port takes may go while the request is on its way through the unit.
fn most_later(contract: &Contract) -> u64 {
    let promises = contract.promises;
    u64::from(promises.passed(&contract.shape)).max(promises.latency.waits.saturating_add(GRANTED))
}
