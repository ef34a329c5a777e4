// SPDX-License-Identifier: MIT OR Apache-2.0
//! The rules of PTX stores, bent one at a time.

use super::{is_mmio, is_wide};
use crate::{
    clause::Clause,
    judge::diagnose::naming::Bend,
    model,
    op::{ADDR_WIDTH, AddrMode, Kind, LaneMask, Lanes, Op, Semantics, Space},
    sets::bends::{ALLOCATIONS, align, cut_local, halves, is, readdress, shrink},
};

const ADDR_MASK: u64 = (1 << ADDR_WIDTH) - 1;

fn explicit(op: &Op, space: Space) -> bool {
    op.space == space as u8
}

fn of(op: &mut Op, from: Space, to: Space) {
    if explicit(op, from) {
        op.space = to as u8;
    }
}

/// Turns a generic address into the offset in the window of a space.
fn all_in(op: &mut Op, lanes: &mut Lanes, space: Space, base: u64) {
    if explicit(op, Space::Generic) {
        of(op, Space::Generic, space);
        readdress(op, lanes, |ea| if ea >> ADDR_WIDTH == 0 { ea.wrapping_sub(base) & ADDR_MASK } else { ea });
    }
}

/// The mask of all elements.
pub fn elements(op: &Op) -> u8 {
    (0xff_u16 >> (8 - op.element_count.min(8))) as u8
}

/// Writes some of the sinks.
fn write_sinks(op: &mut Op, which: u8) {
    op.element_mask |= which & elements(op);
}

/// The bends, the more specific rules first.
pub const BENDS: &[&[Bend]] = &[ADDRESSES, &align(Clause::PtxAlign), MEMORIES, ALLOCATIONS, NOWHERE];

