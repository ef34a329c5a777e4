// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tables in the file formats that simulators and FPGA tools load: writes and reads them.
//!
//! All formats write a word most significant digit first; bit 0 of a table's first column is the least significant bit
//! of its word.

mod columns;
mod memory;

use std::{fmt::Write as _, io};

use bitvec::field::BitField;
use clap::ValueEnum;
use serde::{Deserialize, Serialize};

use super::table::{Column, Row, Table};

/// A kind of file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// `$readmemh`: one hexadecimal word per line
    Mem,
    /// Xilinx: memory_initialization_vector, in hexadecimal
    Coe,
    /// Intel: WIDTH, DEPTH, and `address : word`, in hexadecimal
    Mif,
    /// One row per line, below the names of the columns
    Csv,
    /// One object with the columns and the rows
    Json,
}

/// The contents of a file: rows of a table, from row `first` on.
pub struct Part<'a> {
    pub table: &'a Table,
    pub first: usize,
    pub rows: &'a [Row],
    /// The number of words in the file; those after the rows are 0.
    pub depth: usize,
}

/// Why a file cannot be read in its format.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {what}")]
pub struct FormatError {
    /// The line number, from 1.
    pub line: usize,
    pub what: String,
}

impl FormatError {
    fn new(line: usize, what: impl Into<String>) -> Self {
        FormatError { line, what: what.into() }
    }
}

impl Format {
    /// The extension of the file name.
    pub fn extension(self) -> &'static str {
        match self {
            Format::Mem => "mem",
            Format::Coe => "coe",
            Format::Mif => "mif",
            Format::Csv => "csv",
            Format::Json => "json",
        }
    }

    /// Writes a file.
    pub fn write(self, part: &Part<'_>, out: &mut dyn io::Write) -> io::Result<()> {
        match self {
            Format::Mem => memory::mem(part, out),
            Format::Coe => memory::coe(part, out),
            Format::Mif => memory::mif(part, out),
            Format::Csv => columns::csv(part, out),
            Format::Json => columns::json(part, out),
        }
    }

    /// Reads the words of a file that [`Format::write`] wrote for a table of this name and shape; those after its rows
    /// are 0.
    ///
    /// # Errors
    ///
    /// When the file is something else.
    pub fn read(self, text: &str, table: &Table) -> Result<Vec<Row>, FormatError> {
        match self {
            Format::Mem => memory::read_mem(text, table.width()),
            Format::Coe => memory::read_coe(text, table.width()),
            Format::Mif => memory::read_mif(text, table.width()),
            Format::Csv => columns::read_csv(text, table),
            Format::Json => columns::read_json(text, table),
        }
    }
}

/// The description of a file, which precedes its words.
fn about(part: &Part<'_>) -> Vec<String> {
    let Part { table, first, rows, depth } = part;
    let mut lines = vec![format!("gpu-lsu vectors: table {}, {} bits wide, {depth} words", table.name, table.width())];
    if *first > 0 || rows.len() < table.rows.len() {
        lines.push(format!("rows {first} to {} of {}", first + rows.len().max(1) - 1, table.rows.len()));
    }
    lines.push("bits: ".to_owned() + &table.columns.iter().rev().map(bits).collect::<Vec<_>>().join(", "));
    lines
}

fn bits(column: &Column) -> String {
    format!("{}:{} {}", column.offset + column.width - 1, column.offset, column.name)
}

/// The hexadecimal digits of a word, most significant first.
fn hex(row: &Row) -> String {
    let mut text = String::with_capacity(row.len() / 4);
    for digit in row.chunks(4).rev() {
        let _ = write!(text, "{:x}", digit.load_le::<u8>()); // writing to a String does not fail
    }
    text
}

/// Parses a word of `width` bits.
fn word(text: &str, width: usize, line: usize) -> Result<Row, FormatError> {
    let digits = width.div_ceil(4);
    if text.len() != digits {
        return Err(FormatError::new(line, format!("a word has {} digits, and the table's have {digits}", text.len())));
    }
    let mut row = Row::repeat(false, width);
    for (bits, digit) in row.chunks_mut(4).zip(text.chars().rev()) {
        let value = digit.to_digit(16).ok_or_else(|| FormatError::new(line, format!("`{digit}` is no digit")))?;
        bits.store_le(value as u8);
    }
    Ok(row)
}
