// SPDX-License-Identifier: MIT OR Apache-2.0
//! What an element of an array runs, for every scheduler the same.

use super::{
    Error,
    plan::Plan,
    shards::{self, Left},
    watch::Watched,
};
use crate::{
    cli::{named, quoted},
    explain::words::wrap,
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
shard=${{1:-${{GPU_LSU_SHARD:-}}}}
[ -n \"$shard\" ] || shard=$((${{GPU_LSU_BASE:-0}} + ${{SLURM_ARRAY_TASK_ID:?or GPU_LSU_SHARD or the argument must say which shard it is}}))
is_shard() {{
  case $1 in 0* | *[!0-9]*) return 1 ;; esac
  [ \"$1\" -le {shards} ] 2>/dev/null
}}
is_shard \"$shard\" || {{ printf 'error: the shards are 1 to {shards}, and %s is none\\n' \"$shard\" >&2; exit 2; }}
name=$(printf 'shard-%0{digits}d' \"$shard\") || exit 2
dir={dir}
cd \"$dir\" || {{
  # Beside this script, if the folder was moved.
  here=$(dirname \"$0\")
  [ -e \"$here/farm.json\" ] || exit 2
  printf 'the farm was made in %s, which cannot be entered\\n' \"$dir\" >\"$here/$name.err\"
  echo 2 >\"$here/$name.exit\"
  exit 2
}}
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
    let dir = named(&plan.dir);
    format!(
        "run this for each N from 1 to {shards}, anywhere, in any order, as often as it takes:\n  \
         GPU_LSU_SHARD=N sh {dir}/{ELEMENT}\nthen, for the report:\n  {}\n",
        plan.go_on(),
        shards = plan.shards,
    )
}

/// What is there and what is missing, in one look: somebody else runs the script, and nobody waits for it.
pub fn found(plan: &Plan) -> Result<Watched, Error> {
    let begun = shards::begun(plan)?;
    let mut found = Watched::default();
    for shard in 1..=plan.shards {
        let why = match shards::look(plan, shard) {
            Left::Result { .. } => {
                found.done += 1;
                continue;
            }
            Left::Nothing(None) if !begun.contains(&shard) => "it never ran".to_owned(),
            Left::Nothing(None) => "it still runs, or was killed".to_owned(),
            Left::Nothing(Some(why)) | Left::Refused(why) => why,
        };
        found.lost.insert(shard, why);
    }
    Ok(found)
}

/// What runs the shards that are missing.
pub fn again(plan: &Plan) -> String {
    let dir = plan.dir.display();
    let hint = format!("hint: run `GPU_LSU_SHARD=N sh {dir}/{ELEMENT}` for each N that is missing, then this again");
    format!("\n{}", wrap(&hint, 6))
}
