// SPDX-License-Identifier: MIT OR Apache-2.0
//! R700 bursts said a second time: dword by dword in integers that cannot overflow, and PORT-GROUP over sets of bytes.

use std::collections::BTreeMap;

use gpu_lsu::{
    model::{Fate, Filled, Memory, Plan, Request, delivers, lane_bytes, load, plan, r700_trace, trace},
    op::{Buffer, Ctrl, Fault, Kind, LaneMask, Lanes, Op, ReqKind, Shape, Space},
};

use crate::{
    Random,
    r700::{beats, buffers, burst, indices, planned},
};

/// The buffer that an operation names (R700-STAGE).
fn named<'a>(ctrl: &'a mut Ctrl, op: &Op) -> &'a mut Buffer {
    match (op.slot, op.stage) {
        (0, 1) => &mut ctrl.stage_scratch[0],
        (0, 2) => &mut ctrl.stage_scratch[1],
        (0, 3) => &mut ctrl.stage_scratch[2],
        (slot, _) => &mut ctrl.buffer[usize::from(slot)],
    }
}

/// What becomes of a component of a lane's GPR, and its byte address.
fn fate(shape: &Shape, ctrl: &Ctrl, op: &Op, lanes: &Lanes, lane: usize, gpr: i128, component: i128) -> (Fate, i128) {
    let (base, size) = (i128::from(op.array_base), i128::from(op.array_size));
    let index = if op.use_index { i128::from(lanes.addr[lane][0]) } else { 0 };
    let dwords = i128::from(op.elem_size) + 1;
    let (first, limit) = match (op.slot, ctrl.r700_driver_form) {
        (7, true) => (index, i128::MAX),
        (0 | 1, true) => (base * 4 + index * dwords, base * 4 + size * dwords),
        (_, true) => (base + index * dwords, base + size * dwords),
        (_, false) => ((base + index) * dwords, (base + size) * dwords),
    };
    let dword = first + gpr * dwords + component;
    let buffer = *named(&mut ctrl.clone(), op);
    let thread = i128::from(op.warp) * shape.lanes as i128 + lane as i128;
    let addr = i128::from(buffer.base) + thread * i128::from(buffer.stride) + 4 * dword;
    let takes = |at| i128::from(op.select(at)) == component;
    let wanted = op.element_mask >> component & 1 == 1 && (op.kind == Kind::Store as u8 || (0..4).any(takes));
    let fate = match () {
        () if !wanted => Fate::Masked,
        () if dword >= limit => Fate::Clamped,
        () if 4 * dword + 4 > i128::from(buffer.size) => Fate::Outside,
        () => Fate::Moved,
    };
    (fate, addr)
}

/// PORT-GROUP word for word: the byte addresses that each lane still has to move, with component and datum.
fn group(shape: &Shape, op: &Op, gpr: u8, mut todo: BTreeMap<usize, BTreeMap<u64, (usize, u8)>>) -> Vec<Request> {
    let line_bytes = shape.line_bytes as u64;
    let mut made = Vec::new();
    while let Some((_, first)) = todo.first_key_value() {
        let line = first.first_key_value().unwrap().0 / line_bytes * line_bytes;
        let mut request = Request {
            kind: if op.kind == Kind::Store as u8 { ReqKind::Write } else { ReqKind::Read },
            line,
            byte_enable: 0,
            data: [0; 128],
            lanes: LaneMask::NONE,
            served: [LaneMask::NONE; 4],
            group: gpr,
            space: Space::Buffer,
        };
        for (&lane, rest) in &mut todo {
            let here: Vec<u64> = rest.range(line..line + line_bytes).map(|(byte, _)| *byte).collect();
            for byte in here {
                let (component, datum) = rest.remove(&byte).unwrap();
                let offset = (byte - line) as usize;
                request.lanes.insert(lane);
                request.served[component].insert(lane);
                request.byte_enable |= 1 << offset;
                if request.kind == ReqKind::Write {
                    request.data[offset] = datum;
                }
            }
        }
        todo.retain(|_, rest| !rest.is_empty());
        made.push(request);
    }
    made
}

