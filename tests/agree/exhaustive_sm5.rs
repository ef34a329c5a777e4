// SPDX-License-Identifier: MIT OR Apache-2.0
//! Compare-and-stores at every address of small resources of every kind, with every small value, while another master
//! does the same in every cycle, and memory refuses some.

use gpu_lsu::{
    cosim::{
        Issue,
        case::{Answer, Bytes, Foreign, stall},
    },
    op::{AddrMode, Ctrl, Kind, Lanes, MAX_LANES, Op, Range, Resource, Space, Tgsm, Uav},
    sets::spa5::Opcode,
};

use crate::units::{access, agree, built, case};

const BASE: u64 = 0x10_0064;
const SHARED: Range = Range { base: 0x100_0000, size: 0x100 };
const MODES: [AddrMode; 3] = [AddrMode::Raw, AddrMode::Struct, AddrMode::Typed];

fn ctrl(trap_misaligned: bool) -> Ctrl {
    let mut ctrl = Ctrl { trap_misaligned, shared_window: SHARED, shared_size: 0x100, ..Ctrl::default() };
    ctrl.alloc[0] = Range { base: BASE / 32 * 32, size: 0x200 };
    ctrl
}

fn op(space: Space, mode: AddrMode, slot: u8) -> Op {
    Op {
        kind: Kind::CmpStore as u8,
        addr_mode: mode as u8,
        space: space as u8,
        slot,
        element_bytes: 4,
        element_count: 1,
        element_mask: 1,
        suppress_helpers: true,
        ..Op::default()
    }
}

/// A compare-and-store, given address words and both values for each active lane.
fn store(op: Op, lanes: &[([u32; 3], u32, u32)]) -> Issue {
    let mut issue = Issue { op, lanes: Lanes::default(), data: vec![[0; MAX_LANES]; 2], inst: None };
    for (lane, &(addr, compare, new)) in lanes.iter().enumerate() {
        issue.lanes.active.insert(lane);
        issue.lanes.addr[lane] = addr;
        (issue.data[0][lane], issue.data[1][lane]) = (compare, new);
    }
    issue
}

/// Words with initial values 0, 1, 2, 0, ...
fn words(addr: u64, count: u32) -> Bytes {
    Bytes { addr, bytes: (0..count).flat_map(|word| (word % 3).to_le_bytes()).collect() }
}

/// Loads of the scratchpad's contents.
fn contents(lanes: usize) -> Vec<Issue> {
    let places: Vec<_> = (0..0x80).step_by(4).map(|offset| (SHARED.base + offset, false)).collect();
    places.chunks(lanes).map(|places| access(Opcode::Ld, 4, 0, places)).collect()
}

/// Every address of a resource, in legal and illegal modes, bound as right and wrong kinds.
fn sweep(space: Space, bind: impl Fn(&mut Ctrl, u8), addresses: &[[u32; 3]]) {
    for shape in built() {
        for trap in [false, true] {
            let mut ctrl = ctrl(trap);
            bind(&mut ctrl, 5);
            let mut issues = Vec::new();
            for mode in MODES.into_iter().take(if space == Space::Tgsm { 2 } else { 3 }) {
                for (number, places) in (0..).zip(addresses.chunks(shape.lanes)) {
                    let value = |lane: usize| (number + lane as u32) % 3;
                    let lanes = places.iter().enumerate().map(|(lane, &addr)| (addr, value(lane), value(lane) + 1));
                    let mut op = op(space, mode, 5);
                    op.warp = number as u8 % 8;
                    issues.push(store(op, &lanes.collect::<Vec<_>>()));
                }
                if space == Space::Tgsm {
                    issues.extend(contents(shape.lanes));
                }
            }
            let mut case = case(shape, ctrl, issues);
            case.memory.push(words(BASE / 32 * 32, 0x80));
            case.shared.push(words(0, 0x20));
            agree(&case);
        }
    }
}

