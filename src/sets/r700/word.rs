// SPDX-License-Identifier: MIT OR Apache-2.0
//! The words, bit by bit. Decoding, encoding and `--json` share one table for each word.
//!
//! Bits without a name here are reserved: they mean nothing, but are preserved, so that words survive the round trip.

use super::{CfOp, MemOp};

/// Converts a field's value from its bits and back.
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

/// The names of the reserved bits of each dword.
const RESERVED: [&str; 3] = ["RESERVED0", "RESERVED1", "RESERVED2"];

/// A mask with as many ones as the bits `high` to `low`, starting at bit 0.
const fn ones(high: u32, low: u32) -> u32 {
    u32::MAX >> (31 - (high - low))
}

/// The values that a field of `width` bits can hold, as help text.
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
        pub struct $name {
            $($(#[$fdoc])* pub $field: $ty,)*
            /// The bits without a name, in their places.
            pub reserved: [u32; $dwords],
        }

        impl $name {
            /// The bits that belong to named fields, by dword.
            const NAMED: [u32; $dwords] = {
                let mut named = [0; $dwords];
                $(named[$dword] |= ones($high, $low) << $low;)*
                named
            };

            pub(crate) fn of(dwords: [u32; $dwords]) -> Option<Self> {
                let mut reserved = dwords;
                reserved.iter_mut().zip(Self::NAMED).for_each(|(dword, named)| *dword &= !named);
                Some($name { $($field: Bits::of(dwords[$dword] >> $low & ones($high, $low))?,)* reserved })
            }

            pub(crate) fn dwords(&self) -> [u32; $dwords] {
                let mut dwords = self.reserved;
                dwords.iter_mut().zip(Self::NAMED).for_each(|(dword, named)| *dword &= !named);
                $(dwords[$dword] |= (self.$field.raw() & ones($high, $low)) << $low;)*
                dwords
            }

            /// Sets a field, or fails with the range of the field if the value does not fit.
            pub(crate) fn set(&mut self, id: &str, value: u64) -> Result<(), &'static str> {
                if let Some(dword) = RESERVED.iter().position(|name| *name == id).filter(|dword| *dword < $dwords) {
                    let free = u32::try_from(value).ok().filter(|bits| bits & Self::NAMED[dword] == 0);
                    self.reserved[dword] = free.ok_or("only bits that no field has are reserved")?;
                    return Ok(());
                }
                match id {
                    $($id => {
                        let fits = u32::try_from(value).ok().filter(|value| *value <= ones($high, $low));
                        self.$field = fits.and_then(Bits::of).ok_or(range($high - $low + 1))?;
                    })*
                    _ => debug_assert!(false, "no field {id}"),
                }
                Ok(())
            }

            /// Every field with its name and its raw value, in the order of the bits, then the reserved bits that are
            /// not 0.
            pub(crate) fn fields(&self) -> Vec<(&'static str, u32)> {
                let mut fields = vec![$(($id, self.$field.raw()),)*];
                let reserved = RESERVED.into_iter().zip(self.reserved);
                fields.extend(reserved.filter(|(_, bits)| *bits != 0));
                fields
            }
        }
    };
}

