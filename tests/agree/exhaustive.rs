// SPDX-License-Identifier: MIT OR Apache-2.0
//! Every value of whatever is small enough to try them all.

use gpu_lsu::{
    cosim::{Issue, case::Bytes},
    op::{ADDR_WIDTH, Ctrl, Private, Range},
    sets::spa5::Opcode,
};

use crate::units::{access, agree, built, case, sizes};

const TOP: u64 = 1 << ADDR_WIDTH;
const SHARED: u64 = 0x10_0000;
const LOCAL: u64 = 0x20_0000;

/// Less of each kind of memory is allocated than its window holds; allocations touch, cross 2^32, and end at the top.
fn ctrl(trap_misaligned: bool) -> Ctrl {
    let range = |base, size| Range { base, size };
    Ctrl {
        trap_misaligned,
        shared_window: range(SHARED, 0x200),
        shared_size: 0x180,
        local_window: range(LOCAL, 0x200),
        local_memory: Private { base: 0x80_0000_0000, stride: 0x120, size: 0x100 },
        alloc: [
            range(0, 0x20),
            range(0x1000, 0x100),
            range(0x1100, 0x40),
            range((1 << 32) - 0x20, 0x60),
            range(TOP - 0x40, 0x40),
            range(LOCAL - 0x20, 0x20),
            range(LOCAL + 0x200, 0x20),
            Range::default(),
        ],
        ..Ctrl::default()
    }
}

/// An access of each size to each place, with as many places at a time as there are lanes.
fn everywhere(lanes: usize, places: &[(u64, bool)]) -> Vec<Issue> {
    let chunks = || places.chunks(lanes).zip(1..);
    sizes().flat_map(|(op, size)| chunks().map(move |(places, salt)| access(op, size, salt, places))).collect()
}

#[test]
fn every_size_at_every_offset_of_32_in_every_space() {
    for shape in built() {
        for trap in [false, true] {
            let offsets = || 0..32;
            let global = offsets().map(|offset| (0x1020 + offset, true));
            let local = offsets().map(|offset| (LOCAL + 0x40 + offset, true));
            let shared = offsets().map(|offset| (SHARED + 0x60 + offset, false));
            let places: Vec<_> = global.chain(local).chain(shared).collect();
            agree(&case(shape, ctrl(trap), everywhere(shape.lanes, &places)));
        }
    }
}

#[test]
fn every_distance_to_every_edge() {
    let ends = |range: Range| [range.base, range.base + range.size];
    for shape in built() {
        for trap in [false, true] {
            let ctrl = ctrl(trap);
            let mut edges = vec![1 << 31, TOP, TOP << 1, u64::MAX, SHARED + 0x180, LOCAL + 0x100];
            edges.extend([ctrl.shared_window, ctrl.local_window].into_iter().chain(ctrl.alloc).flat_map(ends));
            edges.dedup();
            let distances = || (-33..=33).flat_map(|distance: i64| [(distance, true), (distance, false)]);
            let place = |edge: u64| {
                distances().map(move |(distance, predicate)| (edge.wrapping_add(distance as u64), predicate))
            };
            let places: Vec<_> = edges.into_iter().flat_map(place).collect();
            agree(&case(shape, ctrl, everywhere(shape.lanes, &places)));
        }
    }
}

/// The end of a range in steps of 32 bytes, with accesses right below it and right at it.
#[test]
fn every_size_of_a_small_range() {
    for shape in built() {
        for units in 0..5 {
            let size = 32 * units;
            let ctrl = Ctrl {
                shared_window: Range { base: SHARED, size: 0x80 },
                shared_size: size as u32,
                local_window: Range { base: LOCAL, size: 0x80 },
                local_memory: Private { base: 0x80_0000_0000, stride: 0x80, size: size as u32 },
                alloc: [Range { base: 0x1000, size }; 8],
                ..Ctrl::default()
            };
            let place = |offset| [(SHARED + offset, false), (LOCAL + offset, true), (0x1000 + offset, true)];
            let places: Vec<_> = (0..0x90).step_by(8).flat_map(place).collect();
            agree(&case(shape, ctrl, everywhere(shape.lanes, &places)));
        }
    }
}

