// SPDX-License-Identifier: MIT OR Apache-2.0
//! One operation over all its lanes: which lanes execute (COM-INACTIVE, COM-HELPER), which of them fault (COM-FAULT),
//! and which lines they request (PORT-GROUP).

use std::slice::from_ref;

use super::{
    Register, Request,
    address::effective,
    align::align_vector,
    coalesce,
    legal::{legal, ptx_space},
    ptx, r700, sm5,
    window::{Interval, Map, place},
};
use crate::op::{ADDR_WIDTH, Ctrl, Fault, Kind, LaneMask, Lanes, MAX_LANES, MAX_REGISTERS, Op, Shape};

/// A value that a register of a load takes in some lanes without an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Filled {
    /// The register's index in the operation ([`Op::registers`]).
    pub index: u8,
    /// Never empty.
    pub lanes: LaneMask,
    pub value: u32,
}

/// What an operation does.
///
/// A plan can be reused: [`plan`] clears and refills it, and allocates nothing once `requests` has grown to the longest
/// list.
#[derive(Clone, Debug)]
pub struct Plan {
    /// COM-ILLEGAL: if false, every active lane faults and nothing else happens.
    pub legal: bool,
    /// Lanes that execute: in the active mask, in the unit, and not a suppressed helper.
    pub active: LaneMask,
    /// Each lane's outcome before bus errors. A lane may be illegal in a legal operation (PTX-SEM, for mmio).
    pub faults: [Fault; MAX_LANES],
    /// For lanes in `memory`, the byte address at the memory port; for lanes in `shared`, the offset in the scratchpad;
    /// for others, no particular value. For every active lane of a burst: the byte address that component X of its
    /// first GPR has or would have, even past the address bits of the memory port.
    pub addr: [u64; MAX_LANES],
    /// Lanes that access memory; in a burst, with at least one dword.
    pub memory: LaneMask,
    /// The lanes of `memory` whose space is local; the others access the space that the operation names, or else global
    /// memory.
    pub local: LaneMask,
    /// Lanes that access the scratchpad.
    pub shared: LaneMask,
    /// Faulted lanes of a load, whose registers become 0 (SPA5-OOB). Empty for an illegal operation, and for a burst,
    /// whose lanes may fault for a single dword.
    pub zeros: LaneMask,
    /// Values that registers of a load take without an access, by index: the zeros of the lanes in `zeros`; in a burst
    /// the constants, the components that the format lacks, and dwords that are clamped or out of bounds (R700-READ,
    /// R700-READOOB, R700-BOUND).
    pub filled: Vec<Filled>,
    /// In the order in which the unit sends them.
    pub requests: Vec<Request>,
}

impl Default for Plan {
    fn default() -> Self {
        Plan {
            legal: false,
            active: LaneMask::NONE,
            faults: [Fault::None; MAX_LANES],
            addr: [0; MAX_LANES],
            memory: LaneMask::NONE,
            local: LaneMask::NONE,
            shared: LaneMask::NONE,
            zeros: LaneMask::NONE,
            filled: Vec::with_capacity(MAX_REGISTERS),
            requests: Vec::with_capacity(MAX_LANES),
        }
    }
}

/// The number of the thread that a lane runs (COM-PRIVATE).
pub(super) fn thread(shape: &Shape, op: &Op, lane: usize) -> u64 {
    // The port has three bits of warp.
    u64::from(op.warp % 8) * shape.lanes as u64 + lane as u64
}

/// The lanes that execute. COM-HELPER: the operation says whether helpers are suppressed; the front end requests this
/// for stores. No helper makes a compare-and-store, whatever the operation says (SM5-INACTIVE).
pub(super) fn active(shape: &Shape, op: &Op, lanes: &Lanes) -> LaneMask {
    let suppressed = if op.suppress_helpers || op.kind == Kind::CmpStore as u8 { lanes.helper } else { LaneMask::NONE };
    (lanes.active & shape.lane_mask()) - suppressed
}

