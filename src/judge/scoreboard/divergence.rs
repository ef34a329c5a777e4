// SPDX-License-Identifier: MIT OR Apache-2.0
//! Events that do not agree, before it is known which rule they break.

use super::{Beat, Done, Mismatch, Pair, Seen};
use crate::{clause::Clause, op::LaneMask};

/// The first event that differs from what the model says, and what was known then.
#[derive(Clone)]
pub enum Divergence {
    /// A mismatch that names its rule already.
    Told(Box<Mismatch>),
    /// A request that differs from the next one of its operation.
    Request { op: usize, number: usize, seen: Box<Seen> },
    /// A request of an operation that has made all of its own.
    ExtraRequest { op: usize, seen: Box<Seen> },
    /// A request of `op` while an older operation of its warp has not made all of its own.
    Overtaken { op: usize, oldest: usize },
    /// A half of a pair with other bytes than the pair's.
    Half { op: usize, pair: Box<Pair>, seen: Box<Seen> },
    /// An exclusive write without a pair. `over` is the pair that was over before, if there was one.
    NoPair { op: usize, over: Option<Box<Pair>>, seen: Box<Seen> },
    /// A beat for lanes that must not be written back, or not now. `settled` are the lanes that may be.
    BeatLanes { op: usize, beat: Box<Beat>, settled: LaneMask },
    /// A beat with a wrong value in a lane.
    BeatData { op: usize, beat: Box<Beat>, lane: usize },
    /// A completion before its requests. There is a `clause` if not all that were made are answered.
    Early { op: usize, done: Box<Done>, clause: Option<(Clause, Option<Clause>)> },
    /// A beat that comes late, or seems to since one before it is missing.
    LateBeat { op: usize, told: Box<Mismatch> },
    /// A completion before lanes of a register were written back.
    MissingBeat { op: usize, register: usize, missing: LaneMask },
    /// A completion with a wrong outcome of a lane.
    Fault { op: usize, done: Box<Done>, lane: usize },
}

impl Divergence {
    /// The operation whose other deeds may tell which rule is broken.
    pub fn of(&self) -> Option<usize> {
        match *self {
            Divergence::Request { op, .. }
            | Divergence::ExtraRequest { op, .. }
            | Divergence::Overtaken { oldest: op, .. }
            | Divergence::BeatLanes { op, .. }
            | Divergence::BeatData { op, .. }
            | Divergence::Early { op, clause: None, .. }
            | Divergence::MissingBeat { op, .. }
            | Divergence::Fault { op, .. } => Some(op),
            _ => None,
        }
    }
}

impl From<Mismatch> for Box<Divergence> {
    fn from(mismatch: Mismatch) -> Self {
        Box::new(Divergence::Told(Box::new(mismatch)))
    }
}
