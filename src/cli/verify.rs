// SPDX-License-Identifier: MIT OR Apache-2.0
//! `gpu-lsu verify`: a campaign of random operations, its coverage, and the smallest case if something diverges.

use std::{
    collections::BTreeSet,
    io::{self, IsTerminal, Write},
    num::NonZero,
    path::{Path, PathBuf},
    process::ExitCode,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

use super::{
    Error, Stdout, clash, contract, ended,
    log_file::{self, LogFile},
    manners,
    report::count,
    say, seeds,
    signals::Signals,
    tell,
    unit::{self, Unit},
    units, wave_file,
};
use crate::{
    cosim::{
        campaign::{Budget, Campaign, Failure, Logs, Outcome, Share},
        waves::{self, Window},
    },
    explain::words::wrap,
    judge::Promises,
    output::Output,
    regress::{Group, Key, Results, junit, key},
    sets::Isa,
};

mod failure;
mod html;
mod share;
mod summary;

use failure::Found;
use summary::Summary;

const EXAMPLES: &str = "\
Examples:
  gpu-lsu verify
  gpu-lsu verify --isa r700 --ops 50_000_000 --seed 0x2a
  gpu-lsu verify --time 10m --jobs 1
  cargo run --release --features all-lanes -- verify --lanes 8
  # accept any order of lanes
  gpu-lsu verify --isa sm5 --allowed-sets
  # the last cycles, even if the run agrees
  gpu-lsu verify --isa ptx --wave last.fst --last 2000
  # a page to look at in the morning
  gpu-lsu verify --time 8h --html night
  # one shard; when all are done, `gpu-lsu merge *.result.json`
  gpu-lsu verify --ops 1G --seed 7 --shard 3/8 --result 3.result.json
  gpu-lsu verify --seeds night.seeds --failures 20 --junit report.xml
  # another unit with the same ports
  GPU_LSU_RTL=my-unit/rtl cargo run --release -- verify

A campaign of ptx or sm5 includes loads and stores of spa5, one operation in 4 or in 8: what a store leaves behind \
shows in what others read.

SIGINT, SIGTERM and SIGHUP end the campaign and report the figures up to then.

Exit codes: 0 RTL and model agree, 1 they do not, or too little is covered, 2 a usage error, or a report that could \
not be delivered, 130, 143 or 129 interrupted";

/// Run random operations on the RTL and the model, comparing every answer and counting every clause
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
#[group(skip)]
pub struct Args {
    /// Instruction set of the campaign [default: all, in turn and together]
    #[arg(long)]
    isa: Option<Isa>,
    /// Number of operations, for each seed with `--seeds`, such as 250_000, 10k or 1e6 [default: 1000000]
    #[arg(long, value_name = "N", value_parser = units::operations, conflicts_with = "time", allow_negative_numbers = true)]
    ops: Option<u64>,
    /// Run for this long instead of a number of operations, such as 90s or 10m
    #[arg(long, value_name = "T", value_parser = units::duration, allow_hyphen_values = true)]
    time: Option<Duration>,
    /// Seed for everything random [default: GPU_LSU_SEED, or a new one]
    #[arg(long, value_name = "SEED", value_parser = units::seed, allow_negative_numbers = true)]
    seed: Option<u64>,
    /// Number of units to run in parallel [default: GPU_LSU_JOBS, or one per core]
    #[arg(long, value_name = "N", value_parser = units::jobs, allow_negative_numbers = true)]
    jobs: Option<NonZero<usize>>,
    /// Number of lanes in the unit [default: the RTL's own, 32 in this project]
    #[arg(long, value_parser = units::lanes())]
    lanes: Option<usize>,
    /// Write a failing case to this file, and its wave beside it. Existing files are kept: the next one is
    /// `gpu-lsu.2.capsule` [default: gpu-lsu.capsule]
    #[arg(long, value_name = "FILE")]
    capsule: Option<PathBuf>,
    /// Write the failing case's wave to this file instead (`.vcd` or `.fst`)
    #[arg(long, value_name = "FILE", visible_alias = "vcd")]
    wave: Option<PathBuf>,
    /// Write the last N cycles of the campaign to `--wave`, whether or not it agrees; if a block fails, those of the
    /// block before it is shrunk
    #[arg(long, value_name = "N", requires = "wave", value_parser = units::positive::<u64>, allow_negative_numbers = true)]
    last: Option<u64>,
    /// Keep the campaign in this folder, and write a page of all campaigns there, `index.html`, with failures by
    /// clause, rates and coverage
    #[arg(long, value_name = "DIR")]
    html: Option<PathBuf>,
    /// Write what crosses the ports to this file, as JSON Lines for `gpu-lsu judge`; 3 to 10 kB per operation
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    #[command(flatten)]
    share: share::Args,
    #[command(flatten)]
    contract: contract::Args,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    unit: unit::Args,
}

/// What is known of a campaign at any time.
#[derive(Default)]
struct Known {
    disagrees: AtomicBool,
    /// That agreed.
    operations: AtomicU64,
}

impl Known {
    /// The verdict of a command that is ended before its report; `code` is the signal's.
    fn last_words(&self, code: u8) -> (String, u8) {
        if self.disagrees.load(Ordering::Relaxed) {
            return ("ended at the second signal: RTL and model disagree, the capsule may be missing\n".to_owned(), 1);
        }
        let operations = count(self.operations.load(Ordering::Relaxed), "operation");
        (format!("ended at the second signal: {operations} agreed until then\n"), code)
    }
}

pub fn run(args: &Args) -> Result<ExitCode, Error> {
    let mut unit = Unit::find(args.unit, args.lanes)?;
    if args.share.line_coverage.is_some() {
        unit = unit.counting()?;
    }
    args.capsule.as_deref().map_or(Ok(()), room_for)?;
    args.check_files()?;
    args.wave.as_deref().map_or(Ok(()), room_for_wave)?;
    args.html.as_deref().map_or(Ok(()), html::room_for)?;
    args.share.room()?;
    if args.share.shard.is_some() && args.seed.is_none() && args.share.seeds.is_none() {
        let what = "shards of one campaign have its seed: `--shard` needs `--seed` or `--seeds`";
        return Err(Error::Usage(what.to_owned()));
    }
    let Some(mut seeds) = args.share.seeds.as_deref().map_or(Ok(Some(Vec::new())), seeds::of_file)? else {
        return Ok(ExitCode::FAILURE);
    };
    if seeds.is_empty() {
        seeds.push(args.seed.map_or_else(units::drawn_seed, Ok)?);
    }
    let jobs = args.jobs.map_or_else(units::usual_jobs, Ok)?;
    let budget = args.time.map_or(Budget::Operations(args.ops.unwrap_or(1_000_000)), Budget::Time);
    let (isa, shape, seed) = (args.isa, unit.shape, seeds[0]);
    let promises = args.contract.of(shape, Promises::OURS)?;
    let campaign = Campaign { isa, seed, shape, budget, jobs, promises };
    let shard = args.share.shard_of(&campaign, &seeds)?;
    let origin = Origin { args, seeds: &seeds };
    let set = isa.map_or(String::new(), |isa| format!(" --isa {isa}"));
    let about = format!("gpu-lsu verify{set}{} {}", unit.option(), origin.option());
    let log = args.log.as_deref().map(|path| LogFile::create(path, &unit, about)).transpose()?;
    let known = Arc::new(Known::default());
    let signals = Signals::listen({
        let known = Arc::clone(&known);
        move |code| known.last_words(code)
    });

    let mut output = Stdout::new();
    if !args.json {
        writeln!(output, "{}, {} lanes", origin.name(), shape.lanes)?;
        write!(output, "{}", wrap(&format!("rtl {}", unit.name()), 2))?;
        if let Some(neighbours) = isa.and_then(Isa::company) {
            writeln!(output, "{neighbours}")?;
        }
        output.flush()?;
    }
    let bar = progress(campaign.operations_of(&seeds, shard));
    let start = Instant::now();
    let clock = html::Clock::start();
    let heard = |operations| {
        clock.heard(operations);
        known.operations.fetch_add(operations, Ordering::Relaxed);
        bar.inc(operations);
    };
    let several = args.share.failures.get() > 1;
    let causes = Mutex::new(BTreeSet::<Key>::new());
    let failed = |failure: &Failure| {
        known.disagrees.store(true, Ordering::Relaxed);
        if several && causes.lock().unwrap_or_else(PoisonError::into_inner).insert(key(&failure.mismatch)) {
            bar.suspend(|| Found::tell_line(failure));
        }
    };
    let logs = log.as_ref().map(|log| log as &dyn Logs);
    let share = Share {
        seeds: &seeds,
        shard,
        failures: args.share.failures,
        heard: Some(&failed),
        logs,
        lines: args.share.line_coverage.is_some(),
    };
    let outcome = campaign.search_share(&share, &|| unit.bench(), &heard, signals.stop())?;
    let seconds = start.elapsed().as_secs_f64();
    bar.finish_and_clear();
    let progress = clock.stop(seconds);
    known.disagrees.store(outcome.failure.is_some(), Ordering::Relaxed);

    let mut results = share::results(&unit, &campaign, (&seeds, shard), &outcome, seconds);
    let of_failure = args.wave.as_deref().filter(|_| args.last.is_none());
    if let Some(first) = &outcome.failure {
        let mut found = Vec::new();
        match several {
            false => found.push(Found::new(&campaign, &unit, first, signals.stop())),
            true => found.extend(
                outcome
                    .groups
                    .iter()
                    .map(|(group, first)| Found::small(&campaign, &unit, group.clone(), first.clone(), signals.stop())),
            ),
        }
        if !args.json {
            write!(output, "\n{}", found[0].paragraph())?;
            output.flush()?;
        }
        // What was found is kept before anything else takes time: a second signal may come.
        for (number, found) in found.iter_mut().enumerate() {
            found.keep(args.capsule.as_deref(), of_failure.filter(|_| number == 0));
        }
        share::add_failures(&mut results, &found);
        args.leave_results(&results, &found);
        // What was found stands, whoever interrupted it.
        let summary = Summary { args, unit: &unit, results: &results, interrupted: false };
        match args.json {
            true => summary.json(&found, &mut output)?,
            false => {
                write!(output, "{}", found[0].look().text())?;
                match several {
                    true => summary.all_failed(&found, &mut output)?,
                    false => summary.failed(&found[0], &mut output)?,
                }
            }
        }
        args.html.as_deref().map(|dir| html::write(dir, &summary, &found, progress));
        args.leave_last(&campaign, &unit, &outcome);
        log.map(LogFile::finish);
        return output.finish(1);
    }
    let kept = args.leave_last(&campaign, &unit, &outcome)
        & log.is_none_or(LogFile::finish)
        & args.leave_results(&results, &[]);
    let summary = Summary { args, unit: &unit, results: &results, interrupted: !outcome.finished };
    match args.json {
        true => summary.json(&[], &mut output)?,
        false => summary.text(&mut output)?,
    }
    let kept = args.html.as_deref().is_none_or(|dir| html::write(dir, &summary, &[], progress)) & kept;
    if summary.interrupted {
        tell(match outcome.figures.comparisons {
            0 => "interrupted before anything was compared\n",
            _ => "interrupted: the figures are those of what ran until then\n",
        });
        return output.finish(signals.code());
    }
    if outcome.figures.comparisons == 0 {
        tell("error: nothing was compared\n");
        return output.finish(1);
    }
    if let Some(shortfall) = summary.shortfall() {
        tell(&shortfall);
        return output.finish(1);
    }
    output.finish(log_file::code(0, kept))
}

/// What a campaign comes from, for people.
struct Origin<'a> {
    args: &'a Args,
    seeds: &'a [u64],
}

