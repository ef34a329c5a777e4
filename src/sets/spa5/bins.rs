// SPDX-License-Identifier: MIT OR Apache-2.0
//! Coverage of SPA 5.0 operations.

pub mod table;

use crate::{
    clause::Clause,
    judge::coverage::{Bins, Coverage, Dimension, bucket, executing, kind, size},
    judge::{
        contract::Contract,
        log::{Beat, Issue, Seen},
        relation::{self, Relation},
        scoreboard::{Progress, Scoreboard, is_load},
    },
    model::Plan,
    op::{AddrMode, LaneMask, Op, Rule, Shape, Space},
};

impl Bins for super::Rule {
    const TABLE: &'static [(Clause, &'static [Dimension])] = table::TABLE;

    fn is_unreachable(clause: Clause, shape: &Shape, at: &[usize]) -> bool {
        table::unreachable(clause, shape, at)
    }

    fn accepted(coverage: &mut Coverage, contract: &Contract, issue: &Issue, board: &Scoreboard, index: usize) {
        coverage.spa5(contract, issue, board.op(index), index);
    }

    fn requested(_: &Issue, seen: &Seen, kind: usize) -> [usize; 2] {
        [kind, usize::from(seen.space == Space::Local as u8)]
    }

    fn written_back(coverage: &mut Coverage, issue: &Issue, beat: &Beat) {
        let bits = u32::from(issue.op.element_bytes) * 8;
        if bits < 32 {
            let signed = usize::from(issue.op.sign_extend);
            let lane = beat.mask.first().unwrap_or_default();
            let top = beat.data[lane] >> (bits - 1) & 1;
            coverage.hit(Clause::Spa5Ext, &[usize::from(bits == 16) * 2 + signed, top as usize]);
        }
    }

    fn done(coverage: &mut Coverage, contract: &Contract, issue: &Issue, plan: &Plan, index: usize) {
        coverage.bus_errors(issue, plan);
        coverage.misaligned(contract, issue, plan, index);
    }
}

impl Coverage {
    /// Counts an accepted operation of SPA 5.0.
    pub(crate) fn spa5(&mut self, contract: &Contract, issue: &Issue, progress: &Progress, index: usize) {
        let shape = self.shape;
        let op = &issue.op;
        let plan = &progress.plan;
        if !plan.legal {
            self.illegal(op);
            return;
        }
        let (k, mask) = (kind(op), shape.lane_mask());
        self.hit(Clause::ComInactive, &[k, executing(plan.active, mask)]);
        let helpers = issue.lanes.helper & issue.lanes.active & mask;
        if !helpers.is_empty() {
            self.hit(Clause::ComHelper, &[k, usize::from(helpers == mask)]);
        }
        let predicate = issue.lanes.predicate & mask;
        let space = if predicate == mask { 0 } else { 1 + usize::from(!predicate.is_empty()) };
        self.hit(Clause::Spa5Space, &[k, space]);
        let cop = usize::from(if k == 1 {
            [4, 1, 5, 6].iter().position(|&code| code == op.attr.cache_op).unwrap_or(0) as u8
        } else {
            op.attr.cache_op & 3
        });
        self.hit(Clause::ComAttr, &[k, cop]);
        if !plan.memory.is_empty() {
            self.hit(Clause::PortGroup, &[k, bucket(plan.requests.len())]);
        }
        if !plan.shared.is_empty() {
            self.hit(Clause::PortSpad, &[k, usize::from(!plan.memory.is_empty())]);
            self.hit(Clause::PortBank, &[k, bucket(progress.bank_cycles as usize)]);
        }
        if op.access_bytes() > 4 && !(plan.memory | plan.shared).is_empty() {
            self.hit(
                Clause::Spa5Multi,
                &[k, usize::from(op.access_bytes() == 16), usize::from(plan.memory.is_empty())],
            );
        }
        if let Some(crate::sets::Inst::Spa5(inst)) = issue.inst {
            self.hit(Clause::Spa5Size, &[k, usize::from(inst.size & 7)]);
            if inst.rd == crate::sets::spa5::RZ {
                self.hit(Clause::Spa5Rz, &[k, size(op)]);
            }
            if inst.e && inst.ra == 254 {
                self.hit(Clause::Spa5EaPair, &[4]);
            }
        }
        if k == 1 {
            self.same_byte(plan);
        }
        self.own(issue, plan);
        for lane in [index % shape.lanes, (index / shape.lanes + 7 * index + 3) % shape.lanes] {
            if plan.active.contains(lane) {
                self.lane(contract, issue, plan, lane);
            }
        }
    }

    fn illegal(&mut self, op: &Op) {
        let what = if op.kind > 1 {
            0
        } else if op.addr_mode > 2 {
            1
        } else if op.space != 0 {
            2
        } else if !(op.element_bytes.is_power_of_two() && op.element_bytes <= 16) {
            3
        } else if op.element_count != 1 {
            4
        } else {
            5
        };
        self.hit(Clause::ComIllegal, &[what]);
    }

    pub(crate) fn same_byte(&mut self, plan: &Plan) {
        for (place, lanes) in [plan.memory, plan.shared].into_iter().enumerate() {
            if let Some(first) = lanes.first() {
                match lanes.iter().filter(|&lane| plan.addr[lane] == plan.addr[first]).count() {
                    0 | 1 => {}
                    2 => self.hit(Clause::ComSameaddr, &[place, 0]),
                    _ => self.hit(Clause::ComSameaddr, &[place, 1]),
                }
            }
        }
    }

    pub(crate) fn remember_store(&mut self, issue: &Issue, plan: &Plan) {
        let (stores, rule) =
            self.recent.stores[usize::from(issue.op.warp & 7)].get_or_insert_with(|| (Plan::default(), Rule::Spa5));
        (stores.memory, stores.shared, stores.addr) = (plan.memory, plan.shared, plan.addr);
        *rule = issue.op.rule();
    }

