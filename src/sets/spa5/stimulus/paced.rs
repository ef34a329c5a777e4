// SPDX-License-Identifier: MIT OR Apache-2.0
//! A directed stream of loads, more than there are ids for, with a memory that answers at an even pace. The ids that
//! come free must go to all warps, whatever the pace (PORT-FAIR).

use rand::RngExt;

use super::{
    Source,
    rate::{GLOBAL, access, control},
};
use crate::{
    cosim::{
        case::{Answer, Case, Rate, stall},
        stimulus::directed::directed,
    },
    op::Shape,
    sets::spa5::Opcode,
};

/// Lines of an operation, at most.
const LINES: u64 = 4;
/// Cycles from one answer to the next: at these, turns that go round in every cycle would meet the same warps again.
const PACES: [usize; 4] = [3, 4, 7, 8];

/// Makes a stream of loads by some of the warps in turn.
pub fn stream(rng: &mut Source, shape: &Shape, operations: u64) -> Case {
    let (line, lanes) = (shape.line_bytes as u64, shape.lanes as u64);
    let warps = rng.random_range(2..=4).min(shape.warps as u64);
    let issue = |number: u64| {
        let lines = LINES.min(lanes);
        let ea = |lane: u64| GLOBAL + (number * lines + lane * lines / lanes) * line + lane * 4 % line;
        access(rng, Opcode::Ld, (number % warps) as u8, shape.lane_mask(), ea)
    };
    let issues = (0..operations).map(issue).collect();
    let mut case = Case { rate: None, ..directed(rng, shape, control(shape), issues, Rate::Operations) };
    case.schedule.answers = vec![Answer { apply: 0, answer: 0, scope: 3, last: 0 }];
    case.schedule.stalls = vec![stall::RSP; PACES[rng.random_range(0..PACES.len())]];
    case.schedule.stalls[0] = 0;
    case
}
