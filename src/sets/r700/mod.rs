// SPDX-License-Identifier: MIT OR Apache-2.0
//! R700: memory writes (CF_ALLOC_EXPORT, two dwords) and memory reads (MEM_RD, three dwords and a fourth of 0).
//!
//! ```text
//!   text --parse--> Inst --lower--> Lowered (an Op, and the registers that feed it)
//!  words --decode->  |
//!        <--encode-- | --Display--> the text that Mesa prints; --long--> every field
//! ```
//!
//! An [`Inst`] holds the raw fields of its words. It can therefore be something that the unit refuses: exports, and
//! formats and swaps that it cannot move ([`lower()`] refuses them).
//!
//! ```
//! use gpu_lsu::sets::r700;
//!
//! let read = r700::decode(&[0x00011862, 0x188d1002, 0x0c700000]).unwrap();
//! let text = "READ_SCRATCH R2.xyzw, R1.xx, RID:0 UNCACHED INDEXED:1 ELEM_SIZE:3 ARRAY_BASE:0 ARRAY_SIZE:199 UCF:0 \
//!             FMT(DTA:34 NUM:1 COMP:0 MODE:0)";
//! assert_eq!(read.to_string(), text);
//! assert_eq!(r700::parse(text).unwrap(), read);
//! ```

pub(crate) mod bins;
mod code;
mod decode;
pub(crate) mod diagnose;
pub(crate) mod explain;
pub(crate) mod forms;
mod front;
pub(crate) mod hazard;
pub(crate) mod lines;
mod long;
mod lower;
mod name;
mod parse;
pub(crate) mod program;
pub(crate) mod proof;
mod short;
#[cfg(feature = "rtl")]
pub(crate) mod shrink;
#[cfg(feature = "rtl")]
pub(crate) mod stimulus;
mod word;

pub use code::{code, is_dword, parse_code};
pub use decode::{DecodeError, decode, encode};
pub use long::Long;
pub use lower::{LowerError, index_gpr, lower};
pub use name::{CfOp, MemOp};
pub use parse::{is_name, parse};
pub use word::{Cf, Read};

/// Largest number of GPRs in a program.
pub const GPRS: u16 = 128;
/// DATA_FORMAT 32, 32_32, 32_32_32 and 32_32_32_32.
const FORMATS: [u8; 4] = [13, 29, 47, 34];
/// ARRAY_SIZE by which a driver asks for no limit. The short text does not print it.
const NO_LIMIT: u16 = 0xfff;

/// An export's SEL_W, Z, Y, X, where each selects its own component.
const XYZW: u16 = 0o3210;

/// One instruction, as the fields of its words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Inst {
    /// A memory write, or an export.
    Cf(Cf),
    /// A memory read.
    Read(Read),
}

impl Cf {
    /// The values that drivers write if a text says nothing else: a barrier, no limit, an export's components in order,
    /// and 0.
    pub fn new(op: CfOp) -> Self {
        Cf {
            array_base: 0,
            ty: 0,
            rw_gpr: 0,
            rw_rel: false,
            index_gpr: 0,
            elem_size: 0,
            array_size: if op.is_memory() { NO_LIMIT } else { XYZW },
            comp_mask: 0,
            burst_count: 0,
            end_of_program: false,
            valid_pixel_mode: false,
            op,
            whole_quad_mode: false,
            barrier: true,
            reserved: [0; 2],
        }
    }

    /// Whether this is an `_IND` type of a memory write, which has an index.
    pub fn indexed(&self) -> bool {
        self.op.is_memory() && self.ty & 1 == 1
    }

    /// Whether this is an `_ACK` type of a memory write (R700-ACK).
    pub fn acknowledged(&self) -> bool {
        self.op.is_memory() && self.ty & 2 == 2
    }

    /// An export's SEL_X, Y, Z, W.
    pub fn selects(&self) -> [u8; 4] {
        [0, 3, 6, 9].map(|low| (self.array_size >> low & 7) as u8)
    }

    /// Sets an export's SEL_X, Y, Z, W.
    pub fn set_selects(&mut self, selects: [u8; 4]) {
        self.array_size = selects.iter().rev().fold(0, |all, select| all << 3 | u16::from(select & 7));
    }
}

impl Read {
    /// The values that drivers write if a text says nothing else: four integer components in order, and 0.
    pub fn new(op: MemOp) -> Self {
        Read {
            elem_size: 0,
            fetch_whole_quad: false,
            op,
            uncached: false,
            indexed: false,
            src_sel_y: 0,
            src_gpr: 0,
            src_rel: false,
            src_sel_x: 0,
            burst_count: 0,
            lds_req: false,
            coalesced_read: false,
            dst_gpr: 0,
            dst_rel: false,
            dst_sel_x: 0,
            dst_sel_y: 1,
            dst_sel_z: 2,
            dst_sel_w: 3,
            data_format: FORMATS[3],
            num_format_all: 1,
            format_comp_all: false,
            srf_mode_all: false,
            array_base: 0,
            endian_swap: 0,
            array_size: 0,
            reserved: [0; 3],
        }
    }

    /// DST_SEL_X, Y, Z, W.
    pub fn selects(&self) -> [u8; 4] {
        [self.dst_sel_x, self.dst_sel_y, self.dst_sel_z, self.dst_sel_w]
    }

    /// Sets DST_SEL_X, Y, Z, W.
    pub fn set_selects(&mut self, selects: [u8; 4]) {
        [self.dst_sel_x, self.dst_sel_y, self.dst_sel_z, self.dst_sel_w] = selects;
    }
}

/// The front end.
pub(crate) struct Set;
/// The address rule of its operations.
pub(crate) struct Rule;
