// SPDX-License-Identifier: MIT OR Apache-2.0

use gpu_lsu::{
    clause::Clause,
    model::{Memory, Place, Plan, Scratchpad, allowed::finals, bus_error, cas::second_half, plan, trace},
    op::{AddrMode, Ctrl, Dimension, Fault, Kind, LaneMask, Lanes, MAX_LANES, Op, Resource, Shape, Space, Tgsm, Uav},
};

use crate::sm5_naive::op;

const SHAPE: Shape = Shape::with_lanes(32);

fn raw(base: u64, size: u64) -> Uav {
    Uav { kind: Resource::Raw as u8, base, size, ..Uav::default() }
}

fn planned(ctrl: &Ctrl, op: &Op, lanes: &Lanes) -> Plan {
    let mut out = Plan::default();
    plan(&SHAPE, ctrl, op, lanes, &[], &mut out);
    out
}

fn at(words: &[[u32; 3]]) -> Lanes {
    let mut lanes = Lanes { active: LaneMask::lowest(words.len()), ..Lanes::default() };
    lanes.addr[..words.len()].copy_from_slice(words);
    lanes
}

/// The page's own examples.
#[test]
fn sm5_worked_examples() {
    let mut ctrl = Ctrl { trap_misaligned: true, ..Ctrl::default() };
    ctrl.uav[0] = raw(0x1000, 64);
    ctrl.tgsm[1] = Tgsm { kind: Resource::Structured as u8, base: 0x40, size: 0x100, stride: 16 };
    let raws = at(&[[60, 0, 0], [64, 0, 0], [0xffff_fffc, 0, 0], [61, 0, 0]]);
    let plan = planned(&ctrl, &op(Space::Uav, AddrMode::Raw), &raws);
    assert_eq!(plan.faults[..4], [Fault::None, Fault::Allocation, Fault::Allocation, Fault::Misaligned]);
    assert_eq!((plan.memory.bits(), plan.addr[0], plan.addr[3]), (0b1001, 0x103c, 0x103c));
    let group = Op { slot: 1, ..op(Space::Tgsm, AddrMode::Struct) };
    let plan = planned(&ctrl, &group, &at(&[[3, 8, 0]]));
    assert_eq!((plan.shared, plan.addr[0]), (LaneMask::only(0), 0x40 + 56));

    // Values that tests assert on real drivers: word 0, compare 0, new 1; word 0xf, compare and new 0xffffffff.
    for (word, compare, new, after) in [(0u32, 0, 1, 1u32), (0xf, u32::MAX, u32::MAX, 0xf)] {
        let plan = planned(&ctrl, &op(Space::Uav, AddrMode::Raw), &at(&[[0; 3]]));
        let mut line = [0; 128];
        line[..4].copy_from_slice(&word.to_le_bytes());
        let write = second_half(&plan, &plan.requests[0], &[[compare; 32], [new; 32]], &line);
        assert_eq!(write.byte_enable, if word == after { 0 } else { 0xf });
        let mut memory = Memory::new(0);
        memory.poke(0x1000, &line);
        memory.write(plan.requests[0].line, write.byte_enable, &write.data);
        assert_eq!(memory.read_line(0x1000)[..4], after.to_le_bytes());
    }
}

