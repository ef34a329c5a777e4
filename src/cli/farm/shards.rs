// SPDX-License-Identifier: MIT OR Apache-2.0
//! What elements left: a shard is done when its result is there, whole, and of this plan.

use std::{collections::BTreeSet, fs, io, path::Path};

use serde::{Deserialize, de::IgnoredAny};

use super::{Error, plan::Plan, units};

/// What is known of a shard from its files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Left {
    /// Its result.
    Result {
        /// That were checked.
        operations: u64,
    },
    /// No result, and no reason against trying again; how it ended, if it has said so.
    Nothing(Option<String>),
    /// No result, and it would end so again.
    Refused(String),
}

/// What of a result tells whose it is.
#[derive(Deserialize)]
struct Head {
    gpu_lsu_result: u32,
    campaign: Campaign,
    shards: Parts,
    figures: Figures,
    failures: Vec<IgnoredAny>,
}

#[derive(Deserialize)]
struct Campaign {
    operations: Option<u64>,
    seeds: Vec<String>,
}

#[derive(Deserialize)]
struct Parts {
    of: u64,
    parts: Vec<Part>,
}

#[derive(Deserialize)]
struct Part {
    shard: u64,
    ended: String,
}

#[derive(Deserialize)]
struct Figures {
    operations: u64,
}

/// Shards that have files in the folder, whatever these are: it is listed once, where many would be looked for one by one.
///
/// # Errors
///
/// When the folder cannot be read.
pub fn begun(plan: &Plan) -> Result<BTreeSet<u64>, Error> {
    let names: io::Result<Vec<_>> =
        fs::read_dir(&plan.dir).and_then(|dir| dir.map(|entry| Ok(entry?.file_name())).collect());
    let names = names.map_err(|error| Error::Read { name: format!("`{}`", plan.dir.display()), error })?;
    let number = |name: &str| name.strip_prefix("shard-")?.split('.').next()?.parse().ok();
    Ok(names.iter().filter_map(|name| number(name.to_str()?)).collect())
}

/// Looks at the files of a shard that nobody works at.
pub fn look(plan: &Plan, shard: u64) -> Left {
    match result(plan, shard) {
        Some(left) => left,
        None => ended(plan, shard),
    }
}

/// Its result alone.
pub fn result(plan: &Plan, shard: u64) -> Option<Left> {
    let path = plan.file(shard, "result.json");
    let text = fs::read(&path).ok()?;
    let name = path.file_name().map(Path::new).unwrap_or(&path).display().to_string();
    let head: Head = match serde_json::from_slice(&text) {
        Ok(head) => head,
        Err(error) => return Some(Left::Nothing(Some(format!("{name} is no result: {error}")))),
    };
    match &head.shards.parts[..] {
        [part] if head.is_of(plan) && part.shard == shard => match part.ended.as_str() {
            "interrupted" => Some(Left::Nothing(Some("it was interrupted".to_owned()))),
            _ => Some(Left::Result { operations: head.figures.operations }),
        },
        _ => Some(Left::Refused(format!("{name} is the result of another campaign or shard: take it away"))),
    }
}

/// Shards that have found a mismatch, in the folder as it is now.
pub fn disagreeing(plan: &Plan) -> Vec<u64> {
    let disagrees = |shard: &u64| {
        let text = fs::read(plan.file(*shard, "result.json")).unwrap_or_default();
        serde_json::from_slice::<Head>(&text).is_ok_and(|head| head.is_of(plan) && !head.failures.is_empty())
    };
    // Where nothing can be read, nothing is known.
    begun(plan).unwrap_or_default().into_iter().filter(disagrees).collect()
}

impl Head {
    /// Whether it is of this campaign.
    fn is_of(&self, plan: &Plan) -> bool {
        let seeds: Vec<u64> = self.campaign.seeds.iter().filter_map(|seed| units::number(seed).ok()).collect();
        self.gpu_lsu_result == 1
            && self.campaign.operations == Some(plan.operations)
            && plan.seed.is_none_or(|seed| seeds == [seed])
            && self.shards.of == plan.shards
    }
}

/// How an element without a result ended.
fn ended(plan: &Plan, shard: u64) -> Left {
    let code = fs::read_to_string(plan.file(shard, "exit")).ok().and_then(|text| text.trim().parse::<u32>().ok());
    match code {
        None => Left::Nothing(None),
        // What others do to a process: hang-up, interrupt, kill, termination, and the limit of its time.
        Some(code @ (129 | 130 | 137 | 143 | 152)) => Left::Nothing(Some(format!("signal {}", code - 128))),
        Some(code) => {
            let said = fs::read_to_string(plan.file(shard, "err")).unwrap_or_default();
            Left::Refused(format!("exit code {code}: {}", said.trim()))
        }
    }
}

/// Numbers that follow on each other.
pub fn runs(numbers: &[u64]) -> impl Iterator<Item = &[u64]> {
    numbers.chunk_by(|left, right| left + 1 == *right)
}

/// Numbers, ascending, as Slurm and reports write them: 1-3,5.
pub fn ranges(numbers: &[u64]) -> String {
    let parts: Vec<String> = runs(numbers)
        .map(|run| match run {
            [one] => one.to_string(),
            run => format!("{}-{}", run[0], run[run.len() - 1]),
        })
        .collect();
    parts.join(",")
}