#[test]
fn every_byte_and_half_word_is_extended() {
    const BYTES: u64 = 0x1_0000;
    const HALVES: u64 = 0x2_0000;
    // Each byte at an even and at an odd address.
    let bytes: Vec<u8> = (0..=255).chain((0..=255).rev()).collect();
    let halves: Vec<u8> = (0..=u16::MAX).flat_map(u16::to_le_bytes).collect();
    let mut ctrl = Ctrl { shared_window: Range { base: SHARED, size: 0x200 }, shared_size: 0x200, ..Ctrl::default() };
    ctrl.alloc[0] = Range { base: BYTES, size: 0x200 };
    ctrl.alloc[1] = Range { base: HALVES, size: 0x2_0000 };
    for shape in built() {
        let mut issues = Vec::new();
        for size in [0, 1] {
            let places: Vec<_> = (0..512).flat_map(|at| [(BYTES + at, true), (SHARED + at, false)]).collect();
            issues.extend(places.chunks(shape.lanes).map(|places| access(Opcode::Ld, size, 0, places)));
        }
        for size in [2, 3] {
            let places: Vec<_> = (0..=u64::from(u16::MAX)).map(|half| (HALVES + 2 * half, true)).collect();
            issues.extend(places.chunks(shape.lanes).map(|places| access(Opcode::Ld, size, 0, places)));
        }
        let mut case = case(shape, ctrl, issues);
        case.memory.push(Bytes { addr: BYTES, bytes: bytes.clone() });
        case.memory.push(Bytes { addr: HALVES, bytes: halves.clone() });
        case.shared.push(Bytes { addr: 0, bytes: bytes.clone() });
        agree(&case);
    }
}

/// Four lanes, each at any of twelve places.
#[cfg(feature = "all-lanes")]
fn meetings(places: [u64; 12], predicate: bool, stores: u8, loads: u8) {
    let lane = |choice: usize, lane: u32| (places[choice / 12usize.pow(lane) % 12], predicate);
    let issues: Vec<_> = (0..12usize.pow(4))
        .flat_map(|choice| {
            let places = [0, 1, 2, 3].map(|number| lane(choice, number));
            [access(Opcode::St, stores, choice as u32, &places), access(Opcode::Ld, loads, 0, &places)]
        })
        .collect();
    agree(&case(gpu_lsu::op::Shape::with_lanes(4), ctrl(false), issues));
}

/// PORT-GROUP, PORT-MIN, COM-SAMEADDR: three lines, four words of each.
#[test]
#[cfg(feature = "all-lanes")]
fn every_meeting_of_four_lanes_in_three_lines() {
    let places = std::array::from_fn(|choice| 0x1000 + [0, 0x80, 0x100][choice / 4] + [0, 4, 0x18, 0x3c][choice % 4]);
    meetings(places, true, 4, 4);
}

/// The same with parts of one word, of which a load reads more than a store wrote.
#[test]
#[cfg(feature = "all-lanes")]
fn every_meeting_of_four_lanes_in_three_lines_by_bytes() {
    let places = std::array::from_fn(|choice| 0x1000 + [0, 0x80, 0x100][choice / 4] + choice as u64 % 4);
    meetings(places, true, 0, 6);
}

/// PORT-SPAD, PORT-BANK: three words, two of them in one bank, four bytes of each.
#[test]
#[cfg(feature = "all-lanes")]
fn every_meeting_of_four_lanes_in_two_banks() {
    let places = std::array::from_fn(|choice| SHARED + [0, 4, 0x10][choice / 4] + choice as u64 % 4);
    meetings(places, false, 0, 5);
}
