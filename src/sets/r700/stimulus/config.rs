// SPDX-License-Identifier: MIT OR Apache-2.0
//! Control registers of bursts: buffers next to each other, to line boundaries, to 2^32 and to the end of the address
//! space.

use rand::{Rng, RngExt, SeedableRng};

use super::Source;
use crate::op::{ADDR_WIDTH, Buffer, BufferSlot, Ctrl, Range, Shape};

const TOP: u64 = 1 << ADDR_WIDTH;
/// Number of bytes at the start of a buffer that other masters and bus errors use.
const FRONT: u64 = 0x400;

/// A random multiple of 4 below `end`.
fn dwords(rng: &mut Source, end: u64) -> u64 {
    rng.random_range(0..end.div_ceil(4)) * 4
}

/// Sets the buffers, and the form of the equations.
pub fn control(rng: &mut Source, shape: &Shape, ctrl: &mut Ctrl) {
    ctrl.r700_driver_form = rng.random();
    let threads = (shape.warps * shape.lanes) as u64;
    // Half of the buffers begin near one place, so that they overlap. In a mixed case this is where other memory lies.
    let common = match ctrl.alloc.iter().find(|range| range.size > 0) {
        Some(range) => range.base,
        None => dwords(rng, TOP - 0x1_0000),
    };
    for (slot, buffer) in ctrl.buffer.iter_mut().enumerate() {
        *buffer = place(rng, threads, common, slot == BufferSlot::Scratch as usize);
    }
    // A random source of their own keeps what a seed makes of everything else unchanged.
    let mut own = Source::seed_from_u64(common ^ ctrl.buffer[0].base);
    for buffer in &mut ctrl.stage_scratch {
        *buffer = place(&mut own, threads, common, true);
    }
    // Half of the streams and rings have a record for each thread (R700-PLACE).
    for buffer in &mut ctrl.buffer[BufferSlot::Stream0 as usize..=BufferSlot::Ring as usize] {
        let item = u64::from(buffer.size).min(0x8_0000);
        let stride = match own.random_range(0..8) {
            0 => dwords(&mut own, 0x40),
            1 => item / 2 / 4 * 4,
            2 => item + dwords(&mut own, 0x100),
            3 => item,
            _ => 0,
        };
        let room = (threads - 1) * stride + u64::from(buffer.size);
        *buffer = Buffer { base: buffer.base.min(TOP - room), stride: stride as u32, ..*buffer };
    }
}

/// Places a buffer anywhere, or near `common`.
fn place(rng: &mut Source, threads: u64, common: u64, scratch: bool) -> Buffer {
    let size = match rng.random_range(0..16) {
        0 => 0,
        1 | 2 => dwords(rng, 0x40) + 4,
        3..=6 => dwords(rng, 0x400) + 4,
        7 => dwords(rng, 0x8_0000) + 4,
        8 if !scratch => u64::from(u32::MAX - 3),
        _ if scratch => dwords(rng, 0x800) + 0x100,
        _ => 0x4_0000,
    };
    // A thread's item is as large as its stride, overlaps the next one, or leaves room before it.
    let stride = match rng.random_range(0..8) {
        _ if !scratch => 0,
        0 => 0,
        1 => dwords(rng, 0x40),
        2 => size / 2 / 4 * 4,
        3 => size + dwords(rng, 0x100),
        _ => size,
    };
    let room = (threads - 1) * stride + size;
    let base = match rng.random_range(0..8) {
        0 => dwords(rng, 0x200),
        1 => (1 << 32) - dwords(rng, 0x200),
        2 => TOP - room,
        3 => dwords(rng, TOP),
        _ => common + dwords(rng, 0x200),
    };
    Buffer { base: base.min(TOP - room), stride: stride as u32, size: size as u32 }
}

/// The fronts of the buffers. The scratch of other stages mostly lies near one of them.
pub fn used(ctrl: &Ctrl) -> Vec<Range> {
    let front = |buffer: &Buffer| Range { base: buffer.base, size: u64::from(buffer.size).min(FRONT) / 32 * 32 };
    ctrl.buffer.iter().map(front).collect()
}

/// A few lines that answer with an error (COM-BUSERR).
pub fn bus_errors(rng: &mut Source, ctrl: &Ctrl) -> Vec<Range> {
    if rng.random_ratio(1, 5) {
        // If every request is answered with an error, errors meet every other outcome of a burst.
        return used(ctrl).into_iter().filter(|range| range.size > 0).collect();
    }
    let mut ranges = Vec::new();
    for Range { base, size } in used(ctrl) {
        if size > 0 && rng.random_ratio(1, 4) {
            ranges.push(Range { base: base + rng.next_u64() % size / 4 * 4, size: 4 });
        }
    }
    ranges
}
