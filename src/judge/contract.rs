// SPDX-License-Identifier: MIT OR Apache-2.0
//! Who is judged, by what.

use serde::{Deserialize, Serialize};

use super::promises::Promises;
use crate::{
    clause::Clause,
    op::{Ctrl, Shape},
};

/// What the unit at hand promises, and what it was set up with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contract {
    /// The parameters of the unit.
    pub shape: Shape,
    /// The control registers.
    pub ctrl: Ctrl,
    /// What it keeps, and how fast it is.
    pub promises: Promises,
    /// What the run shows about speed, if it is a directed stream.
    pub rate: Option<Rate>,
}

impl Contract {
    /// That of this project's unit.
    pub fn new(shape: Shape, ctrl: Ctrl) -> Self {
        Contract { shape, ctrl, promises: Promises::OURS, rate: None }
    }
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

impl Rate {
    /// The clause that asks for it.
    pub fn clause(self) -> Clause {
        match self {
            Rate::Requests | Rate::Operations => Clause::PortRate,
            Rate::Banks(_) => Clause::PortBank,
        }
    }
}
