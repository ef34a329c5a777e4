// SPDX-License-Identifier: MIT OR Apache-2.0
//! PORT-RATE: with disjoint lines and PENDING at least the latency, one request per cycle, for ever. PORT-BANK: the
//! cost of the busiest bank, and no more. PORT-PROGRESS in a full unit.

use gpu_lsu::{
    clause::Clause,
    cosim::{
        Case,
        case::{Answer, Rate, stall},
        stimulus,
    },
    judge::log::Event,
    op::{Ctrl, Range, Shape},
    sets::{Isa, spa5::Opcode},
};

use crate::units::{access, agree, all, built, case, on_bench, run};

const OPERATIONS: u64 = 1500;
const GLOBAL: u64 = 0x10_0000;

/// One-line operations, or operations with a line for each lane, of one warp or of several in turn; no line comes
/// twice.
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
        issue.op.warp = (number % warps.min(shape.warps as u64)) as u8;
        issue
    });
    let mut ctrl = Ctrl::default();
    ctrl.alloc[0] = Range { base: GLOBAL, size: 0x10_0000 };
    let mut case = case(*shape, ctrl, issues.collect());
    case.schedule.answers = vec![Answer { apply: 0, answer: latency, scope: 3, last: 0 }];
    case.rate = Some(rate);
    case
}

#[test]
fn streams_keep_their_rate_at_every_latency_that_pending_covers() {
    for shape in all() {
        // A request holds its id from the cycle in which it is offered to that of its answer, both included.
        let longest = shape.pending as u8 - 2;
        for (op, warps) in [(Opcode::Ld, 1), (Opcode::Ld, 8), (Opcode::St, 1), (Opcode::St, 8)] {
            for latency in [0, 1.min(longest), longest / 2, longest] {
                for rate in [Rate::Operations, Rate::Requests] {
                    let case = stream(op, &shape, rate, warps, latency);
                    let lines = if rate == Rate::Requests { shape.lanes as u64 } else { 1 };
                    assert_eq!(agree(&case).requests, case.issues.len() as u64 * lines);
                }
            }
        }
    }
}

/// A test of the judgement: no unit keeps the rate if answers take longer than it has ids for.
#[test]
fn a_longer_latency_breaks_the_rate() {
    for shape in all() {
        let mismatch = run(&stream(Opcode::Ld, &shape, Rate::Operations, 8, 2 * shape.pending as u8)).unwrap_err();
        assert_eq!((mismatch.clause, mismatch.op), (Clause::PortRate, None));
        assert_eq!(mismatch.expected, (OPERATIONS - 1).to_string());
        assert!(mismatch.actual.parse::<u64>().unwrap() >= OPERATIONS * 2);
    }
}

#[test]
fn scratchpad_accesses_cost_what_their_busiest_bank_does() {
    const SHARED: u64 = 0x100_0000;
    let ctrl = Ctrl { shared_window: Range { base: SHARED, size: 0x1000 }, shared_size: 0x1000, ..Ctrl::default() };
    for shape in built() {
        let lanes = shape.lanes as u64;
        // First unit strides, with as many cycles as registers; then `cost` words in each of some banks.
        let mut streams: Vec<(u8, u64, Vec<u64>)> = Vec::new();
        for (size, bytes, cost) in [(0, 1, 1), (2, 2, 1), (4, 4, 1), (5, 8, 2), (6, 16, 4)] {
            streams.push((size, cost, (0..lanes).map(|lane| lane * bytes).collect()));
        }
        for cost in (0..=lanes.ilog2()).map(|log| 1 << log) {
            streams.push((4, cost, (0..lanes).map(|lane| (lane % cost * lanes + lane / cost) * 4).collect()));
            // The last bytes of the same words, from the highest bank down.
            streams.push((
                0,
                cost,
                (0..lanes).map(|lane| (lane % cost * lanes + lanes - 1 - lane / cost) * 4 + 3).collect(),
            ));
        }
        for (size, cost, offsets) in streams {
            for op in [Opcode::Ld, Opcode::St] {
                let places: Vec<_> = offsets.iter().map(|offset| (SHARED + offset, false)).collect();
                let mut case = case(shape, ctrl, (0..100).map(|salt| access(op, size, salt, &places)).collect());
                case.rate = Some(Rate::Banks(cost as u32));
                agree(&case);
            }
        }
    }
}

/// Loads of what is not allocated access nothing, and their registers come one a cycle.
#[test]
fn registers_that_are_filled_come_one_a_cycle() {
    for shape in built() {
        for (size, registers) in [(4, 1), (5, 2), (6, 4)] {
            let issue = |number: u64| {
                let places: Vec<_> = (0..shape.lanes as u64).map(|lane| (GLOBAL + 16 * lane, true)).collect();
                let mut issue = access(Opcode::Ld, size, 0, &places);
                issue.op.warp = (number % shape.warps as u64) as u8;
                issue
            };
            agree(&case(shape, Ctrl::default(), (0..300).map(issue).collect()));
            let cycles: Vec<_> = on_bench(shape, |bench| {
                let beats = bench.log().entries().iter().filter(|entry| matches!(entry.event, Event::Beat(_)));
                beats.map(|entry| entry.cycle).collect()
            });
            assert_eq!(cycles.len(), 300 * registers, "{shape}");
            assert_eq!(cycles[cycles.len() - 1] - cycles[0] + 1, cycles.len() as u64, "{shape}, {registers} registers");
        }
    }
}

