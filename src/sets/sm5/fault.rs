// SPDX-License-Identifier: MIT OR Apache-2.0
//! The errors of tokens.

use crate::sets::text::count;

fn left(dwords: usize) -> String {
    format!("{} {} left", count(dwords, "dword"), if dwords == 1 { "is" } else { "are" })
}

/// Why tokens are not an `atomic_cmp_store`, and the token at fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{fault}")]
pub struct DecodeError {
    /// Dwords from the opcode token.
    pub at: usize,
    /// What is wrong.
    pub fault: Fault,
}

/// What is wrong with a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// Another instruction.
    #[error("opcode {0} is not 172, atomic_cmp_store")]
    Opcode(u32),
    /// The opcode declares no u# or g#.
    #[error("opcode {0} does not declare a u# or g#: those are 156 to 160")]
    Undeclaring(u32),
    /// The declared operand is of another file, or has no number.
    #[error("dcl_uav names a u# and dcl_tgsm a g#, each by its number")]
    Declared,
    /// Bits 23:11 of the opcode token.
    #[error("bits 23:11 of the opcode token are {0:#x}, which atomic_cmp_store has as 0")]
    Controls(u32),
    /// Bit 31 of the opcode token.
    #[error("an extended opcode token is for sampling and loading, not for atomic_cmp_store")]
    ExtendedOpcode,
    /// The length is not the number of dwords.
    #[error("the opcode token says {}, and there are {are}", count(*.says, "dword"))]
    Length {
        /// Bits 30:24 of the opcode token.
        says: usize,
        /// The number of dwords.
        are: usize,
    },
    /// The operands need more dwords.
    #[error("the instruction ends before its operands do")]
    Short,
    /// The operands need fewer dwords.
    #[error("{} behind the four operands", left(*.0))]
    Long(usize),
    /// Components code 3.
    #[error("an operand has 0, 1 or 4 components (codes 0 to 2), not code 3")]
    Components,
    /// Component mode 3.
    #[error("an operand's components are masked, swizzled or selected (modes 0 to 2), not mode 3")]
    Mode,
    /// A type without a register file.
    #[error("operand type {0} is none that atomic_cmp_store has")]
    Type(u8),
    /// An index representation past 3.
    #[error("index representation {0} is none: 0 imm32, 1 imm64, 2 relative, 3 imm32 and relative")]
    Representation(u32),
    /// A literal with indices, or without components.
    #[error("a literal has one component or four, and no index")]
    Literal,
    /// An extended operand token that holds more than a modifier.
    #[error(
        "the extended operand token {0:#010x} is not a modifier: 0x41 negates, 0x81 takes the absolute value, 0xc1 both"
    )]
    Extended(u32),
    /// A literal as the destination.
    #[error("a destination is no literal")]
    Destination,
    /// A modifier where none can be.
    #[error("a destination and the register of an index have no modifier")]
    Modified,
    /// The register of a relative index has a relative index itself.
    #[error("the register of a relative index has immediate indices")]
    Nested,
}
