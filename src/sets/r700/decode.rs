// SPDX-License-Identifier: MIT OR Apache-2.0
//! Decodes dwords to an instruction, and encodes it.

use super::{Cf, Inst, Read};
use crate::sets::text::count;

/// Position of CF_INST in the second dword of a CF word.
const CF_INST: u32 = 23;
/// Position of COMP_MASK in the same dword.
const COMP_MASK: u32 = 12;
/// MEM_INST of a memory read.
const MEM_RD: u32 = 2;
/// Position of MEM_OP in the first dword of a memory read.
const MEM_OP: u32 = 8;

/// Why dwords are not one of these instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DecodeError {
    /// The CF word neither writes memory nor exports.
    #[error("CF_INST {0:#04x} neither writes memory nor exports: those are 0x20 to 0x28 and 0x3a")]
    CfInst(u8),
    /// The fetch instruction is not a memory read.
    #[error("MEM_INST {0} is no memory read: bits 4:0 of the first dword are 2 (MEM_RD)")]
    MemInst(u8),
    /// The memory read is of a kind that R700 does not have.
    #[error("MEM_OP {0} is none that R700 has: 0 READ_SCRATCH, 1 READ_REDUCTION, 2 READ_MEM")]
    MemOp(u8),
    /// The fourth dword of a memory read is not 0.
    #[error("the fourth dword of a memory read is 0, not {0:#010x}")]
    FourthDword(u32),
    /// The number of dwords is not two, three or four.
    #[error("{}: a CF word has two, a memory read three, or four with the last 0", count(*.0, "dword"))]
    Count(usize),
}

/// Decodes two, three or four dwords.
///
/// ```
/// use gpu_lsu::sets::r700::{self, DecodeError};
///
/// let write = r700::decode(&[0xc0018005, 0x9200f000]).unwrap();
/// assert_eq!(write.to_string(), "MEM_SCRATCH WRITE 5 R3.xyzw ES:3 AS:0");
/// assert_eq!(r700::encode(&write), [0xc0018005, 0x9200f000]);
/// assert_eq!(r700::decode(&[0, 0x94800000]), Err(DecodeError::CfInst(0x29)));
/// ```
pub fn decode(dwords: &[u32]) -> Result<Inst, DecodeError> {
    match *dwords {
        [first, second] => cf([first, second]),
        [first, second, third] => read([first, second, third]),
        [first, second, third, 0] => read([first, second, third]),
        [_, _, _, fourth] => Err(DecodeError::FourthDword(fourth)),
        _ => Err(DecodeError::Count(dwords.len())),
    }
}

fn cf(dwords: [u32; 2]) -> Result<Inst, DecodeError> {
    let mut cf = Cf::of(dwords).ok_or(DecodeError::CfInst((dwords[1] >> CF_INST & 0x7f) as u8))?;
    if !cf.op.is_memory() {
        // Without a mask these bits are reserved.
        cf.reserved[1] |= u32::from(cf.comp_mask) << COMP_MASK;
        cf.comp_mask = 0;
    }
    Ok(Inst::Cf(cf))
}

fn read(dwords: [u32; 3]) -> Result<Inst, DecodeError> {
    if dwords[0] & 0x1f != MEM_RD {
        return Err(DecodeError::MemInst((dwords[0] & 0x1f) as u8));
    }
    let [first, second, third] = dwords;
    Read::of([first & !0x1f, second, third]).map(Inst::Read).ok_or(DecodeError::MemOp((dwords[0] >> MEM_OP & 7) as u8))
}

/// Encodes an instruction: two dwords for a CF word, three for a read. Bits of a field past its width are dropped;
/// reserved bits are preserved.
pub fn encode(inst: &Inst) -> Vec<u32> {
    match inst {
        Inst::Cf(cf) if cf.op.is_memory() => cf.dwords().to_vec(),
        Inst::Cf(cf) => {
            let [first, second] = cf.dwords();
            vec![first, second | cf.reserved[1] & 0xf << COMP_MASK]
        }
        Inst::Read(read) => {
            let [first, second, third] = read.dwords();
            vec![first & !0x1f | MEM_RD, second, third]
        }
    }
}

impl Inst {
    /// Every field of the words, by its name in the manual, with its raw bits.
    ///
    /// ```
    /// use gpu_lsu::sets::r700;
    ///
    /// let fields = r700::decode(&[0xc0018005, 0x9200f000]).unwrap().fields();
    /// assert!(fields.contains(&("RW_GPR", 3)) && fields.contains(&("CF_INST", 0x24)));
    /// ```
    pub fn fields(&self) -> Vec<(&'static str, u32)> {
        match self {
            Inst::Cf(cf) if cf.op.is_memory() => cf.fields(),
            Inst::Cf(cf) => {
                let selects = ["SEL_X", "SEL_Y", "SEL_Z", "SEL_W"].into_iter().zip(cf.selects().map(u32::from));
                let mut fields = cf.fields();
                let at = fields.iter().position(|(name, _)| *name == "ARRAY_SIZE").unwrap_or(0);
                fields.splice(at..at + 2, selects);
                fields
            }
            Inst::Read(read) => [("MEM_INST", MEM_RD)].into_iter().chain(read.fields()).collect(),
        }
    }
}
