// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a campaign has exercised, clause by clause.
//!
//! A clause's bins are the product of its dimensions, less the combinations that its own rule makes impossible. Rules
//! about lanes are looked at on two lanes of each operation, a different pair each time, and rules about what else is
//! in flight on every fourth request: hits are samples.

use crate::{
    clause::Clause,
    isa::Isa,
    model::Plan,
    op::{AddrMode, Fault, Kind, LaneMask, Op, ReqKind, Semantics, Shape, Space},
};

use super::{
    contract::{Contract, Rate},
    fair::Turn,
    flight::{Answered, Flights},
    log::{Beat, Issue, Port, Seen},
    scoreboard::{Progress, Scoreboard},
};

mod ptx;
mod r700;
mod sm5;
mod spa5;
mod table;
mod table_ptx;
mod table_r700;
mod table_sm5;

use table::Dimension;

/// One request in so many is looked at.
const SAMPLED: u64 = 4;

#[derive(Clone)]
struct Axis {
    isa: Isa,
    clause: Clause,
    dimensions: &'static [Dimension],
    first: usize,
}

/// Hits of every bin.
#[derive(Clone)]
pub struct Coverage {
    axes: Vec<Axis>,
    /// Place in `axes`, by instruction set and clause.
    of: Vec<usize>,
    /// The instruction set whose bins are hit.
    now: Isa,
    /// Those that the case has operations of.
    present: Vec<Isa>,
    hits: Vec<u64>,
    shape: Shape,
    recent: Recent,
    /// Requests, to sample them.
    events: u64,
}

/// Enough of the past to see orders: which stores a warp made last, how far the completions are.
#[derive(Clone, Default)]
struct Recent {
    stores: [Option<(Plan, Isa)>; 8],
    /// By buffer that reads name: the last write, and its warp.
    bursts: [Option<(Plan, usize)>; 3],
    youngest_done: Option<usize>,
}

/// One clause in a report.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Row {
    /// The instruction set.
    pub isa: Isa,
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

/// The clauses that operations of an instruction set have bins of.
pub fn clauses(isa: Isa) -> impl Iterator<Item = Clause> {
    bins(isa).iter().map(|&(clause, _)| clause)
}

/// Every clause that the bench can hit, and the dimensions of its bins.
fn bins(isa: Isa) -> &'static [(Clause, &'static [Dimension])] {
    match isa {
        Isa::Spa5 => table::TABLE,
        Isa::R700 => table_r700::TABLE,
        Isa::Ptx => table_ptx::TABLE,
        Isa::Sm5 => table_sm5::TABLE,
    }
}

/// Of a clause among those of all instruction sets.
fn place(isa: Isa, clause: Clause) -> usize {
    isa as usize * Clause::ALL.len() + clause as usize
}

