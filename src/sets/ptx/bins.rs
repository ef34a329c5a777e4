// SPDX-License-Identifier: MIT OR Apache-2.0
//! Coverage of PTX stores.

pub mod table;

use crate::{
    clause::Clause,
    judge::coverage::{Bins, Coverage, Dimension, bucket, executing, size},
    judge::{
        contract::Contract,
        flight::Flights,
        log::{Issue, Seen},
        relation::{self, Relation},
        scoreboard::{Progress, Scoreboard},
    },
    model::{self, Plan},
    op::{AddrMode, Fault, Kind, Op, Priority, Range, Scope, Semantics, Shape, Space},
};

impl Bins for super::Rule {
    const TABLE: &'static [(Clause, &'static [Dimension])] = table::TABLE;
    const STORES_ONLY: bool = true;

    fn is_unreachable(clause: Clause, shape: &Shape, at: &[usize]) -> bool {
        table::unreachable(clause, shape, at)
    }

    fn accepted(coverage: &mut Coverage, contract: &Contract, issue: &Issue, board: &Scoreboard, index: usize) {
        coverage.ptx(contract, issue, board.op(index), &board.flights, index);
    }

    fn requested(_: &Issue, seen: &Seen, _kind: usize) -> [usize; 2] {
        [[0, 0, 0, 1, 0, 2, 3][usize::from(seen.space).min(6)], 0]
    }

    fn done(coverage: &mut Coverage, contract: &Contract, issue: &Issue, plan: &Plan, index: usize) {
        coverage.bus_errors(issue, plan);
        coverage.misaligned(contract, issue, plan, index);
    }
}

impl Coverage {
    /// Counts an accepted operation of PTX.
    pub(crate) fn ptx(
        &mut self,
        contract: &Contract,
        issue: &Issue,
        progress: &Progress,
        flights: &Flights,
        index: usize,
    ) {
        let (op, plan) = (&issue.op, &progress.plan);
        if !plan.legal {
            self.hit(Clause::ComIllegal, &[illegal(op)]);
            return;
        }
        let (mask, lanes) = (self.shape.lane_mask(), self.shape.lanes);
        self.hit(Clause::ComInactive, &[executing(plan.active, mask)]);
        let helpers = issue.lanes.helper & issue.lanes.active & mask;
        if !helpers.is_empty() {
            self.hit(Clause::ComHelper, &[op.suppress_helpers.into(), usize::from(helpers == mask)]);
        }
        self.attributes(op);
        self.order(op, flights);
        if !plan.memory.is_empty() {
            self.hit(Clause::PortGroup, &[bucket(plan.requests.len())]);
        }
        if !plan.shared.is_empty() {
            let release = model::orders(op, plan).release.is_some();
            self.hit(Clause::PortSpad, &[usize::from(!plan.memory.is_empty()), release.into()]);
            self.hit(Clause::PortBank, &[bucket(progress.bank_cycles as usize)]);
        }
        for (place, lanes) in [plan.memory, plan.shared].into_iter().enumerate() {
            if !lanes.is_empty() {
                self.hit(Clause::PtxVec, &[size(op), op.element_count.ilog2() as usize, place]);
                if op.access_bytes() == 32 {
                    self.hit(Clause::PtxSink, &[usize::from(op.element_bytes == 8), sinks(op), place]);
                }
            }
        }
        if op.space == Space::Param as u8 {
            self.hit(Clause::PtxParam, &[usize::from(!plan.active.is_empty()) + usize::from(plan.active == mask)]);
        }
        self.same_byte(plan);
        self.remember_store(issue, plan);
        for lane in [index % lanes, (index / lanes + 7 * index + 3) % lanes] {
            if plan.active.contains(lane) {
                self.lane_ptx(contract, issue, plan, lane);
            }
        }
    }

