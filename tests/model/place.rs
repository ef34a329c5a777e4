// SPDX-License-Identifier: MIT OR Apache-2.0

use gpu_lsu::{
    clause::Clause,
    model::{Place, Trace, trace},
    op::{Ctrl, Fault, Kind, LaneMask, Op, Range, Shape, Space},
};

use crate::{Random, ctrl, lanes, op, planned};

/// The clauses said again, over integers that cannot overflow.
fn expected(ctrl: &Ctrl, ea: u64, bytes: i128, predicate: bool, thread: i128) -> (Place, Fault) {
    let aligned = i128::from(ea) / bytes * bytes;
    let inside = |range: &Range, first: i128, last: i128| {
        let base = i128::from(range.base);
        base <= first && last < base + i128::from(range.size)
    };
    let forced = ctrl.trap_misaligned && aligned != i128::from(ea);
    let ok = if forced { Fault::Misaligned } else { Fault::None };
    let fault = |good: bool| if good { ok } else { Fault::Allocation };
    let window = if predicate { &ctrl.local_window } else { &ctrl.shared_window };
    let offset = aligned - i128::from(window.base);
    if aligned >= 1 << 40 {
        (Place::Nowhere, Fault::Window)
    } else if predicate && inside(window, aligned, aligned) {
        let private = &ctrl.local_memory;
        let addr = i128::from(private.base) + thread * i128::from(private.stride) + offset;
        let place = Place::Local { thread: thread as u32, offset: offset as u64, addr: (addr % (1 << 40)) as u64 };
        (place, fault(offset + bytes <= i128::from(private.size)))
    } else if predicate {
        let good = ctrl.alloc.iter().any(|range| inside(range, aligned, aligned + bytes - 1));
        (Place::Global(aligned as u64), fault(good))
    } else if inside(window, aligned, aligned) {
        (Place::Shared(offset as u64), fault(offset < i128::from(ctrl.shared_size)))
    } else {
        (Place::Nowhere, Fault::Window)
    }
}

/// One access, in lane 1 of warp 5, alone and beside a lane that lies elsewhere: the answer is the same.
fn check(ctrl: &Ctrl, op: &Op, ea: u64, predicate: bool) {
    let shape = Shape::with_lanes(4);
    let op = Op { warp: 5, ..*op };
    let (place, fault) = expected(ctrl, ea, op.element_bytes.into(), predicate, 5 * 4 + 1);
    let what = format!("{ea:#x}, {} bytes, predicate {predicate}", op.element_bytes);
    let refused = matches!(fault, Fault::Window | Fault::Allocation);
    for others in [LaneMask::NONE, LaneMask::only(0), LaneMask::only(3)] {
        let mut lanes = lanes(&[0x1000, ea, 0, 0x20_0000]);
        lanes.active = LaneMask::only(1) | others;
        lanes.predicate = LaneMask::lowest(if predicate { 2 } else { 1 });
        let Trace { place: traced, fault: told, .. } = trace(&shape, ctrl, &op, &lanes, 1);
        assert_eq!((traced, told), (place, fault), "{what}");

        let plan = planned(&shape, ctrl, &op, &lanes);
        let has = |mask: LaneMask| mask.contains(1);
        assert_eq!(plan.faults[1], fault, "{what}");
        assert_eq!(has(plan.zeros), refused && op.kind == Kind::Load as u8, "{what}");
        assert_eq!(has(plan.shared), matches!(place, Place::Shared(_)) && !refused, "{what}");
        assert_eq!(has(plan.local), matches!(place, Place::Local { .. }) && !refused, "{what}");
        let memory = matches!(place, Place::Local { .. } | Place::Global(_)) && !refused;
        assert_eq!(has(plan.memory), memory, "{what}");
        match place {
            Place::Global(at) | Place::Local { addr: at, .. } | Place::Shared(at) if !refused => {
                assert_eq!(plan.addr[1], at, "{what}");
            }
            _ => {}
        }
    }
}

/// Every byte from 32 below to 32 above every base and end that the control registers name.
#[test]
fn every_boundary() {
    for trap_misaligned in [false, true] {
        let ctrl = Ctrl { trap_misaligned, ..ctrl() };
        let ranges = ctrl.alloc.iter().chain([&ctrl.local_window, &ctrl.shared_window]);
        let mut edges: Vec<u64> = ranges.flat_map(|range| [range.base, range.base + range.size]).collect();
        edges.push(ctrl.local_window.base + u64::from(ctrl.local_memory.size));
        edges.push(ctrl.shared_window.base + u64::from(ctrl.shared_size));
        edges.extend([1 << 41, 1 << 63, 0]);
        for edge in edges {
            for ea in (0..=64).map(|step| edge.wrapping_add(step).wrapping_sub(32)) {
                for bytes in [1, 2, 4, 8, 16] {
                    for kind in [Kind::Load, Kind::Store] {
                        check(&ctrl, &op(kind, bytes), ea, true);
                        check(&ctrl, &op(kind, bytes), ea, false);
                    }
                }
            }
        }
    }
}

