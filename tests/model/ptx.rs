// SPDX-License-Identifier: MIT OR Apache-2.0

use gpu_lsu::{
    clause::Clause,
    model::{Place, Plan, Register, orders, plan, trace},
    op::{AddrMode, Attr, Ctrl, Fault, Kind, LaneMask, Lanes, Op, Private, Range, Scope, Semantics, Shape, Space},
};

use crate::{Random, lanes};

const SHAPE: Shape = Shape::with_lanes(32);

/// Every space, and an address that is in it; generic addresses of three.
pub const SPACES: [(Space, u64); 8] = [
    (Space::Generic, 0x1000),
    (Space::Generic, 0x10_0000),
    (Space::Generic, 0x20_0000),
    (Space::Global, 0x1000),
    (Space::Local, 0),
    (Space::Shared, 0),
    (Space::Cluster, 0x20),
    (Space::Param, 0),
];

/// As for the other instruction sets, with parameters and a cluster beside each other's ends.
pub fn ctrl() -> Ctrl {
    Ctrl {
        param_memory: Private { base: 0x90_0000, stride: 0x120, size: 0x100 },
        cluster: Range { base: 0xa0_0020, size: 0x260 },
        ..crate::ctrl()
    }
}

/// `st` with an address register, of a vector without sinks.
pub fn store(space: Space, bytes: u8, count: u8) -> Op {
    Op {
        space: space as u8,
        element_count: count,
        element_mask: u8::MAX >> (8 - count),
        ..crate::op(Kind::Store, bytes)
    }
}

/// Registers that tell lane, beat and byte apart.
pub fn beats() -> [Register; 8] {
    std::array::from_fn(|beat| {
        std::array::from_fn(|lane| {
            u32::from_le_bytes(std::array::from_fn(|byte| (1 + byte + 4 * beat + 37 * lane) as u8 | 1))
        })
    })
}

fn planned(ctrl: &Ctrl, op: &Op, lanes: &Lanes) -> Plan {
    let mut out = Plan::default();
    plan(&SHAPE, ctrl, op, lanes, &beats(), &mut out);
    out
}

/// The bytes that a plan's requests write, by address.
fn written(plan: &Plan) -> Vec<(u64, u8)> {
    let bytes = plan.requests.iter().flat_map(|request| {
        let enabled = (0..128).filter(|offset| request.byte_enable >> offset & 1 == 1);
        enabled.map(|offset| (request.line + offset, request.data[offset as usize]))
    });
    bytes.collect()
}

#[test]
fn ptx_worked_examples() {
    let generic = |op, at, data: [u32; 8]| {
        let (mut out, mut ctrl) = (Plan::default(), ctrl());
        ctrl.alloc[0] = Range { base: 0, size: 0x8000 };
        plan(&SHAPE, &ctrl, &op, &lanes(&[at]), &data.map(|word| [word; 32]), &mut out);
        written(&out)
    };
    // Four words one after another, element 0 lowest.
    let words = generic(store(Space::Generic, 4, 4), 0x1000, [1, 2, 3, 4, 0, 0, 0, 0]);
    assert_eq!(words, (0..16).map(|i| (0x1000 + i, if i % 4 == 0 { 1 + i as u8 / 4 } else { 0 })).collect::<Vec<_>>());
    // Eight floats with a sink in the second place: four bytes of 32 stay.
    let op = Op { element_mask: 0b1111_1101, ..store(Space::Global, 4, 8) };
    let plan = planned(&ctrl(), &op, &lanes(&[0x1100]));
    assert_eq!((plan.requests[0].line, plan.requests[0].byte_enable), (0x1100, 0xffff_ff0f));
    assert_eq!(plan.requests[0].data[8..12], beats()[1][0].to_le_bytes(), "a sink has no register");
    // A sink of 64 bits.
    let op = Op { element_mask: 0b1101, ..store(Space::Generic, 8, 4) };
    assert_eq!(planned(&ctrl(), &op, &lanes(&[0x1100])).requests[0].byte_enable, 0xffff_00ff);
    // One byte out of a wide register, at an odd address.
    assert_eq!(generic(store(Space::Generic, 1, 1), 0x11, [0xdead_beef; 8]), [(0x11, 0xef)]);
    // b128: the low half first.
    let halves = generic(store(Space::Generic, 16, 1), 0x40, [1, 2, 3, 4, 0, 0, 0, 0]);
    assert_eq!(
        halves.iter().filter(|(_, byte)| *byte != 0).collect::<Vec<_>>(),
        [&(0x40, 1), &(0x44, 2), &(0x48, 3), &(0x4c, 4)]
    );
    // st.local.s32 [100]: an offset in the thread's own memory, without a register.
    let op = Op { addr_mode: AddrMode::Abs as u8, imm: 100, warp: 1, ..store(Space::Local, 4, 1) };
    let plan = planned(&ctrl(), &op, &lanes(&[7, 7]));
    let item = |thread: u64| 0x80_0000 + thread * 0x240 + 100;
    assert_eq!(plan.addr[..2], [item(32), item(33)]);
    assert_eq!((plan.requests.len(), plan.requests[0].space, plan.local), (2, Space::Local, LaneMask::lowest(2)));
}

