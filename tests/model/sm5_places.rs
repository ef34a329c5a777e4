// SPDX-License-Identifier: MIT OR Apache-2.0

use gpu_lsu::{
    model::{Plan, Register, Tested, plan, sm5_trace},
    op::{AddrMode, Ctrl, Dimension, Fault, LaneMask, Lanes, MAX_LANES, Op, Resource, Shape, Space, Tgsm, Uav},
};

use crate::{
    Random,
    sm5_naive::{check, op},
};

/// Compare and new of few values, so that lanes meet each other's.
fn beats(random: &mut Random) -> [Register; 2] {
    [(); 2].map(|()| [(); MAX_LANES].map(|()| random.below(3) as u32))
}

/// Every place of small resources, and what is around them, whatever they are bound as.
#[test]
fn sm5_small_resources_exhaustively() {
    let shape = Shape { lanes: 4, line_bytes: 32, shared_bytes: 64, ..Shape::with_lanes(4) };
    let mut random = Random::new(60);
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
                        let mut lanes =
                            Lanes { active: LaneMask::lowest(4), predicate: random.lanes(), ..Lanes::default() };
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
    let mut random = Random::new(61);
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
        let mut lanes = Lanes { active: random.lanes() | random.lanes(), ..Lanes::default() };
        lanes.helper = random.lanes() & random.lanes() & random.lanes();
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
        let mut lanes = Lanes { active: LaneMask::only(0), ..Lanes::default() };
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
        for (component, bound) in bounds.into_iter().enumerate() {
            for over in [0, 1] {
                let mut lanes = Lanes { active: LaneMask::only(0), ..Lanes::default() };
                lanes.addr[0] = inside;
                lanes.addr[0][component] += over * u32::from(bound.is_some());
                let follow = sm5_trace(&shape, &ctrl, &op(Space::Uav, AddrMode::Typed), &lanes, 0).unwrap();
                let failed = follow.tests.iter().find(|test| !test.passed).map(|test| test.of);
                assert_eq!(failed, bound.filter(|_| over == 1), "{dimension:?} {component}");
                check(&shape, &ctrl, &op(Space::Uav, AddrMode::Typed), &lanes, &[[0; 32]; 2]);
            }
        }
    }
}
