// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a campaign has exercised, clause by clause.
//!
//! The bins of a clause are the product of its dimensions, less the combinations that the rule itself makes impossible.
//! Hits are samples: rules about lanes look at two lanes of each operation, a different pair each time, and rules about
//! other requests in flight look at every fourth request.

use crate::{
    clause::Clause,
    model::Plan,
    op::{AddrMode, Fault, Rule, Semantics, Shape},
};

use super::{
    contract::{Contract, Rate},
    fair::Turn,
    flight::{Answered, Flights},
    log::{Beat, Issue, Port, Seen},
    scoreboard::{Progress, Scoreboard},
};

mod bins;
mod bits;
mod rows;
mod table;

pub use bins::Dimension;
use bins::is_too_small;
pub(crate) use bins::{Bins, IDS, SILENCES, WARP, WARPS, bucket, executing, kind, size};
pub use bits::Bits;
pub use rows::Row;

/// One request in this many is looked at.
const SAMPLED: u64 = 4;
/// The most dimensions that the bins of a clause have.
const DIMENSIONS: usize = 4;

#[derive(Clone)]
struct Axis {
    rule: Rule,
    clause: Clause,
    dimensions: &'static [Dimension],
    first: usize,
}

/// The location of a clause's bins: the first bin and, by dimension, the distance between neighbouring indices. If a
/// rule has fewer dimensions of a clause than other rules have, the last indices are ignored.
#[derive(Clone, Copy, Default)]
struct Way {
    first: Option<u32>,
    dimensions: usize,
    strides: [u32; DIMENSIONS],
}

impl Axis {
    /// The index of a bin in each dimension.
    fn at(&self, bin: usize) -> Vec<usize> {
        let mut at = vec![0; self.dimensions.len()];
        let mut rest = bin;
        for (index, dimension) in at.iter_mut().zip(self.dimensions).rev() {
            *index = rest % dimension.len();
            rest /= dimension.len();
        }
        at
    }

    /// Whether the rule or the size of the unit makes a bin impossible.
    fn is_unreachable(&self, shape: &Shape, at: &[usize]) -> bool {
        let mut values = self.dimensions.iter().zip(at);
        values.any(|(dimension, &at)| is_too_small(shape, dimension, at))
            || self.rule.is_unreachable(self.clause, shape, at)
    }
}

/// The hits of every bin.
#[derive(Clone)]
pub struct Coverage {
    axes: Vec<Axis>,
    /// By address rule and clause.
    ways: Vec<Way>,
    /// The address rule whose bins are hit.
    pub(crate) now: Rule,
    /// The address rules of the case's operations, as far as they are known.
    present: Vec<Rule>,
    hits: Vec<u64>,
    pub(crate) shape: Shape,
    pub(crate) recent: Recent,
    /// The number of requests, for sampling.
    events: u64,
}

/// As much of the past as bins about order need: the last store of each warp, and the youngest completed operation.
#[derive(Clone, Default)]
pub(crate) struct Recent {
    pub(crate) stores: [Option<(Plan, Rule)>; 8],
    /// By buffer that a read can name: the last write, and its warp.
    pub(crate) bursts: [Option<(Plan, usize)>; 3],
    youngest_done: Option<usize>,
}

/// The clauses of which an address rule's operations have bins.
pub fn clauses(rule: Rule) -> impl Iterator<Item = Clause> {
    rule.table().iter().map(|&(clause, _)| clause)
}

/// The index of a clause of an address rule in `ways`.
fn place(rule: Rule, clause: Clause) -> usize {
    rule as usize * Clause::ALL.len() + clause as usize
}

impl Coverage {
    /// Coverage without hits, for a unit of this shape.
    pub fn new(shape: &Shape) -> Self {
        let mut first = 0;
        let mut ways = vec![Way::default(); Clause::ALL.len() * Rule::ALL.len()];
        let mut axes = Vec::new();
        for &rule in Rule::ALL {
            for &(clause, dimensions) in rule.table() {
                axes.push(Axis { rule, clause, dimensions, first });
                let way = &mut ways[place(rule, clause)];
                (way.first, way.dimensions) = (Some(first as u32), dimensions.len());
                let mut bins = 1;
                for (stride, dimension) in way.strides[..dimensions.len()].iter_mut().zip(dimensions).rev() {
                    *stride = bins as u32;
                    bins *= dimension.len();
                }
                first += bins;
            }
        }
        let (hits, recent, present) = (vec![0; first], Recent::default(), Vec::new());
        Coverage { axes, ways, now: Rule::ALL[0], present, hits, shape: *shape, recent, events: 0 }
    }