impl Origin<'_> {
    /// As a report begins.
    fn name(&self) -> String {
        let seeds = match self.seeds {
            [seed] => format!("seed {seed:#018x}"),
            seeds => format!("{} seeds", seeds.len()),
        };
        seeds + &self.args.share.shard.map_or(String::new(), |shard| format!(", shard {shard}"))
    }

    /// As an option has it.
    fn option(&self) -> String {
        match &self.args.share.seeds {
            Some(path) => format!("--seeds {}", path.display()),
            None => format!("--seed {:#x}", self.seeds[0]),
        }
    }
}

impl Args {
    /// Each file that it leaves has a place of its own.
    fn check_files(&self) -> Result<(), Error> {
        let read = [self.share.seeds.as_deref(), self.contract.file()];
        let capsule = self.capsule.clone().unwrap_or_else(|| failure::CAPSULE.into());
        let wave = match &self.wave {
            Some(wave) => wave_file::files("--wave", wave),
            None => Vec::new(),
        };
        // With `--last`, a failing case leaves a wave of its own.
        let case = match &self.wave {
            Some(_) if self.last.is_none() => Vec::new(),
            _ => wave_file::files("the capsule's wave", &capsule.with_extension("vcd")),
        };
        let index = self.html.as_deref().map(html::index);
        let options = [
            ("--capsule", Some(&capsule)),
            ("--html", index.as_ref()),
            ("--log", self.log.as_ref()),
            ("--result", self.share.result.as_ref()),
            ("--junit", self.share.junit.as_ref()),
            ("--line-coverage", self.share.line_coverage.as_ref()),
        ];
        clash::check(read.into_iter().flatten(), clash::given(options).chain(wave).chain(case))
    }

