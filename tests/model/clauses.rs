// SPDX-License-Identifier: MIT OR Apache-2.0

use gpu_lsu::{
    clause::Clause,
    model::{Place, Plan, Register, bus_error, load, plan, trace},
    op::{AddrMode, Ctrl, Fault, Kind, LaneMask, Lanes, Op, Range, Shape, Space},
};

use crate::{Random, ctrl, data, lanes, op, planned};

const SHAPE: Shape = Shape::with_lanes(32);

/// All of the 40-bit space, in the ranges that it takes.
fn everything() -> Ctrl {
    let mut ctrl = Ctrl::default();
    ctrl.alloc[0] = Range { base: 0, size: 1 << 39 };
    ctrl.alloc[1] = Range { base: 1 << 39, size: 1 << 39 };
    ctrl
}

/// The page's own examples: mode, address words, immediate, size, and the byte at which the access is made.
#[test]
fn spa5_worked_examples() {
    for (mode, low, high, imm, bytes, at) in [
        (AddrMode::Reg32, 0x1000, 0, 0x14i64, 4, 0x1014),
        (AddrMode::Reg64, 0, 1, 0x1234, 4, 0x1_0000_1234),
        (AddrMode::Reg32, 0x1003, 0, 0x18, 8, 0x1018),
        (AddrMode::Abs, 0, 0, 0xffff_fff0, 4, 0xffff_fff0),
        (AddrMode::Reg32, 8, 0, -0x10, 4, 0xffff_fff8),
    ] {
        let op = Op { addr_mode: mode as u8, imm: imm as u64, ..op(Kind::Store, bytes) };
        let mut lanes = Lanes { active: LaneMask::only(0), predicate: LaneMask::only(0), ..Lanes::default() };
        lanes.addr[0] = [low, high, 0];
        let plan = planned(&SHAPE, &everything(), &op, &lanes);
        let request = &plan.requests[0];
        let offset = (at - request.line) as usize;
        assert_eq!(request.line, at / 128 * 128);
        assert_eq!(request.byte_enable, ((1u128 << bytes) - 1) << offset);
        assert_eq!(request.data[offset..offset + 4], data()[0][0].to_le_bytes());
        if bytes == 8 {
            assert_eq!(request.data[offset + 4..offset + 8], data()[1][0].to_le_bytes());
        }
    }
}

#[test]
fn com_inactive_and_com_helper_do_nothing() {
    let mut lanes = lanes(&[0x1000, 0x1004, 0x1008, u64::MAX]);
    (lanes.active, lanes.helper) = (LaneMask::from_bits(0b1110), LaneMask::from_bits(0b1010));
    for suppress_helpers in [false, true] {
        let op = Op { suppress_helpers, ..op(Kind::Store, 4) };
        let plan = planned(&SHAPE, &ctrl(), &op, &lanes);
        let active = LaneMask::from_bits(if suppress_helpers { 0b0100 } else { 0b1110 });
        assert_eq!((plan.active, plan.memory), (active, active - LaneMask::only(3)));
        assert_eq!(plan.requests[0].lanes, plan.memory);
        assert_eq!(plan.faults[3], if suppress_helpers { Fault::None } else { Fault::Window });
        let clauses = |lane| trace(&SHAPE, &ctrl(), &op, &lanes, lane).clauses;
        assert_eq!(clauses(0), [Clause::ComInactive]);
        assert_eq!(clauses(1) == [Clause::ComHelper], suppress_helpers);
        assert_eq!(clauses(32), [Clause::ComInactive]);
    }
}

#[test]
fn lanes_that_the_unit_does_not_have_are_inactive() {
    let shape = Shape::with_lanes(4);
    let plan = planned(&shape, &ctrl(), &op(Kind::Load, 4), &lanes(&[0x1000; 32]));
    assert_eq!((plan.active, plan.requests[0].lanes), (LaneMask::lowest(4), LaneMask::lowest(4)));
    assert_eq!(trace(&shape, &ctrl(), &op(Kind::Load, 4), &lanes(&[0x1000; 32]), 4).clauses, [Clause::ComInactive]);
}

#[test]
fn com_illegal_faults_the_active_lanes_and_asks_nothing() {
    let mut lanes = lanes(&[0x1000, 0x1004, 1 << 40]);
    lanes.helper = LaneMask::only(1);
    let op = Op { element_bytes: 3, suppress_helpers: true, ..op(Kind::Load, 4) };
    let plan = planned(&SHAPE, &ctrl(), &op, &lanes);
    assert_eq!(plan.faults[..4], [Fault::Illegal, Fault::None, Fault::Illegal, Fault::None]);
    assert_eq!((plan.legal, plan.active.bits()), (false, 0b101));
    assert_eq!([plan.memory, plan.shared, plan.zeros], [LaneMask::NONE; 3]);
    assert_eq!(plan.requests, []);
}

