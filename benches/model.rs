// SPDX-License-Identifier: MIT OR Apache-2.0
//! The speed of the golden model: `plan`, and `load` of every request, at 32 lanes, in operations per second.

use divan::{Bencher, black_box, counter::ItemsCount};
use gpu_lsu::{
    model::{Memory, Plan, Register, load, plan},
    op::{
        AddrMode, Attr, Buffer, Ctrl, Kind, LaneMask, Lanes, MAX_LINE_BYTES, MAX_REGISTERS, Op, Private, Range,
        Resource, Scope, Semantics, Shape, Space, Uav,
    },
};
use rand::{Rng, SeedableRng};
use rand_xoshiro::SplitMix64;

fn main() {
    divan::main();
}

const OPS: usize = 1024;

struct Random(SplitMix64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0.next_u64() % limit
    }
}

fn ctrl() -> Ctrl {
    let mut ctrl = Ctrl {
        local_window: Range { base: 0x100_0000, size: 0x1_0000 },
        shared_window: Range { base: 0x200_0000, size: 0x8000 },
        local_memory: Private { base: 0x4000_0000, stride: 0x1_0000, size: 0x1_0000 },
        shared_size: 0x8000,
        ..Ctrl::default()
    };
    ctrl.buffer[0] = Buffer { base: 0x5000_0000, stride: 0x400, size: 0x400 };
    ctrl.buffer[6] = Buffer { base: 0x6000_0000, stride: 0, size: 0x4000 };
    ctrl.uav[0] = Uav { kind: Resource::Raw as u8, base: 0x7000_0000, size: 0x1_0000, ..Uav::default() };
    ctrl.uav[1] =
        Uav { kind: Resource::Structured as u8, base: 0x7100_0000, size: 0xc000, stride: 48, ..Uav::default() };
    for (range, index) in ctrl.alloc.iter_mut().zip(0..4) {
        *range = Range { base: 0x1_0000 * (index + 1), size: 0x8000 };
    }
    ctrl
}

fn op(kind: Kind, bytes: u8) -> Op {
    Op {
        kind: kind as u8,
        addr_mode: AddrMode::Reg32 as u8,
        element_bytes: bytes,
        element_count: 1,
        element_mask: 1,
        ..Op::default()
    }
}

fn lanes(mut address: impl FnMut(u64) -> u64) -> Lanes {
    let mut lanes = Lanes { active: LaneMask::ALL, predicate: LaneMask::ALL, ..Lanes::default() };
    for lane in 0..32 {
        lanes.addr[lane][0] = address(lane as u64) as u32;
    }
    lanes
}

fn run(bencher: Bencher, mut make: impl FnMut(&mut Random) -> (Op, Lanes)) {
    let (shape, ctrl, memory, mut random) =
        (Shape::with_lanes(32), ctrl(), Memory::new(1), Random(SplitMix64::seed_from_u64(1)));
    let ops: Vec<_> = (0..OPS).map(|_| make(&mut random)).collect();
    let line: [u8; MAX_LINE_BYTES] = memory.read_line(0);
    let data: [Register; MAX_REGISTERS] = [[0x1234_5678; 32]; MAX_REGISTERS];
    let (mut todo, mut registers) = (Plan::default(), data);
    bencher.counter(ItemsCount::new(OPS)).bench_local(|| {
        for (op, lanes) in &ops {
            plan(&shape, &ctrl, black_box(op), lanes, &data, &mut todo);
            if op.kind == Kind::Load as u8 {
                for index in 0..todo.requests.len() {
                    load(op, &todo, index, &line, &mut registers);
                }
            }
            black_box((&todo, &registers));
        }
    });
}

/// Lane l loads from 4l: one line.
#[divan::bench]
fn coalesced_load_4(bencher: Bencher) {
    run(bencher, |random| {
        let line = 0x1_0000 + 128 * random.below(64);
        (op(Kind::Load, 4), lanes(|lane| line + 4 * lane))
    });
}

#[divan::bench]
fn coalesced_store_4(bencher: Bencher) {
    run(bencher, |random| {
        let line = 0x1_0000 + 128 * random.below(64);
        (op(Kind::Store, 4), lanes(|lane| line + 4 * lane))
    });
}

/// Lane l loads from line l: 32 requests.
#[divan::bench]
fn distinct_load_4(bencher: Bencher) {
    run(bencher, |_| (op(Kind::Load, 4), lanes(|lane| 0x1_0000 + 128 * lane)));
}

