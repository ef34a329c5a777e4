// SPDX-License-Identifier: MIT OR Apache-2.0
//! `st` of PTX over all lanes: each lane's place (PTX-SPACE, PTX-OFFSET), and the requests: merged, or one for each
//! lane of an mmio store (PTX-SEM).

use std::slice::from_ref;

use super::{
    Plan, Register, coalesce, order,
    plan::{addresses, outcome, thread},
    space::{Spaces, place},
    vector,
};
use crate::op::{Ctrl, Fault, LaneMask, Lanes, Op, Semantics, Shape, Space};

/// Works out what a legal store does, into `out`. The caller has set `active` and cleared the rest.
pub(super) fn plan(shape: &Shape, ctrl: &Ctrl, op: &Op, lanes: &Lanes, data: &[Register], out: &mut Plan) {
    match op.access_bytes() {
        1 => outcomes::<1>(shape, ctrl, op, lanes, out),
        2 => outcomes::<2>(shape, ctrl, op, lanes, out),
        4 => outcomes::<4>(shape, ctrl, op, lanes, out),
        8 => outcomes::<8>(shape, ctrl, op, lanes, out),
        16 => outcomes::<16>(shape, ctrl, op, lanes, out),
        _ => outcomes::<32>(shape, ctrl, op, lanes, out),
    }
    if out.memory.is_empty() {
        return;
    }
    let packed;
    let words = match vector::dense(op) {
        true => data,
        false => {
            packed = vector::words(op, data);
            &packed
        }
    };
    let mut ask = |lanes| coalesce::requests(shape, op, lanes, out.local, &out.addr, words, &mut out.requests);
    match is_mmio(op) {
        // Earlier requests count as those of another group, so that no lane joins them.
        true => out.memory.iter().for_each(|lane| ask(LaneMask::only(lane))),
        false => ask(out.memory),
    }
}

pub(super) fn is_mmio(op: &Op) -> bool {
    matches!(order::semantics(op), Some(Semantics::Mmio | Semantics::MmioRelease))
}

/// Works out each active lane's place and fault.
fn outcomes<const BYTES: u64>(shape: &Shape, ctrl: &Ctrl, op: &Op, lanes: &Lanes, out: &mut Plan) {
    let span = addresses::<BYTES>(op, lanes, out);
    let spaces = Spaces::from(ctrl);
    let clear = match Space::from_code(op.space) {
        Some(Space::Generic) => span.clear_of(&spaces.map.local) && span.clear_of(&spaces.map.shared),
        Some(Space::Global) => true,
        _ => false,
    };
    if clear && span.allocated(&spaces.map) {
        out.memory = out.active;
    } else {
        each::<BYTES>(shape, op, &spaces, out);
    }
    if ctrl.trap_misaligned {
        let good = out.memory | out.shared;
        (span.misaligned & good).iter().for_each(|lane| out.faults[lane] = outcome(false, false, true));
    }
}

/// Places the active lanes, whose EA' are in `out.addr`, one by one.
fn each<const BYTES: u64>(shape: &Shape, op: &Op, spaces: &Spaces<u64>, out: &mut Plan) {
    let (first, space, mmio) = (thread(shape, op, 0), u64::from(op.space), is_mmio(op));
    // As for SPA 5.0, lanes tend to lie in the allocation range of the lane before.
    let mut likely = 0;
    for lane in out.active.iter() {
        let (aligned, thread) = (out.addr[lane], first + lane as u64);
        let mut site = place(spaces, from_ref(&spaces.map.alloc[likely]), &space, &mmio, &aligned, &BYTES, &thread);
        if site.global
            && site.allocation
            && let Some(index) = spaces.map.alloc.iter().position(|range| range.holds(&aligned, &BYTES))
        {
            likely = index;
            site.allocation = false;
        }
        let fault = match site.illegal {
            true => Fault::Illegal,
            false => outcome(site.window, site.allocation, false),
        };
        let good = fault == Fault::None;
        out.memory.insert_if(good & !site.shared, lane);
        out.local.insert_if(good & site.local, lane);
        out.shared.insert_if(good & site.shared, lane);
        out.addr[lane] = site.addr;
        out.faults[lane] = fault;
    }
}
