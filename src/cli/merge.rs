// SPDX-License-Identifier: MIT OR Apache-2.0
//! `gpu-lsu merge`: what the shards of a campaign left, as one result with one verdict.

use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
    process::ExitCode,
};

use super::{Error, Stdout, clash, ended, refused, report::count, say, tell, units};
use crate::{
    explain::words::wrap,
    output::Output,
    regress::{Ended, Group, Merge, Ranking, Results, Verdict, junit, ucis},
};

mod inputs;
mod json;
mod rank;

use inputs::Inputs;

const EXAMPLES: &str = "\
A result is what `verify --result` writes for a campaign, or for one of its shards. Shards merge in any order; apart \
from the seconds, the merged result is byte for byte what one machine would have written. A folder stands for all \
*.result.json files in it. A merged result can be merged again.

Examples:
  gpu-lsu merge 1.result.json 2.result.json 3.result.json
  gpu-lsu merge night --out all.result.json --require-coverage 99
  gpu-lsu merge night --capsules failing --json
  gpu-lsu merge night --junit report.xml --ucis coverage.xml --rank best.seeds

Exit codes: 0 all shards are there and agree, 1 they do not, something is missing, or a result is refused, 2 a usage \
error, or a report that could not be delivered";

/// Merge the results of a campaign's shards into one
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Result files, or folders of them
    #[arg(required = true, value_name = "RESULTS")]
    results: Vec<PathBuf>,
    /// Write the merged result to this file
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Write the smallest case of each failure to this folder, as a capsule for `gpu-lsu replay`
    #[arg(long, value_name = "DIR")]
    capsules: Option<PathBuf>,
    /// Write a JUnit report to this file, with a test case for each clause
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
    /// Write the coverage to this file as UCIS XML, for coverage viewers
    #[arg(long, value_name = "FILE")]
    ucis: Option<PathBuf>,
    /// Write to this file, as LCOV, how often each line of the RTL ran in campaigns with `--line-coverage`
    #[arg(long, value_name = "FILE")]
    lcov: Option<PathBuf>,
    /// Write a small set of seeds to this file, for `verify --seeds`, that hits every bin that all seeds hit together,
    /// starting with those that add most. It is not proved to be the smallest; the report says how many are needed at
    /// least
    #[arg(long, value_name = "FILE")]
    rank: Option<PathBuf>,
    /// Fail if less than this percentage of the bins is hit
    #[arg(long, value_name = "PERCENT", value_parser = units::percent, allow_negative_numbers = true)]
    require_coverage: Option<f64>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(args: &Args) -> Result<ExitCode, Error> {
    let files = clash::given([
        ("--out", args.out.as_ref()),
        ("--junit", args.junit.as_ref()),
        ("--ucis", args.ucis.as_ref()),
        ("--lcov", args.lcov.as_ref()),
        ("--rank", args.rank.as_ref()),
    ]);
    let files: Vec<_> = files.collect();
    args.capsules.as_deref().map_or(Ok(()), clash::folder)?;
    for (option, path) in &files {
        clash::not_standard("a report", option, path)?;
        Output::room(path).map_err(|error| cannot(path, error))?;
    }
    let Some(inputs) = Inputs::read(&args.results)? else { return Ok(ExitCode::FAILURE) };
    clash::check(inputs.files(), files)?;
    let Some(selection) = inputs.selection() else { return Ok(ExitCode::FAILURE) };
    let mut merge = Merge::new();
    for &file in &selection.taken {
        let Some((results, head)) = inputs.results(file)? else { return Ok(ExitCode::FAILURE) };
        merge.add(results, &head);
    }
    let Some(results) = merge.finish() else {
        tell("error: there is nothing to merge\n");
        return Ok(ExitCode::FAILURE);
    };
    if args.lcov.is_some() && results.lines.is_none() {
        refused("these results have no counts of lines", "`verify --line-coverage` counts them");
        return Ok(ExitCode::FAILURE);
    }
    let shortfall = args.require_coverage.and_then(|percent| ended::shortfall(&results.rows(), percent));
    let verdict = results.verdict();
    tell_verdict(&results);
    if verdict == Verdict::Agrees {
        shortfall.iter().for_each(|text| tell(text));
    }
    let names = capsule_names(&results, args.capsules.as_deref());
    let ranking = args.rank.as_ref().map(|_| Ranking::of(&results));
    let kept = leave(args, &results, &names, (ranking.as_ref(), shortfall.as_deref()));
    let mut output = Stdout::new();
    match args.json {
        true => {
            let shards = inputs.shards(&selection);
            let judged = (verdict, shortfall.is_some());
            json::write(&results, judged, shards, &names, ranking.as_ref(), &mut output)?;
        }
        false => {
            text(&results, selection.taken.len(), &names, &mut output)?;
            if let Some(ranking) = &ranking {
                write!(output, "{}", rank::sentence(&results, ranking))?;
            }
        }
    }
    match verdict == Verdict::Agrees && shortfall.is_none() {
        true if !kept => {
            output.flush()?;
            output.finish(2)
        }
        agrees => output.finish(u8::from(!agrees)),
    }
}

