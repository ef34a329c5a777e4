// SPDX-License-Identifier: MIT OR Apache-2.0
//! An explanation for people: sentences and tables, at most 80 columns wide, without colours.

use comfy_table::{ContentArrangement, Table, presets::NOTHING};

use super::explanation::Explanation;
use crate::program::{Program, Step};
pub use crate::sets::text::count;

const WIDTH: usize = 80;

/// All of it. `step` is one of the program's.
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

/// Columns two blanks apart; an empty `header` is none.
pub fn table(header: &[&str], rows: impl Iterator<Item = Vec<String>>) -> String {
    let mut table = Table::new();
    table.load_style(NOTHING).set_content_arrangement(ContentArrangement::Dynamic).set_width(WIDTH as u16);
    table.add_rows(rows);
    if !header.is_empty() {
        table.set_header(header.iter().copied());
    }
    table.column_iter_mut().for_each(|column| {
        column.set_padding((2, 0));
    });
    table.lines().map(|line| format!("{}\n", line.trim_end())).collect()
}

/// Breaks a text at blanks; the lines after the first are indented.
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
