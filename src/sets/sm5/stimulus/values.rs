// SPDX-License-Identifier: MIT OR Apache-2.0
//! Comparison values that match: memory and lanes draw from one small alphabet.

use rand::{Rng, RngExt};

use super::Source;
use crate::{
    cosim::case::{Bytes, Foreign},
    model::Register,
    op::{Range, Shape},
};

/// A value that other lanes, or memory, are likely to have as well.
pub fn small(rng: &mut Source) -> u32 {
    let bits = rng.next_u32();
    match bits & 31 {
        // A small value with one bit flipped: any bit, or the highest, which is the one most easily forgotten.
        0 => (bits >> 8 & 3) ^ 1 << (bits >> 16 & 31),
        2 => (bits >> 8 & 3) ^ 1 << 31,
        1 => u32::MAX,
        _ => bits >> 8 & 3,
    }
}

/// The two registers of an operation: what to compare with, and what to write.
pub fn registers(rng: &mut Source, shape: &Shape) -> Vec<Register> {
    let mut data = vec![[0; crate::op::MAX_LANES]; 2];
    let pattern = rng.random_range(0..8);
    let first = rng.next_u32() & 3;
    let step = rng.next_u32() & 3;
    for number in 0..shape.lanes as u32 {
        let lane = number as usize;
        let (compare, new) = match pattern {
            // Exactly one lane wins.
            0 => (first, first + 10 + step),
            // Each lane finds what the lane before it wrote, or what the lane after it is going to write.
            1 => (number, number + 1),
            2 => (first + number, first + number + 1),
            3 => (shape.lanes as u32 - number, shape.lanes as u32 - number - 1),
            4 => (first, number),
            5 => {
                let value = small(rng);
                (value, value)
            }
            _ => (small(rng), small(rng)),
        };
        (data[0][lane], data[1][lane]) = (compare, new);
    }
    data
}

/// Small values in the first words of a range.
pub fn contents(rng: &mut Source, range: Range) -> Bytes {
    let bytes = (0..range.size / 4).flat_map(|_| small(rng).to_le_bytes()).collect();
    Bytes { addr: range.base, bytes }
}

/// Accesses of another master, which writes, or compares and writes, the same words as the lanes.
pub fn foreign(rng: &mut Source, ranges: &[Range]) -> Vec<Foreign> {
    let ranges: Vec<Range> = ranges.iter().copied().filter(|range| range.size >= 4).collect();
    if ranges.is_empty() || rng.random_ratio(1, 4) {
        return Vec::new();
    }
    let apart = [2, 8, 40][rng.random_range(0..3)];
    let mut cycle = 0;
    (0..160)
        .map(|_| {
            cycle += rng.random_range(1..=apart);
            let range = ranges[rng.random_range(0..ranges.len())];
            let words = if rng.random_ratio(3, 4) { range.size.min(16) } else { range.size };
            let addr = range.base + 4 * rng.random_range(0..words / 4);
            let bytes = small(rng).to_le_bytes().to_vec();
            let compare = rng.random::<bool>().then(|| small(rng));
            Foreign { cycle, addr, bytes, compare }
        })
        .collect()
}
