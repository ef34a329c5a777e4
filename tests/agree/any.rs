// SPDX-License-Identifier: MIT OR Apache-2.0
//! Whole cases at random: accesses, bursts, PTX stores and compare-and-stores that the wires can carry, legal or not,
//! at addresses near the edges of windows, allocations, lines and the address space, in every kind of environment.

use std::fmt;

use gpu_lsu::{
    clause::Clause,
    cosim::{
        Case, Issue, Mismatch, Schedule,
        capsule::Capsule,
        case::{Answer, Bytes, Foreign},
    },
    judge::{Field, Site},
    op::{
        ADDR_WIDTH, AddrMode, Attr, Buffer, Ctrl, Kind, LaneMask, Lanes, MAX_LANES, Op, Private, Range, Shape, Tgsm,
        Uav,
    },
};
use proptest::{collection::vec, prelude::*};

const TOP: u64 = 1 << ADDR_WIDTH;
/// Bases and sizes are multiples of this.
const UNIT: u64 = 32;

/// A case whose debug output is what `gpu-lsu replay -` reads.
#[derive(Clone)]
pub struct Shown(pub Case);

impl fmt::Debug for Shown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mismatch = Mismatch::new(Clause::PortReq, None, Field::event(Site::Unit, "plays a random case"));
        write!(
            f,
            "\n{}",
            Capsule {
                seed: 0,
                block: 0,
                case: self.0.clone(),
                mismatch,
                rtl: None,
                promises: gpu_lsu::judge::Promises::OURS
            }
            .to_text()
        )
    }
}

/// A case of a few operations.
pub fn case(shape: Shape) -> impl Strategy<Value = Shown> {
    let contents =
        (any::<u64>(), vec((edge(), vec(any::<u8>(), 1..40)), 0..3), vec((0..64u64, vec(any::<u8>(), 1..9)), 0..3));
    let errors = vec((edge(), 1..64u64), 0..3);
    let play = (vec(operation(shape), 1..24), any::<bool>(), prop_oneof![2 => Just(0), 1 => 1..40u32], 0..64u32);
    (control(shape), contents, errors, schedule(), play).prop_map(
        move |(
            ctrl,
            (memory_seed, memory, shared),
            errors,
            (schedule, foreign),
            (operations, serial, dirty_cycles, flushes),
        )| {
            let edges = edges(&ctrl);
            // An address near an edge, such that `length` bytes end within memory.
            let within = |edge: &Edge, length: u64| edge.among(&edges).min(TOP - length);
            let mut schedule = schedule;
            let mut cycle = 0;
            for (after, edge, bytes) in foreign {
                cycle += after;
                schedule.foreign.push(Foreign { cycle, addr: within(&edge, bytes.len() as u64), bytes, compare: None });
            }
            Shown(Case {
                shape,
                ctrl,
                memory_seed,
                memory: (memory.into_iter())
                    .map(|(edge, bytes)| Bytes { addr: within(&edge, bytes.len() as u64), bytes })
                    .collect(),
                shared: shared.into_iter().map(|(addr, bytes)| Bytes { addr, bytes }).collect(),
                bus_errors: (errors.iter())
                    .map(|(edge, size)| Range { base: within(edge, *size), size: *size })
                    .collect(),
                issues: operations.iter().map(|operation| operation.issue(shape.lanes, &edges)).collect(),
                schedule,
                serial,
                // Flushes here and there, in one case of two.
                flushes: (0..operations.len().min(32))
                    .filter(|at| flushes & 33 == 1 && flushes >> (at % 6) & 1 == 1)
                    .collect(),
                dirty_cycles,
                rate: None,
            })
        },
    )
}

fn range() -> impl Strategy<Value = Range> {
    let base = prop_oneof![
        Just(0),
        (0..0x80u64).prop_map(|units| units * UNIT),
        (1..0x80u64).prop_map(|units| (1 << 32) - units * UNIT),
        (0..0x80u64).prop_map(|units| TOP - units * UNIT),
        (0..TOP / UNIT).prop_map(|units| units * UNIT),
    ];
    (base, 0..0x40u64).prop_map(|(base, units)| Range { base, size: (units * UNIT).min(TOP - base) })
}