    #[inline]
    pub(crate) fn hit(&mut self, clause: Clause, at: &[usize]) {
        let Way { first: Some(first), dimensions, strides } = self.ways[place(self.now, clause)] else {
            unreachable!("the table of {} (its folder's bins) lacks {clause}", self.now);
        };
        debug_assert!(self.is_bin(clause, at), "{clause}: no bin {at:?}");
        let mut bin = first as usize;
        // A missing index is a bug, and must not pass unnoticed.
        for (dimension, stride) in strides.iter().enumerate().take(dimensions) {
            bin += *stride as usize * at[dimension];
        }
        self.hits[bin] += 1;
    }

    /// Whether the current rule has a bin of the clause at these indices.
    fn is_bin(&self, clause: Clause, at: &[usize]) -> bool {
        let mut axes = self.axes.iter().filter(|axis| (axis.rule, axis.clause) == (self.now, clause));
        axes.any(|axis| {
            at.len() >= axis.dimensions.len() && axis.dimensions.iter().zip(at).all(|(values, &at)| at < values.len())
        })
    }

    /// Hits a bin by kind and index. Under a rule that has only stores, no bin tells the kind.
    #[inline]
    pub(crate) fn hit_of_kind(&mut self, clause: Clause, kind: usize, at: usize) {
        if self.now.stores_only() { self.hit(clause, &[at]) } else { self.hit(clause, &[kind, at]) }
    }

    /// Whether the current rule has bins of a clause.
    fn has(&self, clause: Clause) -> bool {
        self.ways[place(self.now, clause)].first.is_some()
    }

    /// Adds the hits of another bench. Addition commutes, so the order of jobs does not show.
    pub fn merge(&mut self, other: &Coverage) {
        for (mine, theirs) in self.hits.iter_mut().zip(&other.hits) {
            *mine += theirs;
        }
    }

    /// Forgets the case before. `issues` are the operations of the next one, as far as they are known.
    pub fn start(&mut self, issues: &[Issue]) {
        self.recent = Recent::default();
        let has = |&rule: &Rule| issues.iter().any(|issue| issue.op.rule() == rule);
        self.present = Rule::ALL.iter().copied().filter(has).collect();
        // The sample must not depend on the cases that the same bench ran before.
        self.events = 0;
    }

    /// Forgets what is in flight, as after a reset in the middle of a log.
    pub(crate) fn forget(&mut self) {
        self.recent = Recent::default();
    }

    /// An operation was accepted.
    pub(crate) fn op(&mut self, contract: &Contract, issue: &Issue, board: &Scoreboard, index: usize) {
        self.now = issue.op.rule();
        if !self.present.contains(&self.now) {
            self.present.push(self.now);
        }
        self.now.accepted(self, contract, issue, board, index);
    }

    /// A data beat of operation `op` was taken, when `accepted` operations had been accepted.
    #[inline]
    pub(crate) fn data(&mut self, issue: &Issue, op: usize, accepted: usize, beats: usize) {
        self.now = issue.op.rule();
        let count = [0, 0, 1, 1, 2][beats.min(4)];
        let after = usize::from(op < accepted);
        self.hit(Clause::PortData, &[after, count]);
    }

