// SPDX-License-Identifier: MIT OR Apache-2.0
//! The bench must find every planted fault of faults.txt, under the clause that the fault breaks, and nothing in the
//! copy of the unit in which no fault is chosen.
//!
//! `cargo test --release --features planted-faults --test harness`

#[path = "../support/changes.rs"]
mod changes;
mod missing;

use std::{num::NonZero, sync::atomic::AtomicBool};

use changes::changes;
use gpu_lsu::{
    clause::Clause,
    cosim::{
        Bench, Case, Mismatch,
        campaign::{Budget, Campaign, Outcome},
        play, waves,
    },
    dut::DutError,
    isa::Isa,
    judge::{Judge, log::lines::Reader},
    op::Shape,
    program::Program,
};

const FAULTS: &str = include_str!("faults.txt");
const LANES: usize = 4;
/// Operations within which a fault must show.
const OPERATIONS: u64 = 40_000;
/// GPU_LSU_SEED asks with another one; a few faults are then named after a neighbouring rule.
const SEED: u64 = 1;

fn seed() -> u64 {
    std::env::var("GPU_LSU_SEED").map_or(SEED, |seed| seed.parse().unwrap_or_else(|_| panic!("GPU_LSU_SEED={seed}")))
}

struct Planted {
    number: u16,
    clause: Clause,
    title: &'static str,
}

fn planted() -> impl Iterator<Item = Planted> {
    FAULTS.split("\n## ").skip(1).map(|fault| {
        let title = fault.lines().next().unwrap_or_default();
        let mut words = title.split_whitespace();
        let mut word = || words.next().unwrap_or_default();
        let number = word().parse().unwrap_or_else(|error| panic!("`{title}`: {error}"));
        let clause = word().parse().unwrap_or_else(|error| panic!("`{title}`: {error}"));
        Planted { number, clause, title }
    })
}

fn campaign(isa: Option<Isa>, fault: u16, allowed_sets: bool) -> Result<Outcome, DutError> {
    let (budget, jobs) = (Budget::Operations(OPERATIONS), NonZero::<usize>::MIN);
    let campaign = Campaign { isa, seed: seed(), lanes: LANES, budget, jobs, allowed_sets };
    campaign.run_on(&|| Bench::planted(fault), &|_| {}, &AtomicBool::new(false))
}

#[test]
fn without_a_fault_the_copy_agrees() -> Result<(), DutError> {
    let outcome = campaign(None, 0, false)?;
    if let Some(failure) = outcome.failure {
        panic!("block {}: {}", failure.block, failure.mismatch);
    }
    assert!(outcome.figures.comparisons > 0);
    Ok(())
}

#[test]
fn every_planted_fault_is_found_under_its_clause() -> Result<(), DutError> {
    let (mut wrong, mut unclear, mut right) = (Vec::new(), 0, 0);
    for (Planted { number, clause, title }, expected) in planted().zip(1..) {
        assert_eq!(number, expected, "faults.txt numbers its faults from 1");
        let named = Isa::ALL.iter().copied().find(|isa| title.contains(&format!("[{isa}]")));
        let isa = named.unwrap_or(Isa::Spa5);
        match campaign(Some(isa), number, false)?.failure {
            Some(failure) if failure.mismatch.clause == clause => {
                println!("{title}\n    block {}: {}", failure.block, failure.mismatch);
                *if failure.mismatch.or.is_empty() { &mut right } else { &mut unclear } += 1;
                if let Some(other) = told_by_a_log(number, &failure.case, clause)? {
                    wrong.push(format!("{title}\n    its log tells {other}"));
                }
            }
            Some(failure) => wrong.push(format!("{title}\n    block {}: {}", failure.block, failure.mismatch)),
            None => wrong.push(format!("{title}\n    not found in {OPERATIONS} operations")),
        }
    }
    println!("{right} named right, {unclear} beside others");
    assert!(wrong.is_empty(), "{} faults are missed or misnamed:\n{}", wrong.len(), wrong.join("\n"));
    Ok(())
}

