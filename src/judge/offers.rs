// SPDX-License-Identifier: MIT OR Apache-2.0
//! Since when the output ports offer what is not taken: who was late is told from the first offer.

use super::log::Port;

/// By port: the cycle in which what it shows was offered first.
#[derive(Default)]
pub struct Offers([Option<u64>; 3]);

impl Offers {
    /// A port offers what is not taken.
    #[inline]
    pub fn offer(&mut self, cycle: u64, port: Port) {
        self.0[port as usize].get_or_insert(cycle);
    }

    /// It is taken; the cycle in which it was offered first.
    #[inline]
    pub fn taken(&mut self, cycle: u64, port: Port) -> u64 {
        self.0[port as usize].take().unwrap_or(cycle)
    }
}
