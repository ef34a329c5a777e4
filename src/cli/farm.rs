// SPDX-License-Identifier: MIT OR Apache-2.0
//! `gpu-lsu farm`: a campaign in shards, on the cores of this machine or on a cluster, and one report of all.
//!
//! ```text
//!  plan --> engine: an element a shard --> result files --> merge --> report
//!    ^        |                               |
//!    +--------+--- what is missing -----------+
//! ```
//!
//! What is done is what is there: the state of a farm is its folder, and whom it is lost with is nobody.

use std::{
    fs::{self, File, TryLockError},
    num::NonZero,
    path::PathBuf,
    process::ExitCode,
};

use super::{Error, clash, contract, manners, note, signals, signals::Signals, tell, units};
use crate::sets::Isa;

mod end;
mod engine;
mod local;
mod plan;
mod script;
mod shards;
mod slurm;
mod watch;

use engine::Engine;
use plan::{How, Plan};

const EXAMPLES: &str = "\
Examples:
  # on the cores of this machine
  gpu-lsu farm --out night --shards 64 --ops 100M
  # an array of Slurm
  gpu-lsu farm --out night --shards 64 --slurm --sbatch-arg=--time=30
  # continue, whatever became of the first one
  gpu-lsu farm --resume night
  # any other scheduler: says what to run
  gpu-lsu farm --out night --shards 64 --script

The folder holds the plan, a result for each shard, merged.json and report.txt. An element that was killed, timed out \
or was lost with its node runs again; one that found a mismatch has left its result, and does not.

Exit codes: 0 RTL and model agree, 1 they do not, or shards are missing, 2 a usage error, or no shard left a result, \
130, 143 or 129 interrupted before a mismatch was found";

