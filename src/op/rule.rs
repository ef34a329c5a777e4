// SPDX-License-Identifier: MIT OR Apache-2.0
//! The rule that defines what an operation means.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{Op, Space};
use crate::sets::registry::rules;

macro_rules! declare {
    ([$(($rule:ident $folder:ident $what:literal))*]) => {
        /// The rule for an operation's addresses and outcomes, named after the instruction set whose source defines it.
        /// An operation follows one of these, whichever set its instruction is from.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
        #[serde(rename_all = "lowercase")]
        pub enum Rule { $(#[doc = $what] $rule),* }

        impl Rule {
            /// Every rule.
            pub const ALL: &'static [Rule] = &[$(Rule::$rule),*];

            /// The name in reports.
            pub fn name(self) -> &'static str {
                match self { $(Rule::$rule => stringify!($folder)),* }
            }
        }
    };
}

rules! { declare }

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl Op {
    /// The rule that the operation follows, legal or not.
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
