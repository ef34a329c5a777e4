// SPDX-License-Identifier: MIT OR Apache-2.0
//! Coverage of R700 bursts.

pub mod table;

use super::diagnose::burst::{Burst, Rules, buffer, dwords, is_export};
use crate::{
    clause::Clause,
    judge::coverage::{Bins, Coverage, Dimension, executing, kind},
    judge::{
        contract::Contract,
        log::{Issue, Seen},
        scoreboard::{Progress, Scoreboard, is_load},
    },
    model::Plan,
    op::{AddrMode, BufferSlot, Ctrl, Fault, Op, Shape, Space},
};

/// The first of the COM-ILLEGAL bins for what the front end refuses.
#[cfg(feature = "rtl")]
pub const REFUSED: usize = 8;

/// The number of `steps` that `value` reaches.
fn step(value: u64, steps: &[u64]) -> usize {
    steps.iter().filter(|&&step| value >= step).count()
}

/// How a burst lies against the dword `end`, counting the components in `wanted`.
fn against(op: &Op, first: u64, end: u64, wanted: u8) -> usize {
    let inside = |gpr: u64| {
        let at = first + gpr * dwords(op);
        let components = (0..4).filter(|component| wanted >> component & 1 == 1);
        components.fold((0, 0), |(inside, all), component| (inside + u32::from(at + component < end), all + 1))
    };
    let gprs = (0..16).filter(|gpr| op.present_gprs >> gpr & 1 == 1).map(inside);
    let (mut cut, mut all, mut none) = (false, true, true);
    for (inside, of) in gprs {
        cut |= inside != 0 && inside != of;
        all &= inside == of;
        none &= inside == 0;
    }
    match (all, none, cut) {
        (true, _, _) => 0,
        (_, true, _) => 3,
        (_, _, true) => 1,
        _ => 2,
    }
}

impl Bins for super::Rule {
    const TABLE: &'static [(Clause, &'static [Dimension])] = table::TABLE;

    fn is_unreachable(clause: Clause, shape: &Shape, at: &[usize]) -> bool {
        table::unreachable(clause, shape, at)
    }

    fn accepted(coverage: &mut Coverage, contract: &Contract, issue: &Issue, board: &Scoreboard, index: usize) {
        coverage.r700(contract, issue, board.op(index), index);
    }

    fn requested(issue: &Issue, _: &Seen, kind: usize) -> [usize; 2] {
        [kind, issue.op.slot.into()]
    }

    fn done(coverage: &mut Coverage, _: &Contract, issue: &Issue, plan: &Plan, _index: usize) {
        coverage.bus_errors(issue, plan);
        coverage.r700_done(issue, plan);
    }
}

impl Coverage {
    /// Counts an accepted operation of R700.
    pub(crate) fn r700(&mut self, contract: &Contract, issue: &Issue, progress: &Progress, index: usize) {
        let (op, plan) = (&issue.op, &progress.plan);
        if !plan.legal {
            self.illegal_burst(op);
            return;
        }
        let (k, mask) = (kind(op), self.shape.lane_mask());
        self.hit(Clause::ComInactive, &[k, executing(plan.active, mask)]);
        let gprs = u64::from(op.present_gprs.count_ones());
        let elem = usize::from(op.elem_size);
        if let Some(requests) = plan.requests.last() {
            let groups = usize::from(requests.group) + 1;
            let twice = |a: &crate::model::Request, b: &crate::model::Request| {
                a.group == b.group && !(a.lanes & b.lanes).is_empty()
            };
            let crosses = plan.requests.windows(2).any(|pair| twice(&pair[0], &pair[1]));
            self.hit(Clause::PortGroup, &[k, step(groups as u64, &[2, 5]), crosses.into()]);
        }
        if let Some(crate::sets::Inst::R700(crate::sets::r700::Inst::Cf(cf))) = issue.inst {
            let requests = plan.requests.len().min(2);
            self.hit(Clause::R700Ack, &[cf.ty.into(), requests]);
        }
        if let Some(crate::sets::Inst::R700(inst)) = issue.inst {
            let field = match inst {
                crate::sets::r700::Inst::Cf(cf) => cf.burst_count,
                crate::sets::r700::Inst::Read(read) => read.burst_count,
            };
            let lacking = usize::from(gprs <= field.into()) + usize::from(gprs == 0);
            self.hit(Clause::R700Gproob, &[k, lacking]);
        } else if gprs > 0 && op.present_gprs & 1 == 0 {
            self.hit(Clause::R700Gproob, &[k, 3]);
        }
        if k == 1 {
            let helpers = issue.lanes.helper & issue.lanes.active & mask;
            let who = usize::from(!helpers.is_empty())
                + usize::from(!helpers.is_empty() && helpers == issue.lanes.active & mask);
            self.hit(Clause::R700Vpm, &[op.suppress_helpers.into(), who]);
            if gprs > 0 {
                self.hit(Clause::R700Elem, &[elem, op.element_mask.into(), step(gprs, &[2, 5, 16])]);
            }
            if let Some(first) = plan.memory.first() {
                match plan.memory.iter().filter(|&lane| plan.addr[lane] == plan.addr[first]).count() {
                    0 | 1 => {}
                    2 => self.hit(Clause::ComSameaddr, &[0]),
                    _ => self.hit(Clause::ComSameaddr, &[1]),
                }
            }
        } else {
            self.hit(Clause::ComAttr, &[op.attr.uncached.into()]);
            for component in 0..4 {
                let what = match op.select(component) {
                    5 => 5 + usize::from(op.one_is_float),
                    select => select.into(),
                };
                self.hit(Clause::R700Read, &[component as usize, what]);
            }
        }
        self.hit(Clause::R700Size, &[k, step(op.array_size.into(), &[2, 17, 4096])]);
        self.hit(Clause::R700Unit, &[op.slot.into(), elem]);
        self.hit(Clause::R700Driver, &[contract.ctrl.r700_driver_form.into(), op.slot.into()]);
        if op.slot == BufferSlot::Scratch as u8 {
            self.hit(Clause::R700Stage, &[k, op.stage.into()]);
        }
        self.place_burst(&contract.ctrl, op);
        self.own_burst(issue, plan);
        for lane in [index % self.shape.lanes, (index / self.shape.lanes + 7 * index + 3) % self.shape.lanes] {
            if plan.active.contains(lane) {
                self.lane_burst(contract, issue, lane);
            }
        }
    }

