// SPDX-License-Identifier: MIT OR Apache-2.0
//! The coverage bins that a compare-and-store hits.

pub mod table;

use crate::{
    clause::Clause,
    judge::coverage::{self, Bins, Coverage, bucket, executing},
    judge::{
        contract::Contract,
        flight::Answered,
        log::{Issue, Seen},
        scoreboard::{Scoreboard, same_enabled},
    },
    model::{Plan, Tested, cas::second_half, sm5_trace},
    op::{AddrMode, Cache, Dimension, Fault, Kind, MAX_LANES, Op, Priority, Resource, Shape, Space},
};

impl Bins for super::Rule {
    const TABLE: &'static [(Clause, &'static [coverage::Dimension])] = table::TABLE;
    const STORES_ONLY: bool = true;

    fn is_unreachable(clause: Clause, shape: &Shape, at: &[usize]) -> bool {
        table::unreachable(clause, shape, at)
    }

    fn accepted(coverage: &mut Coverage, contract: &Contract, issue: &Issue, board: &Scoreboard, index: usize) {
        coverage.sm5(contract, issue, board, index);
    }

    fn requested(issue: &Issue, _: &Seen, kind: usize) -> [usize; 2] {
        [usize::from(issue.op.slot & 7), kind]
    }

    fn pair_answered(coverage: &mut Coverage, issues: &[Issue], board: &Scoreboard, answered: &Answered<'_>) {
        coverage.pair_answered(issues, board, answered);
    }

    fn done(coverage: &mut Coverage, contract: &Contract, issue: &Issue, plan: &Plan, _index: usize) {
        coverage.sm5_done(contract, issue, plan);
    }
}

impl Coverage {
    /// A compare-and-store was accepted.
    pub(crate) fn sm5(&mut self, contract: &Contract, issue: &Issue, board: &Scoreboard, index: usize) {
        let progress = board.op(index);
        let (op, plan) = (&issue.op, &progress.plan);
        if !plan.legal {
            self.hit(Clause::ComIllegal, &[illegal(op)]);
            return;
        }
        let (mask, lanes) = (self.shape.lane_mask(), self.shape.lanes);
        self.hit(Clause::ComInactive, &[executing(plan.active, mask)]);
        let helpers = issue.lanes.helper & issue.lanes.active & mask;
        if !helpers.is_empty() {
            let named = usize::from(!op.suppress_helpers);
            self.hit(Clause::Sm5Inactive, &[named, usize::from(helpers == issue.lanes.active & mask)]);
        }
        self.sm5_attributes(op);
        self.hit(Clause::Sm5Kind, &[kind(op)]);
        if !plan.memory.is_empty() {
            self.hit(Clause::PortGroup, &[bucket(plan.requests.len())]);
        }
        if !plan.shared.is_empty() {
            self.hit(Clause::PortSpad, &[usize::from(op.addr_mode == AddrMode::Struct as u8)]);
            self.hit(Clause::PortBank, &[bucket(progress.bank_cycles as usize)]);
            let lane = plan.shared.first().unwrap_or_default();
            if let Some(touch) = board.touch(plan.addr[lane]) {
                self.compared(1, touch.initial, issue.beat(0, lane), issue.beat(1, lane));
            }
        }
        self.same_dword(plan);
        for lane in [index % lanes, (index / lanes + 7 * index + 3) % lanes] {
            if plan.active.contains(lane) {
                self.lane_sm5(contract, issue, lane);
            }
        }
    }

    /// A compare-and-store is done: now its bus errors are known.
    pub(crate) fn sm5_done(&mut self, contract: &Contract, issue: &Issue, plan: &Plan) {
        let Some(lane) = plan.faults.iter().position(|&fault| fault == Fault::Bus) else { return };
        let trace = sm5_trace(&self.shape, &contract.ctrl, &issue.op, &issue.lanes, lane);
        if contract.ctrl.trap_misaligned && trace.is_some_and(|trace| trace.forced != 0) {
            self.hit(Clause::ComFault, &[1]);
        }
    }

    fn sm5_attributes(&mut self, op: &Op) {
        let attr = &op.attr;
        let asked = [
            attr.cache_op != Cache::Wb as u8,
            attr.l1_priority != Priority::Normal as u8,
            attr.l2_priority != Priority::Normal as u8,
            attr.policy_valid,
            attr.semantics != 0,
            attr.uncached,
        ];
        for (bin, _) in asked.iter().enumerate().filter(|(_, asked)| **asked) {
            self.hit(Clause::ComAttr, &[bin]);
        }
    }

