// SPDX-License-Identifier: MIT OR Apache-2.0
//! Judges what the unit does, event by event: the model says what each operation asks for and gets, the PORT clauses
//! say what may happen when.
//!
//! Between operations no order is predicted. When the environment applies a request, the model's own request is
//! applied to the reference memory, and a load expects what the model extracts from it at that moment.

mod answer;
mod complete;
mod order;
mod pair;
mod request;
mod shared;
mod wild;

pub use pair::{Pair, Step};
use shared::Shared;
pub use shared::Touch;

use std::collections::VecDeque;

use crate::{
    clause::Clause,
    isa::Isa,
    model::{self, Plan, Register, Scratchpad, order::Judge},
    op::{Fault, MAX_LANES, MAX_REGISTERS, Op, Range, Shape},
};

use super::{
    case::{Case, Issue},
    mismatch::Mismatch,
};

/// Operations from the oldest that is not done to the youngest that is planned. Warps overtake each other, so the
/// oldest may wait for long; the bench then offers no more.
pub const WINDOW: usize = 64;
const NO_OP: u32 = u32::MAX;

/// One operation on its way.
#[derive(Clone)]
pub struct Progress {
    /// Which of the case's operations; stale entries belong to none.
    pub index: usize,
    pub plan: Plan,
    pub warp: u8,
    pub tag: u8,
    /// Values that the lanes' registers get, by index in the operation.
    pub registers: Vec<Register>,
    /// Lanes whose value is settled and may be written back, by register.
    settled: [u32; MAX_REGISTERS],
    /// Lanes that were written back, by register.
    delivered: [u32; MAX_REGISTERS],
    /// Requests made, first answers to them, and last ones.
    sent: usize,
    answered: usize,
    finished: usize,
    /// Bank cycles that its scratchpad part takes (PORT-BANK).
    pub bank_cycles: u32,
    /// Its last data beat was taken.
    has_data: bool,
    /// The first cycle in which its part in the scratchpad can be over; none before all of it is there (PORT-BANK).
    spad_until: u64,
    /// The operation of its warp that was in the scratchpad last before it.
    spad_before: Option<usize>,
    attr: [u32; 3],
    accepted: bool,
    done: bool,
    /// Values that a load may find in the scratchpad where lanes may come in any order: lane, register, values.
    choices: Vec<(usize, usize, Vec<u32>)>,
    /// The scratchpad was undefined when it went there.
    any_shared: bool,
    /// The u# that it makes undefined: what it does there is its own affair.
    wild: Option<Range>,
}

/// A write-back beat as the unit's pins show it.
#[derive(Clone, Debug, PartialEq)]
pub struct Beat {
    pub warp: u8,
    pub tag: u8,
    pub register: u8,
    pub mask: u32,
    pub data: [u32; MAX_LANES],
}

/// A completion as the unit's pins show it.
#[derive(Clone, Debug, PartialEq)]
pub struct Done {
    pub warp: u8,
    pub tag: u8,
    pub faults: [u8; MAX_LANES],
}

/// The judge of one case.
pub struct Scoreboard {
    shape: Shape,
    ops: Vec<Progress>,
    by_tag: [u32; 256],
    next_tag: u8,
    /// Operations of each warp whose requests are not all made, in issue order.
    sending: [VecDeque<usize>; 8],
    /// Operations of each warp that are not done, in issue order.
    running: [VecDeque<usize>; 8],
    scratchpad: Scratchpad,
    shared: Shared,
    /// Compare-and-stores on their way, each in a line of its own.
    pairs: Vec<Pair>,
    /// The last that were over without a write.
    over: VecDeque<Pair>,
    /// Where the sources leave a choice the unit may choose otherwise than this project's does.
    pub allowed_sets: bool,
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
    /// The bench's clock.
    pub cycle: u64,
    /// Operations planned, accepted, done.
    pub planned: usize,
    pub accepted: usize,
    pub done: usize,
    /// The first that is not done.
    oldest: usize,
    /// Values compared.
    pub comparisons: u64,
    /// Nothing was issued since reset: what comes out now is left over (PORT-RESET).
    fresh: bool,
}

type Verdict<T = ()> = Result<T, Box<Mismatch>>;

fn broken(clause: Clause, op: Option<usize>, field: &str, expected: &str, actual: impl Into<String>) -> Box<Mismatch> {
    Box::new(Mismatch::new(clause, op, field).values(expected, actual))
}

