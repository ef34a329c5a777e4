// SPDX-License-Identifier: MIT OR Apache-2.0

use std::collections::{BTreeMap, BTreeSet};

use gpu_lsu::{
    model::{Plan, Register, Request, Scratchpad, lane_bytes, plan, trace},
    op::{Ctrl, Fault, LaneMask, Lanes, Op, Private, ReqKind, Semantics, Shape, Space},
};

use crate::{
    Random, lanes,
    ptx::{SPACES, beats, ctrl, store},
};

/// What a lane does: where, and its bytes by address there.
struct Access {
    fault: Fault,
    space: Space,
    bytes: BTreeMap<u64, u8>,
}

/// The clauses said again, over integers that cannot overflow and bytes one by one.
fn access(shape: &Shape, ctrl: &Ctrl, op: &Op, lanes: &Lanes, data: &[Register], lane: usize) -> Access {
    let [low, high, _] = lanes.addr[lane].map(i128::from);
    // PTX-EA: without a register the immediate alone.
    let register = if op.addr_mode == 2 { low + (high << 32) } else { 0 };
    let ea = (register + i128::from(op.imm as i64)).rem_euclid(1 << 64);
    let size = i128::from(op.element_bytes) * i128::from(op.element_count);
    let at = ea - ea % size;
    let inside = |range: &gpu_lsu::op::Range, bytes: i128| {
        i128::from(range.base) <= at && at + bytes <= i128::from(range.base) + i128::from(range.size)
    };
    let private = |memory: &Private, offset: i128| {
        let thread = i128::from(op.warp) * shape.lanes as i128 + lane as i128;
        let addr = i128::from(memory.base) + thread * i128::from(memory.stride) + offset;
        (addr, offset >= i128::from(memory.size))
    };
    let named = Space::from_code(op.space).unwrap();
    let space = match named {
        Space::Generic if inside(&ctrl.local_window, 1) => Space::Local,
        Space::Generic if inside(&ctrl.shared_window, 1) => Space::Shared,
        Space::Generic => Space::Global,
        written => written,
    };
    let offset = |window: u64| if named == Space::Generic { at - i128::from(window) } else { at };
    let (addr, outside) = match space {
        Space::Local => private(&ctrl.local_memory, offset(ctrl.local_window.base)),
        Space::Param => private(&ctrl.param_memory, at),
        Space::Shared => {
            let offset = offset(ctrl.shared_window.base);
            (offset, offset >= i128::from(ctrl.shared_size))
        }
        Space::Cluster => (i128::from(ctrl.cluster.base) + at, at >= i128::from(ctrl.cluster.size)),
        _ => (at, !ctrl.alloc.iter().any(|range| inside(range, size))),
    };
    let mmio = is_mmio(op);
    let wide = named == Space::Generic && u32::from(op.element_bytes) * u32::from(op.element_count) == 32;
    let fault = match at >= 1 << 40 {
        true => Fault::Window,
        false if (mmio || wide) && space != Space::Global => Fault::Illegal,
        false if outside => Fault::Allocation,
        false if ctrl.trap_misaligned && at != ea => Fault::Misaligned,
        false => Fault::None,
    };
    let mut bytes = BTreeMap::new();
    let mut beats = data.iter();
    for element in (0..op.element_count).filter(|element| op.element_mask >> element & 1 == 1) {
        for index in 0..op.element_bytes {
            // A register holds four bytes of its element.
            let register = if index % 4 == 0 { beats.next() } else { None };
            let at = addr as u64 + u64::from(element * op.element_bytes + index);
            if let Some(register) = register {
                let left = (op.element_bytes - index).min(4);
                bytes.extend((0..u64::from(left)).map(|i| (at + i, register[lane].to_le_bytes()[i as usize])));
            }
        }
    }
    let made = matches!(fault, Fault::None | Fault::Misaligned);
    Access { fault, space, bytes: if made { bytes } else { BTreeMap::new() } }
}

