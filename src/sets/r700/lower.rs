// SPDX-License-Identifier: MIT OR Apache-2.0
//! Lowers an instruction to the burst that the unit takes, and the components that feed it.
//!
//! LDS_REQ, COALESCED_READ, FETCH_WHOLE_QUAD, WHOLE_QUAD_MODE, BARRIER, END_OF_PROGRAM, FORMAT_COMP_ALL and
//! SRF_MODE_ALL change nothing here. **Choice**.

use super::{Cf, CfOp, FORMATS, GPRS, Inst, MemOp, Read};
use crate::{
    clause::Clause,
    op::{AddrMode, Attr, BufferSlot, Kind, MAX_REGISTERS, Op, Space},
    sets::{Guard, Lowered, PT, Source},
};

/// Why `run` refuses an instruction that assembles (COM-ILLEGAL).
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LowerError {
    /// EXPORT or EXPORT_DONE.
    #[error("{name} goes to a pixel, position or parameter buffer, not to memory", name = .0.name())]
    Export(CfOp),
    /// A DATA_FORMAT that does not consist of plain dwords.
    #[error("DATA_FORMAT {0} does not move dwords unchanged")]
    Format(u8),
    /// An ENDIAN_SWAP other than 0.
    #[error("ENDIAN_SWAP {0} does not move dwords unchanged")]
    Swap(u8),
    /// DST_SEL 6.
    #[error("DST_SEL_{component} is 6, which is reserved", component = ["X", "Y", "Z", "W"][usize::from(.0 & 3)])]
    Select(u8),
}

impl LowerError {
    /// The rule that refuses it.
    pub fn clause(self) -> Clause {
        match self {
            LowerError::Export(_) => Clause::ComIllegal,
            _ => Clause::R700Read,
        }
    }

    /// The field at fault.
    pub fn field(self) -> &'static str {
        match self {
            LowerError::Export(_) => "CF_INST",
            LowerError::Format(_) => "DATA_FORMAT",
            LowerError::Swap(_) => "ENDIAN_SWAP",
            LowerError::Select(component) => {
                ["DST_SEL_X", "DST_SEL_Y", "DST_SEL_Z", "DST_SEL_W"][usize::from(component & 3)]
            }
        }
    }

    /// What would be legal.
    pub fn help(self) -> &'static str {
        match self {
            LowerError::Export(_) => "leave exports out, or write memory with MEM_EXPORT",
            LowerError::Format(_) => "use 13 (32), 29 (32_32), 47 (32_32_32) or 34 (32_32_32_32)",
            LowerError::Swap(_) => "use ENDIAN_SWAP 0",
            LowerError::Select(_) => "use x, y, z, w, 0, 1 or _",
        }
    }
}

/// Lowers an instruction, in a program of `gpr_count` GPRs (at most 128), at this loop index.
///
/// GPRs that are not below `gpr_count` are not transferred. An index GPR that is not below it reads 0 (R700-GPROOB).
///
/// ```
/// use gpu_lsu::sets::{Source, r700};
///
/// let write = r700::decode(&[0xc0822008, 0x9202f00f]).unwrap(); // MEM_SCRATCH WRITE_IND 8-9 R4-5.xyzw R1 ES:3 AS:15
/// let lowered = r700::lower(&write, 128, 0).unwrap();
/// let op = lowered.op;
/// assert_eq!((op.array_base, op.array_size, op.elem_size, op.present_gprs), (8, 16, 3, 0b11));
/// assert_eq!(lowered.address[0], Some(Source::Register(4 * 1))); // R1.x
/// assert_eq!(lowered.registers().nth(4), Some((4, Some(4 * 5)))); // R5.x
///
/// let short = r700::lower(&write, 5, 0).unwrap(); // there is no R5
/// assert_eq!(short.op.present_gprs, 0b01);
/// ```
pub fn lower(inst: &Inst, gpr_count: u16, loop_index: u32) -> Result<Lowered, LowerError> {
    let gprs = Gprs { count: gpr_count.min(GPRS), loop_index };
    match inst {
        Inst::Cf(cf) => write(cf, gprs),
        Inst::Read(read) => self::read(read, gprs),
    }
}

/// The number of the GPR that an index comes from, including the loop index, whether the program has this GPR or not.
pub fn index_gpr(inst: &Inst, loop_index: u32) -> Option<u64> {
    match inst {
        Inst::Cf(cf) => cf.indexed().then_some(cf.index_gpr.into()),
        Inst::Read(read) => {
            let offset = if read.src_rel { loop_index } else { 0 };
            read.indexed.then(|| u64::from(read.src_gpr) + u64::from(offset))
        }
    }
}

/// The GPRs that a program has.
#[derive(Clone, Copy)]
struct Gprs {
    count: u16,
    loop_index: u32,
}