    /// Lanes that meet in a dword (SM5-ORDER).
    fn same_dword(&mut self, plan: &Plan) {
        for (place, lanes) in [plan.memory, plan.shared].into_iter().enumerate() {
            let mut dwords = [0; MAX_LANES];
            let count = lanes.iter().zip(&mut dwords).map(|(lane, dword)| *dword = plan.addr[lane]).count();
            dwords[..count].sort_unstable();
            let most = dwords[..count].chunk_by(u64::eq).map(<[u64]>::len).max().unwrap_or(0);
            let how = match most {
                0 | 1 => continue,
                most if most == self.shape.lanes => 2,
                2 => 0,
                _ => 1,
            };
            self.hit(Clause::Sm5Order, &[place, how, usize::from(most == lanes.count())]);
        }
    }

    fn lane_sm5(&mut self, contract: &Contract, issue: &Issue, lane: usize) {
        let (op, ctrl) = (&issue.op, &contract.ctrl);
        let Some(trace) = sm5_trace(&self.shape, ctrl, op, &issue.lanes, lane) else { return };
        let (memory, mode) = (op.space == Space::Uav as u8, usize::from(op.addr_mode - AddrMode::Raw as u8));
        let place = usize::from(!memory);
        let slot = usize::from(op.slot & 7);
        if !trace.bound {
            let kind = if memory { ctrl.uav[slot].kind } else { ctrl.tgsm[slot].kind };
            let which = match kind {
                kind if kind == Resource::None as u8 => 0,
                kind if kind == Resource::Typed as u8 && mode == 2 => 2,
                _ => 1,
            };
            self.hit(Clause::Sm5Unbound, &[3 * place + which]);
            return;
        }
        if mode < 2 {
            let at = usize::from(trace.forced);
            self.hit(Clause::Sm5Align, &[2 * place + mode, at, ctrl.trap_misaligned.into()]);
            if trace.forced != 0 && ctrl.trap_misaligned {
                match trace.fault {
                    Fault::Misaligned => self.hit(Clause::ComFault, &[0]),
                    Fault::Allocation => self.hit(Clause::ComFault, &[2]),
                    Fault::Undefined => self.hit(Clause::ComFault, &[3]),
                    _ => {}
                }
            }
        }
        let (size, stride) = match memory {
            true => (u128::from(ctrl.uav[slot].size), u128::from(ctrl.uav[slot].stride)),
            false => (ctrl.tgsm[slot].size.into(), ctrl.tgsm[slot].stride.into()),
        };
        let failed = trace.tests.iter().find(|test| !test.passed);
        let edge = |at: u128, unit: u128, end: u128| match at {
            0 => 0,
            at if at + 2 * unit > end => 2,
            _ => 1,
        };
        match (mode, failed) {
            (0, None) => self.hit(Clause::Sm5Raw, &[place, edge(trace.distance, 4, size)]),
            (1, None) => {
                let [x, y] = [trace.terms[0].index, trace.terms[1].index].map(u128::from);
                let last = if stride == 4 { 0 } else { edge(y, 4, stride) };
                self.hit(Clause::Sm5Struct, &[place, edge(x * stride, stride, size), last]);
            }
            (_, None) => {
                let mut indices = trace.tests.iter().filter(|test| test.of != Tested::Size);
                let last = indices.all(|test| test.value + 1 == u128::from(test.limit));
                self.hit(Clause::Sm5Typed, &[dimension(contract, op), usize::from(last)]);
            }
            (mode, Some(test)) => {
                let near = test.value <= u128::from(test.limit) + 8;
                let past = match () {
                    () if near => 0,
                    () if test.value >> 32 != 0 => 2,
                    () => 1,
                };
                match (memory, test.of) {
                    (false, of) => {
                        let which = mode + usize::from(of == Tested::Stride);
                        self.hit(Clause::Sm5OobTgsm, &[which, usize::from(!near)]);
                    }
                    (true, Tested::Stride) => {
                        let past = if test.value >> 31 != 0 { 2 } else { past };
                        self.hit(Clause::Sm5OobOffset, &[past]);
                    }
                    (true, of) => {
                        self.hit(Clause::Sm5OobUav, &[mode, if mode == 0 { past.min(1) } else { past }]);
                        let index = match of {
                            Tested::Width => 2,
                            Tested::Height => 3,
                            Tested::Depth => 4,
                            _ => 5,
                        };
                        if mode == 2 {
                            self.hit(Clause::Sm5Typed, &[dimension(contract, op), index]);
                        }
                    }
                }
            }
        }
    }

