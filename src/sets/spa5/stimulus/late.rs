// SPDX-License-Identifier: MIT OR Apache-2.0
//! A directed stream in which most warps wait for late answers, with many requests ready behind the one that waits. One
//! warp shares nothing with them, and must not notice (PORT-FAIR).

use super::{
    Source,
    rate::{GLOBAL, access, control},
};
use crate::{
    cosim::{
        case::{Answer, Case, Rate},
        stimulus::directed::directed,
    },
    op::{LaneMask, Shape},
    sets::spa5::Opcode,
};

/// Operations of a round: a store of each warp but one, and then loads of that one. Each warp has its turn to be the one.
const ROUND: u64 = 32;
/// Cycles to each answer: more than the loads would need if each gave way to all others.
const LATENCY: u8 = 144;

/// Makes a stream of rounds, up to an operation a cycle.
pub fn stream(rng: &mut Source, shape: &Shape, operations: u64) -> Case {
    let (line, warps, lanes) = (shape.line_bytes as u64, shape.warps as u64, shape.lanes as u64);
    let issue = |number: u64| {
        let (round, place) = (number / ROUND, number % ROUND);
        let apart = round % warps;
        if place >= warps - 1 {
            let ea = |lane: u64| GLOBAL + 0x8_0000 + (round * ROUND + place) * line + lane * 4 % line;
            return access(rng, Opcode::Ld, apart as u8, shape.lane_mask(), ea);
        }
        // The first store has one request, so that most ids are left to the loads.
        let active = if place == 0 { LaneMask::only(0) } else { shape.lane_mask() };
        // All stores meet in the first line, which they ask for first.
        let ea = |lane| GLOBAL + if lane == 0 { 0 } else { (1 + place * lanes + lane) * line };
        access(rng, Opcode::St, ((apart + 1 + place) % warps) as u8, active, ea)
    };
    let issues = (0..operations).map(issue).collect();
    let mut case = Case { rate: None, ..directed(rng, shape, control(shape), issues, Rate::Operations) };
    case.schedule.answers = vec![Answer { apply: 0, answer: LATENCY, scope: 3, last: 0 }];
    case
}