layout! {
    /// A CF word: CF_ALLOC_EXPORT in its buffer form, or an export, whose selects share the bits of ARRAY_SIZE.
    Cf: 2 dwords {
        /// In elements, 13 bits.
        array_base: u16 = "ARRAY_BASE" in 0[12:0],
        /// 0 WRITE, 1 WRITE_IND, 2 WRITE_ACK, 3 WRITE_IND_ACK.
        ty: u8 = "TYPE" in 0[14:13],
        /// The first GPR.
        rw_gpr: u8 = "RW_GPR" in 0[21:15],
        /// Whether the loop index is added to RW_GPR.
        rw_rel: bool = "RW_REL" in 0[22:22],
        /// The GPR whose X is the index.
        index_gpr: u8 = "INDEX_GPR" in 0[29:23],
        /// Dwords of an element - 1.
        elem_size: u8 = "ELEM_SIZE" in 0[31:30],
        /// Elements - 1; for an export SEL_W, Z, Y, X.
        array_size: u16 = "ARRAY_SIZE" in 1[11:0],
        /// Bit 0 is X. An export has no mask.
        comp_mask: u8 = "COMP_MASK" in 1[15:12],
        /// GPRs - 1.
        burst_count: u8 = "BURST_COUNT" in 1[20:17],
        /// Whether the program ends here.
        end_of_program: bool = "END_OF_PROGRAM" in 1[21:21],
        /// Whether lanes that are not valid pixels write nothing.
        valid_pixel_mode: bool = "VALID_PIXEL_MODE" in 1[22:22],
        /// The operation of the word.
        op: CfOp = "CF_INST" in 1[29:23],
        /// Whether whole quads execute.
        whole_quad_mode: bool = "WHOLE_QUAD_MODE" in 1[30:30],
        /// Whether earlier instructions must complete first.
        barrier: bool = "BARRIER" in 1[31:31],
    }
}

layout! {
    /// A memory read (MEM_RD), without its fourth dword, which is 0.
    Read: 3 dwords {
        /// Dwords of an element - 1.
        elem_size: u8 = "ELEM_SIZE" in 0[6:5],
        /// Whether whole quads fetch.
        fetch_whole_quad: bool = "FETCH_WHOLE_QUAD" in 0[7:7],
        /// The buffer to read.
        op: MemOp = "MEM_OP" in 0[10:8],
        /// Whether the read bypasses caches.
        uncached: bool = "UNCACHED" in 0[11:11],
        /// Whether there is an index.
        indexed: bool = "INDEXED" in 0[12:12],
        /// A second component of the source, which is not used here.
        src_sel_y: u8 = "SRC_SEL_Y" in 0[14:13],
        /// The GPR of the index.
        src_gpr: u8 = "SRC_GPR" in 0[22:16],
        /// Whether the loop index is added to SRC_GPR.
        src_rel: bool = "SRC_REL" in 0[23:23],
        /// The index's component, 0 to 3.
        src_sel_x: u8 = "SRC_SEL_X" in 0[25:24],
        /// GPRs - 1.
        burst_count: u8 = "BURST_COUNT" in 0[29:26],
        /// Whether the data also goes to the local share.
        lds_req: bool = "LDS_REQ" in 0[30:30],
        /// A hint to the memory.
        coalesced_read: bool = "COALESCED_READ" in 0[31:31],
        /// The first GPR.
        dst_gpr: u8 = "DST_GPR" in 1[6:0],
        /// Whether the loop index is added to DST_GPR.
        dst_rel: bool = "DST_REL" in 1[7:7],
        /// What X takes: 0 to 3 a component, 4 zero, 5 one, 6 reserved, 7 nothing (X is left alone).
        dst_sel_x: u8 = "DST_SEL_X" in 1[11:9],
        /// What Y takes, in the same code.
        dst_sel_y: u8 = "DST_SEL_Y" in 1[14:12],
        /// What Z takes, in the same code.
        dst_sel_z: u8 = "DST_SEL_Z" in 1[17:15],
        /// What W takes, in the same code.
        dst_sel_w: u8 = "DST_SEL_W" in 1[20:18],
        /// The components that memory holds.
        data_format: u8 = "DATA_FORMAT" in 1[27:22],
        /// 0 normalized, 1 integer, 2 scaled.
        num_format_all: u8 = "NUM_FORMAT_ALL" in 1[29:28],
        /// Whether components are signed.
        format_comp_all: bool = "FORMAT_COMP_ALL" in 1[30:30],
        /// How zero is signed.
        srf_mode_all: bool = "SRF_MODE_ALL" in 1[31:31],
        /// In elements, 13 bits.
        array_base: u16 = "ARRAY_BASE" in 2[12:0],
        /// How bytes are swapped; 0 for not at all.
        endian_swap: u8 = "ENDIAN_SWAP" in 2[17:16],
        /// Elements - 1.
        array_size: u16 = "ARRAY_SIZE" in 2[31:20],
    }
}
