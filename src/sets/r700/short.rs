// SPDX-License-Identifier: MIT OR Apache-2.0
//! Prints the short text exactly as Mesa does.
//!
//! RW_REL, VALID_PIXEL_MODE and WHOLE_QUAD_MODE of a CF word are not printed, nor are a read's DST_REL, SRC_REL,
//! FETCH_WHOLE_QUAD, LDS_REQ, COALESCED_READ and ENDIAN_SWAP.

use std::fmt::{self, Display};

use super::{Cf, Inst, NO_LIMIT, Read};

/// The letter of each select, by its code.
pub(crate) const SELECTS: [char; 8] = ['x', 'y', 'z', 'w', '0', '1', '?', '_'];

/// Four selects.
struct Swizzle([u8; 4]);

impl Display for Swizzle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|code| write!(f, "{}", SELECTS[usize::from(code & 7)]))
    }
}

/// Prints `n`, or `n-(n + more)`.
struct Run(u16, u8);

impl Display for Run {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Run(first, 0) => write!(f, "{first}"),
            Run(first, more) => write!(f, "{first}-{}", first + u16::from(more)),
        }
    }
}

/// The selects equivalent to a COMP_MASK.
fn masked(mask: u8) -> [u8; 4] {
    [0, 1, 2, 3].map(|component| if mask >> component & 1 == 1 { component } else { 7 })
}

impl Display for Cf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, ty) = (self.op.name(), self.op.types()[usize::from(self.ty & 3)]);
        let selects = if self.op.is_memory() { masked(self.comp_mask) } else { self.selects() };
        let (base, gprs) = (Run(self.array_base, self.burst_count), Run(self.rw_gpr.into(), self.burst_count));
        write!(f, "{name} {ty} {base} R{gprs}.{}", Swizzle(selects))?;
        if self.indexed() {
            write!(f, " R{}", self.index_gpr)?;
        }
        write!(f, " ES:{}", self.elem_size)?;
        if self.op.is_memory() && self.array_size != NO_LIMIT {
            write!(f, " AS:{}", self.array_size)?;
        }
        if !self.barrier {
            f.write_str(" NO_BARRIER")?;
        }
        if self.end_of_program { f.write_str(" EOP") } else { Ok(()) }
    }
}

impl Display for Read {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [index, second] = [self.src_sel_x, self.src_sel_y].map(|code| SELECTS[usize::from(code & 3)]);
        write!(f, "{} R{}.{}", self.op.name(), self.dst_gpr, Swizzle(self.selects()))?;
        write!(f, ", R{}.{index}{second}, RID:0", self.src_gpr)?;
        if self.uncached {
            f.write_str(" UNCACHED")?;
        }
        if self.indexed {
            f.write_str(" INDEXED:1")?;
        }
        write!(f, " ELEM_SIZE:{}", self.elem_size)?;
        if self.burst_count != 0 {
            write!(f, " BURST_COUNT:{}", self.burst_count)?;
        }
        write!(f, " ARRAY_BASE:{} ARRAY_SIZE:{} UCF:0", self.array_base, self.array_size)?;
        let (format, number) = (self.data_format, self.num_format_all);
        let (comp, mode) = (u8::from(self.format_comp_all), u8::from(self.srf_mode_all));
        write!(f, " FMT(DTA:{format} NUM:{number} COMP:{comp} MODE:{mode})")
    }
}

impl Display for Inst {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Inst::Cf(cf) => cf.fmt(f),
            Inst::Read(read) => read.fmt(f),
        }
    }
}
