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
  # goes on, whatever became of the first one
  gpu-lsu farm --resume night
  # for any other scheduler: says what to run
  gpu-lsu farm --out night --shards 64 --script

The folder holds the plan, a result for each shard, merged.json and report.txt. An element that was killed, timed out \
or was lost with its node runs again; one that found a mismatch has a result.

Exit codes: 0 RTL and model agree, 1 they do not, or shards are missing, 2 usage, or no shard left a result, \
130, 143 or 129 interrupted";

/// A campaign in shards, on many cores or on a cluster, with one report
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
#[group(skip)]
pub struct Args {
    /// The folder of the campaign; one that holds the same plan goes on
    #[arg(long, value_name = "DIR", required_unless_present = "resume")]
    out: Option<PathBuf>,
    /// Go on with what this folder's plan says
    #[arg(long, value_name = "DIR", conflicts_with_all = ["out", "shards", "isa", "ops", "seed", "seeds", "failures", "lanes",
        "local", "slurm", "script", "program", "contract", "allowed_sets"])]
    resume: Option<PathBuf>,
    /// Parts that the campaign is cut into
    #[arg(long, value_name = "N", value_parser = units::at_least_one, required_unless_present = "resume")]
    shards: Option<NonZero<u64>>,
    /// The instruction set; without it, all of them, in turn and together
    #[arg(long)]
    isa: Option<Isa>,
    /// Operations of the whole campaign, or for each seed of `--seeds`; without a number 1000000
    #[arg(long, value_name = "N", value_parser = units::operations, allow_negative_numbers = true)]
    ops: Option<u64>,
    /// What everything random comes from; without it, that of GPU_LSU_SEED, else a new one
    #[arg(long, value_name = "SEED", value_parser = units::seed, allow_negative_numbers = true)]
    seed: Option<u64>,
    /// Run the campaign with each seed of this file, one a line
    #[arg(long, value_name = "FILE", conflicts_with = "seed")]
    seeds: Option<PathBuf>,
    /// Let each shard go on until N of its blocks have failed
    #[arg(long, value_name = "N", value_parser = units::at_least_one)]
    failures: Option<NonZero<u64>>,
    /// The unit's lanes
    #[arg(long, value_parser = units::lanes())]
    lanes: Option<usize>,
    #[command(flatten)]
    contract: contract::Args,
    /// Processes of this machine, J of them at a time; without a number one for each core
    #[arg(long, value_name = "J", num_args = 0..=1, value_parser = units::jobs, conflicts_with_all = ["slurm", "script"])]
    local: Option<Option<NonZero<usize>>>,
    /// An array of Slurm, and a merge after it
    #[arg(long, conflicts_with = "script")]
    slurm: bool,
    /// One more argument for `sbatch`, such as `--sbatch-arg=--partition=night`
    #[arg(long, value_name = "ARG", requires = "slurm", conflicts_with_all = ["local", "script"], allow_hyphen_values = true)]
    sbatch_arg: Vec<String>,
    /// Elements of the array that may run at a time
    #[arg(long, value_name = "T", value_parser = units::at_least_one, requires = "slurm", conflicts_with_all = ["local", "script"])]
    throttle: Option<NonZero<u64>>,
    /// Write what another scheduler runs, and say how
    #[arg(long)]
    script: bool,
    /// How often an element that left no result runs again
    #[arg(long, value_name = "R", default_value_t = 2)]
    retries: u32,
    /// The gpu-lsu that elements run, where they run; without it, this one
    #[arg(long, value_name = "FILE")]
    program: Option<PathBuf>,
    /// One JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(args: &Args) -> Result<ExitCode, Error> {
    let plan = match &args.resume {
        Some(dir) => Plan::open(dir)?,
        None => Plan::make(args)?,
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
    let signals = Signals::listen(move |code| (format!("go on with `{}`\n", last.go_on()), code));
    let watched = watch::watch(&plan, engine.as_mut(), args.retries, &signals)?;
    if watched.stopped {
        note(&format!("interrupted; {}go on with `{}`\n", engine.leave(), plan.go_on()));
        return Ok(ExitCode::from(signals.code()));
    }
    end::report(&plan, &watched, args.json)
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
