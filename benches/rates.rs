// SPDX-License-Identifier: MIT OR Apache-2.0
//! The speed of the bench, as ratios: each figure is measured beside its reference, in turn, in one run.
//!
//! `cargo bench --bench rates` prints the table for SPA 5.0; `-- --isa sm5` for another set, `--isa mixed` for all sets
//! in one stream, `--isa all` for all of these side by side. `--rounds N --blocks N` changes how much is measured.
//! Figures are medians over the rounds.

use std::{
    error::Error,
    hint::black_box,
    num::NonZero,
    sync::atomic::AtomicBool,
    time::{Duration, Instant},
};

use gpu_lsu::{
    cosim::{
        Bench, Case,
        campaign::{Budget, Campaign},
        stimulus::{self, BLOCK},
        tape::Tape,
        waves,
    },
    dut::Dut,
    model::{self, Memory, Plan, cas::second_half},
    op::{MAX_REGISTERS, ReqKind, Shape},
    sets::Isa,
};

const SEED: u64 = 1;
const LANES: usize = 32;
const SHAPE: Shape = Shape::with_lanes(LANES);
/// Rounds of slow measurements.
const LONG_ROUNDS: usize = 3;
/// Traced cases: short ones of a campaign, in which a wave's declarations cost as much as its events, and a long one.
const SHORT_CASES: usize = 4;
const LONG_CASE: u64 = 20_000;

type Result<T, E = Box<dyn Error>> = std::result::Result<T, E>;

fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let start = Instant::now();
    let result = work();
    (result, start.elapsed())
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn named(name: &str) -> Option<String> {
    std::env::args().skip_while(|arg| arg != name).nth(1)
}

fn argument(name: &str, default: u64) -> u64 {
    named(name).and_then(|value| value.parse().ok()).unwrap_or(default)
}

/// Operations of one instruction set, or of all.
#[derive(Clone, Copy)]
struct Stream(Option<Isa>);

impl Stream {
    fn name(self) -> &'static str {
        self.0.map_or("mixed", Isa::name)
    }

    /// The streams that `--isa` names.
    fn chosen() -> Result<Vec<Stream>> {
        let all: Vec<Stream> = Isa::ALL.iter().copied().map(Some).chain([None]).map(Stream).collect();
        let name = named("--isa").unwrap_or_else(|| Isa::Spa5.name().to_owned());
        let chosen: Vec<Stream> = all.into_iter().filter(|stream| name == "all" || name == stream.name()).collect();
        if chosen.is_empty() { Err("--isa: no such instruction set, `mixed` or `all`".into()) } else { Ok(chosen) }
    }

    fn cases(self, blocks: u64) -> Vec<Case> {
        (0..blocks).map(|number| stimulus::block(self.0, SEED, number, &SHAPE, BLOCK).case).collect()
    }
}

/// Seconds for each round.
#[derive(Default)]
struct Times(Vec<f64>);

impl Times {
    fn push(&mut self, time: Duration) {
        self.0.push(time.as_secs_f64());
    }

    fn per_second(&self, count: f64) -> f64 {
        count / median(self.0.clone())
    }

    /// How many times as fast as `reference` this is: the median over the rounds.
    fn against(&self, reference: &Times) -> f64 {
        median(reference.0.iter().zip(&self.0).map(|(reference, own)| reference / own).collect())
    }
}

/// A stream with its measurements.
struct Measured {
    stream: Stream,
    cases: Vec<Case>,
    tapes: Vec<Tape>,
    bare: Times,
    played: Times,
    judged: Times,
    checked: Times,
    whole: Times,
    model: Times,
    /// The short cases and the long one, each as VCD and as FST.
    traced: [[f64; 2]; 2],
    scaling: f64,
}

impl Measured {
    fn new(stream: Stream, blocks: u64, bench: &mut Bench) -> Result<Self> {
        let cases = stream.cases(blocks);
        let tapes = cases.iter().map(|case| Ok(bench.run_taped(case)?.1)).collect::<Result<_>>()?;
        Ok(Measured {
            stream,
            cases,
            tapes,
            bare: Times::default(),
            played: Times::default(),
            judged: Times::default(),
            checked: Times::default(),
            whole: Times::default(),
            model: Times::default(),
            traced: [[0.0; 2]; 2],
            scaling: 0.0,
        })
    }

    fn operations(&self) -> f64 {
        self.cases.iter().map(|case| case.issues.len()).sum::<usize>() as f64
    }

    fn cycles(&self) -> f64 {
        self.tapes.iter().map(Tape::cycles).sum::<usize>() as f64
    }

    fn round(&mut self, dut: &mut Dut, bench: &mut Bench) -> Result<()> {
        let (result, time) = timed(|| self.tapes.iter().try_for_each(|tape| tape.play(dut)));
        result?;
        self.bare.push(time);
        let (mut played, mut judged) = (Duration::ZERO, Duration::ZERO);
        for case in &self.cases {
            let (result, time) = timed(|| bench.play(case));
            result?;
            played += time;
            let (result, time) = timed(|| bench.judge(case));
            result?;
            judged += time;
        }
        self.played.push(played);
        self.judged.push(judged);
        self.checked.push(played + judged);
        let blocks = self.cases.len() as u64;
        let (result, time) = timed(|| self.stream.cases(blocks).iter().try_for_each(|case| bench.run(case).map(drop)));
        result?;
        self.whole.push(time);
        self.model.push(timed(|| model_alone(&self.cases)).1);
        Ok(())
    }

