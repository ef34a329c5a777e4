// SPDX-License-Identifier: MIT OR Apache-2.0
//! PORT-FAIR: since when what is written back could have come.

use std::collections::VecDeque;

use super::{Beat, Scoreboard};
use crate::op::LaneMask;

/// What of an operation is there to be written back, from memory or from nobody.
#[derive(Clone, Copy, Default)]
pub struct Ripe {
    /// Lanes of registers.
    lanes: u32,
    /// Since when there are some, without a break.
    since: u64,
}

/// Where values come from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Origin {
    #[default]
    Memory,
    Scratchpad,
    /// What no memory answers.
    Nobody,
}

/// A beat that was taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ripened {
    pub origin: Origin,
    /// What it brings, or what of its operation came just before, is there since this cycle, or later if it is the
    /// scratchpad's.
    pub since: u64,
    /// It could have come from the next cycle on; none, if the log cannot tell.
    pub due: Option<u64>,
}

impl Ripe {
    /// Lanes of a register get their value, besides those that are settled.
    pub(super) fn settle(&mut self, settled: &mut LaneMask, lanes: LaneMask, cycle: u64) {
        if self.lanes == 0 {
            self.since = cycle;
        }
        self.lanes += (lanes - *settled).count() as u32;
        *settled |= lanes;
    }

    /// Lanes of a register were written back.
    pub(super) fn taken(&mut self, lanes: LaneMask) {
        self.lanes = self.lanes.saturating_sub(lanes.count() as u32);
    }
}

/// Operations for the scratchpad that are not over, in the order in which it makes them (PORT-SPAD).
#[derive(Default)]
pub(super) struct SpadLine {
    /// And those behind the first that are over.
    ops: VecDeque<(usize, bool)>,
    /// The cycle in which the one before the first was over.
    left: u64,
}

impl SpadLine {
    pub(super) fn push(&mut self, index: usize) {
        self.ops.push_back((index, false));
    }

    /// All that an operation does there shows at a port.
    pub(super) fn over(&mut self, index: usize, cycle: u64) {
        let Some((_, over)) = self.ops.iter_mut().find(|(op, _)| *op == index) else { return };
        *over = true;
        while let Some((_, true)) = self.ops.front() {
            self.ops.pop_front();
            self.left = cycle;
        }
    }
}

impl Scoreboard {
    /// Of a beat that comes.
    pub(super) fn ripened(&self, index: usize, beat: &Beat) -> Ripened {
        let progress = self.op(index);
        let free = |&op: &usize| self.op(op).wild.is_some() || self.op(op).loose.is_some();
        let own = progress.loose.is_some() || self.running.iter().flatten().any(free);
        if (progress.plan.shared & beat.mask).is_empty() {
            let mut filled = progress.plan.filled.iter();
            let nobody = filled.any(|at| at.index == beat.register && !(at.lanes & beat.mask).is_empty());
            let origin = if nobody { Origin::Nobody } else { Origin::Memory };
            let since = progress.ripe.since;
            return Ripened { origin, since, due: (!own).then_some(since.max(progress.last_beat)) };
        }
        let first = self.spad_line.ops.front().is_some_and(|&(op, _)| op == index) && !progress.releases && !own;
        let made = self.spad_line.left.max(progress.taken).saturating_add(progress.bank_cycles.into());
        let due = first.then_some(made.max(progress.last_beat));
        Ripened { origin: Origin::Scratchpad, since: progress.taken, due }
    }
}
