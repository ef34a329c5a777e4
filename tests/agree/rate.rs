// SPDX-License-Identifier: MIT OR Apache-2.0
//! PORT-RATE: with lines disjoint and PENDING at least the latency, a request a cycle, for ever.

use gpu_lsu::{
    clause::Clause,
    cosim::{
        Case,
        case::{Answer, Rate},
    },
    isa::spa5::Opcode,
    op::{Ctrl, Range, Shape},
};

use crate::units::{access, agree, built, case, run};

const OPERATIONS: u64 = 1500;
const GLOBAL: u64 = 0x10_0000;

/// One-line operations, or one line for each lane, of one warp or of several in turn; the lines never come again.
fn stream(op: Opcode, shape: &Shape, rate: Rate, warps: u64, latency: u8) -> Case {
    let (lanes, line) = (shape.lanes as u64, shape.line_bytes as u64);
    let operations = if rate == Rate::Requests { OPERATIONS / lanes } else { OPERATIONS };
    let issues = (0..operations).map(|number| {
        let place = |lane| match rate {
            Rate::Requests => GLOBAL + (number * lanes + lane) * line,
            _ => GLOBAL + number * line + 4 * lane,
        };
        let places: Vec<_> = (0..lanes).map(|lane| (place(lane), true)).collect();
        let mut issue = access(op, 4, number as u32, &places);
        issue.op.warp = (number % warps) as u8;
        issue
    });
    let mut ctrl = Ctrl::default();
    ctrl.alloc[0] = Range { base: GLOBAL, size: 0x10_0000 };
    let mut case = case(shape.lanes, ctrl, issues.collect());
    case.schedule.answers = vec![Answer { apply: 0, answer: latency, scope: 3, last: 0 }];
    case.rate = Some(rate);
    case
}

#[test]
fn streams_keep_their_rate_at_every_latency_that_pending_covers() {
    for shape in built() {
        // A request holds its id from the cycle in which it is offered to that of its answer, both included.
        let longest = shape.pending as u8 - 3;
        for (op, warps) in [(Opcode::Ld, 1), (Opcode::Ld, 8), (Opcode::St, 1), (Opcode::St, 8)] {
            for latency in [0, 1, longest / 2, longest] {
                for rate in [Rate::Operations, Rate::Requests] {
                    let case = stream(op, &shape, rate, warps, latency);
                    let lines = if rate == Rate::Requests { shape.lanes as u64 } else { 1 };
                    assert_eq!(agree(&case).requests, case.issues.len() as u64 * lines);
                }
            }
        }
    }
}

/// The judgement itself: no unit keeps the rate when answers take longer than it has ids for.
#[test]
fn a_longer_latency_breaks_the_rate() {
    for shape in built() {
        let mismatch = run(&stream(Opcode::Ld, &shape, Rate::Operations, 8, 2 * shape.pending as u8)).unwrap_err();
        assert_eq!((mismatch.clause, mismatch.op), (Clause::PortRate, None));
        assert_eq!(mismatch.expected, (OPERATIONS - 1).to_string());
        assert!(mismatch.actual.parse::<u64>().unwrap() >= OPERATIONS * 2);
    }
}
