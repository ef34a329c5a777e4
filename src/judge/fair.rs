// SPDX-License-Identifier: MIT OR Apache-2.0
//! PORT-FAIR for pairs: a compare-and-store whose next half is due gets its turn at the memory port, and refused pairs
//! never keep other requests from the port.

use super::{
    log::Seen,
    mismatch::{Field, Mismatch, Site},
    scoreboard::{Divergence, Scoreboard, Step},
};
use crate::{clause::Clause, op::MAX_PENDING};

/// Requests that were taken while another waited for its turn.
pub struct Fair {
    /// By id: requests of others that were taken while the next half of this pair was due.
    passed: [u32; MAX_PENDING],
    /// The oldest operation that could have sent its next request, and the number of halves of pairs taken before it.
    halves: (usize, u32),
}

/// The holder of a turn at the memory port.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// A pair whose next half was due.
    Pair,
    /// The next request of an operation.
    Queue,
}

impl Default for Fair {
    fn default() -> Self {
        Fair { passed: [0; MAX_PENDING], halves: (usize::MAX, 0) }
    }
}

impl Fair {
    /// Judges a request that is taken, before `board` is told of it. Returns the turn that the request had waited for,
    /// if any: a pair's or the queue's. At most `patience` requests may go before one that is due.
    #[inline]
    pub fn request(&mut self, board: &Scoreboard, patience: u32, seen: &Seen) -> Result<Option<Turn>, Box<Divergence>> {
        if board.pairs().is_empty() {
            self.halves = (usize::MAX, 0);
            return Ok(None);
        }
        let mut turn = None;
        let mut continues = false;
        for pair in board.pairs() {
            let passed = &mut self.passed[usize::from(pair.id) % MAX_PENDING];
            // The half is not due before the pair's lanes can have acted.
            let due = matches!(pair.step, Step::ToWrite | Step::ToRepeat) && pair.since < board.cycle;
            if pair.id == seen.id || !due {
                continues |= pair.id == seen.id && due;
                turn = turn.or((continues && *passed > 0).then_some(Turn::Pair));
                *passed = 0;
                continue;
            }
            *passed += 1;
            if *passed > patience {
                let half = if pair.step == Step::ToWrite { "exclusive write" } else { "repeated exclusive read" };
                let m = Mismatch::new(Clause::PortFair, Some(pair.op), Field::event(Site::MemReq, ""));
                let expected =
                    format!("its {half}, due since cycle {}, before {patience} requests of others", pair.since);
                return Err(m.values(expected, "still to come").into());
            }
        }
        match continues.then(|| board.could_send()).flatten() {
            None => {
                let queue = !continues && self.halves.1 > 0;
                turn = turn.or(queue.then_some(Turn::Queue));
                self.halves = (usize::MAX, 0);
            }
            Some(op) if self.halves.0 != op => self.halves = (op, 1),
            Some(op) => {
                self.halves.1 += 1;
                if self.halves.1 > patience {
                    let m = Mismatch::new(Clause::PortFair, Some(op), Field::event(Site::MemReq, ""));
                    let expected = format!("its next request, which nothing holds, before {patience} halves of pairs");
                    return Err(m.values(expected, "still to come").into());
                }
            }
        }
        Ok(turn)
    }
}
