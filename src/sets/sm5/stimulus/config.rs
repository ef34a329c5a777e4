// SPDX-License-Identifier: MIT OR Apache-2.0
//! Slots of u# and g#: resources that overlap each other and the memory of the other instruction sets, sizes that end
//! within an element, strides and pitches from 0 to the widest.

use rand::RngExt;

use super::{Source, WORDS};
use crate::op::{ADDR_WIDTH, Ctrl, Dimension, Range, Resource, Shape, Tgsm, Uav};

const TOP: u64 = 1 << ADDR_WIDTH;

/// The slot of the wide u#, in cases that have one: raw, with so many lines that the operations of a case rarely touch
/// one twice.
pub const WIDE: usize = 0;
pub const WIDE_BYTES: u64 = 1 << 22;

/// A multiple of 4 from 4 to `most`.
fn words(rng: &mut Source, most: u64) -> u64 {
    4 * rng.random_range(1..=most / 4)
}

/// Binds the slots, most of them in one small place where all warps meet.
pub fn control(rng: &mut Source, shape: &Shape, ctrl: &mut Ctrl) {
    let home = home(rng, ctrl);
    for slot in 0..ctrl.uav.len() {
        ctrl.uav[slot] = uav(rng, home);
    }
    if rng.random_ratio(1, 8) {
        let base = home.base.min(TOP - WIDE_BYTES);
        ctrl.uav[WIDE] = Uav { kind: Resource::Raw as u8, base, size: WIDE_BYTES, ..Uav::default() };
    }
    let all = shape.shared_bytes as u64;
    let shared = u64::from(ctrl.shared_size).min(ctrl.shared_window.size).max(0x40).min(all);
    for tgsm in &mut ctrl.tgsm {
        let kind = [Resource::None, Resource::Raw, Resource::Raw, Resource::Structured, Resource::Structured]
            [rng.random_range(0..5)];
        // Mostly where loads of SPA 5.0 see it; now and then at the end of the scratchpad, past `shared_size`.
        let size = if rng.random_ratio(1, 3) { words(rng, 8) } else { words(rng, shared.min(0x200)) };
        let base = match rng.random_range(0..6) {
            0 => all - size,
            1 => 4 * rng.random_range(0..=(all - size) / 4),
            _ => 4 * rng.random_range(0..=shared.saturating_sub(size) / 4),
        };
        let size = if rng.random_ratio(1, 24) { 0 } else { size };
        let stride = stride(rng, size);
        *tgsm = Tgsm { kind: kind as u8, base: base as u32, size: size as u32, stride };
    }
}

/// A few lines of global memory.
fn home(rng: &mut Source, ctrl: &Ctrl) -> Range {
    let ranges: Vec<Range> = ctrl.alloc.iter().copied().filter(|range| range.size >= 0x20).collect();
    match ranges.len() {
        0 => Range { base: 0x1000, size: 0x200 },
        len => {
            let Range { base, size } = ranges[rng.random_range(0..len)];
            Range { base, size: size.min(0x200) }
        }
    }
}

fn stride(rng: &mut Source, size: u64) -> u16 {
    match rng.random_range(0..8) {
        0 => 4,
        1 => 4092,
        2 => words(rng, 4092) as u16,
        3 => size.clamp(4, 4092) as u16 & !3,
        _ => words(rng, 48) as u16,
    }
}

fn uav(rng: &mut Source, home: Range) -> Uav {
    let kind = match rng.random_range(0..16) {
        0 => Resource::None,
        1..=4 => Resource::Raw,
        5..=9 => Resource::Structured,
        _ => Resource::Typed,
    };
    let dimension = match rng.random_range(0..24) {
        0 => rng.random_range(6..8),
        _ => Dimension::ALL[rng.random_range(0..Dimension::ALL.len())] as u8,
    };
    // All or some of the words that are given values; now and then a size that only 64-bit arithmetic handles.
    let size = match rng.random_range(0..16) {
        0 => 0,
        1 => words(rng, 1 << 20),
        2 => words(rng, 1 << 36),
        3 => TOP - home.base,
        4..=6 => words(rng, 64),
        _ => words(rng, 4 * WORDS),
    };
    let base = match rng.random_range(0..12) {
        0 => TOP - size,
        1 => 4 * rng.random_range(0..=(TOP - size) / 4),
        2 => 0,
        3..=5 => home.base,
        _ => home.base + 4 * rng.random_range(0..home.size / 4),
    };
    let base = base.min(TOP - size);
    let mut uav = Uav { kind: kind as u8, dimension, base, size, stride: stride(rng, size), ..Uav::default() };
    // An untyped resource has none of the fields of a texture, or any.
    if kind == Resource::Typed || rng.random_ratio(1, 4) {
        texture(rng, &mut uav);
    }
    uav
}

