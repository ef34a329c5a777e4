// SPDX-License-Identifier: MIT OR Apache-2.0
//! PORT-FAIR and PORT-PROGRESS: what an operation's next request may wait for.

use super::{Pair, Progress, Scoreboard, Step};
use crate::{
    judge::{
        flight::{Flight, WILD, bit},
        log::Seen,
    },
    model::Request,
    op::{Range, ReqKind, Scope},
};

impl Scoreboard {
    /// The oldest operation whose next request only other requests keep from the port: its data are there, its line and
    /// an id are free, and neither an order nor the scratchpad holds it up.
    pub fn could_send(&self) -> Option<usize> {
        let mut next = self.sending.each_ref().map(|ops| ops.front().copied().unwrap_or(usize::MAX));
        next.sort_unstable();
        next.into_iter().take_while(|&op| op != usize::MAX).find(|&op| self.could_go(op))
    }

    /// Whether only other requests keep the next one of an operation from the port.
    fn could_go(&self, op: usize) -> bool {
        let progress = self.op(op);
        let Some(next) = progress.plan.requests.get(progress.sent).filter(|_| progress.loose.is_none()) else {
            return false;
        };
        let exclusive = next.kind == ReqKind::ReadExclusive;
        // It need not pass one that conflicts with it and waits itself, for one in flight in this line or behind another.
        let behind = |other: &Request| meet(other, next.line, next.byte_enable, exclusive);
        let waits = |other: &Request| other.line == next.line && self.meets_flight(other);
        let passes = self.fronts(progress.warp).any(behind) && self.fronts(progress.warp).any(waits);
        let line = !self.meets_flight(next) && !passes;
        let own = &self.running[usize::from(progress.warp)];
        let held = own.iter().take_while(|&&other| other <= op).map(|&other| self.op(other)).any(|other| {
            let released = other.releases && other.plan.requests.is_empty();
            !other.has_data || !other.plan.shared.is_empty() || released
        });
        let held = held
            || self.is_hindered(op, progress.sent)
            || progress.release.is_some_and(|scope| !self.lets_go(op, scope));
        let one_by_one = |flight: &Flight| !flight.answered && flight.warp == progress.warp && self.op(flight.op).mmio;
        let turn = !progress.mmio || !self.flights.iter().any(one_by_one);
        let (pairs, ids) = (self.pair_ids().count_ones() as usize, self.ids().count_ones() as usize);
        let left = self.most_pairs().saturating_sub(pairs);
        let free = ids < self.shape.pending && !(exclusive && (left == 0 || left == 1 && self.keeps_id(progress.warp)));
        // Operations of the warp that are over may wait for an older one, and keep their places in the unit until then.
        let before = own.iter().filter(|&&other| other < op);
        let room = before.count() <= self.shape.pending;
        line && turn && free && room && progress.sent_before(self.cycle) && !held
    }

    /// Whether all that a release waits for in its warp is surely answered for its scope (PTX-SEM). The log does not show
    /// how far the scratchpad is.
    fn lets_go(&self, op: usize, scope: Scope) -> bool {
        let own = &self.running[usize::from(self.op(op).warp)];
        let shared = own.iter().any(|&other| !self.op(other).plan.shared.is_empty());
        !shared && !self.acts_after(self.cycle) && self.lacks(op, scope).is_none()
    }

    /// Whether a request conflicts with one that is in flight.
    fn meets_flight(&self, next: &Request) -> bool {
        let meets = self.flights.iter().any(|flight| {
            let byte_enable = if flight.answered { 0 } else { flight.byte_enable };
            meet(next, flight.line, byte_enable, flight.exclusive)
        });
        meets || self.pairs.iter().any(|pair| pair.line == next.line)
    }

    /// Whether the last id that pairs may have is kept for another warp's: requests that came later stand against it.
    fn keeps_id(&self, warp: u8) -> bool {
        self.others(warp).any(|(progress, next)| {
            let meets = |flight: &Flight| !flight.exclusive && flight.line == next.line;
            // Of an operation that is done it is no longer known when its requests came.
            let later = |op: &Progress, index: usize| op.index != index || op.last_sent > progress.taken;
            let passed = |flight: &Flight| meets(flight) && later(self.op(flight.op), flight.op);
            next.kind == ReqKind::ReadExclusive && self.flights.iter().any(passed)
        })
    }

