// SPDX-License-Identifier: MIT OR Apache-2.0
//! What runs elements.

use std::{collections::BTreeSet, time::Duration};

use super::Error;

/// Shards that somebody works at.
pub struct Active {
    /// They run.
    pub running: BTreeSet<u64>,
    /// They will.
    pub waiting: BTreeSet<u64>,
}

impl Active {
    /// Whether nobody works at it.
    pub fn lacks(&self, shard: u64) -> bool {
        !self.running.contains(&shard) && !self.waiting.contains(&shard)
    }
}

/// Runs elements; whether they came to anything, their files say.
pub trait Engine {
    /// Shards that wait or run; none if nobody can tell now, and it is worth while to ask again.
    ///
    /// # Errors
    ///
    /// When nobody ever will.
    fn active(&mut self) -> Result<Option<Active>, Error>;

    /// Has these run: how many of them, the first ones. For the others it is worth while to ask again.
    ///
    /// # Errors
    ///
    /// When they are refused.
    fn submit(&mut self, shards: &[u64]) -> Result<usize, Error>;

    /// What becomes of them if the farm ends now, as the beginning of a sentence.
    fn leave(&mut self) -> String;

    /// How long to wait between two looks.
    fn pause(&self) -> Duration {
        Duration::from_millis(100)
    }
}
