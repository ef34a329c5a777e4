// SPDX-License-Identifier: MIT OR Apache-2.0

use std::collections::BTreeMap;

use gpu_lsu::{
    clause::Clause,
    model::{Plan, Register, Scratchpad, Tested, cas::second_half, plan, sm5_trace, trace},
    op::{AddrMode, Ctrl, Dimension, Fault, Kind, Lanes, MAX_LANES, Op, ReqKind, Resource, Shape, Space, Tgsm, Uav},
};

use crate::Random;

pub fn op(space: Space, mode: AddrMode) -> Op {
    Op {
        kind: Kind::CmpStore as u8,
        addr_mode: mode as u8,
        space: space as u8,
        element_bytes: 4,
        element_count: 1,
        element_mask: 1,
        ..Op::default()
    }
}

/// What a slot says, in integers that nothing here fills.
struct Slot {
    kind: u8,
    dimension: u8,
    base: i128,
    size: i128,
    stride: i128,
    lengths: [i128; 3],
    pitches: [i128; 2],
}

fn slot(ctrl: &Ctrl, op: &Op) -> Slot {
    let index = usize::from(op.slot);
    if op.space == Space::Tgsm as u8 {
        let Tgsm { kind, base, size, stride } = ctrl.tgsm[index];
        let (base, size, stride) = (base.into(), size.into(), stride.into());
        return Slot { kind, dimension: 0, base, size, stride, lengths: [0; 3], pitches: [0; 2] };
    }
    let Uav { kind, dimension, base, size, stride, width, height, depth, row_pitch, slice_pitch } = ctrl.uav[index];
    Slot {
        kind,
        dimension,
        base: base.into(),
        size: size.into(),
        stride: stride.into(),
        lengths: [width.into(), height.into(), depth.into()],
        pitches: [row_pitch.into(), slice_pitch.into()],
    }
}

/// A lane: its byte, or its fault; and whether it was forced there.
fn lane(ctrl: &Ctrl, op: &Op, words: [u32; 3]) -> (Result<i128, Fault>, bool) {
    let Slot { kind, dimension, base, size, stride, lengths, pitches } = slot(ctrl, op);
    let memory = op.space == Space::Uav as u8;
    let outside = if memory { Fault::Allocation } else { Fault::Undefined };
    let [x, y, z] = words.map(i128::from);
    let inside =
        |offset: i128, forced: bool| (if offset + 4 > size { Err(outside) } else { Ok(base + offset) }, forced);
    match (op.addr_mode, kind) {
        (4, 1) => inside(x / 4 * 4, x % 4 != 0),
        (5, 2) => {
            let (forced, at) = (y % 4 != 0, y / 4 * 4);
            if x * stride + stride > size {
                (Err(outside), forced)
            } else if at >= stride {
                (Err(Fault::Undefined), forced)
            } else {
                (Ok(base + x * stride + at), forced)
            }
        }
        (6, 3) => {
            let [width, height, depth] = lengths;
            let [row, slice] = pitches;
            // Each index with the length that bounds it and the bytes that it counts.
            let indices = match dimension {
                0 | 1 => vec![(x, width, 4)],
                2 => vec![(x, width, 4), (y, depth, slice)],
                3 => vec![(x, width, 4), (y, height, row)],
                4 | 5 => vec![(x, width, 4), (y, height, row), (z, depth, slice)],
                _ => return (Err(outside), false),
            };
            if indices.iter().any(|(index, length, _)| index >= length) {
                return (Err(outside), false);
            }
            inside(indices.iter().map(|(index, _, bytes)| index * bytes).sum(), false)
        }
        _ => (Err(outside), op.addr_mode == 4 && x % 4 != 0 || op.addr_mode == 5 && y % 4 != 0),
    }
}