fn wraps() -> impl Iterator<Item = u32> {
    [1 << 31, u32::MAX - 4, u32::MAX - 3, u32::MAX].into_iter()
}

#[test]
fn every_raw_address() {
    for kind in 0..4 {
        for size in [0, 4, 0x28] {
            let addresses: Vec<[u32; 3]> = (0..0x34).chain(wraps()).map(|x| [x, 7, 9]).collect();
            sweep(
                Space::Uav,
                |ctrl, slot| ctrl.uav[usize::from(slot)] = Uav { kind, base: BASE, size, stride: 4, ..Uav::default() },
                &addresses,
            );
            if kind != Resource::Typed as u8 {
                let tgsm = Tgsm { kind, base: 0xc, size: size as u32, stride: 4 };
                sweep(Space::Tgsm, |ctrl, slot| ctrl.tgsm[usize::from(slot)] = tgsm, &addresses);
            }
        }
    }
}

#[test]
fn every_structured_address() {
    let kind = Resource::Structured as u8;
    for (size, stride) in [(0x24, 0xc), (0x28, 0xc), (0x20, 4), (0x14, 0x18), (0x1ffc, 0xffc)] {
        let around = [0, u32::from(stride), (1u64 << 32).div_ceil(u64::from(stride)) as u32];
        let x = (0..6).chain(around.into_iter().flat_map(|x| [x.wrapping_sub(1), x, x + 1])).chain(wraps());
        let y = || (0..0x1c).chain([u32::from(stride) - 4, u32::from(stride) - 1, stride.into()]).chain(wraps());
        let addresses: Vec<[u32; 3]> = x.flat_map(|x| y().map(move |y| [x, y, 3])).collect();
        sweep(
            Space::Uav,
            |ctrl, slot| ctrl.uav[usize::from(slot)] = Uav { kind, base: BASE, size, stride, ..Uav::default() },
            &addresses,
        );
        if size < 0x1000 {
            let tgsm = Tgsm { kind, base: 0x8, size: size as u32, stride };
            sweep(Space::Tgsm, |ctrl, slot| ctrl.tgsm[usize::from(slot)] = tgsm, &addresses);
        }
    }
}

#[test]
fn every_index_of_every_dimension() {
    for dimension in 0..8 {
        for (row_pitch, slice_pitch, size) in [(12, 24, 0x48), (16, 40, 0x44), (0, 4, 0x40), (0xffff_fffc, 0x30, 0x30)]
        {
            let uav = Uav {
                kind: Resource::Typed as u8,
                dimension,
                base: BASE,
                size,
                stride: 4,
                width: 3,
                height: 2,
                depth: 3,
                row_pitch,
                slice_pitch,
            };
            let index = || (0..5).chain([0x1_0000, u32::MAX]);
            let addresses: Vec<[u32; 3]> =
                index().flat_map(|x| index().flat_map(move |y| index().map(move |z| [x, y, z]))).collect();
            sweep(Space::Uav, |ctrl, slot| ctrl.uav[usize::from(slot)] = uav, &addresses);
        }
    }
}

/// Resources in memory and scratchpad for the contests below.
fn arena() -> Ctrl {
    let mut ctrl = ctrl(false);
    ctrl.uav[0] = Uav { kind: Resource::Raw as u8, base: BASE, size: 0x80, ..Uav::default() };
    ctrl.tgsm[0] = Tgsm { kind: Resource::Raw as u8, size: 0x80, ..Tgsm::default() };
    ctrl
}

