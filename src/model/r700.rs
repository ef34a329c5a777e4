// SPDX-License-Identifier: MIT OR Apache-2.0
//! R700 bursts over all lanes: which dwords each lane moves (R700-CLAMP, R700-BOUND), which lines each GPR requests
//! (PORT-GROUP), and which values the registers of a read take (R700-READ, R700-READOOB).
//!
//! The dwords of a lane are a set of 64 bits: bit 4k + c stands for component c, in memory, of the burst's k-th GPR.
//!
//! A GPR of a lane lies in one line or two. Leaders ascend, and a leader's lower line goes first. So the order of a
//! group's lines is, as in `coalesce`, simply the order in which the dwords of ascending lanes first name them.

use super::{Filled, Plan, Register, Request, address, buffer, clamp, coalesce::Known, plan::thread, served::delivers};
use crate::op::{
    ADDR_WIDTH, Buffer, Ctrl, Fault, GROUP_REGISTERS, Kind, LaneMask, Lanes, MAX_LANES, MAX_LINE_BYTES, Op, ReqKind,
    Shape, Space,
};

/// Everything that is the same for every lane: the fields, as wide as the ports carry them, and what follows from them.
pub(super) struct Burst {
    driver: bool,
    slot: u64,
    base: u64,
    elem_size: u64,
    use_index: bool,
    buffer: Buffer,
    /// limit_dw. General export has no limit in the drivers' form, and ignores this.
    pub limit: u64,
    /// The dwords that the operation moves in a lane with none clamped or out of bounds.
    wanted: u64,
}

impl Burst {
    pub fn new(ctrl: &Ctrl, op: &Op) -> Self {
        let (driver, slot) = (ctrl.r700_driver_form, u64::from(op.slot % 8));
        let base = u64::from(op.array_base % (1 << 13));
        let elem_size = u64::from(op.elem_size % 4);
        let buffer = buffer::of(ctrl, op);
        Burst {
            driver,
            slot,
            base,
            elem_size,
            use_index: op.use_index,
            buffer: Buffer { base: buffer.base % (1 << ADDR_WIDTH), ..buffer },
            limit: clamp::limit(&driver, &slot, &base, &u64::from(op.array_size), &elem_size),
            wanted: wanted(op),
        }
    }

    /// first_dw of a lane.
    pub fn first(&self, index: u32) -> u64 {
        let index = u64::from(index);
        address::first_dword(&self.driver, &self.slot, &self.base, &self.elem_size, &self.use_index, &index)
    }

    /// The dword of component X of a GPR.
    pub fn element(&self, first: u64, gpr: u64) -> u64 {
        clamp::element(&first, &gpr, &self.elem_size)
    }

    /// Whether a component lies below the limit (R700-CLAMP).
    pub fn below(&self, element: u64, component: u32) -> bool {
        clamp::below(&self.driver, &self.slot, &element, component, &self.limit)
    }

    /// Whether a component lies inside the buffer (R700-BOUND).
    pub fn fits(&self, element: u64, component: u32) -> bool {
        buffer::fits(&element, component, &u64::from(self.buffer.size))
    }

    /// The byte address of a dword (R700-PLACE).
    pub fn address(&self, thread: u64, dword: u64) -> u64 {
        buffer::address(&self.buffer.base, &self.buffer.stride.into(), &thread, &dword)
    }

    /// Whether COMP_MASK and DST_SEL let this component of the GPR move.
    pub fn wants(&self, gpr: u8, component: u8) -> bool {
        self.wanted >> (4 * gpr + component) & 1 == 1
    }

    /// The dwords that a lane moves, and whether one of the others is out of allocation.
    fn moved(&self, first: u64) -> (u64, bool) {
        let Some(last) = self.wanted.checked_ilog2() else { return (0, false) };
        // No dword lies above component W of the last GPR: if W is in bounds, all are.
        let element = self.element(first, u64::from(last / 4));
        if self.below(element, 3) & self.fits(element, 3) {
            return (self.wanted, false);
        }
        let (mut moved, mut outside) = (0, false);
        for gpr in 0..16 {
            let wanted = self.wanted & 0xf << (4 * gpr);
            let element = self.element(first, gpr);
            // The same holds within a GPR.
            if wanted == 0 || self.below(element, 3) & self.fits(element, 3) {
                moved |= wanted;
                continue;
            }
            for component in 0..4 {
                let bit = 1 << (4 * gpr + u64::from(component)) & wanted;
                let below = self.below(element, component);
                let fits = self.fits(element, component);
                moved |= if below & fits { bit } else { 0 };
                outside |= bit != 0 && below & !fits;
            }
        }
        (moved, outside)
    }
}

/// The dwords that the operation would move: COMP_MASK of a write, or the components of a read that some destination
/// takes and the format has (R700-READ), in each GPR that exists (R700-GPROOB).
fn wanted(op: &Op) -> u64 {
    let taken = match op.kind == Kind::Load as u8 {
        true => (0..4).map(|component| 1 << op.select(component)).fold(0, |all, one: u8| all | one),
        false => u8::MAX,
    };
    let each = u64::from(taken & op.element_mask & 0xf);
    each * op.first_components()
}

/// The byte address, at the memory port, of a component of a lane's GPR. `first` is the address of component X of the
/// burst's first GPR.
pub(super) fn word(op: &Op, first: u64, gpr: u8, component: usize) -> u64 {
    let dwords = u64::from(gpr) * (u64::from(op.elem_size % 4) + 1) + component as u64;
    first.wrapping_add(4 * dwords) % (1 << ADDR_WIDTH)
}

