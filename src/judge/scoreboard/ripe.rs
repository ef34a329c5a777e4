// SPDX-License-Identifier: MIT OR Apache-2.0
//! PORT-FAIR: the cycles since which beats could have come.

use std::collections::VecDeque;

use super::{Beat, Progress, Scoreboard};
use crate::op::{GROUP_REGISTERS, LaneMask};

/// The origin of a value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Origin {
    #[default]
    Memory,
    /// The value is known without an answer of memory.
    Nobody,
    Scratchpad,
}

/// The origin of a beat that was taken, and since when it could come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ripened {
    pub origin: Origin,
    /// The cycle since which the beat's value, or a value of the operation that came just before it from the same
    /// origin, is there. A value from the scratchpad may be there only later.
    pub since: u64,
    /// The beat could have come after this cycle. None if the log cannot tell.
    pub due: Option<u64>,
}

/// The values of an operation that are ready to be written back, from one origin.
#[derive(Clone, Copy, Default)]
pub(super) struct Ripe {
    /// The number of lanes, over all registers.
    lanes: u32,
    /// The cycle since which there have always been some.
    since: u64,
}

impl Ripe {
    /// Gives lanes of a register their value. Lanes that are settled already do not count again.
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
    /// Counts a beat that is taken. Its lanes from the scratchpad are not counted here.
    pub(super) fn written_back(&mut self, beat: &Beat) {
        let filled = self.filled(beat);
        self.from_nobody.taken(filled);
        self.from_memory.taken(beat.mask - self.plan.shared - filled);
    }

    /// The lanes of a beat for which no memory answers.
    fn filled(&self, beat: &Beat) -> LaneMask {
        let of_register = self.plan.filled.iter().filter(|filled| filled.index == beat.register);
        of_register.fold(LaneMask::NONE, |lanes, filled| lanes | filled.lanes) & beat.mask
    }
}

/// Scratchpad operations that are not over, in the order in which the scratchpad performs them (PORT-SPAD).
#[derive(Default)]
pub(super) struct SpadLine {
    /// Each with whether it is over; the first one never is.
    ops: VecDeque<(usize, bool)>,
    /// The cycle in which the operation before the first one was over.
    left: u64,
}

impl SpadLine {
    pub(super) fn push(&mut self, index: usize) {
        self.ops.push_back((index, false));
    }

    /// Records that everything that an operation does in the scratchpad has shown at a port.
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
    /// The origin of a beat that comes, and since when it could.
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
