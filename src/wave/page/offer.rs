// SPDX-License-Identifier: MIT OR Apache-2.0
//! An offer of a port until it is taken, and what the model expects at the same time.

use super::{group::Span, watched::At};

/// An offer of the unit that is not taken yet.
pub(super) struct Open<T> {
    pub since: u64,
    pub what: Option<T>,
}

impl<T> Default for Open<T> {
    fn default() -> Self {
        Open { since: 0, what: None }
    }
}

impl<T: PartialEq> Open<T> {
    /// Takes an offer. Returns the cycle since which it was offered.
    pub fn taken(&mut self, cycle: u64, what: &T) -> u64 {
        if self.what.take_if(|offered| offered == what).is_some() { self.since } else { cycle }
    }
}

/// The expectation for one of the cycles of a transfer, if there is one.
pub(super) fn expected<'e, T>(all: &'e [At<T>], next: &mut usize, when: Span) -> Option<&'e T> {
    while all.get(*next).is_some_and(|at| at.cycle < when.start) {
        *next += 1;
    }
    let found = all.get(*next).filter(|at| at.cycle < when.end)?;
    *next += 1;
    Some(&found.what)
}
