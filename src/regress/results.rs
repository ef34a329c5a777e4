// SPDX-License-Identifier: MIT OR Apache-2.0
//! The result of a campaign or of a part of it: a JSON file with one item per line.

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

/// The version of the file format. It grows with every change that a reader of the last version would reject or
/// misread.
pub const FORMAT: u32 = 1;
/// The ending of the names of result files, for folders with many of them.
pub const ENDING: &str = ".result.json";

/// The beginning of the line that follows the text covered by the digest.
pub(super) const DIGEST: &str = "\"digest\":";

/// The result of a campaign.
#[derive(Clone)]
pub struct Results {
    /// The campaign.
    pub campaign: Identity,
    /// The shards that ran.
    pub shards: Parts,
    /// The figures of all blocks that agreed.
    pub figures: Figures,
    /// The coverage of the same blocks.
    pub coverage: Coverage,
    /// By seed: the bins that its blocks hit. Empty if there is only one seed.
    pub seeds: Vec<Bits>,
    /// How often lines of the RTL ran, if they were counted.
    pub lines: Option<Lines>,
    /// The failures.
    pub groups: Groups,
    /// The time that all shards took together: the only field that may differ in another run.
    pub seconds: f64,
}

/// The verdict of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// A block failed.
    Mismatch,
    /// Shards are missing, or were interrupted.
    Incomplete,
    /// Nothing was compared.
    NothingCompared,
    /// Everything ran, and nothing failed.
    Agrees,
}

impl Verdict {
    /// The verdict in a word or two.
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
    /// An empty result of a campaign that is cut into `of` shards.
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

    /// The verdict.
    pub fn verdict(&self) -> Verdict {
        let stopped = self.shards.parts.iter().any(|part| part.ended == Ended::Interrupted);
        match () {
            () if !self.groups.is_empty() => Verdict::Mismatch,
            () if stopped || self.shards.parts.len() as u64 != self.shards.of => Verdict::Incomplete,
            () if self.figures.comparisons == 0 => Verdict::NothingCompared,
            () => Verdict::Agrees,
        }
    }

    /// The coverage of the clauses that the unit promises to keep.
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

    /// What was not judged, as sentences.
    pub fn not_judged(&self) -> Vec<String> {
        self.campaign.contract.unjudged().into_iter().chain(self.figures.unjudged.torn()).collect()
    }

    /// Returns the text of the file.
    pub fn to_text(&self) -> String {
        let mut text = format!("{{\n\"gpu_lsu_result\":{FORMAT},\n");
        let mut line = |name: &str, value: String| {
            let _ = writeln!(text, "\"{name}\":{value},"); // writing to a String does not fail
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

/// The digest of a text: half of its SHA-256, in hexadecimal.
pub(super) fn digest(text: &[u8]) -> String {
    Hash::hash(text)[..16].iter().fold(String::new(), |mut digits, byte| {
        let _ = write!(digits, "{byte:02x}"); // writing to a String does not fail
        digits
    })
}

fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_else(|error| unreachable!("a result is plain data: {error}"))
}

/// A JSON array with one item per line.
fn list(items: impl Iterator<Item = String>) -> String {
    let items: Vec<String> = items.collect();
    if items.is_empty() { "[]".to_owned() } else { format!("[\n{}\n]", items.join(",\n")) }
}
