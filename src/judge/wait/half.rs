// SPDX-License-Identifier: MIT OR Apache-2.0
//! PORT-FAIR for pairs: the second half of a pair, or its first one again, comes soon after the answer that it waits for.
//!
//! Lanes that meet on a dword act one after the other first, and so may those of a pair whose half went before.

use super::Wait;
use crate::{
    clause::Clause,
    judge::{
        contract::Contract,
        mismatch::{Field, Mismatch, Site},
        scoreboard::{Divergence, Pair, Scoreboard},
    },
    op::Op,
};

impl Wait {
    /// Judges a half of a pair, which is request `request` of the log, or would be its next one: it was due within `bound`
    /// cycles, in which the port was free. `before` is the cycle in which a half of any pair was taken before it.
    pub fn half(
        &self,
        (request, before): (u32, u64),
        board: &Scoreboard,
        contract: &Contract,
        (pair, op): (&Pair, &Op),
        bound: u64,
    ) -> Result<(), Box<Divergence>> {
        let last = pair.since.max(self.placed(op)).max(before.saturating_add(board.meeting(pair)));
        let late = self.first(request) > last.saturating_add(bound);
        // An offer that was taken back does not tell when the half was offered.
        if !late || board.has_own_affairs() || !contract.promises.keeps(Clause::PortHold) {
            return Ok(());
        }
        let free = self.free_until(request, last);
        if free <= bound {
            return Ok(());
        }
        let m = Mismatch::new(Clause::PortFair, Some(pair.op), Field::event(Site::MemReq, "").request(pair.request));
        let expected = format!("a half of its pair within {bound} cycles, in which the port is free, of the answer");
        Err(m.values(expected, format!("after {free}")).since(pair.since).into())
    }
}