/// PTX-ALIGN: 256 bits go to a multiple of 32, with an error only if one was asked for.
#[test]
fn ptx_align_256_bits() {
    for trap_misaligned in [false, true] {
        let ctrl = Ctrl { trap_misaligned, ..ctrl() };
        let plan = planned(&ctrl, &store(Space::Global, 8, 4), &lanes(&[0x1030, 0x1040]));
        assert_eq!((plan.addr[0], plan.requests[0].byte_enable), (0x1020, u128::from(u64::MAX) << 32));
        let fault = if trap_misaligned { Fault::Misaligned } else { Fault::None };
        assert_eq!(plan.faults[..2], [fault, Fault::None]);
    }
}

/// PTX-SEM: everything else merges, mmio never, though all lanes are at one place; and only in global memory.
#[test]
fn ptx_sem_mmio_is_a_request_a_lane() {
    let with = |semantics| Op { attr: Attr { semantics, ..Attr::default() }, ..store(Space::Generic, 2, 1) };
    let crowd = lanes(&[0x1004, 0x1004, 0x10_0000, 0x1000, 0x20_0000, 0x3000, 1 << 40, 0x10_0300]);
    for semantics in 0..4 {
        assert_eq!(planned(&ctrl(), &with(semantics), &crowd).requests.len(), 2);
    }
    let plan = planned(&ctrl(), &with(Semantics::Mmio as u8), &crowd);
    let release = planned(&ctrl(), &with(Semantics::MmioRelease as u8), &crowd);
    assert_eq!((&release.requests, release.faults), (&plan.requests, plan.faults));
    let requests: Vec<_> = plan.requests.iter().map(|r| (r.line, r.lanes.bits(), r.byte_enable, r.group)).collect();
    assert_eq!(requests, [(0x1000, 0b0001, 0x30, 0), (0x1000, 0b0010, 0x30, 0), (0x1000, 0b1000, 0x3, 0)]);
    assert_eq!(plan.requests[1].data[4..6], beats()[0][1].to_le_bytes()[..2]);
    use Fault::{Allocation, Illegal, None, Window};
    assert_eq!(plan.faults[..8], [None, None, Illegal, None, Illegal, Allocation, Window, Illegal]);
    assert_eq!([plan.memory, plan.local, plan.shared].map(LaneMask::bits), [0b1011, 0, 0]);
}

