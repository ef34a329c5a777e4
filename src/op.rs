// SPDX-License-Identifier: MIT OR Apache-2.0
//! The decoded operation: the one thing the four instruction sets have in common.
//!
//! [`Op`] is what is the same for all lanes, [`Lanes`] what differs between them, [`Ctrl`] the control registers.
//! Each mirrors a packed struct of `rtl/lsu_pkg.sv`, field for field, from one table (`op/table.rs`).

use serde::{Deserialize, Serialize};

/// The most lanes a unit has, and the width of a lane mask.
pub const MAX_LANES: usize = 32;
/// The widest memory line, in bytes.
pub const MAX_LINE_BYTES: usize = 128;
/// The most 32-bit registers one group of an operation moves for a lane (PORT-GROUP).
pub const GROUP_REGISTERS: usize = 4;
/// The most 32-bit registers one operation moves for a lane: a burst of 16 GPRs.
pub const MAX_REGISTERS: usize = 16 * GROUP_REGISTERS;
/// Bits of a byte address at the memory port.
pub const ADDR_WIDTH: u32 = 40;

/// A value with a fixed place among the bits of a port.
pub trait Packed {
    /// Writes `width` bits of `self` into `words`, least significant bit at `at`.
    ///
    /// `words` holds zeros there beforehand.
    fn pack(&self, words: &mut [u32], at: u32, width: u32);
}

fn put(words: &mut [u32], at: u32, width: u32, value: u64) {
    let value = if width == 64 { value } else { value & ((1 << width) - 1) };
    let (index, shift) = ((at / 32) as usize, at % 32);
    let wide = u128::from(value) << shift;
    for (word, part) in words[index..].iter_mut().zip([wide, wide >> 32, wide >> 64]) {
        *word |= part as u32;
    }
}

macro_rules! packed_integers {
    ($($ty:ty),*) => {$(
        impl Packed for $ty {
            #[inline]
            fn pack(&self, words: &mut [u32], at: u32, width: u32) {
                put(words, at, width, u64::from(*self));
            }
        }
    )*};
}
packed_integers!(bool, u8, u16, u32, u64);

impl<T: Packed, const N: usize> Packed for [T; N] {
    fn pack(&self, words: &mut [u32], at: u32, width: u32) {
        let each = width / N as u32;
        for (item, index) in self.iter().zip(0..) {
            item.pack(words, at + index * each, each);
        }
    }
}

/// 64-bit values as hexadecimal text: TOML's integers have 63 bits, and nobody reads addresses in decimal.
pub mod hex {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    /// Writes `0x...`.
    pub fn serialize<S: Serializer>(value: &u64, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&format!("{value:#x}"))
    }

    /// Reads `0x...`.
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
        let text = String::deserialize(deserializer)?;
        let digits = text.strip_prefix("0x").ok_or_else(|| D::Error::custom(format!("`{text}` lacks `0x`")))?;
        u64::from_str_radix(digits, 16)
            .map_err(|_| D::Error::custom(format!("`{text}` is no 64-bit hexadecimal number")))
    }
}

