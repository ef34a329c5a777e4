// SPDX-License-Identifier: MIT OR Apache-2.0
//! Executes instructions on the model, one after the other, and records what each of them does to each lane.

use std::{cmp::Reverse, ops::Range};

use super::explanation::{Change, Explanation, Hex, Lane, Pair, Request, Write};
use crate::{
    clause::Clause,
    model::{self, Fate, Place, Plan},
    op::{BufferSlot, Fault, Kind, LaneMask, MAX_LANES, Op, ReqKind, Semantics, Shape, Space},
    program::{Executed, Program, Session, Step},
    sets::{Isa, Lowered, Pasts},
};

/// A program in execution.
pub struct Machine<'a> {
    program: &'a Program,
    shape: Shape,
    /// The lanes to report.
    shown: Range<usize>,
    session: Session<'a>,
    pasts: Pasts,
    /// Number of steps executed so far.
    steps: usize,
}

/// An executed step, as the notes of an instruction set see it.
pub(crate) struct Told<'a> {
    pub program: &'a Program,
    pub shape: &'a Shape,
    /// Number of the step in the program.
    pub number: usize,
    pub step: &'a Step,
    /// The loop index that was added to relative GPR numbers.
    pub loop_index: u32,
    pub executed: &'a Executed,
}

impl<'a> Machine<'a> {
    /// Prepares a program on a unit of this shape. If `lane` is given, it is the only lane reported.
    pub fn new(program: &'a Program, shape: Shape, lane: Option<usize>) -> Self {
        let shown = lane.map_or(0..shape.lanes, |lane| lane..lane + 1);
        Machine { program, shape, shown, session: Session::new(program, shape), pasts: Pasts::default(), steps: 0 }
    }

    /// Executes one instruction.
    pub fn play(&mut self, step: &Step) -> Explanation {
        let (shape, ctrl, isa) = (self.shape, &self.program.ctrl, step.inst.isa());
        let before = self.registers(step);
        let executed = self.session.step(step);
        let Executed { op, lanes, plan, failed, bank_cycles, pairs, written, undefined, met_undefined, .. } = &executed;
        let after = self.registers(step);

        let explain = |lane: usize| {
            let model::Trace { ea, aligned, place, mut clauses, fault } = model::trace(&shape, ctrl, op, lanes, lane);
            let active = plan.active.contains(lane);
            let made = active && matches!(fault, Fault::None | Fault::Misaligned);
            clauses.extend(failed.contains(lane).then_some(Clause::ComBuserr));
            clauses.extend(meets_another(op, plan, lane).then_some(Clause::ComSameaddr));
            let burst = model::r700_trace(&shape, ctrl, op, lanes, lane);
            let moved = burst.as_ref().map(|burst| burst.dwords.iter().filter(|d| d.fate == Fate::Moved).count());
            let (space, address) = match place {
                Place::Nowhere => (None, None),
                Place::Global(addr) => (Some("global"), Some(Hex(addr))),
                Place::Local { addr, .. } => (Some("local"), Some(Hex(addr))),
                Place::Shared(offset) => (Some("shared"), Some(Hex(offset))),
                Place::Param { addr, .. } => (Some("param"), Some(Hex(addr))),
                Place::Cluster { addr, .. } => (Some("cluster"), Some(Hex(addr))),
                Place::Uav { addr, .. } => (Some("uav"), Some(Hex(addr))),
                Place::Tgsm { addr, .. } => (Some("tgsm"), Some(Hex(addr))),
                Place::Buffer { slot, .. } => (Some(BufferSlot::name(slot)), Some(Hex(ea))),
            };
            let registers = before.iter().zip(&after).map(|((name, before), (_, after))| Change {
                name: name.clone(),
                before: Hex(before[lane]),
                after: Hex(after[lane]),
            });
            Lane {
                lane,
                active,
                ea: active.then_some(Hex(ea)),
                aligned: active.then_some(Hex(aligned)),
                space,
                address,
                bytes: match moved {
                    Some(moved) => 4 * moved as u32,
                    None if made => u32::from(op.element_bytes) * op.element_mask.count_ones(),
                    None => 0,
                },
                fault: plan.faults[lane],
                burst: burst.and_then(|trace| isa.burst(&trace, &step.lowered)),
                registers: registers.collect(),
                pair: pairs[lane].map(|pair| Pair {
                    held: Hex(pair.held),
                    compare: Hex(pair.compare),
                    new: Hex(pair.new),
                    stored: pair.matched(),
                    undefined: met_undefined.contains(lane),
                }),
                offset: match place {
                    Place::Uav { offset, .. } | Place::Tgsm { offset, .. } => Some(Hex(offset)),
                    _ => None,
                },
                clauses,
                place,
                indices: lanes.addr[lane],
                failed: model::sm5_trace(&shape, ctrl, op, lanes, lane)
                    .and_then(|trace| trace.tests.last().filter(|test| !test.passed).map(|test| test.of)),
            }
        };
        let mut explanation = Explanation {
            line: None,
            warp: None,
            text: step.inst.to_string(),
            word: if isa.wordless().is_some() { String::new() } else { step.inst.code() },
            array: isa.array(ctrl, op),
            notes: Vec::new(),
            lanes: self.shown.clone().map(explain).collect(),
            requests: plan
                .requests
                .iter()
                .filter(|request| self.shows(request.lanes))
                .map(|r| self.request(r, isa, &step.lowered))
                .collect(),
            writes: writes(op, written),
            undefined: undefined.map(|what| what.to_string()),
            bank_cycles: if self.shows(plan.shared) { *bank_cycles } else { 0 },
            clauses: Vec::new(),
        };
        let loop_index = self.session.warps[step.warp].loop_index;
        let told =
            Told { program: self.program, shape: &shape, number: self.steps, step, loop_index, executed: &executed };
        explanation.notes = step.inst.notes(&mut self.pasts, &told, &explanation);
        self.steps += 1;
        explanation.clauses = clauses(&explanation, step);
        explanation
    }

