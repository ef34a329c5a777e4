// SPDX-License-Identifier: MIT OR Apache-2.0
//! Instruction sets: text, words and operations.
//!
//! One module an instruction set, on the tokens of [`text`]: words to text and back, and an instruction to the
//! [`Op`](crate::op::Op) that the unit takes.

use std::fmt;

use serde::{Deserialize, Serialize};

mod dwords;
mod inst;
mod lowered;
pub mod ptx;
pub mod r700;
pub mod sm5;
pub mod spa5;
pub mod text;

pub use inst::{Context, Inst, Refused};
pub use lowered::{Guard, Lowered, PT, Source, Sum};

/// The instruction sets that this crate speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, clap::ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Isa {
    /// Shader processor architecture 5.0 (Maxwell, sm_50): LD and ST.
    Spa5,
    /// ATI R700: memory writes and reads.
    R700,
    /// PTX: `st`, from text alone.
    Ptx,
    /// Direct3D shader model 5: atomic_cmp_store.
    Sm5,
}

impl Isa {
    /// Every instruction set.
    pub const ALL: &'static [Isa] = &[Isa::Spa5, Isa::R700, Isa::Ptx, Isa::Sm5];

    /// The name, as `--isa` and programs have it.
    pub fn name(self) -> &'static str {
        match self {
            Isa::Spa5 => "spa5",
            Isa::R700 => "r700",
            Isa::Ptx => "ptx",
            Isa::Sm5 => "sm5",
        }
    }

    /// A register's name, by its number in [`Lowered`]; `None` is no register.
    pub fn register(self, number: Option<u16>) -> String {
        match (self, number) {
            (Isa::Spa5, None) => "RZ".to_owned(),
            (Isa::Spa5, Some(number)) => format!("R{number}"),
            (Isa::Ptx, Some(slot)) => ptx::slot_name(slot),
            (Isa::Sm5, Some(slot)) => sm5::slot_name(slot),
            (Isa::R700 | Isa::Ptx | Isa::Sm5, None) => "none".to_owned(),
            (Isa::R700, Some(number)) => format!("R{}.{}", number / 4, ["x", "y", "z", "w"][usize::from(number % 4)]),
        }
    }
}

impl fmt::Display for Isa {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
