// SPDX-License-Identifier: MIT OR Apache-2.0
//! What one run of the bench consists of: all of it data, so that it can be written down, replayed and shrunk.

mod check;

use serde::{Deserialize, Serialize};

pub use crate::judge::{
    Rate,
    log::{Foreign, Issue, lines::Bytes},
};
use crate::{
    judge::Contract,
    model::Memory,
    op::{Ctrl, Range, Shape},
};
pub use check::{CaseError, IssueError};

/// Operations, the memory they meet, and how the environment treats the unit.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    /// The parameters of the unit that the case is for.
    pub shape: Shape,
    /// The control registers.
    pub ctrl: Ctrl,
    /// Memory that nothing was written to holds a pseudo-random function of this and the address.
    pub memory_seed: u64,
    /// What memory starts with elsewhere.
    pub memory: Vec<Bytes>,
    /// What the scratchpad starts with; the rest is a function of the seed.
    pub shared: Vec<Bytes>,
    /// Lines that touch one of these answer with error (COM-BUSERR).
    pub bus_errors: Vec<Range>,
    /// The operations, in the order of the op port.
    pub issues: Vec<Issue>,
    /// The environment.
    pub schedule: Schedule,
    /// An operation is offered only when the one before it is done.
    pub serial: bool,
    /// Before these operations, ascending, is a flush: none is offered before all that is older is done and its last
    /// answers are taken (R700-FLUSH).
    pub flushes: Vec<usize>,
    /// Cycles to run, unjudged, before a reset starts the case proper (PORT-RESET).
    pub dirty_cycles: u32,
    /// What the case shows about speed, if it is a directed stream.
    pub rate: Option<Rate>,
}

/// How the environment treats the unit: when it stalls, when and how memory answers, who else writes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Schedule {
    /// By cycle, repeated: which ports stall, a bit each ([`stall`]). Empty: none ever.
    pub stalls: Vec<u8>,
    /// By accepted request, repeated. Empty: applied and answered at once.
    pub answers: Vec<Answer>,
    /// Accesses of another master, ascending by cycle.
    pub foreign: Vec<Foreign>,
    /// By compare-and-store, repeated: how many of its exclusive writes are refused before one is not (PORT-CAS). Empty:
    /// none, but those whose reservation is gone.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub refusals: Vec<u8>,
    /// Lines that touch one of these have no exclusives: the exclusive read fails.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub no_exclusives: Vec<Range>,
    /// Exclusive writes to lines that touch one of these answer with error (COM-BUSERR).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub write_errors: Vec<Range>,
}

/// Bits of [`Schedule::stalls`].
pub mod stall {
    /// No new operation is offered.
    pub const OP: u8 = 1;
    /// No new data beat is offered.
    pub const DATA: u8 = 2;
    /// Requests are not accepted.
    pub const REQ: u8 = 4;
    /// No new response is offered.
    pub const RSP: u8 = 8;
    /// Write-back beats are not taken.
    pub const WB: u8 = 16;
    /// Completions are not taken.
    pub const DONE: u8 = 32;
    /// Requests, beats and completions are taken only where they waited already: a ready that waits for its valid, as
    /// valid never waits for ready (PORT-HOLD).
    pub const SHY: u8 = 64;
}

/// What memory does with one request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Answer {
    /// Cycles from acceptance until it is applied.
    pub apply: u8,
    /// Cycles from then until the first answer is offered.
    pub answer: u8,
    /// The scope of a write's first answer; below `Sys` (3) a last one follows, and below `Gpu` (2) one for that scope
    /// before it, if `last` is even.
    pub scope: u8,
    /// Cycles from one answer to the next.
    pub last: u8,
}

impl Schedule {
    /// An environment that never stalls and answers in the next cycle.
    pub fn eager() -> Self {
        let answers = vec![Answer { scope: 3, ..Answer::default() }];
        Schedule { answers, ..Schedule::default() }
    }

    /// How many exclusive writes of the n-th compare-and-store are refused.
    pub fn refusals_of(&self, n: u64) -> u8 {
        match self.refusals.len() {
            0 => 0,
            len => self.refusals[(n % len as u64) as usize],
        }
    }

    /// What memory does with the n-th request.
    #[inline]
    pub fn answer(&self, n: u64) -> Answer {
        match self.answers.len() {
            0 => Answer { scope: 3, ..Answer::default() },
            len => self.answers[(n % len as u64) as usize],
        }
    }
}

impl Case {
    /// What the unit that plays it promises.
    pub fn contract(&self) -> Contract {
        Contract { rate: self.rate, ..Contract::new(self.shape, self.ctrl) }
    }

    /// Leaves operations out; a flush before one of them is one before the next.
    pub fn leave_out(&mut self, operations: std::ops::Range<usize>) {
        let (first, count) = (operations.start, operations.len());
        for flush in &mut self.flushes {
            *flush = if operations.contains(flush) { first } else { *flush };
            *flush -= if *flush > first { count } else { 0 };
        }
        self.issues.drain(operations);
        self.flushes.dedup();
        self.flushes.retain(|flush| *flush < self.issues.len());
    }

    /// Memory as the case starts it.
    pub fn start(&self) -> Memory {
        let mut memory = Memory::new(self.memory_seed);
        for bytes in &self.memory {
            memory.poke(bytes.addr, &bytes.bytes);
        }
        memory
    }
}
