// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a campaign has exercised, clause by clause.
//!
//! A clause's bins are the product of its dimensions, less the combinations that its own rule makes impossible. Rules
//! about lanes are looked at on two lanes of each operation, a different pair each time, and rules about what else is
//! in flight on every fourth request: hits are samples.

use crate::{
    clause::Clause,
    model::Plan,
    op::{AddrMode, Fault, Kind, Op, Shape},
};

use super::{
    case::{Case, Issue, Rate},
    environment::{Environment, Offer, Seen},
    relation::{self, Relation},
    scoreboard::{Beat, Progress, is_load},
};

mod table;

use table::{Dimension, TABLE, unreachable};

/// One request in so many is looked at.
const SAMPLED: u64 = 4;

struct Axis {
    clause: Clause,
    dimensions: &'static [Dimension],
    first: usize,
}

/// Hits of every bin.
#[derive(Clone)]
pub struct Coverage {
    axes: Vec<Axis>,
    /// Place in `axes`, by clause.
    of: Vec<usize>,
    hits: Vec<u64>,
    shape: Shape,
    recent: Recent,
    /// Requests, to sample them.
    events: u64,
}

/// Enough of the past to see orders: which stores a warp made last, how far the completions are.
#[derive(Clone, Default)]
struct Recent {
    stores: [Option<(Plan, u64)>; 8],
    youngest_done: Option<usize>,
}

impl Clone for Axis {
    fn clone(&self) -> Self {
        Axis { clause: self.clause, dimensions: self.dimensions, first: self.first }
    }
}

/// One clause in a report.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Row {
    /// Its id.
    pub clause: String,
    /// Bins that something can hit.
    pub bins: usize,
    /// Of these, hit.
    pub hit: usize,
    /// All hits together.
    pub hits: u64,
    /// The bins that were not hit.
    pub empty: Vec<String>,
}

/// The clauses with bins.
pub fn clauses() -> impl Iterator<Item = Clause> {
    TABLE.iter().map(|&(clause, _)| clause)
}

fn bucket(count: usize) -> usize {
    (count.max(1).next_power_of_two().trailing_zeros() as usize).min(5)
}

fn kind(op: &Op) -> usize {
    usize::from(op.kind == Kind::Store as u8)
}

fn size(op: &Op) -> usize {
    op.element_bytes.max(1).ilog2().min(4) as usize
}

impl Coverage {
    /// Nothing hit yet, for a unit of this shape.
    pub fn new(shape: &Shape) -> Self {
        let mut first = 0;
        let mut of = vec![usize::MAX; Clause::ALL.len()];
        let axes = TABLE
            .iter()
            .enumerate()
            .map(|(place, &(clause, dimensions))| {
                of[clause as usize] = place;
                let axis = Axis { clause, dimensions, first };
                first += dimensions.iter().map(|dimension| dimension.len()).product::<usize>();
                axis
            })
            .collect();
        Coverage { axes, of, hits: vec![0; first], shape: *shape, recent: Recent::default(), events: 0 }
    }

    #[inline]
    fn hit(&mut self, clause: Clause, at: &[usize]) {
        let axis = &self.axes[self.of[clause as usize]];
        let mut bin = 0;
        for (dimension, index) in axis.dimensions.iter().zip(at) {
            debug_assert!(*index < dimension.len(), "{clause}: bin {index} of {dimension:?}");
            bin = bin * dimension.len() + index;
        }
        self.hits[axis.first + bin] += 1;
    }

    /// Adds what another bench has hit. Addition commutes, so the order of jobs does not show.
    pub fn merge(&mut self, other: &Coverage) {
        for (mine, theirs) in self.hits.iter_mut().zip(&other.hits) {
            *mine += theirs;
        }
    }

    /// Forgets the past of the case before.
    pub fn start(&mut self) {
        self.recent = Recent::default();
        // What is sampled must not depend on which cases the same bench ran before.
        self.events = 0;
    }

