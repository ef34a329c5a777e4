// SPDX-License-Identifier: MIT OR Apache-2.0
//! What was judged, in numbers.

use serde::{Deserialize, Serialize};

/// What a run amounts to.
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
    /// Dwords whose history single atomic steps explain (SM5-CAS).
    pub histories: u64,
    /// Dwords whose history is too long to tell.
    pub histories_unsettled: u64,
    /// What the log did not show.
    pub unjudged: Unjudged,
}

/// What could not be judged, as the log does not show it, in numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Unjudged {
    /// Requests, beats and completions of operations from before the log.
    pub strangers: u64,
    /// Operations whose data beats were not seen or cannot be told apart.
    pub dataless: u64,
    /// Compare-and-stores of which it is not known what they do in memory: their data beats were not seen, or they make
    /// their resource undefined and need not do one thing.
    #[serde(default)]
    pub free: u64,
    /// Values that were loaded from bytes of the scratchpad that no store is known to have reached.
    pub uninitialized: u64,
    /// Values that were loaded from bytes that the unit read several times, with different values.
    pub torn: u64,
    /// Operations that were not over when the log ended.
    pub unfinished: u64,
    /// Operations that were not over when a reset came.
    #[serde(default)]
    pub lost: u64,
}

impl Unjudged {
    /// Of values that were read several times, in a sentence.
    pub fn torn(&self) -> Option<String> {
        let what = if self.torn == 1 { "value" } else { "values" };
        (self.torn > 0).then(|| format!("{} {what} from bytes that were read several times and differed", self.torn))
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