/// Everything that the model says of an operation, against lanes one by one and memory as a map of dwords.
pub fn check(shape: &Shape, ctrl: &Ctrl, op: &Op, lanes: &Lanes, data: &[Register; 2]) {
    let mut todo = Plan::default();
    plan(shape, ctrl, op, lanes, data, &mut todo);
    let what = || {
        format!("{op:?}\nu {:?}\ng {:?}\n{lanes:?}", ctrl.uav[usize::from(op.slot)], ctrl.tgsm[usize::from(op.slot)])
    };
    assert!(todo.legal, "{}", what());
    let memory = op.space == Space::Uav as u8;
    let active = lanes.active & shape.lane_mask() & !lanes.helper;
    assert_eq!(todo.active, active);
    assert_eq!((todo.local, todo.zeros, todo.filled.len()), (0, 0, 0));
    // Lines in the order in which lanes name them, with who is there.
    let mut lines: Vec<(u64, Vec<(usize, u64)>)> = Vec::new();
    let mut made = 0;
    for number in 0..MAX_LANES {
        let traced = trace(shape, ctrl, op, lanes, number);
        assert_eq!(traced.fault, todo.faults[number], "lane {number} of {}", what());
        let follow = sm5_trace(shape, ctrl, op, lanes, number);
        if active >> number & 1 == 0 {
            assert_eq!(todo.faults[number], Fault::None);
            assert_eq!(traced.clauses.last(), Some(&Clause::Sm5Inactive));
            assert_eq!(follow, None);
            continue;
        }
        let (place, forced) = lane(ctrl, op, lanes.addr[number]);
        let fault = match place {
            Ok(_) if forced && ctrl.trap_misaligned => Fault::Misaligned,
            Ok(_) => Fault::None,
            Err(fault) => fault,
        };
        assert_eq!(todo.faults[number], fault, "lane {number} of {}", what());
        assert_eq!(traced.clauses.contains(&Clause::Sm5Align), forced, "lane {number} of {}", what());
        let follow = follow.unwrap();
        assert_eq!((follow.fault, follow.forced != 0, follow.made()), (fault, forced, place.is_ok()));
        assert_eq!(follow.tests.iter().any(|test| !test.passed), place.is_err() && follow.bound);
        let Ok(at) = place else { continue };
        made |= 1 << number;
        assert_eq!((i128::from(todo.addr[number]), follow.addr as i128), (at, at), "lane {number} of {}", what());
        let (at, line) = (at as u64, at as u64 / shape.line_bytes as u64 * shape.line_bytes as u64);
        match lines.iter_mut().find(|(known, _)| *known == line) {
            Some((_, lanes)) => lanes.push((number, at)),
            None => lines.push((line, vec![(number, at)])),
        }
    }
    assert_eq!((todo.memory, todo.shared), if memory { (made, 0) } else { (0, made) }, "{}", what());
    let step = |memory: &mut u32, lane: usize| {
        let stores = *memory == data[0][lane];
        *memory = if stores { data[1][lane] } else { *memory };
        stores
    };
    if memory {
        assert_eq!(todo.requests.len(), lines.len(), "{}", what());
        for (request, (line, lanes)) in todo.requests.iter().zip(&lines) {
            assert_eq!((request.kind, request.line, request.group), (ReqKind::ReadExclusive, *line, 0));
            assert_eq!((request.space, request.data), (Space::Uav, [0; 128]));
            assert_eq!(request.lanes, lanes.iter().fold(0, |mask, (lane, _)| mask | 1 << lane));
            assert_eq!(request.served, [request.lanes, 0, 0, 0]);
            let enable = lanes.iter().fold(0u128, |bytes, (_, at)| bytes | 0xf << (at - line));
            assert_eq!(request.byte_enable, enable);
            // Few values, so that some match, also what a lower lane has just stored.
            let bytes: [u8; 128] = std::array::from_fn(|index| if index % 4 == 0 { (index / 4 % 3) as u8 } else { 0 });
            let mut dwords: BTreeMap<u64, (u32, bool)> = BTreeMap::new();
            let mut matched = 0;
            for &(lane, at) in lanes {
                let entry = dwords.entry(at - line).or_insert(((at - line) as u32 / 4 % 3, false));
                if step(&mut entry.0, lane) {
                    entry.1 = true;
                    matched |= 1 << lane;
                }
            }
            let write = second_half(&todo, request, data, &bytes);
            let (mut enable, mut expected) = (0u128, [0; 128]);
            for (offset, (value, _)) in dwords.into_iter().filter(|(_, (_, stored))| *stored) {
                enable |= 0xf << offset;
                expected[offset as usize..offset as usize + 4].copy_from_slice(&value.to_le_bytes());
            }
            assert_eq!((write.matched, write.byte_enable, write.data), (matched, enable, expected), "{}", what());
        }
        return;
    }
    assert!(todo.requests.is_empty());
    let mut pad = Scratchpad::new(shape.shared_bytes);
    (0..shape.shared_bytes as u64 / 4).for_each(|word| pad.poke(4 * word, &[(word % 3) as u8, 0, 0, 0]));
    let mut expected = pad.bytes().to_vec();
    let mut banks: BTreeMap<u64, Vec<u64>> = BTreeMap::new();
    for (lane, at) in lines.into_iter().flat_map(|(_, lanes)| lanes).collect::<BTreeMap<_, _>>() {
        let words = banks.entry(at / 4 % shape.lanes as u64).or_default();
        if !words.contains(&at) {
            words.push(at);
        }
        let dword = &mut expected[at as usize..at as usize + 4];
        let mut value = u32::from_le_bytes(dword.try_into().unwrap());
        step(&mut value, lane);
        dword.copy_from_slice(&value.to_le_bytes());
    }
    let cycles = pad.access(shape, op, &todo, data, &mut []);
    assert_eq!(pad.bytes(), expected, "{}", what());
    assert_eq!(cycles as usize, banks.values().map(Vec::len).max().unwrap_or(0), "{}", what());
}

