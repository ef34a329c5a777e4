// SPDX-License-Identifier: MIT OR Apache-2.0
//! The schedule of a case: which ports stall when, how long memory takes, what other masters write.

use rand::{Rng, RngExt};

use super::Source;
use crate::{
    cosim::case::{Answer, Foreign, Schedule, stall},
    op::Range,
};

const PERIOD: usize = 509;
/// A stall of the write-back port of at least this many cycles is extended to [`HELD`] cycles.
const LONG: usize = 40;
const HELD: usize = 280;

/// A random environment of one of several tempers. Other masters write into `ranges`. With `scoped`, most writes are
/// first acknowledged for a narrower scope, and finally much later, as releases wait for the final answer (PTX-SEM).
pub fn schedule(rng: &mut Source, ranges: &[Range], scoped: bool) -> Schedule {
    let mut stalls = match rng.random_range(0..4) {
        0 => Vec::new(),
        1 => (0..PERIOD).map(|_| (rng.next_u64() & rng.next_u64() & 63) as u8).collect(),
        2 => (0..PERIOD).map(|_| (rng.next_u64() & 63) as u8).collect(),
        _ => bursts(rng),
    };
    let longest: u8 = [1, 4, 12, 40][rng.random_range(0..4)];
    let answers = (0..251)
        .map(|_| {
            let bits = rng.next_u64();
            let narrow = if scoped { bits & 3 != 0 } else { bits & 3 == 0 };
            let scope = if narrow { (bits >> 2) as u8 & 3 } else { 3 };
            Answer {
                apply: (bits >> 8) as u8 % longest,
                answer: (bits >> 16) as u8 % longest,
                scope,
                last: (bits >> 24) as u8 % if scoped { 2 * longest + 24 } else { 24 },
            }
        })
        .collect();
    let foreign = foreign(rng, ranges);
    // Every ready waits for its valid, all the time: a unit whose valid waits for ready never moves.
    if rng.random_ratio(1, 8) {
        stalls.resize(stalls.len().max(1), 0);
        stalls.iter_mut().for_each(|ports| *ports |= stall::SHY);
    }
    Schedule { stalls, answers, foreign, ..Schedule::default() }
}

/// Stalls that come back every few cycles, each port in a rhythm of its own: a unit whose turns change every cycle, taken
/// or not, may meet the same port in the same turn for ever.
pub fn regular(rng: &mut Source) -> Vec<u8> {
    let ports: Vec<(usize, usize)> = (0..6)
        .map(|_| [(1, 1), (2, 1), (3, 1), (3, 2), (4, 1), (4, 3), (6, 1), (12, 5)][rng.random_range(0..8)])
        .collect();
    let begin: Vec<usize> = ports.iter().map(|&(period, _)| rng.random_range(0..period)).collect();
    let stalls = |cycle: usize| {
        let stalls = |port: &usize| (cycle + begin[*port]) % ports[*port].0 >= ports[*port].1;
        (0..6).filter(stalls).fold(0, |all, port| all | 1 << port)
    };
    (0..12).map(stalls).collect()
}

/// Stalls in long stretches, of one port at a time.
fn bursts(rng: &mut Source) -> Vec<u8> {
    let mut stalls = Vec::with_capacity(PERIOD);
    let mut held = Vec::new();
    while stalls.len() < PERIOD {
        let ports = if rng.random() { 0 } else { 1 << rng.random_range(0..6) };
        let length = rng.random_range(1..48);
        if ports == stall::WB && length >= LONG {
            held.push(stalls.len()..stalls.len() + HELD);
        }
        stalls.extend(std::iter::repeat_n(ports, length));
    }
    // Long enough for the scratchpad to fill every buffer of its loads, whatever else stalls meanwhile.
    for cycles in held {
        stalls.iter_mut().take(cycles.end).skip(cycles.start).for_each(|ports| *ports |= stall::WB);
    }
    // Every port must be free in one cycle at least.
    stalls.push(0);
    stalls
}

/// Writes of another master, into the memory that the lanes use.
fn foreign(rng: &mut Source, ranges: &[Range]) -> Vec<Foreign> {
    if ranges.is_empty() || rng.random() {
        return Vec::new();
    }
    let mut cycle = 0;
    (0..24)
        .map(|_| {
            cycle += rng.random_range(1..120);
            let range = ranges[rng.random_range(0..ranges.len())];
            let addr = range.base + rng.random_range(0..range.size / 32) * 32;
            let mut bytes = vec![0; 32];
            rng.fill_bytes(&mut bytes);
            Foreign { cycle, addr, bytes, compare: None }
        })
        .collect()
}