    fn attributes(&mut self, op: &Op) {
        let attr = &op.attr;
        if let Some(cop) = [4, 1, 5, 6].iter().position(|&code| code == attr.cache_op) {
            self.hit(Clause::ComAttr, &[cop]);
        }
        // An operation may have codes that no instruction has.
        let [unchanged, first, last, none] =
            [Priority::Unchanged, Priority::First, Priority::Last, Priority::NoAllocate].map(|priority| priority as u8);
        if let Some(l1) = [unchanged, first, last, none].iter().position(|&code| code == attr.l1_priority) {
            self.hit(Clause::ComAttr, &[4 + l1]);
        }
        if let Some(l2) = [first, last].iter().position(|&code| code == attr.l2_priority) {
            self.hit(Clause::ComAttr, &[8 + l2]);
        }
        if attr.policy_valid {
            self.hit(Clause::ComAttr, &[10]);
        }
    }

    /// Counts the operation's memory order against the widest wait among the operations that its warp has in flight.
    fn order(&mut self, op: &Op, flights: &Flights) {
        let scope = usize::from(op.attr.scope & 3);
        let order = match Semantics::from_code(op.attr.semantics) {
            Some(Semantics::Volatile) => 1,
            Some(Semantics::Relaxed) => 2 + scope,
            Some(Semantics::Release) => 6 + scope,
            Some(Semantics::Mmio) => 10,
            Some(Semantics::MmioRelease) => 11,
            _ => 0,
        };
        let own = Scope::from_code(op.attr.scope).unwrap_or(Scope::Cta);
        let mine = || flights.iter().filter(|flight| flight.warp == op.warp);
        let how = if mine().next().is_none() {
            0
        } else if mine().any(|flight| !flight.answered) {
            1
        } else if mine().any(|flight| !flight.reached(own)) {
            2
        } else {
            3
        };
        self.hit(Clause::PtxSem, &[order, how]);
    }

    fn lane_ptx(&mut self, contract: &Contract, issue: &Issue, plan: &Plan, lane: usize) {
        let (op, ctrl) = (&issue.op, &contract.ctrl);
        let [low, high, _] = issue.lanes.addr[lane];
        let base = if op.addr_mode == AddrMode::Abs as u8 { 0 } else { u64::from(high) << 32 | u64::from(low) };
        let sum = i128::from(base) + i128::from(op.imm as i64);
        let form = match op.imm as i64 {
            _ if op.addr_mode == AddrMode::Abs as u8 => 0,
            0 => 1,
            imm => 2 + usize::from(imm < 0),
        };
        let ea = base.wrapping_add(op.imm);
        let region = match ea {
            _ if form > 1 && u64::try_from(sum).is_err() => 3,
            ea if ea >> 32 == 0 => 0,
            ea if ea >> 40 == 0 => 1,
            _ => 2,
        };
        self.hit(Clause::PtxEa, &[form, region]);
        let bytes = u64::from(op.access_bytes());
        let offset = match ea % bytes {
            0 => 0,
            at if at == bytes - 1 => 4,
            at if at == bytes / 2 => 2,
            at => 1 + 2 * usize::from(at > bytes / 2),
        };
        self.hit(Clause::PtxAlign, &[bytes.ilog2() as usize, offset, ctrl.trap_misaligned.into()]);
        if plan.faults[lane] == Fault::Illegal && ctrl.trap_misaligned && offset != 0 {
            self.hit(Clause::ComFault, &[4]);
        }
        let aligned = ea - ea % bytes;
        if aligned >> 40 == 0 {
            match Space::from_code(op.space) {
                Some(Space::Generic) => self.generic(contract, op, aligned),
                _ => self.written(contract, op, aligned),
            }
        }
    }

    /// Counts a generic address that the memory port can carry.
    fn generic(&mut self, contract: &Contract, op: &Op, aligned: u64) {
        let (ctrl, bytes) = (&contract.ctrl, u64::from(op.access_bytes()));
        let windows = [ctrl.local_window, ctrl.shared_window].map(|window| relation::to(window, aligned, bytes));
        let (which, edge) = match windows.map(Relation::edge) {
            [Some(edge), Some(_)] => (2, edge),
            [Some(edge), None] => (0, edge),
            [None, Some(edge)] => (1, edge),
            [None, None] => match windows {
                [Relation::JustBelow, _] | [_, Relation::JustBelow] => (3, 0),
                [Relation::JustPast, _] | [_, Relation::JustPast] => (3, 2),
                _ => (3, 1),
            },
        };
        self.hit(Clause::PtxSpace, &[which, edge]);
        if which < 3 {
            let place = usize::from(which == 1);
            if bytes == 32 {
                self.hit(Clause::PtxGlobalOnly, &[place, 0]);
            } else if op.attr.policy_valid {
                self.hit(Clause::PtxGlobalOnly, &[place, 1]);
            }
        }
        match which {
            0 | 2 => self.private(op, 0, ctrl.local_memory.size, aligned - ctrl.local_window.base),
            3 => self.global(contract, op, aligned),
            _ => {}
        }
    }

