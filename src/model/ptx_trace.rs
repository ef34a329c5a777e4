// SPDX-License-Identifier: MIT OR Apache-2.0
//! One lane of a PTX store, with the reasons: for `explain` and reports, not for the fast path.

use super::{
    address::effective,
    align::align_vector,
    order,
    plan::{outcome, thread},
    ptx::is_mmio,
    space::{Spaces, place},
    trace::{Place, Trace},
};
use crate::{
    clause::Clause,
    op::{Ctrl, Fault, Lanes, Op, Semantics, Shape, Space},
};

/// Follows a lane that executes a legal store.
pub(super) fn trace(shape: &Shape, ctrl: &Ctrl, op: &Op, lanes: &Lanes, lane: usize) -> Trace {
    let [low, high, _] = lanes.addr[lane];
    let bytes = u64::from(op.access_bytes());
    let ea = effective(&u64::from(op.addr_mode), &low.into(), &high.into(), &op.imm);
    let aligned = align_vector(&ea, &bytes);
    let spaces = Spaces::from(ctrl);
    let thread = thread(shape, op, lane);
    let site = place(&spaces, &spaces.map.alloc, &op.space.into(), &is_mmio(op), &aligned, &bytes, &thread);
    let fault = match site.illegal {
        true => Fault::Illegal,
        false => outcome(site.window, site.allocation, ctrl.trap_misaligned && ea != aligned),
    };
    let made = !(site.illegal || site.window || site.allocation);

    let generic = op.space == Space::Generic as u8;
    let (elements, weak) = (op.element_mask.count_ones(), order::semantics(op) == Some(Semantics::Weak));
    let mut clauses = vec![Clause::PtxEa];
    for (matters, clause) in [
        (!site.window, if generic { Clause::PtxSpace } else { Clause::PtxOffset }),
        (ea != aligned, Clause::PtxAlign),
        (made && (op.element_count > 1 || op.element_bytes != 4), Clause::PtxVec),
        (made && elements < op.element_count.into(), Clause::PtxSink),
        (site.param, Clause::PtxParam),
        (site.local || site.param, Clause::ComPrivate),
        (site.global && site.allocation, Clause::ComGlobal),
        (site.illegal && generic && bytes == 32, Clause::PtxGlobalOnly),
        (!weak && (made || site.illegal), Clause::PtxSem),
    ] {
        clauses.extend(matters.then_some(clause));
    }

    let (thread, addr) = (thread as u32, site.addr);
    let place = match (site.local, site.param, site.shared, site.cluster) {
        _ if site.window => Place::Nowhere,
        (true, ..) if generic => Place::Local { thread, offset: aligned - spaces.map.local.base, addr },
        (true, ..) => Place::Local { thread, offset: aligned, addr },
        (_, true, ..) => Place::Param { thread, offset: aligned, addr },
        (_, _, true, _) => Place::Shared(addr),
        (.., true) => Place::Cluster { offset: aligned, addr },
        _ => Place::Global(addr),
    };
    Trace { ea, aligned, place, clauses, fault }
}
