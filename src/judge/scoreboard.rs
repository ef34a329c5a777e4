// SPDX-License-Identifier: MIT OR Apache-2.0
//! Follows the unit event by event. The model says what each operation requests and receives; the PORT clauses say what
//! may happen when.
//!
//! No order is predicted between operations. A load expects what the model extracts from the line that memory answered.
//! Whatever does not agree leaves as a [`Divergence`]; others decide which rule it breaks.

mod accept;
mod answer;
mod complete;
mod divergence;
mod known;
mod loose;
mod offered;
mod order;
mod owed;
mod own;
mod pair;
mod progress;
mod request;
mod ripe;
mod shared;
mod strangers;
mod waits;
mod wild;

pub use divergence::Divergence;
pub(crate) use known::Known;
pub use owed::{Due, Over};
pub use pair::{OneStep, Pair, Step, steps};
pub use progress::{Progress, awaits_last};
pub use request::same_enabled;
use ripe::SpadLine;
pub use ripe::{Origin, Ripened};
use shared::Shared;
pub use shared::Touch;
use strangers::Strangers;

use std::collections::VecDeque;

use crate::{
    clause::Clause,
    model::{Register, Scratchpad, order::Judge},
    op::{Kind, LaneMask, Op, Shape},
};

use super::{
    figures::Unjudged,
    flight::Flights,
    log::{Beat, Done, Issue, Seen, Unknown, Unseen},
    mismatch::{Field, Mismatch, Site},
    promises::Promises,
};

const NO_OP: u32 = u32::MAX;

/// The judge of one case.
pub struct Scoreboard {
    shape: Shape,
    ops: Vec<Progress>,
    /// By operation: the index in `ops` that it has, or had.
    places: Vec<u32>,
    /// Indices in `ops` that no operation has, the most recently used one last.
    free: Vec<u32>,
    by_tag: [u32; 256],
    /// Whether an operation was accepted with each tag. What came before the log is over by then.
    known_tags: [bool; 256],
    /// By warp: whether all that came before the log is over, since completions keep the order.
    none_before: [bool; 8],
    /// By tag: the warp of an operation that a reset cut off, until another operation has the tag.
    cut: [Option<u8>; 256],
    /// Operations of each warp that have requests left to make, in issue order.
    sending: [VecDeque<usize>; 8],
    /// Operations of each warp that are not done, in issue order.
    running: [VecDeque<usize>; 8],
    scratchpad: Scratchpad,
    shared: Shared,
    known: Known,
    /// Compare-and-stores in flight, each in a line of its own.
    pairs: Vec<Pair>,
    /// The ids that operations which may do anything had last for an exclusive request, and may keep.
    wild_ids: u64,
    acted: u64,
    /// The last pairs that ended without a write.
    over: VecDeque<Pair>,
    /// The judge of PTX-SEM, if the case has operations to which the clause applies.
    judge: Option<Judge>,
    /// Releases with a part in the scratchpad that are not done, in the order in which they were accepted.
    fences: Vec<usize>,
    /// Scratchpad operations that lack data or are behind one that does, in order.
    spad_waiting: VecDeque<usize>,
    /// The first cycle in which the scratchpad can have performed all operations before them.
    spad_until: u64,
    /// By warp: its last operation for the scratchpad.
    spad_last: [Option<usize>; 8],
    /// Scratchpad operations that are not over, in order.
    spad_line: SpadLine,
    /// The log's clock.
    pub cycle: u64,
    /// Requests in flight.
    pub flights: Flights,
    strangers: Strangers,
    /// The number of operations accepted, and of those done.
    pub accepted: usize,
    pub done: usize,
    /// The cycle of the last completion.
    last_done: u64,
    /// The number of data beats taken, and of those that all accepted operations have; and the operations that lack
    /// some, each with the number of its last beat.
    data_taken: usize,
    data_wanted: usize,
    lacking: VecDeque<(usize, usize)>,
    /// The number of values compared, and counts of what could not be.
    pub comparisons: u64,
    pub unjudged: Unjudged,
    /// What the log does not show. The start counts as unseen only until a reset.
    unseen: Unseen,
    /// Whether nothing was issued since reset: whatever comes out is then left over (PORT-RESET).
    fresh: bool,
}

type Verdict<T = ()> = Result<T, Box<Divergence>>;

fn broken(
    clause: Clause,
    op: Option<usize>,
    field: Field,
    expected: &str,
    actual: impl Into<String>,
) -> Box<Divergence> {
    Mismatch::new(clause, op, field).values(expected, actual).into()
}

