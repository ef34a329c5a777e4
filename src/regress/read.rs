// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reads the file of a result, or says why it is not one.

use serde::{Deserialize, de::DeserializeOwned};

use super::{
    group::{Group, Groups, WrittenGroup},
    identity::Identity,
    lines::Lines,
    results::{DIGEST, FORMAT, Hits, Results, digest},
    shard::Parts,
};
use crate::judge::{
    Figures,
    coverage::{Bits, Coverage},
};

/// Why a file is not a result, and where; lines and columns count from 1.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {message}")]
pub struct ReadError {
    /// The line in the file.
    pub line: usize,
    /// The column in bytes.
    pub column: usize,
    /// What is wrong.
    pub message: String,
    /// What to do about it; may be empty.
    pub help: &'static str,
}

/// The part of a result that tells whether results belong together.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Head {
    /// The campaign.
    pub campaign: Identity,
    /// The shards that ran.
    pub shards: Parts,
    /// The digest of everything in which another run would agree.
    pub digest: String,
}

#[derive(Deserialize)]
struct Number {
    gpu_lsu_result: Option<u32>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(rename = "gpu_lsu_result")]
    _format: u32,
    campaign: Identity,
    shards: Parts,
    figures: Figures,
    coverage: Vec<Hits>,
    seeds: Vec<String>,
    #[serde(default)]
    lines: Option<Lines>,
    failures: Vec<WrittenGroup>,
    #[serde(rename = "digest")]
    _digest: String,
    seconds: f64,
}

impl Head {
    /// Reads the head, and checks that the file is as it was written.
    ///
    /// # Errors
    ///
    /// When the file is not a result of this format, or was changed or cut.
    pub fn read(text: &[u8]) -> Result<Self, ReadError> {
        // The parser would take an array of the values in order for an object.
        if text.trim_ascii_start().first().is_some_and(|&first| first != b'{') {
            return Err(at(text, "", "this is no result of gpu-lsu: it is no JSON object".to_owned()));
        }
        let Number { gpu_lsu_result } = parsed(text).map_err(|error| ReadError {
            message: format!("this is no result of gpu-lsu: {}", error.message),
            ..error
        })?;
        match gpu_lsu_result {
            Some(FORMAT) => {}
            Some(format) => {
                return Err(ReadError {
                    help: "merge results with the version that wrote them",
                    ..at(
                        text,
                        "\"gpu_lsu_result\"",
                        format!("it is of format {format}, and this program reads {FORMAT}"),
                    )
                });
            }
            None => return Err(at(text, "", "this is no result of gpu-lsu: it has no `gpu_lsu_result`".to_owned())),
        }
        let head: Head = parsed(text)?;
        let end = find(text, format!("\n{DIGEST}").as_bytes()).map_or(text.len(), |place| place + 1);
        if digest(&text[..end]) != head.digest {
            let message = "the file was changed after it was written: its digest is another one".to_owned();
            return Err(at(text, DIGEST, message));
        }
        let problem = head.campaign.problem().map(|problem| ("\"campaign\"", problem));
        match problem.or_else(|| head.shards.problem().map(|problem| ("\"shards\"", problem))) {
            Some((field, problem)) => Err(at(text, field, problem)),
            None => Ok(head),
        }
    }
}

impl Results {
    /// Reads a file whole.
    ///
    /// # Errors
    ///
    /// Those of [`Head::read`], and when its bins are not those of this program.
    pub fn read(text: &[u8]) -> Result<(Self, Head), ReadError> {
        let head = Head::read(text)?;
        let File { campaign, shards, figures, coverage: rows, seeds, lines, failures, seconds, .. } = parsed(text)?;
        let mut coverage = Coverage::new(&campaign.unit);
        if campaign.bins != coverage.fingerprint() {
            let message = format!(
                "it counts bins of another table, {}; that of this program is {}",
                campaign.bins,
                coverage.fingerprint()
            );
            let help = "merge results with the version that wrote them";
            return Err(ReadError { help, ..at(text, "\"bins\"", message) });
        }
        for Hits { rule, clause, hits } in rows {
            if !clause.parse().is_ok_and(|clause| coverage.add(rule, clause, &hits)) {
                let place = format!("\"clause\":\"{clause}\"");
                return Err(at(text, &place, format!("there are no {} bins of {clause} of {rule}", hits.len())));
            }
        }
        let bins = coverage.all_bits().room();
        let bits: Option<Vec<Bits>> = seeds.iter().map(|digits| Bits::from_hex(digits, bins)).collect();
        let wanted = if campaign.seeds.len() > 1 { campaign.seeds.len() } else { 0 };
        let Some(seeds) = bits.filter(|bits| bits.len() == wanted) else {
            return Err(at(text, "\n\"seeds\"", "the bins of its seeds are not those of its campaign".to_owned()));
        };
        if lines.is_some() != campaign.lines {
            return Err(at(text, "\"campaign\"", "its lines are not those of its campaign".to_owned()));
        }
        let mut groups = Groups::default();
        for failure in failures {
            let group = Group::try_from(failure).map_err(|error| error.to_string());
            let sound = group.and_then(|group| group.problem().map_or(Ok(group), |problem| Err(problem.to_owned())));
            match sound {
                Ok(group) => groups.add(group),
                Err(problem) => return Err(at(text, "\"failures\"", problem)),
            };
        }
        Ok((Results { campaign, shards, figures, coverage, seeds, lines, groups, seconds }, head))
    }
}

fn parsed<T: DeserializeOwned>(text: &[u8]) -> Result<T, ReadError> {
    serde_json::from_slice(text).map_err(|error| {
        let whole = error.to_string();
        let message = whole.rsplit_once(" at line ").map_or(whole.as_str(), |(message, _)| message).to_owned();
        let help =
            if error.is_eof() { "the file ends too early: was it cut, or is it still being written?" } else { "" };
        ReadError { line: error.line().max(1), column: error.column().max(1), message, help }
    })
}

/// The position of a part of the file, as an error.
fn at(text: &[u8], part: &str, message: String) -> ReadError {
    let mut place = if part.is_empty() { 0 } else { find(text, part.as_bytes()).unwrap_or(0) };
    while text.get(place) == Some(&b'\n') {
        place += 1;
    }
    let before = &text[..place];
    let line = before.iter().filter(|&&byte| byte == b'\n').count() + 1;
    let column = place - before.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1) + 1;
    ReadError { line, column, message, help: "" }
}

/// The last occurrence, as a part near the end may be quoted before.
fn find(text: &[u8], part: &[u8]) -> Option<usize> {
    text.windows(part.len()).rposition(|window| window == part)
}
