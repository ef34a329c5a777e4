// SPDX-License-Identifier: MIT OR Apache-2.0
//! One lane of an R700 burst, dword by dword, with the reasons: for `explain` and reports, not for the fast path.

use super::{
    legal::legal,
    plan::{active, thread},
    r700::{Burst, word},
    trace::{Place, Trace},
};
use crate::{
    clause::Clause,
    op::{BufferSlot, Ctrl, Fault, GROUP_REGISTERS, Kind, Lanes, Op, Shape},
};

/// A burst as it is for one lane, in the terms of R700-FIRST and R700-CLAMP.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct R700Trace {
    /// The lane's index; 0 if the operation uses none.
    pub index: u32,
    pub first_dw: u64,
    /// `None` for general export in the drivers' form (R700-DRIVER).
    pub limit_dw: Option<u64>,
    /// The byte address of first_dw, without any wrap (R700-PLACE).
    pub addr: u64,
    /// Four dwords for each GPR that exists, ascending by GPR, then by component.
    pub dwords: Vec<Dword>,
}

/// One component, in memory, of one GPR.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dword {
    /// Counted from the burst's first GPR.
    pub gpr: u8,
    /// 0 to 3: X to W.
    pub component: u8,
    /// The dword's number in the buffer, or in the thread's item of scratch.
    pub dword: u64,
    /// The dword's byte address at the memory port.
    pub addr: u64,
    pub fate: Fate,
}

/// What becomes of a dword.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Fate {
    /// Not in COMP_MASK; in a read, taken by no destination or missing in the format (R700-ELEM, R700-READ).
    Masked,
    /// Written, or read.
    Moved,
    /// At or past the limit (R700-CLAMP, R700-READOOB).
    Clamped,
    /// Below the limit and past the buffer's size (R700-BOUND).
    Outside,
}

/// Follows `lane` through a burst. Returns `None` if the operation is no legal burst or the lane does not execute.
///
/// ```
/// use gpu_lsu::{model::{Fate, r700_trace}, op::{AddrMode, Buffer, Ctrl, Kind, LaneMask, Lanes, Op, Shape, Space}};
///
/// // MEM_SCRATCH WRITE_IND 8 R4.x___ R1 ES:3 AS:15 with R1.x = 15
/// let op = Op {
///     kind: Kind::Store as u8,
///     addr_mode: AddrMode::Array as u8,
///     space: Space::Buffer as u8,
///     element_bytes: 4,
///     element_count: 4,
///     element_mask: 0b0001,
///     array_base: 8,
///     array_size: 16,
///     elem_size: 3,
///     use_index: true,
///     present_gprs: 0b11,
///     ..Op::default()
/// };
/// let mut ctrl = Ctrl::default();
/// ctrl.buffer[0] = Buffer { base: 0x1000, stride: 0x400, size: 0x400 };
/// let mut lanes = Lanes { active: LaneMask::only(0), ..Lanes::default() };
/// lanes.addr[0][0] = 15;
/// let trace = r700_trace(&Shape::with_lanes(4), &ctrl, &op, &lanes, 0).unwrap();
/// assert_eq!((trace.first_dw, trace.limit_dw), (92, Some(96)));
/// assert_eq!((trace.dwords[0].addr, trace.dwords[0].fate), (0x1000 + 4 * 92, Fate::Moved));
/// assert_eq!((trace.dwords[4].dword, trace.dwords[4].fate), (96, Fate::Clamped));
/// ```
pub fn r700_trace(shape: &Shape, ctrl: &Ctrl, op: &Op, lanes: &Lanes, lane: usize) -> Option<R700Trace> {
    let executes = lane < shape.lanes && active(shape, op, lanes).contains(lane);
    if !executes || !op.is_burst() || !legal(op) {
        return None;
    }
    let burst = Burst::new(ctrl, op);
    let index = if op.use_index { lanes.addr[lane][0] } else { 0 };
    let first_dw = burst.first(index);
    let addr = burst.address(thread(shape, op, lane), first_dw);
    let dword = |gpr: u8, component: u8| {
        let element = burst.element(first_dw, gpr.into());
        let fate = match (burst.wants(gpr, component), burst.below(element, component.into())) {
            (false, _) => Fate::Masked,
            (_, false) => Fate::Clamped,
            _ if burst.fits(element, component.into()) => Fate::Moved,
            _ => Fate::Outside,
        };
        let (dword, addr) = (element + u64::from(component), word(op, addr, gpr, component.into()));
        Dword { gpr, component, dword, addr, fate }
    };
    let gprs = (0..16u8).filter(|gpr| op.present_gprs >> gpr & 1 == 1);
    let dwords = gprs.flat_map(|gpr| (0..GROUP_REGISTERS as u8).map(move |component| (gpr, component)));
    let unbounded = ctrl.r700_driver_form && op.slot % 8 == BufferSlot::Export as u8;
    let limit_dw = (!unbounded).then_some(burst.limit);
    Some(R700Trace { index, first_dw, limit_dw, addr, dwords: dwords.map(|(k, c)| dword(k, c)).collect() })
}

impl R700Trace {
    /// Whether some dword has this fate.
    pub fn has(&self, fate: Fate) -> bool {
        self.dwords.iter().any(|dword| dword.fate == fate)
    }

    /// The same trace, in the terms common to all operations.
    pub(super) fn summary(&self, ctrl: &Ctrl, op: &Op) -> Trace {
        let (load, slot) = (op.kind == Kind::Load as u8, op.slot % 8);
        let [moved, clamped, outside] = [Fate::Moved, Fate::Clamped, Fate::Outside].map(|fate| self.has(fate));
        let mut clauses = vec![match ctrl.r700_driver_form {
            true => Clause::R700Driver,
            false => Clause::R700First,
        }];
        for (matters, clause) in [
            (load, Clause::R700Read),
            (moved || clamped || outside, Clause::R700Elem),
            (clamped, Clause::R700Clamp),
            (clamped && load, Clause::R700Readoob),
            (moved || outside, Clause::R700Place),
            ((moved || outside) && slot == BufferSlot::Scratch as u8, Clause::ComPrivate),
            (slot == BufferSlot::Scratch as u8 && op.stage & 3 != 0, Clause::R700Stage),
            (slot == BufferSlot::Export as u8, Clause::R700Export),
            (outside, Clause::R700Bound),
            (!load && op.element_mask & 0xf == 0, Clause::R700Vpm),
        ] {
            clauses.extend(matters.then_some(clause));
        }
        let made = self.dwords.iter().find(|dword| dword.fate == Fate::Moved);
        let ea = made.map_or(self.addr, |dword| dword.addr);
        Trace {
            ea,
            aligned: ea,
            place: Place::Buffer { slot, dword: self.first_dw, addr: self.addr },
            clauses,
            fault: if outside { Fault::Allocation } else { Fault::None },
        }
    }
}