macro_rules! packed {
    ($(#[$doc:meta])* $name:ident as $sv:ident { $($(#[$fdoc:meta])* $field:ident: $ty:ty = $width:expr,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
        #[serde(deny_unknown_fields)]
        pub struct $name { $($(#[$fdoc])* pub $field: $ty,)* }

        impl $name {
            /// Bits in the packed form.
            pub const WIDTH: u32 = 0 $(+ $width)*;
        }

        impl Packed for $name {
            #[inline]
            fn pack(&self, words: &mut [u32], at: u32, _width: u32) {
                let mut top = at + Self::WIDTH;
                $(top -= $width; self.$field.pack(words, top, $width);)*
                debug_assert_eq!(top, at);
            }
        }
    };
}

include!("op/table.rs");

macro_rules! codes {
    ($(#[$doc:meta])* $name:ident { $($(#[$vdoc:meta])* $variant:ident = $code:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum $name { $($(#[$vdoc])* $variant = $code,)* }

        impl $name {
            /// Every code, ascending.
            pub const ALL: &'static [Self] = &[$(Self::$variant),*];

            /// The meaning of a raw code, if it has one.
            pub fn from_code(code: u8) -> Option<Self> {
                match code { $($code => Some(Self::$variant),)* _ => None }
            }
        }
    };
}

codes! {
    /// What an operation does.
    Kind { Load = 0, Store = 1, CmpStore = 2, }
}
codes! {
    /// How a lane's address words and the immediate make its effective address.
    AddrMode {
        /// The immediate alone.
        Abs = 0,
        /// Word 0 plus the immediate, modulo 2^32.
        Reg32 = 1,
        /// Words 1 and 0 plus the immediate, modulo 2^64.
        Reg64 = 2,
        /// R700-FIRST.
        Array = 3,
        /// SM5-RAW.
        Raw = 4,
        /// SM5-STRUCT.
        Struct = 5,
        /// SM5-TYPED.
        Typed = 6,
    }
}
codes! {
    /// Which memory an address names, or a request is for.
    Space {
        /// SPA5-SPACE: each lane's predicate tells.
        Predicated = 0,
        /// PTX-SPACE: the windows tell.
        Generic = 1,
        Global = 2, Local = 3, Shared = 4, Cluster = 5, Param = 6,
        /// An R700 buffer, by slot.
        Buffer = 7,
        /// u#, by slot.
        Uav = 8,
        /// g#, by slot.
        Tgsm = 9,
    }
}
codes! {
    /// The R700 buffers, in the order of their slots.
    BufferSlot {
        /// Private to each thread.
        Scratch = 0,
        Reduction = 1,
        Stream0 = 2, Stream1 = 3, Stream2 = 4, Stream3 = 5,
        Ring = 6,
        /// General memory, without an array: the size register alone bounds it (R700-EXPORT).
        Export = 7,
    }
}
codes! {
    /// Cache operators, of loads and of stores.
    Cache { Ca = 0, Cg = 1, Ci = 2, Cv = 3, Wb = 4, Cs = 5, Wt = 6, }
}
codes! {
    /// Eviction priorities of a cache level.
    Priority {
        /// None is asked for, or `evict_normal`.
        Normal = 0,
        Unchanged = 1, First = 2, Last = 3, NoAllocate = 4,
    }
}
codes! {
    /// Memory-order semantics.
    Semantics { Weak = 0, Volatile = 1, Relaxed = 2, Release = 3, Mmio = 4, }
}
codes! {
    /// How far an access, or an acknowledgement, reaches.
    Scope { Cta = 0, Cluster = 1, Gpu = 2, Sys = 3, }
}
codes! {
    /// A lane's outcome; of several, the lowest that is not `None` (COM-FAULT).
    Fault { None = 0, Illegal = 1, Window = 2, Allocation = 3, Undefined = 4, Bus = 5, Misaligned = 6, }
}
codes! {
    /// What a memory request asks.
    ReqKind { Read = 0, Write = 1, ReadExclusive = 2, WriteExclusive = 3, }
}

codes! {
    /// What an SM5 resource is bound as.
    Resource { None = 0, Raw = 1, Structured = 2, Typed = 3, }
}
codes! {
    /// The indices of a typed resource (SM5-TYPED).
    Dimension {
        /// x, as of [`Dimension::Texture1d`].
        Buffer = 0,
        Texture1d = 1,
        /// x and slice, which is tested against the depth and scaled by the slice pitch.
        Texture1dArray = 2,
        /// x and y.
        Texture2d = 3,
        /// x, y and slice.
        Texture2dArray = 4,
        /// x, y and z.
        Texture3d = 5,
    }
}

impl Fault {
    /// The words that reports and `run` use.
    pub fn name(self) -> &'static str {
        match self {
            Fault::None => "ok",
            Fault::Illegal => "illegal",
            Fault::Window => "out of window",
            Fault::Allocation => "out of allocation",
            Fault::Undefined => "undefined",
            Fault::Bus => "bus error",
            Fault::Misaligned => "misaligned",
        }
    }
}

/// What differs between the lanes of one operation (PORT-OP). Lanes past the unit's width are ignored.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lanes {
    /// Bit l: lane l executes.
    pub active: u32,
    /// Bit l: lane l is a helper or killed pixel.
    pub helper: u32,
    /// Bit l: lane l's space predicate.
    pub predicate: u32,
    /// Three address words a lane, in the order of the port.
    pub addr: [[u32; 3]; MAX_LANES],
}

/// The shape of a unit: the parameters of `rtl/lsu.sv` that its answers depend on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shape {
    /// Threads an operation serves: 4, 8, 16 or 32.
    pub lanes: usize,
    /// Bytes of the memory port's line: 32, 64 or 128.
    pub line_bytes: usize,
    /// In-flight ordering domains: 1 to 8.
    pub warps: usize,
    /// Requests in flight: 1 to 64.
    pub pending: usize,
    /// Bytes of the scratchpad.
    pub shared_bytes: usize,
}

impl Shape {
    /// The unit as it is built by default, with this many lanes.
    pub const fn with_lanes(lanes: usize) -> Self {
        Shape { lanes, line_bytes: 128, warps: 8, pending: 16, shared_bytes: 32768 }
    }

    /// A mask with a bit for every lane of the unit.
    pub fn lane_mask(&self) -> u32 {
        u32::MAX >> (MAX_LANES - self.lanes)
    }
}

impl Ctrl {
    /// Whether these registers keep the ports' contract on a unit of this shape: multiples of 32, nothing past 2^40, no
    /// more shared memory than the scratchpad has.
    ///
    /// # Errors
    ///
    /// What is wrong, in words.
    pub fn check(&self, shape: &Shape) -> Result<(), String> {
        let end = 1u64 << ADDR_WIDTH;
        let windows =
            [("local_window", self.local_window), ("shared_window", self.shared_window), ("cluster", self.cluster)];
        for (name, Range { base, size }) in windows.into_iter().chain(self.alloc.map(|range| ("alloc", range))) {
            if base % 32 != 0 || size % 32 != 0 {
                return Err(format!("`{name}` {base:#x} {size:#x}: base and size are multiples of 32 bytes"));
            }
            if base.checked_add(size).is_none_or(|last| last > end) {
                return Err(format!("`{name}` {base:#x} {size:#x} ends past the 40 address bits"));
            }
        }
        let threads = (shape.warps * shape.lanes) as u64;
        for (name, Private { base, stride, size }) in
            [("local_memory", self.local_memory), ("param_memory", self.param_memory)]
        {
            if base % 32 != 0 || stride % 32 != 0 || size % 32 != 0 {
                return Err(format!("`{name}`: base, stride and size are multiples of 32 bytes"));
            }
            if base.saturating_add((threads - 1) * u64::from(stride)).saturating_add(size.into()) > end {
                return Err(format!("`{name}` ends past the 40 address bits"));
            }
        }
        if self.shared_size % 32 != 0 {
            return Err("`shared_size` is a multiple of 32 bytes".to_owned());
        }
        for (slot, &Buffer { base, stride, size }) in self.buffer.iter().enumerate() {
            if base % 4 != 0 || stride % 4 != 0 || size % 4 != 0 {
                return Err(format!("`buffer` {slot}: base, stride and size are multiples of 4 bytes"));
            }
            if slot != BufferSlot::Scratch as usize && stride != 0 {
                return Err(format!("`buffer` {slot}: only scratch, buffer 0, has a stride"));
            }
            if base.saturating_add((threads - 1) * u64::from(stride)).saturating_add(size.into()) > end {
                return Err(format!("`buffer` {slot} ends past the 40 address bits"));
            }
        }
        for (slot, uav) in self.uav.iter().enumerate() {
            let words = uav.base | uav.size | u64::from(uav.stride) | u64::from(uav.row_pitch | uav.slice_pitch);
            if words % 4 != 0 {
                return Err(format!("`uav` {slot}: base, size, stride and pitches are multiples of 4 bytes"));
            }
            if uav.kind == Resource::Structured as u8 && uav.stride == 0 {
                return Err(format!("`uav` {slot}: a structure has a stride"));
            }
            if uav.base.saturating_add(uav.size) > end {
                return Err(format!("`uav` {slot} ends past the 40 address bits"));
            }
        }
        for (slot, tgsm) in self.tgsm.iter().enumerate() {
            if (tgsm.base | tgsm.size | u32::from(tgsm.stride)) % 4 != 0 {
                return Err(format!("`tgsm` {slot}: base, size and stride are multiples of 4 bytes"));
            }
            if tgsm.kind == Resource::Structured as u8 && tgsm.stride == 0 {
                return Err(format!("`tgsm` {slot}: a structure has a stride"));
            }
            if tgsm.kind == Resource::Typed as u8 {
                return Err(format!("`tgsm` {slot} is raw or structured (SM5-KIND)"));
            }
            if u64::from(tgsm.base) + u64::from(tgsm.size) > shape.shared_bytes as u64 {
                return Err(format!("`tgsm` {slot} ends past the scratchpad's {} bytes", shape.shared_bytes));
            }
        }
        if self.shared_size as usize > shape.shared_bytes {
            return Err(format!(
                "`shared_size` {} is more than the scratchpad's {}",
                self.shared_size, shape.shared_bytes
            ));
        }
        Ok(())
    }
}

impl Op {
    /// Bytes of the whole access of one lane: element size times count.
    pub fn access_bytes(&self) -> u32 {
        u32::from(self.element_bytes) * u32::from(self.element_count)
    }

    /// Bytes that one register holds: an element narrower than 32 bits has a register of its own (PORT-OP).
    pub fn register_bytes(&self) -> u32 {
        u32::from(self.element_bytes).min(4)
    }

    /// Whether it is an R700 burst: a group for each GPR, rather than one access.
    pub fn is_burst(&self) -> bool {
        self.addr_mode == AddrMode::Array as u8
    }

    /// The registers that a lane's access fills or empties, by their index in the operation, a bit each.
    ///
    /// The registers of one access count from 0, element by element; those of a sink are missing (PTX-SINK). Component c of a burst's k-th GPR is number 4k + c, so that numbers
    /// are missing where components are masked or GPRs absent.
    ///
    /// ```
    /// use gpu_lsu::op::{AddrMode, Kind, Op};
    ///
    /// let op = Op { kind: Kind::Store as u8, element_bytes: 8, element_count: 1, element_mask: 1, ..Op::default() };
    /// assert_eq!(op.registers(), 0b11);
    /// let burst = Op {
    ///     addr_mode: AddrMode::Array as u8,
    ///     element_bytes: 4,
    ///     element_count: 4,
    ///     element_mask: 0b0011,
    ///     present_gprs: 0b101,
    ///     ..op
    /// };
    /// assert_eq!(burst.registers(), 0x303);
    /// ```
    pub fn registers(&self) -> u64 {
        if !self.is_burst() {
            let each = u32::from(self.element_bytes).div_ceil(4);
            let of = |element: u32| u64::MAX.checked_shr(64 - each.min(64)).unwrap_or(0).checked_shl(element * each);
            let elements = (0..u32::from(self.element_count).min(8)).filter(|i| self.element_mask >> i & 1 == 1);
            return elements.filter_map(of).sum();
        }
        let each = match self.kind == Kind::Load as u8 {
            true => (0..4).filter(|&component| self.select(component) != 7).map(|component| 1 << component).sum(),
            false => u64::from(self.element_mask & 0xf),
        };
        (0..16).filter(|gpr| self.present_gprs >> gpr & 1 == 1).map(|gpr| each << (4 * gpr)).sum()
    }

    /// What the destination component of an R700 read takes (R700-READ): 0 to 3 a component, 4 zero, 5 one, 7 none.
    pub fn select(&self, component: u32) -> u8 {
        (self.component_select >> (3 * component)) as u8 & 7
    }

    /// Data beats that the operation takes at the data port, if it is legal; an illegal one takes none (PORT-DATA).
    pub fn data_beats(&self) -> u32 {
        match Kind::from_code(self.kind) {
            Some(Kind::Store) => self.registers().count_ones(),
            // The comparison value, then the new one.
            Some(Kind::CmpStore) => 2,
            _ => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_land_where_a_packed_struct_puts_them() {
        let mut words = [0u32; 4];
        Range { base: 0x12_3456_7890, size: 0xff_0000_0001 }.pack(&mut words, 0, Range::WIDTH);
        let all = words.iter().rev().fold(0u128, |acc, &word| acc << 32 | u128::from(word));
        assert_eq!(all, 0x12_3456_7890 << 40 | 0xff_0000_0001);
    }

    #[test]
    fn nested_widths_add_up() {
        assert_eq!(Attr::WIDTH, 80);
        assert_eq!(Ctrl::WIDTH, 1 + 80 + 80 + 104 + 32 + 640 + 1 + 832 + 104 + 80 + 1800 + 624);
    }
}
