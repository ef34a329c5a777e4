// SPDX-License-Identifier: MIT OR Apache-2.0
//! Renders an explanation for people: sentences and tables, at most 80 columns wide, without colours.

use comfy_table::{ColumnConstraint::LowerBoundary, ContentArrangement, Table, Width::Fixed, presets::NOTHING};

use super::explanation::Explanation;
use crate::program::{Program, Step};
pub use crate::sets::text::count;

const WIDTH: usize = 80;

/// Renders the whole explanation. `step` must be a step of `program`.
pub fn render(explanation: &Explanation, step: &Step, program: &Program) -> String {
    let mut place: Vec<String> = (!explanation.word.is_empty()).then(|| explanation.word.clone()).into_iter().collect();
    if let (Some(line), Some(warp)) = (explanation.line, explanation.warp) {
        place.push(format!("line {line}, warp {warp}"));
    }
    let mut text = wrap(&explanation.text, 2);
    if !place.is_empty() {
        text += &wrap(&place.join(", "), 2);
    }
    text += "\n";
    text += &step.inst.explained(explanation, step, program);
    text += "\nClauses:\n";
    for clause in &explanation.clauses {
        text += &wrap(&format!("  {:<14} {}", clause.id(), clause.text()), 17);
    }
    text
}

/// Blanks between columns, and before the first.
const GAP: usize = 2;

/// Lays out columns two blanks apart, with cells that break only at blanks. An empty `header` means none. If the
/// columns do not fit side by side, each cell gets a line of its own.
pub fn table(header: &[&str], rows: impl Iterator<Item = Vec<String>>) -> String {
    let rows: Vec<Vec<String>> = rows.collect();
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0).max(header.len());
    let least: Vec<usize> = (0..columns)
        .map(|column| {
            let cells = rows.iter().filter_map(|row| row.get(column)).map(String::as_str);
            let words = cells.chain(header.get(column).copied()).flat_map(str::split_whitespace);
            GAP + words.map(|word| word.chars().count()).max().unwrap_or(0)
        })
        .collect();
    if least.iter().sum::<usize>() > WIDTH {
        return records(header, &rows);
    }
    let mut table = Table::new();
    table.load_style(NOTHING).set_content_arrangement(ContentArrangement::Dynamic).set_width(WIDTH as u16);
    table.add_rows(rows);
    if !header.is_empty() {
        table.set_header(header.iter().copied());
    }
    table.column_iter_mut().zip(least).for_each(|(column, least)| {
        column.set_padding((GAP as u16, 0)).set_constraint(LowerBoundary(Fixed(least as u16)));
    });
    table.lines().map(|line| format!("{}\n", line.trim_end())).collect()
}

/// Writes each cell on its own line after the name of its column, with a blank line between rows.
fn records(header: &[&str], rows: &[Vec<String>]) -> String {
    let name = header.iter().map(|name| name.chars().count()).max().map_or(0, |longest| longest + GAP);
    let record = |row: &Vec<String>| -> String {
        let names = header.iter().copied().chain(std::iter::repeat(""));
        let cells = row.iter().zip(names);
        cells.map(|(cell, header)| wrap(&format!("  {header:<name$}{cell}"), GAP + name)).collect()
    };
    rows.iter().map(record).collect::<Vec<_>>().join("\n")
}

/// Breaks a text at blanks and indents all lines but the first.
pub fn wrap(text: &str, indent: usize) -> String {
    let mut lines = String::new();
    let mut width = 0;
    for word in text.split_inclusive(' ') {
        if width + word.trim_end().len() > WIDTH {
            lines.truncate(lines.trim_end().len());
            lines = lines + "\n" + &" ".repeat(indent);
            width = indent;
        }
        lines += word;
        width += word.len();
    }
    lines + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    /// However little room there is, every word of a cell stays whole, in lines of at most 80 columns.
    #[test]
    fn cells_break_at_blanks_alone() {
        for digits in 1..60 {
            let value = format!("0x{} - 4*(lane - 4)", "f".repeat(digits));
            let row = ["4..7", &value, &value, "-", "out of window, writes nothing"].map(str::to_owned).to_vec();
            let text = table(&["lanes", "EA", "aligned", "memory", "outcome"], std::iter::once(row.clone()));
            assert!(text.lines().all(|line| line.chars().count() <= WIDTH), "{text}");
            for word in row.iter().flat_map(|cell| cell.split(' ')) {
                assert!(text.split_whitespace().any(|found| found == word), "{word}\n{text}");
            }
        }
    }
}
