// SPDX-License-Identifier: MIT OR Apache-2.0
//! What an element of an array runs, for every scheduler the same.

use std::collections::BTreeSet;

use super::{
    Error,
    engine::{Active, Engine},
    plan::Plan,
};

/// Runs one shard.
pub const ELEMENT: &str = "element.sh";
/// Merges what is there.
pub const MERGE: &str = "merge.sh";

/// The script of an element. Its result appears whole, under the shard's name: a shard that ran twice is there once.
pub fn element(plan: &Plan) -> String {
    let seed = plan.seed.map_or(String::new(), |seed| format!(" --seed {seed:#x}"));
    let more: String = plan.arguments.iter().map(|word| format!(" {}", quoted(word))).collect();
    format!(
        "#!/bin/sh
# One shard of {shards}: the argument or GPU_LSU_SHARD says which, from 1; in an array of Slurm, the element's number.
cd {dir} || exit 2
shard=${{1:-${{GPU_LSU_SHARD:-}}}}
[ -n \"$shard\" ] || shard=$((${{GPU_LSU_BASE:-0}} + ${{SLURM_ARRAY_TASK_ID:?which shard is it}}))
name=$(printf 'shard-%0{digits}d' \"$shard\") || exit 2
unset GPU_LSU_SEED
rm -f \"$name.exit\"
{program} verify --shard \"$shard/{shards}\" --ops {ops}{seed}{more} \\
  --jobs \"${{GPU_LSU_JOBS:-${{SLURM_CPUS_PER_TASK:-1}}}}\" \\
  --result \"$name.result.json\" --capsule \"$name.capsule\" </dev/null >\"$name.out\" 2>\"$name.err\"
code=$?
echo \"$code\" >\"$name.exit.$$\" && mv \"$name.exit.$$\" \"$name.exit\"
exit \"$code\"
",
        shards = plan.shards,
        dir = quoted(&plan.dir.to_string_lossy()),
        digits = plan.digits(),
        program = quoted(&plan.program.to_string_lossy()),
        ops = plan.operations,
    )
}

/// The script of the merge.
pub fn merge(plan: &Plan) -> String {
    format!(
        "#!/bin/sh
# All results that are there as one. What is missing is said, and is no agreement.
cd {dir} || exit 2
{program} merge . --out merged.json >report.txt.$$
code=$?
mv report.txt.$$ report.txt
exit \"$code\"
",
        dir = quoted(&plan.dir.to_string_lossy()),
        program = quoted(&plan.program.to_string_lossy()),
    )
}

/// What to do with them.
pub fn how_to(plan: &Plan) -> String {
    let dir = plan.dir.display();
    format!(
        "run this for each N from 1 to {shards}, anywhere, in any order, as often as it takes:\n  \
         GPU_LSU_SHARD=N sh {dir}/{ELEMENT}\nthen, for the report:\n  {}\n",
        plan.go_on(),
        shards = plan.shards,
    )
}

/// A word for a shell.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=,:+".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

/// Somebody else runs the script: nothing is waited for.
pub struct Nobody;

impl Engine for Nobody {
    fn active(&mut self) -> Result<Option<Active>, Error> {
        Ok(Some(Active { running: BTreeSet::new(), waiting: BTreeSet::new() }))
    }

    fn submit(&mut self, shards: &[u64]) -> Result<usize, Error> {
        Ok(shards.len())
    }

    fn leave(&mut self) -> String {
        String::new()
    }
}
