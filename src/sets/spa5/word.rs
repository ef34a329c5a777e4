// SPDX-License-Identifier: MIT OR Apache-2.0
//! The 64-bit instruction word.
//!
//! ```text
//!  63  61 60  58 57 56 55  53 52  51        20 19  18  16 15    8 7     0
//! | op   | Plg  | cop | size | E |   imm32    | ! |  Pg  |   Ra   |  Rd  |
//! ```

use super::{Guard, Inst, Opcode};

const LD: u64 = 0b100;
const ST: u64 = 0b101;

/// The word is another instruction, or a scheduling word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{word:016x} is neither LD nor ST: bits 63:61 are {opcode:03b}, LD has 100 and ST has 101", opcode = word >> 61)]
pub struct DecodeError {
    /// The word.
    pub word: u64,
}

/// Decodes a word.
pub fn decode(word: u64) -> Result<Inst, DecodeError> {
    let op = match word >> 61 {
        LD => Opcode::Ld,
        ST => Opcode::St,
        _ => return Err(DecodeError { word }),
    };
    let bits = |at: u32, width: u32| (word >> at) as u8 & (0xff >> (8 - width));
    Ok(Inst {
        op,
        plg: bits(58, 3),
        cop: bits(56, 2),
        size: bits(53, 3),
        e: bits(52, 1) == 1,
        imm: (word >> 20) as u32,
        guard: Guard { negated: bits(19, 1) == 1, pred: bits(16, 3) },
        ra: bits(8, 8),
        rd: bits(0, 8),
    })
}

/// Encodes an instruction. Bits of a field past its width are dropped.
pub fn encode(inst: &Inst) -> u64 {
    let bits = |value: u8, at: u32, width: u32| u64::from(value & (0xff >> (8 - width))) << at;
    let op = match inst.op {
        Opcode::Ld => LD,
        Opcode::St => ST,
    };
    op << 61
        | bits(inst.plg, 58, 3)
        | bits(inst.cop, 56, 2)
        | bits(inst.size, 53, 3)
        | u64::from(inst.e) << 52
        | u64::from(inst.imm) << 20
        | u64::from(inst.guard.negated) << 19
        | bits(inst.guard.pred, 16, 3)
        | bits(inst.ra, 8, 8)
        | bits(inst.rd, 0, 8)
}