    /// The current values of the datum's registers.
    fn registers(&self, step: &Step) -> Vec<(String, [u32; MAX_LANES])> {
        let state = &self.session.warps[step.warp];
        let isa = step.inst.isa();
        step.lowered.sources().map(|(_, source)| (isa.source(source), state.source(source))).collect()
    }

    fn shows(&self, lanes: LaneMask) -> bool {
        lanes.iter().any(|lane| self.shown.contains(&lane))
    }

    fn request(&self, request: &model::Request, isa: Isa, lowered: &Lowered) -> Request {
        Request {
            line: Hex(request.line),
            byte_enable: Hex(request.byte_enable),
            lanes: request.lanes.iter().collect(),
            space: match request.space {
                Space::Local => "local",
                Space::Param => "param",
                Space::Cluster => "cluster",
                Space::Buffer => BufferSlot::name(lowered.op.slot),
                Space::Uav => "uav",
                _ => "global",
            },
            gpr: isa.gpr(lowered, request.group),
            error: self.session.fails(request.line),
        }
    }
}

/// The write-exclusives of a compare-and-store.
fn writes(op: &Op, written: &[(u64, u128)]) -> Vec<Write> {
    let pairs = written.iter().filter(|(_, byte_enable)| op.kind == Kind::CmpStore as u8 && *byte_enable != 0);
    pairs.map(|&(line, byte_enable)| Write { line: Hex(line), byte_enable: Hex(byte_enable) }).collect()
}

/// Whether another lane stores to the same bytes (COM-SAMEADDR). Aligned accesses share all of their bytes or none. The
/// writes of a burst may share some, within one group.
fn meets_another(op: &Op, plan: &Plan, lane: usize) -> bool {
    if op.is_burst() {
        return plan.requests.iter().filter(|request| request.kind == ReqKind::Write).any(|request| {
            let own = model::lane_bytes(op, plan, request, lane);
            (0..MAX_LANES).any(|other| other != lane && own & model::lane_bytes(op, plan, request, other) != 0)
        });
    }
    let with = [plan.memory, plan.shared].into_iter().find(|mask| mask.contains(lane)).unwrap_or_default();
    let meets = |other: usize| other != lane && plan.addr[other] == plan.addr[lane];
    op.kind == Kind::Store as u8 && with.iter().any(meets)
}

/// The clauses of the lanes and those of the whole operation.
fn clauses(explanation: &Explanation, step: &Step) -> Vec<Clause> {
    let op = &step.lowered.op;
    let Explanation { lanes, requests, notes, .. } = explanation;
    let merged = requests.iter().any(|request| request.lanes.len() > 1);
    let mut all: Vec<_> = lanes.iter().flat_map(|lane| lane.clauses.iter().copied()).collect();
    all.extend(notes.iter().map(|note| note.clause));
    let semantics = Semantics::from_code(op.attr.semantics);
    let mmio = matches!(semantics, Some(Semantics::Mmio | Semantics::MmioRelease));
    let of_set = step.inst.clauses(explanation, step);
    for (matters, clause) in of_set.into_iter().chain([
        (lanes.iter().any(|lane| lane.fault != Fault::None), Clause::ComFault),
        (op.attr.uncached && !requests.is_empty(), Clause::ComAttr),
        (op.kind == Kind::CmpStore as u8 && !requests.is_empty(), Clause::PortCas),
        (mmio && requests.len() > 1, Clause::PortOrder),
        ((merged || requests.len() > 1) && !mmio, Clause::PortGroup),
        (merged, Clause::PortMin),
        (explanation.bank_cycles > 0, Clause::PortBank),
    ]) {
        all.extend(matters.then_some(clause));
    }
    all.sort_by_key(|clause| (Reverse(clause.page()), *clause));
    all.dedup();
    all
}