/// Who has an access, and the effective addresses.
const ADDRESSES: &[Bend] = &[
    (Clause::ComHelper, |_, op, _| op.suppress_helpers = !op.suppress_helpers),
    (Clause::ComHelper, |_, op, _| op.suppress_helpers = true),
    (Clause::ComHelper, |_, op, _| op.suppress_helpers = false),
    (Clause::ComInactive, |_, _, lanes| lanes.active = LaneMask::ALL),
    (Clause::ComIllegal, |_, op, _| {
        if model::legal(op) {
            return;
        }
        op.kind = Kind::Store as u8;
        op.addr_mode = AddrMode::Reg64 as u8;
        (op.element_count, op.element_mask) = (1, 1);
        op.element_bytes = op.element_bytes.next_power_of_two().min(16);
        op.attr.semantics = 0;
    }),
    // The lanes of an mmio store merge.
    (Clause::PtxSem, |_, op, _| {
        if is_mmio(op) {
            op.attr.semantics = Semantics::Weak as u8;
        }
    }),
    // 256 bits at a generic address go to local or to shared memory.
    (Clause::PtxGlobalOnly, |ctrl, op, lanes| {
        let base = ctrl.local_window.base;
        if is_wide(op) {
            op.space = Space::Local as u8;
            readdress(op, lanes, |ea| ea.wrapping_sub(base));
        }
    }),
    (Clause::PtxGlobalOnly, |ctrl, op, lanes| {
        let base = ctrl.shared_window.base;
        if is_wide(op) {
            op.space = Space::Shared as u8;
            readdress(op, lanes, |ea| ea.wrapping_sub(base));
        }
    }),
    (Clause::PtxSink, |_, op, _| write_sinks(op, 0xff)),
    (Clause::PtxSink, |_, op, _| write_sinks(op, 0x0f)),
    (Clause::PtxSink, |_, op, _| write_sinks(op, 0xf0)),
    // The values close up over sinks, or change places.
    (Clause::PtxSink, |_, op, _| op.element_mask = ((1u16 << op.element_mask.count_ones()) - 1) as u8),
    (Clause::PtxSink, |_, op, _| op.element_mask = op.element_mask.reverse_bits() >> (8 - op.element_count.min(8))),
    // Only half of the access is made, or only its first element.
    (Clause::PtxVec, |_, op, _| op.element_mask &= (1u8 << (op.element_count / 2).min(7)) - 1),
    (Clause::PtxVec, |_, op, _| op.element_mask &= !((1u8 << (op.element_count / 2).min(7)) - 1)),
    (Clause::PtxVec, |_, op, _| op.element_mask &= 1),
    // The first or the last of eight elements is not there.
    (Clause::PtxVec, |_, op, _| op.element_mask &= if op.element_count == 8 { 0xfe } else { 0xff }),
    (Clause::PtxVec, |_, op, _| op.element_mask &= 0x7f),
    (Clause::PtxVec, |_, op, _| (op.element_count, op.element_mask) = (1, 1)),
    (Clause::PtxVec, |_, op, _| op.element_count = (op.element_count / 2).max(1)),
    // The shared window takes precedence over the local one, where the local one ends in it, begins in it, or lies in
    // it.
    (Clause::PtxSpace, |ctrl, _, _| {
        let (local, shared) = (&mut ctrl.local_window, ctrl.shared_window);
        local.size = local.size.min(shared.base.saturating_sub(local.base));
    }),
    (Clause::PtxSpace, |ctrl, op, _| {
        let end = ctrl.shared_window.base + ctrl.shared_window.size;
        if explicit(op, Space::Generic) {
            cut_local(ctrl, end.saturating_sub(ctrl.local_window.base));
        }
    }),
    (Clause::PtxSpace, |ctrl, _, _| ctrl.local_window.size = 0),
    (Clause::PtxSpace, |ctrl, _, _| ctrl.shared_window.size = 0),
    (Clause::PtxSpace, |ctrl, _, _| (ctrl.local_window.size, ctrl.shared_window.size) = (0, 0)),
    (Clause::PtxSpace, |ctrl, _, _| ctrl.local_window.size += 1),
    (Clause::PtxSpace, |ctrl, _, _| ctrl.shared_window.size += 1),
    (Clause::PtxSpace, |ctrl, _, _| ctrl.local_window.size += 32),
    (Clause::PtxSpace, |ctrl, _, _| shrink(&mut ctrl.local_window)),
    (Clause::PtxSpace, |ctrl, _, _| ctrl.shared_window.size += 32),
    (Clause::PtxSpace, |ctrl, _, _| shrink(&mut ctrl.shared_window)),
    (Clause::PtxSpace, |ctrl, op, _| {
        if explicit(op, Space::Generic) {
            cut_local(ctrl, 32);
        }
    }),
    // The address is taken for the offset in a window.
    (Clause::PtxSpace, |_, op, _| of(op, Space::Generic, Space::Local)),
    (Clause::PtxSpace, |_, op, _| of(op, Space::Generic, Space::Shared)),
    // Every address is in the local window, or in the shared one.
    (Clause::PtxSpace, |ctrl, op, lanes| {
        let base = ctrl.local_window.base;
        all_in(op, lanes, Space::Local, base);
    }),
    (Clause::PtxSpace, |ctrl, op, lanes| {
        let base = ctrl.shared_window.base;
        all_in(op, lanes, Space::Shared, base);
    }),
    (Clause::PtxSpace, |ctrl, op, _| {
        if explicit(op, Space::Generic) {
            ctrl.shared_size = u32::MAX - 31;
        }
    }),
    // Although the space is written out, a window is tested or its base subtracted, or the space is taken for another.
    (Clause::PtxOffset, |_, op, _| {
        op.space = if explicit(op, Space::Generic) { op.space } else { Space::Generic as u8 };
    }),
    (Clause::PtxOffset, |ctrl, op, lanes| {
        let base = match Space::from_code(op.space) {
            Some(Space::Local) => ctrl.local_window.base,
            Some(Space::Shared) => ctrl.shared_window.base,
            _ => 0,
        };
        readdress(op, lanes, |ea| if ea >> ADDR_WIDTH == 0 { ea.wrapping_sub(base) & ADDR_MASK } else { ea });
    }),
    (Clause::PtxOffset, |_, op, _| of(op, Space::Global, Space::Generic)),
    (Clause::PtxOffset, |_, op, _| of(op, Space::Local, Space::Generic)),
    (Clause::PtxOffset, |_, op, _| of(op, Space::Shared, Space::Generic)),
    (Clause::PtxOffset, |_, op, _| of(op, Space::Param, Space::Local)),
    (Clause::PtxOffset, |_, op, _| of(op, Space::Local, Space::Param)),
    (Clause::PtxOffset, |_, op, _| of(op, Space::Cluster, Space::Shared)),
    (Clause::PtxOffset, |ctrl, op, _| {
        if explicit(op, Space::Cluster) {
            ctrl.shared_size = ctrl.cluster.size.try_into().unwrap_or(u32::MAX - 31);
            op.space = Space::Shared as u8;
        }
    }),
    (Clause::PtxOffset, |_, op, _| of(op, Space::Shared, Space::Cluster)),
    (Clause::PtxOffset, |_, op, _| of(op, Space::Shared, Space::Global)),
    (Clause::PtxOffset, |_, op, _| of(op, Space::Global, Space::Shared)),
    (Clause::PtxOffset, |_, op, _| of(op, Space::Global, Space::Local)),
    (Clause::PtxOffset, |ctrl, _, _| ctrl.cluster.base = 0),
    (Clause::PtxOffset, |ctrl, _, _| ctrl.cluster.size = 0xff_ffff_ffe0),
    (Clause::PtxOffset, |ctrl, _, _| ctrl.cluster.size += 32),
    (Clause::PtxOffset, |ctrl, _, _| ctrl.cluster.size &= 0xffff),
    (Clause::PtxOffset, |ctrl, _, _| shrink(&mut ctrl.cluster)),
    (Clause::PtxOffset, |ctrl, _, _| ctrl.shared_size += 32),
    (Clause::PtxOffset, |ctrl, _, _| ctrl.shared_size = ctrl.shared_size.saturating_sub(32)),
    (Clause::PtxOffset, |ctrl, _, _| ctrl.shared_size = u32::MAX - 31),
    (Clause::PtxEa, |_, op, lanes| readdress(op, lanes, |ea| ea & 0xff_ffff_ffff)),
    (Clause::PtxEa, |_, op, lanes| readdress(op, lanes, |ea| ea & 0xffff_ffff_ffff)),
    (Clause::PtxEa, |_, op, lanes| readdress(op, lanes, |ea| ea & 0xff_ffff_ffff_ffff)),
    (Clause::PtxEa, |_, op, lanes| readdress(op, lanes, |ea| ea & 0xffff_ffff)),
    (Clause::PtxEa, |_, op, lanes| {
        lanes.addr.iter_mut().for_each(|words| words[1] = 0);
        op.imm &= if is(op, AddrMode::Abs) { op.imm } else { 0xffff_ffff };
    }),
    (Clause::PtxEa, |_, op, _| op.imm &= 0xffff_ffff),
    (Clause::PtxEa, |_, op, _| op.imm = op.imm as i32 as u64),
    (Clause::PtxEa, |_, op, _| op.imm = if is(op, AddrMode::Reg64) { op.imm as i32 as u64 } else { op.imm }),
    (Clause::PtxEa, |_, op, _| op.imm = 0),
    (Clause::PtxEa, |_, op, _| op.imm &= if is(op, AddrMode::Abs) { 0xff_ffff } else { u64::MAX }),
    (Clause::PtxEa, |_, op, _| op.imm = if is(op, AddrMode::Reg64) { op.imm.wrapping_neg() } else { op.imm }),
    (Clause::PtxEa, |_, op, lanes| {
        if is(op, AddrMode::Reg64) {
            halves(op, lanes);
        }
    }),
    (Clause::PtxEa, |_, op, _| {
        op.addr_mode = if is(op, AddrMode::Abs) { AddrMode::Reg64 } else { AddrMode::Abs } as u8;
    }),
];

