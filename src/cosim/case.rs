// SPDX-License-Identifier: MIT OR Apache-2.0
//! One run of the bench as plain data, so that it can be written down, replayed and shrunk.

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
    /// Memory without a write holds a pseudo-random function of this seed and the address.
    pub memory_seed: u64,
    /// The initial contents of memory where they differ from that function.
    pub memory: Vec<Bytes>,
    /// The initial contents of the scratchpad; the rest is a function of the seed.
    pub shared: Vec<Bytes>,
    /// Lines that touch one of these answer with error (COM-BUSERR).
    pub bus_errors: Vec<Range>,
    /// The operations, in the order of the op port.
    pub issues: Vec<Issue>,
    /// The environment.
    pub schedule: Schedule,
    /// Whether each operation is offered only once the one before it is done.
    pub serial: bool,
    /// The operations that follow a flush, ascending. Such an operation is offered once all older operations are done
    /// and their last answers are taken (R700-FLUSH).
    pub flushes: Vec<usize>,
    /// Cycles to run, unjudged, before a reset starts the case proper (PORT-RESET).
    pub dirty_cycles: u32,
    /// The rate that the case must keep, if it is a directed stream.
    pub rate: Option<Rate>,
}

/// How the environment treats the unit: when it stalls, when and how memory answers, what other masters write.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Schedule {
    /// By cycle, repeated: the ports that stall, one bit each ([`stall`]). Empty: no port ever stalls.
    pub stalls: Vec<u8>,
    /// By accepted request, repeated. Empty: every request is applied and answered at once.
    pub answers: Vec<Answer>,
    /// Accesses of other masters, ascending by cycle.
    pub foreign: Vec<Foreign>,
    /// By compare-and-store, repeated: how many of its exclusive writes are refused before one is not (PORT-CAS).
    /// Empty: only those that have lost their reservation.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub refusals: Vec<u8>,
    /// Lines that touch one of these ranges do not support exclusives: an exclusive read fails.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub no_exclusives: Vec<Range>,
    /// Exclusive writes to lines that touch one of these ranges answer with error (COM-BUSERR).
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
    /// Requests, beats and completions are taken only if they have waited for a cycle: a ready that waits for its
    /// valid, which the unit must tolerate as valid never waits for ready (PORT-HOLD).
    pub const SHY: u8 = 64;
}

/// What memory does with one request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Answer {
    /// Cycles from acceptance until it is applied.
    pub apply: u8,
    /// Cycles from application until the first answer is offered.
    pub answer: u8,
    /// The scope of a write's first answer. Below `Sys` (3), further answers follow, each `1 + last % n` scopes wider than
    /// the one before; n is the number of scopes that are left.
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

    /// The answer to the n-th request.
    #[inline]
    pub fn answer(&self, n: u64) -> Answer {
        match self.answers.len() {
            0 => Answer { scope: 3, ..Answer::default() },
            len => self.answers[(n % len as u64) as usize],
        }
    }
}

impl Case {
    /// A bit for the n-th request that means nothing, for where any value will do. Programs, with seed 0, have none.
    pub(super) fn noise(&self, n: u64) -> bool {
        self.memory_seed >> (n % 64) & 1 == 1
    }

    /// The contract of the unit that plays the case.
    pub fn contract(&self) -> Contract {
        Contract { rate: self.rate, ..Contract::new(self.shape, self.ctrl) }
    }

    /// Leaves operations out. A flush before one of them moves to the next operation that stays.
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

    /// Memory as it is when the case starts.
    pub fn start(&self) -> Memory {
        let mut memory = Memory::new(self.memory_seed);
        for bytes in &self.memory {
            memory.poke(bytes.addr, &bytes.bytes);
        }
        memory
    }
}