    /// A request was accepted.
    #[inline]
    pub(crate) fn request(
        &mut self,
        flights: &Flights,
        seen: &Seen,
        issue: &Issue,
        progress: &Progress,
        number: usize,
    ) {
        self.now = issue.op.rule();
        self.events += 1;
        if !self.events.is_multiple_of(SAMPLED) {
            return;
        }
        let Some(request) = progress.plan.requests.get(number) else { return };
        let k = usize::from(seen.writes());
        let lanes = request.lanes.count();
        let share = if lanes == self.shape.lanes { 3 } else { lanes.min(3) - 1 };
        self.hit(Clause::PortReq, &self.now.requested(issue, seen, k));
        self.hit_of_kind(Clause::PortMin, k, share);
        let flying = flights.len();
        let ids = if flying + 1 >= self.shape.pending { 2 } else { usize::from(flying + 1 > self.shape.pending / 2) };
        self.hit(Clause::PortId, &[ids]);
        let mut warps = 0u8;
        let hazards = self.has(Clause::PortHazard);
        for flight in flights.iter() {
            if hazards && flight.line == seen.line && (flight.write || k == 1) {
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
        self.hit(Clause::PortOrder, &[several, mmio]);
    }

    /// An answer was taken.
    #[inline]
    pub(crate) fn response(&mut self, issues: &[Issue], board: &Scoreboard, answered: &Answered<'_>) {
        let flight = answered.flight;
        self.now = issues[flight.op].op.rule();
        if flight.exclusive {
            return self.now.pair_answered(self, issues, board, answered);
        }
        if !self.events.is_multiple_of(SAMPLED) {
            return;
        }
        let overtakes = board.flights.iter().any(|other| other.sequence < flight.sequence && !other.answered);
        let twice = usize::from(!answered.response.last || !answered.first);
        let kind = match flight.write {
            _ if self.now.stores_only() => twice,
            false => 0,
            true => 1 + twice,
        };
        self.hit(Clause::PortRsp, &[kind, usize::from(overtakes)]);
    }

    /// A write-back beat was taken.
    #[inline]
    pub(crate) fn beat(&mut self, beat: &Beat, progress: &Progress, issue: &Issue) {
        self.now = issue.op.rule();
        let partial = usize::from(beat.mask != progress.plan.active);
        let count = [0, 0, 1, 1, 2][(issue.op.registers().count_ones() as usize).min(4)];
        self.hit(Clause::PortWb, &[count, partial]);
        self.now.written_back(self, issue, beat);
    }

    /// An operation is done.
    pub(crate) fn done(&mut self, contract: &Contract, issue: &Issue, progress: &Progress, index: usize, warps: usize) {
        self.now = issue.op.rule();
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
        self.now.done(self, contract, issue, &progress.plan, index);
    }

    /// The bus errors of a completed operation.
    pub(crate) fn bus_errors(&mut self, issue: &Issue, plan: &Plan) {
        let bus = plan.faults.iter().filter(|&&fault| fault == Fault::Bus).count();
        if bus > 0 {
            self.hit_of_kind(Clause::ComBuserr, kind(&issue.op), usize::from(bus == plan.active.count()));
        }
    }

    /// The fault that a misaligned lane reports in the end, if it could report that it is misaligned.
    pub(crate) fn misaligned(&mut self, contract: &Contract, issue: &Issue, plan: &Plan, index: usize) {
        if !contract.ctrl.trap_misaligned || !plan.legal {
            return;
        }
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
            self.hit_of_kind(Clause::ComFault, kind(&issue.op), which);
        }
    }

    /// A port's offer was not taken.
    #[inline]
    pub(crate) fn hold(&mut self, port: Port) {
        for rule in 0..self.present.len() {
            self.now = self.present[rule];
            self.hit(Clause::PortHold, &[port as usize]);
        }
    }

    /// Some part of an operation moved after this many cycles without a handshake (PORT-PROGRESS).
    #[inline]
    pub(crate) fn silence(&mut self, issue: &Issue, cycles: u64) {
        let long = match cycles {
            0 => return,
            1..=3 => 0,
            4..=15 => 1,
            _ => 2,
        };
        self.now = issue.op.rule();
        self.hit(Clause::PortProgress, &[long]);
    }

    /// A pair or the queue got its turn at the memory port after others went before it.
    #[inline]
    pub(crate) fn turn(&mut self, turn: Turn) {
        for rule in 0..self.present.len() {
            self.now = self.present[rule];
            if self.has(Clause::PortFair) {
                self.hit(Clause::PortFair, &[turn as usize]);
            }
        }
    }

    /// A reset, with or without operations in flight.
    pub fn reset(&mut self, dirty: bool, issues: &[Issue]) {
        self.start(issues);
        for rule in 0..self.present.len() {
            self.now = self.present[rule];
            self.hit(Clause::PortReset, &[usize::from(dirty)]);
        }
    }

    /// A directed stream reached its rate.
    pub(crate) fn rate(&mut self, rate: Rate, issues: &[Issue]) {
        let Some(issue) = issues.first() else { return };
        self.now = issue.op.rule();
        let k = kind(&issue.op);
        let which = match rate {
            Rate::Requests => 0,
            Rate::Operations => 1,
            Rate::Banks(_) => return,
        };
        self.hit(Clause::PortRate, &[which, k]);
    }

    /// The front end refused an instruction, as it must. `which` is the kind of illegal encoding.
    pub fn refused(&mut self, rule: Rule, clause: Clause, which: usize) {
        self.now = rule;
        self.hit(clause, &[which]);
    }
}
