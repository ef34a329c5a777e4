// SPDX-License-Identifier: MIT OR Apache-2.0
//! Instruction sets: text, words and operations.
//!
//! One module an instruction set, on the tokens of [`text`]: words to text and back, and an instruction to the
//! [`Op`](crate::op::Op) that the unit takes.

use std::fmt;

pub mod spa5;
pub mod text;

/// The instruction sets that this crate speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, clap::ValueEnum)]
pub enum Isa {
    /// Shader processor architecture 5.0 (Maxwell, sm_50): LD and ST.
    Spa5,
}

impl Isa {
    /// Every instruction set.
    pub const ALL: &'static [Isa] = &[Isa::Spa5];

    /// The name, as `--isa` and programs have it.
    pub fn name(self) -> &'static str {
        match self {
            Isa::Spa5 => "spa5",
        }
    }
}

impl fmt::Display for Isa {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
