// SPDX-License-Identifier: MIT OR Apache-2.0
//! One lane of one operation, with the reasons: for reports and `explain`, not for the fast path.

use super::{
    address::effective,
    align::align,
    legal::{legal, ptx_space},
    plan::{active, outcome, thread},
    ptx_trace,
    r700_trace::r700_trace,
    sm5_trace::sm5_trace,
    window::{Map, place},
};
use crate::{
    clause::Clause,
    op::{AddrMode, Ctrl, Fault, Kind, LaneMask, Lanes, Op, Shape},
};

/// One lane's access, and every clause that applied to it.
#[derive(Clone, Debug, PartialEq)]
pub struct Trace {
    /// The effective address; 0 if the lane does nothing. For a burst, the byte address of the first dword that it
    /// moves, or of first_dw if it moves none. For a g#, an offset in the scratchpad.
    pub ea: u64,
    /// EA', at which the access is made.
    pub aligned: u64,
    pub place: Place,
    /// The clauses that applied to this lane, the most specific last.
    pub clauses: Vec<Clause>,
    /// The outcome before bus errors.
    pub fault: Fault,
}

/// The place that EA' names. It may still lie outside what is allocated there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Out of window, or no access.
    Nowhere,
    /// A byte address.
    Global(u64),
    Local {
        thread: u32,
        offset: u64,
        /// The byte address at the memory port.
        addr: u64,
    },
    /// An offset in the scratchpad.
    Shared(u64),
    /// PTX parameter memory, which is private to the thread, like local memory.
    Param {
        thread: u32,
        offset: u64,
        /// The byte address at the memory port.
        addr: u64,
    },
    /// The cluster's shared memory.
    Cluster {
        offset: u64,
        /// The byte address at the memory port.
        addr: u64,
    },
    /// An R700 buffer.
    Buffer {
        /// One of [`BufferSlot`](crate::op::BufferSlot).
        slot: u8,
        /// first_dw.
        dword: u64,
        /// Its byte address, which may lie past the bits of the memory port.
        addr: u64,
    },
    /// A u#.
    Uav {
        slot: u8,
        /// Bytes from the base.
        offset: u64,
        /// The byte address, which may lie past the bits of the memory port.
        addr: u64,
    },
    /// A g#.
    Tgsm {
        slot: u8,
        /// Bytes from the base.
        offset: u64,
        /// The offset in the scratchpad, which may lie past its end.
        addr: u64,
    },
}

/// Follows `lane` through `op`.
///
/// ```
/// use gpu_lsu::{clause::Clause, model::{Place, trace}, op::{Ctrl, LaneMask, Lanes, Op, Shape}};
///
/// // LD [0xfffffff0] with nothing allocated
/// let op = Op { imm: 0xffff_fff0, element_bytes: 4, element_count: 1, element_mask: 1, ..Op::default() };
/// let lanes = Lanes { active: LaneMask::only(0), predicate: LaneMask::only(0), ..Lanes::default() };
/// let trace = trace(&Shape::with_lanes(4), &Ctrl::default(), &op, &lanes, 0);
/// assert_eq!(trace.place, Place::Global(0xffff_fff0));
/// assert_eq!(trace.clauses, [Clause::Spa5EaAbs, Clause::ComGlobal, Clause::Spa5Oob]);
/// ```
pub fn trace(shape: &Shape, ctrl: &Ctrl, op: &Op, lanes: &Lanes, lane: usize) -> Trace {
    let cmp_store = op.kind == Kind::CmpStore as u8;
    let alone = |clause, fault| {
        let mut clauses = vec![clause];
        clauses.extend((cmp_store && fault == Fault::None).then_some(Clause::Sm5Inactive));
        Trace { ea: 0, aligned: 0, place: Place::Nowhere, clauses, fault }
    };
    let has = |mask: LaneMask| lane < shape.lanes && mask.contains(lane);
    if !has(lanes.active) {
        return alone(Clause::ComInactive, Fault::None);
    }
    if !has(active(shape, op, lanes)) {
        return alone(if op.is_burst() && !cmp_store { Clause::R700Vpm } else { Clause::ComHelper }, Fault::None);
    }
    if !legal(op) {
        return alone(Clause::ComIllegal, Fault::Illegal);
    }

    if let Some(burst) = r700_trace(shape, ctrl, op, lanes, lane) {
        return burst.summary(ctrl, op);
    }

    if let Some(pair) = sm5_trace(shape, ctrl, op, lanes, lane) {
        return pair.summary(shape, ctrl, op, lanes, lane);
    }

    if ptx_space(op).is_some() {
        return ptx_trace::trace(shape, ctrl, op, lanes, lane);
    }

    let [low, high, _] = lanes.addr[lane];
    let bytes = u64::from(op.element_bytes);
    let ea = effective(&u64::from(op.addr_mode), &low.into(), &high.into(), &op.imm);
    let aligned = align(&ea, &bytes);
    let map = Map::from(ctrl);
    let thread = thread(shape, op, lane);
    let placed = place(&map, &map.alloc, &aligned, &bytes, &has(lanes.predicate), &thread);
    let fault = outcome(placed.window, placed.allocation, ctrl.trap_misaligned && ea != aligned);
    let refused = placed.window || placed.allocation;

    let mut clauses = vec![match AddrMode::from_code(op.addr_mode) {
        Some(AddrMode::Reg32) => Clause::Spa5Ea32,
        Some(AddrMode::Reg64) => Clause::Spa5Ea64,
        _ => Clause::Spa5EaAbs,
    }];
    let mut because = |matters: bool, clause| clauses.extend(matters.then_some(clause));
    because(bytes > 4 && !refused, Clause::Spa5Multi);
    because(bytes < 4 && !refused && op.kind == Kind::Load as u8, Clause::Spa5Ext);
    because(ea != aligned, Clause::Spa5Align);
    because(!has(lanes.predicate), Clause::Spa5Space);
    because(placed.window || placed.local || placed.shared, Clause::Spa5Window);
    because(placed.local, Clause::ComPrivate);
    because(placed.global && placed.allocation, Clause::ComGlobal);
    because(refused, Clause::Spa5Oob);

    let place = match (placed.global, placed.local, placed.shared) {
        (true, _, _) => Place::Global(placed.addr),
        (_, true, _) => Place::Local { thread: thread as u32, offset: aligned - map.local.base, addr: placed.addr },
        (_, _, true) => Place::Shared(placed.addr),
        _ => Place::Nowhere,
    };
    Trace { ea, aligned, place, clauses, fault }
}