/// Compare and new of few values, so that lanes meet each other's.
fn beats(random: &mut Random) -> [Register; 2] {
    [(); 2].map(|()| [(); MAX_LANES].map(|()| random.below(3) as u32))
}

/// Every place of small resources, and what is around them, whatever they are bound as.
#[test]
fn sm5_small_resources_exhaustively() {
    let shape = Shape { lanes: 4, line_bytes: 32, shared_bytes: 64, ..Shape::with_lanes(4) };
    let mut random = Random(60);
    let mut rounds = 0;
    for kind in 0..4 {
        for (size, stride) in [(0, 4), (4, 4), (16, 4), (16, 8), (20, 8), (28, 12), (16, 20)] {
            let mut ctrl = Ctrl { trap_misaligned: kind % 2 == 1, ..Ctrl::default() };
            let tgsm = Tgsm { kind: kind % 3, base: 0x18, size, stride };
            ctrl.tgsm[3] = tgsm;
            for dimension in 0..8 {
                ctrl.uav[3] = Uav {
                    kind,
                    dimension,
                    base: 0x1c,
                    size: size.into(),
                    stride,
                    width: 3,
                    height: 2,
                    depth: 2,
                    row_pitch: 8,
                    slice_pitch: 12,
                };
                let spaces =
                    [(Space::Uav, AddrMode::Raw), (Space::Uav, AddrMode::Struct), (Space::Uav, AddrMode::Typed)];
                let groups = [(Space::Tgsm, AddrMode::Raw), (Space::Tgsm, AddrMode::Struct)];
                for (space, mode) in spaces.into_iter().chain(groups.into_iter().filter(|_| dimension == 0)) {
                    let limit = if mode == AddrMode::Raw { (33, 1, 1) } else { (5, 22, 1) };
                    let (xs, ys, zs) = if mode == AddrMode::Typed { (5, 4, 4) } else { limit };
                    let all: Vec<[u32; 3]> =
                        (0..xs).flat_map(|x| (0..ys).flat_map(move |y| (0..zs).map(move |z| [x, y, z]))).collect();
                    for four in all.chunks(4) {
                        let mut lanes = Lanes { active: 0xf, predicate: random.word() as u32, ..Lanes::default() };
                        lanes.addr[..four.len()].copy_from_slice(four);
                        // So that lanes also meet on a dword.
                        if random.below(2) == 0 {
                            lanes.addr[3] = lanes.addr[random.below(3) as usize];
                        }
                        let op = Op { slot: 3, ..op(space, mode) };
                        check(&shape, &ctrl, &op, &lanes, &beats(&mut random));
                        rounds += 1;
                    }
                }
            }
        }
    }
    assert!(rounds > 5000, "{rounds}");
}

