// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a campaign, or a part of it, left: a file of JSON, a thing a line.

use std::fmt::Write;

use hmac_sha256::Hash;
use serde::{Deserialize, Serialize};

use super::{
    group::{Groups, WrittenGroup},
    identity::Identity,
    lines::Lines,
    shard::{Ended, Parts},
};
use crate::{
    clause::Clause,
    judge::{
        Figures,
        coverage::{Bits, Coverage, Row},
    },
    op::Rule,
    sets::Isa,
};

/// Of the file. Another number for whatever a reader of the last one would not take, or take for something else.
pub const FORMAT: u32 = 1;
/// How the names of such files end, where many are in a folder.
pub const ENDING: &str = ".result.json";

/// The line that follows what the digest is of.
pub(super) const DIGEST: &str = "\"digest\":";

/// What is known of a campaign: who ran it, and what came of it.
#[derive(Clone)]
pub struct Results {
    /// Which campaign.
    pub campaign: Identity,
    /// What ran of it.
    pub shards: Parts,
    /// Of all blocks that agreed.
    pub figures: Figures,
    /// Of the same blocks.
    pub coverage: Coverage,
    /// Bins that each seed's blocks hit, in the order of the seeds, if there are several.
    pub seeds: Vec<Bits>,
    /// How often lines of the RTL ran, if they are counted.
    pub lines: Option<Lines>,
    /// What failed.
    pub groups: Groups,
    /// That all of it took, shard by shard: the one thing that another run may say otherwise.
    pub seconds: f64,
}

/// What a result amounts to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Something failed.
    Mismatch,
    /// Shards are missing, or did not come to their end.
    Incomplete,
    /// Nothing was compared.
    NothingCompared,
    /// All of it ran, and nothing failed.
    Agrees,
}

impl Verdict {
    /// In a word or two.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Mismatch => "mismatch",
            Verdict::Incomplete => "incomplete",
            Verdict::NothingCompared => "nothing compared",
            Verdict::Agrees => "agrees",
        }
    }
}

/// The hits of a clause.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Hits {
    #[serde(rename = "isa")]
    pub rule: Rule,
    pub clause: String,
    pub hits: Vec<u64>,
}

impl Results {
    /// Nothing yet, of so many shards.
    pub fn blank(campaign: Identity, of: u64) -> Self {
        let coverage = Coverage::new(&campaign.unit);
        let count = if campaign.seeds.len() > 1 { campaign.seeds.len() } else { 0 };
        let seeds = vec![coverage.all_bits(); count];
        let shards = Parts { of, parts: Vec::new() };
        let lines = campaign.lines.then(Lines::default);
        Results {
            campaign,
            shards,
            figures: Figures::default(),
            coverage,
            seeds,
            lines,
            groups: Groups::default(),
            seconds: 0.0,
        }
    }

    /// What it amounts to.
    pub fn verdict(&self) -> Verdict {
        let stopped = self.shards.parts.iter().any(|part| part.ended == Ended::Interrupted);
        match () {
            () if !self.groups.is_empty() => Verdict::Mismatch,
            () if stopped || self.shards.parts.len() as u64 != self.shards.of => Verdict::Incomplete,
            () if self.figures.comparisons == 0 => Verdict::NothingCompared,
            () => Verdict::Agrees,
        }
    }

    /// The coverage of what the unit promises.
    pub fn rows(&self) -> Vec<Row> {
        let mut rows = self.coverage.rows(self.campaign.isa.map(Isa::rule));
        rows.retain(|row| row.clause.parse().is_ok_and(|clause| self.keeps(clause)));
        rows
    }

    /// The bins of [`Results::rows`].
    pub fn bins(&self) -> Bits {
        self.coverage.reachable(self.campaign.isa.map(Isa::rule), |clause| self.keeps(clause))
    }

    fn keeps(&self, clause: Clause) -> bool {
        self.campaign.contract.keeps(clause)
    }

    /// What was not judged, in sentences.
    pub fn not_judged(&self) -> Vec<String> {
        self.campaign.contract.unjudged().into_iter().chain(self.figures.unjudged.torn()).collect()
    }

    /// The file's text.
    pub fn to_text(&self) -> String {
        let mut text = format!("{{\n\"gpu_lsu_result\":{FORMAT},\n");
        let mut line = |name: &str, value: String| {
            let _ = writeln!(text, "\"{name}\":{value},"); // a String takes everything
        };
        line("campaign", json(&self.campaign));
        line("shards", json(&self.shards));
        line("figures", json(&self.figures));
        let hits = self
            .coverage
            .hits()
            .map(|(rule, clause, hits)| json(&Hits { rule, clause: clause.id().to_owned(), hits: hits.to_vec() }));
        line("coverage", list(hits));
        line("seeds", list(self.seeds.iter().map(|bits| json(&bits.to_hex()))));
        if let Some(lines) = &self.lines {
            line("lines", json(lines));
        }
        line("failures", list(self.groups.sorted().into_iter().map(|group| json(&WrittenGroup::from(group)))));
        let digest = digest(text.as_bytes());
        let _ = write!(text, "{DIGEST}\"{digest}\",\n\"seconds\":{:.3}\n}}\n", self.seconds);
        text
    }
}

/// What stands for a text: half of its SHA-256.
pub(super) fn digest(text: &[u8]) -> String {
    Hash::hash(text)[..16].iter().fold(String::new(), |mut digits, byte| {
        let _ = write!(digits, "{byte:02x}"); // a String takes everything
        digits
    })
}

fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_else(|error| unreachable!("a result is plain data: {error}"))
}

/// A line for each.
fn list(items: impl Iterator<Item = String>) -> String {
    let items: Vec<String> = items.collect();
    if items.is_empty() { "[]".to_owned() } else { format!("[\n{}\n]", items.join(",\n")) }
}
