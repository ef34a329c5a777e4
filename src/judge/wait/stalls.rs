// SPDX-License-Identifier: MIT OR Apache-2.0
//! The cycles in which a beat or a completion waits to be taken, and a few after them. A unit may stand still meanwhile, as
//! its buffers fill and drain: these cycles do not count against it.
//!
//! ```text
//!      [beat waits==]--------->            [=]------>         [done waits===  (not taken yet)
//!  ----+-------------+--------+------------+--------+---------+------------>  cycles
//!  count               do not    count       do not   count     do not
//! ```

use super::GRANTED;

/// The number of times that are remembered at least.
const REMEMBERED: usize = 256;

/// The times that do not count.
#[derive(Default)]
pub struct Stalls {
    /// Ascending and apart, each from a cycle to before another.
    times: Vec<(u64, u64)>,
    /// No cycle before this one counts: what stalled there is forgotten.
    forgotten: u64,
    /// The last cycle in which something was taken that had waited.
    pub last: u64,
}

impl Stalls {
    /// Records what was taken in cycle `to` and had waited since cycle `from`. What piled up meanwhile takes as long
    /// again, at most `bound` cycles, and others may go first.
    #[cold]
    pub fn add(&mut self, (mut from, to): (u64, u64), bound: u64) {
        self.last = to;
        let mut until = to.saturating_add((to - from).min(bound)).saturating_add(GRANTED + 1);
        while let Some((first, over)) = self.times.pop_if(|&mut (_, over)| over >= from) {
            (from, until) = (from.min(first), until.max(over));
        }
        if self.times.len() == 2 * REMEMBERED {
            self.forgotten = self.times.drain(..REMEMBERED).next_back().map_or(0, |(_, over)| over);
        }
        self.times.push((from, until));
    }

    /// The cycles that count, from one to before another.
    pub fn count(&self, from: u64, to: u64) -> u64 {
        let from = from.max(self.forgotten).min(to);
        let next = self.times.partition_point(|&(_, over)| over <= from);
        let stalled = self.times[next..].iter().take_while(|time| time.0 < to);
        let lost: u64 = stalled.map(|&(first, over)| over.min(to) - first.max(from)).sum();
        to - from - lost
    }
}
