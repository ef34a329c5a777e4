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
    /// The cycle since which the beat's value is there. One from the scratchpad may be there only later.
    pub since: u64,
    /// The beat could have come after this cycle. None if the log cannot tell.
    pub due: Option<u64>,
}

/// The values of an operation that are ready to be written back, from one origin: register, lanes, and since when.
#[derive(Clone, Default)]
pub(super) struct Ripe(Vec<(usize, LaneMask, u64)>);

impl Ripe {
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    /// Gives lanes of a register their value. Lanes that are `settled` already do not count again.
    pub(super) fn settle(&mut self, register: usize, settled: &mut LaneMask, lanes: LaneMask, cycle: u64) {
        let fresh = lanes - *settled;
        if !fresh.is_empty() {
            self.0.push((register, fresh, cycle));
        }
        *settled |= lanes;
    }

    /// Since when all of these are there.
    fn since(&self, register: usize, lanes: LaneMask) -> Option<u64> {
        let of = self.0.iter().filter(|(of, some, _)| *of == register && !(*some & lanes).is_empty());
        of.map(|&(_, _, since)| since).max()
    }

    fn taken(&mut self, register: usize, lanes: LaneMask) {
        self.0.retain_mut(|(of, some, _)| {
            if *of == register {
                *some -= lanes;
            }
            !some.is_empty()
        });
    }
}

impl Progress {
    /// Counts a beat that is taken. Its lanes from the scratchpad are not counted here.
    pub(super) fn written_back(&mut self, beat: &Beat) {
        let register = usize::from(beat.register);
        self.from_nobody.taken(register, beat.mask);
        self.from_memory.taken(register, beat.mask);
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
            let register = usize::from(beat.register);
            // The GPRs of a burst take a cycle each on their way.
            let (origin, ripe, way) = match progress.filled(beat).is_empty() {
                true => (Origin::Memory, &progress.from_memory, 0),
                false => (Origin::Nobody, &progress.from_nobody, (register / GROUP_REGISTERS) as u64),
            };
            let since = ripe.since(register, beat.mask);
            // A unit that requests bytes again may wait for all answers.
            let again = if progress.loose.is_some() { progress.last_answered } else { 0 };
            let due = since.filter(|_| progress.wild.is_none()).map(|since| since.saturating_add(way).max(again));
            return Ripened { origin, since: since.unwrap_or(progress.taken), due };
        }
        let due = self.made_in_scratchpad(index).filter(|_| progress.wild.is_none());
        Ripened { origin: Origin::Scratchpad, since: progress.taken, due }
    }

    /// The cycle in which the scratchpad has performed an operation, if it is the first there that is not over.
    pub(super) fn made_in_scratchpad(&self, index: usize) -> Option<u64> {
        let progress = self.op(index);
        let first = self.spad_line.ops.front().is_some_and(|&(op, _)| op == index) && progress.release.is_none();
        first.then(|| self.spad_line.left.max(progress.taken).saturating_add(progress.bank_cycles.into()))
    }
}
