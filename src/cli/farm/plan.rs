// SPDX-License-Identifier: MIT OR Apache-2.0
//! The plan: what runs, in how many shards, and on what. It is written once; nothing in it changes while it runs.

use std::{
    env, fs,
    num::NonZero,
    path::{self, Path, PathBuf},
    thread,
};

use rand::RngExt;
use serde::{Deserialize, Serialize};

use super::{Args, Error, clash, put, script, units};
use crate::cli::{named, seeds};
use crate::regress::{BLOCK, Shard};

/// Of a campaign, if nobody says how many.
const OPERATIONS: u64 = 1_000_000;
/// Of the file.
const FORMAT: u32 = 1;
/// Its name.
const NAME: &str = "farm.json";
/// The copies of what `--seeds` and `--contract` name.
const SEEDS: &str = "seeds";
const CONTRACT: &str = "contract.toml";
/// What else a farm writes, but for what shards leave.
const FILES: [&str; 6] = [NAME, super::LOCK, script::ELEMENT, script::MERGE, "merged.json", "report.txt"];

/// What a farm does.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    gpu_lsu_farm: u32,
    /// What the scheduler calls its jobs: no other farm has this name.
    pub name: String,
    /// What elements run.
    pub program: PathBuf,
    /// Parts of the campaign.
    pub shards: u64,
    /// Operations of the campaign, or of each seed.
    pub operations: u64,
    /// The seed, if there is one for all.
    pub seed: Option<u64>,
    /// What `verify` is told besides: paths are those of files in the folder.
    pub arguments: Vec<String>,
    /// Who runs it.
    pub how: How,
    /// The folder, absolute.
    #[serde(skip)]
    pub dir: PathBuf,
}

/// Who runs elements.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum How {
    /// Processes here.
    Local {
        /// At a time.
        jobs: NonZero<usize>,
    },
    /// An array.
    Slurm {
        /// For `sbatch`.
        arguments: Vec<String>,
        /// Elements at a time.
        throttle: Option<NonZero<u64>>,
    },
    /// Somebody else.
    Script,
}

impl Plan {
    /// The plan that arguments ask for: that of the folder, if it is the same. There is none if the problems of the seeds
    /// were said.
    pub fn make(args: &Args) -> Result<Option<Self>, Error> {
        clash::one_input([args.seeds.as_deref(), args.contract.file()].into_iter().flatten())?;
        let dir = args.out.clone().unwrap_or_default();
        let operations = args.ops.unwrap_or(OPERATIONS);
        let seeds = match &args.seeds {
            Some(file) => {
                let Some(seeds) = seeds::of_file(file)? else { return Ok(None) };
                seeds.len() as u64
            }
            None => 1,
        };
        let shards = args.shards.map_or(1, NonZero::get);
        if let Some(problem) = Shard::problem(shards, operations.div_ceil(BLOCK).saturating_mul(seeds)) {
            return Err(Error::Usage(problem));
        }
        // A copy of itself takes nobody's place.
        let files = |copy| FILES.iter().chain([copy]).map(|name| ("the farm", dir.join(name)));
        clash::check(args.seeds.as_deref(), files(&CONTRACT))?;
        clash::check(args.contract.file(), files(&SEEDS))?;
        args.contract.read()?;
        clash::folder(&dir)?;
        for_scripts(&path::absolute(&dir).unwrap_or_else(|_| dir.clone()))?;
        fs::create_dir_all(&dir)
            .and_then(|()| dir.canonicalize())
            .map_err(|error| Error::Output { name: format!("`{}`", dir.display()), error })
            .and_then(|dir| Self::of(args, dir).map(Some))
    }