    /// An answer to a half of a pair is about to be taken.
    fn pair_answered(&mut self, issues: &[Issue], board: &Scoreboard, answered: &Answered<'_>) {
        let (flight, response) = (answered.flight, answered.response);
        if board.waits_for(flight.line) {
            self.hit(Clause::PortCas, &[11]);
        }
        let overtakes = board.flights.iter().any(|other| other.sequence < flight.sequence && !other.answered);
        let how = if flight.write { 1 + usize::from(!response.last || !answered.first) } else { 0 };
        self.hit(Clause::PortRsp, &[how, usize::from(overtakes)]);
        let Some(pair) = board.pair(flight.id).filter(|_| answered.first) else { return };
        let progress = board.op(pair.op);
        let Some(request) = progress.plan.requests.get(pair.request).filter(|_| progress.index == pair.op) else {
            return;
        };
        let lanes = request.lanes;
        let share = usize::from(lanes == progress.plan.active);
        match (flight.write, answered.error(), answered.failed()) {
            (write, true, _) => {
                self.hit(Clause::PortCas, &[9 + usize::from(write)]);
                self.hit(Clause::ComBuserr, &[write.into(), share]);
            }
            (false, _, true) => {
                self.hit(Clause::PortCas, &[8]);
                self.hit(Clause::ComBuserr, &[2, share]);
            }
            (true, _, true) if answered.lost => self.hit(Clause::PortCas, &[6]),
            // Whether the pair's read was itself a repeat.
            (true, _, true) => self.hit(Clause::PortCas, &[4 + usize::from(pair.before.byte_enable != 0)]),
            (true, ..) => {}
            (false, ..) => {
                let again = usize::from(pair.half.byte_enable != 0);
                let (plan, lane) = (&progress.plan, lanes.first().unwrap_or_default());
                let at = plan.addr[lane].wrapping_sub(pair.line) as usize;
                let found = response.data.get(at..at + 4).unwrap_or_default();
                let found = found.iter().rev().fold(0, |all, byte| all << 8 | u32::from(*byte));
                let issue = &issues[pair.op];
                self.compared(0, found, issue.beat(0, lane), issue.beat(1, lane));
                let half = second_half(plan, request, &issue.data, &response.data);
                if half.byte_enable == 0 {
                    return self.hit(Clause::PortCas, &[7 * again]);
                }
                self.hit(Clause::PortCas, &[1 + usize::from(half.byte_enable == flight.byte_enable)]);
                if same_enabled(half.byte_enable, &half.data, &response.data) {
                    self.hit(Clause::PortCas, &[3]);
                }
            }
        }
    }

    /// A lane compares with `memory`, which no other lane of its operation has changed.
    fn compared(&mut self, place: usize, memory: u32, compare: u32, new: u32) {
        let how = match (memory ^ compare).count_ones() {
            0 => 3 * usize::from(new == memory),
            1 => 2,
            _ => 1,
        };
        self.hit(Clause::Sm5Cas, &[place, how]);
    }
}

fn kind(op: &Op) -> usize {
    usize::from(op.addr_mode - AddrMode::Raw as u8) + 3 * usize::from(op.space == Space::Tgsm as u8)
}

fn dimension(contract: &Contract, op: &Op) -> usize {
    usize::from(contract.ctrl.uav[usize::from(op.slot & 7)].dimension).min(Dimension::Texture3d as usize)
}

/// The bin of what makes an operation illegal.
fn illegal(op: &Op) -> usize {
    let modes = AddrMode::Raw as u8..=AddrMode::Typed as u8;
    if op.kind != Kind::CmpStore as u8 {
        usize::from(op.kind > Kind::CmpStore as u8)
    } else if !modes.contains(&op.addr_mode) {
        2
    } else if op.space == Space::Tgsm as u8 && op.addr_mode == AddrMode::Typed as u8 {
        3
    } else if op.element_bytes != 4 {
        4
    } else if op.element_count != 1 {
        5
    } else {
        6
    }
}
