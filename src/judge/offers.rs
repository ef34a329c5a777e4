// SPDX-License-Identifier: MIT OR Apache-2.0
//! The cycles since which the output ports offer what is not taken. Lateness is counted to the first offer.

use super::log::Port;

/// By port: the cycle in which its pending offer was first made.
#[derive(Default)]
pub struct Offers([Option<u64>; 3]);

impl Offers {
    /// Records that a port offers what is not taken in this cycle.
    #[inline]
    pub fn offer(&mut self, cycle: u64, port: Port) {
        self.0[port as usize].get_or_insert(cycle);
    }

    /// Whether a request is offered and not taken.
    pub fn requests(&self) -> bool {
        self.0[Port::Request as usize].is_some()
    }

    /// The cycle since which a beat or a completion is offered and not taken.
    #[inline]
    pub fn waits(&self) -> Option<u64> {
        let [beat, done] = [Port::Beat, Port::Done].map(|port| self.0[port as usize]);
        beat.map_or(done, |beat| Some(done.map_or(beat, |done| done.min(beat))))
    }

    /// Clears a port's offer, and returns the cycle in which it was first made: `cycle` if it did not wait.
    #[inline]
    pub fn taken(&mut self, cycle: u64, port: Port) -> u64 {
        self.0[port as usize].take().unwrap_or(cycle)
    }
}
