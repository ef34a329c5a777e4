// SPDX-License-Identifier: MIT OR Apache-2.0
//! Follows what the unit does, event by event: the model says what each operation asks for and gets, the PORT clauses
//! say what may happen when.
//!
//! Between operations no order is predicted. A load expects what the model extracts from the line that memory answered.
//! What does not agree leaves as a [`Divergence`]; which rule it breaks is for others to say.

mod answer;
mod complete;
mod divergence;
mod known;
mod loose;
mod offered;
mod order;
mod owed;
mod pair;
mod progress;
mod request;
mod ripe;
mod shared;
mod waits;
mod wild;

pub use divergence::Divergence;
pub(crate) use known::Known;
pub use owed::Due;
pub use pair::{OneStep, Pair, Step, steps};
pub use progress::{Progress, awaits_last};
pub use request::same_enabled;
use ripe::SpadLine;
pub use ripe::{Origin, Ripened};
use shared::Shared;
pub use shared::Touch;

use std::collections::VecDeque;

use crate::{
    clause::Clause,
    model::{Register, Scratchpad, order::Judge},
    op::{ADDR_WIDTH, Kind, LaneMask, Op, Range, Shape},
};

use super::{
    contract::Contract,
    figures::Unjudged,
    flight::Flights,
    log::{Beat, Done, Issue, Seen, Unseen},
    mismatch::{Field, Mismatch, Site},
    promises::Promises,
};

const NO_OP: u32 = u32::MAX;

/// The judge of one case.
pub struct Scoreboard {
    shape: Shape,
    ops: Vec<Progress>,
    /// By operation: its place in `ops`, or the one that it had.
    places: Vec<u32>,
    /// Places that no operation has, the last used last.
    free: Vec<u32>,
    by_tag: [u32; 256],
    /// By tag: the warp of an operation that a reset cut off, until another has the tag.
    cut: [Option<u8>; 256],
    /// Operations of each warp whose requests are not all made, in issue order.
    sending: [VecDeque<usize>; 8],
    /// Operations of each warp that are not done, in issue order.
    running: [VecDeque<usize>; 8],
    scratchpad: Scratchpad,
    shared: Shared,
    known: Known,
    /// Compare-and-stores on their way, each in a line of its own.
    pairs: Vec<Pair>,
    acted: u64,
    /// The last that were over without a write.
    over: VecDeque<Pair>,
    /// PTX-SEM, if the case has operations that it acts on.
    judge: Option<Judge>,
    /// Releases with a part in the scratchpad that are not done, in the order of the op port.
    fences: Vec<usize>,
    /// Operations for the scratchpad that are not all there, or behind such, in order.
    spad_waiting: VecDeque<usize>,
    /// The first cycle in which the scratchpad can have made all before them.
    spad_until: u64,
    /// The operation of each warp that was there last.
    spad_last: [Option<usize>; 8],
    /// Operations for the scratchpad that are not over, in order.
    spad_line: SpadLine,
    /// The log's clock.
    pub cycle: u64,
    /// Requests in flight.
    pub flights: Flights,
    /// Operations accepted, done.
    pub accepted: usize,
    pub done: usize,
    /// Data beats taken, those that all operations so far have, and the operations that lack some: up to which beat.
    data_taken: usize,
    data_wanted: usize,
    lacking: VecDeque<(usize, usize)>,
    /// Values compared, and what could not be.
    pub comparisons: u64,
    pub unjudged: Unjudged,
    /// What the log does not show; its start only until a reset.
    unseen: Unseen,
    /// Nothing was issued since reset: whatever comes out now is left over (PORT-RESET).
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
    /// Before the first operation.
    pub fn new(shape: Shape) -> Self {
        Scoreboard {
            shape,
            ops: Vec::new(),
            places: Vec::new(),
            free: Vec::new(),
            by_tag: [NO_OP; 256],
            cut: [None; 256],
            sending: Default::default(),
            running: Default::default(),
            scratchpad: Scratchpad::new(shape.shared_bytes),
            shared: Shared::default(),
            known: Known::new(shape.shared_bytes),
            pairs: Vec::new(),
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
            accepted: 0,
            done: 0,
            data_taken: 0,
            data_wanted: 0,
            lacking: VecDeque::new(),
            comparisons: 0,
            unjudged: Unjudged::default(),
            unseen: Unseen::default(),
            fresh: true,
        }
    }