/// Everything that the model says of one burst against what is said here.
fn check(shape: &Shape, ctrl: &Ctrl, op: &Op, lanes: &Lanes) {
    ctrl.check(shape).unwrap();
    let out = planned(shape, ctrl, op, lanes);
    let active = lanes.active & shape.lane_mask() & if op.suppress_helpers { !lanes.helper } else { LaneMask::ALL };
    assert_eq!((out.legal, out.active), (true, active));
    assert_eq!([out.zeros, out.local, out.shared], [LaneMask::NONE; 3]);

    let gprs: Vec<u8> = (0..16).filter(|gpr| op.present_gprs >> gpr & 1 == 1).collect();
    let (mut faults, mut memory, mut requests) = ([Fault::None; 32], LaneMask::NONE, Vec::new());
    let mut words = BTreeMap::new();
    let mut beat = 0;
    for &gpr in &gprs {
        let mut todo: BTreeMap<usize, BTreeMap<u64, (usize, u8)>> = BTreeMap::new();
        for component in 0..4usize {
            for lane in active.iter() {
                let (fate, addr) = fate(shape, ctrl, op, lanes, lane, gpr.into(), component as i128);
                words.insert((lane, gpr, component), (fate, addr));
                if fate == Fate::Outside {
                    faults[lane] = Fault::Allocation;
                }
                if fate == Fate::Moved {
                    memory.insert(lane);
                    let bytes = beats()[beat][lane].to_le_bytes().into_iter().zip(addr as u64..);
                    todo.entry(lane).or_default().extend(bytes.map(|(byte, at)| (at, (component, byte))));
                }
            }
            beat += usize::from(op.element_mask >> component & 1 == 1);
        }
        requests.extend(group(shape, op, gpr, todo));
    }
    assert_eq!(out.faults, faults, "{op:?}");
    assert_eq!(out.memory, memory);
    assert_eq!(out.requests, requests, "{op:?}");

    for lane in 0..32 {
        let burst = r700_trace(shape, ctrl, op, lanes, lane);
        assert_eq!(burst.is_some(), active.contains(lane));
        assert_eq!(trace(shape, ctrl, op, lanes, lane).fault, faults[lane]);
        let Some(burst) = burst else { continue };
        assert_eq!(burst.addr, out.addr[lane]);
        let got = burst.dwords.iter().map(|d| (d.fate, i128::from(d.addr)));
        let want = gprs.iter().flat_map(|gpr| (0..4).map(|c| words[&(lane, *gpr, c)]));
        assert!(got.eq(want.map(|(fate, addr)| (fate, addr % (1 << 40)))), "lane {lane} of {op:?}");
    }
    bytes_of_lanes(op, &out);
    if op.kind == Kind::Load as u8 {
        registers(op, &out, |lane, gpr, component| words[&(lane, gpr, component)]);
    }
}

/// Each lane's bytes are those of its dwords; together they are the request's.
fn bytes_of_lanes(op: &Op, out: &Plan) {
    for request in &out.requests {
        let bytes = |lane| lane_bytes(op, out, request, lane);
        assert_eq!((0..32).fold(0, |all, lane| all | bytes(lane)), request.byte_enable);
        for lane in 0..32 {
            let served = request.served.iter().filter(|lanes| lanes.contains(lane)).count() as u32;
            assert_eq!((bytes(lane).count_ones(), served > 0), (4 * served, request.lanes.contains(lane)));
        }
        assert_eq!(bytes(32), 0);
    }
}

/// Each register of each active lane comes exactly once, and has the right value.
fn registers(op: &Op, out: &Plan, word: impl Fn(usize, u8, usize) -> (Fate, i128)) {
    let memory = Memory::new(9);
    let mut got = [[0x5555_5555; 32]; 64];
    let mut times: BTreeMap<(usize, usize), u32> = BTreeMap::new();
    let mut count = |register, lanes: LaneMask| {
        lanes.iter().for_each(|lane| *times.entry((register, lane)).or_default() += 1);
    };
    for (index, request) in out.requests.iter().enumerate() {
        load(op, out, index, &memory.read_line(request.line), &mut got);
        delivers(op, request).for_each(|(register, lanes)| count(register, lanes));
    }
    for &Filled { index, lanes, value } in &out.filled {
        count(index.into(), lanes);
        lanes.iter().for_each(|lane| got[usize::from(index)][lane] = value);
    }
    for lane in out.active.iter() {
        for (register, got) in got.iter().enumerate() {
            let (gpr, select) = (register / 4, op.select(register as u32 % 4));
            let moved = op.present_gprs >> gpr & 1 == 1 && select != 7;
            let want = match select {
                _ if !moved => 0x5555_5555,
                5 if op.one_is_float => 1f32.to_bits(),
                5 => 1,
                0..=3 => match word(lane, gpr as u8, select.into()) {
                    (Fate::Moved, addr) => {
                        u32::from_le_bytes(std::array::from_fn(|byte| memory.byte(addr as u64 + byte as u64)))
                    }
                    _ => 0,
                },
                _ => 0,
            };
            assert_eq!(got[lane], want, "lane {lane}, register {register} of {op:?}");
            assert_eq!(times.remove(&(register, lane)).unwrap_or(0), u32::from(moved), "{op:?}");
        }
    }
    assert!(times.is_empty());
}

