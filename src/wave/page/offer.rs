// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a port offers until it is taken, and what the model has beside it.

use super::{group::Span, watched::At};

/// What the unit offers and nobody has taken yet.
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
    /// This is taken: since when it was offered.
    pub fn taken(&mut self, cycle: u64, what: &T) -> u64 {
        if self.what.take_if(|offered| offered == what).is_some() { self.since } else { cycle }
    }
}

/// What is expected in one of the cycles of a transfer, if anything is.
pub(super) fn expected<'e, T>(all: &'e [At<T>], next: &mut usize, when: Span) -> Option<&'e T> {
    while all.get(*next).is_some_and(|at| at.cycle < when.start) {
        *next += 1;
    }
    let found = all.get(*next).filter(|at| at.cycle < when.end)?;
    *next += 1;
    Some(&found.what)
}
