// SPDX-License-Identifier: MIT OR Apache-2.0
//! Counts of what was judged.

use serde::{Deserialize, Serialize};

/// The counts of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Figures {
    /// Operations completed and compared.
    pub operations: u64,
    /// Clock cycles.
    pub cycles: u64,
    /// Memory requests.
    pub requests: u64,
    /// Values compared.
    pub comparisons: u64,
    /// Dwords whose history is explained by single atomic steps (SM5-CAS).
    pub histories: u64,
    /// Dwords whose history is too long to search for an order.
    pub histories_unsettled: u64,
    /// What the log did not show.
    pub unjudged: Unjudged,
}

/// Counts of what could not be judged because the log does not show it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Unjudged {
    /// Requests, beats and completions of operations that were accepted before the log begins.
    pub strangers: u64,
    /// Operations whose data beats were not seen, or cannot be told apart from those of others.
    pub dataless: u64,
    /// Compare-and-stores whose effect in memory is not known: their data beats were not seen, or they make their
    /// resource undefined and may then do any of several things.
    #[serde(default)]
    pub free: u64,
    /// Values loaded from bytes of the scratchpad to which no store is known.
    pub uninitialized: u64,
    /// Values loaded from bytes that the unit read several times, with different results.
    pub torn: u64,
    /// Operations that were in flight when the log ended.
    pub unfinished: u64,
    /// Operations that were in flight when a reset came.
    #[serde(default)]
    pub lost: u64,
}

impl Unjudged {
    /// Describes the torn values in words, if there are any.
    pub fn torn(&self) -> Option<String> {
        let what = if self.torn == 1 { "value" } else { "values" };
        (self.torn > 0)
            .then(|| format!("{} {what} from bytes that were read several times, with different answers", self.torn))
    }
}

impl std::ops::AddAssign for Figures {
    fn add_assign(&mut self, other: Self) {
        self.operations += other.operations;
        self.cycles += other.cycles;
        self.requests += other.requests;
        self.comparisons += other.comparisons;
        self.histories += other.histories;
        self.histories_unsettled += other.histories_unsettled;
        self.unjudged.strangers += other.unjudged.strangers;
        self.unjudged.dataless += other.unjudged.dataless;
        self.unjudged.free += other.unjudged.free;
        self.unjudged.uninitialized += other.unjudged.uninitialized;
        self.unjudged.torn += other.unjudged.torn;
        self.unjudged.unfinished += other.unjudged.unfinished;
        self.unjudged.lost += other.unjudged.lost;
    }
}