/// Three lanes on one dword, with every choice of three values and every initial one.
#[test]
fn every_order_matters_as_the_model_says() {
    for shape in built() {
        for space in [Space::Uav, Space::Tgsm] {
            let mut issues = Vec::new();
            for initial in 0..3 {
                for code in 0..3u32.pow(6) {
                    let digit = |place: u32| code / 3u32.pow(place) % 3;
                    let at = 4 * (code % 32);
                    let whole = match space {
                        Space::Uav => (BASE + u64::from(at), true),
                        _ => (SHARED.base + u64::from(at), false),
                    };
                    let mut begin = access(Opcode::St, 4, 0, &[whole]);
                    begin.data[0][0] = initial;
                    issues.push(begin);
                    let lanes = [0, 1, 2].map(|lane| ([at, 0, 0], digit(2 * lane), digit(2 * lane + 1)));
                    issues.push(store(op(space, AddrMode::Raw, 0), &lanes));
                    issues.push(access(Opcode::Ld, 4, 0, &[whole]));
                }
            }
            agree(&case(shape, arena(), issues));
        }
    }
}

/// Two warps on one dword, and another master that writes or compares, in each cycle in turn; memory answers early or
/// late, and refuses up to twice.
#[test]
fn another_master_in_every_cycle() {
    let shape = built().next().unwrap();
    let slow = Answer { apply: 2, answer: 3, scope: 1, last: 6 };
    for answer in [Answer { apply: 0, answer: 0, scope: 3, last: 0 }, slow] {
        for refusals in [vec![], vec![1], vec![2, 0]] {
            for cycle in 0..60 {
                for (compare, bytes) in [(None, 1u32), (None, 2), (Some(1), 0), (Some(2), 1), (Some(0), 0)] {
                    let lanes = |from: u32| {
                        let lane = |lane: u32| ([4 * (lane / 2 % 2), 0, 0], (from + lane) % 3, (from + lane + 1) % 3);
                        (0..shape.lanes as u32).map(lane).collect::<Vec<_>>()
                    };
                    let mut issues = Vec::new();
                    for (number, warp) in [0, 1, 0].into_iter().enumerate() {
                        let op = Op { warp, ..op(Space::Uav, AddrMode::Raw, 0) };
                        issues.push(store(op, &lanes(number as u32)));
                    }
                    let mut case = case(shape, arena(), issues);
                    case.memory.push(words(BASE, 2));
                    case.schedule.answers = vec![answer];
                    case.schedule.refusals.clone_from(&refusals);
                    let bytes = bytes.to_le_bytes().to_vec();
                    case.schedule.foreign = vec![Foreign { cycle, addr: BASE, bytes, compare }];
                    agree(&case);
                }
            }
        }
    }
}

/// The unit does not give up on memory that refuses for long, and lets nobody else wait for ever.
#[test]
fn a_memory_that_refuses_for_long() {
    for shape in built() {
        let lanes: Vec<_> = (0..shape.lanes as u32).map(|lane| ([4 * (lane % 32), 0, 0], lane % 3, 5)).collect();
        let issues: Vec<_> = (0..24)
            .map(|number| {
                let mut op = op(Space::Uav, AddrMode::Raw, 0);
                op.warp = number % 8;
                store(op, &lanes)
            })
            .collect();
        let mut case = case(shape, arena(), issues);
        case.memory.push(words(BASE, 32));
        case.schedule.refusals = vec![255, 0, 3];
        case.schedule.stalls = vec![0, stall::REQ, 0, stall::RSP];
        agree(&case);
    }
}

/// Every way in which a line can fail, beside lines that do not.
#[test]
fn lines_that_fail() {
    for shape in built() {
        let lanes: Vec<_> = (0..shape.lanes as u32).map(|lane| ([4 * (lane * 5 % 32), 0, 0], lane % 3, lane)).collect();
        let first = Range { base: BASE, size: 4 };
        for which in 0..3 {
            for refusals in [0, 2] {
                let issues = (0..6).map(|_| store(op(Space::Uav, AddrMode::Raw, 0), &lanes)).collect();
                let mut case = case(shape, arena(), issues);
                case.memory.push(words(BASE, 32));
                case.schedule.refusals = vec![refusals];
                match which {
                    0 => case.bus_errors.push(first),
                    1 => case.schedule.write_errors.push(first),
                    _ => case.schedule.no_exclusives.push(first),
                }
                agree(&case);
            }
        }
    }
}
