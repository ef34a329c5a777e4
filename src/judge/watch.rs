// SPDX-License-Identifier: MIT OR Apache-2.0
//! Observers of a log that is judged.

use super::{log::Beat, mismatch::Mismatch, scoreboard::Scoreboard};

/// What happens in a cycle, for observers that draw it.
pub enum Shown<'a> {
    /// An operation is accepted.
    Op(usize),
    /// A request is accepted: the operation, and the number of the model's request that it matches.
    Request(usize, usize),
    /// A write-back beat is taken.
    Beat(usize, &'a Beat),
    /// A completion is taken.
    Done(usize),
}

/// An observer that sees every event beside what was expected.
pub trait Watch {
    /// Receives an event, in the order of the log.
    fn event(&mut self, cycle: u64, event: &Shown<'_>, board: &Scoreboard);

    /// Receives the first divergence.
    fn diverged(&mut self, mismatch: &Mismatch, board: &Scoreboard);
}
