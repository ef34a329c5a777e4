// SPDX-License-Identifier: MIT OR Apache-2.0
//! The most-read page: a divergence, in one line and in one paragraph.

use serde::Serialize;

pub use crate::explain::words::count;
use crate::explain::words::wrap;
use crate::judge::{
    Mismatch,
    log::{Issue, lane_inputs, text},
};

/// A mismatch for machines.
#[derive(Serialize)]
pub struct Json<'a> {
    clause: &'static str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    or: Vec<&'static str>,
    rule: &'static str,
    operation: Option<usize>,
    text: Option<String>,
    lane: Option<usize>,
    field: String,
    expected: &'a str,
    actual: &'a str,
    cycle: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    since: Option<u64>,
    /// Where to look first.
    #[cfg(feature = "rtl")]
    #[serde(skip_serializing_if = "Option::is_none")]
    rtl_lines: Option<Vec<crate::cone::Line>>,
}

/// What the verdict of a case that agrees counts.
#[cfg(feature = "rtl")]
#[derive(Serialize)]
pub struct Counts {
    operations: u64,
    cycles: u64,
    requests: u64,
    comparisons: u64,
}

#[cfg(feature = "rtl")]
impl Counts {
    pub fn of(figures: &crate::judge::Figures) -> Self {
        let &crate::judge::Figures { operations, cycles, requests, comparisons, .. } = figures;
        Counts { operations, cycles, requests, comparisons }
    }
}

/// What the verdict of a case holds that does not agree.
#[cfg(feature = "rtl")]
#[derive(Serialize)]
pub struct Differs<'a> {
    pub mismatch: Json<'a>,
}

/// The verdict of one case for machines.
#[cfg(feature = "rtl")]
#[derive(Serialize)]
pub struct Verdict<'a, T> {
    pub agrees: bool,
    pub verdict: &'static str,
    pub rtl: super::unit::Json<'a>,
    /// What the unit's contract leaves out.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub not_judged: Vec<String>,
    #[serde(flatten)]
    pub content: T,
}

#[cfg(feature = "rtl")]
impl Json<'_> {
    /// Adds where to look first.
    pub fn look(self, look: super::look::Look) -> Self {
        Json { rtl_lines: look.lines(), ..self }
    }
}

/// What a verdict does not say, if there is anything.
pub fn not_judged(list: &[String]) -> String {
    let lines = list.iter().map(|what| wrap(&format!("- {what}"), 2));
    lines.fold(String::new(), |text, line| if text.is_empty() { format!("not judged:\n{line}") } else { text + &line })
}

/// The parts of a mismatch.
pub fn json<'a>(issues: &[Issue], mismatch: &'a Mismatch) -> Json<'a> {
    Json {
        clause: mismatch.clause.id(),
        or: mismatch.or.iter().map(|clause| clause.id()).collect(),
        rule: mismatch.clause.text(),
        operation: mismatch.op,
        text: mismatch.op.and_then(|op| issues.get(op)).map(text),
        lane: mismatch.lane,
        field: mismatch.field.to_string(),
        expected: &mismatch.expected,
        actual: &mismatch.actual,
        cycle: mismatch.cycle,
        since: mismatch.since,
        #[cfg(feature = "rtl")]
        rtl_lines: None,
    }
}

/// What is said on standard error before anything else is done about a mismatch: clause and operation, then `place`.
pub fn line(who: &str, mismatch: &Mismatch, place: &str) -> String {
    let operation = mismatch.op.map_or(String::new(), |op| format!(", operation {op}"));
    format!("error: {who} and model disagree: {}{operation}{place}\n", mismatch.names())
}

/// Clause, operation, lane, field, expected, actual, and more rows: what differs from the model is `who`.
pub fn paragraph(who: &str, issues: &[Issue], mismatch: &Mismatch, more: &[(&str, String)]) -> String {
    let Mismatch { clause, or, op, lane, field, expected, actual, cycle, since } = mismatch;
    let mut out = format!("{who} and model disagree: {}\n", mismatch.names());
    let mut row = |name: &str, value: &str| {
        out += &wrap(&format!("  {name:<10}{value}"), 12);
    };
    row("rule", clause.text());
    or.iter().for_each(|clause| row("or", clause.text()));
    if let Some(issue) = op.and_then(|op| issues.get(op)) {
        let number = op.unwrap_or_default();
        row("operation", &format!("{number}, warp {}: {}", issue.op.warp, text(issue)));
        if let Some(lane) = lane {
            row("lane", &format!("{lane} ({})", lane_inputs(issue, *lane)));
        }
    }
    row("field", &format!("{field}, in cycle {cycle}"));
    if let Some(since) = since {
        row("since", &format!("cycle {since}, in which the operation got on last"));
    }
    row("expected", expected);
    row("actual", actual);
    more.iter().for_each(|(name, value)| row(name, value));
    out
}