impl Gprs {
    /// The number of a GPR, if the program has it.
    fn number(self, gpr: u8, relative: bool, more: u64) -> Option<u16> {
        let offset = if relative { self.loop_index } else { 0 };
        let number = u64::from(gpr & 0x7f) + u64::from(offset) + more;
        u16::try_from(number).ok().filter(|number| *number < self.count)
    }

    /// Completes the operation with the GPRs of a burst, and makes the [`Lowered`] of it.
    fn burst(self, mut op: Op, gpr: u8, relative: bool, count: u8, index: Option<u16>) -> Lowered {
        let numbers = (0..16).map(|more| self.number(gpr, relative, more).filter(|_| more <= u64::from(count & 15)));
        op.present_gprs = numbers.clone().zip(0..).map(|(number, bit)| u16::from(number.is_some()) << bit).sum();
        let moved = op.registers();
        let mut data = [None; MAX_REGISTERS];
        for (four, number) in data.chunks_mut(4).zip(numbers) {
            for (register, component) in four.iter_mut().zip(0..) {
                *register = number.map(|number| Source::Register(4 * number + component));
            }
        }
        for (index, register) in data.iter_mut().enumerate() {
            *register = register.filter(|_| moved >> index & 1 == 1);
        }
        Lowered {
            op,
            address: [index.map(Source::Register), None, None],
            data,
            guard: Guard::ALWAYS,
            plg: PT,
            policy: None,
        }
    }
}

fn write(cf: &Cf, gprs: Gprs) -> Result<Lowered, LowerError> {
    let slot = match cf.op {
        CfOp::MemScratch => BufferSlot::Scratch,
        CfOp::MemReduction => BufferSlot::Reduction,
        CfOp::MemStream0 => BufferSlot::Stream0,
        CfOp::MemStream1 => BufferSlot::Stream1,
        CfOp::MemStream2 => BufferSlot::Stream2,
        CfOp::MemStream3 => BufferSlot::Stream3,
        CfOp::MemRing => BufferSlot::Ring,
        CfOp::MemExport => BufferSlot::Export,
        CfOp::Export | CfOp::ExportDone => return Err(LowerError::Export(cf.op)),
    };
    let op = Op {
        kind: Kind::Store as u8,
        element_mask: cf.comp_mask & 0xf,
        suppress_helpers: cf.valid_pixel_mode,
        await_last: cf.acknowledged(),
        ..array(slot, cf.array_base, cf.array_size, cf.elem_size, cf.indexed())
    };
    let index = if cf.indexed() { gprs.number(cf.index_gpr, false, 0).map(|gpr| 4 * gpr) } else { None };
    Ok(gprs.burst(op, cf.rw_gpr, cf.rw_rel, cf.burst_count, index))
}

fn read(read: &Read, gprs: Gprs) -> Result<Lowered, LowerError> {
    let slot = match read.op {
        MemOp::ReadScratch => BufferSlot::Scratch,
        MemOp::ReadReduction => BufferSlot::Reduction,
        MemOp::ReadMem => BufferSlot::Export,
    };
    let components = FORMATS.iter().position(|format| *format == read.data_format);
    let components = components.ok_or(LowerError::Format(read.data_format))?;
    if read.endian_swap != 0 {
        return Err(LowerError::Swap(read.endian_swap));
    }
    let selects = read.selects().map(|select| u16::from(select & 7));
    if let Some(component) = (0..).zip(selects).find_map(|(component, select)| (select == 6).then_some(component)) {
        return Err(LowerError::Select(component));
    }
    let op = Op {
        kind: Kind::Load as u8,
        element_mask: 0xf >> (3 - components),
        component_select: selects.iter().rev().fold(0, |all, select| all << 3 | select),
        one_is_float: read.num_format_all != 1,
        attr: Attr { uncached: read.uncached, ..Attr::default() },
        ..array(slot, read.array_base, read.array_size, read.elem_size, read.indexed)
    };
    let gpr = gprs.number(read.src_gpr, read.src_rel, 0).filter(|_| read.indexed);
    let index = gpr.map(|gpr| 4 * gpr + u16::from(read.src_sel_x & 3));
    Ok(gprs.burst(op, read.dst_gpr, read.dst_rel, read.burst_count, index))
}

/// The part that writes and reads have in common. `size` is the raw field (R700-SIZE).
fn array(slot: BufferSlot, base: u16, size: u16, elem_size: u8, use_index: bool) -> Op {
    Op {
        addr_mode: AddrMode::Array as u8,
        space: Space::Buffer as u8,
        slot: slot as u8,
        element_bytes: 4,
        element_count: 4,
        array_base: base & 0x1fff,
        array_size: (size & 0xfff) + 1,
        elem_size: elem_size & 3,
        use_index,
        ..Op::default()
    }
}
