// SPDX-License-Identifier: MIT OR Apache-2.0
//! How the answer to a request affects its lanes: SPA5-EXT, SPA5-MULTI, COM-BUSERR.

use super::{Plan, Register, extract::register, r700};
use crate::op::{Fault, LaneMask, MAX_LINE_BYTES, Op, ReqKind};

/// Fills the registers of the lanes that read request `index` serves, from the bytes of its line.
///
/// Other lanes and registers keep their values. A write, or an index past the requests, fills nothing.
///
/// ```
/// use gpu_lsu::{model::{Plan, load, plan}, op::{AddrMode, Ctrl, LaneMask, Lanes, Op, Range, Shape}};
///
/// // LD.S8 [0x101]
/// let op = Op { imm: 0x101, element_bytes: 1, element_count: 1, element_mask: 1, sign_extend: true, ..Op::default() };
/// let mut ctrl = Ctrl::default();
/// ctrl.alloc[0] = Range { base: 0x100, size: 0x20 };
/// let lanes = Lanes { active: LaneMask::only(0), predicate: LaneMask::only(0), ..Lanes::default() };
/// let (shape, mut registers, mut out) = (Shape::with_lanes(4), [[0; 32]; 4], Plan::default());
/// plan(&shape, &ctrl, &op, &lanes, &registers, &mut out);
///
/// let mut line = [0; 128];
/// line[1] = 0x80;
/// load(&op, &out, 0, &line, &mut registers);
/// assert_eq!(registers[0][0], 0xffff_ff80);
/// ```
pub fn load(op: &Op, plan: &Plan, index: usize, line: &[u8; MAX_LINE_BYTES], out: &mut [Register]) {
    let Some(request) = plan.requests.get(index) else { return };
    if request.kind != ReqKind::Read {
        return;
    }
    if op.is_burst() {
        return r700::load(op, plan, request, line, out);
    }
    let lanes = request.lanes.iter().map(|lane| (lane, plan.addr[lane].wrapping_sub(request.line) as usize));
    let dword = |at: usize| {
        let at = at / 4 * 4 % MAX_LINE_BYTES;
        u32::from_le_bytes([line[at], line[at + 1], line[at + 2], line[at + 3]])
    };
    match op.element_bytes {
        1 => fill::<1>(lanes, op.sign_extend, dword, out),
        2 => fill::<2>(lanes, op.sign_extend, dword, out),
        4 => fill::<4>(lanes, op.sign_extend, dword, out),
        8 => fill::<8>(lanes, op.sign_extend, dword, out),
        _ => fill::<16>(lanes, op.sign_extend, dword, out),
    }
}

/// Fills the registers of lanes, given as pairs of lane and byte offset. `dword` reads at an offset, rounded down to a
/// multiple of 4.
#[inline(always)]
pub(super) fn fill<const BYTES: usize>(
    lanes: impl Iterator<Item = (usize, usize)>,
    sign: bool,
    dword: impl Fn(usize) -> u32,
    out: &mut [Register],
) {
    for (lane, offset) in lanes {
        for (part, registers) in out.iter_mut().enumerate().take(BYTES.div_ceil(4)) {
            // SPA5-MULTI: the k-th register lies 4k bytes above the first.
            let value = u64::from(dword(offset + 4 * part));
            registers[lane] = register(&value, &(offset as u64 % 4), &(BYTES as u64), &sign) as u32;
        }
    }
}

/// Gives `lanes` a bus error (COM-BUSERR), except lanes with a fault of higher priority (COM-FAULT).
///
/// ```
/// use gpu_lsu::{model::{Plan, bus_error}, op::{Fault, LaneMask}};
///
/// let mut plan = Plan::default();
/// plan.faults[1] = Fault::Misaligned;
/// plan.faults[2] = Fault::Allocation;
/// bus_error(&mut plan, LaneMask::from_bits(0b111));
/// assert_eq!(plan.faults[..3], [Fault::Bus, Fault::Bus, Fault::Allocation]);
/// ```
pub fn bus_error(plan: &mut Plan, lanes: LaneMask) {
    for lane in lanes.iter() {
        let fault = &mut plan.faults[lane];
        if *fault == Fault::None || *fault > Fault::Bus {
            *fault = Fault::Bus;
        }
    }
}
