// SPDX-License-Identifier: MIT OR Apache-2.0
//! The environment of every directed stream: no stalls, and a memory whose latency is at most what the unit's ids can
//! cover (PORT-RATE).

use rand::{Rng, RngExt};

use super::Source;
use crate::{
    cosim::case::{Answer, Case, Issue, Rate, Schedule},
    op::{Ctrl, Shape},
};

/// The base-2 logarithm of the largest number of distinct words that one access can ask one bank of the scratchpad for.
pub fn most_conflicts(shape: &Shape) -> u32 {
    let rows = shape.shared_bytes / (4 * shape.lanes);
    shape.lanes.min(rows).ilog2()
}

/// The word of the scratchpad that a lane asks for in an operation that costs `cost` cycles. One bank is asked for that
/// many distinct words, each by one lane or several, depending on the operation's number (PORT-BANK).
pub fn conflict(lane: u64, number: u64, cost: u32, lanes: u64) -> u64 {
    let cost = u64::from(cost);
    // Lanes that share a word are neighbours, or as far apart as possible.
    let bits = lanes.ilog2();
    let turn = (number / 3 % u64::from(bits.max(1))) as u32;
    let lane = (lane << turn | lane >> (bits - turn)) & (lanes - 1);
    let lane = lane >> (number % u64::from((lanes / cost).ilog2() + 1));
    lane % cost * lanes + lane / cost
}

/// A case whose `issues` must keep `rate`.
pub fn directed(rng: &mut Source, shape: &Shape, ctrl: Ctrl, issues: Vec<Issue>, rate: Rate) -> Case {
    // A request holds its id from the cycle in which it is offered to the cycle of its answer, both inclusive.
    let most = (shape.pending as u8).saturating_sub(2);
    let latency = if rng.random() { most } else { rng.random_range(0..=most) };
    let answers = vec![Answer { apply: 0, answer: latency, scope: 3, last: 0 }];
    Case {
        shape: *shape,
        ctrl,
        memory_seed: rng.next_u64(),
        memory: Vec::new(),
        shared: Vec::new(),
        bus_errors: Vec::new(),
        issues,
        schedule: Schedule { answers, ..Schedule::default() },
        serial: false,
        flushes: Vec::new(),
        dirty_cycles: 0,
        // A unit with one id has no rate to keep: the id is in use from a request to its answer.
        rate: (shape.pending > 1).then_some(rate),
    }
}