/// A typed resource's dimensions: as large as its bytes allow, smaller, or larger.
fn texture(rng: &mut Source, uav: &mut Uav) {
    let huge = rng.random_ratio(1, 12);
    if huge {
        (uav.width, uav.height, uav.depth) = (rng.random(), rng.random(), rng.random());
        let [row, slice]: [u32; 2] = rng.random();
        (uav.row_pitch, uav.slice_pitch) = (row & !3, slice & !3);
        if row & 3 != 0 {
            past_48_bits(uav);
        }
        return;
    }
    (uav.width, uav.height, uav.depth) = (rng.random_range(1..12), rng.random_range(1..6), rng.random_range(1..5));
    match rng.random_range(0..16) {
        0 => uav.width = 0,
        1 => uav.height = 0,
        2 => uav.depth = 0,
        3 => uav.width = 4 * uav.width + 32,
        _ => {}
    }
    let pad = if rng.random() { 0 } else { words(rng, 64) as u32 };
    uav.row_pitch = 4 * uav.width + pad;
    let pad = if rng.random() { 0 } else { words(rng, 64) as u32 };
    uav.slice_pitch = match Dimension::from_code(uav.dimension) {
        // Only the slices of a 1D array have a pitch that counts.
        Some(Dimension::Texture1dArray) => uav.row_pitch + pad,
        _ => uav.row_pitch * u32::from(uav.height) + pad,
    };
    if rng.random_ratio(1, 10) {
        // Rows that overlap, or lie far apart.
        uav.row_pitch = [0, 4, 1 << 20, 0xffff_fffc][rng.random_range(0..4)];
    }
    // As many bytes as the last element needs, one word less, or the size from before.
    let last = u64::from(uav.row_pitch) * u64::from(uav.height.max(1) - 1)
        + u64::from(uav.slice_pitch) * u64::from(uav.depth.max(1) - 1)
        + 4 * u64::from(uav.width);
    let size = match rng.random_range(0..4) {
        0 => last.saturating_sub(4),
        1 | 2 => last,
        _ => uav.size,
    };
    uav.size = size.min(TOP - uav.base);
}

/// Pitches that put the last element little past 2^48 bytes: a unit that drops the carry finds it in bounds.
fn past_48_bits(uav: &mut Uav) {
    (uav.width, uav.size) = (1 + uav.width % 11, (1 << 20).min(TOP - uav.base));
    let [row, slice] = [uav.height, uav.depth].map(|any| 0x8001 + any % 0x7ffe);
    (uav.height, uav.depth) = (row + 1, slice + 1);
    let pitch = (1u64 << 48).div_ceil(u64::from(row) + u64::from(slice)).next_multiple_of(4);
    (uav.row_pitch, uav.slice_pitch) = (pitch as u32, pitch as u32);
}

/// Whether the case has the wide u#.
pub fn is_wide(ctrl: &Ctrl) -> bool {
    let Uav { kind, size, .. } = ctrl.uav[WIDE];
    kind == Resource::Raw as u8 && size == WIDE_BYTES
}

/// The ranges that other masters write too: the first lines of each u#.
pub fn used(ctrl: &Ctrl) -> Vec<Range> {
    ctrl.uav.iter().map(|uav| Range { base: uav.base, size: uav.size.min(4 * WORDS) }).collect()
}

/// A few lines that answer with an error in all halves or only in the exclusive writes, and some without exclusives.
pub fn bad_lines(rng: &mut Source, ctrl: &Ctrl) -> [Vec<Range>; 3] {
    let mut ranges: [Vec<Range>; 3] = Default::default();
    for uav in ctrl.uav.iter().filter(|uav| uav.size >= 4) {
        for list in &mut ranges {
            if rng.random_ratio(1, 16) {
                let offset = 4 * rng.random_range(0..uav.size.min(4 * WORDS) / 4);
                list.push(Range { base: uav.base + offset, size: 4 });
            }
        }
    }
    ranges
}
