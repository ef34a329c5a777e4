// SPDX-License-Identifier: MIT OR Apache-2.0
//! How fast the bench is, as ratios: each figure is measured beside its reference, in turn, in one run.
//!
//! `cargo bench --bench rates` prints the table; `-- --rounds N --blocks N` changes how much is measured, and `--isa sm5`
//! of what. Figures are medians over the rounds.

use std::{
    hint::black_box,
    num::NonZero,
    path::Path,
    sync::atomic::AtomicBool,
    time::{Duration, Instant},
};

use gpu_lsu::{
    cosim::{
        Bench, Case,
        campaign::{Budget, Campaign},
        stimulus::{self, BLOCK},
        waves,
    },
    dut::Dut,
    isa::Isa,
    model::{self, Memory, Plan, cas::second_half},
    op::{MAX_REGISTERS, ReqKind, Shape},
};

const SEED: u64 = 1;
const LANES: usize = 32;

fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let start = Instant::now();
    let result = work();
    (result, start.elapsed())
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn argument(name: &str, default: u64) -> u64 {
    let mut args = std::env::args().skip_while(|arg| arg != name);
    args.nth(1).and_then(|value| value.parse().ok()).unwrap_or(default)
}

/// The model's part of the work: plans, requests applied to memory, registers loaded.
fn model_alone(shape: &Shape, cases: &[Case]) {
    let mut plan = Plan::default();
    let mut registers = [[0; 32]; MAX_REGISTERS];
    for case in cases {
        let mut memory = Memory::new(case.memory_seed);
        for issue in &case.issues {
            model::plan(shape, &case.ctrl, &issue.op, &issue.lanes, &issue.data, &mut plan);
            for (index, request) in plan.requests.iter().enumerate() {
                let line = memory.read_line(request.line);
                match request.kind {
                    ReqKind::Write => memory.write(request.line, request.byte_enable, &request.data),
                    ReqKind::Read => model::load(shape, &issue.op, &plan, index, &line, &mut registers),
                    ReqKind::ReadExclusive | ReqKind::WriteExclusive => {
                        let half = second_half(&plan, request, &issue.data, &line);
                        memory.write(request.line, half.byte_enable, &half.data);
                    }
                }
            }
            black_box(&registers);
        }
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let rounds = argument("--rounds", 7);
    let blocks = argument("--blocks", 96);
    let named = std::env::args().skip_while(|arg| arg != "--isa").nth(1);
    let isa = named.map_or(Some(Isa::Spa5), |name| Isa::ALL.iter().copied().find(|isa| isa.name() == name));
    let isa = isa.ok_or("--isa: no such instruction set")?;
    let shape = Shape::with_lanes(LANES);
    let mut bench = Bench::new(LANES)?;
    let mut dut = Dut::new(LANES)?;

    let make =
        || -> Vec<Case> { (0..blocks).map(|n| stimulus::block(Some(isa), SEED, n, &shape, BLOCK).case).collect() };
    let cases = make();
    let mut tapes = Vec::new();
    let mut cycles = 0;
    for case in &cases {
        let (_, tape) = bench.run_taped(case)?;
        cycles += tape.cycles();
        tapes.push(tape);
    }
    let operations = cases.iter().map(|case| case.issues.len()).sum::<usize>() as f64;

    let (mut bare, mut checked, mut model, mut whole) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for _ in 0..rounds {
        let (result, time) = timed(|| tapes.iter().try_for_each(|tape| tape.play(&mut dut)));
        result?;
        bare.push(time.as_secs_f64());
        let (result, time) = timed(|| cases.iter().try_for_each(|case| bench.run(case).map(drop)));
        result?;
        checked.push(time.as_secs_f64());
        let (result, time) = timed(|| make().iter().try_for_each(|case| bench.run(case).map(drop)));
        result?;
        whole.push(time.as_secs_f64());
        let ((), time) = timed(|| model_alone(&shape, &cases));
        model.push(time.as_secs_f64());
    }

    let folder = tempfile::tempdir()?;
    let traced = &cases[..cases.len().min(4)];
    let (mut with_vcd, mut without) = (Vec::new(), Vec::new());
    for _ in 0..3 {
        let out: &Path = &folder.path().join("wave.vcd");
        let (result, time) = timed(|| traced.iter().try_for_each(|case| waves::run(&mut bench, case, out).map(drop)));
        result?;
        with_vcd.push(time.as_secs_f64());
        let (result, time) = timed(|| traced.iter().try_for_each(|case| bench.run(case).map(drop)));
        result?;
        without.push(time.as_secs_f64());
    }

    let jobs = |count: usize| -> Result<f64, Box<dyn std::error::Error>> {
        let jobs = NonZero::new(count).ok_or("no jobs")?;
        let campaign = Campaign {
            isa: Some(isa),
            seed: SEED,
            shape,
            budget: Budget::Operations(4 * blocks * BLOCK),
            jobs,
            promises: gpu_lsu::judge::Promises::OURS,
        };
        let (result, time) = timed(|| campaign.run(&|_| {}, &AtomicBool::new(false)));
        result?;
        Ok(time.as_secs_f64())
    };
    let mut scaling = Vec::new();
    for _ in 0..3 {
        scaling.push(jobs(1)? / jobs(2)?);
    }

    let ratio = |a: &[f64], b: &[f64]| median(a.iter().zip(b).map(|(a, b)| a / b).collect());
    let per_second = |times: &[f64], count: f64| count / median(times.to_vec());
    println!("{operations:.0} operations, {cycles} cycles, {LANES} lanes, {rounds} rounds");
    println!("{:<44}{:>12}{:>14}{:>8}", "", "operations/s", "cycles/s", "ratio");
    let row = |name: &str, times: &[f64], ratio: f64| {
        println!(
            "{name:<44}{:>12.0}{:>14.0}{ratio:>8.2}",
            per_second(times, operations),
            per_second(times, cycles as f64)
        );
    };
    row("bare Verilator loop, same stimulus", &bare, 1.0);
    row("checked: memory, model, scoreboard, coverage", &checked, ratio(&bare, &checked));
    row("checked, stimulus made on the way (verify)", &whole, ratio(&bare, &whole));
    println!("{:<44}{:>12.0}{:>14}{:>8.1}", "model alone", per_second(&model, operations), "", ratio(&bare, &model));
    println!("{:<44}{:>12}{:>14}{:>8.2}", "checked, annotated VCD written", "", "", ratio(&without, &with_vcd));
    println!("{:<44}{:>12}{:>14}{:>8.2}", "two jobs against one", "", "", median(scaling));
    Ok(())
}
