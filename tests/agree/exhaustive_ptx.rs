// SPDX-License-Identifier: MIT OR Apache-2.0
//! Stores of PTX in every form at every byte around the edges of small spaces with overlapping windows; and releases
//! behind every kind of access, with acknowledgements as late as can be.

use gpu_lsu::{
    cosim::{
        Issue,
        case::{Answer, stall},
    },
    model::legal,
    op::{AddrMode, Attr, Ctrl, Kind, Lanes, MAX_LANES, Op, Private, Range, Scope, Semantics, Shape, Space},
    sets::spa5::Opcode,
};

use crate::units::{access, agree, built, case};

const SHARED: Range = Range { base: 0x1060, size: 0x60 };
const SPACES: [Space; 6] = [Space::Generic, Space::Global, Space::Local, Space::Shared, Space::Cluster, Space::Param];

/// The local window begins before the shared one and ends in it; memory is allocated on both sides of them and below
/// them.
fn ctrl(trap_misaligned: bool) -> Ctrl {
    let mut ctrl = Ctrl {
        trap_misaligned,
        local_window: Range { base: 0x1020, size: 0x60 },
        shared_window: SHARED,
        local_memory: Private { base: 0x8000, stride: 0x60, size: 0x40 },
        param_memory: Private { base: 0x8020, stride: 0x80, size: 0x60 },
        shared_size: 0x40,
        cluster: Range { base: 0xff_0000_0020, size: 0x40 },
        ..Ctrl::default()
    };
    ctrl.alloc[0] = Range { base: 0x1000, size: 0x40 };
    ctrl.alloc[1] = Range { base: 0x10a0, size: 0x40 };
    ctrl.alloc[2] = Range { base: 0, size: 0x20 };
    ctrl
}

/// Every shape of an access, with all elements, and with some of them if there are several.
fn forms() -> impl Iterator<Item = Op> {
    let shapes = [1, 2, 4, 8, 16].into_iter().flat_map(|bytes| [1, 2, 4, 8].map(|count| (bytes, count)));
    let masks = |count: u8| match count {
        1 => vec![1],
        _ => vec![0xff >> (8 - count), 0x55 >> (8 - count), 1 << (count - 1)],
    };
    let of = move |(element_bytes, element_count)| {
        masks(element_count).into_iter().map(move |element_mask| Op {
            kind: Kind::Store as u8,
            addr_mode: AddrMode::Reg64 as u8,
            space: Space::Generic as u8,
            element_bytes,
            element_count,
            element_mask,
            ..Op::default()
        })
    };
    shapes.flat_map(of).filter(legal)
}

/// A store with an address for each active lane. The data encodes lane, register and `salt`.
fn store(op: Op, salt: u32, places: &[u64]) -> Issue {
    let mut lanes = Lanes::default();
    for (lane, &ea) in places.iter().enumerate() {
        lanes.active.insert(lane);
        lanes.addr[lane] = [ea as u32, (ea >> 32) as u32, 0];
    }
    let mut data = vec![[0; MAX_LANES]; op.data_beats() as usize];
    for (number, word) in (0u32..).zip(data.as_flattened_mut()) {
        *word = (salt << 12 ^ number).wrapping_mul(0x9e37_79b1);
    }
    Issue { op: Op { warp: (salt % 8) as u8, ..op }, lanes, data, inst: None }
}

/// Loads of the scratchpad's contents.
fn contents(shape: &Shape) -> impl Iterator<Item = Issue> + use<> {
    let places: Vec<_> = (0..0x40).step_by(4).map(|offset| (SHARED.base + offset, false)).collect();
    let chunks: Vec<_> = places.chunks(shape.lanes).map(|places| access(Opcode::Ld, 4, 0, places)).collect();
    chunks.into_iter()
}

#[test]
fn every_form_at_every_byte_of_every_space() {
    for shape in built() {
        for space in SPACES {
            let first = if space == Space::Generic { 0xfe0 } else { 0 };
            let mut places: Vec<u64> = (first..first + 0x120).collect();
            if space == Space::Global {
                places = (0..0x40).chain(0x1000..0x1060).chain(0x1090..0x10f0).collect();
            }
            places.extend([(1 << 40) - 1, 1 << 40, u64::MAX]);
            for trap in [false, true] {
                let mut issues = Vec::new();
                for op in forms() {
                    for places in places.chunks(shape.lanes) {
                        issues.push(store(Op { space: space as u8, ..op }, issues.len() as u32, places));
                    }
                    issues.extend(contents(&shape));
                }
                agree(&case(shape, ctrl(trap), issues));
            }
        }
    }
}

#[test]
fn mmio_at_every_byte() {
    for shape in built() {
        for space in [Space::Generic, Space::Global] {
            let places: Vec<u64> = (0xff0..0x10f0).collect();
            let mut issues = Vec::new();
            let orders = [Semantics::Mmio, Semantics::MmioRelease];
            for (op, semantics) in
                forms().filter(|op| op.element_count == 1).flat_map(|op| orders.map(|order| (op, order)))
            {
                let attr = Attr { semantics: semantics as u8, scope: Scope::Sys as u8, ..Attr::default() };
                for places in places.chunks(shape.lanes) {
                    issues.push(store(Op { space: space as u8, attr, ..op }, issues.len() as u32, places));
                }
                // All lanes to one byte, and a weak store to it.
                issues.push(store(Op { space: space as u8, attr, ..op }, 0, &vec![0x1008; shape.lanes]));
                issues.push(store(Op { space: space as u8, ..op }, 0, &vec![0x1008; shape.lanes]));
            }
            let mut case = case(shape, ctrl(false), issues);
            case.schedule.stalls = vec![stall::REQ, 0, stall::REQ, stall::REQ, 0];
            case.schedule.answers = vec![
                Answer { apply: 3, answer: 2, scope: 0, last: 9 },
                Answer { apply: 0, answer: 0, scope: 3, last: 0 },
            ];
            agree(&case);
        }
    }
}

/// Releases of every scope, to memory, the scratchpad and both, behind accesses with equally late answers.
#[test]
fn releases_behind_everything() {
    for shape in built() {
        let mut issues = Vec::new();
        let op = Op { element_bytes: 4, element_count: 1, element_mask: 1, ..forms().next().unwrap() };
        for scope in 0..4 {
            for first in [0x1000, 0x1050, 0x1090, 0x10a0] {
                for then in [[0x1010, 0x10a8], [0x1084, 0x1088], [0x1084, 0x1010], [0x1040, 0x1044]] {
                    let warp = 3 * (issues.len() as u32 % 2);
                    let places: Vec<u64> = (0..shape.lanes as u64).map(|lane| first + 4 * (lane % 4)).collect();
                    issues.push(store(op, warp, &places));
                    let mut load = access(Opcode::Ld, 4, 0, &[(0x1000, true), (SHARED.base, false)]);
                    load.op.warp = warp as u8;
                    issues.push(load);
                    // At system scope mmio releases as well.
                    let semantics = match (scope, first % 0x20) {
                        (3, 0) => Semantics::MmioRelease,
                        _ => Semantics::Release,
                    };
                    let attr = Attr { semantics: semantics as u8, scope, ..Attr::default() };
                    issues.push(store(Op { attr, ..op }, warp, &then));
                    issues.extend(contents(&shape));
                }
            }
        }
        let mut case = case(shape, ctrl(false), issues);
        for widest in 0..4 {
            let late = |number: u8| Answer {
                apply: number % 3,
                answer: 7 * number % 40,
                scope: number % (widest + 1),
                last: 60,
            };
            case.schedule.answers = (0..29).map(late).collect();
            agree(&case);
        }
    }
}