/// Run a campaign in shards, on many cores or on a cluster, with one report
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
#[group(skip)]
pub struct Args {
    /// Run the campaign in this folder, continuing it if the folder already holds the same plan
    #[arg(long, value_name = "DIR", required_unless_present = "resume")]
    out: Option<PathBuf>,
    /// Continue the campaign planned in this folder
    #[arg(long, value_name = "DIR", conflicts_with_all = ["out", "shards", "isa", "ops", "seed", "seeds", "failures", "lanes",
        "local", "slurm", "script", "program", "contract", "allowed_sets"])]
    resume: Option<PathBuf>,
    /// Number of shards to cut the campaign into
    #[arg(long, value_name = "N", value_parser = units::at_least_one, allow_negative_numbers = true, required_unless_present = "resume")]
    shards: Option<NonZero<u64>>,
    /// Instruction set of the campaign [default: all, in turn and together]
    #[arg(long)]
    isa: Option<Isa>,
    /// Number of operations, for each seed with `--seeds`, such as 250_000, 10k or 1e6 [default: 1000000]
    #[arg(long, value_name = "N", value_parser = units::operations, allow_negative_numbers = true)]
    ops: Option<u64>,
    /// Seed for everything random [default: GPU_LSU_SEED, or a new one]
    #[arg(long, value_name = "SEED", value_parser = units::seed, allow_negative_numbers = true)]
    seed: Option<u64>,
    /// Run the campaign with each seed of this file, one per line; `#` begins a comment
    #[arg(long, value_name = "FILE", conflicts_with = "seed")]
    seeds: Option<PathBuf>,
    /// Continue each shard until N of its blocks have failed
    #[arg(long, value_name = "N", value_parser = units::at_least_one, allow_negative_numbers = true)]
    failures: Option<NonZero<u64>>,
    /// Number of lanes in the unit
    #[arg(long, value_parser = units::lanes())]
    lanes: Option<usize>,
    #[command(flatten)]
    contract: contract::Args,
    /// Run the shards as processes on this machine, J at a time; without a number, one per core
    #[arg(long, value_name = "J", num_args = 0..=1, value_parser = units::jobs, conflicts_with_all = ["slurm", "script"])]
    local: Option<Option<NonZero<usize>>>,
    /// Run the shards as a Slurm array, followed by a merge
    #[arg(long, conflicts_with = "script")]
    slurm: bool,
    /// Pass one more argument to `sbatch`, such as `--sbatch-arg=--partition=night`; repeatable
    #[arg(long, value_name = "ARG", requires = "slurm", conflicts_with_all = ["local", "script"], allow_hyphen_values = true)]
    sbatch_arg: Vec<String>,
    /// Limit the number of array elements that run at a time
    #[arg(long, value_name = "T", value_parser = units::at_least_one, allow_negative_numbers = true, requires = "slurm", conflicts_with_all = ["local", "script"])]
    throttle: Option<NonZero<u64>>,
    /// Write the script for another scheduler to run, and say how to run it
    #[arg(long)]
    script: bool,
    /// Number of times to rerun an element that left no result
    #[arg(long, value_name = "R", default_value = "2", value_parser = units::whole::<u32>, allow_negative_numbers = true)]
    retries: u32,
    /// Path of the gpu-lsu for elements to run, on the machines where they run [default: this one]
    #[arg(long, value_name = "FILE")]
    program: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(args: &Args) -> Result<ExitCode, Error> {
    let plan = match &args.resume {
        Some(dir) => Plan::open(dir)?,
        None => match Plan::make(args)? {
            Some(plan) => plan,
            None => return Ok(ExitCode::FAILURE),
        },
    };
    let _alone = alone(&plan)?;
    let mut engine: Box<dyn Engine> = match &plan.how {
        How::Local { jobs } => Box::new(local::Local::new(&plan, *jobs)),
        How::Slurm { arguments, throttle } => Box::new(slurm::Slurm::new(&plan, arguments, *throttle)?),
        How::Script if args.resume.is_none() => {
            plan.keep()?;
            tell(&script::how_to(&plan));
            return Ok(ExitCode::SUCCESS);
        }
        How::Script => {
            plan.keep()?;
            return end::report(&plan, &script::found(&plan)?, args.json);
        }
    };
    // A plan that nobody can run is none: the folder stays free for another one.
    plan.keep()?;
    let last = plan.clone();
    let signals = Signals::listen(move |code| {
        let (text, code) = so_far(&last, code);
        (format!("{text}go on with `{}`\n", last.go_on()), code)
    });
    let watched = watch::watch(&plan, engine.as_mut(), args.retries, &signals)?;
    if watched.stopped {
        let left = engine.leave();
        let (text, code) = so_far(&plan, signals.code());
        tell(&text);
        note(&format!("interrupted; {left}go on with `{}`\n", plan.go_on()));
        return Ok(ExitCode::from(code));
    }
    end::report(&plan, &watched, args.json)
}

/// What an interrupted farm has found, and its exit code: a mismatch stands, whatever became of the other shards. `code` is
/// the signal's.
fn so_far(plan: &Plan, code: u8) -> (String, u8) {
    let found = shards::disagreeing(plan);
    if found.is_empty() {
        return (String::new(), code);
    }
    let noun = if found.len() > 1 { "shards" } else { "shard" };
    (format!("error: RTL and model disagree: {noun} {} of {}\n", shards::ranges(&found), plan.shards), 1)
}

/// Held while a farm is at work.
const LOCK: &str = "farm.lock";

/// One farm a folder at a time.
fn alone(plan: &Plan) -> Result<File, Error> {
    let path = plan.dir.join(LOCK);
    let name = || format!("`{}`", path.display());
    let file = File::create(&path).map_err(|error| Error::Output { name: name(), error })?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => {
            Err(Error::Usage(format!("another `gpu-lsu farm` is at work in {}", plan.dir.display())))
        }
        // Some file systems of networks have no locks: two farms would do the same work, and harm nothing.
        Err(TryLockError::Error(_)) => Ok(file),
    }
}

/// A file of the folder, whole or not at all.
fn put(path: &std::path::Path, text: &str) -> Result<(), Error> {
    use std::io::Write;
    let written = crate::output::Output::create(path).and_then(|mut output| {
        output.write_all(text.as_bytes())?;
        output.finish()
    });
    written.map_err(|error| Error::Output { name: format!("`{}`", path.display()), error })
}

/// Takes a file away, if there is one.
fn remove(path: &std::path::Path) {
    let _ = fs::remove_file(path); // it may never have been there
}