fn control(shape: Shape) -> impl Strategy<Value = Ctrl> {
    let sizes = (0..0x40u32, 0..0x40u32, 0..0x40u32);
    let ranges = (range(), range(), [range(), range(), range()], vec(range(), 8));
    let buffers = (any::<bool>(), vec((range(), 0..8u64, 0..0x100u64), 11), 0..0x80u64);
    let slots = (vec(uav(), 8), vec(tgsm(shape), 8));
    (any::<bool>(), ranges, sizes, buffers, slots).prop_map(move |(trap_misaligned, ranges, sizes, buffers, slots)| {
        let (resources, groups) = slots;
        let (local, shared, [private, param, cluster], alloc) = ranges;
        let (r700_driver_form, buffers, dwords) = buffers;
        // In dwords, and anywhere in a line.
        let buffer = |slot: usize| {
            let (range, offset, size) = buffers[slot];
            let (stride, size) = (if slot == 1 || slot == 7 { 0 } else { 4 * dwords }, 4 * size);
            let room = (shape.warps * shape.lanes) as u64 * stride + size;
            Buffer { base: (range.base + 4 * offset).min(TOP - room), stride: stride as u32, size: size as u32 }
        };
        let [stride, size, shared_size] = [sizes.0, sizes.1, sizes.2].map(|units| units * UNIT as u32);
        let shared_size = shared_size.min(shape.shared_bytes as u32);
        let threads = (shape.warps * shape.lanes) as u64;
        let room = (threads - 1) * u64::from(stride) + u64::from(size);
        let of_a_thread = |place: Range| Private { base: place.base.min(TOP - room) / UNIT * UNIT, stride, size };
        let ctrl = Ctrl {
            trap_misaligned,
            local_window: local,
            shared_window: shared,
            local_memory: of_a_thread(private),
            shared_size,
            alloc: std::array::from_fn(|index| alloc[index]),
            r700_driver_form,
            buffer: std::array::from_fn(buffer),
            stage_scratch: std::array::from_fn(|stage| buffer(8 + stage)),
            param_memory: of_a_thread(param),
            cluster,
            uav: std::array::from_fn(|slot| resources[slot]),
            tgsm: std::array::from_fn(|slot| groups[slot]),
        };
        assert_eq!(ctrl.check(&shape), Ok(()));
        ctrl
    })
}

fn uav() -> impl Strategy<Value = Uav> {
    let bytes = || prop_oneof![3 => 0..0x40u64, 1 => 0..1u64 << 32].prop_map(|dwords| 4 * dwords);
    let small = || prop_oneof![3 => 0..8u16, 1 => any::<u16>()];
    let pitch = || prop_oneof![3 => 0..0x20u32, 1 => 0..1u32 << 30].prop_map(|dwords| 4 * dwords);
    let place = (0..4u8, 0..8u8, range(), 0..8u64, bytes(), 1..0x400u16);
    let texture = (prop_oneof![3 => 0..16u32, 1 => any::<u32>()], small(), small(), pitch(), pitch());
    (place, texture).prop_map(|((kind, dimension, near, offset, size, stride), texture)| {
        let base = (near.base + 4 * offset).min(TOP - size);
        let (width, height, depth, row_pitch, slice_pitch) = texture;
        Uav { kind, dimension, base, size, stride: 4 * stride, width, height, depth, row_pitch, slice_pitch }
    })
}

fn tgsm(shape: Shape) -> impl Strategy<Value = Tgsm> {
    let dwords = shape.shared_bytes as u32 / 4;
    (0..3u8, prop_oneof![3 => 0..0x40u32, 1 => 0..dwords - 0x40], 0..0x40u32, 1..0x400u16)
        .prop_map(|(kind, base, size, stride)| Tgsm { kind, base: 4 * base, size: 4 * size, stride: 4 * stride })
}

/// Addresses at which a rule's answer changes.
fn edges(ctrl: &Ctrl) -> Vec<u64> {
    let mut edges = vec![0, 1 << 32, TOP];
    for range in [ctrl.local_window, ctrl.shared_window].iter().chain(&ctrl.alloc).filter(|range| range.size > 0) {
        edges.extend([range.base, range.base + range.size]);
    }
    edges.push(ctrl.local_window.base + u64::from(ctrl.local_memory.size));
    edges.push(ctrl.shared_window.base + u64::from(ctrl.shared_size));
    // The local memory of thread 0, as global memory sees it.
    edges.push(ctrl.local_memory.base);
    // Byte addresses of resources, structures and indices.
    for uav in &ctrl.uav {
        edges.extend([uav.base, uav.size, uav.width.into(), uav.size / u64::from(uav.stride.max(4))]);
    }
    // The ends of spaces that an instruction names.
    edges.extend([ctrl.shared_size.into(), ctrl.local_memory.size.into(), ctrl.cluster.size]);
    edges
}