impl Scoreboard {
    /// Before the first operation.
    pub fn new(shape: Shape) -> Self {
        let progress = Progress {
            index: usize::MAX,
            plan: Plan::default(),
            warp: 0,
            tag: 0,
            registers: vec![[0; MAX_LANES]; MAX_REGISTERS],
            settled: [0; MAX_REGISTERS],
            delivered: [0; MAX_REGISTERS],
            sent: 0,
            answered: 0,
            finished: 0,
            bank_cycles: 0,
            has_data: false,
            spad_until: 0,
            spad_before: None,
            attr: [0; 3],
            accepted: false,
            done: false,
            choices: Vec::new(),
            any_shared: false,
            wild: None,
        };
        Scoreboard {
            shape,
            ops: vec![progress; WINDOW],
            by_tag: [NO_OP; 256],
            next_tag: 0,
            sending: Default::default(),
            running: Default::default(),
            scratchpad: Scratchpad::new(shape.shared_bytes),
            shared: Shared::default(),
            pairs: Vec::new(),
            over: VecDeque::new(),
            allowed_sets: false,
            judge: None,
            fences: Vec::new(),
            spad_waiting: VecDeque::new(),
            spad_until: 0,
            spad_last: [None; 8],
            cycle: 0,
            planned: 0,
            accepted: 0,
            done: 0,
            oldest: 0,
            comparisons: 0,
            fresh: true,
        }
    }

    /// As after reset. The scratchpad keeps what it held; a case begins by storing to all of it that is allocated.
    pub fn reset(&mut self, case: &Case) {
        let ordered = case.issues.iter().any(|issue| issue.isa() == Isa::Ptx);
        self.judge = ordered.then(|| self.judge.take().unwrap_or_default());
        self.ops.iter_mut().for_each(|progress| progress.accepted = false);
        self.by_tag = [NO_OP; 256];
        self.next_tag = 0;
        self.sending.iter_mut().chain(&mut self.running).for_each(VecDeque::clear);
        (self.comparisons, self.fresh) = (0, true);
        self.restart();
    }

    /// All operations are done: the next ones count from 0, and so does the clock.
    pub fn restart(&mut self) {
        self.judge.iter_mut().for_each(Judge::reset);
        self.shared.clear();
        self.pairs.clear();
        self.over.clear();
        self.fences.clear();
        self.spad_waiting.clear();
        (self.cycle, self.spad_until, self.spad_last) = (0, 0, [None; 8]);
        (self.planned, self.accepted, self.done, self.oldest) = (0, 0, 0, 0);
    }

    /// The operation's progress; it was planned and is not yet past the window.
    pub fn op(&self, index: usize) -> &Progress {
        &self.ops[index % WINDOW]
    }

    fn op_mut(&mut self, index: usize) -> &mut Progress {
        &mut self.ops[index % WINDOW]
    }

    /// The model's answer to the next operation, before it or its data is offered. Gives no more than fit the window.
    pub fn plan_next(&mut self, case: &Case, issue: &Issue) -> bool {
        if self.planned - self.oldest >= WINDOW || self.by_tag[usize::from(self.next_tag)] != NO_OP {
            return false;
        }
        let (index, tag, shape) = (self.planned, self.next_tag, self.shape);
        let progress = &mut self.ops[index % WINDOW];
        model::plan(&shape, &case.ctrl, &issue.op, &issue.lanes, &issue.data, &mut progress.plan);
        progress.index = index;
        progress.warp = issue.op.warp & 7;
        progress.tag = tag;
        progress.settled = [0; MAX_REGISTERS];
        progress.delivered = [0; MAX_REGISTERS];
        (progress.sent, progress.answered, progress.finished, progress.bank_cycles) = (0, 0, 0, 0);
        (progress.accepted, progress.done) = (false, false);
        (progress.wild, progress.any_shared) = (None, false);
        progress.choices.clear();
        (progress.has_data, progress.spad_until, progress.spad_before) = (false, 0, None);
        progress.attr = issue.op.attr.to_words();
        self.by_tag[usize::from(tag)] = index as u32;
        self.next_tag = self.next_tag.wrapping_add(1);
        self.planned += 1;
        true
    }

    /// Data beats that an operation takes.
    pub fn beats(&self, index: usize, op: &Op) -> usize {
        if self.op(index).plan.legal { op.data_beats() as usize } else { 0 }
    }

    /// The unit took the next operation: its part in the scratchpad is made now, in this order (PORT-SPAD).
    pub fn op_accepted(&mut self, case: &Case, issue: &Issue) {
        let index = self.accepted;
        self.accepted += 1;
        self.fresh = false;
        let shape = self.shape;
        let warp = usize::from(issue.op.warp & 7);
        let progress = &mut self.ops[index % WINDOW];
        progress.accepted = true;
        let plan = &progress.plan;
        if plan.shared != 0 {
            self.shared.before(issue, plan, &self.scratchpad, self.allowed_sets);
            progress.bank_cycles =
                self.scratchpad.access(&shape, &issue.op, plan, &issue.data, &mut progress.registers);
            self.shared.after(&issue.op, plan, &mut self.scratchpad);
        }
        if is_load(&issue.op) && plan.legal {
            if plan.shared != 0 {
                Bits(issue.op.registers()).for_each(|register| progress.settled[register] = plan.shared);
            }
            // What no memory answers is settled from the start.
            for filled in &plan.filled {
                let register = usize::from(filled.index);
                progress.settled[register] |= filled.lanes;
                set(&mut progress.registers[register], filled.lanes, filled.value);
            }
        }
        if !plan.requests.is_empty() {
            self.sending[warp].push_back(index);
        }
        self.running[warp].push_back(index);
        if self.allowed_sets {
            self.note_choices(index, &issue.op);
            self.note_undefined(case, index, issue);
        }
        if self.op(index).wild.is_none() {
            self.order_accepted(index, issue);
        }
    }

