// SPDX-License-Identifier: MIT OR Apache-2.0
//! A directed stream in which most warps load from one line again and again, as if they waited for what it says. One
//! warp stores to it, and must get its turn although some load is always in flight (PORT-FAIR).

use super::{
    Source,
    rate::{GLOBAL, access, control},
};
use crate::{
    cosim::{
        case::{Answer, Case, Rate},
        stimulus::directed::directed,
    },
    op::Shape,
    sets::spa5::Opcode,
};

/// Operations of a round. Each round has a line, and a warp that stores to it.
const ROUND: u64 = 80;
/// The place of the store in its round: behind so many loads.
const STORE: u64 = 8;
/// Cycles to each answer: longer than from load to load.
const LATENCY: u8 = 3;

/// Makes a stream of rounds, up to an operation a cycle.
pub fn stream(rng: &mut Source, shape: &Shape, operations: u64) -> Case {
    let (line, warps) = (shape.line_bytes as u64, shape.warps as u64);
    let issue = |number: u64| {
        let (round, place) = (number / ROUND, number % ROUND);
        let apart = round % warps;
        let ea = |lane: u64| GLOBAL + round * line + lane * 4 % line;
        let other = apart + 1 + place % (warps - 1).max(1);
        match place {
            STORE => access(rng, Opcode::St, apart as u8, shape.lane_mask(), ea),
            _ => access(rng, Opcode::Ld, (other % warps) as u8, shape.lane_mask(), ea),
        }
    };
    let issues = (0..operations).map(issue).collect();
    let mut case = Case { rate: None, ..directed(rng, shape, control(shape), issues, Rate::Operations) };
    case.schedule.answers = vec![Answer { apply: 0, answer: LATENCY, scope: 3, last: 0 }];
    case
}