/// With all lanes doing (e, e + 10) on a word that holds e exactly one wins: of 64, as two operations of 32 lanes, and so
/// for every order.
#[test]
fn sm5_order_exactly_one_wins() {
    let mut ctrl = Ctrl::default();
    ctrl.uav[0] = raw(0, 64);
    ctrl.tgsm[0] = Tgsm { kind: Resource::Raw as u8, base: 0, size: 64, stride: 0 };
    let all = at(&[[8, 0, 0]; 32]);
    for e in [0u32, 7, u32::MAX] {
        let new = e.wrapping_add(10);
        let data = [[e; MAX_LANES], [new; MAX_LANES]];
        let mut line = [0xee; 128];
        line[8..12].copy_from_slice(&e.to_le_bytes());
        let mut pad = Scratchpad::new(64);
        pad.poke(0, &line);
        let (mut winners, mut cycles) = (0, 0);
        for _operation in 0..2 {
            let plan = planned(&ctrl, &op(Space::Uav, AddrMode::Raw), &all);
            assert_eq!(plan.requests.len(), 1);
            let write = second_half(&plan, &plan.requests[0], &data, &line);
            winners += write.matched.count();
            for index in (0..128).filter(|index| write.byte_enable >> index & 1 == 1) {
                line[index] = write.data[index];
            }
            let plan = planned(&ctrl, &op(Space::Tgsm, AddrMode::Raw), &all);
            cycles += pad.access(&SHAPE, &op(Space::Tgsm, AddrMode::Raw), &plan, &data, &mut []);
        }
        assert_eq!((winners, cycles), (1, 64));
        assert_eq!((&line[8..12], &pad.bytes()[8..12]), (&new.to_le_bytes()[..], &new.to_le_bytes()[..]));
        assert_eq!((line[7], line[12], pad.bytes()[7], pad.bytes()[12]), (0xee, 0xee, 0xee, 0xee));
        assert_eq!(finals(e, &[(e, new); 64]), [new]);
    }
}

/// Ascending lanes climb a ladder that descending ones would fall off.
#[test]
fn sm5_order_is_ascending() {
    let mut ctrl = Ctrl::default();
    ctrl.uav[0] = raw(0, 4);
    let plan = planned(&ctrl, &op(Space::Uav, AddrMode::Raw), &at(&[[0; 3]; 32]));
    let up = [std::array::from_fn(|lane| lane as u32), std::array::from_fn(|lane| lane as u32 + 1)];
    let write = second_half(&plan, &plan.requests[0], &up, &[0; 128]);
    assert_eq!((write.matched, write.data[0]), (LaneMask::ALL, 32));
    let down = up.map(|mut register: [u32; MAX_LANES]| {
        register.reverse();
        register
    });
    let write = second_half(&plan, &plan.requests[0], &down, &[0; 128]);
    assert_eq!((write.matched, write.data[0]), (LaneMask::only(31), 1));
    let steps: Vec<(u32, u32)> = (0..32).map(|lane| (lane, lane + 1)).collect();
    assert_eq!(finals(0, &steps), (1..=32).collect::<Vec<_>>());
}

/// Storing what is there already is a store: PORT-CAS writes it, so that reservations of others go.
#[test]
fn sm5_cas_writes_an_equal_value_too() {
    let mut ctrl = Ctrl::default();
    ctrl.uav[0] = raw(0, 8);
    let plan = planned(&ctrl, &op(Space::Uav, AddrMode::Raw), &at(&[[4, 0, 0]]));
    let write = second_half(&plan, &plan.requests[0], &[[0; 32], [0; 32]], &[0; 128]);
    assert_eq!((write.byte_enable, write.matched, write.data), (0xf0, LaneMask::only(0), [0; 128]));
    // Without its beats it compares with 0 and stores 0.
    assert_eq!(second_half(&plan, &plan.requests[0], &[], &[0; 128]), write);
}