/// Base, size and index of three bits, a lane for each index; every ELEM_SIZE, mask and burst up to 4: which dwords
/// move, for either form, in buffers that have all, some and none of them.
#[test]
fn three_bits_exhaustively() {
    let shape = Shape::with_lanes(8);
    let lanes = indices(&[0, 1, 2, 3, 4, 5, 6, 7]);
    let mut out = Plan::default();
    for choice in 0..1u32 << 12 {
        let field = |at: u32, bits: u32| choice >> at & ((1 << bits) - 1);
        let op = Op {
            array_base: field(0, 3) as u16,
            array_size: field(3, 3) as u16 + 1,
            elem_size: field(6, 2) as u8,
            element_mask: field(8, 4) as u8,
            use_index: true,
            ..burst(Kind::Store, 1)
        };
        for ((gprs, slot), (driver, size)) in
            (1..=4).flat_map(|gprs| [0, 2, 7].map(|slot| (gprs, slot))).flat_map(|first| {
                [(false, 0x1000), (true, 0x1000), (false, 4 * 21), (true, 0)].map(|second| (first, second))
            })
        {
            let op = Op { slot, present_gprs: (1 << gprs) - 1, ..op };
            let mut ctrl = Ctrl { r700_driver_form: driver, ..buffers() };
            ctrl.buffer[usize::from(slot)].size = size;
            plan(&shape, &ctrl, &op, &lanes, &[], &mut out);
            let mut faults = [Fault::None; 32];
            for (lane, fault) in faults.iter_mut().enumerate().take(8) {
                for (gpr, component) in (0..gprs).flat_map(|gpr| (0..4usize).map(move |component| (gpr, component))) {
                    let (fate, addr) = fate(&shape, &ctrl, &op, &lanes, lane, gpr.into(), component as i128);
                    let line = addr as u64 / 128 * 128;
                    let group = out.requests.iter().filter(|request| u16::from(request.group) == gpr);
                    let mut serves = group.filter(|request| request.served[component].contains(lane));
                    let at = serves.next().map(|request| request.line);
                    assert_eq!(at, (fate == Fate::Moved).then_some(line), "lane {lane}, {gpr}.{component} of {op:?}");
                    assert!(serves.next().is_none(), "served twice");
                    if fate == Fate::Outside {
                        *fault = Fault::Allocation;
                    }
                }
            }
            assert_eq!(out.faults, faults, "{op:?}");
        }
    }
}