/// Works out what `op` does, into `out`.
///
/// `data` holds the registers of a store in the order of its beats (PORT-DATA). It is not read for a load, nor for a
/// compare-and-store, whose requests are the read-exclusives ([`second_half`](super::cas::second_half) works out the
/// rest).
///
/// ```
/// use gpu_lsu::{model::{Plan, plan}, op::{AddrMode, Ctrl, Kind, LaneMask, Lanes, Op, Range, Shape}};
///
/// // ST.64 [R1+0x18], R4 with R1 = 0x1003: EA 0x101b is forced to 0x1018.
/// let op = Op {
///     kind: Kind::Store as u8,
///     addr_mode: AddrMode::Reg32 as u8,
///     imm: 0x18,
///     element_bytes: 8,
///     element_count: 1,
///     element_mask: 1,
///     ..Op::default()
/// };
/// let mut ctrl = Ctrl::default();
/// ctrl.alloc[0] = Range { base: 0x1000, size: 0x1000 };
/// let mut lanes = Lanes { active: LaneMask::only(0), predicate: LaneMask::only(0), ..Lanes::default() };
/// lanes.addr[0][0] = 0x1003;
/// let mut data = [[0; 32]; 4];
/// (data[0][0], data[1][0]) = (0x4444_4444, 0x5555_5555);
///
/// let mut out = Plan::default();
/// plan(&Shape::with_lanes(32), &ctrl, &op, &lanes, &data, &mut out);
/// assert_eq!(out.requests[0].line, 0x1000);
/// assert_eq!(out.requests[0].byte_enable, 0xff << 0x18);
/// assert_eq!(out.requests[0].data[0x1b..0x1d], [0x44, 0x55]);
/// ```
pub fn plan(shape: &Shape, ctrl: &Ctrl, op: &Op, lanes: &Lanes, data: &[Register], out: &mut Plan) {
    out.legal = legal(op);
    out.active = active(shape, op, lanes);
    out.faults = [Fault::None; MAX_LANES];
    (out.memory, out.local, out.shared, out.zeros) = Default::default();
    out.filled.clear();
    out.requests.clear();
    if !out.legal {
        out.active.iter().for_each(|lane| out.faults[lane] = Fault::Illegal);
        return;
    }
    if op.kind == Kind::CmpStore as u8 {
        return sm5::plan(shape, ctrl, op, lanes, out);
    }
    if op.is_burst() {
        return r700::plan(shape, ctrl, op, lanes, data, out);
    }
    if ptx_space(op).is_some() {
        return ptx::plan(shape, ctrl, op, lanes, data, out);
    }
    // With a size known to the compiler, the alignment is a single machine operation.
    match op.element_bytes {
        1 => outcomes::<1>(shape, ctrl, op, lanes, out),
        2 => outcomes::<2>(shape, ctrl, op, lanes, out),
        4 => outcomes::<4>(shape, ctrl, op, lanes, out),
        8 => outcomes::<8>(shape, ctrl, op, lanes, out),
        _ => outcomes::<16>(shape, ctrl, op, lanes, out),
    }
    if !out.zeros.is_empty() {
        let count = op.access_bytes().div_ceil(4) as u8;
        out.filled.extend((0..count).map(|index| Filled { index, lanes: out.zeros, value: 0 }));
    }
    coalesce::requests(shape, op, out.memory, out.local, &out.addr, data, &mut out.requests);
}

/// Works out each active lane's place and fault.
fn outcomes<const BYTES: u64>(shape: &Shape, ctrl: &Ctrl, op: &Op, lanes: &Lanes, out: &mut Plan) {
    let span = addresses::<BYTES>(op, lanes, out);
    let map = Map::from(ctrl);
    if (out.active - lanes.predicate).is_empty() && span.clear_of(&map.local) && span.allocated(&map) {
        out.memory = out.active;
    } else {
        each::<BYTES>(shape, op, lanes, &map, out);
    }
    let good = out.memory | out.shared;
    if op.kind == Kind::Load as u8 {
        out.zeros = out.active - good;
    }
    if ctrl.trap_misaligned {
        (span.misaligned & good).iter().for_each(|lane| out.faults[lane] = outcome(false, false, true));
    }
}

