// SPDX-License-Identifier: MIT OR Apache-2.0
//! Loads and stores of all sizes to global, local and shared memory, vectors and ordered stores of PTX, bursts to and
//! from R700 buffers, and compare-and-stores; a few have faults.

use gpu_lsu::{
    model::legal,
    op::{AddrMode, Attr, Buffer, Ctrl, Kind, LaneMask, Lanes, Op, Private, Range, Space, Tgsm, Uav},
};
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::SHAPE;

pub const LANES: usize = SHAPE.lanes;
const SHARED_BYTES: u32 = SHAPE.shared_bytes as u32;

const GLOBAL: Range = Range { base: 0x1_0000, size: 0x400 };
const TOP: Range = Range { base: 0xff_ffff_ff00, size: 0x100 };
const LOCAL: Range = Range { base: 0x20_0000_0000, size: 0x60 };
const SHARED: Range = Range { base: 0x30_0000_0000, size: SHARED_BYTES as u64 };

/// The operation and its store data, a register a beat.
pub struct Issue {
    pub op: Op,
    pub lanes: Lanes,
    pub beats: Vec<[u32; LANES]>,
}

/// The windows reach further than what is allocated in them.
pub fn ctrl() -> Ctrl {
    let mut alloc = [Range::default(); 8];
    alloc[2] = GLOBAL;
    alloc[7] = TOP;
    Ctrl {
        trap_misaligned: true,
        local_window: Range { size: 0x1000, ..LOCAL },
        shared_window: Range { size: 0x1000, ..SHARED },
        local_memory: Private { base: 0x8000, stride: 0x60, size: LOCAL.size as u32 },
        shared_size: SHARED_BYTES,
        alloc,
        r700_driver_form: true,
        // Scratch overlaps local memory; no buffer starts at a line.
        buffer: std::array::from_fn(|slot| Buffer {
            base: 0x8004 + 0x3fc * slot as u64,
            stride: [0x50, 0, 0, 0x14, 0, 0, 0x40, 0][slot],
            size: if slot == 0 { 0x54 } else { 0x1fc },
        }),
        stage_scratch: std::array::from_fn(|stage| Buffer {
            base: 0xc004 + 0x104 * stage as u64,
            stride: 0x50 + 8 * stage as u32,
            size: 0x54,
        }),
        param_memory: Private { base: 0x4000, stride: 0x20, size: 0x40 },
        cluster: Range { base: 0x2000, size: 0x80 },
        uav: std::array::from_fn(resource),
        tgsm: std::array::from_fn(|slot| Tgsm {
            kind: slot as u8 % 3,
            base: 0x14 * slot as u32,
            size: 0x24,
            stride: 4 + 8 * (slot as u16 % 2),
        }),
    }
}

/// A u# of each kind and dimension, some in global memory.
fn resource(slot: usize) -> Uav {
    let number = slot as u64;
    Uav {
        kind: [0, 1, 2, 3, 3, 3, 3, 2][slot],
        dimension: slot as u8 % 6,
        base: if slot.is_multiple_of(2) { GLOBAL.base + 0x24 * number } else { 0x30_0004 + 0x100 * number },
        size: 0x58 + 4 * number,
        stride: 12,
        width: 3,
        height: 2,
        depth: 3,
        row_pitch: 0x10,
        slice_pitch: 0x28,
    }
}