/// Registers and fields around their edges, over every rule together.
#[test]
fn edges_at_random() {
    let mut random = Random::new(77);
    for round in 0..6_000u32 {
        let lane_count = [4, 8, 16, 32][random.below(4) as usize];
        let shape = Shape { line_bytes: [32, 64, 128][random.below(3) as usize], ..Shape::with_lanes(lane_count) };
        let mut pick = |from: &[u32]| from[random.below(from.len() as u64) as usize];
        let array_size = pick(&[1, 2, 3, 16, 4095, 4096]);
        let array_base = pick(&[0, 0, 1, 5, 8191]);
        let elem_size = pick(&[0, 1, 2, 3]);
        let limit = (array_base + array_size) * (elem_size + 1);
        let index = pick(&[0, 1, array_size - 1, array_size, array_size + 1, limit - 1, 1 << 30, 1 << 31, u32::MAX]);
        let size = pick(&[0, 4, 8, 0x40, 4 * limit - 4, 4 * limit, 4 * limit + 4, 0x2_0000]);
        let kind = if round % 2 == 0 { Kind::Load } else { Kind::Store };
        let op = Op {
            warp: pick(&[0, 1, 7]) as u8,
            slot: pick(&[0, 0, 1, 2, 6, 7]) as u8,
            stage: pick(&[0, 1, 2, 3]) as u8,
            array_base: array_base as u16,
            array_size: array_size as u16,
            elem_size: elem_size as u8,
            use_index: pick(&[0, 1, 1]) == 1,
            one_is_float: pick(&[0, 1]) == 1,
            suppress_helpers: kind == Kind::Store && pick(&[0, 1]) == 1,
            present_gprs: pick(&[0, 1, 3, 0xff, 0xffff, 0x5, 0x8000]) as u16,
            ..burst(kind, 1)
        };
        let selections = [(); 4].map(|()| [0, 0, 1, 2, 3, 4, 5, 7][random.below(8) as usize]);
        let op = Op {
            element_mask: random.below(16) as u8 | random.below(16) as u8,
            component_select: if kind == Kind::Load { crate::r700::select(selections) } else { 0 },
            ..op
        };
        // Lanes go up from the index, stay, go down, or go anywhere near.
        let step = random.below(4);
        let mut lanes = indices(&std::array::from_fn::<u32, 32, _>(|lane| match step {
            0 => index.saturating_add(lane as u32),
            1 => index,
            2 => index.wrapping_sub(lane as u32),
            _ => index.wrapping_add(random.below(64) as u32),
        }));
        (lanes.active, lanes.helper) = (random.lanes() | random.lanes(), random.lanes() & LaneMask::from_bits(0x1111));
        let mut ctrl = Ctrl { r700_driver_form: random.below(2) == 0, ..buffers() };
        let stride =
            if matches!(op.slot, 0 | 2 | 6) { [0, 4, 0x40, 0x44, 0x2_0000][random.below(5) as usize] } else { 0 };
        // The last byte of the last thread may be the last of the address space.
        let span = (8 * lane_count as u64 - 1) * u64::from(stride) + u64::from(size);
        let base = [0, 4, 0x7c, 0x1000, (1 << 40) - span][random.below(5) as usize];
        *named(&mut ctrl, &op) = Buffer { base, stride, size };
        check(&shape, &ctrl, &op, &lanes);
    }
}

/// Any bits on the wires: an answer, the same from a plan that was used before, and no register twice.
#[test]
fn no_burst_panics_and_no_plan_remembers() {
    let (mut random, shape) = (Random::new(31), Shape::with_lanes(32));
    let (mut used, mut legal) = (Plan::default(), 0);
    for round in 0..6_000 {
        let mut op = burst([Kind::Load, Kind::Store][round % 2], 16);
        op.slot = random.word() as u8;
        op.stage = random.word() as u8;
        op.warp = random.word() as u8;
        op.elem_size = random.word() as u8;
        op.use_index = random.below(2) == 0;
        op.array_base = random.word() as u16;
        op.array_size = (random.word() >> random.below(16)) as u16 % 5000;
        op.component_select = random.word() as u16;
        op.present_gprs = random.word() as u16;
        op.element_mask = random.below(17) as u8;
        let mut lanes = indices(&[(); 32].map(|()| (random.word() >> random.below(64)) as u32));
        lanes.active = random.lanes();
        let mut ctrl = Ctrl { r700_driver_form: random.below(2) == 0, ..Ctrl::default() };
        for buffer in ctrl.buffer.iter_mut().chain(&mut ctrl.stage_scratch) {
            *buffer = Buffer { base: random.word(), stride: random.word() as u32, size: random.word() as u32 };
        }
        let fewer = random.below(64) as usize;
        plan(&shape, &ctrl, &op, &lanes, &beats()[..fewer], &mut used);
        let mut fresh = Plan::default();
        plan(&shape, &ctrl, &op, &lanes, &beats()[..fewer], &mut fresh);
        assert_eq!(used.requests, fresh.requests);
        assert_eq!((used.faults, used.memory, &used.filled), (fresh.faults, fresh.memory, &fresh.filled));
        legal += u32::from(fresh.legal);
        let mut out = vec![[0; 32]; random.below(65) as usize];
        for (index, request) in fresh.requests.iter().enumerate() {
            load(&op, &fresh, index, &request.data, &mut out);
            (0..33).for_each(|lane| _ = lane_bytes(&op, &fresh, request, lane));
        }
        for lane in 0..32 {
            assert_eq!(trace(&shape, &ctrl, &op, &lanes, lane).fault, fresh.faults[lane]);
        }
    }
    assert!((2_000..5_000).contains(&legal), "{legal} of 6000 legal");
}