/// Of the lanes that a unit has, how many execute: none, one, some, all but one, all.
fn executing(active: LaneMask, all: LaneMask) -> usize {
    match active.count() {
        0 => 0,
        n if n == all.count() => 4,
        1 => 1,
        n if n + 1 == all.count() => 3,
        _ => 2,
    }
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
        let mut of = vec![usize::MAX; Clause::ALL.len() * Isa::ALL.len()];
        let mut axes = Vec::new();
        for &isa in Isa::ALL {
            for &(clause, dimensions) in bins(isa) {
                of[place(isa, clause)] = axes.len();
                axes.push(Axis { isa, clause, dimensions, first });
                first += dimensions.iter().map(|dimension| dimension.len()).product::<usize>();
            }
        }
        let (hits, recent, present) = (vec![0; first], Recent::default(), Vec::new());
        Coverage { axes, of, now: Isa::Spa5, present, hits, shape: *shape, recent, events: 0 }
    }

    #[inline]
    fn hit(&mut self, clause: Clause, at: &[usize]) {
        let axis = &self.axes[self.of[place(self.now, clause)]];
        let mut bin = 0;
        for (dimension, index) in axis.dimensions.iter().zip(at) {
            debug_assert!(*index < dimension.len(), "{clause}: bin {index} of {dimension:?}");
            bin = bin * dimension.len() + index;
        }
        self.hits[axis.first + bin] += 1;
    }

    /// All that PTX and SM5 have are stores: their bins do not tell the kind.
    #[inline]
    fn hit_of_kind(&mut self, clause: Clause, kind: usize, at: usize) {
        match self.now {
            Isa::Ptx | Isa::Sm5 => self.hit(clause, &[at]),
            _ => self.hit(clause, &[kind, at]),
        }
    }

    /// Adds what another bench has hit. Addition commutes, so the order of jobs does not show.
    pub fn merge(&mut self, other: &Coverage) {
        for (mine, theirs) in self.hits.iter_mut().zip(&other.hits) {
            *mine += theirs;
        }
    }

    /// Forgets the past of the case before.
    pub fn start(&mut self, issues: &[Issue]) {
        self.recent = Recent::default();
        let has = |&isa: &Isa| issues.iter().any(|issue| issue.isa() == isa);
        self.present = Isa::ALL.iter().copied().filter(has).collect();
        // What is sampled must not depend on which cases the same bench ran before.
        self.events = 0;
    }

    /// A row for each clause of an instruction set, or of all.
    pub fn rows(&self, isa: Option<Isa>) -> Vec<Row> {
        let row = |axis: &Axis| {
            let count = axis.dimensions.iter().map(|dimension| dimension.len()).product();
            let mut row =
                Row { isa: axis.isa, clause: axis.clause.id().to_owned(), bins: 0, hit: 0, hits: 0, empty: Vec::new() };
            for bin in 0..count {
                let mut at = vec![0; axis.dimensions.len()];
                let mut rest = bin;
                for (index, dimension) in at.iter_mut().zip(axis.dimensions).rev() {
                    *index = rest % dimension.len();
                    rest /= dimension.len();
                }
                let unreachable = match axis.isa {
                    Isa::Spa5 => table::unreachable,
                    Isa::R700 => table_r700::unreachable,
                    Isa::Ptx => table_ptx::unreachable,
                    Isa::Sm5 => table_sm5::unreachable,
                };
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
        self.axes.iter().filter(|axis| isa.is_none_or(|isa| isa == axis.isa)).map(row).collect()
    }

    /// An operation was accepted.
    pub(super) fn op(&mut self, contract: &Contract, issue: &Issue, board: &Scoreboard, index: usize) {
        let (shape, progress) = (self.shape, board.op(index));
        self.now = issue.isa();
        match self.now {
            Isa::Spa5 => self.spa5(&shape, contract, issue, progress, index),
            Isa::R700 => self.r700(contract, issue, progress, index),
            Isa::Ptx => self.ptx(contract, issue, progress, &board.flights, index),
            Isa::Sm5 => self.sm5(contract, issue, board, index),
        }
    }

    /// A data beat was taken; `accepted` operations were before it.
    #[inline]
    pub(super) fn data(&mut self, issue: &Issue, op: usize, accepted: usize, beats: usize) {
        self.now = issue.isa();
        let count = [0, 0, 1, 1, 2][beats.min(4)];
        let after = usize::from(op < accepted);
        match self.now {
            Isa::Sm5 => self.hit(Clause::PortData, &[after]),
            _ => self.hit(Clause::PortData, &[after, count]),
        }
    }

    /// A request was accepted.
    #[inline]
    pub(super) fn request(
        &mut self,
        flights: &Flights,
        seen: &Seen,
        issue: &Issue,
        progress: &Progress,
        number: usize,
    ) {
        self.now = issue.isa();
        self.events += 1;
        if !self.events.is_multiple_of(SAMPLED) {
            return;
        }
        let Some(request) = progress.plan.requests.get(number) else { return };
        let k = usize::from([ReqKind::Write as u8, ReqKind::WriteExclusive as u8].contains(&seen.kind));
        let place = match self.now {
            Isa::Spa5 => usize::from(seen.space == Space::Local as u8),
            Isa::R700 => issue.op.slot.into(),
            Isa::Ptx => [0, 0, 0, 1, 0, 2, 3][usize::from(seen.space).min(6)],
            Isa::Sm5 => 0,
        };
        let lanes = request.lanes.count();
        let share = if lanes == self.shape.lanes { 3 } else { lanes.min(3) - 1 };
        match self.now {
            Isa::Sm5 => self.pair_sent(issue, k == 1),
            _ => self.hit_of_kind(Clause::PortReq, k, place),
        }
        self.hit_of_kind(Clause::PortMin, k, share);
        let flying = flights.len();
        let ids = if flying + 1 >= self.shape.pending { 2 } else { usize::from(flying + 1 > self.shape.pending / 2) };
        self.hit(Clause::PortId, &[ids]);
        let mut warps = 0u8;
        for flight in flights.iter() {
            if self.now != Isa::Sm5 && flight.line == seen.line && (flight.write || k == 1) {
                if flight.byte_enable & seen.byte_enable == 0 {
                    self.hit(Clause::PortHazard, &[1]);
                } else {
                    self.hit(Clause::PortHazard, &[0]);
                }
            }
            warps |= 1 << (flight.warp & 7);
        }
        let several = usize::from((warps | 1 << (seen.warp & 7)).count_ones() > 1);
        let mmio = usize::from(matches!(
            Semantics::from_code(issue.op.attr.semantics),
            Some(Semantics::Mmio | Semantics::MmioRelease)
        ));
        match self.now {
            Isa::Ptx => self.hit(Clause::PortOrder, &[several, mmio]),
            _ => self.hit(Clause::PortOrder, &[several]),
        }
    }

    /// An answer was taken.
    #[inline]
    pub(super) fn response(&mut self, issues: &[Issue], board: &Scoreboard, answered: &Answered<'_>) {
        let flight = answered.flight;
        if flight.exclusive {
            self.now = Isa::Sm5;
            return self.pair_answered(issues, board, answered);
        }
        if !self.events.is_multiple_of(SAMPLED) {
            return;
        }
        self.now = issues[flight.op].isa();
        let overtakes = board.flights.iter().any(|other| other.sequence < flight.sequence && !other.answered);
        let twice = usize::from(!answered.response.last || !answered.first);
        let kind = match (self.now, flight.write) {
            (Isa::Ptx, _) => twice,
            (_, false) => 0,
            _ => 1 + twice,
        };
        self.hit(Clause::PortRsp, &[kind, usize::from(overtakes)]);
    }

    /// A write-back beat was taken.
    #[inline]
    pub(super) fn beat(&mut self, beat: &Beat, progress: &Progress, issue: &Issue) {
        self.now = issue.isa();
        let partial = usize::from(beat.mask != progress.plan.active);
        let count = [0, 0, 1, 1, 2][(issue.op.registers().count_ones() as usize).min(4)];
        self.hit(Clause::PortWb, &[count, partial]);
        let sub = u32::from(issue.op.element_bytes) * 8;
        if sub < 32 && !issue.op.is_burst() {
            let signed = usize::from(issue.op.sign_extend);
            let lane = beat.mask.first().unwrap_or_default();
            let top = beat.data[lane] >> (sub - 1) & 1;
            self.hit(Clause::Spa5Ext, &[usize::from(sub == 16) * 2 + signed, top as usize]);
        }
    }

    /// An operation is done.
    pub(super) fn done(&mut self, contract: &Contract, issue: &Issue, progress: &Progress, index: usize, warps: usize) {
        self.now = issue.isa();
        let past = self.recent.youngest_done.is_some_and(|youngest| index < youngest);
        self.recent.youngest_done = Some(self.recent.youngest_done.map_or(index, |youngest| youngest.max(index)));
        self.hit(Clause::PortDone, &[usize::from(past)]);
        self.hit(
            Clause::PortOp,
            &[match warps {
                0 | 1 => 0,
                2..=4 => 1,
                _ => 2,
            }],
        );
        let plan = &progress.plan;
        let bus = plan.faults.iter().filter(|&&fault| fault == Fault::Bus).count();
        let k = kind(&issue.op);
        if self.now == Isa::Sm5 {
            return self.sm5_done(contract, issue, plan);
        }
        if bus > 0 {
            self.hit_of_kind(Clause::ComBuserr, k, usize::from(bus == plan.active.count()));
        }
        if issue.op.is_burst() {
            self.r700_done(issue, plan);
        }
        if contract.ctrl.trap_misaligned && plan.legal && !issue.op.is_burst() {
            let lane = index % self.shape.lanes;
            let [low, ..] = issue.lanes.addr[lane];
            let ea = if issue.op.addr_mode == AddrMode::Abs as u8 {
                issue.op.imm as u32
            } else {
                low.wrapping_add(issue.op.imm as u32)
            };
            if plan.active.contains(lane) && ea % issue.op.access_bytes() != 0 {
                let which = match plan.faults[lane] {
                    Fault::Bus => 1,
                    Fault::Window => 2,
                    Fault::Allocation => 3,
                    _ => 0,
                };
                self.hit_of_kind(Clause::ComFault, k, which);
            }
        }
    }

    /// A port was stalled while it offered.
    #[inline]
    pub(super) fn hold(&mut self, port: Port) {
        for isa in 0..self.present.len() {
            self.now = self.present[isa];
            self.hit(Clause::PortHold, &[port as usize]);
        }
    }

    /// After so many cycles without a handshake, something of an operation moved (PORT-PROGRESS).
    #[inline]
    pub(super) fn silence(&mut self, issue: &Issue, cycles: u64) {
        let long = match cycles {
            0 => return,
            1..=3 => 0,
            4..=15 => 1,
            _ => 2,
        };
        self.now = issue.isa();
        self.hit(Clause::PortProgress, &[long]);
    }

    /// Something got its turn at the memory port after others went before it.
    #[inline]
    pub(super) fn turn(&mut self, turn: Turn) {
        self.now = Isa::Sm5;
        self.hit(Clause::PortFair, &[turn as usize]);
    }

    /// A reset, with or without operations in flight.
    pub fn reset(&mut self, dirty: bool, issues: &[Issue]) {
        self.start(issues);
        for isa in 0..self.present.len() {
            self.now = self.present[isa];
            self.hit(Clause::PortReset, &[usize::from(dirty)]);
        }
    }

    /// A directed stream reached its rate.
    pub(super) fn rate(&mut self, rate: Rate, issues: &[Issue]) {
        let Some(issue) = issues.first() else { return };
        self.now = issue.isa();
        let k = kind(&issue.op);
        let which = match rate {
            Rate::Requests => 0,
            Rate::Operations => 1,
            Rate::Banks(_) => return,
        };
        match self.now {
            Isa::Ptx | Isa::Sm5 => self.hit(Clause::PortRate, &[which]),
            _ => self.hit(Clause::PortRate, &[which, k]),
        }
    }

    /// The front end refused an instruction of a set, as it must; which kind of illegal encoding it is.
    pub fn refused(&mut self, isa: Isa, which: usize) {
        self.now = isa;
        match isa {
            Isa::Spa5 => self.hit(Clause::Spa5EaPair, &[which]),
            Isa::R700 => self.hit(Clause::ComIllegal, &[r700::REFUSED + which]),
            Isa::Ptx | Isa::Sm5 => {}
        }
    }
}
