// SPDX-License-Identifier: MIT OR Apache-2.0
//! SPA 5.0 (Maxwell, sm_50): LD and ST through generic addresses.
//!
//! ```text
//!   text --parse--> Inst --lower--> Lowered (an Op, and the registers that feed it)
//!   word --decode->  |
//!         <-encode-- | --Display--> the text that nvdisasm prints
//! ```
//!
//! An [`Inst`] holds the raw fields of its word. Every word with the opcode of LD or ST is therefore an [`Inst`],
//! including the illegal ones (COM-ILLEGAL): only [`lower()`] refuses them.
//!
//! ```
//! use gpu_lsu::sets::spa5;
//!
//! let inst = spa5::parse("st.64 [R1 + 24], R4").unwrap();
//! assert_eq!(spa5::encode(&inst), 0xbca0000001870104);
//! assert_eq!(inst.to_string(), "ST.64 [R1+0x18], R4");
//! ```

pub(crate) mod bends;
pub(crate) mod bins;
pub(crate) mod explain;
mod front;
pub(crate) mod lines;
mod lower;
mod operand;
mod parse;
mod print;
pub(crate) mod proof;
#[cfg(feature = "rtl")]
pub(crate) mod shrink;
#[cfg(feature = "rtl")]
pub(crate) mod stimulus;
mod suffix;
mod word;

pub use super::lowered::{Guard, PT};
pub(crate) use lines::unallocated;
pub use lower::{LowerError, lower};
pub use parse::{Statement, parse, parse_code, parse_statement, parse_word};
pub use print::Address;
pub use word::{DecodeError, decode, encode};

/// The register that reads as 0 and drops what is written (SPA5-RZ). As Ra it means that there is no address register.
pub const RZ: u8 = 255;
/// The one word that nvdisasm prints as `NOP`, although by its fields it is `@P0 LD.U8 R0, [R0], P0`. No source says
/// which of the two it is. It is therefore not executed: [`lower()`] refuses it, and the parser does not accept `NOP`.
pub const NOP: u64 = 0x8000_0000_0000_0000;

/// Names of the sizes, by code.
const SIZES: [&str; 7] = ["U8", "S8", "U16", "S16", "32", "64", "128"];
/// Names of a load's cache operators, by code.
const LOAD_COPS: [&str; 4] = ["CA", "CG", "CI", "CV"];
/// Names of a store's cache operators, by code.
const STORE_COPS: [&str; 4] = ["WB", "CG", "CS", "WT"];
const SIZE_32: u8 = 4;
const SIZE_64: u8 = 5;
const SIZE_128: u8 = 6;
/// `U.128` of a load. A store has no such size.
const SIZE_7: u8 = 7;

/// Distinguishes the two instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Opcode {
    /// Load.
    Ld,
    /// Store.
    St,
}

/// One LD or ST, as the fields of its word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Inst {
    /// LD or ST.
    pub op: Opcode,
    /// The guard that selects the lanes that execute.
    pub guard: Guard,
    /// Address register, or [`RZ`] for none.
    pub ra: u8,
    /// Offset, signed beside a register, unsigned alone (SPA5-EA-ABS).
    pub imm: u32,
    /// Whether the address has 64 bits, in a register pair.
    pub e: bool,
    /// Size code, 0 to 7.
    pub size: u8,
    /// Cache operator code, 0 to 3.
    pub cop: u8,
    /// Space predicate, 0 to 7 (SPA5-SPACE).
    pub plg: u8,
    /// Register of the datum: destination of LD, source of ST.
    pub rd: u8,
}

impl Inst {
    /// Number of bytes that a lane moves; none for ST of size 7.
    pub fn bytes(&self) -> Option<u8> {
        match (self.size, self.op) {
            (0 | 1, _) => Some(1),
            (2 | 3, _) => Some(2),
            (SIZE_32, _) => Some(4),
            (SIZE_64, _) => Some(8),
            (SIZE_128, _) | (SIZE_7, Opcode::Ld) => Some(16),
            _ => None,
        }
    }

    /// The name of the cache operator in text.
    pub fn cop_name(&self) -> &'static str {
        let names = match self.op {
            Opcode::Ld => LOAD_COPS,
            Opcode::St => STORE_COPS,
        };
        names[usize::from(self.cop & 3)]
    }

    /// The name of the size in text.
    pub fn size_name(&self) -> &'static str {
        match (SIZES.get(usize::from(self.size)), self.op) {
            (Some(name), _) => name,
            (None, Opcode::Ld) => "U.128",
            (None, Opcode::St) => "INVALIDSIZE7",
        }
    }
}

/// The front end.
pub(crate) struct Set;
/// The address rule of its operations.
pub(crate) struct Rule;
