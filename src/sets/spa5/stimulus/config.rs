// SPDX-License-Identifier: MIT OR Apache-2.0
//! Control registers of a case: windows, allocations and private memory, placed next to each other and at the ends of
//! the address space.

use rand::{RngExt, SeedableRng};

use super::Source;
use crate::op::{ADDR_WIDTH, Ctrl, Private, Range, Shape};

/// All bases and sizes are multiples of this many bytes.
const UNIT: u64 = 32;
const TOP: u64 = 1 << ADDR_WIDTH;

/// A random multiple of 32 below `end`.
fn multiple(rng: &mut Source, end: u64) -> u64 {
    rng.random_range(0..end.div_ceil(UNIT)) * UNIT
}

/// Makes control registers that the contract of the ports allows.
pub fn control(rng: &mut Source, shape: &Shape) -> Ctrl {
    let mut ctrl = Ctrl { trap_misaligned: rng.random(), ..Ctrl::default() };
    // Windows lie low, around 2^32, or at the top. Their size is up to a few kilobytes, and sometimes the whole
    // scratchpad, because some rows of its banks would not be reached otherwise.
    let shared = match rng.random_range(0..16) {
        0..=3 => UNIT,
        // Room for every lane to access a different word of one bank.
        4..=7 => 4 * (shape.lanes * shape.lanes) as u64,
        8 | 9 => shape.shared_bytes as u64,
        _ => multiple(rng, 0x800) + UNIT,
    };
    let shared = shared.min(shape.shared_bytes as u64);
    let base = match rng.random_range(0..5) {
        0 => 0,
        1 => (1 << 32) - multiple(rng, 0x2000) - UNIT,
        2 => TOP - 0x8000 - shared,
        3 => multiple(rng, TOP - 0x8000 - shared),
        _ => multiple(rng, 1 << 31),
    };
    let local = multiple(rng, 0x400) + UNIT;
    ctrl.shared_window = Range { base, size: shared };
    // The allocation covers the whole window, or a part of it.
    ctrl.shared_size = if rng.random() { shared as u32 } else { (multiple(rng, shared) + UNIT) as u32 };
    let gap = if rng.random() { 0 } else { multiple(rng, 0x400) };
    ctrl.local_window = Range { base: base + shared + gap, size: local };
    if rng.random_ratio(1, 8) {
        ctrl.local_window.size = 0;
    }
    let size = if rng.random() { local } else { multiple(rng, local) + UNIT };
    let stride = size + if rng.random() { 0 } else { multiple(rng, 0x100) };
    let threads = (shape.warps * shape.lanes) as u64;
    let room = stride * threads;
    let place = match rng.random_range(0..3) {
        0 => TOP - room - UNIT,
        1 => multiple(rng, 1 << 31) + 0x1_8000_0000,
        _ => multiple(rng, TOP / 2) + TOP / 4,
    } / UNIT
        * UNIT;
    ctrl.local_memory = Private { base: place, stride: stride as u32, size: size as u32 };

    // Global memory lies beside the windows, low, around 2^32, at the top, and far out. Some ranges touch or overlap.
    let beside = ctrl.local_window.base + ctrl.local_window.size;
    let places = [
        beside,
        base.saturating_sub(0x1000) / UNIT * UNIT,
        0,
        (1 << 32) - 0x800,
        TOP - 0x1000,
        multiple(rng, 1 << 32),
        multiple(rng, TOP - 0x2000),
        multiple(rng, TOP - 0x2000),
    ];
    for (range, base) in ctrl.alloc.iter_mut().zip(places) {
        let size = multiple(rng, 0x1000) + UNIT;
        if base + size <= TOP && !rng.random_ratio(1, 6) {
            *range = Range { base, size };
        }
    }
    // A random source of their own keeps what a seed makes of everything else unchanged.
    let mut own = Source::seed_from_u64(base ^ place);
    if own.random_ratio(1, 8) {
        enlarge(&mut own, threads, &mut ctrl);
    } else if own.random_ratio(1, 8) {
        end_at_top(&mut own, room, &mut ctrl);
    }
    ctrl
}

/// Moves the windows, in either order, and local memory of `room` bytes, to where the last byte of the address space is
/// theirs.
fn end_at_top(own: &mut Source, room: u64, ctrl: &mut Ctrl) {
    let Ctrl { shared_window: shared, local_window: local, .. } = ctrl;
    let gap = local.base - (shared.base + shared.size);
    let (upper, lower) = if local.size > 0 && own.random() { (local, shared) } else { (shared, local) };
    upper.base = TOP - upper.size;
    lower.base = upper.base - gap - lower.size;
    ctrl.local_memory.base = TOP - room;
}

/// Gives local memory and an allocation sizes, and local memory a stride, of which the upper bits count.
fn enlarge(own: &mut Source, threads: u64, ctrl: &mut Ctrl) {
    let exponent = own.random_range(12..=25);
    let size = multiple(own, 1 << exponent) + UNIT;
    let stride = size + multiple(own, 1 << 25);
    let Range { base, size: before } = ctrl.local_window;
    let beside = &mut ctrl.alloc[0];
    if before > 0 && base + size + beside.size <= TOP {
        ctrl.local_window.size = size;
        beside.base = base + size;
        let base = multiple(own, TOP - stride * threads);
        ctrl.local_memory = Private { base, stride: stride as u32, size: size as u32 };
    }
    let large = &mut ctrl.alloc[6];
    if large.size > 0 {
        large.size = multiple(own, (TOP - large.base).min(1 << 36)) + UNIT;
    }
}

/// A few lines that answer with an error (COM-BUSERR), in memory that the lanes use.
pub fn bus_errors(rng: &mut Source, ctrl: &Ctrl) -> Vec<Range> {
    let mut ranges = Vec::new();
    for range in ctrl.alloc.iter().filter(|range| range.size > 0) {
        if rng.random_ratio(1, 3) {
            let offset = multiple(rng, range.size);
            ranges.push(Range { base: range.base + offset, size: UNIT });
        }
    }
    if rng.random_ratio(1, 3) {
        let Private { base, stride, size } = ctrl.local_memory;
        // A unit of four lanes and one warp has fewer threads, and memory may end after the last one.
        let thread = rng.random_range(0..8);
        let [chosen, first] = [base + thread * u64::from(stride), base];
        let fits = chosen + u64::from(size) <= TOP;
        ranges.push(Range { base: if fits { chosen } else { first }, size: u64::from(size) });
    }
    ranges
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn either_window_may_end_with_the_address_space() {
        let shape = Shape::with_lanes(4);
        let all: Vec<Ctrl> = (0..1000).map(|seed| control(&mut Source::seed_from_u64(seed), &shape)).collect();
        for window in [|ctrl: &Ctrl| ctrl.shared_window, |ctrl: &Ctrl| ctrl.local_window] {
            let ends = |ctrl: &&Ctrl| window(ctrl).size > 0 && window(ctrl).base + window(ctrl).size == TOP;
            assert!(all.iter().filter(ends).count() > 10);
        }
    }
}
