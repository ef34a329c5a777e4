// SPDX-License-Identifier: MIT OR Apache-2.0
//! What `verify` says in the end: figures and coverage, for people and for machines.

use std::{io::Write, path::PathBuf};

use comfy_table::{CellAlignment, ContentArrangement, Table, presets};
use serde::Serialize;

use super::{Args, Found};
use crate::{
    cli::{
        Error, json_line,
        report::{self, count},
        unit::{self, Unit},
    },
    cosim::campaign::Outcome,
    judge::{Promises, coverage::Row},
    sets::Isa,
};

/// A campaign that has ended.
pub struct Summary<'a> {
    pub args: &'a Args,
    pub unit: &'a Unit,
    pub promises: Promises,
    pub seed: u64,
    pub outcome: &'a Outcome,
    pub seconds: f64,
    pub interrupted: bool,
}

#[derive(Serialize)]
struct Json<'a> {
    seed: String,
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

impl Summary<'_> {
    pub fn json(&self, found: Option<&Found<'_>>, output: &mut impl Write) -> Result<(), Error> {
        let figures = self.outcome.figures;
        let verdict = self.verdict(found);
        let failure = found.map(|found| Failure {
            mismatch: report::json(&found.capsule.case.issues, &found.capsule.mismatch).look(found.look()),
            block: found.capsule.block,
            capsule: found.kept.as_ref().ok(),
            capsule_error: found.kept.as_ref().err(),
            wave: found.wave.as_ref().ok(),
            wave_error: found.wave.as_ref().err(),
        });
        let json = Json {
            seed: format!("{:#x}", self.seed),
            isa: self.args.isa.as_ref().map_or(Isa::ALL, std::slice::from_ref),
            lanes: self.unit.shape.lanes,
            rtl: self.unit.json(),
            agrees: verdict == "agrees",
            verdict,
            operations: figures.operations,
            cycles: figures.cycles,
            requests: figures.requests,
            comparisons: figures.comparisons,
            histories: figures.histories,
            histories_unsettled: figures.histories_unsettled,
            seconds: self.seconds,
            coverage: &self.rows(),
            not_judged: &self.not_judged(),
            failure,
        };
        json_line(output, &json)
    }

    /// In a word or two.
    pub fn verdict(&self, found: Option<&Found<'_>>) -> &'static str {
        match found {
            Some(_) => "mismatch",
            None if self.interrupted => "interrupted",
            None if self.outcome.figures.comparisons == 0 => "nothing compared",
            None => "agrees",
        }
    }

    /// The coverage of what the unit promises.
    pub fn rows(&self) -> Vec<Row> {
        let mut rows = self.outcome.coverage.rows(self.args.isa.map(Isa::rule));
        rows.retain(|row| row.clause.parse().is_ok_and(|clause| self.promises.keeps(clause)));
        rows
    }

    /// What was not judged, in sentences.
    pub fn not_judged(&self) -> Vec<String> {
        self.promises.unjudged().into_iter().chain(self.outcome.figures.unjudged.torn()).collect()
    }

    /// After the paragraph about a mismatch: where it was, and what agreed before it.
    pub fn failed(&self, found: &Found<'_>, output: &mut impl Write) -> Result<(), Error> {
        let before = count(self.outcome.figures.operations, "operation");
        writeln!(output, "\n{before} agreed before the first mismatch")?;
        writeln!(output, "seed {:#018x}, block {}", self.seed, found.capsule.block)?;
        Ok(())
    }

    /// Of a campaign without a mismatch.
    pub fn text(&self, output: &mut impl Write) -> Result<(), Error> {
        let figures = self.outcome.figures;
        if figures.comparisons == 0 {
            return Ok(());
        }
        tables(&self.rows(), output)?;
        let operations = count(figures.operations, "operation");
        let (cycles, values) = (count(figures.cycles, "cycle"), count(figures.comparisons, "value"));
        let until = if self.interrupted { "interrupted; until then\n" } else { "" };
        writeln!(output, "\n{until}RTL and model agree: {operations}, {cycles}, {values} compared")?;
        if figures.histories_unsettled > 0 {
            let (count, all) = (figures.histories_unsettled, figures.histories_unsettled + figures.histories);
            writeln!(output, "not judged, for a history that is too long: {count} of {all} dwords (SM5-CAS)")?;
        }
        write!(output, "{}", report::not_judged(&self.not_judged()))?;
        let seconds = self.seconds;
        let [rate, cycles] = [figures.operations, figures.cycles].map(|count| count as f64 / seconds);
        writeln!(output, "in {seconds:.1} s: {rate:.0} operations/s, {cycles:.0} cycles/s\nseed {:#018x}", self.seed)?;
        Ok(())
    }
}

/// The coverage of each instruction set, and of all together.
fn tables(rows: &[Row], output: &mut impl Write) -> Result<(), Error> {
    for rows in rows.chunk_by(|one, next| one.rule == next.rule) {
        writeln!(output, "\n{}", rows[0].rule)?;
        table(rows, output)?;
    }
    let (hit, bins) = rows.iter().fold((0, 0), |(hit, bins), row| (hit + row.hit, bins + row.bins));
    let empty = rows.iter().filter(|row| !row.empty.is_empty()).count();
    writeln!(output, "\n{hit} of {bins} bins hit")?;
    if empty > 0 {
        writeln!(output, "clauses with bins that nothing hit: {empty}; run longer, or with another seed")?;
    }
    Ok(())
}

/// At most 80 columns.
fn table(rows: &[Row], output: &mut impl Write) -> Result<(), Error> {
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    table.set_content_arrangement(ContentArrangement::Dynamic).set_width(80);
    table.set_header(["clause", "bins hit", "hits", "not hit"]);
    for row in rows {
        let mut empty = row.empty.iter().take(3).cloned().collect::<Vec<_>>().join("; ");
        if row.empty.len() > 3 {
            empty += &format!("; and {} more", row.empty.len() - 3);
        }
        table.add_row([row.clause.clone(), format!("{}/{}", row.hit, row.bins), row.hits.to_string(), empty]);
    }
    for column in [1, 2] {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    writeln!(output, "{}", table.trim_fmt())?;
    Ok(())
}
