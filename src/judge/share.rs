// SPDX-License-Identifier: MIT OR Apache-2.0
//! PORT-FAIR, of write-back: a beat whose value is there comes soon, whatever others have to write back.
//!
//! ```text
//!     value   others that were there before   that came later     free     this one
//!  -----+-----------[===]-------------------------[===]--------------------[===+--->  cycles
//!                                                 count       count
//! ```
//!
//! Sources of beats may take turns: each of its own source that was there before may let one of every other go first.

use super::{
    contract::Contract,
    mismatch::{Field, Mismatch, Site},
    scoreboard::{Divergence, Origin, Ripened, Scoreboard},
};
use crate::clause::Clause;

/// Beats of which is remembered when they came.
const REMEMBERED: usize = 256;
/// Beats of other sources that one may let go first: values come from memory, the scratchpad and nobody.
const OTHERS: u64 = 2;

/// A beat that was taken.
#[derive(Clone, Copy, Default)]
struct Used {
    /// From its first offer to its handshake.
    from: u64,
    to: u64,
    /// Its value is there since then.
    since: u64,
    origin: Origin,
}

/// What came at the write-back port.
pub struct Share {
    used: Vec<Used>,
    beats: usize,
}

impl Default for Share {
    fn default() -> Self {
        Share { used: vec![Used::default(); REMEMBERED], beats: 0 }
    }
}

impl Share {
    /// A beat of an operation is taken, of which `board` has heard; it was offered first in the first of both cycles.
    #[inline]
    pub fn beat(
        &mut self,
        (from, to): (u64, u64),
        board: &Scoreboard,
        contract: &Contract,
        op: usize,
        ripened: Ripened,
    ) -> Result<(), Box<Divergence>> {
        let bound = contract.promises.latency.beats;
        let judges = || {
            let shown = board.sees_all() && !board.unseen().offers && !board.has_own_affairs();
            shown && contract.promises.keeps(Clause::PortFair)
        };
        let late = ripened.due.filter(|due| from > due.saturating_add(bound) && judges());
        let verdict = late.map_or(Ok(()), |due| self.late(from, (due, ripened.origin), bound, op));
        self.used[self.beats % REMEMBERED] = Used { from, to, since: ripened.since, origin: ripened.origin };
        self.beats += 1;
        verdict
    }

    /// Whether a beat that was offered first in a cycle had its share since another.
    #[cold]
    fn late(&self, from: u64, (due, origin): (u64, Origin), bound: u64, op: usize) -> Result<(), Box<Divergence>> {
        let (mut free, mut before, mut later, mut next) = (0, 0, 0, from);
        for back in 1..=self.beats.min(REMEMBERED) {
            let used = self.used[(self.beats - back) % REMEMBERED];
            if used.to <= due {
                break;
            }
            free += next.saturating_sub(used.to.saturating_add(1));
            next = used.from.max(due + 1);
            later += u64::from(used.since > due);
            before += u64::from(used.since <= due && used.origin == origin);
        }
        // What is no longer remembered was used throughout.
        if self.beats < REMEMBERED || self.used[self.beats % REMEMBERED].to <= due {
            free += next.saturating_sub(due + 1);
        }
        let bound = bound.saturating_add(OTHERS * before);
        if free + later <= bound {
            return Ok(());
        }
        // With the port free it is nobody's turn.
        let clause = if later >= free { Clause::PortFair } else { Clause::PortProgress };
        let m = Mismatch::new(clause, Some(op), Field::event(Site::Wb, ""));
        let expected =
            format!("within {bound} cycles of its value, in which the port is free or has what is there later");
        Err(m.values(expected, format!("after {}", free + later)).since(due).into())
    }
}
