// SPDX-License-Identifier: MIT OR Apache-2.0
//! Instruction sets: text, words and operations.
//!
//! One module an instruction set, on the tokens of [`text`]: words to text and back, and an instruction to the
//! [`Op`](crate::op::Op) that the unit takes.

use std::fmt;

use serde::{Deserialize, Serialize};

mod dwords;
pub(crate) mod front;
mod inst;
mod lowered;
mod registry;
mod rules;
#[cfg(feature = "rtl")]
mod stimuli;
pub mod text;

use crate::{
    explain::explanation::Explanation,
    op::Rule,
    program::{Program, Step},
    prove::block::Obligation,
};
use front::FrontEnd;
pub use inst::{Context, Refused};
pub use lowered::{Guard, Lowered, PT, Source, Sum};
use registry::{declare, dispatch, sets};
use text::ParseError;

sets! { declare }

/// The blocks that are proved, in the order of the pipeline, set by set.
pub(crate) fn blocks() -> impl Iterator<Item = &'static dyn Obligation> {
    Isa::ALL.iter().flat_map(|isa| isa.proofs()).copied()
}

sets! {
    dispatch Isa Set
    {
        pub(crate) proofs: PROOFS -> &'static [&'static dyn Obligation];
        pub rule: RULE -> Rule;
    }
    {
        #[doc = "A register's name, by its number in [`Lowered`]; `None` is no register."]
        pub fn register(number: Option<u16>) -> String;
    }
}

impl fmt::Display for Isa {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
