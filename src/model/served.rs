// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a request serves for each of its lanes: the registers that its answer fills, and the lane's bytes of the line.

use super::{Plan, Request, r700, vector};
use crate::op::{ADDR_WIDTH, GROUP_REGISTERS, LaneMask, Op, ReqKind};

/// The registers that the answer to a read fills, by their index in the operation, each with the lanes in which it is
/// filled (PORT-WB). Empty for a write.
///
/// Several registers of a burst may take one component, and a request may carry it for some lanes only (R700-READ).
///
/// ```
/// use gpu_lsu::{model::{Plan, delivers, plan}, op::{Ctrl, LaneMask, Lanes, Op, Range, Shape}};
///
/// // LD.64 [0x100]
/// let op = Op { imm: 0x100, element_bytes: 8, element_count: 1, element_mask: 1, ..Op::default() };
/// let mut ctrl = Ctrl::default();
/// ctrl.alloc[0] = Range { base: 0x100, size: 0x20 };
/// let lanes = Lanes { active: LaneMask::from_bits(0b101), predicate: LaneMask::ALL, ..Lanes::default() };
/// let mut out = Plan::default();
/// plan(&Shape::with_lanes(4), &ctrl, &op, &lanes, &[], &mut out);
/// assert_eq!(delivers(&op, &out.requests[0]).collect::<Vec<_>>(), [(0, lanes.active), (1, lanes.active)]);
/// ```
pub fn delivers(op: &Op, request: &Request) -> impl Iterator<Item = (usize, LaneMask)> + use<> {
    let first = GROUP_REGISTERS * usize::from(request.group);
    let lanes: [LaneMask; GROUP_REGISTERS] = match request.kind == ReqKind::Read {
        false => [LaneMask::NONE; GROUP_REGISTERS],
        true if op.is_burst() => std::array::from_fn(|component| {
            let select = usize::from(op.select(component as u32));
            request.served.get(select).copied().unwrap_or_default()
        }),
        true => request.served,
    };
    lanes.into_iter().enumerate().filter(|(_, lanes)| !lanes.is_empty()).map(move |(word, lanes)| (first + word, lanes))
}

/// The bytes of the request's line that are moved for `lane`: bit i stands for byte `line + i` (PORT-REQ).
///
/// ```
/// use gpu_lsu::{model::{Plan, lane_bytes, plan}, op::{Ctrl, LaneMask, Lanes, Op, Range, Shape}};
///
/// // LD.64 [0x108]
/// let op = Op { imm: 0x108, element_bytes: 8, element_count: 1, element_mask: 1, ..Op::default() };
/// let mut ctrl = Ctrl::default();
/// ctrl.alloc[0] = Range { base: 0x100, size: 0x20 };
/// let lanes = Lanes { active: LaneMask::from_bits(0b101), predicate: LaneMask::ALL, ..Lanes::default() };
/// let mut out = Plan::default();
/// plan(&Shape::with_lanes(4), &ctrl, &op, &lanes, &[], &mut out);
/// assert_eq!([0, 1, 2].map(|lane| lane_bytes(&op, &out, &out.requests[0], lane)), [0xff00, 0, 0xff00]);
/// ```
pub fn lane_bytes(op: &Op, plan: &Plan, request: &Request, lane: usize) -> u128 {
    let Some(&addr) = plan.addr.get(lane).filter(|_| request.lanes.contains(lane)) else { return 0 };
    let run = |addr: u64, bytes: u32| {
        let offset = addr.wrapping_sub(request.line) & ((1 << ADDR_WIDTH) - 1);
        u128::from(bytes).checked_shl(offset.min(u64::from(u32::MAX)) as u32).unwrap_or(0)
    };
    if !op.is_burst() {
        return run(addr, vector::moved(op));
    }
    let components = (0..GROUP_REGISTERS).filter(|&component| request.served[component].contains(lane));
    components.map(|component| run(r700::word(op, addr, request.group, component), 0xf)).fold(0, |all, run| all | run)
}
