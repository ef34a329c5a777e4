// SPDX-License-Identifier: MIT OR Apache-2.0
//! A directed stream in which most warps wait for late answers, with many requests ready behind the one that waits. One
//! warp shares nothing with them, and must not notice (PORT-FAIR).

use rand::Rng;

use super::{
    Source,
    rate::{GLOBAL, control},
};
use crate::{
    cosim::{
        case::{Answer, Case, Issue, Rate},
        stimulus::directed::directed,
    },
    op::{LaneMask, Lanes, MAX_LANES, Op, Shape},
    sets::{
        self,
        spa5::{self, Guard, Inst, Opcode},
    },
};

/// Operations of a round: a store of each warp but one, and then loads of that one. Each warp has its turn to be the one.
const ROUND: u64 = 32;
/// Cycles to each answer: more than the loads would need if each gave way to all others.
const LATENCY: u8 = 144;

/// Makes a stream of rounds, up to an operation a cycle.
pub fn stream(rng: &mut Source, shape: &Shape, operations: u64) -> Case {
    let line = shape.line_bytes as u64;
    let others = shape.warps as u64 - 1;
    let issues = (0..operations).map(|number| {
        let (round, place) = (number / ROUND, number % ROUND);
        let stores = place < others;
        let op = if stores { Opcode::St } else { Opcode::Ld };
        let inst = Inst { op, guard: Guard::ALWAYS, ra: 2, imm: 0, e: false, size: 4, cop: 0, plg: 7, rd: 4 };
        let Ok(lowered) = spa5::lower(&inst, 255) else { unreachable!("{inst} is legal") };
        // The first store has one request, so that most ids are left to the loads.
        let alone = stores && place == 0;
        let mut lanes = Lanes {
            active: if alone { LaneMask::only(0) } else { shape.lane_mask() },
            helper: LaneMask::NONE,
            predicate: LaneMask::ALL,
            addr: [[0; 3]; MAX_LANES],
        };
        for (lane, words) in (0..).zip(lanes.addr.iter_mut().take(shape.lanes)) {
            let ea = match (stores, lane) {
                // All stores meet in the first line, which they ask for first.
                (true, 0) => GLOBAL,
                (true, _) => GLOBAL + (1 + place * shape.lanes as u64 + lane) * line,
                (false, _) => GLOBAL + 0x8_0000 + (round * ROUND + place) * line + lane * 4 % line,
            };
            words[0] = ea as u32;
        }
        let mut data = vec![[0; MAX_LANES]; lowered.op.data_beats() as usize];
        for register in &mut data {
            register.iter_mut().for_each(|word| *word = rng.next_u64() as u32);
        }
        let warps = shape.warps as u64;
        let apart = round % warps;
        let warp = if stores { (apart + 1 + place) % warps } else { apart } as u8;
        Issue { op: Op { warp, ..lowered.op }, lanes, data, inst: Some(sets::Inst::Spa5(inst)) }
    });
    let issues = issues.collect();
    let mut case = Case { rate: None, ..directed(rng, shape, control(shape), issues, Rate::Operations) };
    case.schedule.answers = vec![Answer { apply: 0, answer: LATENCY, scope: 3, last: 0 }];
    case
}
