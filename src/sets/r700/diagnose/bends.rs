// SPDX-License-Identifier: MIT OR Apache-2.0
//! The rules of R700 bursts, bent one at a time.

use super::burst::{Burst, Cut, Rules, base, buffer, buffer_mut, dwords, is_export, unit};
use crate::{
    clause::Clause,
    judge::scoreboard::is_load,
    op::{AddrMode, BufferSlot, Ctrl, LaneMask, Op, Space},
};

/// A rule, and how it is bent.
pub type Bend = (Clause, Bent);
/// Bends one rule of a burst.
pub type Bent = fn(&mut Burst);

/// The selects xyzw.
const ALL_COMPONENTS: u16 = 0o3210;
/// The selects that write no register.
const NO_COMPONENTS: u16 = 0o7777;

fn limit(ctrl: &Ctrl, op: &Op) -> u64 {
    (Rules::LAW.limit)(ctrl, op)
}

fn bound(ctrl: &Ctrl, op: &Op) -> u64 {
    (Rules::LAW.bound)(ctrl, op)
}

fn first(ctrl: &Ctrl, op: &Op, index: u64) -> u64 {
    (Rules::LAW.first)(ctrl, op, index)
}

fn place(ctrl: &Ctrl, op: &Op, thread: u64, dword: u64) -> u64 {
    (Rules::LAW.place)(ctrl, op, thread, dword)
}

/// Whether the operation is a general export in the drivers' form, which has no array.
fn unbounded(ctrl: &Ctrl, op: &Op) -> bool {
    is_export(op) && ctrl.r700_driver_form
}

/// Treats a general export as a buffer with an array: as the ring, whose base counts dwords in the drivers' form.
fn as_array(op: &Op) -> Op {
    Op { slot: BufferSlot::Ring as u8, ..*op }
}

/// The clause by which a read breaks the rule that `clause` states for a write.
pub fn of_kind(clause: Clause, op: &Op) -> Clause {
    match (clause, is_load(op)) {
        (Clause::R700Clamp, true) => Clause::R700Readoob,
        (Clause::R700Vpm, true) => Clause::ComHelper,
        _ => clause,
    }
}