/// Around every limit of resources of any size, where sums and products want more than 32 bits.
#[test]
fn sm5_edges_at_random() {
    let mut random = Random(61);
    let mut faults = [0; 7];
    for round in 0..40_000 {
        let lanes = [4, 8, 16, 32][round % 4];
        let shape = Shape { line_bytes: [32, 64, 128][round % 3], shared_bytes: 4096, ..Shape::with_lanes(lanes) };
        let mut any = |bits: u64| random.word() >> (64 - bits) >> random.below(bits);
        let size = 4 * any(38);
        let mut ctrl = Ctrl { trap_misaligned: any(1) == 1, ..Ctrl::default() };
        let base = 4 * (any(38).min((1 << 38) - size / 4));
        let stride = (4 * any(10)).max(4) as u16;
        let uav = Uav {
            kind: 1 + any(8) as u8 % 3,
            dimension: any(8) as u8 % 6,
            base,
            size,
            stride,
            width: any(32) as u32,
            height: any(16) as u16,
            depth: any(16) as u16,
            row_pitch: 4 * any(30) as u32,
            slice_pitch: 4 * any(30) as u32,
        };
        let tgsm_size = 4 * any(10) as u32;
        let tgsm =
            Tgsm { kind: 1 + any(1) as u8, base: (4 * any(10) as u32).min(4096 - tgsm_size), size: tgsm_size, stride };
        (ctrl.uav[1], ctrl.tgsm[1]) = (uav, tgsm);
        assert_eq!(ctrl.check(&shape), Ok(()));
        let memory = any(2) != 0;
        let (space, kind, size) = match memory {
            true => (Space::Uav, uav.kind, size),
            false => (Space::Tgsm, tgsm.kind, tgsm_size.into()),
        };
        let mode = AddrMode::from_code(kind + 3).unwrap();
        let mut lanes = Lanes { active: random.word() as u32 | random.word() as u32, ..Lanes::default() };
        lanes.helper = (random.word() & random.word() & random.word()) as u32;
        for words in &mut lanes.addr {
            let mut near = |limit: u64| (limit.wrapping_add(random.below(9)).wrapping_sub(5)) as u32;
            let (x, y, z) = match mode {
                AddrMode::Raw => (near(size), 0, 0),
                AddrMode::Struct => (near(size / u64::from(stride)), near(stride.into()), 0),
                _ => {
                    // The last element that the pitches reach, or the corner of the dimensions.
                    let [height, depth] = [uav.height, uav.depth].map(u64::from);
                    let first = if uav.dimension == 2 { depth } else { height };
                    (near(uav.width.into()), near(first), near(depth))
                }
            };
            let small = random.below(4);
            *words =
                [x, y, z].map(|word| if random.below(3) == 0 || small == 0 { random.below(4) as u32 } else { word });
        }
        let op = Op { slot: 1, suppress_helpers: random.below(2) == 0, ..op(space, mode) };
        check(&shape, &ctrl, &op, &lanes, &beats(&mut random));
        let mut todo = Plan::default();
        plan(&shape, &ctrl, &op, &lanes, &[], &mut todo);
        todo.faults.iter().for_each(|fault| faults[*fault as usize] += 1);
    }
    for fault in [Fault::None, Fault::Allocation, Fault::Undefined, Fault::Misaligned] {
        assert!(faults[fault as usize] > 10_000, "{faults:?}");
    }
}