/// The memory of an address, and its bounds.
const MEMORIES: &[Bend] = &[
    (Clause::ComPrivate, |_, op, _| op.warp = 0),
    (Clause::ComPrivate, |ctrl, _, _| {
        for memory in [&mut ctrl.local_memory, &mut ctrl.param_memory] {
            memory.stride = 0;
        }
    }),
    (Clause::ComPrivate, |ctrl, _, _| {
        for memory in [&mut ctrl.local_memory, &mut ctrl.param_memory] {
            memory.stride &= 0xffff;
        }
    }),
    (Clause::ComPrivate, |ctrl, _, _| {
        for memory in [&mut ctrl.local_memory, &mut ctrl.param_memory] {
            memory.size &= 0xffff;
        }
    }),
    (Clause::ComPrivate, |ctrl, _, _| ctrl.local_memory.size &= 0xffff),
    (Clause::ComPrivate, |ctrl, _, _| ctrl.param_memory.size &= 0xffff),
    (Clause::ComPrivate, |ctrl, _, _| {
        for memory in [&mut ctrl.local_memory, &mut ctrl.param_memory] {
            memory.size = u32::MAX - 31;
        }
    }),
    (Clause::ComPrivate, |ctrl, _, _| {
        for memory in [&mut ctrl.local_memory, &mut ctrl.param_memory] {
            memory.size += 32;
        }
    }),
    (Clause::ComPrivate, |ctrl, _, _| {
        for memory in [&mut ctrl.local_memory, &mut ctrl.param_memory] {
            memory.size = memory.size.saturating_sub(32);
        }
    }),
];

/// What makes many addresses out of bounds.
const NOWHERE: &[Bend] = &[
    (Clause::PtxOffset, |ctrl, _, _| ctrl.cluster.size = 0),
    (Clause::PtxOffset, |ctrl, _, _| ctrl.shared_size = 0),
    (Clause::ComPrivate, |ctrl, _, _| {
        for memory in [&mut ctrl.local_memory, &mut ctrl.param_memory] {
            memory.size = 0;
        }
    }),
    (Clause::PtxEa, |_, _, lanes| lanes.addr.iter_mut().for_each(|words| words.swap(0, 1))),
];