/// Every clause that a lane can show, by name.
#[test]
fn sm5_clauses_of_a_lane() {
    let mut ctrl = Ctrl { trap_misaligned: true, ..Ctrl::default() };
    ctrl.uav[0] = raw(0x100, 64);
    ctrl.uav[1] = Uav { kind: Resource::Structured as u8, stride: 16, ..raw(0x200, 64) };
    ctrl.uav[2] =
        Uav { kind: Resource::Typed as u8, dimension: Dimension::Texture1d as u8, width: 4, ..raw(0x300, 64) };
    ctrl.uav[3] = Uav { kind: Resource::Typed as u8, dimension: 6, width: 4, ..raw(0x300, 64) };
    ctrl.tgsm[0] = Tgsm { kind: Resource::Raw as u8, base: 0x40, size: 64, stride: 0 };
    use {AddrMode::*, Clause::*, Fault::*};
    for (space, mode, slot, words, clauses, fault) in [
        (Space::Uav, Raw, 0, [4, 0, 0], vec![Sm5Raw, Sm5Cas], None),
        (Space::Uav, Raw, 0, [5, 0, 0], vec![Sm5Raw, Sm5Align, Sm5Cas], Misaligned),
        (Space::Uav, Raw, 0, [64, 0, 0], vec![Sm5Raw, Sm5OobUav], Allocation),
        (Space::Uav, Raw, 0, [65, 0, 0], vec![Sm5Raw, Sm5Align, Sm5OobUav], Allocation),
        (Space::Uav, Raw, 7, [0; 3], vec![Sm5Raw, Sm5Kind, Sm5Unbound], Allocation),
        (Space::Uav, Struct, 0, [0; 3], vec![Sm5Struct, Sm5Kind, Sm5Unbound], Allocation),
        (Space::Uav, Struct, 1, [1, 12, 0], vec![Sm5Struct, Sm5Cas], None),
        (Space::Uav, Struct, 1, [1, 16, 0], vec![Sm5Struct, Sm5OobOffset], Undefined),
        (Space::Uav, Struct, 1, [4, 16, 0], vec![Sm5Struct, Sm5OobUav], Allocation),
        (Space::Uav, Typed, 2, [3, 0, 0], vec![Sm5Typed, Sm5Cas], None),
        (Space::Uav, Typed, 2, [4, 0, 0], vec![Sm5Typed, Sm5OobUav], Allocation),
        (Space::Uav, Typed, 3, [0; 3], vec![Sm5Typed, Sm5Kind, Sm5Unbound], Allocation),
        (Space::Tgsm, Raw, 0, [60, 0, 0], vec![Sm5Raw, Sm5Cas], None),
        (Space::Tgsm, Raw, 0, [64, 0, 0], vec![Sm5Raw, Sm5OobTgsm], Undefined),
        (Space::Tgsm, Raw, 1, [0; 3], vec![Sm5Raw, Sm5Kind, Sm5OobTgsm], Undefined),
    ] {
        let op = Op { slot, ..op(space, mode) };
        let traced = trace(&SHAPE, &ctrl, &op, &at(&[words]), 0);
        assert_eq!((&traced.clauses, traced.fault), (&clauses, fault), "{space:?} {mode:?} {slot} {words:?}");
        let made = clauses.contains(&Sm5Cas);
        let plan = planned(&ctrl, &op, &at(&[words]));
        assert_eq!(((plan.memory | plan.shared) == LaneMask::only(0), plan.faults[0]), (made, fault));
        // A second lane on the same dword.
        let both = trace(&SHAPE, &ctrl, &op, &at(&[words, words]), 1);
        assert_eq!(both.clauses.contains(&Sm5Order), made);
    }
    let traced = trace(&SHAPE, &ctrl, &Op { slot: 1, ..op(Space::Uav, Struct) }, &at(&[[1, 13, 0]]), 0);
    assert_eq!(traced.place, Place::Uav { slot: 1, offset: 28, addr: 0x21c });
    assert_eq!((traced.ea, traced.aligned, traced.fault), (0x21d, 0x21c, Misaligned));
    let traced = trace(&SHAPE, &ctrl, &op(Space::Tgsm, Raw), &at(&[[8, 0, 0]]), 0);
    assert_eq!(traced.place, Place::Tgsm { slot: 0, offset: 8, addr: 0x48 });
}

/// Silently nothing: also a helper that nobody asks to suppress, and with nothing else in the operation.
#[test]
fn sm5_inactive_lanes_and_helpers_do_nothing() {
    let mut ctrl = Ctrl::default();
    ctrl.uav[0] = raw(0x100, 64);
    let mut lanes = at(&[[0; 3], [1000, 0, 0], [4, 0, 0], [8, 0, 0]]);
    (lanes.active, lanes.helper) = (LaneMask::from_bits(0b1010), LaneMask::from_bits(0b0110));
    for suppress_helpers in [false, true] {
        let op = Op { suppress_helpers, ..op(Space::Uav, AddrMode::Raw) };
        let plan = planned(&ctrl, &op, &lanes);
        assert_eq!((plan.active, plan.memory), (LaneMask::only(3), LaneMask::only(3)));
        assert_eq!(plan.faults, [Fault::None; MAX_LANES]);
        let clauses = |lane| trace(&SHAPE, &ctrl, &op, &lanes, lane).clauses;
        assert_eq!(clauses(0), [Clause::ComInactive, Clause::Sm5Inactive]);
        assert_eq!(clauses(1), [Clause::ComHelper, Clause::Sm5Inactive]);
        // Nor is an illegal one anything to a helper.
        let illegal = Op { element_bytes: 8, ..op };
        let plan = planned(&ctrl, &illegal, &lanes);
        assert_eq!(plan.faults[..4], [Fault::None, Fault::None, Fault::None, Fault::Illegal]);
        assert_eq!(trace(&SHAPE, &ctrl, &illegal, &lanes, 3).clauses, [Clause::ComIllegal]);
    }
}