/// The bends, the more specific rules first.
pub const BENDS: &[Bend] = &[
    (Clause::R700Vpm, |it| it.op.suppress_helpers = !it.op.suppress_helpers),
    // They are suppressed, or execute, in every burst.
    (Clause::R700Vpm, |it| it.op.suppress_helpers = true),
    (Clause::R700Vpm, |it| it.op.suppress_helpers = false),
    (Clause::ComIllegal, |it| {
        it.op.kind &= 1;
        (it.op.addr_mode, it.op.space) = (AddrMode::Array as u8, Space::Buffer as u8);
        (it.op.element_bytes, it.op.element_count) = (4, 4);
        it.op.element_mask &= 15;
    }),
    // The read fetches components that memory lacks, or that no DST_SEL takes.
    (Clause::R700Read, |it| it.op.element_mask |= if is_load(&it.op) { 0xf } else { 0 }),
    (Clause::R700Read, |it| it.op.component_select = ALL_COMPONENTS),
    // An end is off by one.
    (Clause::R700Clamp, |it| it.rules.limit = |ctrl, op| limit(ctrl, op).saturating_add(1)),
    (Clause::R700Clamp, |it| it.rules.limit = |ctrl, op| limit(ctrl, op) - 1),
    (Clause::R700Bound, |it| it.rules.bound = |ctrl, op| bound(ctrl, op) + 1),
    (Clause::R700Bound, |it| it.rules.bound = |ctrl, op| bound(ctrl, op).saturating_sub(1)),
    // The lane does not fault.
    (Clause::R700Bound, |it| it.rules.bound_faults = false),
    // General export in the drivers' form starts at ARRAY_BASE, ends with the array, or has an index that counts
    // elements.
    (Clause::R700Driver, |it| {
        it.rules.first = |ctrl, op, index| match unbounded(ctrl, op) {
            true => first(ctrl, &as_array(op), index),
            false => first(ctrl, op, index),
        }
    }),
    (Clause::R700Driver, |it| {
        it.rules.limit = |ctrl, op| if unbounded(ctrl, op) { limit(ctrl, &as_array(op)) } else { limit(ctrl, op) }
    }),
    (Clause::R700Driver, |it| {
        it.rules.limit = |ctrl, op| match unbounded(ctrl, op) {
            true => u64::from(op.array_size) * dwords(op),
            false => limit(ctrl, op),
        }
    }),
    // In the drivers' form, general export has the limit of the manual's form instead of none.
    (Clause::R700Driver, |it| {
        it.rules.limit = |ctrl, op| match unbounded(ctrl, op) {
            true => (base(op) + u64::from(op.array_size)) * dwords(op),
            false => limit(ctrl, op),
        }
    }),
    (Clause::R700Driver, |it| {
        it.rules.first = |ctrl, op, index| match unbounded(ctrl, op) {
            true => index * dwords(op),
            false => first(ctrl, op, index),
        }
    }),
    // In the manual's form, general export lacks the base, or the limit, that it has like every other buffer.
    (Clause::R700First, |it| {
        it.rules.first = |ctrl, op, index| match is_export(op) {
            true => first(ctrl, &Op { array_base: 0, ..*op }, index),
            false => first(ctrl, op, index),
        }
    }),
    (Clause::R700Clamp, |it| it.rules.limit = |ctrl, op| if is_export(op) { u64::MAX } else { limit(ctrl, op) }),
    (Clause::R700Size, |it| it.op.array_size &= 0xfff),
    (Clause::R700Driver, |it| it.ctrl.r700_driver_form = !it.ctrl.r700_driver_form),
    // Only one of the two equations has the drivers' form.
    (Clause::R700Driver, |it| {
        it.rules.limit = |ctrl, op| limit(&Ctrl { r700_driver_form: !ctrl.r700_driver_form, ..*ctrl }, op)
    }),
    (Clause::R700Driver, |it| {
        it.rules.first = |ctrl, op, index| first(&Ctrl { r700_driver_form: !ctrl.r700_driver_form, ..*ctrl }, op, index)
    }),
    // The base counts in the same unit for every buffer.
    (Clause::R700Driver, |it| {
        if it.ctrl.r700_driver_form {
            it.rules.first = |ctrl, op, index| {
                if is_export(op) { first(ctrl, op, index) } else { base(op) + index * dwords(op) }
            };
            it.rules.limit = |ctrl, op| {
                if is_export(op) { limit(ctrl, op) } else { base(op) + u64::from(op.array_size) * dwords(op) }
            };
        }
    }),
    (Clause::R700Driver, |it| {
        if it.ctrl.r700_driver_form {
            it.rules.first = |ctrl, op, index| {
                if is_export(op) { first(ctrl, op, index) } else { 4 * base(op) + index * dwords(op) }
            };
            it.rules.limit = |ctrl, op| {
                if is_export(op) { limit(ctrl, op) } else { 4 * base(op) + u64::from(op.array_size) * dwords(op) }
            };
        }
    }),
    (Clause::R700Driver, |it| {
        if it.ctrl.r700_driver_form {
            it.rules.limit =
                |ctrl, op| if is_export(op) { limit(ctrl, op) } else { base(op) * unit(op) + u64::from(op.array_size) };
        }
    }),
    // The sum of base and size has no more bits than the base.
    (Clause::R700Clamp, |it| {
        it.rules.limit = |ctrl, op| match ctrl.r700_driver_form {
            true => limit(ctrl, op),
            false => (base(op) + u64::from(op.array_size)) % 0x2000 * dwords(op),
        }
    }),
    (Clause::R700Clamp, |it| it.rules.limit = |_, _| u64::MAX),
    // Upper bits of a dword's number are not compared.
    (Clause::R700Clamp, |it| it.rules.compared = |dword| dword & 0xffff_ffff),
    (Clause::R700Clamp, |it| it.rules.cut = Cut::Element),
    (Clause::R700Clamp, |it| it.rules.cut = Cut::Burst),
    (Clause::R700Clamp, |it| it.rules.clamp_faults = true),
    (Clause::R700Clamp, |it| it.rules.limit = |ctrl, op| limit(ctrl, &Op { array_base: 0, ..*op })),
    (Clause::R700Size, |it| it.op.array_size += 1),
    (Clause::R700Size, |it| it.op.array_size -= 1),
    (Clause::R700Bound, |it| it.rules.bound = |_, _| u64::MAX),
    (Clause::R700Bound, |it| it.rules.bound_cut = Cut::Element),
    (Clause::R700Bound, |it| it.rules.bound_cut = Cut::Burst),
    (Clause::R700Bound, |it| it.rules.bound = |ctrl, op| bound(ctrl, op) / dwords(op)),
    (Clause::R700Bound, |it| it.rules.bound = |ctrl, op| bound(ctrl, op) * 4),
    (Clause::R700Bound, |it| buffer_mut(&mut it.ctrl, &it.op).size &= 0xff),
    (Clause::R700Bound, |it| buffer_mut(&mut it.ctrl, &it.op).size &= 0xffff),
    // The first present GPR is taken for the first of the burst.
    (Clause::R700Elem, |it| it.op.present_gprs >>= it.op.present_gprs.trailing_zeros().min(15)),
    // A GPR that is not there lets the later ones close up.
    (Clause::R700Elem, |it| {
        let (first, count) = (it.op.present_gprs.trailing_zeros(), it.op.present_gprs.count_ones());
        it.op.present_gprs = (((1u32 << count) - 1) << first.min(15)) as u16;
    }),
    (Clause::R700Elem, |it| it.rules.step = |_| 1),
    (Clause::R700Elem, |it| it.rules.step = |_| 4),
    (Clause::R700Elem, |it| it.rules.step = |_| 0),
    (Clause::R700Elem, |it| it.rules.step = |op| u64::from(op.elem_size)),
    (Clause::R700Elem, |it| it.rules.step = |op| dwords(op) + 1),
    (Clause::R700Elem, |it| it.rules.step = |op| 1 << op.elem_size),
    (Clause::R700Elem, |it| it.rules.step = |op| op.element_mask.count_ones().into()),
    // The components close up over masked ones.
    (Clause::R700Elem, |it| {
        it.rules.component = |op, component| u64::from((op.element_mask & ((1 << component) - 1)).count_ones())
    }),
    (Clause::R700Elem, |it| it.rules.component = |_, component| 3 - component),
    (Clause::R700Elem, |it| it.op.element_mask = 0xf),
    // A component is never moved.
    (Clause::R700Elem, |it| it.op.element_mask &= if is_load(&it.op) { 0xf } else { !1 }),
    (Clause::R700Elem, |it| it.op.element_mask &= if is_load(&it.op) { 0xf } else { !8 }),
    (Clause::R700Read, |it| it.op.element_mask &= if is_load(&it.op) { !1 } else { 0xf }),
    (Clause::R700Read, |it| it.op.element_mask &= if is_load(&it.op) { !8 } else { 0xf }),
    // The sum or the product is not exact.
    (Clause::R700First, |it| it.rules.first = |ctrl, op, index| first(ctrl, op, index) & 0xffff_ffff),
    (Clause::R700First, |it| it.rules.first = |ctrl, op, index| first(ctrl, op, index) & 0x3fff_ffff),
    (Clause::R700First, |it| it.rules.first = |ctrl, op, index| first(ctrl, op, index) & 0x7_ffff_ffff),
    (Clause::R700First, |it| {
        it.rules.first = |_, op, index| ((base(op) + index) & 0xffff_ffff) * dwords(op);
    }),
    (Clause::R700First, |it| it.rules.first = |ctrl, op, index| first(ctrl, op, index & 0xffff)),
    (Clause::R700First, |it| it.rules.first = |ctrl, op, index| first(ctrl, op, index & 0x7fff_ffff)),
    (Clause::R700First, |it| it.rules.first = |ctrl, op, index| first(ctrl, op, index as i32 as u64 & 0xfff_ffff_ffff)),
    (Clause::R700First, |it| it.op.use_index = !it.op.use_index),
    // Every lane has the index of the lowest.
    (Clause::R700First, |it| {
        let [index, ..] = it.lanes.addr[0];
        it.lanes.addr.iter_mut().for_each(|words| words[0] = index);
    }),
    // The index, or the base, is not scaled.
    (Clause::R700First, |it| it.rules.first = |_, op, index| base(op) * dwords(op) + index),
    (Clause::R700First, |it| it.rules.first = |_, op, index| base(op) + index * dwords(op)),
    (Clause::R700First, |it| it.rules.first = |ctrl, op, index| first(ctrl, &Op { array_base: 0, ..*op }, index)),
    (Clause::R700First, |it| {
        it.rules.first = |ctrl, op, index| first(ctrl, &Op { array_base: op.array_base & 0xfff, ..*op }, index)
    }),
    // The sum is scaled twice, by 4 whatever the element size, by the code of the size, or not at all.
    (Clause::R700Unit, |it| it.op.elem_size = 3),
    (Clause::R700Unit, |it| it.op.elem_size |= u8::from(it.op.elem_size == 2)),
    (Clause::R700Unit, |it| {
        if it.op.elem_size == 2 {
            it.rules.step = |_| 4;
            it.rules.limit = |ctrl, op| limit(ctrl, &Op { elem_size: 3, ..*op });
        }
    }),
    (Clause::R700Unit, |it| it.op.elem_size -= u8::from(it.op.elem_size == 3)),
    (Clause::R700Unit, |it| it.op.elem_size = 0),
    (Clause::R700Unit, |it| it.rules.first = |ctrl, op, index| first(ctrl, op, index) * dwords(op)),
    (Clause::R700Unit, |it| it.rules.first = |ctrl, op, index| first(ctrl, op, index) * unit(op)),
    (Clause::R700Unit, |it| {
        it.rules.first = |ctrl, op, index| first(ctrl, &Op { elem_size: 3, ..*op }, index);
        it.rules.limit = |ctrl, op| limit(ctrl, &Op { elem_size: 3, ..*op });
    }),
    (Clause::R700Unit, |it| it.rules.first = |ctrl, op, index| first(ctrl, &Op { elem_size: 3, ..*op }, index)),
    (Clause::R700Unit, |it| it.rules.first = |_, op, index| (base(op) + index) << op.elem_size),
    (Clause::R700Unit, |it| it.rules.first = |_, op, index| base(op) + index),
    (Clause::R700Unit, |it| {
        it.rules.first = |_, op, index| base(op) + index;
        it.rules.limit =
            |ctrl, op| if unbounded(ctrl, op) { limit(ctrl, op) } else { base(op) + u64::from(op.array_size) };
    }),
    // The scratch buffer of another program type.
    (Clause::R700Stage, |it| it.op.stage = 0),
    (Clause::R700Stage, |it| it.op.stage = 1),
    (Clause::R700Stage, |it| it.op.stage = 2),
    (Clause::R700Stage, |it| it.op.stage = 3),
    (Clause::R700Stage, |it| {
        if it.op.slot == BufferSlot::Ring as u8 && it.op.stage & 3 > 0 {
            it.rules.bound = |ctrl, op| bound(ctrl, &Op { slot: 0, ..*op });
            it.rules.place = |ctrl, op, thread, dword| place(ctrl, &Op { slot: 0, ..*op }, thread, dword);
        }
    }),
    (Clause::R700Place, |it| buffer_mut(&mut it.ctrl, &it.op).stride = 0),
    (Clause::R700Place, |it| buffer_mut(&mut it.ctrl, &it.op).stride &= 0xff),
    (Clause::R700Place, |it| buffer_mut(&mut it.ctrl, &it.op).stride &= 0xffff),
    (Clause::R700Place, |it| it.rules.thread = |_, _, lane| lane),
    (Clause::R700Place, |it| it.rules.thread = |_, warp, lane| warp * 32 + lane),
    (Clause::R700Place, |it| it.rules.thread = |_, warp, _| warp),
    // The warp lacks its highest bit.
    (Clause::R700Place, |it| {
        it.rules.thread =
            |shape, warp, lane| warp % (shape.warps as u64 / 2).max(1) * shape.lanes as u64 + lane
    }),
    (Clause::R700Place, |it| it.rules.thread = |shape, warp, lane| lane * shape.warps as u64 + warp),
    (Clause::R700Place, |it| {
        let buffer = buffer_mut(&mut it.ctrl, &it.op);
        buffer.stride = buffer.size;
    }),
    (Clause::R700Place, |it| {
        let buffer = buffer_mut(&mut it.ctrl, &it.op);
        buffer.stride = buffer.stride.wrapping_mul(4);
    }),
    (Clause::R700Place, |it| {
        it.rules.place = |ctrl, op, thread, dword| place(ctrl, op, thread, dword) - buffer(ctrl, op).base
    }),
    (Clause::R700Place, |it| {
        it.rules.place = |ctrl, op, thread, dword| place(ctrl, op, thread, dword) - buffer(ctrl, op).base % 32
    }),
    (Clause::R700Place, |it| {
        it.rules.place = |ctrl, op, thread, dword| place(ctrl, op, thread, dword) - buffer(ctrl, op).base % 128
    }),
    (Clause::R700Place, |it| it.rules.place = |ctrl, op, thread, dword| place(ctrl, op, thread, dword) & 0xffff_ffff),
    (Clause::R700Place, |it| it.rules.place = |ctrl, op, thread, dword| place(ctrl, op, thread, dword) - 3 * dword),
    // No dword is below the limit. A write that moves nothing may as well have lost its requests.
    (Clause::R700Clamp, |it| {
        if is_load(&it.op) {
            it.rules.limit = |_, _| 0;
        }
    }),
    (Clause::R700Gproob, |it| it.op.present_gprs = it.op.present_gprs << 1 | 1),
    (Clause::R700Gproob, |it| it.op.present_gprs >>= 1),
    (Clause::R700Gproob, |it| {
        it.op.present_gprs &= it.op.present_gprs.checked_ilog2().map_or(0, |last| !(1 << last));
    }),
    (Clause::R700Gproob, |it| it.op.present_gprs &= it.op.present_gprs.wrapping_sub(1)),
    (Clause::R700Gproob, |it| it.op.present_gprs &= u16::MAX >> 1),
    (Clause::R700Gproob, |it| it.op.present_gprs = u16::MAX),
    (Clause::ComInactive, |it| it.lanes.active = LaneMask::ALL),
    // A register gets 0 for its component.
    (Clause::R700Read, |it| it.op.component_select = it.op.component_select & !0o7 | 0o4),
    (Clause::R700Read, |it| it.op.component_select = it.op.component_select & !0o70 | 0o40),
    (Clause::R700Read, |it| it.op.component_select = it.op.component_select & !0o700 | 0o400),
    (Clause::R700Read, |it| it.op.component_select = it.op.component_select & !0o7000 | 0o4000),
    // The read takes no component.
    (Clause::R700Read, |it| {
        if is_load(&it.op) {
            it.op.component_select = NO_COMPONENTS;
        }
    }),
    (Clause::PortGroup, |it| it.rules.backwards = true),
];