/// PORT-GROUP word for word; of mmio a request a lane (PTX-SEM).
fn requests(shape: &Shape, mmio: bool, accesses: &[Option<Access>]) -> Vec<Request> {
    let line_bytes = shape.line_bytes as u64;
    let mut todo: BTreeMap<usize, &Access> = BTreeMap::new();
    for (lane, access) in accesses.iter().enumerate() {
        todo.extend(
            access.as_ref().filter(|one| one.space != Space::Shared && !one.bytes.is_empty()).map(|a| (lane, a)),
        );
    }
    let mut made = Vec::new();
    while let Some((&leader, first)) = todo.first_key_value() {
        let line_of = |access: &Access| access.bytes.keys().next().unwrap() / line_bytes * line_bytes;
        let line = line_of(first);
        let mut request = Request {
            kind: ReqKind::Write,
            line,
            byte_enable: 0,
            data: [0; 128],
            lanes: LaneMask::NONE,
            served: [LaneMask::NONE; 4],
            group: 0,
            space: first.space,
        };
        let mut served = BTreeSet::new();
        for (&lane, access) in
            todo.iter().filter(|&(&lane, access)| if mmio { lane == leader } else { line_of(access) == line })
        {
            served.insert(lane);
            request.lanes.insert(lane);
            for (at, byte) in &access.bytes {
                request.byte_enable |= 1 << (at - line);
                request.data[(at - line) as usize] = *byte;
            }
        }
        todo.retain(|lane, _| !served.contains(lane));
        made.push(request);
    }
    made
}

/// Plan, trace and scratchpad against all of that.
fn check(shape: &Shape, ctrl: &Ctrl, op: &Op, lanes: &Lanes) -> Plan {
    let data = &beats()[..op.data_beats() as usize];
    let mut out = Plan::default();
    plan(shape, ctrl, op, lanes, data, &mut out);
    assert!(out.legal, "{op:?}");
    let executes = |lane| lanes.active.contains(lane) && !(op.suppress_helpers && lanes.helper.contains(lane));
    let accesses: Vec<Option<Access>> =
        (0..shape.lanes).map(|lane| executes(lane).then(|| access(shape, ctrl, op, lanes, data, lane))).collect();
    for (lane, access) in accesses.iter().enumerate() {
        let fault = access.as_ref().map_or(Fault::None, |access| access.fault);
        assert_eq!(out.faults[lane], fault, "lane {lane} of {op:?} at {:x?}", lanes.addr[lane]);
        assert_eq!(trace(shape, ctrl, op, lanes, lane).fault, fault, "trace of lane {lane}: {op:?}");
        let has = |mask: LaneMask| mask.contains(lane);
        let in_space = |space| access.as_ref().is_some_and(|one| !one.bytes.is_empty() && one.space == space);
        assert_eq!((has(out.local), has(out.shared)), (in_space(Space::Local), in_space(Space::Shared)));
    }

    let mut want = requests(shape, is_mmio(op), &accesses);
    for (want, got) in want.iter_mut().zip(&out.requests) {
        // Nothing comes back of a store.
        assert_eq!(got.served.iter().fold(LaneMask::NONE, |all, lanes| all | *lanes), want.lanes);
        want.served = got.served;
    }
    assert_eq!(out.requests, want, "{op:?} at {:x?}", lanes.addr);
    for request in &out.requests {
        for (lane, access) in accesses.iter().enumerate() {
            let own = access.as_ref().filter(|_| request.lanes.contains(lane));
            let bytes = own.map_or(0, |own| own.bytes.keys().fold(0, |all, at| all | 1 << (at - request.line)));
            assert_eq!(lane_bytes(op, &out, request, lane), bytes);
        }
    }

    let (mut pad, mut bytes) = (Scratchpad::new(0x400), vec![0x11; 0x400]);
    pad.poke(0, &bytes);
    let mut banks: BTreeMap<u64, BTreeSet<u64>> = BTreeMap::new();
    for access in accesses.iter().flatten().filter(|access| access.space == Space::Shared) {
        for (&at, &byte) in &access.bytes {
            bytes[at as usize] = byte;
            banks.entry(at / 4 % shape.lanes as u64).or_default().insert(at / 4);
        }
    }
    let cycles = pad.access(shape, op, &out, data, &mut []);
    assert_eq!(pad.bytes(), bytes, "{op:?} at {:x?}", lanes.addr);
    assert_eq!(cycles as usize, banks.values().map(BTreeSet::len).max().unwrap_or(0), "PORT-BANK: {op:?}");
    out
}

/// PTX-VEC, PTX-SINK: every size, count and mask in every space, at each alignment, two lanes side by side and two on
/// top of each other.
#[test]
fn every_size_count_and_mask() {
    let mut checked = 0;
    for line_bytes in [32, 128] {
        let shape = Shape { line_bytes, ..Shape::with_lanes(4) };
        for (space, base) in SPACES {
            for (bytes, count) in [1u8, 2, 4, 8, 16].into_iter().flat_map(|b| [1u8, 2, 4, 8].map(|c| (b, c))) {
                let size = u64::from(bytes) * u64::from(count);
                if size > 32 {
                    continue;
                }
                for mask in 1..=u8::MAX >> (8 - count) {
                    let op = Op { element_mask: mask, warp: mask % 8, ..store(space, bytes, count) };
                    let off = u64::from(mask) % size;
                    let lanes = lanes(&[base + off, base + size, base + 31, base + 64 + off]);
                    check(&shape, &ctrl(), &op, &lanes);
                    checked += 1;
                }
            }
        }
    }
    // 255 + 15 + 3 + 1 masks of sizes 1, 2, 4; 18 + 1 of 8, one by one; 3 + 1 of 16.
    assert_eq!(checked, 2 * 8 * (3 * 274 + 19 + 4));
}