    /// A row for each clause.
    pub fn rows(&self) -> Vec<Row> {
        let row = |axis: &Axis| {
            let count = axis.dimensions.iter().map(|dimension| dimension.len()).product();
            let mut row = Row { clause: axis.clause.id().to_owned(), bins: 0, hit: 0, hits: 0, empty: Vec::new() };
            for bin in 0..count {
                let mut at = vec![0; axis.dimensions.len()];
                let mut rest = bin;
                for (index, dimension) in at.iter_mut().zip(axis.dimensions).rev() {
                    *index = rest % dimension.len();
                    rest /= dimension.len();
                }
                if unreachable(axis.clause, &self.shape, &at) {
                    continue;
                }
                let hits = self.hits[axis.first + bin];
                row.bins += 1;
                row.hits += hits;
                if hits > 0 {
                    row.hit += 1;
                } else {
                    let names: Vec<&str> =
                        at.iter().zip(axis.dimensions).map(|(&index, dimension)| dimension[index]).collect();
                    row.empty.push(names.join(", "));
                }
            }
            row
        };
        self.axes.iter().map(row).collect()
    }

    /// An operation was accepted.
    pub(super) fn op(&mut self, shape: &Shape, case: &Case, issue: &Issue, progress: &Progress, index: usize) {
        let op = &issue.op;
        let plan = &progress.plan;
        if op.is_burst() {
            return;
        }
        if !plan.legal {
            self.illegal(op);
            return;
        }
        let (k, mask) = (kind(op), shape.lane_mask());
        let active = plan.active.count_ones() as usize;
        let shape_of_mask = match active {
            0 => 0,
            n if n == shape.lanes => 4,
            1 => 1,
            n if n + 1 == shape.lanes => 3,
            _ => 2,
        };
        self.hit(Clause::ComInactive, &[k, shape_of_mask]);
        let helpers = issue.lanes.helper & issue.lanes.active & mask;
        if helpers != 0 {
            self.hit(Clause::ComHelper, &[k, usize::from(helpers == mask)]);
        }
        let predicate = issue.lanes.predicate & mask;
        let space = if predicate == mask { 0 } else { 1 + usize::from(predicate != 0) };
        self.hit(Clause::Spa5Space, &[k, space]);
        let cop = usize::from(if k == 1 {
            [4, 1, 5, 6].iter().position(|&code| code == op.attr.cache_op).unwrap_or(0) as u8
        } else {
            op.attr.cache_op & 3
        });
        self.hit(Clause::ComAttr, &[k, cop]);
        if plan.memory != 0 {
            self.hit(Clause::PortGroup, &[k, bucket(plan.requests.len())]);
        }
        if plan.shared != 0 {
            self.hit(Clause::PortSpad, &[k, usize::from(plan.memory != 0)]);
            self.hit(Clause::PortBank, &[k, bucket(progress.bank_cycles as usize)]);
        }
        if op.access_bytes() > 4 && plan.memory | plan.shared != 0 {
            self.hit(Clause::Spa5Multi, &[k, usize::from(op.access_bytes() == 16), usize::from(plan.memory == 0)]);
        }
        if let Some(crate::isa::Inst::Spa5(inst)) = issue.inst {
            self.hit(Clause::Spa5Size, &[k, usize::from(inst.size & 7)]);
            if inst.rd == crate::isa::spa5::RZ {
                self.hit(Clause::Spa5Rz, &[k, size(op)]);
            }
            if inst.e && inst.ra == 254 {
                self.hit(Clause::Spa5EaPair, &[4]);
            }
        }
        if k == 1 {
            self.same_byte(plan, shape);
        }
        self.own(issue, plan);
        for lane in [index % shape.lanes, (index / shape.lanes + 7 * index + 3) % shape.lanes] {
            if plan.active >> lane & 1 == 1 {
                self.lane(case, issue, plan, lane);
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

    fn same_byte(&mut self, plan: &Plan, shape: &Shape) {
        for (place, lanes) in [plan.memory, plan.shared].into_iter().enumerate() {
            let first = lanes.trailing_zeros() as usize;
            if first < shape.lanes {
                let same =
                    (first..shape.lanes).filter(|&lane| lanes >> lane & 1 == 1 && plan.addr[lane] == plan.addr[first]);
                match same.count() {
                    0 | 1 => {}
                    2 => self.hit(Clause::ComSameaddr, &[place, 0]),
                    _ => self.hit(Clause::ComSameaddr, &[place, 1]),
                }
            }
        }
    }

    fn own(&mut self, issue: &Issue, plan: &Plan) {
        let warp = usize::from(issue.op.warp & 7);
        if !is_load(&issue.op) {
            let (stores, bytes) = self.recent.stores[warp].get_or_insert_with(Default::default);
            (stores.memory, stores.shared, stores.addr) = (plan.memory, plan.shared, plan.addr);
            *bytes = u64::from(issue.op.access_bytes());
            return;
        }
        let Some((stores, _)) = &self.recent.stores[warp] else { return };
        let same = |lanes: u32| {
            (0..self.shape.lanes).any(|lane| lanes >> lane & 1 == 1 && stores.addr[lane] == plan.addr[lane])
        };
        let (memory, shared) = (same(stores.memory & plan.memory), same(stores.shared & plan.shared));
        if memory {
            self.hit(Clause::ComOwn, &[0]);
        }
        if shared {
            self.hit(Clause::ComOwn, &[1]);
        }
    }

    fn lane(&mut self, case: &Case, issue: &Issue, plan: &Plan, lane: usize) {
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
        self.hit(Clause::Spa5Align, &[k, size, (ea % bytes) as usize, usize::from(case.ctrl.trap_misaligned)]);
        let aligned = ea - ea % bytes;
        let predicate = issue.lanes.predicate >> lane & 1 == 1;
        if aligned >> 40 == 0 {
            self.place(case, op, aligned, predicate);
        }
        self.oob(case, op, plan, aligned, predicate);
    }

    fn place(&mut self, case: &Case, op: &Op, aligned: u64, predicate: bool) {
        let (k, size, bytes) = (kind(op), size(op), u64::from(op.access_bytes()));
        let ctrl = &case.ctrl;
        let windows = [ctrl.local_window, ctrl.shared_window].map(|window| relation::to(window, aligned, bytes));
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
        let edges = windows.map(|relation| relation.edge());
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

    fn oob(&mut self, case: &Case, op: &Op, plan: &Plan, aligned: u64, predicate: bool) {
        let ctrl = &case.ctrl;
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
        let all = plan.memory | plan.shared == 0;
        self.hit(Clause::Spa5Oob, &[kind(op), why, usize::from(all)]);
    }

    /// A data beat was taken; `accepted` operations were before it.
    #[inline]
    pub(super) fn data(&mut self, op: usize, accepted: usize, beats: usize) {
        let count = [0, 0, 1, 1, 2][beats.min(4)];
        self.hit(Clause::PortData, &[usize::from(op < accepted), count]);
    }

    /// A request was accepted.
    #[inline]
    pub(super) fn request(&mut self, env: &Environment, seen: &Seen, progress: &Progress, number: usize) {
        self.events += 1;
        if self.events % SAMPLED != 0 {
            return;
        }
        let request = &progress.plan.requests[number];
        let k = usize::from(seen.kind);
        self.hit(Clause::PortReq, &[k, usize::from(seen.space == 3)]);
        let lanes = request.lanes.count_ones() as usize;
        self.hit(Clause::PortMin, &[k, if lanes == self.shape.lanes { 3 } else { lanes.min(3) - 1 }]);
        let flying = env.flights.len();
        let ids = if flying + 1 >= self.shape.pending { 2 } else { usize::from(flying + 1 > self.shape.pending / 2) };
        self.hit(Clause::PortId, &[ids]);
        let mut warps = 0u8;
        for flight in &env.flights {
            if flight.line == seen.line && (flight.write || k == 1) {
                if flight.byte_enable & seen.byte_enable == 0 {
                    self.hit(Clause::PortHazard, &[1]);
                } else {
                    self.hit(Clause::PortHazard, &[0]);
                }
            }
            warps |= 1 << (flight.warp & 7);
        }
        self.hit(Clause::PortOrder, &[usize::from((warps | 1 << (seen.warp & 7)).count_ones() > 1)]);
    }

    /// An answer was taken.
    #[inline]
    pub(super) fn response(&mut self, env: &Environment, offer: Offer) {
        if self.events % SAMPLED != 0 {
            return;
        }
        let flight = &env.flights[offer.flight];
        let overtakes = env.flights.iter().any(|other| other.sequence < flight.sequence && !other.answered);
        let kind = if !flight.write { 0 } else { 1 + usize::from(!offer.last || !offer.first) };
        self.hit(Clause::PortRsp, &[kind, usize::from(overtakes)]);
    }

    /// A write-back beat was taken.
    #[inline]
    pub(super) fn beat(&mut self, beat: &Beat, progress: &Progress, issue: &Issue) {
        let partial = usize::from(beat.mask != progress.plan.active);
        let count = [0, 0, 1, 1, 2][(issue.op.registers().count_ones() as usize).min(4)];
        self.hit(Clause::PortWb, &[count, partial]);
        let sub = u32::from(issue.op.element_bytes) * 8;
        if sub < 32 && !issue.op.is_burst() {
            let signed = usize::from(issue.op.sign_extend);
            let lane = beat.mask.trailing_zeros() as usize;
            let top = beat.data[lane] >> (sub - 1) & 1;
            self.hit(Clause::Spa5Ext, &[usize::from(sub == 16) * 2 + signed, top as usize]);
        }
    }

    /// An operation is done.
    pub(super) fn done(&mut self, case: &Case, issue: &Issue, progress: &Progress, index: usize, warps: usize) {
        let past = self.recent.youngest_done.is_some_and(|youngest| index < youngest);
        self.recent.youngest_done = Some(self.recent.youngest_done.map_or(index, |youngest| youngest.max(index)));
        self.hit(Clause::PortDone, &[usize::from(past)]);
        self.hit(Clause::PortProgress, &[0]);
        self.hit(
            Clause::PortOp,
            &[match warps {
                0 | 1 => 0,
                2..=4 => 1,
                _ => 2,
            }],
        );
        let plan = &progress.plan;
        let bus = plan.faults.iter().fold((0, 0), |(bus, all), &fault| (bus + u32::from(fault == Fault::Bus), all + 1));
        let k = kind(&issue.op);
        if bus.0 > 0 {
            self.hit(Clause::ComBuserr, &[k, usize::from(bus.0 == plan.active.count_ones())]);
        }
        if case.ctrl.trap_misaligned && plan.legal && !issue.op.is_burst() {
            let lane = index % self.shape.lanes;
            let [low, ..] = issue.lanes.addr[lane];
            let ea = if issue.op.addr_mode == AddrMode::Abs as u8 {
                issue.op.imm as u32
            } else {
                low.wrapping_add(issue.op.imm as u32)
            };
            if plan.active >> lane & 1 == 1 && ea % issue.op.access_bytes() != 0 {
                let which = match plan.faults[lane] {
                    Fault::Bus => 1,
                    Fault::Window => 2,
                    Fault::Allocation => 3,
                    _ => 0,
                };
                self.hit(Clause::ComFault, &[k, which]);
            }
        }
    }

    /// A port was stalled while it offered: 0 mem_req, 1 wb, 2 done.
    #[inline]
    pub(super) fn hold(&mut self, port: usize) {
        self.hit(Clause::PortHold, &[port]);
    }

    /// A reset, with or without operations in flight.
    pub(super) fn reset(&mut self, dirty: bool) {
        self.hit(Clause::PortReset, &[usize::from(dirty)]);
    }

    /// A directed stream reached its rate.
    pub(super) fn rate(&mut self, rate: Rate, issues: &[Issue]) {
        let k = issues.first().map_or(0, |issue| kind(&issue.op));
        match rate {
            Rate::Requests => self.hit(Clause::PortRate, &[0, k]),
            Rate::Operations => self.hit(Clause::PortRate, &[1, k]),
            Rate::Banks(_) => {}
        }
    }

    /// The front end refused an instruction, as it must.
    pub(super) fn refused(&mut self, refusal: &super::stimulus::Refusal) {
        if refusal.expected == Clause::Spa5EaPair {
            self.hit(Clause::Spa5EaPair, &[refusal.which]);
        }
    }
}