/// The operation with this number, counted from 0.
pub fn operation(number: u32, random: &mut Xoshiro256PlusPlus) -> Issue {
    // The first operations store every byte of the scratchpad: it starts unknown.
    let each = 16 * LANES as u32;
    if number < SHARED_BYTES / each {
        let at = |lane: usize| SHARED.base + u64::from(number * each) + 16 * lane as u64;
        return issue(number, Kind::Store, AddrMode::Reg64, 16, SHARED, &at, random);
    }
    if random.random_ratio(1, 3) {
        return burst(number, random);
    }
    if random.random_ratio(1, 3) {
        return vector(number, random);
    }
    if random.random_ratio(1, 3) {
        return compare(number, random);
    }
    let size = 1 << random.random_range(0..5);
    let kind = if random.random() { Kind::Store } else { Kind::Load };
    let space = [GLOBAL, TOP, LOCAL, SHARED][random.random_range(0..4)];
    let mode = match random.random_range(0..12) {
        0 => AddrMode::Abs,
        1 if space == GLOBAL => AddrMode::Reg32,
        2 => AddrMode::Typed, // illegal here
        _ => AddrMode::Reg64,
    };
    let near = random.random_range(0..space.size / size);
    let offsets: [u64; LANES] = std::array::from_fn(|lane| match random.random_range(0..16) {
        0 => space.size + random.random_range(0..64),
        1 => random.random_range(0..space.size),
        2..8 => random.random_range(0..space.size / size) * size,
        _ => (near + lane as u64) * size % space.size,
    });
    let mut issue = issue(number, kind, mode, size as u8, space, &|lane| space.base + offsets[lane], random);
    issue.lanes.active = mask(random) | mask(random);
    issue.lanes.helper = mask(random) & mask(random);
    if random.random_ratio(1, 8) {
        issue.lanes.predicate = mask(random);
    }
    issue
}

fn issue(
    number: u32,
    kind: Kind,
    mode: AddrMode,
    size: u8,
    space: Range,
    address: &dyn Fn(usize) -> u64,
    random: &mut Xoshiro256PlusPlus,
) -> Issue {
    let op = Op {
        kind: kind as u8,
        addr_mode: mode as u8,
        warp: random.random_range(0..SHAPE.warps as u8),
        tag: number as u8,
        imm: if mode == AddrMode::Abs { address(0) } else { random.random_range(0..256u64).wrapping_sub(128) },
        element_bytes: size,
        element_count: 1,
        element_mask: 1,
        sign_extend: random.random(),
        suppress_helpers: random.random(),
        attr: Attr {
            cache_op: random.random_range(0..7),
            l1_priority: random.random_range(0..8),
            l2_priority: random.random_range(0..8),
            policy_valid: random.random(),
            policy: random.random(),
            ..Attr::default()
        },
        ..Op::default()
    };
    let predicate = if space == SHARED { LaneMask::NONE } else { LaneMask::ALL };
    let mut lanes = Lanes { active: LaneMask::ALL, predicate, ..Lanes::default() };
    for (lane, words) in lanes.addr[..LANES].iter_mut().enumerate() {
        let register = address(lane).wrapping_sub(op.imm);
        *words = [register as u32, (register >> 32) as u32, random.random()];
    }
    let beats = if legal(&op) { op.data_beats() } else { 0 };
    Issue { op, lanes, beats: (0..beats).map(|_| random.random()).collect() }
}

/// A burst of any mask, swizzle and buffer; now and then with a reserved DST_SEL, which is illegal in a read.
fn burst(number: u32, random: &mut Xoshiro256PlusPlus) -> Issue {
    let gprs = random.random_range(0..5);
    let op = Op {
        kind: if random.random() { Kind::Store } else { Kind::Load } as u8,
        addr_mode: AddrMode::Array as u8,
        space: Space::Buffer as u8,
        warp: random.random_range(0..SHAPE.warps as u8),
        tag: number as u8,
        element_bytes: 4,
        element_count: 4,
        element_mask: random.random_range(0..16),
        suppress_helpers: random.random(),
        await_last: random.random(),
        slot: random.random_range(0..8),
        stage: random.random_range(0..4),
        array_base: random.random_range(0..16),
        array_size: random.random_range(1..32),
        elem_size: random.random_range(0..4),
        use_index: random.random(),
        present_gprs: (random.random::<u16>() | random.random::<u16>()) & ((1 << gprs) - 1),
        component_select: (0..4).map(|at| SELECTS[random.random_range(0..SELECTS.len())] << (3 * at)).sum(),
        one_is_float: random.random(),
        ..Op::default()
    };
    let mut lanes = Lanes { active: mask(random), helper: mask(random), ..Lanes::default() };
    for words in &mut lanes.addr[..LANES] {
        let index = if random.random_ratio(1, 8) { random.random() } else { random.random_range(0..32) };
        *words = [index, random.random(), random.random()];
    }
    let beats = if legal(&op) { op.data_beats() } else { 0 };
    Issue { op, lanes, beats: (0..beats).map(|_| random.random()).collect() }
}

