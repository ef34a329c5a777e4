// SPDX-License-Identifier: MIT OR Apache-2.0
//! Arrays of Slurm. Jobs are found by their name, which is the plan's: a farm that was killed at any time finds them again.

use std::{
    collections::BTreeSet,
    num::NonZero,
    process::{Command, Output},
    time::Duration,
};

use super::{
    Error,
    engine::{Active, Engine},
    note,
    plan::Plan,
    script,
    shards::{ranges, runs},
};

/// What Slurm's commands say when the controller is away, goes away while it is asked, or has no time.
const AWAY: [&str; 10] = [
    "Unable to contact",
    "Socket timed out",
    "Zero Bytes",
    "Connection refused",
    "Connection reset",
    "Unexpected missing socket",
    "Communication connection failure",
    "Message send failure",
    "Message receive failure",
    "temporarily unable",
];

/// Why Slurm itself holds what it could not start, as after a controller that lost what it knew last: nobody ever lets it go.
const HELD: &str = "launch_failed_requeued_held";

/// Runs of numbers in an array, at most: they are one argument, and the system takes none above 128 KiB.
const RUNS: usize = 5000;

/// Elements of arrays.
pub struct Slurm<'a> {
    plan: &'a Plan,
    arguments: &'a [String],
    throttle: Option<NonZero<u64>>,
    /// Elements of an array, at most.
    size: u64,
    /// Jobs that the controller keeps, at most: each element is one.
    jobs: u64,
    /// Arrays that had elements in the last look, and these elements.
    arrays: BTreeSet<String>,
    active: u64,
}

impl<'a> Slurm<'a> {
    /// # Errors
    ///
    /// When Slurm is not here.
    pub fn new(plan: &'a Plan, arguments: &'a [String], throttle: Option<NonZero<u64>>) -> Result<Self, Error> {
        let text = ask(Command::new("scontrol").args(["show", "config"])).map_err(|error| match error {
            Error::Usage(what) => Error::Usage(format!("{what}; without a cluster, `--local` runs the shards here")),
            other => other,
        })?;
        let text = text.unwrap_or_default();
        let limit = |name: &str, usual: u64| {
            let mut values = text.lines().filter_map(|line| line.strip_prefix(name)?.trim_start().strip_prefix('='));
            values.find_map(|value| value.trim().parse::<u64>().ok()).unwrap_or(usual)
        };
        let jobs = limit("MaxJobCount", 10_000);
        // Numbers in an array are below the limit. What ended a moment ago is a job as well, and an array that finds no room is
        // refused as a whole.
        let size = limit("MaxArraySize", 1001).saturating_sub(1).min(jobs / 4).max(1);
        Ok(Slurm { plan, arguments, throttle, size, jobs, arrays: BTreeSet::new(), active: 0 })
    }

    fn sbatch(&self) -> Command {
        let mut command = Command::new("sbatch");
        command.args(["--parsable", "--requeue", "--open-mode=append"]).arg("--chdir").arg(&self.plan.dir);
        command
    }

    /// Shards of one array: their numbers follow on `base`.
    fn array(&self, base: u64, shards: &[u64]) -> Result<Option<String>, Error> {
        let elements: Vec<u64> = shards.iter().map(|shard| shard - base).collect();
        let throttle = self.throttle.map_or(String::new(), |most| format!("%{most}"));
        let mut command = self.sbatch();
        command
            .arg(format!("--job-name={}.{base}", self.plan.name))
            .arg(format!("--array={}{throttle}", ranges(&elements)))
            .arg(format!("--export=ALL,GPU_LSU_BASE={base}"))
            .arg("--output=slurm.log")
            .args(self.arguments)
            .arg(script::ELEMENT)
            .current_dir(&self.plan.dir)
            .env_remove("GPU_LSU_SHARD");
        ask(&mut command)
    }
}

