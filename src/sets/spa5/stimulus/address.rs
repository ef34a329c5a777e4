// SPDX-License-Identifier: MIT OR Apache-2.0
//! Lane addresses: patterns that coalesce or scatter, and the edges of windows, allocations, lines and the address
//! space.

use rand::{Rng, RngExt};

use super::Source;
use crate::{
    op::{ADDR_WIDTH, Ctrl, LaneMask, Lanes, MAX_LANES, Range, Shape},
    sets::spa5::{Inst, RZ},
};

/// Where the addresses of a case go.
pub struct Targets {
    /// Ranges worth accessing: windows and allocations.
    ranges: Vec<Range>,
    /// Addresses whose neighbourhood is worth accessing.
    edges: Vec<u64>,
    shared: Range,
    /// The end of the allocated part of the shared window, and of a thread's item in the local window.
    ends: [u64; 2],
}

impl Targets {
    /// The targets for a case's control registers.
    pub fn new(ctrl: &Ctrl) -> Self {
        let mut ranges = vec![ctrl.shared_window, ctrl.local_window];
        ranges.extend(ctrl.alloc);
        ranges.retain(|range| range.size > 0);
        let shared_end = ctrl.shared_window.base + u64::from(ctrl.shared_size);
        let local_end = ctrl.local_window.base + u64::from(ctrl.local_memory.size);
        let mut edges = vec![0, 1 << 31, 1 << 32, 1 << ADDR_WIDTH, shared_end, local_end, u64::MAX - 64];
        for range in &ranges {
            edges.extend([range.base, range.base + range.size]);
        }
        Targets { ranges, edges, shared: ctrl.shared_window, ends: [shared_end, local_end] }
    }

    /// Targets for offsets in a space of `size` bytes, including the window for whose addresses they might be mistaken.
    pub fn offsets(size: u64, window: Range) -> Self {
        let all = Range { base: 0, size };
        let mut ranges = vec![all, all, all, window];
        ranges.retain(|range| range.size > 0);
        let mut edges = vec![1 << 31, 1 << 32, 1 << ADDR_WIDTH, u64::MAX - 64, window.base, window.base + window.size];
        edges.extend([0, size, 0, size, size]);
        Targets { ranges, edges, shared: all, ends: [size, size] }
    }

    fn edge(&self, rng: &mut Source, bytes: u64) -> u64 {
        let edge = self.edges[rng.random_range(0..self.edges.len())];
        let bits = rng.next_u64();
        match bits & 3 {
            0 => edge,
            1 => edge.wrapping_sub(bytes),
            2 => edge.wrapping_sub(bits >> 2 & 31),
            _ => edge.wrapping_add(bits >> 2 & 31),
        }
    }
}

/// Gives every lane an address, and the instruction a register and an offset that produce it.
pub fn fill(rng: &mut Source, shape: &Shape, targets: &Targets, inst: &mut Inst, lanes: &mut Lanes) {
    let bytes = u64::from(inst.bytes().unwrap_or(1));
    let mut ea = [0; MAX_LANES];
    targets.pattern(rng, shape, bytes, lanes, &mut ea);
    let bits = rng.next_u64();
    if bits & 3 == 0 {
        let off = rng.next_u64();
        for (lane, ea) in ea[..shape.lanes].iter_mut().enumerate() {
            *ea = ea.wrapping_add(off.rotate_left(lane as u32) & 15);
        }
    }
    // The offset is small, arbitrary, or absent.
    let imm = match bits >> 2 & 7 {
        0 => 0,
        1..=4 => ((bits >> 8) as i32) >> 20,
        _ => (bits >> 8) as i32,
    };
    let garbage = (bits >> 32) as u32;
    if bits >> 5 & 15 == 0 && ea[0] >> 32 == 0 {
        // Without a register all lanes share the address, and their address words do not matter.
        inst.ra = RZ;
        inst.e = bits >> 9 & 1 == 1;
        inst.imm = ea[0] as u32;
        for (lane, words) in lanes.addr.iter_mut().enumerate().take(shape.lanes) {
            *words = [garbage ^ lane as u32, garbage.rotate_left(lane as u32), 0];
        }
        return;
    }
    inst.imm = imm as u32;
    let wide = ea[..shape.lanes].iter().any(|ea| ea >> 32 != 0);
    inst.e = wide && bits >> 6 & 31 != 0 || bits >> 6 & 3 == 0;
    inst.ra = if inst.e { (bits >> 11) as u8 % 127 * 2 } else { (bits >> 11) as u8 % 254 };
    let offset = imm as i64 as u64;
    if inst.e && bits >> 18 & 63 == 0 {
        // R254 pairs with RZ, so that the high word is 0.
        inst.ra = 254;
        for (words, ea) in lanes.addr.iter_mut().zip(&ea).take(shape.lanes) {
            *words = [ea.wrapping_sub(offset) as u32, 0, 0];
        }
        return;
    }
    for (lane, (words, ea)) in lanes.addr.iter_mut().zip(&ea).enumerate().take(shape.lanes) {
        let base = ea.wrapping_sub(offset);
        // Without .E the second word is not used.
        let high = if inst.e { (base >> 32) as u32 } else { garbage ^ lane as u32 };
        *words = [base as u32, high, 0];
    }
}