/// COM-FAULT: a bus error is before misalignment, and after what kept a lane from memory.
#[test]
fn sm5_faults_and_bus_errors() {
    let mut ctrl = Ctrl { trap_misaligned: true, ..Ctrl::default() };
    ctrl.uav[0] = Uav { kind: Resource::Structured as u8, stride: 16, ..raw(0x100, 64) };
    let lanes = at(&[[0; 3], [0, 1, 0], [0, 16, 0], [4, 0, 0]]);
    let mut plan = planned(&ctrl, &op(Space::Uav, AddrMode::Struct), &lanes);
    let lanes = plan.requests[0].lanes;
    assert_eq!(lanes, LaneMask::lowest(2));
    bus_error(&mut plan, lanes);
    assert_eq!(plan.faults[..4], [Fault::Bus, Fault::Bus, Fault::Undefined, Fault::Allocation]);
}

/// Any bits on the wires and in the registers: an answer, the same from a plan that was used before.
#[test]
fn sm5_no_input_panics() {
    let mut random = crate::Random::new(62);
    let (mut used, mut legal) = (Plan::default(), 0);
    for _ in 0..30_000 {
        let mut any = |legal: u8| if random.below(12) == 0 { random.word() as u8 } else { legal };
        let op = Op {
            kind: any(Kind::CmpStore as u8),
            addr_mode: any(4),
            space: any(8),
            element_bytes: any(4),
            element_count: any(1),
            element_mask: any(1),
            slot: any(1),
            ..Op::default()
        };
        let op =
            Op { addr_mode: op.addr_mode + random.below(3) as u8 % 3, space: op.space + random.below(2) as u8, ..op };
        let mut ctrl = Ctrl { trap_misaligned: random.below(2) == 0, ..Ctrl::default() };
        for (uav, tgsm) in ctrl.uav.iter_mut().zip(&mut ctrl.tgsm) {
            let mut wide = || random.word() >> random.below(64);
            *uav = Uav {
                kind: wide() as u8 % 4,
                dimension: wide() as u8,
                base: wide(),
                size: wide(),
                stride: wide() as u16,
                width: wide() as u32,
                height: wide() as u16,
                depth: wide() as u16,
                row_pitch: wide() as u32,
                slice_pitch: wide() as u32,
            };
            *tgsm = Tgsm { kind: wide() as u8, base: wide() as u32, size: wide() as u32, stride: wide() as u16 };
        }
        let mut lanes = Lanes { active: random.lanes(), helper: random.lanes(), ..Lanes::default() };
        for words in &mut lanes.addr {
            *words = [(); 3].map(|()| random.word() as u32 >> random.below(32));
        }
        plan(&SHAPE, &ctrl, &op, &lanes, &[], &mut used);
        let fresh = planned(&ctrl, &op, &lanes);
        assert_eq!((&used.requests, used.faults, used.shared), (&fresh.requests, fresh.faults, fresh.shared));
        for request in &fresh.requests {
            second_half(&fresh, request, &[[1; 32]; 1], &[0; 128]);
        }
        Scratchpad::new(100).access(&SHAPE, &op, &fresh, &[[0; 32]; 2], &mut [[0; 32]; 64]);
        (0..32).for_each(|lane| drop(trace(&SHAPE, &ctrl, &op, &lanes, lane)));
        legal += u32::from(fresh.legal);
    }
    assert!((5000..25_000).contains(&legal), "{legal} of 30000 legal");
}
