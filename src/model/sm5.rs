// SPDX-License-Identifier: MIT OR Apache-2.0
//! `atomic_cmp_store` of SM5 over all lanes: each lane's dword in a u# or g#, and the read-exclusives of the pairs
//! (PORT-CAS). `cas` works out from the line of the answer whether a pair has a second half, and which.

use super::{
    Plan, coalesce,
    uav::{Group, Target, View, place_tgsm, place_uav},
};
use crate::op::{Ctrl, Fault, LaneMask, Lanes, Op, ReqKind, Shape, Space};

/// The target of one lane of a legal operation.
pub(super) fn target(ctrl: &Ctrl, op: &Op, lanes: &Lanes, lane: usize) -> Target<u64> {
    let (mode, slot) = (u64::from(op.addr_mode), usize::from(op.slot % 8));
    let [x, y, z] = lanes.addr[lane];
    let (x, y, z) = (u64::from(x), u64::from(y), u64::from(z));
    match op.space == Space::Uav as u8 {
        true => place_uav(&View::from(&ctrl.uav[slot]), &mode, [&x, &y, &z]),
        false => place_tgsm(&Group::from(&ctrl.tgsm[slot]), &mode, &x, &y),
    }
}

/// A lane's outcome in the order of COM-FAULT: out of allocation, undefined, misaligned.
pub(super) fn fault(ctrl: &Ctrl, target: &Target<u64>) -> Fault {
    match target {
        Target { allocation: true, .. } => Fault::Allocation,
        Target { undefined: true, .. } => Fault::Undefined,
        Target { misaligned: true, .. } if ctrl.trap_misaligned => Fault::Misaligned,
        _ => Fault::None,
    }
}

/// Works out what a legal operation does, into `out`. The caller has set `active` and cleared the rest.
pub(super) fn plan(shape: &Shape, ctrl: &Ctrl, op: &Op, lanes: &Lanes, out: &mut Plan) {
    let mut made = LaneMask::NONE;
    for lane in out.active.iter() {
        let target = target(ctrl, op, lanes, lane);
        made.insert_if(!(target.allocation | target.undefined), lane);
        out.addr[lane] = target.addr;
        out.faults[lane] = fault(ctrl, &target);
    }
    if op.space == Space::Tgsm as u8 {
        out.shared = made;
        return;
    }
    out.memory = made;
    coalesce::requests(shape, op, made, LaneMask::NONE, &out.addr, &[], &mut out.requests);
    for request in &mut out.requests {
        request.kind = ReqKind::ReadExclusive;
    }
}
