// SPDX-License-Identifier: MIT OR Apache-2.0
//! Lanes that store to one byte may do so in requests of their own, if the unit need not keep PORT-MIN. Which of them a
//! request is for shows only in its value.

use super::Bytes;
use crate::{
    clause::Clause,
    judge::{
        Promises,
        log::{Issue, Seen},
        scoreboard::Scoreboard,
        trail::origin,
    },
    op::{LaneMask, MAX_LINE_BYTES},
};

/// The lanes that store to a byte by one of the model's requests.
struct Sources {
    /// Those that may have been meant: one of them was, at least.
    some: LaneMask,
    all: LaneMask,
    /// Whether each lane may come in a request of its own.
    apart: bool,
}

impl Scoreboard {
    /// Whether a lane surely has a byte both in a write, which is `seen`, and in what another operation still has to
    /// request, or `made` so far.
    pub(super) fn surely_meets(
        &self,
        (promises, issues): (&Promises, &[Issue]),
        (write, seen): (Bytes, &Seen),
        other: Bytes,
        made: bool,
    ) -> bool {
        let sources = |of: Bytes, byte: usize, value: Option<u8>| {
            let apart = self.has_loose(of.0) && !promises.keeps(Clause::PortMin);
            self.sources(issues, of, byte, value.filter(|_| apart), apart)
        };
        let bytes = (0..MAX_LINE_BYTES).filter(|byte| (write.2 & other.2) >> byte & 1 == 1);
        bytes.into_iter().any(|byte| {
            let one = sources(write, byte, Some(seen.data[byte]));
            let left = self.left(other, byte).filter(|_| !promises.any_lane_order());
            let mut two = sources(other, byte, left);
            // All lanes of what is to come will come.
            two.apart &= made;
            match (one.apart, two.apart) {
                (false, false) => !(one.all & two.all).is_empty(),
                (true, false) => (one.some - two.all).is_empty(),
                (false, true) => (two.some - one.all).is_empty(),
                (true, true) => one.some == two.some && one.some.count() == 1,
            }
        })
    }

    /// The value that the requests so far leave in a byte of one of the model's requests, if it is the model's.
    fn left(&self, (op, number, _): Bytes, byte: usize) -> Option<u8> {
        let progress = self.op(op);
        let right = progress.loose.as_ref().map_or(0, |loose| loose.asked_right(number));
        (right >> byte & 1 == 1).then(|| progress.plan.requests[number].data[byte])
    }

    /// The lanes of one of the model's requests that store to a byte; if `value` is known, those that store this value.
    fn sources(
        &self,
        issues: &[Issue],
        (op, number, _): Bytes,
        byte: usize,
        value: Option<u8>,
        apart: bool,
    ) -> Sources {
        let (progress, issue) = (self.op(op), &issues[op]);
        let request = &progress.plan.requests[number];
        let addr = request.line + byte as u64;
        let all = origin::lanes(&issue.op, &progress.plan, request, addr);
        let stores = |lane: usize, value: u8| {
            origin::value(issue, &origin::of(&issue.op, &progress.plan, request, lane, addr)) == value
        };
        let some: LaneMask = match value.filter(|_| !progress.dataless) {
            Some(value) => all.iter().filter(|&lane| stores(lane, value)).collect(),
            None => all,
        };
        Sources { some: if some.is_empty() { all } else { some }, all, apart }
    }
}