/// COM-FAULT: window, allocation, bus, misaligned, in this order; the access is made though misaligned.
#[test]
fn com_fault_order() {
    let ctrl = Ctrl { trap_misaligned: true, ..ctrl() };
    let lanes = lanes(&[(1 << 40) + 1, 0x3001, 0x1001, 0x1004, 0x1009]);
    let mut plan = planned(&SHAPE, &ctrl, &op(Kind::Load, 4), &lanes);
    use Fault::*;
    assert_eq!(plan.faults[..6], [Window, Allocation, Misaligned, None, Misaligned, None]);
    assert_eq!((plan.memory.bits(), plan.zeros.bits()), (0b11100, 0b00011));
    bus_error(&mut plan, LaneMask::lowest(4));
    assert_eq!(plan.faults[..6], [Window, Allocation, Bus, Bus, Misaligned, None]);
}

/// SPA5-OOB: a store has no registers to clear.
#[test]
fn spa5_oob_stores_write_nothing() {
    let plan = planned(&SHAPE, &ctrl(), &op(Kind::Store, 4), &lanes(&[0x3000]));
    assert_eq!((plan.memory, plan.zeros, plan.requests.len()), (LaneMask::NONE, LaneMask::NONE, 0));
}

/// What a store put into a line comes back by a load, extended; lanes and registers beside it keep what they had.
#[test]
fn loads_read_what_stores_wrote() {
    for bytes in [1u8, 2, 4, 8, 16] {
        let addresses = [0x1000, 0x1012, 0x10f0, 0x1077].map(|addr| addr / u64::from(bytes) * u64::from(bytes));
        let stores = planned(&SHAPE, &ctrl(), &op(Kind::Store, bytes), &lanes(&addresses));
        for sign_extend in [false, true] {
            let op = Op { sign_extend, ..op(Kind::Load, bytes) };
            let loads = planned(&SHAPE, &ctrl(), &op, &lanes(&addresses));
            let mut out: [Register; 4] = [[0x5555_5555; 32]; 4];
            for (index, store) in stores.requests.iter().enumerate() {
                load(&op, &loads, index, &store.data, &mut out);
            }
            load(&op, &loads, 99, &[0; 128], &mut out);
            load(&op, &stores, 0, &[0; 128], &mut out);
            for lane in 0..32 {
                for (register, got) in out.iter().enumerate() {
                    let stored = data()[register][lane];
                    let want = match (bytes, sign_extend) {
                        _ if lane >= 4 || register >= usize::from(bytes).div_ceil(4) => 0x5555_5555,
                        (1, false) => stored & 0xff,
                        (2, false) => stored & 0xffff,
                        (1, true) => stored as i8 as u32,
                        (2, true) => stored as i16 as u32,
                        _ => stored,
                    };
                    assert_eq!(got[lane], want, "lane {lane}, register {register} of {bytes} bytes");
                }
            }
        }
    }
}

/// Any bits on the wires: an answer, the same from a plan that was used before, and the same lane by lane.
#[test]
fn no_input_panics_and_no_plan_remembers() {
    let mut random = Random::new(21);
    let (mut used, mut legal) = (Plan::default(), 0);
    for round in (0..120).cycle().take(50_000) {
        // Legal in about half of the rounds, and anything at all in the rest.
        let mut any = |legal: u8| if random.below(12) == 0 { random.word() as u8 } else { legal };
        let mut op = Op {
            kind: any(round % 2),
            addr_mode: any(round % 3),
            space: any(Space::Predicated as u8),
            warp: any(round % 8),
            element_bytes: any(1 << (round % 5)),
            element_count: any(1),
            element_mask: any(1),
            ..Op::default()
        };
        (op.imm, op.suppress_helpers) = (random.word() >> random.below(64), random.below(2) == 0);
        let mut lanes = lanes(&[(); 32].map(|()| random.word() >> random.below(64)));
        (lanes.active, lanes.helper, lanes.predicate) = (random.lanes(), random.lanes(), random.lanes());
        let mut ctrl = Ctrl { trap_misaligned: random.below(2) == 0, ..everything() };
        ctrl.local_window = Range { base: random.word(), size: random.word() };
        ctrl.shared_window = Range { base: random.word() % (1 << 38), size: random.word() % (1 << 38) };
        ctrl.shared_size = random.word() as u32;
        ctrl.local_memory.size = random.word() as u32;
        ctrl.local_memory.stride = random.word() as u32;

        plan(&SHAPE, &ctrl, &op, &lanes, &data(), &mut used);
        let fresh = planned(&SHAPE, &ctrl, &op, &lanes);
        legal += u32::from(fresh.legal);
        assert_eq!(used.requests, fresh.requests);
        assert_eq!((used.faults, used.zeros, used.shared), (fresh.faults, fresh.zeros, fresh.shared));
        for lane in 0..32 {
            let trace = trace(&SHAPE, &ctrl, &op, &lanes, lane);
            assert_eq!(trace.fault, fresh.faults[lane]);
            let at = match trace.place {
                Place::Global(at) | Place::Shared(at) => at,
                Place::Local { addr, .. } | Place::Param { addr, .. } | Place::Cluster { addr, .. } => addr,
                Place::Uav { addr, .. } | Place::Tgsm { addr, .. } => addr,
                Place::Nowhere | Place::Buffer { .. } => continue,
            };
            if (fresh.memory | fresh.shared).contains(lane) {
                assert_eq!(fresh.addr[lane], at);
            }
        }
    }
    assert!((20_000..40_000).contains(&legal), "{legal} of 50000 legal");
}