impl Targets {
    /// Gives every lane an effective address, and a predicate that suits most of them.
    pub fn pattern(&self, rng: &mut Source, shape: &Shape, bytes: u64, lanes: &mut Lanes, ea: &mut [u64; MAX_LANES]) {
        let targets = self;
        let bits = rng.next_u64();
        let ea = &mut ea[..shape.lanes];
        let mut range = if bits & 7 < 2 || targets.ranges.is_empty() {
            targets.shared
        } else {
            targets.ranges[(bits >> 3) as usize % targets.ranges.len()]
        };
        // Half of the accesses to the scratchpad and to local memory stay within what is allocated.
        if bits >> 12 & 1 == 0 {
            let end = targets.ends.iter().copied().find(|&end| end > range.base && end < range.base + range.size);
            range.size = end.map_or(range.size, |end| end - range.base);
        }
        // Most of the time the predicates suit the target: false in lanes for shared memory, true in the others.
        if bits >> 13 & 3 != 0 {
            lanes.predicate = if range.base == targets.shared.base { LaneMask::NONE } else { LaneMask::ALL };
            if bits >> 15 & 15 == 0 {
                lanes.predicate ^= LaneMask::from_bits(rng.next_u64() as u32 & rng.next_u64() as u32);
            }
        }
        let start = (range.base + (bits >> 20) % range.size.max(1)) / bytes * bytes;
        match bits >> 45 & 15 {
            // A unit stride, as compilers produce it.
            0..=3 => ea.iter_mut().zip(0..).for_each(|(ea, lane)| *ea = start.wrapping_add(lane * bytes)),
            // Strides that scatter over lines, or meet in one bank.
            5 | 6 => {
                let strides = [2 * bytes, 32, 128, 4 * shape.lanes as u64, 132, 260, bytes.wrapping_neg()];
                let stride = strides[(bits >> 49) as usize % strides.len()];
                ea.iter_mut()
                    .zip(0..)
                    .for_each(|(ea, lane): (_, u64)| *ea = start.wrapping_add(lane.wrapping_mul(stride)));
            }
            // One address for all lanes.
            7 => ea.fill(start),
            // A few bytes for which all lanes compete.
            8 | 9 => {
                let mut random = rng.next_u64();
                for ea in ea.iter_mut() {
                    *ea = start + (random & 15) / bytes * bytes;
                    random = random.rotate_right(5);
                }
            }
            // Two places that differ in one bit: of the offset, the bank, the row or the line.
            4 | 10 => {
                let (low, high) = (bytes.ilog2(), range.size.max(2).ilog2().max(bytes.ilog2() + 1));
                // Half of the time it is one of the highest bits, which nothing else exercises.
                let low = if rng.random() { low } else { low.max(high.saturating_sub(4)) };
                let bit = 1 << rng.random_range(low..high);
                // Or a bit above every range: one that the address has, or one of those that it must not have.
                let bit = if bits >> 49 & 3 == 0 { 1 << (32 + (bits >> 51 & 31)) } else { bit };
                ea.iter_mut().for_each(|ea| *ea = if rng.random() { start } else { start ^ bit });
            }
            // Anywhere in the range.
            11 => {
                for ea in ea.iter_mut() {
                    *ea = (range.base + rng.next_u64() % range.size.max(1)) / bytes * bytes;
                }
            }
            // Edges, another one for each lane.
            12 | 13 => {
                for ea in ea.iter_mut() {
                    *ea = targets.edge(rng, bytes);
                }
            }
            // One edge that the lanes straddle together.
            14 => {
                let edge = targets.edge(rng, bytes);
                let below = bytes * (shape.lanes as u64 / 2);
                ea.iter_mut().zip(0..).for_each(|(ea, lane)| *ea = edge.wrapping_sub(below).wrapping_add(lane * bytes));
            }
            // Arbitrary addresses of up to 64 bits.
            _ => {
                for ea in ea.iter_mut() {
                    *ea = rng.next_u64() >> (rng.next_u64() & 63);
                }
            }
        }
        if bits >> 53 & 7 == 0 {
            let lane = (bits >> 56) as usize % ea.len();
            ea[lane] = targets.edge(rng, bytes);
        }
    }
}