/// A PTX store of up to 32 bytes, with sinks, of any order and space; now and then one that is illegal.
fn vector(number: u32, random: &mut Xoshiro256PlusPlus) -> Issue {
    let size = 1u8 << random.random_range(0..5);
    let count = 1u8 << random.random_range(0..4);
    let space = [
        (Space::Generic, [GLOBAL, TOP, LOCAL, SHARED][random.random_range(0..4)].base),
        (Space::Global, GLOBAL.base),
        (Space::Local, 0),
        (Space::Shared, 0),
        (Space::Cluster, 0),
        (Space::Param, 0),
    ];
    let (space, base) = space[random.random_range(0..space.len())];
    let mut op = Op {
        kind: Kind::Store as u8,
        addr_mode: AddrMode::Reg64 as u8,
        space: space as u8,
        warp: random.random_range(0..SHAPE.warps as u8),
        tag: number as u8,
        element_bytes: size,
        element_count: count,
        element_mask: ((1u16 << count) - 1) as u8 & (random.random::<u8>() | random.random::<u8>()),
        suppress_helpers: true,
        ..Op::default()
    };
    op.attr.semantics = random.random_range(0..6);
    op.attr.scope = random.random_range(0..4);
    let mut lanes = Lanes { active: mask(random), helper: mask(random), ..Lanes::default() };
    for words in &mut lanes.addr[..LANES] {
        let address = base + random.random_range(0..0x60u64);
        *words = [address as u32, (address >> 32) as u32, random.random()];
    }
    let beats = if legal(&op) { op.data_beats() } else { 0 };
    Issue { op, lanes, beats: (0..beats).map(|_| random.random()).collect() }
}

/// A compare-and-store of any kind, misaligned or out of range now and then; values are few, so that lanes match.
fn compare(number: u32, random: &mut Xoshiro256PlusPlus) -> Issue {
    let memory = random.random_ratio(2, 3);
    let mode = [AddrMode::Raw, AddrMode::Struct, AddrMode::Typed][random.random_range(0..if memory { 3 } else { 2 })];
    let op = Op {
        kind: Kind::CmpStore as u8,
        addr_mode: mode as u8,
        space: if memory { Space::Uav } else { Space::Tgsm } as u8,
        warp: random.random_range(0..SHAPE.warps as u8),
        tag: number as u8,
        element_bytes: 4,
        element_count: if random.random_ratio(1, 32) { 2 } else { 1 },
        element_mask: 1,
        suppress_helpers: random.random(),
        slot: random.random_range(0..8),
        ..Op::default()
    };
    let mut lanes = Lanes { active: mask(random), helper: mask(random), ..Lanes::default() };
    let same = random.random_range(0..0x60u32);
    for words in &mut lanes.addr[..LANES] {
        let byte = if random.random() { same } else { random.random_range(0..0x60) };
        *words = match mode {
            AddrMode::Raw => [byte, random.random(), random.random()],
            AddrMode::Struct => [byte / 12, byte % 14, random.random()],
            _ => [byte % 4, byte / 4 % 3, byte / 16 % 4],
        };
    }
    let beats = if legal(&op) { op.data_beats() } else { 0 };
    Issue { op, lanes, beats: (0..beats).map(|_| std::array::from_fn(|_| random.random_range(0..3))).collect() }
}

/// Any lanes.
pub fn mask(random: &mut Xoshiro256PlusPlus) -> LaneMask {
    LaneMask::from_bits(random.random())
}

/// The reserved one is rare.
const SELECTS: [u16; 15] = [0, 1, 2, 3, 0, 1, 2, 3, 4, 5, 7, 7, 6, 2, 3];
