// SPDX-License-Identifier: MIT OR Apache-2.0
//! What `verify` says in the end: figures and coverage, for people and for machines.

use std::{io::Write, path::PathBuf};

use serde::Serialize;

use super::{Args, Found};
use crate::{
    cli::{
        Error, ended, json_line,
        report::{self, count},
        unit::{self, Unit},
    },
    judge::coverage::Row,
    regress::{Place, Results, Seed, Shard},
    sets::Isa,
};

/// Verdicts of a unit that agrees.
pub const AGREES: &str = "agrees";
pub const TOO_LITTLE: &str = "too little covered";

/// A campaign that has ended.
pub struct Summary<'a> {
    pub args: &'a Args,
    pub unit: &'a Unit,
    pub results: &'a Results,
    pub interrupted: bool,
}

#[derive(Serialize)]
struct Json<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    seed: Option<Seed>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seeds: Option<&'a [Seed]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    shard: Option<String>,
    isa: &'a [Isa],
    lanes: usize,
    rtl: unit::Json<'a>,
    agrees: bool,
    verdict: &'static str,
    operations: u64,
    cycles: u64,
    requests: u64,
    comparisons: u64,
    histories: u64,
    histories_unsettled: u64,
    seconds: f64,
    coverage: &'a [Row],
    not_judged: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none", flatten)]
    failure: Option<Failure<'a>>,
    /// By cause, the first among them again.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    failures: Vec<Counted<'a>>,
}

/// Failures of one cause.
#[derive(Serialize)]
struct Counted<'a> {
    cause: String,
    count: u64,
    places: &'a [Place],
    #[serde(flatten)]
    first: Failure<'a>,
}

/// `capsule` and `wave` are paths; null if they could not be written, and then the errors say why.
#[derive(Serialize)]
struct Failure<'a> {
    mismatch: report::Json<'a>,
    block: u64,
    capsule: Option<&'a PathBuf>,
    #[serde(skip_serializing_if = "Option::is_none")]
    capsule_error: Option<&'a String>,
    wave: Option<&'a PathBuf>,
    #[serde(skip_serializing_if = "Option::is_none")]
    wave_error: Option<&'a String>,
}

impl<'a> Failure<'a> {
    fn of(found: &'a Found<'_>) -> Self {
        Failure {
            mismatch: report::json(&found.capsule.case.issues, &found.capsule.mismatch).look(found.look()),
            block: found.capsule.block,
            capsule: found.kept.as_ref().ok(),
            capsule_error: found.kept.as_ref().err(),
            wave: found.wave.as_ref().ok(),
            wave_error: found.wave.as_ref().err(),
        }
    }
}

impl<'a> Counted<'a> {
    fn of(found: &'a Found<'_>) -> Self {
        let Found { group, .. } = found;
        let (cause, places) = (group.mismatch.field.cause(), &group.places[..]);
        Counted { cause, count: group.count, places, first: Failure::of(found) }
    }
}

impl Summary<'_> {
    pub fn json(&self, found: &[Found<'_>], output: &mut impl Write) -> Result<(), Error> {
        let Results { campaign, figures, seconds, .. } = self.results;
        let verdict = self.verdict(found);
        let seeds = &campaign.seeds[..];
        let json = Json {
            seed: (seeds.len() == 1).then(|| seeds[0]),
            seeds: (seeds.len() > 1).then_some(seeds),
            shard: self.args.share.shard.as_ref().map(Shard::to_string),
            isa: self.args.isa.as_ref().map_or(Isa::ALL, std::slice::from_ref),
            lanes: self.unit.shape.lanes,
            rtl: self.unit.json(),
            agrees: [AGREES, TOO_LITTLE].contains(&verdict),
            verdict,
            operations: figures.operations,
            cycles: figures.cycles,
            requests: figures.requests,
            comparisons: figures.comparisons,
            histories: figures.histories,
            histories_unsettled: figures.histories_unsettled,
            seconds: *seconds,
            coverage: &self.results.rows(),
            not_judged: &self.results.not_judged(),
            failure: found.first().map(Failure::of),
            failures: if self.args.share.failures.get() > 1 {
                found.iter().map(Counted::of).collect()
            } else {
                Vec::new()
            },
        };
        json_line(output, &json)
    }

    /// In a word or two.
    pub fn verdict(&self, found: &[Found<'_>]) -> &'static str {
        match found {
            [_, ..] => "mismatch",
            [] if self.interrupted => "interrupted",
            [] if self.results.figures.comparisons == 0 => "nothing compared",
            [] if self.shortfall().is_some() => TOO_LITTLE,
            [] => AGREES,
        }
    }

    /// What is missing of the coverage that is required.
    pub fn shortfall(&self) -> Option<String> {
        self.args.share.require_coverage.and_then(|percent| ended::shortfall(&self.rows(), percent))
    }

    /// The coverage of what the unit promises.
    pub fn rows(&self) -> Vec<Row> {
        self.results.rows()
    }

    /// The seed, or of several the first and how many: what files are called by.
    pub fn seed(&self) -> String {
        let seeds = match &self.results.campaign.seeds[..] {
            [seed] => format!("{:#x}", seed.0),
            seeds => format!("{:#x}-of-{}", seeds[0].0, seeds.len()),
        };
        let shard = self.args.share.shard.map(|shard| format!("-shard-{}-of-{}", shard.number(), shard.of()));
        seeds + &shard.unwrap_or_default()
    }

    /// After the paragraph about a mismatch: where it was, and what agreed before it.
    pub fn failed(&self, found: &Found<'_>, output: &mut impl Write) -> Result<(), Error> {
        let before = count(self.results.figures.operations, "operation");
        writeln!(output, "\n{before} agreed before the first mismatch")?;
        writeln!(output, "seed {:#018x}, block {}", found.capsule.seed, found.capsule.block)?;
        Ok(())
    }

    /// After that of the first of several: all of them, by cause.
    pub fn all_failed(&self, found: &[Found<'_>], output: &mut impl Write) -> Result<(), Error> {
        let name = |found: &Found<'_>| found.kept.as_ref().map_or(String::new(), |path| path.display().to_string());
        let groups: Vec<_> = found.iter().map(|found| (&found.group, name(found))).collect();
        writeln!(output)?;
        ended::failures(&groups, self.results.campaign.seeds.len() > 1, output)?;
        let failed: u64 = groups.iter().map(|(group, _)| group.count).sum();
        let operations = count(self.results.figures.operations, "operation");
        writeln!(output, "\n{} failed, {operations} agreed\n{}", count(failed, "block"), ended::seeds(self.results))?;
        Ok(())
    }

    /// Of a campaign without a mismatch.
    pub fn text(&self, output: &mut impl Write) -> Result<(), Error> {
        let figures = self.results.figures;
        if figures.comparisons == 0 {
            return Ok(());
        }
        ended::tables(&self.rows(), output)?;
        let until = if self.interrupted { "interrupted; until then\n" } else { "" };
        ended::agreed(self.results, until, output)?;
        let seconds = self.results.seconds;
        let [rate, cycles] = [figures.operations, figures.cycles].map(|count| count as f64 / seconds);
        writeln!(output, "in {seconds:.1} s: {rate:.0} operations/s, {cycles:.0} cycles/s")?;
        writeln!(output, "{}", ended::seeds(self.results))?;
        Ok(())
    }
}