/// What must wait: a release that others can see, whether in memory or in the scratchpad.
#[test]
fn ptx_sem_who_waits() {
    let order = |space, at: &[u64], semantics: Semantics, scope| {
        let attr = Attr { semantics: semantics as u8, scope, ..Attr::default() };
        let op = Op { attr, ..store(space, 4, 1) };
        orders(&op, &planned(&ctrl(), &op, &lanes(at)))
    };
    let releases = |space, at: &[u64]| order(space, at, Semantics::Release, Scope::Cluster as u8).release;
    assert_eq!(releases(Space::Generic, &[0x10_0000]), None);
    assert_eq!(releases(Space::Generic, &[0x10_0000, 0x1000]), Some(Scope::Cluster));
    assert_eq!(releases(Space::Generic, &[0x20_0000]), Some(Scope::Cluster));
    assert_eq!(releases(Space::Shared, &[0]), Some(Scope::Cluster));
    assert_eq!(releases(Space::Cluster, &[0]), Some(Scope::Cluster));
    assert_eq!(releases(Space::Global, &[0x1000]), Some(Scope::Cluster));
    assert_eq!(releases(Space::Global, &[0x3000, 1 << 50]), None, "no lane does anything");
    assert_eq!((releases(Space::Local, &[0]), releases(Space::Param, &[0])), (None, None));
    for semantics in [Semantics::Weak, Semantics::Volatile, Semantics::Relaxed, Semantics::Mmio] {
        let order = order(Space::Global, &[0x1000], semantics, Scope::Sys as u8);
        assert_eq!((order.release, order.mmio), (None, semantics == Semantics::Mmio));
    }
    assert_eq!(order(Space::Global, &[0x1000], Semantics::Release, 7).release, Some(Scope::Sys), "two bits of scope");
    let both = order(Space::Global, &[0x1000], Semantics::MmioRelease, Scope::Sys as u8);
    assert_eq!((both.release, both.mmio), (Some(Scope::Sys), true));
    let nowhere = order(Space::Generic, &[0x20_0000], Semantics::MmioRelease, Scope::Sys as u8);
    assert_eq!((nowhere.release, nowhere.mmio), (None, true), "no lane does anything");
    // The fields of other instruction sets do not act.
    let attr = Attr { semantics: Semantics::Release as u8, ..Attr::default() };
    let op = Op { attr, ..crate::op(Kind::Store, 4) };
    assert_eq!(orders(&op, &planned(&ctrl(), &op, &lanes(&[0x1000]))), Default::default());
}

/// PTX-GLOBAL-ONLY: 256 bits at a generic address are illegal in the windows, whatever is allocated there; narrower ones,
/// and those whose space is written out, are not. A hint changes nothing.
#[test]
fn ptx_global_only_256_bits() {
    use Fault::{Allocation, Illegal, None, Window};
    let crowd = lanes(&[0x1000, 0x10_0000, 0x20_0000, 0x3000, 1 << 40, 0x10_0300]);
    for (bytes, count) in [(4, 8), (8, 4), (16, 2)] {
        let plan = planned(&ctrl(), &store(Space::Generic, bytes, count), &crowd);
        assert_eq!(plan.faults[..6], [None, Illegal, Illegal, Allocation, Window, Illegal]);
        assert_eq!([plan.memory, plan.local, plan.shared].map(LaneMask::bits), [1, 0, 0]);
        let traced = trace(&SHAPE, &ctrl(), &store(Space::Generic, bytes, count), &crowd, 1);
        assert!(traced.clauses.contains(&Clause::PtxGlobalOnly), "{:?}", traced.clauses);
    }
    let attr = Attr { policy_valid: true, policy: 5, ..Attr::default() };
    for op in [store(Space::Generic, 8, 2), Op { attr, ..store(Space::Generic, 4, 1) }] {
        assert_eq!(planned(&ctrl(), &op, &crowd).faults[..3], [None; 3]);
        let traced = trace(&SHAPE, &ctrl(), &op, &crowd, 1);
        assert!(!traced.clauses.contains(&Clause::PtxGlobalOnly));
    }
    for space in [Space::Local, Space::Shared] {
        assert_eq!(planned(&ctrl(), &store(space, 8, 4), &lanes(&[0])).faults[0], None);
    }
}