fn cannot(path: &Path, error: std::io::Error) -> Error {
    Error::Output { name: format!("`{}`", path.display()), error }
}

/// The verdict, if it is not that all is well.
fn tell_verdict(results: &Results) {
    let Results { shards, groups, .. } = results;
    if !groups.is_empty() {
        let causes = count(groups.sorted().len() as u64, "cause");
        tell(&format!("error: RTL and model disagree: {} failed, {causes}\n", count(groups.failures(), "block")));
    }
    let missing = shards.missing();
    if !missing.is_empty() {
        let number: u64 = missing.iter().map(|(from, to)| to - from + 1).sum();
        let text = format!("error: incomplete: missing are {number} of {} shards: {}", shards.of, ranges(&missing));
        tell(&wrap(&text, 2));
    }
    let stopped = shards.parts.iter().filter(|part| part.ended == Ended::Interrupted);
    let stopped: Vec<(u64, u64)> = stopped.map(|part| (part.shard, part.shard)).collect();
    if !stopped.is_empty() {
        tell(&wrap(&format!("error: incomplete: interrupted before their end: shards {}", ranges(&stopped)), 2));
    }
    if results.verdict() == Verdict::NothingCompared {
        tell("error: nothing was compared\n");
    }
}

/// `1, 4-7`, the first few.
fn ranges(ranges: &[(u64, u64)]) -> String {
    const SHOWN: usize = 12;
    let one = |(from, to): &(u64, u64)| if from == to { from.to_string() } else { format!("{from}-{to}") };
    let mut text = ranges.iter().take(SHOWN).map(one).collect::<Vec<_>>().join(", ");
    if ranges.len() > SHOWN {
        text += ", ...";
    }
    text
}

/// Where the capsule of each group goes, in the order of the groups.
fn capsule_names(results: &Results, dir: Option<&Path>) -> Vec<Option<PathBuf>> {
    let name = |group: &&Group| {
        let place = group.first()?;
        Some(dir?.join(format!("{}-{:#x}-{}.capsule", group.mismatch.clause, place.seed, place.block)))
    };
    results.groups.sorted().iter().map(name).collect()
}

/// Writes what was asked for; whether nothing is missing.
fn leave(
    args: &Args,
    results: &Results,
    names: &[Option<PathBuf>],
    (ranking, shortfall): (Option<&Ranking>, Option<&str>),
) -> bool {
    if let Some(dir) = &args.capsules
        && let Err(error) = fs::create_dir_all(dir)
    {
        say(&cannot(dir, error));
        return false;
    }
    let groups = results.groups.sorted();
    let capsule = |group: &Group| {
        let place = groups.iter().position(|other| other.key() == group.key())?;
        names[place].as_ref().map(|path| path.display().to_string())
    };
    let capsules = groups.iter().zip(names);
    let capsules = capsules.filter_map(|(group, name)| Some((name.as_ref()?, group.capsule.clone())));
    let files = [
        args.out.as_ref().map(|path| (path, results.to_text())),
        args.junit.as_ref().map(|path| (path, junit::text(results, &capsule, shortfall))),
        args.ucis.as_ref().map(|path| (path, ucis::text(results))),
        args.lcov.as_ref().zip(results.lines.as_ref()).map(|(path, lines)| (path, lines.to_lcov())),
        args.rank.as_ref().zip(ranking).map(|(path, ranking)| (path, rank::text(results, ranking))),
    ];
    ended::write_all(files.into_iter().flatten().chain(capsules))
}

fn text(results: &Results, files: usize, names: &[Option<PathBuf>], output: &mut Stdout) -> Result<(), Error> {
    let Results { campaign, shards, figures, seconds, .. } = results;
    let isa = campaign.isa.map_or("all instruction sets", |isa| isa.name());
    writeln!(output, "{} of {isa}, {}", count(files as u64, "result"), ended::seeds(results))?;
    let rtl = campaign.rtl.get(..12).unwrap_or(&campaign.rtl);
    write!(output, "{}", wrap(&format!("rtl {rtl}, {}", campaign.unit_name()), 2))?;
    if shards.of > 1 {
        writeln!(output, "shards: {} of {}", shards.parts.len(), shards.of)?;
    }
    if figures.comparisons > 0 {
        ended::tables(&results.rows(), output)?;
    }
    if results.groups.is_empty() {
        if figures.comparisons > 0 {
            let incomplete = results.verdict() == Verdict::Incomplete;
            ended::agreed(results, if incomplete { "incomplete; of what is there\n" } else { "" }, output)?;
        }
    } else {
        writeln!(output)?;
        let name = |name: &Option<PathBuf>| {
            let file = name.as_ref().and_then(|path| path.file_name()).unwrap_or_default();
            file.to_string_lossy().into_owned()
        };
        let groups: Vec<_> = results.groups.sorted().into_iter().zip(names.iter().map(name)).collect();
        ended::failures(&groups, campaign.seeds.len() > 1, output)?;
        let (failed, agreed) = (count(results.groups.failures(), "block"), count(figures.operations, "operation"));
        writeln!(output, "\n{failed} failed, {agreed} agreed")?;
    }
    writeln!(output, "in {seconds:.1} s of all shards together")?;
    Ok(())
}