    /// As after reset: what was in flight is gone. The scratchpad keeps what it held, and may have what was in flight, or
    /// not.
    pub fn reset(&mut self, issues: &[Issue]) {
        for &index in self.running.iter().flatten() {
            self.known.cut_off(&issues[index].op, &self.ops[self.places[index] as usize].plan);
        }
        self.forget();
    }

    /// Whatever is in flight is none of it any more.
    fn forget(&mut self) {
        self.fresh = true;
        self.unseen.start = false;
        self.judge.iter_mut().for_each(Judge::reset);
        self.cut = [None; 256];
        for &index in self.running.iter().flatten() {
            let Progress { tag, warp, .. } = *self.op(index);
            self.cut[usize::from(tag)] = Some(warp);
        }
        self.by_tag = [NO_OP; 256];
        self.free.clear();
        self.free.extend((0..self.ops.len() as u32).rev());
        self.sending.iter_mut().chain(&mut self.running).for_each(VecDeque::clear);
        self.flights.clear();
        self.pairs.clear();
        self.acted = 0;
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

    /// A log begins, with nothing in flight: operations count from 0, and so does the clock.
    pub fn restart(&mut self, issues: &[Issue], unseen: Unseen, promises: &Promises) {
        // PTX-SEM follows the requests one by one.
        let ordered = promises.keeps(Clause::PtxSem) && !promises.loose();
        let ordered = ordered && issues.iter().any(|issue| issue.op.rule().ordered());
        self.judge = ordered.then(|| self.judge.take().unwrap_or_default());
        let fresh = self.fresh;
        self.forget();
        // A case begins by storing to all of the scratchpad that is allocated.
        self.shared.clear();
        (self.fresh, self.cut, self.unseen) = (fresh, [None; 256], unseen);
        self.places.clear();
        (self.cycle, self.comparisons, self.unjudged) = (0, 0, Unjudged::default());
        (self.accepted, self.done, self.data_taken, self.data_wanted) = (0, 0, 0, 0);
    }

    /// The operation's progress, from its acceptance until another operation has its place.
    pub fn op(&self, index: usize) -> &Progress {
        &self.ops[self.places[index] as usize]
    }

    fn op_mut(&mut self, index: usize) -> &mut Progress {
        &mut self.ops[self.places[index] as usize]
    }

    /// The unit took the next operation: its part in the scratchpad is made now, in this order (PORT-SPAD).
    pub fn op_accepted(&mut self, contract: &Contract, issue: &Issue) -> Verdict {
        let index = self.accepted;
        if self.by_tag[usize::from(issue.op.tag)] != NO_OP {
            let found = format!("tag {:#04x}, which is in flight", issue.op.tag);
            return Err(broken(
                Clause::PortOp,
                Some(index),
                Field::signal(Site::Op, "tag (environment)"),
                "a tag that is not in flight",
                found,
            ));
        }
        if usize::from(issue.op.warp) >= self.shape.warps {
            let found = format!("warp {}", issue.op.warp);
            let expected = format!("a warp below {}", self.shape.warps);
            let field = Field::signal(Site::Op, "warp (environment)");
            return Err(broken(Clause::PortOp, Some(index), field, &expected, found));
        }
        let place = self.free.pop().unwrap_or_else(|| {
            self.ops.push(Progress::none());
            self.ops.len() as u32 - 1
        });
        self.places.push(place);
        self.by_tag[usize::from(issue.op.tag)] = index as u32;
        self.cut[usize::from(issue.op.tag)] = None;
        self.accepted += 1;
        self.fresh = false;
        let (shape, cycle) = (self.shape, self.cycle);
        let warp = usize::from(issue.op.warp & 7);
        let progress = &mut self.ops[place as usize];
        progress.begin(contract, index, issue, cycle);
        let dataless = !issue.data.is_empty() && (self.unseen.start || self.unseen.data);
        progress.dataless = dataless;
        if dataless {
            self.unjudged.dataless += 1;
        } else {
            self.data_wanted += issue.data.len();
        }
        // One without data waits for nobody's.
        progress.has_data = dataless || issue.data.is_empty() || self.data_taken >= self.data_wanted;
        progress.data_until = self.data_wanted;
        if !progress.has_data {
            self.lacking.push_back((index, self.data_wanted));
        }
        let plan = &progress.plan;
        progress.uninitialized = self.known.access(&issue.op, plan, dataless);
        if !plan.shared.is_empty() {
            self.shared.before(issue, plan, &self.scratchpad, contract.promises.any_lane_order());
            progress.bank_cycles =
                self.scratchpad.access(&shape, &issue.op, plan, &issue.data, &mut progress.registers);
            self.shared.after(&issue.op, plan, &mut self.scratchpad);
            self.spad_line.push(index);
        }
        if is_load(&issue.op) && plan.legal {
            if !plan.shared.is_empty() {
                SetBits(issue.op.registers()).for_each(|register| progress.settled[register] = plan.shared);
            }
            // What no memory answers is settled from the start.
            for filled in &plan.filled {
                let register = usize::from(filled.index);
                progress.from_nobody.settle(&mut progress.settled[register], filled.lanes, cycle);
                set(&mut progress.registers[register], filled.lanes, filled.value);
            }
        }
        if !plan.requests.is_empty() {
            self.sending[warp].push_back(index);
        }
        self.running[warp].push_back(index);
        if contract.promises.any_lane_order() {
            self.note_choices(index, &issue.op);
            self.note_undefined(contract, index, issue);
        }
        if dataless && issue.op.kind == Kind::CmpStore as u8 {
            self.set_wild(index, Range { base: 0, size: 1 << ADDR_WIDTH });
        }
        if self.op(index).wild.is_none() {
            self.order_accepted(index, issue);
        }
        Ok(())
    }

    /// The unit took a data beat.
    pub fn data_taken(&mut self) {
        self.data_taken += 1;
        while let Some((index, _)) = self.lacking.front().copied().filter(|&(_, beats)| beats <= self.data_taken) {
            self.lacking.pop_front();
            let cycle = self.cycle;
            let progress = self.op_mut(index);
            // An operation may be done without its data, and its place another's.
            if progress.index == index && !progress.done {
                (progress.has_data, progress.last_data) = (true, cycle);
                self.order_spad();
            }
        }
    }

    fn owner(&self, warp: u8, tag: u8) -> Option<usize> {
        let index = self.by_tag[usize::from(tag)];
        let index = (index != NO_OP).then_some(index as usize)?;
        let progress = self.op(index);
        (progress.accepted && progress.warp == warp).then_some(index)
    }

    /// Whether what lanes of a beat are given may be unknown: they load from bytes of the scratchpad that have no value.
    pub fn may_be_unknown(&self, warp: u8, tag: u8, lanes: LaneMask) -> bool {
        self.owner(warp, tag).is_some_and(|index| (lanes - self.op(index).uninitialized).is_empty())
    }

    /// Something of an operation that is not in flight, unless it is one from before the log.
    fn unowned(&mut self, clause: Clause, what: Field, warp: u8, tag: u8) -> Verdict {
        self.unjudged.strangers += u64::from(self.unseen.start);
        self.not_owned(clause, what, warp, tag)
    }

    fn not_owned(&self, clause: Clause, what: Field, warp: u8, tag: u8) -> Verdict {
        if self.unseen.start {
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

    /// Whether all that may hold something up is in the log.
    pub fn sees_all(&self) -> bool {
        self.unseen == Unseen { end: self.unseen.end, offers: self.unseen.offers, ..Unseen::default() }
    }

    /// What is not in the log.
    pub fn unseen(&self) -> Unseen {
        self.unseen
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

    /// The cycle from which no line that was answered can still have lanes to act on it.
    pub fn acted(&self) -> u64 {
        self.acted
    }

    /// Compare-and-stores on their way.
    pub fn pairs(&self) -> &[Pair] {
        &self.pairs
    }

    /// Whether an operation's next request goes to a line.
    pub fn waits_for(&self, line: u64) -> bool {
        let mut next = self.sending.iter().filter_map(|ops| ops.front()).map(|&index| self.op(index));
        next.any(|progress| progress.plan.requests.get(progress.sent).is_some_and(|request| request.line == line))
    }

    /// Warps with an operation that is not done.
    pub fn warps(&self) -> usize {
        self.running.iter().filter(|ops| !ops.is_empty()).count()
    }
}

/// Whether the operation writes registers back.
pub fn is_load(op: &Op) -> bool {
    op.kind == Kind::Load as u8
}

/// The places of the bits that are set, ascending.
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
