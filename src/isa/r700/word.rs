// SPDX-License-Identifier: MIT OR Apache-2.0
//! The words, bit by bit: one table for each, which decoding, encoding and `--json` share.
//!
//! Bits that have no name here are reserved: decoding ignores them, encoding writes 0.

use super::{CfOp, Inst, MemOp};

/// The CF_INST of a CF word stands in its second dword.
const CF_INST: u32 = 23;
/// MEM_INST of a memory read.
const MEM_RD: u32 = 2;
/// The MEM_OP of a memory read stands in its first dword.
const MEM_OP: u32 = 8;

/// The words are some other instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DecodeError {
    /// No memory write, and no export.
    #[error("CF_INST {0:#04x} neither writes memory nor exports: those are 0x20 to 0x28 and 0x3a")]
    CfInst(u8),
    /// No memory read.
    #[error("MEM_INST {0} is no memory read: bits 4:0 of the first dword are 2 (MEM_RD)")]
    MemInst(u8),
    /// A memory read of a kind that R700 does not have.
    #[error("MEM_OP {0} is none that R700 has: 0 READ_SCRATCH, 1 READ_REDUCTION, 2 READ_MEM")]
    MemOp(u8),
    /// The last dword of a fetch instruction.
    #[error("the fourth dword of a memory read is 0, not {0:#010x}")]
    FourthDword(u32),
    /// Neither two dwords nor three or four.
    #[error("{0} dwords: a CF word has two, a memory read three, or four with the last 0")]
    Count(usize),
}

/// A field's value from its bits and back.
trait Bits: Copy {
    fn of(raw: u32) -> Option<Self>;
    fn raw(self) -> u32;
}

macro_rules! bits {
    ($($ty:ty: $of:expr, $raw:expr;)*) => {$(
        impl Bits for $ty {
            fn of(raw: u32) -> Option<Self> {
                let of: fn(u32) -> Option<Self> = $of;
                of(raw)
            }

            fn raw(self) -> u32 {
                let raw: fn(Self) -> u32 = $raw;
                raw(self)
            }
        }
    )*};
}

bits! {
    bool: |raw| Some(raw != 0), u32::from;
    u8: |raw| u8::try_from(raw).ok(), u32::from;
    u16: |raw| u16::try_from(raw).ok(), u32::from;
    CfOp: |raw| CfOp::from_code(raw as u8), |op| op as u32;
    MemOp: |raw| MemOp::from_code(raw as u8), |op| op as u32;
}

/// Ones for the bits `high` to `low`, moved down to 0.
const fn ones(high: u32, low: u32) -> u32 {
    u32::MAX >> (31 - (high - low))
}

/// What a field of so many bits holds.
fn range(width: u32) -> &'static str {
    match width {
        1 => "the field has one bit: 0 or 1",
        2 => "the field has 2 bits: 0 to 3",
        3 => "the field has 3 bits: 0 to 7",
        4 => "the field has 4 bits: 0 to 15",
        6 => "the field has 6 bits: 0 to 63",
        7 => "the field has 7 bits: 0 to 127",
        12 => "the field has 12 bits: 0 to 4095",
        _ => "the field has 13 bits: 0 to 8191",
    }
}

