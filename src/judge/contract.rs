// SPDX-License-Identifier: MIT OR Apache-2.0
//! The contract by which a unit is judged.

use serde::{Deserialize, Serialize};

use super::promises::Promises;
use crate::{
    clause::Clause,
    op::{Ctrl, Shape},
};

/// The promises of a unit, and its setup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contract {
    /// The parameters of the unit.
    pub shape: Shape,
    /// The control registers.
    pub ctrl: Ctrl,
    /// The clauses that the unit keeps, and its latencies.
    pub promises: Promises,
    /// The rate that the run must reach, if it is a directed stream.
    pub rate: Option<Rate>,
}

impl Contract {
    /// The contract of this project's unit.
    pub fn new(shape: Shape, ctrl: Ctrl) -> Self {
        Contract { shape, ctrl, promises: Promises::OURS, rate: None }
    }
}

/// The rate that a directed stream without stalls must reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Rate {
    /// A request every cycle, from the first to the last (PORT-RATE).
    Requests,
    /// A request and a done every cycle: operations of one register in one line each (PORT-RATE).
    Operations,
    /// Dones this many cycles apart: scratchpad operations of equal cost (PORT-BANK).
    Banks(u32),
}

impl Rate {
    /// The clause that demands the rate.
    pub fn clause(self) -> Clause {
        match self {
            Rate::Requests | Rate::Operations => Clause::PortRate,
            Rate::Banks(_) => Clause::PortBank,
        }
    }
}
