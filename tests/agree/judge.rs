// SPDX-License-Identifier: MIT OR Apache-2.0
//! No log makes the judge panic: a randomly damaged log is judged to its end or to its first divergence.

use gpu_lsu::{
    clause::Clause,
    cosim::stimulus,
    judge::{
        Figures, Judge, Mismatch, Trial,
        log::{
            Happened, Log, Offer,
            lines::{Header, Record},
        },
    },
    op::{Ctrl, LaneMask, Shape},
    sets::Isa,
    wave::page::{self, Run, Watched},
};
use rand::{Rng, RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus as Source;

use crate::units;

/// Damaged logs for each set and each number of lanes.
const LOGS: u64 = 300;

/// A number with some bits wrong, or all of them.
fn wrong(rng: &mut Source, bits: u32) -> u64 {
    let mask = u64::MAX >> (64 - bits);
    mask & match rng.random_range(0..3) {
        0 => 1 << rng.random_range(0..bits),
        1 => rng.next_u64() & rng.next_u64(),
        _ => rng.next_u64(),
    }
}

/// A copy of the log in which one event in `rare` is lost, doubled, exchanged or changed.
fn damage(rng: &mut Source, log: &Log, rare: u32) -> Log {
    let mut out = Log::default();
    let mut late = None;
    for (cycle, happened) in log.since(0) {
        let hit = rng.random_ratio(1, rare);
        let what = if hit { rng.random_range(0..8) } else { 9 };
        let times = match what {
            0 => 0,
            1 => 2,
            _ => 1,
        };
        if what == 2 && late.is_none() {
            late = Some(happened);
            continue;
        }
        let again = if what == 3 { late.take() } else { None };
        for mut happened in std::iter::repeat_n(happened, times).chain(again) {
            change(rng, &mut happened, what);
            out.extend([(cycle, happened)]);
        }
    }
    out
}

/// Changes an event, in one of four ways, numbered from 4.
fn change(rng: &mut Source, happened: &mut Happened, what: u32) {
    match happened {
        Happened::Op(op) => match what {
            4 => op.0.tag ^= wrong(rng, 8) as u8,
            5 => op.0.kind ^= wrong(rng, 2) as u8,
            6 => op.0.element_mask ^= wrong(rng, 8) as u8,
            7 => op.1.active ^= LaneMask::from_bits(wrong(rng, 32) as u32),
            _ => {}
        },
        Happened::Request(seen) => match what {
            4 => seen.id ^= wrong(rng, 6) as u8,
            5 => seen.line ^= wrong(rng, 40),
            6 => seen.byte_enable ^= u128::from(wrong(rng, 64)) << rng.random_range(0..64),
            7 => match rng.random_range(0..6) {
                0 => seen.kind ^= wrong(rng, 2) as u8,
                1 => seen.tag ^= wrong(rng, 8) as u8,
                2 => seen.group ^= wrong(rng, 4) as u8,
                3 => seen.space ^= wrong(rng, 4) as u8,
                4 => seen.attr[0] ^= wrong(rng, 32) as u32,
                _ => seen.data[rng.random_range(0..128)] ^= wrong(rng, 8) as u8,
            },
            _ => {}
        },
        Happened::Applied(number, made) => {
            *number ^= u32::from(what == 4);
            *made ^= what == 5;
        }
        Happened::Response(response) => match what {
            4 => response.id ^= wrong(rng, 6) as u8,
            5 => response.error ^= true,
            6 => response.exclusive_failed ^= true,
            7 => response.last ^= true,
            _ => {}
        },
        Happened::Beat(beat) => match what {
            4 => beat.register ^= wrong(rng, 6) as u8,
            5 => beat.mask ^= LaneMask::from_bits(wrong(rng, 32) as u32),
            6 => beat.tag ^= wrong(rng, 8) as u8,
            7 => beat.data[rng.random_range(0..32)] ^= wrong(rng, 32) as u32,
            _ => {}
        },
        Happened::Done(done) => match what {
            4 => done.tag ^= wrong(rng, 8) as u8,
            5 => done.warp ^= wrong(rng, 3) as u8,
            6 | 7 => done.faults[rng.random_range(0..32)] ^= wrong(rng, 3) as u8,
            _ => {}
        },
        Happened::Offer(offer) if what == 4 => match offer {
            Offer::Request(seen) => seen.id ^= 1,
            Offer::Beat(beat) => beat.mask ^= LaneMask::only(0),
            Offer::Done(done) => done.tag ^= 1,
        },
        _ => {}
    }
}

/// A log that stops while an operation is in flight does not agree.
#[test]
fn a_log_that_just_stops_does_not_agree() {
    let shape = Shape::with_lanes(32);
    let case = stimulus::block(Some(Isa::Spa5), 1, 0, &shape, 40).case;
    let log = units::on_bench(Shape::with_lanes(32), |bench| {
        bench.run(&case).unwrap_or_else(|mismatch| panic!("{mismatch}"));
        bench.log().clone()
    });
    let mut cut = Log::default();
    let op = log.issues().first().unwrap();
    cut.op(0, &op.op, &op.lanes, op.inst);
    let (contract, memory) = (case.contract(), || case.start());
    let trial = Trial { contract: &contract, memory: &memory, counts: false, histories: true };
    let mismatch = Judge::new(&shape).judge(&trial, &cut, None).unwrap_err();
    assert_eq!((mismatch.clause, mismatch.op), (Clause::PortProgress, Some(0)));
}

/// The order in which memory served the requests explains histories of many lanes on few dwords, for which a search
/// gives up.
#[test]
fn sm5_histories_are_settled_by_what_memory_did() {
    let shape = Shape::with_lanes(32);
    let figures = units::on_bench(shape, |bench| {
        (0..10).fold(Figures::default(), |mut all, number| {
            let case = stimulus::block(Some(Isa::Sm5), 1, number, &shape, stimulus::BLOCK).case;
            all += bench.run(&case).unwrap_or_else(|mismatch| panic!("{mismatch}"));
            all
        })
    });
    assert!(figures.histories > 400 && figures.histories_unsettled == 0, "{figures:?}");
}

/// Every log has a page.
fn page(shape: &Shape, ctrl: Ctrl, log: &Log, watched: &Watched<'_>, verdict: &Result<Figures, Box<Mismatch>>) {
    let mut log = log.clone();
    log.begins_with(ctrl);
    let record = Record { header: Header::new(*shape), log, line: 0, left_out: Vec::new() };
    let run = Run { name: "a damaged log", record: &record, verdict, coverage: &[], not_judged: &[], look: &[] };
    let mut out = Vec::new();
    page::write(&run, watched, &mut out).unwrap();
    let text = String::from_utf8(out).unwrap();
    let (_, rest) = text.split_once("id=\"data\">").unwrap();
    let data: serde_json::Value = serde_json::from_str(rest.split_once("</script>").unwrap().0).unwrap();
    assert_eq!(data["mismatch"].is_null(), verdict.is_ok());
}

/// Judges a log that comes in blocks, as it does from a player of a unit.
fn in_blocks(judge: &mut Judge, trial: &Trial<'_>, log: &Log, rng: &mut Source) -> Result<Figures, Box<Mismatch>> {
    let trial = Trial { histories: trial.histories && log.is_timed(), ..*trial };
    let mut hearing = judge.hear(&trial, None, log.unseen());
    let mut happened = log.since(0);
    let mut heard = Log::default();
    while !happened.is_empty() {
        let block = happened.len().min(rng.random_range(1..40));
        heard.extend(happened.drain(..block));
        hearing.go_on(&heard, None)?;
    }
    hearing.end(&heard, None)
}

#[test]
fn no_log_makes_the_judge_panic() {
    for (lanes, isa) in [(32, None), (4, None)].into_iter().chain(Isa::ALL.iter().map(|&isa| (32, Some(isa)))) {
        let shape = Shape::with_lanes(lanes);
        if !gpu_lsu::dut::built().contains(&shape) {
            continue;
        }
        let [mut judge, mut other] = [Judge::new(&shape), Judge::new(&shape)];
        let mut diverged = 0;
        for number in 0..LOGS {
            // Every fourth block without a set has all sets; 80 operations reach all ports.
            let case = stimulus::block(isa, 77, number % 16 * 5 + 4, &shape, 80).case;
            let mut rng = Source::seed_from_u64(number);
            let rare = [20, 200, 2000][number as usize % 3];
            let damaged = units::on_bench(shape, |bench| {
                bench.run(&case).unwrap_or_else(|mismatch| panic!("block {number}: {mismatch}"));
                damage(&mut rng, bench.log(), rare)
            });
            let mut contract = case.contract();
            if number % 4 == 0 {
                contract.promises.lane_order = gpu_lsu::judge::promises::LaneOrder::Any;
            }
            let memory = || case.start();
            let trial = Trial { contract: &contract, memory: &memory, counts: true, histories: true };
            let mut watched = Watched::new(&damaged);
            let verdict = judge.judge(&trial, &damaged, Some(&mut watched));
            diverged += u64::from(verdict.is_err());
            match (&verdict, in_blocks(&mut other, &trial, &damaged, &mut rng)) {
                (Ok(figures), Ok(same)) => assert_eq!(*figures, same),
                // The name of the mismatch may depend on what comes later.
                (Err(mismatch), Err(same)) => assert_eq!((mismatch.cycle, mismatch.op), (same.cycle, same.op)),
                (_, other) => panic!("block {number}: {verdict:?} of the whole, in blocks {other:?}"),
            }
            if number % 4 == 1 {
                page(&shape, case.ctrl, &damaged, &watched, &verdict);
            }
        }
        assert!(diverged > LOGS / 2, "{diverged} of {LOGS} logs diverged");
    }
}
