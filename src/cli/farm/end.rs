// SPDX-License-Identifier: MIT OR Apache-2.0
//! The end of a farm: all results as one, and what is missing.

use std::{
    io::Write,
    process::{Command, ExitCode, Stdio},
};

use super::{Error, plan::Plan, put, tell, watch::Watched};
use crate::cli::{Stdout, note, report::count};

/// Merges, keeps the report, and prints it.
pub fn report(plan: &Plan, watched: &Watched, json: bool) -> Result<ExitCode, Error> {
    for (shard, why) in &watched.lost {
        tell(&format!("error: shard {shard} of {}: {why}\n", plan.shards));
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

/// What `merge` says of the folder.
fn merge(plan: &Plan, more: &[&str]) -> Result<(String, u8), Error> {
    let mut command = Command::new(&plan.program);
    command.arg("merge").arg(".").args(["--out", "merged.json"]).args(more).current_dir(&plan.dir);
    let ran = command.stderr(Stdio::inherit()).stdin(Stdio::null()).output()?;
    // A merge that was killed agrees with nobody.
    let code = ran.status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(2);
    Ok((String::from_utf8_lossy(&ran.stdout).into_owned(), code))
}