    /// The files that other programs read; whether nothing is missing.
    fn leave_results(&self, results: &Results, found: &[Found<'_>]) -> bool {
        let capsule = |group: &Group| {
            let found = found.iter().find(|found| found.group.key() == group.key())?;
            found.kept.as_ref().ok().map(|path| path.display().to_string())
        };
        let shortfall = self.share.require_coverage.and_then(|percent| ended::shortfall(&results.rows(), percent));
        let junit = || junit::text(results, &capsule, shortfall.as_deref());
        let files = [
            self.share.result.as_ref().map(|path| (path, results.to_text())),
            self.share.junit.as_ref().map(|path| (path, junit())),
            self.share.line_coverage.as_ref().zip(results.lines.as_ref()).map(|(path, lines)| (path, lines.to_lcov())),
        ];
        ended::write_all(files.into_iter().flatten())
    }

    /// The wave of the campaign's last cycles, if it is to be left; whether nothing is missing.
    fn leave_last(&self, campaign: &Campaign, unit: &Unit, outcome: &Outcome) -> bool {
        let (Some(path), Some(last)) = (&self.wave, self.last) else { return true };
        let case = match (&outcome.failure, outcome.last) {
            (Some(failure), _) => failure.case.clone(),
            (None, None) => return true, // nothing ran
            (None, Some(last)) => Campaign { seed: last.seed, ..*campaign }.case(last.block),
        };
        let window = Window { last: Some(last), ..Window::default() };
        let written = unit.bench().map_err(Error::from).and_then(|mut bench| {
            bench.promise(campaign.promises);
            waves::run(&mut bench, &case, window, path).map_err(Error::from)
        });
        match written {
            Ok(_) => wave_file::written(path),
            Err(error) => {
                say(&error);
                return false;
            }
        }
        true
    }
}

/// The same of a wave.
fn room_for_wave(wave: &Path) -> Result<(), Error> {
    wave_file::check(wave)?;
    Output::room(wave).map_err(|error| Error::Output { name: format!("`{}`", wave.display()), error })
}

/// A failure that has no place to go is told before anything runs, not when there is one: if somebody named the place.
fn room_for(capsule: &Path) -> Result<(), Error> {
    if capsule.extension().is_some_and(|extension| extension == "vcd") {
        let what = "the capsule's wave would take its place: `--capsule` needs another extension than `.vcd`";
        return Err(Error::Usage(what.to_owned()));
    }
    clash::not_standard("a capsule", "--capsule", capsule)?;
    Output::room(capsule).map_err(|error| Error::Output { name: format!("`{}`", capsule.display()), error })
}

fn progress(operations: Option<u64>) -> ProgressBar {
    let bar = operations.map_or_else(ProgressBar::no_length, ProgressBar::new);
    let template = "{elapsed_precise} {wide_bar} {human_pos}/{human_len} operations, {rate}, {eta} left";
    let open = "{elapsed_precise} {spinner} {human_pos} operations, {rate}";
    let style = ProgressStyle::with_template(if bar.length().is_some() { template } else { open });
    let rate = |state: &ProgressState, text: &mut dyn std::fmt::Write| {
        let _ = write!(text, "{:.0}/s", state.per_sec()); // the bar takes everything
    };
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()).with_key("rate", rate));
    if !io::stderr().is_terminal() || manners::quiet() {
        bar.set_draw_target(ProgressDrawTarget::hidden());
    }
    bar
}