/// PTX-SPACE, PTX-OFFSET, PTX-EA: every byte around every base and end, of every space by its own name and generically.
#[test]
fn every_boundary() {
    let shape = Shape::with_lanes(4);
    for trap_misaligned in [false, true] {
        let ctrl = Ctrl { trap_misaligned, ..ctrl() };
        let ranges = ctrl.alloc.iter().chain([&ctrl.local_window, &ctrl.shared_window]);
        let mut edges: Vec<u64> = ranges.flat_map(|range| [range.base, range.base + range.size]).collect();
        let (local, shared) = (u64::from(ctrl.local_memory.size), u64::from(ctrl.shared_size));
        edges.extend([ctrl.local_window.base + local, ctrl.shared_window.base + shared]);
        edges.extend([local, shared, ctrl.param_memory.size.into(), ctrl.cluster.size, 1 << 41, 1 << 63, 0]);
        for edge in edges {
            for ea in (0..=80).map(|step| edge.wrapping_add(step).wrapping_sub(40)) {
                for (bytes, count) in [(1, 1), (4, 1), (4, 8), (8, 4), (2, 4)] {
                    for space in 1..=6 {
                        let mut op = store(Space::from_code(space).unwrap(), bytes, count);
                        op.attr.semantics = if space < 3 { (ea % 5) as u8 } else { (ea % 4) as u8 };
                        // Alone, and beside lanes that are elsewhere.
                        let mut lanes = lanes(&[ea, 0x1000, 0x20_0000, 0x10_0000]);
                        check(&shape, &ctrl, &op, &lanes);
                        lanes.active = LaneMask::only(0);
                        check(&shape, &ctrl, &op, &lanes);
                    }
                }
            }
        }
    }
}

fn is_mmio(op: &Op) -> bool {
    [Semantics::Mmio as u8, Semantics::MmioRelease as u8].contains(&op.attr.semantics)
}

/// All rules together: crowds of lanes around places where something changes.
#[test]
fn edges_at_random() {
    let mut random = Random::new(41);
    let (mut mmio, mut seen) = (0, [0; 7]);
    for _ in 0..20_000 {
        let lane_count = [4, 8, 16, 32][random.below(4) as usize];
        let shape = Shape { line_bytes: [32, 64, 128][random.below(3) as usize], ..Shape::with_lanes(lane_count) };
        let (space, near) = SPACES[random.below(8) as usize];
        let (bytes, count) = (1 << random.below(5), 1 << random.below(4));
        if bytes * count > 32 {
            continue;
        }
        let mut op = store(space, bytes, count);
        op.element_mask &= random.word() as u8 | 1 << random.below(count.into());
        op.element_mask = op.element_mask.max(1);
        op.warp = random.below(8) as u8;
        op.attr.semantics = random.below(if matches!(space, Space::Generic | Space::Global) { 6 } else { 4 }) as u8;
        op.suppress_helpers = random.below(2) == 0;
        let mut ctrl = Ctrl { trap_misaligned: random.below(2) == 0, ..ctrl() };
        if random.below(8) == 0 {
            // Windows over each other, and over what is allocated: local first.
            ctrl.shared_window.base = ctrl.local_window.base + 0x200;
        }
        let edge = [0, 0, 0x1e0, 0x200, 0x220, 0x3e0][random.below(6) as usize];
        let reach = 1 << random.below(11);
        let mut lanes = lanes(&[(); 32].map(|()| match random.below(40) {
            0 => random.word() >> random.below(64),
            _ => near + edge + random.below(reach),
        }));
        (lanes.active, lanes.helper, lanes.predicate) =
            (random.lanes() | random.lanes(), random.lanes(), random.lanes());
        lanes.active &= shape.lane_mask();
        let plan = check(&shape, &ctrl, &op, &lanes);
        mmio += u32::from(is_mmio(&op) && plan.requests.len() > 2);
        plan.requests.iter().for_each(|request| seen[request.space as usize] += 1);
        seen[Space::Shared as usize] += u32::from(!plan.shared.is_empty());
    }
    assert!(mmio > 300, "{mmio} mmio stores of several lanes");
    assert!(seen[2..].iter().all(|&some| some > 1000), "requests by space: {seen:?}");
}
