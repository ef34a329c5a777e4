// SPDX-License-Identifier: MIT OR Apache-2.0
//! Campaigns as regressions have them: a shard of one, a list of seeds, more than one failure, a result to merge.

use std::{
    num::NonZero,
    path::{Path, PathBuf},
};

use super::Found;
use crate::{
    cli::{Error, clash, unit::Unit, units},
    cosim::campaign::{Budget, Campaign, Outcome},
    output::Output,
    regress::{Ended, Identity, Part, Results, Shard},
};

/// What of a campaign runs here, and what is left of it.
#[derive(Debug, clap::Args)]
#[group(skip)]
pub struct Args {
    /// Run shard K of N of the campaign, such as 3/8; `gpu-lsu merge` combines the results. Needs `--seed` or
    /// `--seeds`
    #[arg(long, value_name = "K/N", conflicts_with_all = ["time", "require_coverage"], allow_hyphen_values = true)]
    pub shard: Option<Shard>,
    /// Continue until N blocks have failed. Failures of one clause and cause are reported together, and the first of
    /// them is shrunk
    #[arg(long, value_name = "N", default_value = "1", value_parser = units::failures, allow_negative_numbers = true)]
    pub failures: NonZero<u64>,
    /// Run the campaign with each seed of this file, one per line; `#` begins a comment
    #[arg(long, value_name = "FILE", conflicts_with_all = ["seed", "time"])]
    pub seeds: Option<PathBuf>,
    /// Write figures, coverage and failures to this file, for `gpu-lsu merge`
    #[arg(long, value_name = "FILE")]
    pub result: Option<PathBuf>,
    /// Write a JUnit report to this file, with a test case for each clause
    #[arg(long, value_name = "FILE")]
    pub junit: Option<PathBuf>,
    /// Count how often each line of the RTL runs, and write the counts to this file as LCOV. Needs a build with the
    /// feature `line-coverage`, and takes longer
    #[arg(long, value_name = "FILE")]
    pub line_coverage: Option<PathBuf>,
    /// Fail if less than this percentage of the bins is hit
    #[arg(long, value_name = "PERCENT", value_parser = units::percent, allow_negative_numbers = true)]
    pub require_coverage: Option<f64>,
}

impl Args {
    /// The files that it leaves can be written: told before anything runs.
    ///
    /// # Errors
    ///
    /// When not.
    pub fn room(&self) -> Result<(), Error> {
        let files = [
            ("--result", self.result.as_ref()),
            ("--junit", self.junit.as_ref()),
            ("--line-coverage", self.line_coverage.as_ref()),
        ];
        for (option, path) in clash::given(files) {
            clash::not_standard("a report", option, &path)?;
            Output::room(&path).map_err(|error| Error::Output { name: format!("`{}`", path.display()), error })?;
        }
        Ok(())
    }

    /// The shard of a campaign with these seeds.
    ///
    /// # Errors
    ///
    /// When the campaign has no block for it.
    pub fn shard_of(&self, campaign: &Campaign, seeds: &[u64]) -> Result<Shard, Error> {
        let Some(shard) = self.shard else { return Ok(Shard::WHOLE) };
        let blocks = campaign.blocks().saturating_mul(seeds.len() as u64);
        Shard::problem(shard.of(), blocks).map_or(Ok(shard), |problem| Err(Error::Usage(problem)))
    }
}

/// What a campaign left. Its failures are what was `found` of them.
pub fn results(
    unit: &Unit,
    campaign: &Campaign,
    (seeds, shard): (&[u64], Shard),
    outcome: &Outcome,
    seconds: f64,
) -> Results {
    let mut identity = Identity::new(campaign.isa, campaign.shape, unit.rtl.hash.clone(), campaign.promises, seeds);
    identity.fault = unit.fault();
    identity.lines = outcome.lines.is_some();
    identity.operations = match campaign.budget {
        Budget::Operations(operations) => Some(operations),
        Budget::Time(_) => None,
    };
    let mut results = Results::blank(identity, shard.of());
    let ended = match (outcome.finished, outcome.enough) {
        (_, true) if !is_all(campaign, seeds, shard, outcome) => Ended::Failures,
        (true, _) | (_, true) => Ended::Complete,
        (false, false) => Ended::Interrupted,
    };
    results.shards.parts = vec![Part { shard: shard.number(), ran: outcome.ran.clone(), ended, digest: None }];
    results.figures = outcome.figures;
    results.coverage = outcome.coverage.clone();
    results.seeds = outcome.seeds.clone();
    results.lines = outcome.lines.clone();
    results.seconds = seconds;
    results
}

/// Whether every block ran.
fn is_all(campaign: &Campaign, seeds: &[u64], shard: Shard, outcome: &Outcome) -> bool {
    let ran: u64 = outcome.ran.iter().map(|(from, to)| to - from + 1).sum();
    ran == shard.blocks(campaign.blocks().saturating_mul(seeds.len() as u64))
}

/// Adds what was found, as small as it got.
pub fn add_failures(results: &mut Results, found: &[Found<'_>]) {
    for found in found {
        let mut group = found.group.clone();
        let mut capsule = found.capsule.clone();
        // Where the sources lie differs from one machine to another, and the hash says which they are.
        if let Some(rtl) = &mut capsule.rtl {
            rtl.path = Path::new(&rtl.path).file_name().unwrap_or_default().to_string_lossy().into_owned();
        }
        group.capsule = capsule.to_text();
        results.groups.add(group);
    }
}