    fn owner(&self, warp: u8, tag: u8) -> Option<usize> {
        let index = self.by_tag[usize::from(tag)];
        let index = (index != NO_OP).then_some(index as usize)?;
        let progress = self.op(index);
        (progress.accepted && progress.warp == warp).then_some(index)
    }

    fn unowned(&self, clause: Clause, what: &str, warp: u8, tag: u8) -> Box<Mismatch> {
        let clause = if self.fresh { Clause::PortReset } else { clause };
        broken(clause, None, what, "an operation in flight", format!("warp {warp}, tag {tag:#04x}"))
    }

    /// The last compare-and-store on a word of the scratchpad.
    pub fn touch(&self, offset: u64) -> Option<&Touch> {
        self.shared.touches(offset).last()
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

    /// Whether the oldest operation of the scratchpad or memory waits for the environment, for the hang report.
    pub fn oldest_running(&self) -> Option<usize> {
        self.running.iter().filter_map(|ops| ops.front().copied()).min()
    }

    /// Registers of an operation that has been answered but not wholly written back, for the hang report.
    pub fn describe(&self, index: usize, issue: &Issue) -> String {
        let progress = self.op(index);
        let delivered: u32 = progress.delivered.iter().map(|lanes| lanes.count_ones()).sum();
        let owed = progress.owed(&issue.op);
        let owed: u32 = Bits(owed.0).map(|_| owed.1.count_ones()).sum();
        format!(
            "{} of {} requests made, {} answered, {delivered} of {owed} registers written back",
            progress.sent,
            progress.plan.requests.len(),
            progress.answered
        )
    }
}

impl Progress {
    /// What the model wants at the done port.
    pub fn faults(&self) -> &[Fault; MAX_LANES] {
        &self.plan.faults
    }

    /// Lanes of a register that were written back.
    pub fn delivered(&self, register: usize) -> u32 {
        self.delivered[register]
    }

    /// The registers that the operation writes back, and the lanes: all that execute, whether memory, the scratchpad or
    /// nobody knows the value (PORT-WB).
    pub fn owed(&self, op: &Op) -> (u64, u32) {
        if is_load(op) && self.plan.legal { (op.registers(), self.plan.active) } else { (0, 0) }
    }

    /// The packed attributes.
    pub fn attr(&self) -> &[u32; 3] {
        &self.attr
    }

    /// The u# that it makes undefined, where a unit may choose what becomes of it.
    pub fn wild(&self) -> Option<Range> {
        self.wild
    }

    /// Requests made so far.
    pub fn sent(&self) -> usize {
        self.sent
    }
}

/// Whether the operation writes registers back.
pub fn is_load(op: &Op) -> bool {
    op.kind == crate::op::Kind::Load as u8
}

/// The places of the bits that are set, ascending.
struct Bits(u64);

impl Iterator for Bits {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        let place = self.0.trailing_zeros() as usize;
        self.0 &= self.0.wrapping_sub(1);
        (place < 64).then_some(place)
    }
}

fn set(register: &mut Register, lanes: u32, value: u32) {
    if lanes != 0 {
        for (lane, word) in register.iter_mut().enumerate() {
            let keep = (lanes >> lane & 1).wrapping_sub(1);
            *word = *word & keep | value & !keep;
        }
    }
}

/// What a lane's access comes from, for messages.
pub fn lane_inputs(issue: &Issue, lane: usize) -> String {
    let [low, high, third] = issue.lanes.addr[lane];
    if issue.op.kind == crate::op::Kind::CmpStore as u8 {
        let [compare, new] = [0, 1].map(|beat| issue.data.get(beat).map_or(0, |register| register[lane]));
        return format!("address {low:#x}, {high:#x}, {third:#x}, compare {compare:#x}, new {new:#x}");
    }
    match (issue.op.is_burst(), issue.op.use_index) {
        (false, _) => format!("address words {low:#010x} {high:#010x}"),
        (_, true) => format!("index {low:#x}"),
        (_, false) => "no index".to_owned(),
    }
}