/// Registers at their largest: 40-bit bases and sizes, 32-bit strides. Nothing wraps but the address at the port.
#[test]
fn the_largest_control_registers() {
    let mut ctrl = ctrl();
    ctrl.local_window = Range { base: 0, size: (1 << 40) - 32 };
    ctrl.local_memory.base = (1 << 40) - 32;
    ctrl.local_memory.stride = u32::MAX - 31;
    ctrl.local_memory.size = u32::MAX - 31;
    ctrl.shared_window = Range { base: (1 << 40) - 32, size: 32 };
    ctrl.shared_size = u32::MAX;
    for ea in [0, 16, 0xffff_ffc0, 0xffff_ffd0, 0xffff_ffe0, 0x1_0000_0000, (1 << 40) - 32, (1 << 40) - 16, 1 << 40] {
        check(&ctrl, &op(Kind::Load, 16), ea, true);
        check(&ctrl, &op(Kind::Store, 4), ea, false);
    }
}

/// Spans of lanes across a boundary, a hole or the local window, where a look at the two ends does not do.
#[test]
fn every_lane_is_judged_by_itself() {
    let shape = Shape::with_lanes(32);
    let mut random = Random::new(3);
    for _ in 0..20_000 {
        let ctrl = Ctrl { trap_misaligned: random.below(2) == 0, ..ctrl() };
        let start = [0xff0, 0x1f80, 0x2000, 0xf_ff80, 0x10_0180, 0x10_0380, 0x20_0000][random.below(7) as usize];
        let reach = 1 << random.below(10);
        let mut lanes = lanes(&[(); 32].map(|()| start + random.below(reach)));
        lanes.active = random.lanes() | random.lanes();
        lanes.predicate = [LaneMask::ALL, random.lanes(), LaneMask::NONE][random.below(3) as usize];
        let op = op([Kind::Load, Kind::Store][random.below(2) as usize], 1 << random.below(5));
        let plan = planned(&shape, &ctrl, &op, &lanes);
        for lane in lanes.active.iter() {
            let ea = u64::from(lanes.addr[lane][0]);
            let predicate = lanes.predicate.contains(lane);
            let (place, fault) = expected(&ctrl, ea, op.element_bytes.into(), predicate, lane as i128);
            assert_eq!(plan.faults[lane], fault, "lane {lane} at {ea:#x}");
            let moved = (plan.memory | plan.shared).contains(lane);
            assert_eq!(moved, matches!(fault, Fault::None | Fault::Misaligned));
            match place {
                Place::Global(at) | Place::Local { addr: at, .. } | Place::Shared(at) if moved => {
                    assert_eq!(plan.addr[lane], at, "lane {lane} at {ea:#x}");
                }
                _ => {}
            }
        }
        assert_eq!(plan.memory & plan.shared, LaneMask::NONE);
        assert_eq!((plan.memory | plan.shared) - lanes.active, LaneMask::NONE);
    }
}

/// A request is for the space of its leader, though its followers be in the other.
#[test]
fn port_group_space_is_the_leaders() {
    let mut ctrl = ctrl();
    ctrl.alloc[0] = Range { base: 0x80_0000, size: 0x100 };
    let shape = Shape::with_lanes(4);
    let (local, global) = (0x10_0000, 0x80_0010);
    for (addresses, space, at) in [([local, global], Space::Local, 0), ([global, local], Space::Global, 1)] {
        // Lane 1's item begins a stride above lane 0's: with no stride both lie in one line.
        ctrl.local_memory.stride = 0;
        let plan = planned(&shape, &ctrl, &op(Kind::Load, 4), &lanes(&addresses));
        assert_eq!(plan.requests.len(), 1);
        assert_eq!((plan.requests[0].space, plan.requests[0].lanes), (space, LaneMask::lowest(2)));
        assert_eq!(plan.local, LaneMask::only(at));
        assert_eq!(plan.requests[0].byte_enable, 0xf_000f);
    }
}

#[test]
fn traces_name_what_mattered() {
    use Clause::*;
    let shape = Shape::with_lanes(4);
    let clauses = |ea, bytes, predicate| {
        let mut lanes = lanes(&[ea]);
        lanes.predicate = LaneMask::from_bits(predicate);
        trace(&shape, &ctrl(), &op(Kind::Load, bytes), &lanes, 0).clauses
    };
    assert_eq!(clauses(0x1000, 4, 1), [Spa5Ea64]);
    assert_eq!(clauses(0x1003, 2, 1), [Spa5Ea64, Spa5Ext, Spa5Align]);
    assert_eq!(clauses(0x10_0010, 16, 1), [Spa5Ea64, Spa5Multi, Spa5Window, ComPrivate]);
    assert_eq!(clauses(0x10_0220, 16, 1), [Spa5Ea64, Spa5Window, ComPrivate, Spa5Oob]);
    assert_eq!(clauses(0x3000, 4, 1), [Spa5Ea64, ComGlobal, Spa5Oob]);
    assert_eq!(clauses(0x20_0000, 4, 0), [Spa5Ea64, Spa5Space, Spa5Window]);
    assert_eq!(clauses(0x1000, 4, 0), [Spa5Ea64, Spa5Space, Spa5Window, Spa5Oob]);
    assert_eq!(clauses(1 << 40, 4, 1), [Spa5Ea64, Spa5Window, Spa5Oob]);
}