/// Writes down what the unit does with the fault, and judges what was written: what that tells, if it is not the same.
fn told_by_a_log(fault: u16, case: &Case, clause: Clause) -> Result<Option<String>, DutError> {
    let mut bench = Bench::planted(fault)?;
    // What a scratchpad holds that nobody has stored to depends on the cases before.
    let mismatch = &*bench.run(case).unwrap_err();
    assert_eq!(mismatch.clause, clause);
    let mut text = Vec::new();
    bench.write_log(case, None, String::new(), &mut text).unwrap();
    let records: Vec<_> = Reader::new(&text[..]).unwrap().collect();
    let [Ok(record)] = &records[..] else { panic!("one run was written") };
    let judged = record.judge(&mut Judge::new(&bench.shape()), false);
    // A log does not say that it is a directed stream.
    let rates = [Clause::PortRate, Clause::PortBank].contains(&mismatch.clause);
    Ok(match judged {
        Ok(_) if rates && case.rate.is_some() => None,
        Ok(_) => Some("no mismatch".to_owned()),
        Err(told) => {
            // Operations and cycles count from the beginning, with what prepares the case.
            let text = |m: &Mismatch| {
                let counts = |text: &str| text.contains("peration") || text.contains("cycle");
                [&m.expected, &m.actual]
                    .map(|text| text.clone())
                    .map(|text| if counts(&text) { String::new() } else { text })
            };
            let key = |m: &Mismatch| (m.clause, m.or.clone(), m.field.clone(), m.lane, text(m));
            (key(&told) != key(mismatch)).then(|| told.to_string())
        }
    })
}

/// Where Direct3D leaves a choice a unit may choose otherwise: lanes in descending order are a fault of this one, and
/// right for `--allowed-sets`. What no choice covers is found all the same.
#[test]
fn allowed_sets_excuse_choices_alone() -> Result<(), DutError> {
    let of = |title: &str| {
        let fault = planted().find(|fault| fault.title.contains(title));
        fault.unwrap_or_else(|| panic!("no fault `{title}`")).number
    };
    for title in ["lanes act in descending order", "in the scratchpad lanes come in descending order"] {
        assert!(campaign(Some(Isa::Sm5), of(title), false)?.failure.is_some(), "{title}");
        if let Some(failure) = campaign(Some(Isa::Sm5), of(title), true)?.failure {
            panic!("{title}: block {}: {}", failure.block, failure.mismatch);
        }
    }
    for title in ["no lane sees what a lower one stored", "a lane stores whatever it finds", "a refused write is made"]
    {
        assert!(campaign(Some(Isa::Sm5), of(title), true)?.failure.is_some(), "{title}");
    }
    if let Some(failure) = campaign(None, 0, true)?.failure {
        panic!("block {}: {}", failure.block, failure.mismatch);
    }
    Ok(())
}

/// Where the unit offers something else than a pair's next half, the wave shows beside it which half was to come.
#[test]
fn a_wave_shows_the_half_that_was_to_come() {
    let title = "a refused write is made again without its read";
    let fault = planted().find(|fault| fault.title.contains(title)).unwrap().number;
    let failure = campaign(Some(Isa::Sm5), fault, false).unwrap().failure.unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("wave.vcd");
    let mismatch = waves::run(&mut Bench::planted(fault).unwrap(), &failure.case, &path).unwrap().unwrap_err();
    assert_eq!(*mismatch, failure.mismatch);

    let mut wave = wellen::simple::read(&path).unwrap();
    // What stands in the cycle of the mismatch.
    let mut at = |path: &str| {
        let changes = changes(&mut wave, path);
        changes.iter().take_while(|(time, _)| *time <= 10 * mismatch.cycle).last().unwrap().1.clone()
    };
    assert_eq!(["diff.mismatch", "ref.req.valid", "ref.req.write"].map(&mut at), ["1", "1", "0"]);
    assert!(at("top.mem_req_kind_o").ends_with('1'), "a write");
}

/// A unit that asks for its line again and again where any content is right moves, but comes to no end.
#[test]
fn a_livelock_is_no_progress() {
    let title = "a line is asked for again though it was answered";
    let fault = planted().find(|fault| fault.title.contains(title)).unwrap().number;
    // Lane 1 is past the stride: the whole u# may hold anything.
    let program = "isa sm5\nlanes 4\nuav 0 structured 0x1000 0x60 24\nmemory 0x1000: .word 0\nactive = 3\n\
                   r0.y = [0, 24]\natomic_cmp_store u0, r0.xyxx, l(0), l(1)\n";
    let program = Program::parse("livelock.lsu", program).unwrap();
    let case = play::case(&program, &Shape::with_lanes(LANES));
    let mut bench = Bench::planted(fault).unwrap();
    assert_eq!(bench.run(&case).unwrap_err().clause, Clause::PortCas);
    bench.allow_sets(true);
    let mismatch = bench.run(&case).unwrap_err();
    assert_eq!((mismatch.clause, mismatch.field.event.as_str()), (Clause::PortProgress, "no operation was done"));
    let mut bench = Bench::planted(0).unwrap();
    bench.allow_sets(true);
    bench.run(&case).unwrap();
}