impl Scoreboard {
    /// A scoreboard before the first operation.
    pub fn new(shape: Shape) -> Self {
        Scoreboard {
            shape,
            ops: Vec::new(),
            places: Vec::new(),
            free: Vec::new(),
            by_tag: [NO_OP; 256],
            known_tags: [false; 256],
            none_before: [false; 8],
            cut: [None; 256],
            sending: Default::default(),
            running: Default::default(),
            scratchpad: Scratchpad::new(shape.shared_bytes),
            shared: Shared::default(),
            known: Known::new(shape.shared_bytes),
            pairs: Vec::new(),
            wild_ids: 0,
            acted: 0,
            over: VecDeque::new(),
            judge: None,
            fences: Vec::new(),
            spad_waiting: VecDeque::new(),
            spad_until: 0,
            spad_last: [None; 8],
            spad_line: SpadLine::default(),
            cycle: 0,
            flights: Flights::default(),
            strangers: Strangers::default(),
            accepted: 0,
            done: 0,
            last_done: 0,
            data_taken: 0,
            data_wanted: 0,
            lacking: VecDeque::new(),
            comparisons: 0,
            unjudged: Unjudged::default(),
            unseen: Unseen::default(),
            fresh: true,
        }
    }

    /// Drops everything in flight, as a reset does. The scratchpad keeps its contents, with or without the stores in
    /// flight.
    pub fn reset(&mut self, issues: &[Issue]) {
        for &index in self.running.iter().flatten() {
            self.known.cut_off(&issues[index].op, &self.ops[self.places[index] as usize].plan);
        }
        self.forget();
    }

    /// Forgets everything in flight.
    fn forget(&mut self) {
        self.fresh = true;
        self.unseen.start = false;
        self.judge.iter_mut().for_each(Judge::reset);
        self.cut = [None; 256];
        for &index in self.running.iter().flatten() {
            let Progress { tag, warp, .. } = *self.op(index);
            self.cut[usize::from(tag)] = Some(warp);
        }
        (self.by_tag, self.known_tags, self.none_before) = ([NO_OP; 256], [false; 256], [false; 8]);
        self.free.clear();
        self.free.extend((0..self.ops.len() as u32).rev());
        self.sending.iter_mut().chain(&mut self.running).for_each(VecDeque::clear);
        self.flights.clear();
        self.strangers.clear();
        self.pairs.clear();
        (self.acted, self.wild_ids) = (0, 0);
        self.over.clear();
        self.fences.clear();
        self.spad_waiting.clear();
        (self.spad_until, self.spad_last) = (0, [None; 8]);
        self.spad_line = SpadLine::default();
        self.unjudged.lost += (self.accepted - self.done) as u64;
        self.done = self.accepted;
        self.data_wanted = self.data_taken;
        self.lacking.clear();
    }

    /// Begins a log with nothing in flight. Operations and the clock count from 0. `issues` are all operations of the
    /// log, if they are known.
    pub fn restart(&mut self, issues: Option<&[Issue]>, unseen: Unseen, promises: &Promises) {
        // PTX-SEM needs the requests one by one.
        let ordered = promises.keeps(Clause::PtxSem) && !promises.loose();
        let orders = |issues: &[Issue]| issues.iter().any(|issue| issue.op.rule().ordered());
        let ordered = ordered && issues.is_none_or(orders);
        self.judge = ordered.then(|| self.judge.take().unwrap_or_default());
        let fresh = self.fresh;
        self.forget();
        (self.fresh, self.cut, self.unseen) = (fresh, [None; 256], unseen);
        self.places.clear();
        (self.cycle, self.last_done, self.comparisons, self.unjudged) = (0, 0, 0, Unjudged::default());
        (self.accepted, self.done, self.data_taken, self.data_wanted) = (0, 0, 0, 0);
    }

    /// The progress of an operation, from its acceptance until another operation has its place.
    pub fn op(&self, index: usize) -> &Progress {
        &self.ops[self.places[index] as usize]
    }

    fn op_mut(&mut self, index: usize) -> &mut Progress {
        &mut self.ops[self.places[index] as usize]
    }

    fn owner(&self, warp: u8, tag: u8) -> Option<usize> {
        let index = self.by_tag[usize::from(tag)];
        let index = (index != NO_OP).then_some(index as usize)?;
        let progress = self.op(index);
        (progress.accepted && progress.warp == warp).then_some(index)
    }

