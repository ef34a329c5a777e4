// SPDX-License-Identifier: MIT OR Apache-2.0

use std::collections::BTreeMap;

use gpu_lsu::{
    clause::Clause,
    model::{Plan, Register, Scratchpad, cas::second_half, plan, sm5_trace, trace},
    op::{AddrMode, Ctrl, Fault, Kind, LaneMask, Lanes, MAX_LANES, Op, ReqKind, Shape, Space, Tgsm, Uav},
};

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
    assert_eq!((todo.local, todo.zeros, todo.filled.len()), (LaneMask::NONE, LaneMask::NONE, 0));
    // Lines in the order in which lanes name them, with who is there.
    let mut lines: Vec<(u64, Vec<(usize, u64)>)> = Vec::new();
    let mut made = LaneMask::NONE;
    for number in 0..MAX_LANES {
        let traced = trace(shape, ctrl, op, lanes, number);
        assert_eq!(traced.fault, todo.faults[number], "lane {number} of {}", what());
        let follow = sm5_trace(shape, ctrl, op, lanes, number);
        if !active.contains(number) {
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
        made.insert(number);
        assert_eq!((i128::from(todo.addr[number]), follow.addr as i128), (at, at), "lane {number} of {}", what());
        let (at, line) = (at as u64, at as u64 / shape.line_bytes as u64 * shape.line_bytes as u64);
        match lines.iter_mut().find(|(known, _)| *known == line) {
            Some((_, lanes)) => lanes.push((number, at)),
            None => lines.push((line, vec![(number, at)])),
        }
    }
    let places = if memory { (made, LaneMask::NONE) } else { (LaneMask::NONE, made) };
    assert_eq!((todo.memory, todo.shared), places, "{}", what());
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
            assert_eq!(request.lanes, lanes.iter().map(|(lane, _)| *lane).collect());
            assert_eq!(request.served, [request.lanes, LaneMask::NONE, LaneMask::NONE, LaneMask::NONE]);
            let enable = lanes.iter().fold(0u128, |bytes, (_, at)| bytes | 0xf << (at - line));
            assert_eq!(request.byte_enable, enable);
            // Few values, so that some match, also what a lower lane has just stored.
            let bytes: [u8; 128] = std::array::from_fn(|index| if index % 4 == 0 { (index / 4 % 3) as u8 } else { 0 });
            let mut dwords: BTreeMap<u64, (u32, bool)> = BTreeMap::new();
            let mut matched = LaneMask::NONE;
            for &(lane, at) in lanes {
                let entry = dwords.entry(at - line).or_insert(((at - line) as u32 / 4 % 3, false));
                if step(&mut entry.0, lane) {
                    entry.1 = true;
                    matched.insert(lane);
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
    let mut banks: BTreeMap<u64, usize> = BTreeMap::new();
    for (lane, at) in lines.into_iter().flat_map(|(_, lanes)| lanes).collect::<BTreeMap<_, _>>() {
        *banks.entry(at / 4 % shape.lanes as u64).or_default() += 1;
        let dword = &mut expected[at as usize..at as usize + 4];
        let mut value = u32::from_le_bytes(dword.try_into().unwrap());
        step(&mut value, lane);
        dword.copy_from_slice(&value.to_le_bytes());
    }
    let cycles = pad.access(shape, op, &todo, data, &mut []);
    assert_eq!(pad.bytes(), expected, "{}", what());
    assert_eq!(cycles as usize, banks.values().copied().max().unwrap_or(0), "{}", what());
}