    /// Counts a load of what its warp stored last, by an operation of any instruction set.
    fn own(&mut self, issue: &Issue, plan: &Plan) {
        if !is_load(&issue.op) {
            return self.remember_store(issue, plan);
        }
        let Some((stores, rule)) = &self.recent.stores[usize::from(issue.op.warp & 7)] else { return };
        let same = |lanes: LaneMask| lanes.iter().any(|lane| stores.addr[lane] == plan.addr[lane]);
        let (memory, shared) = (same(stores.memory & plan.memory), same(stores.shared & plan.shared));
        self.now = *rule;
        if memory {
            self.hit(Clause::ComOwn, &[0]);
        }
        if shared {
            self.hit(Clause::ComOwn, &[1]);
        }
        self.now = Rule::Spa5;
    }

    fn lane(&mut self, contract: &Contract, issue: &Issue, plan: &Plan, lane: usize) {
        let op = &issue.op;
        let (k, size) = (kind(op), size(op));
        let [low, high, _] = issue.lanes.addr[lane];
        let negative = usize::from((op.imm as i64) < 0);
        let ea = match AddrMode::from_code(op.addr_mode) {
            Some(AddrMode::Abs) => {
                self.hit(Clause::Spa5EaAbs, &[k, usize::from(op.imm >> 31 & 1 == 1)]);
                op.imm
            }
            Some(AddrMode::Reg32) => {
                let sum = i64::from(low) + op.imm as i64;
                let wraps = usize::from(!(0..1 << 32).contains(&sum));
                self.hit(Clause::Spa5Ea32, &[k, negative, wraps]);
                u64::from(sum as u32)
            }
            _ => {
                let base = u64::from(high) << 32 | u64::from(low);
                let sum = i128::from(base) + i128::from(op.imm as i64);
                let region = match u64::try_from(sum) {
                    Ok(sum) if sum >> 32 == 0 => 0,
                    Ok(sum) if sum >> 40 == 0 => 1,
                    Ok(_) => 2,
                    Err(_) => 3,
                };
                self.hit(Clause::Spa5Ea64, &[k, negative, region]);
                sum as u64
            }
        };
        let bytes = u64::from(op.access_bytes());
        self.hit(Clause::Spa5Align, &[k, size, (ea % bytes) as usize, usize::from(contract.ctrl.trap_misaligned)]);
        let aligned = ea - ea % bytes;
        let predicate = issue.lanes.predicate.contains(lane);
        if aligned >> 40 == 0 {
            self.place(contract, op, aligned, predicate);
        }
        self.oob(contract, op, plan, aligned, predicate);
    }

    fn place(&mut self, contract: &Contract, op: &Op, aligned: u64, predicate: bool) {
        let (k, size, bytes) = (kind(op), size(op), u64::from(op.access_bytes()));
        let ctrl = &contract.ctrl;
        let to = |window| relation::to(window, aligned, bytes);
        let windows = [to(ctrl.local_window), to(ctrl.shared_window)];
        for (which, relation) in windows.into_iter().enumerate() {
            if let Some(edge) = relation.edge() {
                self.hit(Clause::Spa5Window, &[k, usize::from(!predicate), which, edge]);
                if edge == 2 {
                    self.hit(Clause::Spa5Straddle, &[k, size, 0]);
                }
            }
            if relation == Relation::JustPast {
                self.hit(Clause::Spa5Straddle, &[k, size, 1]);
            }
        }
        let edges = [windows[0].edge(), windows[1].edge()];
        if edges == [None, None] {
            let edge = match windows {
                [Relation::JustBelow, _] | [_, Relation::JustBelow] => 0,
                [Relation::JustPast, _] | [_, Relation::JustPast] => 2,
                _ => 1,
            };
            self.hit(Clause::Spa5Window, &[k, usize::from(!predicate), 2, edge]);
        }
        if !predicate {
            return;
        }
        if edges[0].is_some() {
            let offset = aligned - ctrl.local_window.base;
            let item = crate::op::Range { base: 0, size: ctrl.local_memory.size.into() };
            let at = relation::to(item, offset, bytes).edge().unwrap_or(3);
            let warp = [0, 1, 1, 1, 1, 1, 1, 2][usize::from(op.warp & 7)];
            self.hit(Clause::ComPrivate, &[k, at, warp]);
        } else {
            let near =
                ctrl.alloc.iter().filter(|range| range.size > 0).map(|&range| relation::to(range, aligned, bytes));
            let at = near.map(Relation::code).min().unwrap_or(5);
            self.hit(Clause::ComGlobal, &[k, at]);
        }
    }

    fn oob(&mut self, contract: &Contract, op: &Op, plan: &Plan, aligned: u64, predicate: bool) {
        let ctrl = &contract.ctrl;
        let why = if aligned >> 40 != 0 {
            0
        } else if !predicate {
            match aligned.checked_sub(ctrl.shared_window.base) {
                Some(offset) if offset < ctrl.shared_window.size => {
                    if offset < ctrl.shared_size.into() {
                        return;
                    }
                    2
                }
                _ => 1,
            }
        } else {
            match aligned.checked_sub(ctrl.local_window.base) {
                Some(offset) if offset < ctrl.local_window.size => {
                    if offset < ctrl.local_memory.size.into() {
                        return;
                    }
                    3
                }
                _ if relation::inside(ctrl, aligned) => return,
                _ => 4,
            }
        };
        let all = (plan.memory | plan.shared).is_empty();
        self.hit(Clause::Spa5Oob, &[kind(op), why, usize::from(all)]);
    }
}
