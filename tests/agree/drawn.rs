// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a campaign must draw, because a mistake could hide where it never does.

use std::collections::BTreeSet;

use gpu_lsu::{
    cosim::{
        case::Rate,
        stimulus::{self, BLOCK},
    },
    judge::log::{Event, Log},
    op::{ReqKind, Semantics, Shape},
    sets::Isa,
};

use crate::units::on_bench;

/// The log of a block.
fn played(isa: Isa, number: u64) -> Log {
    let shape = Shape::with_lanes(4);
    let case = stimulus::block(Some(isa), 1, number, &shape, BLOCK).case;
    on_bench(shape, |bench| {
        bench.run(&case).unwrap_or_else(|mismatch| panic!("{isa}, block {number}: {mismatch}"));
        bench.log().clone()
    })
}

/// A write is answered for wider and wider scopes, by steps of every size (PORT-RSP).
#[test]
fn further_answers_have_every_scope() {
    let mut steps = BTreeSet::new();
    for number in 0..7 {
        let log = played(Isa::Ptx, number);
        let mut scopes = [None; 64];
        for entry in log.entries() {
            if let Event::Response(number) = entry.event {
                let answer = log.responded(number);
                let scope = &mut scopes[usize::from(answer.id % 64)];
                steps.extend(scope.map(|before| (before, answer.scope)));
                *scope = (!answer.last).then_some(answer.scope);
            }
        }
    }
    assert_eq!(steps, BTreeSet::from([(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]));
}

/// A directed stream that keeps its rate has reads and writes, and one of pairs has second halves (PORT-RATE).
#[test]
fn rates_are_kept_beside_other_requests() {
    let kinds = |isa: Isa, number: u64| {
        assert!(stimulus::is_directed(Some(isa), number));
        let case = stimulus::block(Some(isa), 1, number, &Shape::with_lanes(4), BLOCK).case;
        assert!(case.rate.is_some(), "{isa}, block {number}");
        let log = played(isa, number);
        let requests = log.entries().iter().filter_map(|entry| match entry.event {
            Event::Request(number) => ReqKind::from_code(log.requested(number).kind),
            _ => None,
        });
        requests.fold([0; 4], |mut count, kind| {
            count[kind as usize] += 1;
            count
        })
    };
    // Streams 16, 18, 20 and 22 of loads and stores, 24 of pairs.
    for stream in [16, 18, 20, 22] {
        let count = kinds(Isa::Spa5, 8 * stream + 7);
        assert_eq!(count[ReqKind::Read as usize], count[ReqKind::Write as usize], "stream {stream}");
        assert!(count[ReqKind::Read as usize] >= 128, "stream {stream}");
    }
    let count = kinds(Isa::Sm5, 8 * 24 + 7);
    assert_eq!(count[ReqKind::ReadExclusive as usize], count[ReqKind::WriteExclusive as usize]);
    assert!(count[ReqKind::ReadExclusive as usize] >= 1000);
}

/// Loads and stores take turns in the scratchpad, too, and the unit keeps its rate (PORT-BANK).
#[test]
fn banks_serve_loads_and_stores_in_turn() {
    // Streams 15, 17, 19 and 21: a unit stride, and several words of one bank, that begin with loads or with stores.
    for stream in [15, 17, 19, 21] {
        let case = stimulus::block(Some(Isa::Spa5), 1, 8 * stream + 7, &Shape::with_lanes(4), BLOCK).case;
        assert!(matches!(case.rate, Some(Rate::Banks(_))), "stream {stream}: {:?}", case.rate);
        let turns = case.issues.windows(2).filter(|pair| pair[0].op.kind != pair[1].op.kind).count();
        assert!(turns > 200, "stream {stream}: {turns}");
        played(Isa::Spa5, 8 * stream + 7);
    }
}

/// Compare-and-stores meet on words of the scratchpad, and take a cycle each (PORT-BANK).
#[test]
fn lanes_meet_in_a_stream_of_compare_and_stores() {
    let number = 8 * 7 + 7;
    let case = stimulus::block(Some(Isa::Sm5), 1, number, &Shape::with_lanes(4), BLOCK).case;
    let Some(Rate::Banks(cost)) = case.rate else { panic!("{:?}", case.rate) };
    assert!(cost > 1);
    for issue in &case.issues {
        let words: BTreeSet<u32> = issue.lanes.addr[..4].iter().map(|words| words[0]).collect();
        assert_eq!(words.len() as u32, 4 / cost);
    }
    played(Isa::Sm5, number);
}

/// The unit runs empty again and again, and goes on (PORT-OP).
#[test]
fn operations_come_to_an_idle_unit() {
    for isa in Isa::ALL {
        let log = played(*isa, 8);
        let (mut taken, mut done, mut idle) = (0, 0, 0);
        for entry in log.entries() {
            match entry.event {
                Event::Op(_) => {
                    idle += u32::from(taken == done);
                    taken += 1;
                }
                Event::Done(_) => done += 1,
                _ => {}
            }
        }
        assert!(idle >= 128, "{isa}: {idle}");
    }
}

/// Operations that have no order carry one all the same (PTX-SEM is of stores of PTX alone).
#[test]
fn an_order_stands_where_none_is_due() {
    let shape = Shape::with_lanes(4);
    for isa in [Isa::Spa5, Isa::R700, Isa::Sm5] {
        let blocks = (0..7).map(|number| stimulus::block(Some(isa), 1, number, &shape, BLOCK).case);
        let orders: BTreeSet<u8> = blocks.flat_map(|case| case.issues).map(|issue| issue.op.attr.semantics).collect();
        for semantics in [Semantics::Release, Semantics::Mmio, Semantics::MmioRelease] {
            assert!(orders.contains(&(semantics as u8)), "{isa}: no {semantics:?}");
        }
    }
}
