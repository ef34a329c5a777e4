// SPDX-License-Identifier: MIT OR Apache-2.0
//! Who is judged, by what.

use serde::{Deserialize, Serialize};

use crate::op::{Ctrl, Shape};

/// What the unit at hand promises, and what it was set up with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contract {
    /// The parameters of the unit.
    pub shape: Shape,
    /// The control registers.
    pub ctrl: Ctrl,
    /// Whether the unit may choose where the sources leave a choice: the order of the lanes of a compare-and-store, and
    /// the contents of a resource that one of them has made undefined (SM5-ORDER, SM5-OOB-OFFSET, SM5-OOB-TGSM,
    /// SM5-ALIGN). If not, it must choose as this project's unit does.
    pub allowed_sets: bool,
    /// What the run shows about speed, if it is a directed stream.
    pub rate: Option<Rate>,
}

impl Contract {
    /// That of this project's unit.
    pub fn new(shape: Shape, ctrl: Ctrl) -> Self {
        Contract { shape, ctrl, allowed_sets: false, rate: None }
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