/// The range of addresses in which the accesses of all active lanes lie.
pub(super) struct Span {
    /// EA' of the lowest and of the highest access; without any access, `lowest` is above `highest`.
    lowest: u64,
    highest: u64,
    /// Bytes of one access.
    bytes: u64,
    /// Lanes whose address was forced.
    pub misaligned: LaneMask,
}

/// Works out EA' of each active lane, into `out.addr`.
pub(super) fn addresses<const BYTES: u64>(op: &Op, lanes: &Lanes, out: &mut Plan) -> Span {
    let mode = u64::from(op.addr_mode);
    let mut misaligned = LaneMask::NONE;
    let (mut lowest, mut highest) = (u64::MAX, 0);
    for lane in out.active.iter() {
        let [low, high, _] = lanes.addr[lane];
        let ea = effective(&mode, &low.into(), &high.into(), &op.imm);
        let aligned = align_vector(&ea, &BYTES);
        misaligned.insert_if(aligned != ea, lane);
        lowest = lowest.min(aligned);
        highest = highest.max(aligned);
        out.addr[lane] = aligned;
    }
    Span { lowest, highest, bytes: BYTES, misaligned }
}

/// A test that succeeds for both ends of a span succeeds for all of its lanes, because an interval that holds the first
/// and the last byte holds everything between them. A test may fail for the span although it would succeed for each
/// lane.
impl Span {
    fn reachable(&self) -> bool {
        self.lowest <= self.highest && self.highest >> ADDR_WIDTH == 0
    }

    pub fn clear_of(&self, window: &Interval<u64>) -> bool {
        self.reachable() && (self.lowest >= window.end || self.highest + self.bytes <= window.base)
    }

    pub fn allocated(&self, map: &Map<u64>) -> bool {
        self.reachable() && {
            let bytes = self.highest - self.lowest + self.bytes;
            map.alloc.iter().any(|range| range.holds(&self.lowest, &bytes))
        }
    }
}

/// Places the active lanes, whose EA' are in `out.addr`, one by one.
fn each<const BYTES: u64>(shape: &Shape, op: &Op, lanes: &Lanes, map: &Map<u64>, out: &mut Plan) {
    let first = thread(shape, op, 0);
    // Lanes tend to lie in the allocation range of the lane before, and being in one range is enough.
    let mut likely = 0;
    for lane in out.active.iter() {
        let aligned = out.addr[lane];
        let predicate = lanes.predicate.contains(lane);
        let thread = first + lane as u64;
        let mut placed = place(map, from_ref(&map.alloc[likely]), &aligned, &BYTES, &predicate, &thread);
        if placed.global
            && placed.allocation
            && let Some(index) = map.alloc.iter().position(|range| range.holds(&aligned, &BYTES))
        {
            likely = index;
            placed.allocation = false;
        }
        let good = !(placed.window | placed.allocation);
        out.memory.insert_if((placed.local | placed.global) & good, lane);
        out.local.insert_if(placed.local & good, lane);
        out.shared.insert_if(placed.shared & good, lane);
        out.addr[lane] = placed.addr;
        out.faults[lane] = outcome(placed.window, placed.allocation, false);
    }
}

/// COM-FAULT: the first fault that applies.
#[inline(always)]
pub(super) fn outcome(window: bool, allocation: bool, misaligned: bool) -> Fault {
    match (window, allocation, misaligned) {
        (true, _, _) => Fault::Window,
        (_, true, _) => Fault::Allocation,
        (_, _, true) => Fault::Misaligned,
        _ => Fault::None,
    }
}