#[test]
fn traces_name_what_mattered() {
    use Clause::*;
    let traced = |op: &Op, at| trace(&SHAPE, &ctrl(), &Op { warp: 2, ..*op }, &lanes(&[0, at]), 1);
    let clauses = |op: Op, at| traced(&op, at).clauses;
    let word = |space| store(space, 4, 1);
    assert_eq!(clauses(word(Space::Generic), 0x1000), [PtxEa, PtxSpace]);
    assert_eq!(clauses(word(Space::Generic), 0x10_0000), [PtxEa, PtxSpace, ComPrivate]);
    assert_eq!(clauses(word(Space::Generic), 1 << 40), [PtxEa]);
    assert_eq!(clauses(word(Space::Global), 0x3001), [PtxEa, PtxOffset, PtxAlign, ComGlobal]);
    assert_eq!(clauses(word(Space::Param), 0), [PtxEa, PtxOffset, PtxParam, ComPrivate]);
    assert_eq!(clauses(store(Space::Shared, 1, 1), 0), [PtxEa, PtxOffset, PtxVec]);
    let sink = Op { element_mask: 0b1101, ..store(Space::Global, 8, 4) };
    assert_eq!(clauses(sink, 0x1008), [PtxEa, PtxOffset, PtxAlign, PtxVec, PtxSink]);
    let with = |semantics: Semantics, space| {
        let attr = Attr { semantics: semantics as u8, ..Attr::default() };
        Op { attr, ..word(space) }
    };
    assert_eq!(clauses(with(Semantics::Volatile, Space::Cluster), 0), [PtxEa, PtxOffset, PtxSem]);
    let mmio = traced(&with(Semantics::Mmio, Space::Generic), 0x20_0000);
    assert_eq!((&mmio.clauses[..], mmio.fault), (&[PtxEa, PtxSpace, PtxSem][..], Fault::Illegal));

    let place = |space, at| traced(&word(space), at).place;
    let (thread, addr) = (65, 0x80_0000 + 65 * 0x240 + 0x20);
    assert_eq!(place(Space::Generic, 0x10_0020), Place::Local { thread, offset: 0x20, addr });
    assert_eq!(place(Space::Local, 0x20), Place::Local { thread, offset: 0x20, addr });
    assert_eq!(place(Space::Param, 8), Place::Param { thread, offset: 8, addr: 0x90_0000 + 65 * 0x120 + 8 });
    assert_eq!(place(Space::Cluster, 8), Place::Cluster { offset: 8, addr: 0xa0_0028 });
    assert_eq!((place(Space::Shared, 4), place(Space::Generic, 0x20_0004)), (Place::Shared(4), Place::Shared(4)));
    assert_eq!(place(Space::Global, 0x20_0000), Place::Global(0x20_0000), "no window is asked");
    assert_eq!(place(Space::Local, 1 << 40), Place::Nowhere);
}

/// Any bits on the wires: an answer, the same from a plan that was used before.
#[test]
fn no_store_panics_and_no_plan_remembers() {
    let (mut random, mut used, mut legal) = (Random::new(51), Plan::default(), 0);
    for _ in 0..30_000 {
        let mut any = |legal: u64| if random.below(12) == 0 { random.word() as u8 } else { random.below(legal) as u8 };
        let mut op = Op {
            kind: 1,
            addr_mode: any(2).wrapping_mul(2),
            space: any(7),
            warp: any(8),
            element_bytes: 1 << (any(5) % 8),
            element_count: 1 << (any(4) % 8),
            attr: Attr { semantics: any(4), scope: any(4), ..Attr::default() },
            ..Op::default()
        };
        op.element_mask = random.word() as u8 & (1u16 << op.element_count.min(8)).wrapping_sub(1) as u8;
        op.imm = random.word() >> random.below(64);
        let mut lanes = lanes(&[(); 32].map(|()| random.word() >> random.below(64)));
        lanes.active = random.lanes();
        let mut any_range = || Range { base: random.word(), size: random.word() };
        let mut ctrl = Ctrl { local_window: any_range(), cluster: any_range(), ..ctrl() };
        ctrl.alloc[1] = any_range();
        ctrl.param_memory = Private { base: random.word(), stride: random.word() as u32, size: random.word() as u32 };
        ctrl.shared_size = random.word() as u32;
        let beats = &beats()[..random.below(9) as usize];
        plan(&SHAPE, &ctrl, &op, &lanes, beats, &mut used);
        let mut fresh = Plan::default();
        plan(&SHAPE, &ctrl, &op, &lanes, beats, &mut fresh);
        assert_eq!((&used.requests, used.faults), (&fresh.requests, fresh.faults));
        assert_eq!((used.memory, used.shared, used.local), (fresh.memory, fresh.shared, fresh.local));
        let mut pad = gpu_lsu::model::Scratchpad::new(0x100);
        pad.access(&SHAPE, &op, &fresh, beats, &mut []);
        for lane in 0..32 {
            assert_eq!(trace(&SHAPE, &ctrl, &op, &lanes, lane).fault, fresh.faults[lane]);
        }
        legal += u32::from(fresh.legal);
    }
    assert!((8_000..25_000).contains(&legal), "{legal} of 30000 legal");
}