    fn of(args: &Args, dir: PathBuf) -> Result<Self, Error> {
        let known = if dir.join(NAME).exists() { Some(Self::open(&dir)?) } else { None };
        let mut arguments = Vec::new();
        let mut add = |flag: &str, value: String| arguments.extend([flag.to_owned(), value]);
        args.isa.iter().for_each(|isa| add("--isa", isa.name().to_owned()));
        args.lanes.iter().for_each(|lanes| add("--lanes", lanes.to_string()));
        args.failures.iter().for_each(|failures| add("--failures", failures.to_string()));
        for (flag, file, name) in
            [("--seeds", args.seeds.as_deref(), SEEDS), ("--contract", args.contract.file(), CONTRACT)]
        {
            let Some(file) = file else { continue };
            let text = crate::cli::shared::read_text(file)?;
            // Elements read a copy: what changes in the file while they run is another campaign.
            let copy = dir.join(name);
            match &known {
                None => put(&copy, &text)?,
                Some(_) if fs::read_to_string(&copy).is_ok_and(|there| there == text) => {}
                Some(_) => return Err(other(&dir, flag)),
            }
            add(flag, name.to_owned());
        }
        if args.contract.any_lane_order() {
            arguments.push("--allowed-sets".to_owned());
        }
        let how = if args.slurm {
            How::Slurm { arguments: args.sbatch_arg.clone(), throttle: args.throttle }
        } else if args.script {
            How::Script
        } else {
            let cores = || thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN);
            How::Local { jobs: args.local.flatten().unwrap_or_else(cores) }
        };
        let program = match &args.program {
            Some(program) => program.canonicalize(),
            None => env::current_exe(),
        };
        let program = program.map_err(|error| {
            let name = args.program.as_ref().map_or("this program".to_owned(), |path| format!("`{}`", path.display()));
            Error::Given { name, error, hint: "`--program` names a gpu-lsu that can be run" }
        })?;
        for_scripts(&program)?;
        for_scripts(&dir)?;
        let seed = match (&args.seeds, args.seed, &known) {
            (Some(_), ..) => None,
            (None, None, Some(known)) => known.seed,
            (None, seed, _) => Some(seed.map_or_else(units::drawn_seed, Ok)?),
        };
        let name = match &known {
            Some(known) => known.name.clone(),
            None => format!("gpu-lsu-{:08x}", rand::rng().random::<u32>()),
        };
        let (shards, operations) = (args.shards.map_or(1, NonZero::get), args.ops.unwrap_or(OPERATIONS));
        let plan = Plan { gpu_lsu_farm: FORMAT, name, program, shards, operations, seed, arguments, how, dir };
        match known.and_then(|known| plan.difference(&known)) {
            Some(what) => Err(other(&plan.dir, what)),
            None => Ok(plan),
        }
    }

    /// The plan of a folder.
    pub fn open(dir: &Path) -> Result<Self, Error> {
        let path = dir.join(NAME);
        let text = crate::cli::shared::read_text(&path).map_err(|error| match error {
            Error::Read { name, error } => {
                Error::Given { name, error, hint: "give a folder that can be read: one that `gpu-lsu farm --out` made" }
            }
            error => error,
        })?;
        let broken = |error| Error::Usage(format!("{} is no plan of a farm: {error}", path.display()));
        let mut plan: Plan = serde_json::from_str(&text).map_err(|error| broken(error.to_string()))?;
        if plan.gpu_lsu_farm != FORMAT {
            return Err(broken(format!("it is of format {}, and this program reads {FORMAT}", plan.gpu_lsu_farm)));
        }
        plan.dir = dir.canonicalize().map_err(|error| Error::Read { name: format!("`{}`", dir.display()), error })?;
        Ok(plan)
    }

    /// Writes it, and what elements run.
    pub fn keep(&self) -> Result<(), Error> {
        let text = serde_json::to_string_pretty(self).unwrap_or_else(|error| unreachable!("plain data: {error}"));
        put(&self.dir.join(script::ELEMENT), &script::element(self))?;
        put(&self.dir.join(script::MERGE), &script::merge(self))?;
        // Last: a folder with a plan has all of it.
        put(&self.dir.join(NAME), &(text + "\n"))
    }

    /// A file of a shard.
    pub fn file(&self, shard: u64, ending: &str) -> PathBuf {
        self.dir.join(format!("shard-{shard:0width$}.{ending}", width = self.digits()))
    }

    /// Of the numbers in names of files.
    pub fn digits(&self) -> usize {
        self.shards.to_string().len().max(4)
    }

    /// How to go on with it.
    pub fn go_on(&self) -> String {
        format!("gpu-lsu farm --resume {}", named(&self.dir))
    }

    /// The flag in which another plan differs.
    fn difference(&self, other: &Plan) -> Option<&'static str> {
        let rows = [
            ("--shards", self.shards != other.shards),
            ("--ops", self.operations != other.operations),
            ("--seed", self.seed != other.seed),
            ("--program", self.program != other.program),
            ("--isa, --lanes, --failures, --seeds or --contract", self.arguments != other.arguments),
            ("--local, --slurm or --script", self.how != other.how),
        ];
        rows.into_iter().find_map(|(flag, differs)| differs.then_some(flag))
    }
}

/// Scripts and the plan are text, and name the folder and the program.
fn for_scripts(path: &Path) -> Result<(), Error> {
    match path.to_str() {
        Some(_) => Ok(()),
        None => Err(Error::Usage(format!(
            "`{}` is no path of UTF-8 text, as the scripts of a farm need it",
            path.display()
        ))),
    }
}

fn other(dir: &Path, what: &str) -> Error {
    let dir = dir.display();
    Error::Usage(format!(
        "{dir} holds another plan, with another {what}: `gpu-lsu farm --resume {dir}`, or another folder"
    ))
}