/// 32 x 12 bits and 32 more, and two pitches: nothing wraps, neither up into range nor past it.
#[test]
fn sm5_struct_and_sm5_typed_are_exact() {
    let shape = Shape::with_lanes(4);
    let end = 1u64 << 40;
    let top = Uav { kind: Resource::Structured as u8, base: 0, size: end - 4, stride: 4092, ..Uav::default() };
    let last = (top.size / 4092 - 1) as u32;
    let faults = |uav: Uav, mode: AddrMode, words: [u32; 3]| {
        let mut ctrl = Ctrl::default();
        ctrl.uav[0] = uav;
        assert_eq!(ctrl.check(&shape), Ok(()));
        let mut lanes = Lanes { active: 1, ..Lanes::default() };
        lanes.addr[0] = words;
        let mut todo = Plan::default();
        check(&shape, &ctrl, &op(Space::Uav, mode), &lanes, &[[0; 32]; 2]);
        plan(&shape, &ctrl, &op(Space::Uav, mode), &lanes, &[], &mut todo);
        (todo.faults[0], todo.addr[0])
    };
    assert_eq!(faults(top, AddrMode::Struct, [last, 4088, 0]), (Fault::None, u64::from(last) * 4092 + 4088));
    assert_eq!(faults(top, AddrMode::Struct, [last + 1, 0, 0]).0, Fault::Allocation);
    assert_eq!(faults(top, AddrMode::Struct, [u32::MAX, u32::MAX, 0]).0, Fault::Allocation);
    assert_eq!(faults(top, AddrMode::Struct, [last, u32::MAX, 0]).0, Fault::Undefined);
    // 2^32 * 2048 is 2^43: a product of 40 bits would find structure 0.
    let wide = Uav { stride: 2048, size: 2048, ..top };
    assert_eq!(faults(wide, AddrMode::Struct, [1 << 29, 0, 0]).0, Fault::Allocation);
    let volume = Uav {
        kind: Resource::Typed as u8,
        dimension: Dimension::Texture3d as u8,
        base: 0,
        size: end - 4,
        width: u32::MAX,
        height: u16::MAX,
        depth: u16::MAX,
        row_pitch: 1 << 30,
        slice_pitch: 1 << 31,
        ..Uav::default()
    };
    // 2^30 * 2^10 is 2^40: a sum of 40 bits would find element 0.
    assert_eq!(faults(volume, AddrMode::Typed, [0, 1 << 10, 0]).0, Fault::Allocation);
    assert_eq!(faults(volume, AddrMode::Typed, [0, 0, 1 << 9]).0, Fault::Allocation);
    assert_eq!(faults(volume, AddrMode::Typed, [0, 1 << 9, 1 << 8]).0, Fault::Allocation);
    assert_eq!(faults(volume, AddrMode::Typed, [1, 1023, 0]), (Fault::None, (1023 << 30) + 4));
    assert_eq!(faults(volume, AddrMode::Typed, [u32::MAX - 1, 0x1_0000, 0]).0, Fault::Allocation);
}

/// Each index of each dimension at its own edge; an index that a dimension lacks is not looked at.
#[test]
fn sm5_typed_dimensions_at_their_edges() {
    use Tested::{Depth, Height, Width};
    let shape = Shape::with_lanes(4);
    for (dimension, bounds) in [
        (Dimension::Buffer, [Some(Width), None, None]),
        (Dimension::Texture1d, [Some(Width), None, None]),
        (Dimension::Texture1dArray, [Some(Width), Some(Depth), None]),
        (Dimension::Texture2d, [Some(Width), Some(Height), None]),
        (Dimension::Texture2dArray, [Some(Width), Some(Height), Some(Depth)]),
        (Dimension::Texture3d, [Some(Width), Some(Height), Some(Depth)]),
    ] {
        let mut ctrl = Ctrl::default();
        ctrl.uav[0] = Uav {
            kind: Resource::Typed as u8,
            dimension: dimension as u8,
            base: 0x1000,
            size: 0x1000,
            width: 5,
            height: 6,
            depth: 7,
            row_pitch: 0x20,
            slice_pitch: 0x100,
            ..Uav::default()
        };
        let limit = |bound: Option<Tested>| match bound {
            Some(Width) => 5,
            Some(Height) => 6,
            Some(_) => 7,
            None => u32::MAX,
        };
        let inside = bounds.map(|bound| limit(bound).wrapping_sub(1));
        for component in 0..3 {
            for over in [0, 1] {
                let mut lanes = Lanes { active: 1, ..Lanes::default() };
                lanes.addr[0] = inside;
                lanes.addr[0][component] += over * u32::from(bounds[component].is_some());
                let out = over == 1 && bounds[component].is_some();
                let follow = sm5_trace(&shape, &ctrl, &op(Space::Uav, AddrMode::Typed), &lanes, 0).unwrap();
                let failed = follow.tests.iter().find(|test| !test.passed).map(|test| test.of);
                assert_eq!(failed, bounds[component].filter(|_| out), "{dimension:?} {component}");
                check(&shape, &ctrl, &op(Space::Uav, AddrMode::Typed), &lanes, &[[0; 32]; 2]);
            }
        }
    }
}
