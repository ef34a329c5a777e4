// SPDX-License-Identifier: MIT OR Apache-2.0
//! The merged result for machines: as `verify --json`, with the shards.

use std::path::PathBuf;

use serde::Serialize;

use crate::{
    cli::{Error, Stdout, json_line},
    judge::{Figures, coverage::Row},
    op::Shape,
    regress::{Place, Ranking, Results, Seed, Verdict},
    sets::Isa,
};

#[derive(Serialize)]
struct Json<'a> {
    agrees: bool,
    verdict: &'static str,
    seeds: &'a [Seed],
    isa: &'a [Isa],
    rtl: &'a str,
    unit: Shape,
    #[serde(skip_serializing_if = "Option::is_none")]
    planted_fault: Option<u16>,
    /// That the campaign was cut into.
    shards: u64,
    /// Ranges of shards, from 1.
    missing: Vec<(u64, u64)>,
    #[serde(flatten)]
    figures: Figures,
    seconds: f64,
    coverage: Vec<Row>,
    not_judged: Vec<String>,
    failures: Vec<Failure<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ranking: Option<Rank>,
}

/// Seeds worth keeping.
#[derive(Serialize)]
struct Rank {
    /// Each, and how many bins it adds.
    kept: Vec<(Seed, usize)>,
    bins: usize,
    least: usize,
}

#[derive(Serialize)]
struct Failure<'a> {
    clause: &'static str,
    or: Vec<&'static str>,
    cause: String,
    text: String,
    count: u64,
    places: &'a [Place],
    capsule: &'a Option<PathBuf>,
}

/// `of`: how many shards the campaign was cut into, which a result that has all of them does not say any more. `names`:
/// where the capsule of each failure is.
pub fn write(
    results: &Results,
    (verdict, too_little): (Verdict, bool),
    of: u64,
    names: &[Option<PathBuf>],
    ranking: Option<&Ranking>,
    output: &mut Stdout,
) -> Result<(), Error> {
    let Results { campaign, shards, figures, groups, seconds, .. } = results;
    let groups = groups.sorted();
    let failures = groups.iter().zip(names).map(|(group, capsule)| Failure {
        clause: group.mismatch.clause.id(),
        or: group.mismatch.or.iter().map(|clause| clause.id()).collect(),
        cause: group.mismatch.field.cause(),
        text: group.mismatch.to_string(),
        count: group.count,
        places: &group.places,
        capsule,
    });
    let json = Json {
        agrees: verdict == Verdict::Agrees,
        verdict: if verdict == Verdict::Agrees && too_little { "too little covered" } else { verdict.name() },
        seeds: &campaign.seeds,
        isa: campaign.isa.as_ref().map_or(Isa::ALL, std::slice::from_ref),
        rtl: &campaign.rtl,
        unit: campaign.unit,
        planted_fault: campaign.fault,
        shards: of,
        missing: shards.missing(),
        figures: *figures,
        seconds: *seconds,
        coverage: results.rows(),
        not_judged: results.not_judged(),
        failures: failures.collect(),
        ranking: ranking.map(|ranking| Rank { kept: ranking.kept.clone(), bins: ranking.bins, least: ranking.least }),
    };
    json_line(output, &json)
}