    /// Measures runs with a wave against the same without one.
    fn trace(&mut self, bench: &mut Bench) -> Result<()> {
        let long = stimulus::block(self.stream.0, SEED, 0, &SHAPE, LONG_CASE).case;
        self.traced = [traced(bench, &self.cases[..self.cases.len().min(SHORT_CASES)])?, traced(bench, &[long])?];
        Ok(())
    }

    /// Measures two jobs against one.
    fn scale(&mut self) -> Result<()> {
        let blocks = self.cases.len() as u64;
        let jobs = |count: usize| -> Result<Duration> {
            let campaign = Campaign {
                isa: self.stream.0,
                seed: SEED,
                shape: Shape::with_lanes(LANES),
                budget: Budget::Operations(4 * blocks * BLOCK),
                jobs: NonZero::new(count).ok_or("no jobs")?,
                promises: gpu_lsu::judge::Promises::OURS,
            };
            let (result, time) = timed(|| campaign.run(&|_| {}, &AtomicBool::new(false)));
            result?;
            Ok(time)
        };
        let (mut one, mut two) = (Times::default(), Times::default());
        for _ in 0..LONG_ROUNDS {
            one.push(jobs(1)?);
            two.push(jobs(2)?);
        }
        self.scaling = two.against(&one);
        Ok(())
    }
}

/// The speed of these cases with a VCD and with an FST, relative to the same without a wave.
fn traced(bench: &mut Bench, cases: &[Case]) -> Result<[f64; 2]> {
    let folder = tempfile::tempdir()?;
    let out = ["wave.vcd", "wave.fst"].map(|name| folder.path().join(name));
    let (mut with, mut without) = ([Times::default(), Times::default()], Times::default());
    for _ in 0..LONG_ROUNDS {
        for (out, with) in out.iter().zip(&mut with) {
            let window = waves::Window::default();
            let (result, time) =
                timed(|| cases.iter().try_for_each(|case| waves::run(bench, case, window, out).map(drop)));
            result?;
            with.push(time);
        }
        let (result, time) = timed(|| cases.iter().try_for_each(|case| bench.run(case).map(drop)));
        result?;
        without.push(time);
    }
    Ok(with.map(|with| with.against(&without)))
}

/// The model's part of the work: plans, requests applied to memory, registers loaded.
fn model_alone(cases: &[Case]) {
    let mut plan = Plan::default();
    let mut registers = [[0; 32]; MAX_REGISTERS];
    for case in cases {
        let mut memory = Memory::new(case.memory_seed);
        for issue in &case.issues {
            model::plan(&SHAPE, &case.ctrl, &issue.op, &issue.lanes, &issue.data, &mut plan);
            for (index, request) in plan.requests.iter().enumerate() {
                let line = memory.read_line(request.line);
                match request.kind {
                    ReqKind::Write => memory.write(request.line, request.byte_enable, &request.data),
                    ReqKind::Read => model::load(&issue.op, &plan, index, &line, &mut registers),
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

/// Prints a row for each figure, a column for each stream.
fn print(streams: &[Measured], rounds: u64) {
    let row = |name: &str, places: usize, figure: &dyn Fn(&Measured) -> f64| {
        let figures: String = streams.iter().map(|stream| format!("{:>10.places$}", figure(stream))).collect();
        println!("{name:<52}{figures}");
    };
    let names: String = streams.iter().map(|stream| format!("{:>10}", stream.stream.name())).collect();
    println!("{:<52}{names}", format!("{LANES} lanes, {rounds} rounds"));
    row("operations", 0, &Measured::operations);
    row("clock cycles", 0, &Measured::cycles);
    row("bare Verilator loop, same stimulus: cycles/s", 0, &|m| m.bare.per_second(m.cycles()));
    row("bare Verilator loop, same stimulus: operations/s", 0, &|m| m.bare.per_second(m.operations()));
    row("checked, stimulus made on the way: operations/s", 0, &|m| m.whole.per_second(m.operations()));
    println!("against the bare loop");
    row("  player alone: memory, log", 2, &|m| m.played.against(&m.bare));
    row("  judge alone: model, scoreboard, coverage", 1, &|m| m.judged.against(&m.bare));
    row("  checked: player and judge", 2, &|m| m.checked.against(&m.bare));
    row("  checked, stimulus made on the way (verify)", 2, &|m| m.whole.against(&m.bare));
    row("  model alone", 1, &|m| m.model.against(&m.bare));
    for (index, name) in [format!("{BLOCK} operations"), format!("{LONG_CASE} operations")].iter().enumerate() {
        println!("annotated wave written, against checked: {name} a case");
        row("  VCD", 2, &|m| m.traced[index][0]);
        row("  FST", 2, &|m| m.traced[index][1]);
    }
    row("two jobs, against one", 2, &|m| m.scaling);
}

fn main() -> Result<()> {
    let rounds = argument("--rounds", 7);
    let blocks = argument("--blocks", 96);
    let (mut bench, mut dut) = (Bench::new(LANES)?, Dut::new(LANES)?);
    let streams = Stream::chosen()?.into_iter().map(|stream| Measured::new(stream, blocks, &mut bench));
    let mut streams = streams.collect::<Result<Vec<_>>>()?;
    for _ in 0..rounds {
        streams.iter_mut().try_for_each(|stream| stream.round(&mut dut, &mut bench))?;
    }
    for stream in &mut streams {
        stream.trace(&mut bench)?;
        stream.scale()?;
    }
    print(&streams, rounds);
    Ok(())
}
