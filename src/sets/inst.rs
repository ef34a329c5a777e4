// SPDX-License-Identifier: MIT OR Apache-2.0
//! An instruction of any instruction set: what programs, cases and explanations carry.

use std::fmt;

use super::{Isa, Lowered, ptx, r700, sm5, spa5, text::ParseError};
use crate::clause::Clause;

/// An instruction, legal or not.
#[expect(clippy::large_enum_variant, reason = "it is copied, and an operation's lanes are as large")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Inst {
    /// LD or ST.
    Spa5(spa5::Inst),
    /// A memory write, a memory read or an export.
    R700(r700::Inst),
    /// A store.
    Ptx(ptx::Inst),
    /// A compare-and-store.
    Sm5(sm5::Inst),
}

/// What an instruction means depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Context {
    /// Registers of a thread; of R700, GPRs.
    pub register_count: u16,
    /// What R700's relative GPR numbers have added (RW_REL, DST_REL, SRC_REL).
    pub loop_index: u32,
    /// Where the variables that PTX names are.
    pub places: ptx::Places,
    /// What SM5's u# and g# are bound as.
    pub bindings: sm5::Bindings,
}

/// Why an instruction that assembles is not executed (COM-ILLEGAL).
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Refused {
    /// The fact.
    pub message: String,
    /// The rule that refuses it.
    pub clause: Clause,
    /// The field at fault.
    pub field: &'static str,
    /// What would be legal.
    pub help: &'static str,
}

impl Inst {
    /// The instruction set.
    pub fn isa(&self) -> Isa {
        match self {
            Inst::Spa5(_) => Isa::Spa5,
            Inst::R700(_) => Isa::R700,
            Inst::Ptx(_) => Isa::Ptx,
            Inst::Sm5(_) => Isa::Sm5,
        }
    }

    /// Its words in hexadecimal, as `asm` prints them; of PTX, which has none, its text.
    pub fn code(&self) -> String {
        match self {
            Inst::Spa5(inst) => format!("{:016x}", spa5::encode(inst)),
            Inst::R700(inst) => r700::code(inst),
            Inst::Ptx(inst) => inst.to_string(),
            Inst::Sm5(inst) => sm5::code(inst),
        }
    }

    /// The instruction of such words.
    pub fn from_code(isa: Isa, code: &str) -> Result<Self, ParseError> {
        match isa {
            Isa::Spa5 => spa5::parse_code(code).map(Inst::Spa5),
            Isa::R700 => r700::parse_code(code).map(Inst::R700),
            Isa::Sm5 => sm5::parse_code(code).map(Inst::Sm5),
            Isa::Ptx => {
                let (target, version) = ptx::NEWEST;
                ptx::parse(code, target, version).map(Inst::Ptx).map_err(|refusal| refusal.in_line(code))
            }
        }
    }

    /// The operation, and the registers that feed it.
    pub fn lower(&self, context: Context) -> Result<Lowered, Refused> {
        match self {
            Inst::Spa5(inst) => Ok(spa5::lower(inst, context.register_count)?),
            Inst::R700(inst) => Ok(r700::lower(inst, context.register_count, context.loop_index)?),
            Inst::Ptx(inst) => Ok(ptx::lower(inst, &context.places)),
            Inst::Sm5(inst) => Ok(sm5::lower(inst, &context.bindings)?),
        }
    }
}

/// The text that the vendor's disassembler, the vendor's driver, or vkd3d prints; of PTX, the normalised statement.
impl fmt::Display for Inst {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Inst::Spa5(inst) => inst.fmt(f),
            Inst::R700(inst) => inst.fmt(f),
            Inst::Ptx(inst) => inst.fmt(f),
            Inst::Sm5(inst) => inst.fmt(f),
        }
    }
}

impl From<spa5::LowerError> for Refused {
    fn from(error: spa5::LowerError) -> Self {
        Refused { message: error.to_string(), clause: error.clause(), field: error.field(), help: error.help() }
    }
}

impl From<r700::LowerError> for Refused {
    fn from(error: r700::LowerError) -> Self {
        Refused { message: error.to_string(), clause: error.clause(), field: error.field(), help: error.help() }
    }
}

impl From<sm5::LowerError> for Refused {
    fn from(error: sm5::LowerError) -> Self {
        Refused { message: error.to_string(), clause: error.clause(), field: error.field(), help: error.help() }
    }
}
