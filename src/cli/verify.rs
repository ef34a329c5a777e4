// SPDX-License-Identifier: MIT OR Apache-2.0
//! `gpu-lsu verify`: a campaign of random operations, its coverage, and the smallest case if something diverges.

use std::{
    io::{self, IsTerminal, Write},
    num::NonZero,
    path::{Path, PathBuf},
    process::ExitCode,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use rand::RngExt;

use super::{
    Error, Stdout, contract,
    log_file::{self, LogFile},
    manners,
    report::count,
    say,
    signals::Signals,
    tell,
    unit::{self, Unit},
    units, wave_file,
};
use crate::{
    cosim::{
        campaign::{Budget, Campaign, Logs, Outcome},
        waves::{self, Window},
    },
    judge::Promises,
    output::Output,
    sets::Isa,
};

mod failure;
mod html;
mod summary;

use failure::Found;
use summary::Summary;

const EXAMPLES: &str = "\
Examples:
  gpu-lsu verify
  gpu-lsu verify --isa r700 --ops 50_000_000 --seed 0x2a
  gpu-lsu verify --time 10m --lanes 8 --jobs 1
  gpu-lsu verify --isa sm5 --allowed-sets                 # any order of lanes is right
  gpu-lsu verify --isa ptx --wave last.fst --last 2000    # the last cycles of a run that agrees
  gpu-lsu verify --time 8h --html night                   # a page to look at in the morning
  GPU_LSU_RTL=my-unit/rtl cargo run --release -- verify   # another unit, same ports

A campaign of ptx or sm5 has loads and stores of spa5 among its own, one operation in 4 or in 8: what a store leaves
behind shows in what others read.

SIGINT, SIGTERM and SIGHUP end it with the figures of what ran.

Exit codes: 0 RTL and model agree, 1 they do not, 2 usage or a report that could not be delivered, 130, 143 or 129
interrupted";

/// Random operations on RTL and model, every answer compared, every clause counted
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
#[group(skip)]
pub struct Args {
    /// The instruction set; without it, all of them, in turn and together
    #[arg(long)]
    isa: Option<Isa>,
    /// Operations to run, such as 250_000, 10k or 1e6; without `--time`, 1000000
    #[arg(long, value_name = "N", value_parser = units::operations, conflicts_with = "time", allow_negative_numbers = true)]
    ops: Option<u64>,
    /// How long to run instead, such as 90s or 10m
    #[arg(long, value_name = "T", value_parser = units::duration, allow_hyphen_values = true)]
    time: Option<Duration>,
    /// What everything random comes from; without it, a new one
    #[arg(long, value_name = "SEED", env = "GPU_LSU_SEED", value_parser = units::seed, allow_negative_numbers = true)]
    seed: Option<u64>,
    /// Units that run side by side; without it, one for each core
    #[arg(long, value_name = "N", env = "GPU_LSU_JOBS", value_parser = units::jobs, allow_negative_numbers = true)]
    jobs: Option<NonZero<usize>>,
    /// The unit's lanes; without it, those of the RTL's own parameters, 32 of this project's
    #[arg(long, value_parser = units::lanes())]
    lanes: Option<usize>,
    /// Where a failing case goes; its wave goes beside it. A file that is there already stays: the next is
    /// `gpu-lsu.2.capsule`
    #[arg(long, value_name = "FILE", default_value = "gpu-lsu.capsule")]
    capsule: PathBuf,
    /// Where the failing case's wave goes instead, `.vcd` or `.fst`
    #[arg(long, value_name = "FILE")]
    wave: Option<PathBuf>,
    /// `--wave` gets the last N cycles of the campaign, whether it agrees or not; of a failing block, before it is made small
    #[arg(long, value_name = "N", requires = "wave")]
    last: Option<u64>,
    /// Keep the campaign in this folder, and write a page of all campaigns there, `index.html`: failures by clause, rates,
    /// coverage
    #[arg(long, value_name = "DIR")]
    html: Option<PathBuf>,
    /// Write what crossed the ports to this file, as JSON Lines for `gpu-lsu judge`: about 3 kB an operation
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    #[command(flatten)]
    contract: contract::Args,
    /// One JSON object
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
    let unit = Unit::find(args.unit, args.lanes)?;
    room_for(&args.capsule)?;
    args.wave.as_deref().map_or(Ok(()), room_for_wave)?;
    args.html.as_deref().map_or(Ok(()), html::room_for)?;
    let seed = args.seed.unwrap_or_else(|| rand::rng().random());
    let jobs = args.jobs.or_else(|| std::thread::available_parallelism().ok()).unwrap_or(NonZero::<usize>::MIN);
    let budget = args.time.map_or(Budget::Operations(args.ops.unwrap_or(1_000_000)), Budget::Time);
    let (isa, shape) = (args.isa, unit.shape);
    let promises = args.contract.of(shape, Promises::OURS)?;
    let campaign = Campaign { isa, seed, shape, budget, jobs, promises };
    let about = format!("gpu-lsu verify --seed {seed:#x}");
    let log = args.log.as_deref().map(|path| LogFile::create(path, &unit, about)).transpose()?;
    let known = Arc::new(Known::default());
    let signals = Signals::listen({
        let known = Arc::clone(&known);
        move |code| known.last_words(code)
    });

    let mut output = Stdout::new();
    if !args.json {
        writeln!(output, "seed {seed:#018x}, {} lanes\nrtl {}", shape.lanes, unit.name())?;
        if let Some(neighbours) = isa.and_then(Isa::company) {
            writeln!(output, "{neighbours}")?;
        }
        output.flush()?;
    }
    let bar = progress(budget);
    let start = Instant::now();
    let clock = html::Clock::start();
    let heard = |operations| {
        clock.heard(operations);
        known.operations.fetch_add(operations, Ordering::Relaxed);
        bar.inc(operations);
    };
    let logs = log.as_ref().map(|log| log as &dyn Logs);
    let outcome = campaign.search(&|| unit.bench(), &heard, signals.stop(), logs)?;
    let seconds = start.elapsed().as_secs_f64();
    bar.finish_and_clear();
    let progress = clock.stop(seconds);
    known.disagrees.store(outcome.failure.is_some(), Ordering::Relaxed);

    let mut summary =
        Summary { args, unit: &unit, promises, seed, outcome: &outcome, seconds, interrupted: !outcome.finished };
    let of_failure = args.wave.as_deref().filter(|_| args.last.is_none());
    if let Some(first) = &outcome.failure {
        let mut found = Found::new(&campaign, &unit, first, signals.stop());
        summary.interrupted = false; // what was found stands
        if args.json {
            found.keep(&args.capsule, of_failure);
            summary.json(Some(&found), &mut output)?;
        } else {
            write!(output, "\n{}", found.paragraph())?;
            output.flush()?;
            // What was found is kept before anything else takes time: a second signal may come.
            found.keep(&args.capsule, of_failure);
            write!(output, "{}", found.look().text())?;
            summary.failed(&found, &mut output)?;
        }
        args.html.as_deref().map(|dir| html::write(dir, &summary, Some(&found), progress));
        args.leave_last(&campaign, &unit, &outcome);
        log.map(LogFile::finish);
        return output.finish(1);
    }
    let kept = args.leave_last(&campaign, &unit, &outcome) & log.is_none_or(LogFile::finish);
    match args.json {
        true => summary.json(None, &mut output)?,
        false => summary.text(&mut output)?,
    }
    let kept = args.html.as_deref().is_none_or(|dir| html::write(dir, &summary, None, progress)) & kept;
    if !outcome.finished {
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
    output.finish(log_file::code(0, kept))
}

impl Args {
    /// The wave of the campaign's last cycles, if it is to be left; whether nothing is missing.
    fn leave_last(&self, campaign: &Campaign, unit: &Unit, outcome: &Outcome) -> bool {
        let (Some(path), Some(last)) = (&self.wave, self.last) else { return true };
        let case = match &outcome.failure {
            Some(failure) => failure.case.clone(),
            None if outcome.blocks == 0 => return true, // nothing ran
            None => campaign.case(outcome.blocks - 1),
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
    Output::room(wave).map_err(|error| Error::Output { name: wave.display().to_string(), error })
}

/// A failure that has no place to go is told before anything runs, not when there is one.
fn room_for(capsule: &Path) -> Result<(), Error> {
    if capsule.extension().is_some_and(|extension| extension == "vcd") {
        let what = "the capsule's wave would take its place: `--capsule` needs another extension than `.vcd`";
        return Err(Error::Usage(what.to_owned()));
    }
    if capsule == Path::new("-") {
        return Err(Error::Usage("a capsule is a file: `--capsule` takes a path, and not `-`".to_owned()));
    }
    Output::room(capsule).map_err(|error| Error::Output { name: capsule.display().to_string(), error })
}

fn progress(budget: Budget) -> ProgressBar {
    let bar = match budget {
        Budget::Operations(count) => ProgressBar::new(count),
        Budget::Time(_) => ProgressBar::no_length(),
    };
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
