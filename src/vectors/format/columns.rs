// SPDX-License-Identifier: MIT OR Apache-2.0
//! Formats for people and programs, with the columns by name.

use std::io::{self, Write};

use serde::{Deserialize, Serialize};

use super::{FormatError, Part, hex, word};
use crate::vectors::table::{Column, Row, Table};

/// The values of a row's columns, as `0x...`.
fn cells<'a>(table: &'a Table, row: &'a Row) -> impl Iterator<Item = String> + 'a {
    let cell = |c: &Column| format!("0x{}", hex(&row[c.offset..c.offset + c.width].to_bitvec()));
    table.columns.iter().map(cell)
}

pub fn csv(part: &Part<'_>, out: &mut dyn Write) -> io::Result<()> {
    let names: Vec<&str> = part.table.columns.iter().map(|column| column.name.as_str()).collect();
    writeln!(out, "{}", names.join(","))?;
    for row in part.rows {
        writeln!(out, "{}", cells(part.table, row).collect::<Vec<_>>().join(","))?;
    }
    Ok(())
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    table: String,
    width: usize,
    first: usize,
    columns: Vec<Column>,
    rows: Vec<Vec<String>>,
}

pub fn json(part: &Part<'_>, out: &mut dyn Write) -> io::Result<()> {
    let Part { table, first, rows, .. } = *part;
    let file = File {
        table: table.name.to_owned(),
        width: table.width(),
        first,
        columns: table.columns.clone(),
        rows: rows.iter().map(|row| cells(table, row).collect()).collect(),
    };
    serde_json::to_writer(&mut *out, &file)?;
    writeln!(out)
}

/// Parses the cells of a row.
fn row<'a>(table: &Table, cells: impl Iterator<Item = &'a str>, line: usize) -> Result<Row, FormatError> {
    let mut row = Row::repeat(false, table.width());
    let (mut columns, mut count) = (table.columns.iter(), 0);
    for cell in cells {
        count += 1;
        let Some(Column { offset, width, .. }) = columns.next() else { continue };
        let digits = cell.strip_prefix("0x").ok_or_else(|| FormatError::new(line, format!("`{cell}` lacks `0x`")))?;
        let value = word(digits, width.next_multiple_of(4), line)?;
        if value[*width..].any() {
            return Err(FormatError::new(line, format!("`{cell}` has more than {width} bits")));
        }
        row[*offset..offset + width].copy_from_bitslice(&value[..*width]);
    }
    let wanted = table.columns.len();
    if count == wanted {
        Ok(row)
    } else {
        Err(FormatError::new(line, format!("{count} columns, and the table has {wanted}")))
    }
}

pub fn read_csv(text: &str, table: &Table) -> Result<Vec<Row>, FormatError> {
    let mut lines = text.lines().zip(1..);
    let names: Vec<&str> = table.columns.iter().map(|column| column.name.as_str()).collect();
    match lines.next() {
        Some((line, _)) if line.split(',').eq(names.iter().copied()) => {}
        _ => return Err(FormatError::new(1, format!("expected the columns {}", names.join(",")))),
    }
    lines.map(|(line, number)| row(table, line.split(','), number)).collect()
}

pub fn read_json(text: &str, table: &Table) -> Result<Vec<Row>, FormatError> {
    let file: File =
        serde_json::from_str(text).map_err(|error| FormatError::new(error.line().max(1), error.to_string()))?;
    if file.columns != table.columns || file.width != table.width() {
        return Err(FormatError::new(1, format!("these are not the columns of table `{}`", table.name)));
    }
    file.rows.iter().map(|cells| row(table, cells.iter().map(String::as_str), 1)).collect()
}