    /// The next request of each other warp.
    fn fronts(&self, warp: u8) -> impl Iterator<Item = &Request> {
        self.others(warp).map(|(_, next)| next)
    }

    /// The oldest operation of each other warp that has requests to make, and the next one.
    fn others(&self, warp: u8) -> impl Iterator<Item = (&Progress, &Request)> {
        let oldest = self.sending.iter().filter_map(|ops| ops.front()).map(|&op| self.op(op));
        let others = oldest.filter(move |progress| progress.warp != warp && progress.loose.is_none());
        others.filter_map(|progress| progress.plan.requests.get(progress.sent).map(|next| (progress, next)))
    }

    /// Whether the next request of another warp conflicts with one that an operation has made, and may have been due
    /// before it.
    pub(crate) fn is_behind(&self, op: usize, seen: &Seen) -> bool {
        let exclusive = seen.kind == ReqKind::ReadExclusive as u8;
        self.fronts(self.op(op).warp).any(|next| meet(next, seen.line, seen.byte_enable, exclusive))
    }

    /// The pair whose next half is due, of the oldest operation. Its line and its id are its own.
    pub fn due_half(&self) -> Option<&Pair> {
        self.due_halves().filter(|pair| pair.since < self.cycle).min_by_key(|pair| pair.op)
    }

    /// The pairs that have a half to make.
    pub(crate) fn due_halves(&self) -> impl Iterator<Item = &Pair> {
        let due = |pair: &&Pair| matches!(pair.step, Step::ToWrite | Step::ToRepeat) && self.data_missing(pair.op) == 0;
        self.pairs.iter().filter(due)
    }

    /// The pair of which an operation made a half in this cycle, if it is not the first one.
    #[inline]
    pub(crate) fn made_half(&self, index: usize, number: usize) -> Option<&Pair> {
        let goes_on = || !self.made_next(index, number);
        (!self.pairs.is_empty() && goes_on()).then(|| self.pair_of(index, number)).flatten()
    }

    /// Whether what an operation requested in this cycle is new, and no half of a pair except the first.
    fn made_next(&self, index: usize, number: usize) -> bool {
        let progress = self.op(index);
        progress.last_sent == self.cycle && progress.sent == number + 1
    }

    /// Whether the request that an operation made in this cycle is timed: it is no half of a pair except the first, and
    /// no release whose wait does not show holds it up.
    pub(crate) fn is_timed(&self, index: usize, number: usize) -> bool {
        self.made_next(index, number) && self.shows_waits(index, number)
    }

