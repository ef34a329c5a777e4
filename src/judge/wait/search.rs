// SPDX-License-Identifier: MIT OR Apache-2.0
//! The search backwards from a request that may be late, for what it can have waited for.

use rustc_hash::{FxHashMap, FxHashSet};

use super::{REMEMBERED, Wait};
use crate::{
    judge::{
        flight::bit,
        log::{Entry, Event, Issue, Log, Response, Seen},
        scoreboard::Scoreboard,
    },
    op::{Attr, Bits, Kind, Packed, ReqKind, Scope, Semantics},
};

/// Groups of one warp that may be on their way to the port.
const AHEAD: usize = 3;

/// What is known of the time before a request, back to the entry that was visited last.
pub struct Search<'a> {
    log: &'a Log,
    seen: &'a Seen,
    /// The last cycle in which the warp made progress: its operation or a request of it was taken, or data were put in
    /// place.
    last: u64,
    mmio: bool,
    /// The scope of a release, which waits until the requests of its warp are answered for it.
    pub release: Option<Scope>,
    /// The number of the request in the log.
    request: u32,
    /// The ids in use, and the number of ids in use at which none was left.
    pub ids: u64,
    pub full: u32,
    /// The ids that came free.
    pub freed: u64,
    /// Ids that were answered since, for requests that are not found yet.
    pub answered: u64,
    /// Those of them that were also answered before.
    again: u64,
    /// Those of them that were answered for the release's scope since, and not before.
    reached: u64,
    /// The cycles in which requests were first offered.
    wait: &'a Wait,
    /// The request that was found last: its id, if the id is free before the request, and the cycle of its first offer.
    offered: (u64, u64),
    /// Free cycles of the port from the end of that offer on.
    free: u64,
    /// The operation, and the number of operations that were accepted by then.
    op: usize,
    accepted: usize,
    /// The groups that were requested, of operations that came later: by operation, and by warp how many.
    later: FxHashSet<(usize, u8)>,
    turns_of: [u64; 8],
    /// The most turns that one other warp had.
    pub turns: u64,
    /// The requests that were made, besides pairs, which leave the last id to others: by warp, and by group the number.
    made: FxHashMap<(u8, u8, u8), u64>,
    made_of: [u64; 8],
    /// The most that one warp made.
    most_made: u64,
    /// Whether all ids were in use. What waits for one has its turn when one comes free.
    pub short: bool,
}

impl<'a> Search<'a> {
    /// The search back from `seen`, the late request of operation `op`, which is request `number` of the log. Its warp
    /// made progress last in cycle `last`.
    pub fn new(
        wait: &'a Wait,
        (log, seen, number): (&'a Log, &'a Seen, u32),
        board: &Scoreboard,
        op: usize,
        last: u64,
    ) -> Self {
        Search {
            log,
            seen,
            last,
            mmio: board.op(op).mmio,
            release: board.op(op).release,
            request: number,
            ids: board.ids_besides(seen.id),
            full: board.ids_for(seen.kind),
            freed: 0,
            answered: 0,
            again: 0,
            reached: 0,
            wait,
            offered: (0, wait.first(number)),
            free: 0,
            op,
            accepted: board.accepted,
            later: FxHashSet::default(),
            turns_of: [0; 8],
            turns: 0,
            made: FxHashMap::default(),
            made_of: [0; 8],
            most_made: 0,
            short: false,
        }
    }

    /// Whether the port was free in more than `bound` cycles after this one.
    pub fn is_late(&self, cycle: u64, bound: u64) -> bool {
        let most = self.free.saturating_add(self.offered.1.saturating_sub(cycle));
        most > bound && self.free_since(cycle) > bound
    }

    /// Cycles after this one in which nothing was offered at the port, and nothing stalled.
    pub fn free_since(&self, cycle: u64) -> u64 {
        self.free.saturating_add(self.wait.count(cycle.saturating_add(1), self.offered.1))
    }

