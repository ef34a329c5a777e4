// SPDX-License-Identifier: MIT OR Apache-2.0
//! The environment of every directed stream: no stalls, and memory that answers each request as late as the unit's
//! ids allow (PORT-RATE).

use rand::{Rng, RngExt};

use super::Source;
use crate::{
    cosim::case::{Answer, Case, Issue, Rate, Schedule},
    op::{Ctrl, Shape},
};

/// The most distinct words that one bank of the scratchpad can be asked for at once, as a power of two's logarithm.
pub fn most_conflicts(shape: &Shape) -> u32 {
    let rows = shape.shared_bytes / (4 * shape.lanes);
    shape.lanes.min(rows).ilog2()
}

/// The word of the scratchpad that a lane asks for in an operation that costs `cost` cycles: one bank is asked for that
/// many distinct words, each by several lanes or by one, as the operation's number says (PORT-BANK).
pub fn conflict(lane: u64, number: u64, cost: u32, lanes: u64) -> u64 {
    let cost = u64::from(cost);
    // Those that share a word are neighbours, or stand as far apart as lanes can.
    let bits = lanes.ilog2();
    let turn = (number / 3 % u64::from(bits.max(1))) as u32;
    let lane = (lane << turn | lane >> (bits - turn)) & (lanes - 1);
    let lane = lane >> (number % u64::from((lanes / cost).ilog2() + 1));
    lane % cost * lanes + lane / cost
}

/// A case in which `issues` must keep `rate`.
pub fn directed(rng: &mut Source, shape: &Shape, ctrl: Ctrl, issues: Vec<Issue>, rate: Rate) -> Case {
    // A request holds its id from the cycle in which it is offered to the cycle of its answer, both included.
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
        // With one id there is no rate to keep: it is taken from the request to its answer.
        rate: (shape.pending > 1).then_some(rate),
    }
}
