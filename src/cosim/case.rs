// SPDX-License-Identifier: MIT OR Apache-2.0
//! What one run of the bench consists of: all of it data, so that it can be written down, replayed and shrunk.

mod check;

use serde::{Deserialize, Serialize};

use crate::{
    isa::{Inst, Isa},
    model::Register,
    op::{Ctrl, Lanes, Op, Range, Space, hex},
};

pub use check::{CaseError, IssueError, shape_of};

/// One operation as the bench issues it.
#[derive(Clone, Debug, PartialEq)]
pub struct Issue {
    /// The decoded operation; the bench sets the tag.
    pub op: Op,
    /// What differs between the lanes.
    pub lanes: Lanes,
    /// A store's registers, in the order of the data beats (PORT-DATA).
    pub data: Vec<Register>,
    /// The instruction that it was lowered from, if it comes from one.
    pub inst: Option<Inst>,
}

impl Issue {
    /// Whose operation it is, legal or not.
    pub fn isa(&self) -> Isa {
        use Space::{Buffer, Cluster, Generic, Global, Local, Param, Shared, Tgsm, Uav};
        match Space::from_code(self.op.space) {
            Some(Uav | Tgsm) => Isa::Sm5,
            _ if self.op.is_burst() => Isa::R700,
            Some(Buffer) => Isa::R700,
            Some(Generic | Global | Local | Shared | Cluster | Param) => Isa::Ptx,
            _ => Isa::Spa5,
        }
    }
}

/// Operations, the memory they meet, and how the environment treats the unit.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    /// Threads that an operation serves.
    pub lanes: usize,
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
    /// Cycles to run, unjudged, before a reset starts the case proper (PORT-RESET).
    pub dirty_cycles: u32,
    /// What the case shows about speed, if it is a directed stream.
    pub rate: Option<Rate>,
}

/// Bytes at an address.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bytes {
    /// Of the first byte.
    #[serde(with = "hex")]
    pub addr: u64,
    /// The bytes.
    pub bytes: Vec<u8>,
}

/// A directed stream without stalls, and what it must reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Rate {
    /// A request every cycle, from the first to the last (PORT-RATE).
    Requests,
    /// A done every cycle as well: one-register operations in one line each (PORT-RATE).
    Operations,
    /// A done every this many cycles: scratchpad operations of equal cost (PORT-BANK).
    Banks(u32),
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
}

/// What memory does with one request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Answer {
    /// Cycles from acceptance until it is applied.
    pub apply: u8,
    /// Cycles from then until the first answer is offered.
    pub answer: u8,
    /// The scope of a write's first answer; below `Sys` (3) a last one follows.
    pub scope: u8,
    /// Cycles from the first answer to the last.
    pub last: u8,
}

/// A write of another master, or a compare-and-store.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Foreign {
    /// When it is applied.
    pub cycle: u64,
    /// Of the first byte.
    #[serde(with = "hex")]
    pub addr: u64,
    /// The bytes.
    pub bytes: Vec<u8>,
    /// A compare-and-store writes its four bytes only where this stands, in one step.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub compare: Option<u32>,
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
    /// The parameters of the unit that the case is for.
    pub fn shape(&self) -> crate::op::Shape {
        crate::op::Shape::with_lanes(self.lanes)
    }
}
