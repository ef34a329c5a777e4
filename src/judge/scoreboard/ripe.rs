// SPDX-License-Identifier: MIT OR Apache-2.0
//! PORT-FAIR: since when what is written back could have come.

use std::collections::VecDeque;

use super::{Beat, Progress, Scoreboard};
use crate::op::{GROUP_REGISTERS, LaneMask};

/// Where values come from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Origin {
    #[default]
    Memory,
    /// What no memory answers.
    Nobody,
    Scratchpad,
}

/// A beat that was taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ripened {
    pub origin: Origin,
    /// What it brings, or what of its operation came just before from there, is there since this cycle, or later if it is
    /// the scratchpad's.
    pub since: u64,
    /// It could have come from the next cycle on; none, if the log cannot tell.
    pub due: Option<u64>,
}

/// What of an operation is there to be written back, from one origin.
#[derive(Clone, Copy, Default)]
pub(super) struct Ripe {
    /// Lanes of registers.
    lanes: u32,
    /// Since when there are some, without a break.
    since: u64,
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

    fn taken(&mut self, lanes: LaneMask) {
        self.lanes = self.lanes.saturating_sub(lanes.count() as u32);
    }
}

impl Progress {
    /// A beat is taken; its lanes from the scratchpad are none of these.
    pub(super) fn written_back(&mut self, beat: &Beat) {
        let filled = self.filled(beat);
        self.from_nobody.taken(filled);
        self.from_memory.taken(beat.mask - self.plan.shared - filled);
    }

    /// The lanes of a beat that no memory answers.
    fn filled(&self, beat: &Beat) -> LaneMask {
        let of_register = self.plan.filled.iter().filter(|filled| filled.index == beat.register);
        of_register.fold(LaneMask::NONE, |lanes, filled| lanes | filled.lanes) & beat.mask
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
        if (progress.plan.shared & beat.mask).is_empty() {
            // The GPRs of a burst take a cycle each on their way.
            let (origin, ripe, way) = match progress.filled(beat).is_empty() {
                true => (Origin::Memory, progress.from_memory, 0),
                false => (Origin::Nobody, progress.from_nobody, u64::from(beat.register) / GROUP_REGISTERS as u64),
            };
            let due = ripe.since.saturating_add(way).max(progress.last_beat);
            return Ripened { origin, since: ripe.since, due: Some(due) };
        }
        let first = self.spad_line.ops.front().is_some_and(|&(op, _)| op == index) && progress.release.is_none();
        let made = self.spad_line.left.max(progress.taken).saturating_add(progress.bank_cycles.into());
        let due = first.then_some(made.max(progress.last_beat));
        Ripened { origin: Origin::Scratchpad, since: progress.taken, due }
    }
}
