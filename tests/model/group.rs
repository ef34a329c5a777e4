// SPDX-License-Identifier: MIT OR Apache-2.0

use std::collections::{BTreeMap, BTreeSet};

use gpu_lsu::{
    model::{Request, coalesce::requests},
    op::{Kind, LaneMask, MAX_LANES, ReqKind, Shape, Space},
};

use crate::{Random, data, op};

/// PORT-GROUP word for word, over sets of bytes: it would serve accesses that cross lines just as well.
fn naive(
    shape: &Shape,
    store: bool,
    bytes: u64,
    pending: LaneMask,
    local: LaneMask,
    addr: &[u64; MAX_LANES],
) -> Vec<Request> {
    let line_bytes = shape.line_bytes as u64;
    let mut todo: BTreeMap<usize, BTreeSet<u64>> =
        pending.iter().map(|lane| (lane, (addr[lane]..addr[lane] + bytes).collect())).collect();
    let mut made = Vec::new();
    while let Some((&leader, first)) = todo.first_key_value() {
        let line = first.first().unwrap() / line_bytes * line_bytes;
        let mut request = Request {
            kind: if store { ReqKind::Write } else { ReqKind::Read },
            line,
            byte_enable: 0,
            data: [0; 128],
            lanes: LaneMask::NONE,
            served: [LaneMask::NONE; 4],
            group: 0,
            space: if local.contains(leader) { Space::Local } else { Space::Global },
        };
        for (&lane, rest) in &mut todo {
            let here: Vec<u64> = rest.range(line..line + line_bytes).copied().collect();
            for byte in here {
                rest.remove(&byte);
                let (offset, index) = ((byte - line) as usize, (byte - addr[lane]) as usize);
                request.lanes.insert(lane);
                request.served[index / 4].insert(lane);
                request.byte_enable |= 1 << offset;
                if store {
                    request.data[offset] = data()[index / 4][lane].to_le_bytes()[index % 4];
                }
            }
        }
        todo.retain(|_, rest| !rest.is_empty());
        made.push(request);
    }
    made
}

fn check(shape: &Shape, kind: Kind, bytes: u8, pending: LaneMask, local: LaneMask, addr: &[u64; MAX_LANES]) {
    let mut got = Vec::new();
    requests(shape, &op(kind, bytes), pending, local, addr, &data(), &mut got);
    let want = naive(shape, kind == Kind::Store, bytes.into(), pending, local, addr);
    assert_eq!(got, want, "{kind:?} of {bytes}, lanes {pending:?}, addresses {addr:x?}");

    let lines: BTreeSet<u64> = got.iter().map(|request| request.line).collect();
    assert_eq!(lines.len(), got.len(), "PORT-MIN: a line twice");
    assert_eq!(got.iter().fold(LaneMask::NONE, |all, request| all | request.lanes), pending);
    assert!(got.iter().map(|request| request.lanes.first()).is_sorted(), "PORT-GROUP: order of leaders");
}

/// Four lanes, each inactive or at one of two places in one of three lines: all of it.
#[test]
fn four_lanes_exhaustively() {
    for line_bytes in [32, 64, 128] {
        let shape = Shape { line_bytes, ..Shape::with_lanes(4) };
        for choice in 0..7usize.pow(4) {
            for bytes in [1u8, 2, 4, 8, 16] {
                let (mut pending, mut addr) = (LaneMask::NONE, [0; MAX_LANES]);
                for (lane, addr) in addr.iter_mut().enumerate().take(4) {
                    let pick = choice / 7usize.pow(lane as u32) % 7;
                    if pick < 6 {
                        pending.insert(lane);
                        let offset = [0, line_bytes as u64 - u64::from(bytes)][pick % 2];
                        *addr = (pick / 2 * line_bytes) as u64 + 0x1000 + offset;
                    }
                }
                check(&shape, Kind::Load, bytes, pending, LaneMask::NONE, &addr);
                check(&shape, Kind::Store, bytes, pending, LaneMask::from_bits(choice as u32 % 16), &addr);
            }
        }
    }
}

/// Thirty-two lanes over few and many lines, near each other and at both ends of the address space.
#[test]
fn thirty_two_lanes_at_random() {
    let mut random = Random::new(11);
    for round in 0..5_000 {
        let shape = Shape { line_bytes: [32, 64, 128][round % 3], ..Shape::with_lanes(32) };
        let bytes = 1 << random.below(5);
        let reach = 1 << (4 + random.below(37));
        let addr = [(); 32].map(|()| random.below(reach) / bytes * bytes);
        let kind = [Kind::Load, Kind::Store][random.below(2) as usize];
        let pending = random.lanes() | random.lanes();
        check(&shape, kind, bytes as u8, pending, random.lanes(), &addr);
    }
}

/// What is there already is another group's, even in the same line.
#[test]
fn requests_are_appended() {
    let (shape, mut got) = (Shape::with_lanes(32), Vec::new());
    let addr = std::array::from_fn(|lane| 0x1000 * (lane as u64 % 5));
    for _ in 0..2 {
        requests(&shape, &op(Kind::Load, 4), LaneMask::ALL, LaneMask::NONE, &addr, &data(), &mut got);
    }
    assert_eq!(got.len(), 10);
    assert_eq!(got[..5], got[5..]);
}

#[test]
fn com_sameaddr_the_highest_lane_wins() {
    let mut addr = [0x1000; MAX_LANES];
    addr[2] = 0x1004;
    let mut got = Vec::new();
    requests(
        &Shape::with_lanes(32),
        &op(Kind::Store, 8),
        LaneMask::lowest(3),
        LaneMask::NONE,
        &addr,
        &data(),
        &mut got,
    );
    let low = data()[0][1].to_le_bytes();
    let high: Vec<u8> = [data()[0][2], data()[1][2]].into_iter().flat_map(u32::to_le_bytes).collect();
    assert_eq!((&got[0].data[..4], &got[0].data[4..12]), (&low[..], &high[..]));
}