    /// Counts an offset, or an address, in a space that is written out.
    fn written(&mut self, contract: &Contract, op: &Op, aligned: u64) {
        let (ctrl, bytes) = (&contract.ctrl, u64::from(op.access_bytes()));
        let (which, size) = match Space::from_code(op.space) {
            Some(Space::Local) => (1, ctrl.local_memory.size.into()),
            Some(Space::Shared) => (2, ctrl.shared_size.into()),
            Some(Space::Cluster) => (3, ctrl.cluster.size),
            Some(Space::Param) => (4, ctrl.param_memory.size.into()),
            _ => (0, 0),
        };
        let relation = match which {
            0 => {
                self.global(contract, op, aligned);
                let ranges = ctrl.alloc.iter().filter(|range| range.size > 0);
                let near = ranges.map(|&range| relation::to(range, aligned, bytes));
                near.min_by_key(|relation| relation.code()).unwrap_or(Relation::Elsewhere)
            }
            _ => relation::to(Range { base: 0, size }, aligned, bytes),
        };
        let edge = match relation {
            Relation::JustPast => 3,
            relation => relation.edge().unwrap_or(4),
        };
        let holds = |window: Range| relation::to(window, aligned, bytes).edge().is_some();
        let window = holds(ctrl.local_window) || holds(ctrl.shared_window);
        self.hit(Clause::PtxOffset, &[which, edge, window.into()]);
        match which {
            1 => self.private(op, 1, ctrl.local_memory.size, aligned),
            4 => self.private(op, 2, ctrl.param_memory.size, aligned),
            _ => {}
        }
    }

    fn private(&mut self, op: &Op, how: usize, size: u32, offset: u64) {
        let item = Range { base: 0, size: size.into() };
        let at = relation::to(item, offset, op.access_bytes().into()).edge().unwrap_or(3);
        let warp = [0, 1, 1, 1, 1, 1, 1, 2][usize::from(op.warp & 7)];
        self.hit(Clause::ComPrivate, &[how, at, warp]);
    }

    fn global(&mut self, contract: &Contract, op: &Op, aligned: u64) {
        let ranges = contract.ctrl.alloc.iter().filter(|range| range.size > 0);
        let near = ranges.map(|&range| relation::to(range, aligned, op.access_bytes().into()));
        self.hit(Clause::ComGlobal, &[near.map(Relation::code).min().unwrap_or(5)]);
    }
}

/// The bin of what makes an operation illegal.
fn illegal(op: &Op) -> usize {
    let counts = [1, 2, 4, 8].contains(&op.element_count);
    if op.kind != Kind::Store as u8 {
        0
    } else if ![AddrMode::Abs as u8, AddrMode::Reg64 as u8].contains(&op.addr_mode) {
        1
    } else if !(op.element_bytes.is_power_of_two() && op.element_bytes <= 16) {
        2
    } else if !counts || op.access_bytes() > 32 {
        3
    } else if op.element_mask == 0 || u32::from(op.element_mask) >> op.element_count != 0 {
        4
    } else if op.attr.semantics > Semantics::MmioRelease as u8 {
        5
    } else {
        6
    }
}

/// The bin of the sinks among the elements of 256 bits.
fn sinks(op: &Op) -> usize {
    let (count, mask) = (u32::from(op.element_count), u32::from(op.element_mask));
    let all = (1 << count) - 1;
    let half = (1 << (count / 2)) - 1;
    match all & !mask {
        0 => 0,
        sinks if sinks.count_ones() == 1 => 1,
        sinks if sinks.count_ones() + 1 == count => 2,
        sinks if sinks == half => 3,
        sinks if sinks == all & !half => 4,
        _ => 5,
    }
}