    /// Whether these bits of a beat may be unknown: they load from scratchpad bytes that have no value, or extend such a
    /// byte (SPA5-EXT).
    pub fn may_be_unknown(&self, issues: &[Issue], unknown: &Unknown) -> bool {
        let register = usize::from(unknown.register);
        self.owner(unknown.warp, unknown.tag).is_some_and(|index| {
            let (progress, op) = (self.op(index), &issues[index].op);
            let size = 8 * u32::from(op.element_bytes);
            let above = u32::MAX.checked_shl(size).unwrap_or(0);
            let extends = |bits: u32| op.sign_extend && bits >> (size - 1) & 1 == 1;
            unknown.bits.iter().all(|&(lane, bits)| {
                progress.known_bits(lane, register) & bits == 0 && (bits & above == 0 || extends(bits))
            })
        })
    }

    /// The verdict on an event whose operation is not in flight: wrong, unless the operation is from before the log.
    fn unowned(&mut self, clause: Clause, what: Field, warp: u8, tag: u8) -> Verdict {
        self.not_owned(clause, what, warp, tag)?;
        self.unjudged.strangers += 1;
        Ok(())
    }

    fn not_owned(&self, clause: Clause, what: Field, warp: u8, tag: u8) -> Verdict {
        if self.unseen.start && !self.known_tags[usize::from(tag)] && !self.none_before[usize::from(warp & 7)] {
            return Ok(());
        }
        let old = self.fresh || self.cut[usize::from(tag)] == Some(warp);
        let clause = if old { Clause::PortReset } else { clause };
        Err(broken(
            clause,
            None,
            what,
            "an operation that was taken in a cycle before, and is in flight",
            format!("warp {warp}, tag {tag:#04x}"),
        ))
    }

    /// Whether the log shows everything that may hold something up.
    pub fn sees_all(&self) -> bool {
        self.unseen == Unseen { end: self.unseen.end, offers: self.unseen.offers, ..Unseen::default() }
    }

    /// Since when an operation is the only one that is not over, with all of its requests made and answered.
    #[cold]
    pub fn alone_since(&self, index: usize) -> Option<u64> {
        let progress = self.op(index);
        let asked = progress.wild.is_none() && progress.sent == progress.plan.requests.len() && self.flights.is_empty();
        let alone = self.accepted - self.done == 1 && asked && self.pairs.is_empty();
        alone.then(|| self.last_done.max(progress.taken).max(progress.last_answered).max(progress.last_finished))
    }

    /// What the log does not show.
    pub fn unseen(&self) -> Unseen {
        self.unseen
    }

    /// A word of the scratchpad, as the operations that were accepted leave it.
    pub fn held(&self, offset: u64) -> u32 {
        self.scratchpad.word(offset)
    }

    /// The last compare-and-stores on a word of the scratchpad, if nothing else has written it since.
    pub fn touches(&self, offset: u64) -> &[Touch] {
        self.shared.touches(offset)
    }

    /// The last compare-and-store on a word of the scratchpad.
    pub fn touch(&self, offset: u64) -> Option<&Touch> {
        self.shared.touches(offset).last()
    }

    /// The parameters of the unit.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// The cycle from which on no lane can still act on an answered line.
    pub fn acted(&self) -> u64 {
        self.acted
    }

    /// Compare-and-stores in flight.
    pub fn pairs(&self) -> &[Pair] {
        &self.pairs
    }

    /// Whether some warp's next request goes to a line.
    pub fn waits_for(&self, line: u64) -> bool {
        let mut next = self.sending.iter().filter_map(|ops| ops.front()).map(|&index| self.op(index));
        next.any(|progress| progress.plan.requests.get(progress.sent).is_some_and(|request| request.line == line))
    }

    /// The number of warps with an operation that is not done.
    pub fn warps(&self) -> usize {
        self.running.iter().filter(|ops| !ops.is_empty()).count()
    }
}

/// Whether the operation writes registers back.
pub fn is_load(op: &Op) -> bool {
    op.kind == Kind::Load as u8
}

/// The positions of the set bits, ascending.
struct SetBits(u64);

impl Iterator for SetBits {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        let place = self.0.trailing_zeros() as usize;
        self.0 &= self.0.wrapping_sub(1);
        (place < 64).then_some(place)
    }
}

fn set(register: &mut Register, lanes: LaneMask, value: u32) {
    if !lanes.is_empty() {
        for (lane, word) in register.iter_mut().enumerate() {
            let keep = u32::from(lanes.contains(lane)).wrapping_sub(1);
            *word = *word & keep | value & !keep;
        }
    }
}