impl Engine for Slurm<'_> {
    fn active(&mut self) -> Result<Option<Active>, Error> {
        let Some(text) = ask(Command::new("squeue").args(["--me", "-h", "-r", "-o", "%j %K %t %F %r"]))? else {
            return Ok(None);
        };
        let mut active = Active { running: BTreeSet::new(), waiting: BTreeSet::new() };
        let mut held = Vec::new();
        self.arrays.clear();
        for line in text.lines() {
            let mut words = line.splitn(5, ' ');
            let [Some(job), Some(element), Some(state), Some(array), Some(why)] = std::array::from_fn(|_| words.next())
            else {
                continue;
            };
            let base = job.strip_prefix(&self.plan.name).and_then(|rest| rest.strip_prefix('.')?.parse::<u64>().ok());
            let (Some(base), Ok(element)) = (base, element.parse::<u64>()) else { continue };
            if state == "PD" && why.trim().replace(' ', "_") == HELD {
                held.push(format!("{array}_{element}"));
                continue;
            }
            self.arrays.insert(array.to_owned());
            let place = if state == "PD" { &mut active.waiting } else { &mut active.running };
            place.insert(base + element);
        }
        // Ended, it is like any other that left nothing, and runs again. One that another look finds is ended then.
        if !held.is_empty() {
            ask(Command::new("scancel").args(&held))?;
        }
        self.active = (active.running.len() + active.waiting.len()) as u64;
        Ok(Some(active))
    }

    fn submit(&mut self, shards: &[u64]) -> Result<usize, Error> {
        // The report is of those as well that were submitted before.
        let mut jobs: Vec<String> = self.arrays.iter().cloned().collect();
        // One job is the merge.
        let room = usize::try_from(self.jobs.saturating_sub(self.active + 1)).unwrap_or(usize::MAX);
        let mut rest = &shards[..shards.len().min(room)];
        let mut taken = 0;
        while !rest.is_empty() {
            let (base, these, after) = cut(rest, self.size);
            match self.array(base, these)? {
                Some(job) => jobs.push(job.trim().split(';').next().unwrap_or_default().to_owned()),
                None => break,
            }
            taken += these.len();
            rest = after;
        }
        if taken < shards.len() {
            return Ok(taken);
        }
        // The report is there though nobody waits for it. Without this job the farm makes it itself.
        let mut merge = self.sbatch();
        merge
            .arg(format!("--job-name={}.merge", self.plan.name))
            .arg(format!("--dependency=afterany:{}", jobs.join(":")))
            .arg("--output=slurm.log")
            .args(self.arguments)
            .arg(script::MERGE)
            .current_dir(&self.plan.dir);
        if let Err(error) = ask(&mut merge) {
            note(&format!("note: no merge job: {error}\n"));
        }
        Ok(taken)
    }

    fn leave(&mut self) -> String {
        let bases = (0..self.plan.shards).step_by(usize::try_from(self.size).unwrap_or(usize::MAX));
        let names: Vec<String> = bases.map(|base| format!("{}.{base}", self.plan.name)).collect();
        let (names, merge) = (names.join(","), &self.plan.name);
        format!("its jobs go on without it (`scancel --me --name={names},{merge}.merge` ends them); ")
    }

    fn pause(&self) -> Duration {
        // A look costs the controller about what its elements are many.
        Duration::from_millis(1000 + self.plan.shards.min(20_000))
    }
}

/// What a command of Slurm answers; none if the controller is away.
fn ask(command: &mut Command) -> Result<Option<String>, Error> {
    let name = command.get_program().to_string_lossy().into_owned();
    let ran = command.output();
    let Output { status, stdout, stderr } =
        ran.map_err(|error| Error::Usage(format!("`{name}` does not start: {error}")))?;
    if status.success() {
        return Ok(Some(String::from_utf8_lossy(&stdout).into_owned()));
    }
    let said = String::from_utf8_lossy(&stderr).trim().to_owned();
    if AWAY.iter().any(|words| said.contains(words)) {
        Ok(None)
    } else {
        Err(Error::Usage(format!("`{name}` says: {said}")))
    }
}

/// The shards of one array of at most so many elements, whose numbers follow on the base; and what is left of them.
fn cut(shards: &[u64], size: u64) -> (u64, &[u64], &[u64]) {
    let base = shards.first().map_or(0, |first| (first - 1) / size * size);
    let near = &shards[..shards.partition_point(|shard| shard - base <= size)];
    let (these, rest) = shards.split_at(runs(near).take(RUNS).map(<[u64]>::len).sum());
    (base, these, rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrays_have_every_shard_once_and_are_arguments() {
        const LONGEST: usize = 128 << 10;
        let all: Vec<u64> = (1..=400_000).collect();
        let sparse: Vec<u64> = (1..=1_000_000).step_by(2).collect();
        for (shards, size) in [(&all, 1000), (&sparse, 1000), (&sparse, 1_000_000)] {
            let (mut cuts, mut rest) = (Vec::<u64>::new(), &shards[..]);
            while !rest.is_empty() {
                let (base, these, after) = cut(rest, size);
                let elements: Vec<u64> = these.iter().map(|shard| shard - base).collect();
                assert!(elements.iter().all(|element| (1..=size).contains(element)), "{base}");
                assert!(ranges(&elements).len() < LONGEST, "{base}");
                cuts.extend(these);
                rest = after;
            }
            assert_eq!(cuts, *shards);
        }
        assert_eq!(ranges(&[1, 2, 3, 5, 7, 8]), "1-3,5,7-8");
    }
}
