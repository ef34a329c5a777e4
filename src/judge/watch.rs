// SPDX-License-Identifier: MIT OR Apache-2.0
//! Somebody who looks on while a log is judged.

use super::{log::Beat, mismatch::Mismatch, scoreboard::Scoreboard};

/// What happens in a cycle, for those who draw it.
pub enum Shown<'a> {
    /// An operation is accepted.
    Op(usize),
    /// A request is accepted: the operation, and which of its requests the model has in its place.
    Request(usize, usize),
    /// A write-back beat is taken.
    Beat(usize, &'a Beat),
    /// A completion is taken.
    Done(usize),
}

/// Somebody who wants to see every event beside what was expected.
pub trait Watch {
    /// Called in the order of the log.
    fn event(&mut self, cycle: u64, event: &Shown<'_>, board: &Scoreboard);

    /// The first divergence.
    fn diverged(&mut self, mismatch: &Mismatch, board: &Scoreboard);
}