macro_rules! layout {
    ($(#[$doc:meta])* $name:ident: $dwords:literal dwords {
        $($(#[$fdoc:meta])* $field:ident: $ty:ty = $id:literal in $dword:literal[$high:literal:$low:literal],)*
    }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub struct $name { $($(#[$fdoc])* pub $field: $ty,)* }

        impl $name {
            fn of(dwords: [u32; $dwords]) -> Option<Self> {
                Some($name { $($field: Bits::of(dwords[$dword] >> $low & ones($high, $low))?,)* })
            }

            fn dwords(&self) -> [u32; $dwords] {
                let mut dwords = [0; $dwords];
                $(dwords[$dword] |= (self.$field.raw() & ones($high, $low)) << $low;)*
                dwords
            }

            /// Sets a field, if the value fits; if not, says how many bits there are.
            pub(super) fn set(&mut self, id: &str, value: u64) -> Result<(), &'static str> {
                match id {
                    $($id => {
                        let fits = u32::try_from(value).ok().filter(|value| *value <= ones($high, $low));
                        self.$field = fits.and_then(Bits::of).ok_or(range($high - $low + 1))?;
                    })*
                    _ => debug_assert!(false, "no field {id}"),
                }
                Ok(())
            }

            /// Every field by its name and its raw value, in the order of the bits.
            pub(super) fn fields(&self) -> Vec<(&'static str, u32)> {
                vec![$(($id, self.$field.raw()),)*]
            }
        }
    };
}

layout! {
    /// A CF word: CF_ALLOC_EXPORT in its buffer form, or an export (whose selects share ARRAY_SIZE's bits).
    Cf: 2 dwords {
        /// Elements, 13 bits.
        array_base: u16 = "ARRAY_BASE" in 0[12:0],
        /// 0 WRITE, 1 WRITE_IND, 2 WRITE_ACK, 3 WRITE_IND_ACK.
        ty: u8 = "TYPE" in 0[14:13],
        /// The first GPR.
        rw_gpr: u8 = "RW_GPR" in 0[21:15],
        /// The loop index is added to it.
        rw_rel: bool = "RW_REL" in 0[22:22],
        /// The GPR whose X is the index.
        index_gpr: u8 = "INDEX_GPR" in 0[29:23],
        /// Dwords - 1.
        elem_size: u8 = "ELEM_SIZE" in 0[31:30],
        /// Elements - 1; of an export SEL_W, Z, Y, X.
        array_size: u16 = "ARRAY_SIZE" in 1[11:0],
        /// Bit 0 is X; an export has none.
        comp_mask: u8 = "COMP_MASK" in 1[15:12],
        /// GPRs - 1.
        burst_count: u8 = "BURST_COUNT" in 1[20:17],
        /// The program ends here.
        end_of_program: bool = "END_OF_PROGRAM" in 1[21:21],
        /// Lanes that are not valid pixels write nothing.
        valid_pixel_mode: bool = "VALID_PIXEL_MODE" in 1[22:22],
        /// What the word does.
        op: CfOp = "CF_INST" in 1[29:23],
        /// Whole quads execute.
        whole_quad_mode: bool = "WHOLE_QUAD_MODE" in 1[30:30],
        /// Earlier instructions come first.
        barrier: bool = "BARRIER" in 1[31:31],
    }
}

layout! {
    /// MEM_RD, without its fourth dword, which is 0.
    Read: 3 dwords {
        /// Dwords - 1.
        elem_size: u8 = "ELEM_SIZE" in 0[6:5],
        /// Whole quads fetch.
        fetch_whole_quad: bool = "FETCH_WHOLE_QUAD" in 0[7:7],
        /// Which buffer.
        op: MemOp = "MEM_OP" in 0[10:8],
        /// The read bypasses caches.
        uncached: bool = "UNCACHED" in 0[11:11],
        /// There is an index.
        indexed: bool = "INDEXED" in 0[12:12],
        /// A second component of the source; nothing here uses it.
        src_sel_y: u8 = "SRC_SEL_Y" in 0[14:13],
        /// The GPR of the index.
        src_gpr: u8 = "SRC_GPR" in 0[22:16],
        /// The loop index is added to it.
        src_rel: bool = "SRC_REL" in 0[23:23],
        /// The index's component, 0 to 3.
        src_sel_x: u8 = "SRC_SEL_X" in 0[25:24],
        /// GPRs - 1.
        burst_count: u8 = "BURST_COUNT" in 0[29:26],
        /// The data is for the local share too.
        lds_req: bool = "LDS_REQ" in 0[30:30],
        /// A hint to the memory.
        coalesced_read: bool = "COALESCED_READ" in 0[31:31],
        /// The first GPR.
        dst_gpr: u8 = "DST_GPR" in 1[6:0],
        /// The loop index is added to it.
        dst_rel: bool = "DST_REL" in 1[7:7],
        /// What X takes: 0 to 3 a component, 4 zero, 5 one, 6 reserved, 7 nothing.
        dst_sel_x: u8 = "DST_SEL_X" in 1[11:9],
        /// What Y takes.
        dst_sel_y: u8 = "DST_SEL_Y" in 1[14:12],
        /// What Z takes.
        dst_sel_z: u8 = "DST_SEL_Z" in 1[17:15],
        /// What W takes.
        dst_sel_w: u8 = "DST_SEL_W" in 1[20:18],
        /// The components that memory has.
        data_format: u8 = "DATA_FORMAT" in 1[27:22],
        /// 0 normalized, 1 integer, 2 scaled.
        num_format_all: u8 = "NUM_FORMAT_ALL" in 1[29:28],
        /// Components are signed.
        format_comp_all: bool = "FORMAT_COMP_ALL" in 1[30:30],
        /// How zero is signed.
        srf_mode_all: bool = "SRF_MODE_ALL" in 1[31:31],
        /// Elements, 13 bits.
        array_base: u16 = "ARRAY_BASE" in 2[12:0],
        /// How bytes are swapped; 0 is not at all.
        endian_swap: u8 = "ENDIAN_SWAP" in 2[17:16],
        /// Elements - 1.
        array_size: u16 = "ARRAY_SIZE" in 2[31:20],
    }
}

/// The instruction of two, three or four dwords.
///
/// ```
/// use gpu_lsu::isa::r700::{self, DecodeError};
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
        cf.comp_mask = 0; // reserved where there is no mask
    }
    Ok(Inst::Cf(cf))
}

fn read(dwords: [u32; 3]) -> Result<Inst, DecodeError> {
    if dwords[0] & 0x1f != MEM_RD {
        return Err(DecodeError::MemInst((dwords[0] & 0x1f) as u8));
    }
    Read::of(dwords).map(Inst::Read).ok_or(DecodeError::MemOp((dwords[0] >> MEM_OP & 7) as u8))
}

/// The dwords of an instruction: two of a CF word, three of a read. Bits of a field past its width are dropped.
pub fn encode(inst: &Inst) -> Vec<u32> {
    match inst {
        Inst::Cf(cf) => cf.dwords().to_vec(),
        Inst::Read(read) => {
            let [first, second, third] = read.dwords();
            vec![first | MEM_RD, second, third]
        }
    }
}

impl Inst {
    /// Every field of the words, by its name in the manual: the raw bits.
    ///
    /// ```
    /// use gpu_lsu::isa::r700;
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
