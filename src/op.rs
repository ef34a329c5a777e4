// SPDX-License-Identifier: MIT OR Apache-2.0
//! The decoded operation: the one thing the four instruction sets have in common.
//!
//! [`Op`] holds what all lanes share, [`Lanes`] what differs between them, and [`Ctrl`] the control registers.
//! Each mirrors a packed struct of `rtl/lsu_pkg.sv`, field for field, from one table (`op/table.rs`).

mod codes;
mod ctrl;
mod lane_mask;
pub mod layout;
mod limits;
mod packed;
mod rule;

pub use codes::{
    AddrMode, BufferSlot, Cache, Dimension, Fault, Kind, Priority, ReqKind, Resource, Scope, Semantics, Space, Stage,
};
pub use lane_mask::{Ascending, LaneMask};
pub use limits::MAX_PENDING;
pub use packed::{Attr, Bits, Buffer, Ctrl, Op, Packed, Private, Range, Tgsm, Uav};
pub use rule::Rule;
use std::fmt;

use serde::{Deserialize, Serialize};

/// The most lanes a unit has, and the width of a [`LaneMask`].
pub const MAX_LANES: usize = 32;
/// The widest memory line, in bytes.
pub const MAX_LINE_BYTES: usize = 128;
/// The most 32-bit registers one group of an operation moves for a lane (PORT-GROUP).
pub const GROUP_REGISTERS: usize = 4;
/// The most 32-bit registers one operation moves for a lane: a burst of 16 GPRs.
pub const MAX_REGISTERS: usize = 16 * GROUP_REGISTERS;
/// Bits of a byte address at the memory port.
pub const ADDR_WIDTH: u32 = 40;
/// Bits of a lane's [`Fault`].
pub const FAULT_WIDTH: usize = 3;

/// 64-bit values as hexadecimal text, since TOML's integers have 63 bits and nobody reads addresses in decimal.
pub mod hex {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    /// Writes the value as `0x...`.
    pub fn serialize<S: Serializer>(value: &u64, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&format!("{value:#x}"))
    }

    /// Reads a value written as `0x...`.
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
        let text = String::deserialize(deserializer)?;
        let digits = text.strip_prefix("0x").ok_or_else(|| D::Error::custom(format!("`{text}` lacks `0x`")))?;
        u64::from_str_radix(digits, 16)
            .map_err(|_| D::Error::custom(format!("`{text}` is no 64-bit hexadecimal number")))
    }
}

/// What differs between the lanes of one operation (PORT-OP). Lanes past the unit's width are ignored.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lanes {
    /// Lanes that execute.
    pub active: LaneMask,
    /// Helper lanes, or killed pixels.
    pub helper: LaneMask,
    /// Lanes whose space predicate is set.
    pub predicate: LaneMask,
    /// Three address words a lane, in the order of the port.
    pub addr: [[u32; 3]; MAX_LANES],
}

/// The shape of a unit: the parameters of `rtl/lsu.sv` that its answers depend on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Shape {
    /// Threads an operation serves: 4, 8, 16 or 32.
    pub lanes: usize,
    /// Bytes of the memory port's line: 32, 64 or 128.
    pub line_bytes: usize,
    /// In-flight ordering domains: 1 to 8.
    pub warps: usize,
    /// Requests in flight: 2 to 64.
    pub pending: usize,
    /// Bytes of the scratchpad.
    pub shared_bytes: usize,
}

impl Default for Shape {
    fn default() -> Self {
        Shape::with_lanes(MAX_LANES)
    }
}

impl Shape {
    /// The default shape, but with this many lanes.
    pub const fn with_lanes(lanes: usize) -> Self {
        Shape { lanes, line_bytes: 128, warps: 8, pending: 16, shared_bytes: 32768 }
    }

    /// The parameters with their names in the RTL.
    pub fn parameters(&self) -> [(&'static str, usize); 5] {
        let Shape { lanes, line_bytes, warps, pending, shared_bytes } = *self;
        [
            ("LANES", lanes),
            ("LINE_BYTES", line_bytes),
            ("WARPS", warps),
            ("PENDING", pending),
            ("SHARED_BYTES", shared_bytes),
        ]
    }

    /// What is wrong with this shape, or `None` if such a unit can be built.
    pub fn problem(&self) -> Option<String> {
        limits::problem(self.parameters().map(|(_, value)| value))
    }

    /// Every lane of the unit.
    pub fn lane_mask(&self) -> LaneMask {
        LaneMask::lowest(self.lanes)
    }
}

/// Writes `NAME=value` for each parameter, with its name in the RTL.
impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Shape { lanes, line_bytes, warps, pending, shared_bytes } = self;
        write!(f, "LANES={lanes} LINE_BYTES={line_bytes} WARPS={warps} PENDING={pending} SHARED_BYTES={shared_bytes}")
    }
}

/// The factor that repeats sixteen bits four times.
const REPEAT: u64 = 0x0001_0001_0001_0001;

impl Op {
    /// Bytes of the whole access of one lane: element size times count.
    pub fn access_bytes(&self) -> u32 {
        u32::from(self.element_bytes) * u32::from(self.element_count)
    }

    /// Whether this is an R700 burst: one group for each GPR rather than one access.
    pub fn is_burst(&self) -> bool {
        self.addr_mode == AddrMode::Array as u8
    }

    /// The registers that a lane's access fills or empties, one bit for each index in the operation.
    ///
    /// The registers of one access count from 0, element by element; those of a sink are missing (PTX-SINK). Component
    /// c of a burst's k-th GPR has index 4k + c, so that masked components and absent GPRs leave gaps.
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
        each * self.first_components()
    }

    /// The X components of the present GPRs, one bit for each index in the operation.
    pub(crate) fn first_components(&self) -> u64 {
        let mut bits = u64::from(self.present_gprs);
        for (by, mask) in [(24, 0xff_0000_00ff), (12, 0xf_000f_000f_000f), (6, 0x0303 * REPEAT), (3, 0x1111 * REPEAT)] {
            bits = (bits | bits << by) & mask;
        }
        bits
    }

    /// The selector of a destination component of an R700 read (R700-READ): 0 to 3 a component, 4 zero, 5 one, 7 none.
    pub fn select(&self, component: u32) -> u8 {
        (self.component_select >> (3 * component)) as u8 & 7
    }

    /// Beats that the operation takes at the data port if it is legal; an illegal operation takes none (PORT-DATA).
    pub fn data_beats(&self) -> u32 {
        match Kind::from_code(self.kind) {
            Some(Kind::Store) => self.registers().count_ones(),
            // The comparison value, then the new one.
            Some(Kind::CmpStore) => 2,
            _ => 0,
        }
    }
}