    /// The requests that are still to be made, one a warp: the oldest operation's next one, if it is known and nothing
    /// but the memory port holds it up.
    pub(crate) fn unsent(&self) -> impl Iterator<Item = (usize, Seen)> + '_ {
        let oldest = self.sending.iter().filter_map(|ops| ops.front().copied());
        oldest.filter(|&op| self.could_go(op) && self.shows_waits(op, self.op(op).sent)).filter_map(|op| {
            let progress = self.op(op);
            let next = progress.plan.requests.get(progress.sent)?;
            Some((op, Seen { id: self.ids().trailing_ones() as u8, ..progress.asks(next) }))
        })
    }

    /// Whether the log shows all that a request of an operation may wait for.
    fn shows_waits(&self, index: usize, number: usize) -> bool {
        let progress = self.op(index);
        // The log does not show how far a warp is in the scratchpad. A release waits for that, also for operations that
        // came after it. A unit that takes each warp's operations one by one may make any other operation wait for
        // those before it.
        let held = self.running[usize::from(progress.warp)].iter().any(|&op| {
            let &Progress { ref plan, releases, .. } = self.op(op);
            let shared = !plan.shared.is_empty();
            op < index && (shared || releases && plan.requests.is_empty()) || progress.release.is_some() && shared
        });
        progress.loose.is_none() && !held && !self.is_hindered(index, number)
    }

    /// Whether an operation that may do as it likes may hold up a request of an operation. In a u# that it makes undefined
    /// it may do anything: hold up whatever meets it there, its own warp, and pairs, for which it leaves no id. What an
    /// operation asks for next that is not judged request by request is not known, so it may hold up all others.
    fn is_hindered(&self, index: usize, number: usize) -> bool {
        let progress = self.op(index);
        let Some(next) = progress.plan.requests.get(number) else { return self.has_own_affairs() };
        let meets = |warp: u8, there: bool| there || warp == progress.warp || next.kind == ReqKind::ReadExclusive;
        let in_line = |range: Range| {
            range.base < next.line + self.shape.line_bytes as u64 && next.line < range.base.saturating_add(range.size)
        };
        self.running
            .iter()
            .flatten()
            .map(|&op| self.op(op))
            .any(|other| other.loose.is_some() || other.wild.is_some_and(|range| meets(other.warp, in_line(range))))
            || self.flights.iter().any(|flight| flight.request == WILD && meets(flight.warp, flight.line == next.line))
    }

    /// Whether some operation in flight may do as it likes: in a u# that it makes undefined, or with requests that are
    /// not judged one by one.
    pub(crate) fn has_own_affairs(&self) -> bool {
        self.running.iter().flatten().any(|&op| self.op(op).wild.is_some() || self.op(op).loose.is_some())
    }

    /// Whether operations that are not done have the scratchpad before an operation.
    pub(crate) fn is_held_in_scratchpad(&self, index: usize) -> bool {
        let shared = |op: usize| !self.op(op).plan.shared.is_empty();
        shared(index) && self.running.iter().flatten().any(|&op| op < index && shared(op))
    }

    /// The ids in use, a bit for each.
    pub(crate) fn ids(&self) -> u64 {
        self.flights.iter().map(|flight| bit(flight.id)).fold(self.pair_ids(), |ids, id| ids | id)
    }

    /// The ids of compare-and-stores, including one that may do anything in its lines.
    pub(crate) fn pair_ids(&self) -> u64 {
        let exclusive = self.flights.iter().filter(|flight| flight.exclusive).map(|flight| bit(flight.id));
        self.pairs.iter().map(|pair| bit(pair.id)).chain(exclusive).fold(self.wild_ids, |ids, id| ids | id)
    }

    /// The ids in use, without `id`.
    pub(crate) fn ids_besides(&self, id: u8) -> u64 {
        self.ids() & !bit(id)
    }

    /// The number of ids in use at which no further request of this kind can go. Pairs leave one id to the others.
    pub(crate) fn ids_for(&self, kind: u8) -> u32 {
        let most = if kind == ReqKind::ReadExclusive as u8 { self.most_pairs() } else { self.shape.pending };
        most as u32
    }

    /// The most compare-and-stores that may be in flight together. One id is left to the others (PORT-FAIR).
    pub(crate) fn most_pairs(&self) -> usize {
        self.shape.pending.saturating_sub(1).max(1)
    }

    /// Whether lanes may still have acted on a line in this cycle or later.
    pub(crate) fn acts_after(&self, cycle: u64) -> bool {
        self.acted > cycle
    }

    /// Whether lanes that may have acted after a cycle can have kept a request waiting: on its line, with the last of the
    /// ids that it may have, or in a pair of its warp that goes before its own. The log does not show when they are over.
    /// `ids` are those in use besides, of which `full` are too many.
    pub(crate) fn acts_against(&self, cycle: u64, seen: &Seen, (ids, full): (u64, u32)) -> bool {
        let over = self.over.iter().filter(|pair| pair.since >= cycle);
        let kept = over.fold(ids, |ids, pair| ids | bit(pair.id)).count_ones() >= full;
        let line = self.over.iter().any(|pair| pair.line == seen.line && pair.since >= cycle);
        self.acts_after(cycle) && (kept || line || self.pairs_of_warp(cycle, seen))
    }

    /// Whether a pair begins that others of its warp, answered after a cycle, can have kept waiting. It has a line of its
    /// own.
    fn pairs_of_warp(&self, cycle: u64, seen: &Seen) -> bool {
        let mut own = self.running[usize::from(seen.warp & 7)].iter().map(|&op| self.op(op));
        seen.kind == ReqKind::ReadExclusive as u8
            && (own.any(|progress| progress.compares && progress.last_answered >= cycle)
                || self
                    .pairs
                    .iter()
                    .any(|pair| pair.warp == seen.warp && pair.line != seen.line && pair.since >= cycle))
    }
}

/// Whether a request may have to wait for another one of this line: they share bytes, or one begins a pair. Of two
/// reads this is said too, though they need not.
fn meet(next: &Request, line: u64, byte_enable: u128, exclusive: bool) -> bool {
    next.line == line && (exclusive || next.kind == ReqKind::ReadExclusive || next.byte_enable & byte_enable != 0)
}
