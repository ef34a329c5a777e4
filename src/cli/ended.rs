// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is said of a campaign that has ended, by whoever ran it or merged it: tables of coverage and of failures, figures,
//! a required coverage that was not reached. At most 80 columns.

use std::{io::Write, path::PathBuf};

use comfy_table::{CellAlignment, ContentArrangement, Table, presets};

use super::{
    Error,
    report::{self, count},
    say,
};
use crate::{
    explain::words::wrap,
    judge::coverage::Row,
    output::Output,
    regress::{Group, Results},
};

/// Clauses that are named where coverage is too low.
const NAMED: usize = 5;

/// The coverage of each instruction set, and of all together.
pub fn tables(rows: &[Row], output: &mut impl Write) -> Result<(), Error> {
    for rows in rows.chunk_by(|one, next| one.rule == next.rule) {
        writeln!(output, "\n{}", rows[0].rule)?;
        table(rows, output)?;
    }
    let (hit, bins) = totals(rows);
    let empty = rows.iter().filter(|row| !row.empty.is_empty()).count();
    writeln!(output, "\n{hit} of {bins} bins hit")?;
    if empty > 0 {
        writeln!(output, "clauses with bins that nothing hit: {empty}; run longer, or with another seed")?;
    }
    Ok(())
}

fn table(rows: &[Row], output: &mut impl Write) -> Result<(), Error> {
    let mut table = plain(&["clause", "bins hit", "hits", "not hit"]);
    for row in rows {
        let mut empty = row.empty.iter().take(3).cloned().collect::<Vec<_>>().join("; ");
        if row.empty.len() > 3 {
            empty += &format!("; and {} more", row.empty.len() - 3);
        }
        table.add_row([row.clause.clone(), format!("{}/{}", row.hit, row.bins), row.hits.to_string(), empty]);
    }
    show(table, &[1, 2], output)
}

fn plain(header: &[&str]) -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    table.set_content_arrangement(ContentArrangement::Dynamic).set_width(80);
    table.set_header(header.iter().copied());
    table
}

fn show(mut table: Table, numbers: &[usize], output: &mut impl Write) -> Result<(), Error> {
    for &column in numbers {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    writeln!(output, "{}", table.trim_fmt())?;
    Ok(())
}

/// Failures by cause, and what is kept of each: a capsule's name, or nothing.
pub fn failures(groups: &[(&Group, String)], several_seeds: bool, output: &mut impl Write) -> Result<(), Error> {
    let first = if several_seeds { "first seed, block" } else { "first block" };
    let mut table = plain(&["clause", "cause", "blocks", first, "capsule"]);
    for (group, capsule) in groups {
        let place = group.first().map_or(String::new(), |place| match several_seeds {
            true => format!("{:#x}, {}", place.seed, place.block),
            false => place.block.to_string(),
        });
        let cause = group.mismatch.field.cause();
        table.add_row([group.mismatch.names(), cause, group.count.to_string(), place, capsule.clone()]);
    }
    show(table, &[2], output)
}

/// Of a campaign without a mismatch: what agreed; first why that is not all, if it is not.
pub fn agreed(results: &Results, until: &str, output: &mut impl Write) -> Result<(), Error> {
    let figures = results.figures;
    let operations = count(figures.operations, "operation");
    if let Some(lines) = &results.lines {
        let (ran, all) = lines.totals();
        writeln!(output, "{ran} of {all} lines of RTL ran")?;
    }
    let (cycles, values) = (count(figures.cycles, "cycle"), count(figures.comparisons, "value"));
    writeln!(output, "\n{until}RTL and model agree: {operations}, {cycles}, {values} compared")?;
    if figures.histories_unsettled > 0 {
        let (count, all) = (figures.histories_unsettled, figures.histories_unsettled + figures.histories);
        writeln!(output, "not judged, for a history that is too long: {count} of {all} dwords (SM5-CAS)")?;
    }
    write!(output, "{}", report::not_judged(&results.not_judged()))?;
    Ok(())
}

/// The seed, or how many there are.
pub fn seeds(results: &Results) -> String {
    match &results.campaign.seeds[..] {
        [seed] => format!("seed {:#018x}", seed.0),
        seeds => format!("{} seeds, {:#x} to {:#x}", seeds.len(), seeds[0].0, seeds[seeds.len() - 1].0),
    }
}

/// What is missing of a coverage that is required, in per cent of the bins; none, if nothing is.
pub fn shortfall(rows: &[Row], percent: f64) -> Option<String> {
    let (hit, bins) = totals(rows);
    if bins > 0 && hit as f64 * 100.0 >= percent * bins as f64 {
        return None;
    }
    // Cut, not rounded: 94.996 is not 95.
    let reached = (hit as f64 * 1e4 / bins.max(1) as f64).floor() / 100.0;
    let mut empty: Vec<&Row> = rows.iter().filter(|row| !row.empty.is_empty()).collect();
    empty.sort_by_key(|row| std::cmp::Reverse(row.empty.len()));
    let names = empty.iter().take(NAMED).map(|row| format!("{} {} ({})", row.rule, row.clause, row.empty.len()));
    let mut missing = names.collect::<Vec<_>>().join(", ");
    if empty.len() > NAMED {
        missing += &format!(", and {} more clauses", empty.len() - NAMED);
    }
    let text = format!(
        "error: {reached} % of the bins are hit, and {percent} % are required: {hit} of {bins}; not hit are bins of {missing}"
    );
    Some(wrap(&text, 2))
}

/// Writes files whole, and says which cannot be; whether nothing is missing.
pub fn write_all<'a>(files: impl Iterator<Item = (&'a PathBuf, String)>) -> bool {
    let mut whole = true;
    for (path, text) in files {
        let written = Output::create(path).and_then(|mut output| {
            output.write_all(text.as_bytes())?;
            output.finish()
        });
        if let Err(error) = written {
            say(&Error::Output { name: format!("`{}`", path.display()), error });
            whole = false;
        }
    }
    whole
}

/// Bins that are hit, and all.
pub fn totals(rows: &[Row]) -> (usize, usize) {
    rows.iter().fold((0, 0), |(hit, bins), row| (hit + row.hit, bins + row.bins))
}
