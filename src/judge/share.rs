// SPDX-License-Identifier: MIT OR Apache-2.0
//! PORT-FAIR at the write-back port: a beat comes soon after its value, whatever other operations write back.
//!
//! ```text
//!     value   others that were there before   that came later     free     this one
//!  -----+-----------[===]-------------------------[===]--------------------[===+--->  cycles
//!                                                 count       count
//! ```
//!
//! The sources of beats may take turns: for each earlier beat of the same source, one beat of every other source may go
//! first. A unit that does not keep PORT-FAIR may wait for whatever others do; alone, its beats are timed all the same
//! (PORT-PROGRESS).

use super::{
    contract::Contract,
    mismatch::{Field, Mismatch, Site},
    scoreboard::{Divergence, Origin, Ripened, Scoreboard},
};
use crate::clause::Clause;

/// The number of beats that are remembered.
const REMEMBERED: usize = 256;
/// The number of other sources, of which one beat each may go first. The three sources are memory, the scratchpad, and
/// no access at all.
const OTHERS: u64 = 2;

/// A beat that was taken.
#[derive(Clone, Copy, Default)]
struct Used {
    /// The cycles of its first offer and of its handshake.
    from: u64,
    to: u64,
    /// The cycle since which its value has been available.
    since: u64,
    origin: Origin,
}

/// The beats at the write-back port.
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
    /// Judges a beat that is taken, after `board` was told of it. `from` is the cycle of its first offer, `to` that of
    /// its handshake.
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
        let judges = || board.sees_all() && !board.unseen().offers;
        let late = ripened.due.filter(|due| from > due.saturating_add(bound) && judges());
        let fair = contract.promises.keeps(Clause::PortFair);
        let late = if fair { late } else { late.and_then(|due| Some(due.max(board.alone_since(op)?))) };
        let verdict = late.map_or(Ok(()), |due| self.late((from, due), (board, contract, op), ripened.origin));
        self.used[self.beats % REMEMBERED] = Used { from, to, since: ripened.since, origin: ripened.origin };
        self.beats += 1;
        verdict
    }

    /// Judges a beat that was first offered in cycle `from`, and whose value was available in cycle `due`.
    #[cold]
    fn late(
        &self,
        (from, due): (u64, u64),
        (board, contract, op): (&Scoreboard, &Contract, usize),
        origin: Origin,
    ) -> Result<(), Box<Divergence>> {
        let bound = contract.promises.latency.beats;
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
        // Before the oldest beat that is remembered, the port counts as used.
        if self.beats < REMEMBERED || self.used[self.beats % REMEMBERED].to <= due {
            free += next.saturating_sub(due + 1);
        }
        // Turns of others are beats. They excuse no cycle in which the port is free.
        let others = later.saturating_sub(OTHERS * before);
        if free + others <= bound {
            return Ok(());
        }
        // If the port was mostly free, no other beat was in the way. A scratchpad that takes all words one by one,
        // up to four of each lane, needs no longer than this.
        let one_by_one = 4 * board.op(op).plan.shared.count() as u64;
        let clause = match origin {
            _ if others >= free => Clause::PortFair,
            Origin::Scratchpad if contract.promises.keeps(Clause::PortBank) && free <= bound + one_by_one => {
                Clause::PortBank
            }
            _ => Clause::PortProgress,
        };
        let m = Mismatch::new(clause, Some(op), Field::event(Site::Wb, ""));
        let expected =
            format!("within {bound} cycles of its value, in which the port is free or has what is there later");
        let told = Box::new(m.values(expected, format!("after {}", free + others)).since(due));
        Err(Box::new(Divergence::LateBeat { op, told }))
    }
}