/// Works out what a legal burst does, into `out`. The caller has set `active` and cleared the rest.
pub(super) fn plan(shape: &Shape, ctrl: &Ctrl, op: &Op, lanes: &Lanes, data: &[Register], out: &mut Plan) {
    let burst = Burst::new(ctrl, op);
    let mut moved = [0; MAX_LANES];
    for lane in out.active.iter() {
        let first = burst.first(lanes.addr[lane][0]);
        let (dwords, outside) = burst.moved(first);
        moved[lane] = dwords;
        out.memory.insert_if(dwords != 0, lane);
        out.addr[lane] = burst.address(thread(shape, op, lane), first);
        out.faults[lane] = if outside { Fault::Allocation } else { Fault::None };
    }
    if op.kind == Kind::Load as u8 {
        fill(op, &burst, &moved, out);
    }
    let mut beat = 0;
    for gpr in (0..16).filter(|gpr| op.present_gprs >> gpr & 1 == 1) {
        let beats = data.get(beat..).unwrap_or_default();
        group(shape, op, gpr, &moved, beats, out);
        beat += (op.element_mask & 0xf).count_ones() as usize;
    }
}

/// Fills in the registers of a read that take their values without an access.
fn fill(op: &Op, burst: &Burst, moved: &[u64; MAX_LANES], out: &mut Plan) {
    let partial: LaneMask = out.active.iter().filter(|&lane| moved[lane] != burst.wanted).collect();
    let registers = op.registers();
    for index in (0..64u8).filter(|index| registers >> index & 1 == 1) {
        let (lanes, value) = match op.select(u32::from(index) % 4) {
            component @ 0..=3 => {
                let bit = 1 << (index / 4 * 4 + component);
                let missing = partial.iter().filter(|&lane| moved[lane] & bit == 0).collect();
                (if burst.wanted & bit == 0 { out.active } else { missing }, 0)
            }
            5 if op.one_is_float => (out.active, 1f32.to_bits()),
            5 => (out.active, 1),
            _ => (out.active, 0),
        };
        if !lanes.is_empty() {
            out.filled.push(Filled { index, lanes, value });
        }
    }
}

/// Appends the requests of one GPR (PORT-GROUP). `beats` begins with the data beats of this GPR, and may hold more.
fn group(shape: &Shape, op: &Op, gpr: u8, moved: &[u64; MAX_LANES], beats: &[Register], out: &mut Plan) {
    let store = op.kind == Kind::Store as u8;
    let mut known = Known::<{ 4 * MAX_LANES }>::new(out.requests.len());
    let mut current = usize::MAX;
    for lane in out.memory.iter() {
        let mut dwords = (moved[lane] >> (4 * gpr)) as u8 & 0xf;
        while dwords != 0 {
            let first = dwords.trailing_zeros() as usize;
            let at = word(op, out.addr[lane], gpr, first);
            let line = at & !(shape.line_bytes as u64 - 1);
            // The dwords that begin in this line.
            let room = (shape.line_bytes - (at - line) as usize).div_ceil(4);
            let here = dwords & ((1 << (first + room).min(GROUP_REGISTERS)) - 1);
            dwords -= here;
            if out.requests.get(current).is_none_or(|request| request.line != line) {
                current = known.find(line, &out.requests).unwrap_or(out.requests.len());
            }
            if current == out.requests.len() {
                out.requests.push(lead(op, gpr, line));
            }
            let request = &mut out.requests[current];
            request.lanes.insert(lane);
            for component in (first..GROUP_REGISTERS).filter(|component| here >> component & 1 == 1) {
                let offset = (at - line) as usize + 4 * (component - first);
                request.served[component].insert(lane);
                request.byte_enable |= 0xf << offset;
                if !store {
                    continue;
                }
                let beat = (op.element_mask & ((1 << component) - 1)).count_ones() as usize;
                let value = beats.get(beat).map_or(0, |register| register[lane]);
                // Lanes ascend: the dword of the highest lane remains (COM-SAMEADDR).
                if let Some(dword) = request.data.get_mut(offset..).and_then(|bytes| bytes.first_chunk_mut()) {
                    *dword = value.to_le_bytes();
                }
            }
        }
    }
}

/// A request without lanes so far.
fn lead(op: &Op, group: u8, line: u64) -> Request {
    Request {
        kind: if op.kind == Kind::Store as u8 { ReqKind::Write } else { ReqKind::Read },
        line,
        byte_enable: 0,
        data: [0; MAX_LINE_BYTES],
        lanes: LaneMask::NONE,
        served: [LaneMask::NONE; GROUP_REGISTERS],
        group,
        space: Space::Buffer,
    }
}

/// Fills the registers of the lanes that a read serves, from the bytes of its line.
pub(super) fn load(op: &Op, plan: &Plan, request: &Request, line: &[u8; MAX_LINE_BYTES], out: &mut [Register]) {
    for (index, lanes) in delivers(op, request) {
        let Some(register) = out.get_mut(index) else { continue };
        let component = usize::from(op.select((index % GROUP_REGISTERS) as u32));
        for lane in lanes.iter() {
            let at = word(op, plan.addr[lane], request.group, component);
            let offset = at.wrapping_sub(request.line) as usize % MAX_LINE_BYTES;
            // A line holds whole dwords, so four bytes are there.
            register[lane] = line[offset..].first_chunk().map_or(0, |dword| u32::from_le_bytes(*dword));
        }
    }
}
