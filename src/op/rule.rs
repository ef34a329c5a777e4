// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which rule says what an operation means.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{Op, Space};

/// The rule of an operation's addresses and outcomes, by the instruction set that has it from its source. Whichever set
/// an instruction is of, its operation is judged by one of these.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Rule {
    /// A predicate of each lane tells shared memory from the rest (SPA5-SPACE).
    Spa5,
    /// A burst of elements in a buffer (R700-FIRST).
    R700,
    /// A space written out, or one that the windows tell; vectors, semantics, parameters (PTX-SPACE).
    Ptx,
    /// A compare-and-store in a bound resource (SM5-CAS).
    Sm5,
}

impl Rule {
    /// Every rule.
    pub const ALL: &'static [Rule] = &[Rule::Spa5, Rule::R700, Rule::Ptx, Rule::Sm5];

    /// As reports have it.
    pub fn name(self) -> &'static str {
        match self {
            Rule::Spa5 => "spa5",
            Rule::R700 => "r700",
            Rule::Ptx => "ptx",
            Rule::Sm5 => "sm5",
        }
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl Op {
    /// The rule that it is of, legal or not.
    pub fn rule(&self) -> Rule {
        use Space::{Buffer, Cluster, Generic, Global, Local, Param, Shared, Tgsm, Uav};
        match Space::from_code(self.space) {
            Some(Uav | Tgsm) => Rule::Sm5,
            _ if self.is_burst() => Rule::R700,
            Some(Buffer) => Rule::R700,
            Some(Generic | Global | Local | Shared | Cluster | Param) => Rule::Ptx,
            _ => Rule::Spa5,
        }
    }
}