/// A place near one of the edges.
#[derive(Clone, Copy, Debug)]
struct Edge {
    which: u8,
    distance: i64,
}

impl Edge {
    fn among(self, edges: &[u64]) -> u64 {
        edges[usize::from(self.which) % edges.len()].wrapping_add(self.distance as u64)
    }
}

fn edge() -> impl Strategy<Value = Edge> {
    let distance = prop_oneof![Just(0), -33..=33i64, -300..=300i64];
    (any::<u8>(), distance).prop_map(|(which, distance)| Edge { which, distance })
}

/// An operation before the control registers are known.
#[derive(Clone, Debug)]
struct Operation {
    op: Op,
    masks: [u32; 3],
    start: Edge,
    stride: u64,
    /// Lanes with an address of their own.
    strays: Vec<Option<Edge>>,
    /// Address words that nothing should read, and a store's data.
    noise: u32,
}

impl Operation {
    fn issue(&self, lanes: usize, edges: &[u64]) -> Issue {
        let Operation { op, masks, start, stride, ref strays, noise } = *self;
        let all = Shape::with_lanes(lanes).lane_mask();
        let [active, helper, predicate] = masks.map(|mask| LaneMask::from_bits(mask) & all);
        let mut addr = [[0; 3]; MAX_LANES];
        for (lane, (words, stray)) in (0..).zip(addr.iter_mut().zip(strays)) {
            let place = match stray {
                Some(edge) => edge.among(edges),
                None => start.among(edges).wrapping_add(stride.wrapping_mul(lane)),
            };
            let base = place.wrapping_sub(op.imm);
            let high = if op.addr_mode == AddrMode::Reg64 as u8 { (base >> 32) as u32 } else { noise };
            *words = [base as u32, high, noise];
            if op.is_burst() {
                words[0] = index(start.distance, stride.wrapping_mul(lane), *stray);
            }
            if op.kind == Kind::CmpStore as u8 {
                // Byte addresses, or small indices.
                let near = index(start.distance, stride.wrapping_mul(lane), *stray);
                *words = [near, near.rotate_left(noise % 4) & 0x3f, noise % 4];
            }
        }
        let mut data = vec![[0; MAX_LANES]; op.data_beats() as usize];
        for (index, word) in (0u32..).zip(data.iter_mut().flat_map(|register| &mut register[..lanes])) {
            *word = (noise ^ index).wrapping_mul(0x9e37_79b1).rotate_left(index);
        }
        Issue { op, lanes: Lanes { active, helper, predicate, addr }, data, inst: None }
    }
}

/// The index of a burst: near 0, where arrays are, or near an end of its 32 bits.
fn index(start: i64, step: u64, stray: Option<Edge>) -> u32 {
    let near = match stray {
        Some(Edge { which, distance }) => {
            [0, 1 << 30, 1 << 31, u64::MAX][usize::from(which) % 4].wrapping_add(distance as u64)
        }
        None => start.unsigned_abs().wrapping_add(step / 4),
    };
    near as u32
}

fn operation(shape: Shape) -> impl Strategy<Value = Operation> {
    let lanes = shape.lanes;
    let mask = || prop_oneof![Just(u32::MAX), Just(0), any::<u32>()];
    let helpers = prop_oneof![3 => Just(0), 1 => any::<u32>()];
    let strides = vec![0, 1, 2, 4, 8, 16, 32, 128, 132, 4 * lanes as u64, 4u64.wrapping_neg()];
    let strays = vec(proptest::option::weighted(0.25, edge()), lanes);
    (op(), (mask(), helpers, mask()), edge(), proptest::sample::select(strides), strays, any::<u32>()).prop_map(
        move |(op, (active, helper, predicate), start, stride, strays, noise)| {
            let op = Op { warp: op.warp % shape.warps as u8, stage: (noise >> 7) as u8 & 3, ..op };
            let masks = [active, helper, predicate];
            Operation { op, masks, start, stride, strays, noise }
        },
    )
}