/// Every size, loads and stores, four ranges and local memory, a tenth of the lanes inactive, few lines.
#[divan::bench]
fn mixed(bencher: Bencher) {
    run(bencher, |random| {
        let kind = if random.below(2) == 0 { Kind::Load } else { Kind::Store };
        let bytes = 1 << random.below(5);
        let base = match random.below(8) {
            0 => 0x100_0000 + 128 * random.below(8),
            _ => 0x1_0000 * (1 + random.below(4)) + 128 * random.below(128),
        };
        let mut lanes = lanes(|_| base + random.below(512));
        lanes.active = (0..32).filter(|_| random.below(10) != 0).collect();
        let op = op(kind, bytes);
        (Op { sign_extend: random.below(2) == 0, ..op }, lanes)
    });
}

/// MEM_SCRATCH or MEM_RING of 4 GPRs: 16 registers.
fn burst(kind: Kind, slot: u8, elem_size: u8) -> Op {
    Op {
        addr_mode: AddrMode::Array as u8,
        space: Space::Buffer as u8,
        element_count: 4,
        element_mask: 0xf,
        slot,
        array_size: 4096,
        elem_size,
        use_index: true,
        present_gprs: 0xf,
        component_select: 0o3210,
        ..op(kind, 4)
    }
}

/// Every lane has its own item, and every GPR of every lane a line of its own: 128 requests.
#[divan::bench]
fn scratch_store_burst_4(bencher: Bencher) {
    run(bencher, |random| (burst(Kind::Store, 0, 3), lanes(|_| random.below(32))));
}

/// Lane l's four elements lie beside those of lane l + 1: a GPR is 16 lines.
#[divan::bench]
fn ring_load_burst_4(bencher: Bencher) {
    run(bencher, |_| (burst(Kind::Load, 6, 3), lanes(|lane| 4 * lane)));
}

/// Addresses around the ends of the array and of the buffer.
#[divan::bench]
fn ring_load_burst_4_clamped(bencher: Bencher) {
    run(bencher, |random| {
        let op = Op { array_size: 800, ..burst(Kind::Load, 6, [0, 3][random.below(2) as usize]) };
        (op, lanes(|_| random.below(1000)))
    });
}

fn ptx(space: Space, bytes: u8, count: u8) -> Op {
    Op {
        addr_mode: AddrMode::Reg64 as u8,
        space: space as u8,
        element_count: count,
        element_mask: u8::MAX >> (8 - count),
        ..op(Kind::Store, bytes)
    }
}

/// st.v8.f32 with a sink, generic, at unit stride: eight lines.
#[divan::bench]
fn ptx_store_256_bits(bencher: Bencher) {
    run(bencher, |random| {
        let line = 0x1_0000 + 128 * random.below(64);
        (Op { element_mask: 0b1111_1101, ..ptx(Space::Generic, 4, 8) }, lanes(|lane| line + 32 * lane))
    });
}

/// st.v4.b8, one line.
#[divan::bench]
fn ptx_store_narrow_vector(bencher: Bencher) {
    run(bencher, |random| {
        let line = 0x1_0000 + 128 * random.below(64);
        (ptx(Space::Global, 1, 4), lanes(|lane| line + 4 * lane))
    });
}

/// Generic, at the ends of the windows and between them, of any size.
#[divan::bench]
fn ptx_mixed(bencher: Bencher) {
    run(bencher, |random| {
        let base = [0x1_0000, 0x2_7f00, 0x100_0000, 0x100_ff00, 0x200_0000][random.below(5) as usize];
        (ptx(Space::Generic, 1 << random.below(3), 1 << random.below(4)), lanes(|_| base + random.below(512)))
    });
}

/// st.mmio: one request for each lane.
#[divan::bench]
fn ptx_mmio(bencher: Bencher) {
    let attr = Attr { semantics: Semantics::Mmio as u8, scope: Scope::Sys as u8, ..Attr::default() };
    run(bencher, |_| (Op { attr, ..ptx(Space::Global, 4, 1) }, lanes(|lane| 0x1_0000 + 4 * (lane / 2))));
}

fn compare_and_store(addr_mode: AddrMode, slot: u8) -> Op {
    Op { addr_mode: addr_mode as u8, space: Space::Uav as u8, slot, suppress_helpers: true, ..op(Kind::CmpStore, 4) }
}

/// atomic_cmp_store on a raw u#, all lanes in one line: the reading half.
#[divan::bench]
fn sm5_raw(bencher: Bencher) {
    run(bencher, |random| {
        let line = 128 * random.below(64);
        (compare_and_store(AddrMode::Raw, 0), lanes(|lane| line + 4 * lane))
    });
}

/// A structure for each lane, some of them past the end.
#[divan::bench]
fn sm5_structured(bencher: Bencher) {
    run(bencher, |random| (compare_and_store(AddrMode::Struct, 1), lanes(|_| random.below(1100))));
}
