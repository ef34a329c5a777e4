// SPDX-License-Identifier: MIT OR Apache-2.0
//! The end of a farm: all results as one, and what is missing.

use std::{
    collections::BTreeMap,
    io::Write,
    process::{Command, ExitCode, Stdio},
};

use super::{
    Error,
    plan::{How, Plan},
    put, script,
    shards::ranges,
    tell,
    watch::Watched,
};
use crate::cli::{Stdout, note, report::count};

/// Merges, keeps the report, and prints it.
pub fn report(plan: &Plan, watched: &Watched, json: bool) -> Result<ExitCode, Error> {
    tell(&lost(plan, &watched.lost));
    if plan.how == How::Script && !watched.lost.is_empty() {
        note(&script::again(plan));
    }
    if watched.done == 0 {
        return Err(Error::Usage("no shard left a result: there is nothing to report".to_owned()));
    }
    let (text, code) = merge(plan, &[])?;
    put(&plan.dir.join("report.txt"), &text)?;
    let shown = if json { merge(plan, &["--json"])?.0 } else { text };
    let mut output = Stdout::new();
    output.write_all(shown.as_bytes())?;
    output.flush()?;
    if watched.again > 0 {
        note(&format!("note: {} ran again; each shard is counted once\n", count(watched.again, "element")));
    }
    // What is missing is no agreement, whoever says so.
    output.finish(if watched.lost.is_empty() { code } else { code.max(1) })
}

/// Shards that are missing: those of one reason in one line, as what ends one element may end all.
fn lost(plan: &Plan, lost: &BTreeMap<u64, String>) -> String {
    let mut reasons = BTreeMap::<&str, Vec<u64>>::new();
    lost.iter().for_each(|(shard, why)| reasons.entry(why).or_default().push(*shard));
    let mut reasons: Vec<(Vec<u64>, &str)> = reasons.into_iter().map(|(why, shards)| (shards, why)).collect();
    reasons.sort();
    let line = |(shards, why): &(Vec<u64>, &str)| {
        let noun = if shards.len() > 1 { "shards" } else { "shard" };
        format!("error: {noun} {} of {}: {why}\n", ranges(shards), plan.shards)
    };
    reasons.iter().map(line).collect()
}

/// What `merge` says of the folder.
fn merge(plan: &Plan, more: &[&str]) -> Result<(String, u8), Error> {
    let mut command = Command::new(&plan.program);
    command.arg("merge").arg(".").args(["--out", "merged.json"]).args(more).current_dir(&plan.dir);
    let ran = command.stderr(Stdio::inherit()).stdin(Stdio::null()).output().map_err(|error| {
        let name = format!("`{}`", plan.program.display());
        Error::Given { name, error, hint: "`--program` names a gpu-lsu that can be run" }
    })?;
    // A merge that was killed agrees with nobody.
    let code = ran.status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(2);
    Ok((String::from_utf8_lossy(&ran.stdout).into_owned(), code))
}