/// Any bits of the op port; mostly a load or store of SPA 5.0, a burst of R700, a store of PTX, or a compare-and-store.
fn op() -> impl Strategy<Value = Op> {
    let size = || proptest::sample::select(vec![1, 2, 4, 8, 16u8]);
    let legal = (0..2u8, 0..3u8, Just(0), size(), Just(1), Just(1));
    // A single wrong code is what gets past a careless check, so mostly one is wrong.
    let nearly = (0..4u8, 0..4u8, prop_oneof![3 => Just(0), 1 => 0..16u8], size(), Just(1), Just(1));
    let shape = (0..2u8, 0..3u8, Just(0), 0..32u8, prop_oneof![Just(1), 0..16u8], prop_oneof![Just(1), any::<u8>()]);
    let burst = (0..2u8, Just(3), Just(7), Just(4), Just(4), 0..16u8);
    let broken = (0..4u8, 2..5u8, 6..9u8, 3..6u8, 3..6u8, 0..32u8);
    let vector = |(bytes, count): (u8, u8), bits: u8| {
        (bytes, count.min(32 / bytes), (bits >> (8 - count.min(32 / bytes))).max(1))
    };
    let forms = (size(), proptest::sample::select(vec![1, 2, 4, 8u8]));
    let ptx = (prop_oneof![Just(0), Just(2)], 1..7u8, forms, any::<u8>()).prop_map(move |(mode, space, form, bits)| {
        let (bytes, count, mask) = vector(form, bits);
        (1, mode, space, bytes, count, mask)
    });
    let store = (Just(2), 4..7u8, prop_oneof![3 => Just(8), 1 => Just(9)], Just(4), Just(1), Just(1));
    let core = prop_oneof![4 => store.boxed(), 5 => ptx.boxed(), 8 => legal.boxed(), 1 => nearly.boxed(), 1 => shape.boxed(), 6 => burst.boxed(), 1 => broken.boxed()];
    let imm = prop_oneof![
        Just(0),
        (-64..64i64).prop_map(|imm| imm as u64),
        any::<i32>().prop_map(|imm| imm as u64),
        any::<u64>()
    ];
    let flags = (0..8u8, any::<bool>(), any::<bool>(), any::<bool>());
    // Fields of bursts, which SPA 5.0 ignores.
    let array_base = prop_oneof![0..8u16, 0..0x2000u16];
    let array_size = prop_oneof![6 => 1..32u16, 6 => 1..=4096u16, 1 => 0..0x2000u16];
    let gprs = prop_oneof![Just(1), Just(3), Just(0), 0..16u16, any::<u16>()];
    let selects = prop_oneof![Just(0o3210), Just(0o7770), 0..0x1000u16];
    let others = (0..8u8, array_base, array_size, 0..4u8, any::<bool>(), gprs, selects, any::<bool>());
    (core, imm, flags, others, attr()).prop_map(
        |((kind, addr_mode, space, element_bytes, element_count, element_mask), imm, flags, others, attr)| {
            let (warp, sign_extend, suppress_helpers, await_last) = flags;
            let (slot, array_base, array_size, elem_size, use_index, present_gprs, component_select, one_is_float) =
                others;
            Op {
                stage: 0, // the lanes' noise decides
                kind,
                addr_mode,
                space,
                warp,
                tag: 0,
                imm,
                element_bytes,
                element_count,
                element_mask,
                sign_extend,
                suppress_helpers,
                await_last,
                slot,
                array_base,
                array_size,
                elem_size,
                use_index,
                present_gprs,
                component_select,
                one_is_float,
                attr,
            }
        },
    )
}

fn attr() -> impl Strategy<Value = Attr> {
    let flags = (any::<bool>(), any::<bool>());
    let fields = (0..8u8, 0..8u8, 0..8u8, any::<bool>(), any::<u64>(), 0..8u8, 0..4u8, flags);
    fields.prop_map(|(cache_op, l1_priority, l2_priority, policy_valid, policy, semantics, scope, flags)| Attr {
        uniform: flags.0,
        cache_op,
        l1_priority,
        l2_priority,
        policy_valid,
        policy,
        semantics,
        scope,
        uncached: flags.1,
    })
}

/// Stalls and answers, and separately the writes of other masters, by the cycles between them and by edge.
fn schedule() -> impl Strategy<Value = (Schedule, Vec<(u64, Edge, Vec<u8>)>)> {
    // However the environment stalls, it serves every port once in a while.
    let stalls = prop_oneof![
        Just(Vec::new()),
        vec(0..64u8, 1..24).prop_map(|mut stalls| {
            stalls.push(0);
            stalls
        })
    ];
    let answer = (0..40u8, 0..40u8, 0..4u8, 0..24u8);
    let answers = vec(answer.prop_map(|(apply, answer, scope, last)| Answer { apply, answer, scope, last }), 0..12);
    let foreign = vec((0..60u64, edge(), vec(any::<u8>(), 1..40)), 0..4);
    (stalls, answers, foreign, vec(0..4u8, 0..6)).prop_map(|(stalls, answers, foreign, refusals)| {
        let schedule = Schedule { stalls, answers, refusals, ..Schedule::default() };
        (schedule, foreign)
    })
}