/// Bursts of one line each, of a line for each lane, and of whole lines; of one warp and of several in turn.
#[test]
fn bursts_keep_their_rate_at_every_latency_that_pending_covers() {
    for shape in all() {
        let longest = shape.pending as u8 - 2;
        for which in 0..16 {
            let mut case = stimulus::block(Some(Isa::R700), which, 8 * which + 7, &shape, 200).case;
            assert!(matches!(case.rate, Some(Rate::Operations | Rate::Requests)));
            for latency in [0, 1.min(longest), longest / 2, longest] {
                case.schedule.answers[0].answer = latency;
                agree(&case);
            }
        }
    }
}

/// Stores of PTX: one-line operations, a line for each lane, and the scratchpad's banks up to 256 bits.
#[test]
fn ptx_stores_keep_their_rate() {
    for shape in all() {
        let longest = shape.pending as u8 - 2;
        let mut rates = 0;
        for which in 0..24 {
            let mut case = stimulus::block(Some(Isa::Ptx), which, 8 * which + 7, &shape, 200).case;
            if case.rate.is_none() {
                // Mmio and releases keep no rate.
                agree(&case);
                continue;
            }
            rates += 1;
            for latency in [0, longest] {
                case.schedule.answers[0].answer = latency;
                agree(&case);
            }
        }
        assert_eq!(rates, 16);
    }
}

/// One port is stalled until everything inside is full.
#[test]
fn a_unit_that_is_full_goes_on() {
    for shape in built() {
        let places: Vec<_> = (0..shape.lanes as u64).map(|lane| (GLOBAL + 4 * lane, true)).collect();
        for port in [stall::REQ, stall::RSP, stall::WB, stall::DONE, stall::DATA] {
            let mut ctrl = Ctrl::default();
            ctrl.alloc[0] = Range { base: GLOBAL, size: 0x80 };
            let issue = |number: u32| {
                let op = if number.is_multiple_of(3) { Opcode::St } else { Opcode::Ld };
                let mut issue = access(op, 4, number, &places);
                issue.op.warp = (number % 8) as u8;
                issue
            };
            let mut case = case(shape, ctrl, (0..400).map(issue).collect());
            case.schedule.stalls = vec![port; 700];
            case.schedule.stalls.extend([0; 300]);
            agree(&case);
        }
    }
}

/// One warp waits for its answer while the others go far ahead of it.
#[test]
fn a_slow_answer_finds_its_operation() {
    for shape in built() {
        let mut ctrl = Ctrl::default();
        ctrl.alloc[0] = Range { base: GLOBAL, size: 0x10_0000 };
        let issue = |number: u64| {
            let mut issue = access(Opcode::Ld, 4, 0, &[(GLOBAL + number * shape.line_bytes as u64, true)]);
            issue.op.warp = if number == 0 { 0 } else { 1 + (number % 7) as u8 };
            issue
        };
        let mut case = case(shape, ctrl, (0..300).map(issue).collect());
        let eager = Answer { apply: 0, answer: 0, scope: 3, last: 0 };
        case.schedule.answers = vec![eager; 300];
        case.schedule.answers[0] = Answer { apply: u8::MAX, answer: u8::MAX, ..eager };
        agree(&case);
    }
}

/// The unit takes 16 data beats before their operations, and no more (docs/integration.md).
#[test]
fn sixteen_data_beats_may_come_first() {
    for shape in all() {
        let place = |lane: u64| (GLOBAL + 16 * lane, true);
        let store = |number| access(Opcode::St, 6, number, &(0..shape.lanes as u64).map(place).collect::<Vec<_>>());
        let mut ctrl = Ctrl::default();
        ctrl.alloc[0] = Range { base: GLOBAL, size: 0x10_0000 };
        let mut case = case(shape, ctrl, (0..8).map(store).collect());
        case.schedule.stalls = [vec![stall::OP; 40], vec![0; 400]].concat();
        agree(&case);
        let first = on_bench(shape, |bench| {
            let events = bench.log().entries().iter().map(|entry| entry.event);
            events
                .take_while(|event| !matches!(event, Event::Op(_)))
                .filter(|event| matches!(event, Event::Data(_)))
                .count()
        });
        assert_eq!(first, 16, "{shape}");
    }
}

/// A store is done two cycles after its last answer.
#[test]
fn the_last_answer_ends_a_store_at_once() {
    for shape in all() {
        let mut ctrl = Ctrl::default();
        ctrl.alloc[0] = Range { base: GLOBAL, size: 0x10_0000 };
        let line = |lane: u64| (GLOBAL + lane * shape.line_bytes as u64, true);
        let store = access(Opcode::St, 4, 0, &(0..shape.lanes as u64).map(line).collect::<Vec<_>>());
        let mut case = case(shape, ctrl, vec![store]);
        case.schedule.answers = vec![Answer { apply: 0, answer: 20, scope: 3, last: 0 }];
        agree(&case);
        on_bench(shape, |bench| {
            let cycle = |is: fn(&Event) -> bool| {
                bench.log().entries().iter().rfind(|entry| is(&entry.event)).map(|entry| entry.cycle)
            };
            let answered = cycle(|event| matches!(event, Event::Response(_))).unwrap();
            assert_eq!(cycle(|event| matches!(event, Event::Done(_))), Some(answered + 2), "{shape}");
        });
    }
}