    fn illegal_burst(&mut self, op: &Op) {
        let burst = op.addr_mode == AddrMode::Array as u8;
        let what = if op.kind > 1 {
            0
        } else if !burst {
            1
        } else if op.space != Space::Buffer as u8 {
            2
        } else if op.element_bytes != 4 {
            3
        } else if op.element_count != 4 {
            4
        } else if op.element_mask > 15 {
            5
        } else if op.array_size == 0 || op.array_size > 4096 {
            6
        } else {
            7
        };
        self.hit(Clause::ComIllegal, &[what]);
    }

    fn place_burst(&mut self, ctrl: &Ctrl, op: &Op) {
        let item = buffer(ctrl, op);
        let stride = match item.stride {
            0 => 0,
            stride if stride < item.size => 1,
            stride if stride == item.size => 2,
            _ => 3,
        };
        let warp = [0, 1, 1, 1, 1, 1, 1, 2][usize::from(op.warp & 7)];
        let which = [0, 2, 1, 1, 1, 1, 1, 2][usize::from(op.slot & 7)];
        self.hit(Clause::R700Place, &[which, stride, warp]);
    }

    fn own_burst(&mut self, issue: &Issue, plan: &Plan) {
        let slot = [0, 1, 9, 9, 9, 9, 9, 2][usize::from(issue.op.slot & 7)];
        if slot == 9 {
            return;
        }
        let warp = usize::from(issue.op.warp & 7);
        if !is_load(&issue.op) {
            let (stores, _) = self.recent.bursts[slot].get_or_insert_with(Default::default);
            (stores.memory, stores.addr) = (plan.memory, plan.addr);
            self.recent.bursts[slot] = self.recent.bursts[slot].take().map(|(stores, _)| (stores, warp));
            return;
        }
        let Some((stores, by)) = &self.recent.bursts[slot] else { return };
        let both = stores.memory & plan.memory;
        if both.iter().any(|lane| stores.addr[lane] == plan.addr[lane]) {
            let other = usize::from(*by != warp);
            if slot != 0 || other == 0 {
                self.hit(Clause::R700Raw, &[slot, other]);
            }
        }
    }

    fn lane_burst(&mut self, contract: &Contract, issue: &Issue, lane: usize) {
        let op = &issue.op;
        let (k, elem) = (kind(op), usize::from(op.elem_size));
        let index = issue.lanes.addr[lane][0];
        let which = match (op.use_index, index) {
            (false, _) => 0,
            (_, 0) => 1,
            (_, u32::MAX) => 4,
            (_, index) if index >> 31 == 1 => 3,
            _ => 2,
        };
        let base = step(op.array_base.into(), &[1, 0x1fff]);
        self.hit(Clause::R700First, &[base, which, elem]);
        let rules = Rules::LAW;
        let first = (rules.first)(&contract.ctrl, op, if op.use_index { index.into() } else { 0 });
        let (limit, bound) = ((rules.limit)(&contract.ctrl, op), (rules.bound)(&contract.ctrl, op));
        let wanted = Burst::wanted(op);
        if wanted == 0 || op.present_gprs == 0 {
            return;
        }
        if is_export(op) && first < limit {
            let which = if op.use_index { 1 + usize::from(index >> 28 != 0) } else { 0 };
            let past = against(op, first, bound, wanted) != 0;
            self.hit(Clause::R700Export, &[k, which, past.into()]);
        }
        if limit != u64::MAX {
            let clause = if k == 0 { Clause::R700Readoob } else { Clause::R700Clamp };
            self.hit(clause, &[elem, against(op, first, limit, wanted)]);
        }
        if first < limit {
            self.hit(Clause::R700Bound, &[k, against(op, first, bound, wanted)]);
        }
    }

    /// Counts a finished burst. `plan` includes the bus errors.
    pub(crate) fn r700_done(&mut self, issue: &Issue, plan: &Plan) {
        let has = |fault| usize::from(plan.faults.contains(&fault));
        if plan.legal {
            self.hit(Clause::ComFault, &[kind(&issue.op), has(Fault::Allocation) + 2 * has(Fault::Bus)]);
        }
    }
}