    /// Counts a request's group if its operation came later.
    fn passed_by(&mut self, asked: &Seen) {
        let came = self.log.issues().get(self.op + 1..self.accepted).unwrap_or_default();
        let is = |issue: &Issue| (issue.op.warp, issue.op.tag) == (asked.warp, asked.tag);
        // The last one with the tag, as tags are used again. A compare-and-store is one group, whatever it may do.
        let group = |place: usize| if came[place].op.kind == Kind::CmpStore as u8 { 0 } else { asked.group };
        if came.iter().rposition(is).is_some_and(|place| self.later.insert((place, group(place)))) {
            self.turns = self.turns.max(count(&mut self.turns_of, asked.warp));
        }
    }

    /// Whether the request passed its turn: one other warp had more turns than `most` of groups that came later, or made
    /// more requests while there was no id left.
    pub fn is_passed(&self, most: u64) -> bool {
        self.turns > most || self.is_short_of(most)
    }

    /// Whether there was no id left, and one other warp made more than `most` requests.
    pub fn is_short_of(&self, most: u64) -> bool {
        self.short && self.most_made > most && self.made() > most
    }

    /// The most requests that one other warp made, without those of a few groups, which may have come first.
    pub fn made(&self) -> u64 {
        let mut by_warp = [const { Vec::new() }; 8];
        for (&(warp, ..), &made) in &self.made {
            by_warp[usize::from(warp & 7)].push(made);
        }
        let behind = |groups: &mut Vec<u64>| {
            groups.sort_unstable_by(|one, other| other.cmp(one));
            groups.iter().skip(AHEAD).sum()
        };
        by_warp.iter_mut().map(behind).max().unwrap_or(0)
    }

    /// Whether an answer reaches the scope of the release.
    fn reaches(&self, response: &Response) -> bool {
        self.release.is_some_and(|scope| response.last || response.scope >= scope as u8)
    }

    /// Notes an answer that came too early to be what the late request waited for.
    pub fn answered_before(&mut self, response: &Response) {
        let bit = bit(response.id);
        self.again |= bit & self.answered;
        if self.reaches(response) {
            self.reached &= !bit;
        }
    }

    /// Whether an answer to `asked` was found, and the late request can have waited for it.
    pub fn asked(&mut self, asked: &Seen) -> bool {
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
        let one_by_one = self.mmio && own && is_mmio(asked);
        found && (same && pair || reached && own || !again && (same && shares && writes || one_by_one))
    }

    /// Visits an entry on the way back. Returns whether the late request can have waited for it.
    pub fn waited_for(&mut self, entry: &Entry) -> bool {
        let log = self.log;
        let warp = self.seen.warp;
        match entry.event {
            _ if entry.cycle <= self.last => true,
            Event::Done(number) => log.completed(number).warp == warp,
            Event::Op(number) => {
                self.accepted = number as usize;
                false
            }
            Event::Request(number) => {
                let asked = log.requested(number);
                if self.wait.count(entry.cycle, entry.cycle.saturating_add(1)) > 0 {
                    self.passed_by(asked);
                    if asked.warp != warp && !asked.is_pair() {
                        *self.made.entry((asked.warp, asked.tag, asked.group)).or_default() += 1;
                        self.most_made = self.most_made.max(count(&mut self.made_of, asked.warp));
                    }
                }
                self.ids &= !self.offered.0;
                self.free = self.free_since(entry.cycle);
                // A pair keeps its id between its requests.
                let plain = asked.kind == ReqKind::Read as u8 || asked.kind == ReqKind::Write as u8;
                // What was on offer when is not remembered for ever. The port counts as used then.
                let known = ((self.request - number) as usize) < REMEMBERED;
                let first = if known { self.wait.first(number) } else { 0 };
                self.offered = (u64::from(plain) * bit(asked.id), first);
                self.asked(asked)
            }
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
                self.freed |= bit;
                self.short |= self.ids.count_ones() >= self.full;
                false
            }
            Event::Reset | Event::Withdrawn(_) => true,
            _ => false,
        }
    }
}

/// Counts one more of a warp.
fn count(by_warp: &mut [u64; 8], warp: u8) -> u64 {
    let of = &mut by_warp[usize::from(warp & 7)];
    *of += 1;
    *of
}

/// Whether a request is one of mmio. Only PTX has it, and a request of another set may look like one.
fn is_mmio(seen: &Seen) -> bool {
    let attr = Attr::unpack(Bits::from_slice(&seen.attr));
    matches!(Semantics::from_code(attr.semantics), Some(Semantics::Mmio | Semantics::MmioRelease))
}
