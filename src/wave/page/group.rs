// SPDX-License-Identifier: MIT OR Apache-2.0
//! The transfers of one channel, with a row for each number that they carry.
//!
//! A transfer lasts from the cycle in which it is offered to the cycle in which it is taken. Between transfers the
//! payload and the ready are unknown, and nothing is shown.

use serde::Serialize;

use super::column::{Column, hex};
use crate::{
    clause::Clause,
    op::{
        Shape,
        layout::{Code, Content, by_name},
    },
    ports::{Channel, Direction, Holds, Levels, PORTS, Port},
};

/// A channel.
#[derive(Serialize)]
pub(super) struct Group {
    pub name: &'static str,
    pub title: &'static str,
    pub clause: &'static str,
    /// Whether the unit drives it.
    unit: bool,
    /// The cycle of the first offer, relative to that of the transfer before.
    start: Column,
    /// The number of cycles.
    length: Column,
    /// Whether the transfer was taken at the end.
    taken: Column,
    /// The operation that the transfer belongs to.
    op: Column,
    rows: Vec<Row>,
    /// Fields of structs that are 0 throughout.
    zero: Vec<String>,
    #[serde(skip)]
    last: u64,
    #[serde(skip)]
    pub transfers: u64,
}

/// A number that each transfer carries, or one for each part.
#[derive(Serialize)]
struct Row {
    name: String,
    /// The width of each part in bits.
    width: usize,
    /// The number of lanes, or of words in a line; 1 for a single number.
    #[serde(skip_serializing_if = "is_one")]
    parts: usize,
    /// The name of a part.
    #[serde(skip_serializing_if = "str::is_empty")]
    part: &'static str,
    #[serde(serialize_with = "by_name", skip_serializing_if = "<[Code]>::is_empty")]
    codes: &'static [Code],
    /// All parts as one number, part 0 lowest.
    values: Column,
    /// The model's values: `=` for the same, `-` for none.
    #[serde(skip_serializing_if = "Option::is_none")]
    model: Option<Column>,
    #[serde(skip)]
    slice: Slice,
    /// Whether some value is not 0, or the row is shown anyway, as a port and an operation's kind are.
    #[serde(skip)]
    shows: bool,
}

fn is_one(number: &usize) -> bool {
    *number == 1
}

/// The position of a row's bits in the port.
#[derive(Clone, Copy)]
struct Slice {
    /// The index of the port in the payload of the channel.
    port: usize,
    offset: usize,
    /// The distance from part to part.
    stride: usize,
}

/// The bytes of a line are shown as words, like a lane's register.
const WORD: usize = 32;

impl Group {
    /// Creates the group of a channel whose ports begin with `name`.
    pub fn new(channel: Channel, name: &'static str, title: &'static str, clause: Clause, shape: &Shape) -> Self {
        let mut rows = Vec::new();
        let mut unit = false;
        for (at, port) in PORTS.payload(channel).map(|(port, _)| port).enumerate() {
            unit = port.direction == Direction::Output;
            let short = port.name.trim_end_matches("_i").trim_end_matches("_o");
            let short = short.strip_prefix(name).map_or(short, |rest| rest.trim_start_matches('_'));
            let short = if short.is_empty() && matches!(port.holds, Holds::Lanes(..)) { "data" } else { short };
            rows.extend(rows_of(short, at, port, shape, unit));
        }
        let empty = Column::default;
        Group {
            name,
            title,
            clause: clause.id(),
            unit,
            start: empty(),
            length: empty(),
            taken: empty(),
            op: empty(),
            rows,
            zero: Vec::new(),
            last: 0,
            transfers: 0,
        }
    }

    /// Adds a transfer in the cycles of `when`. `values` are the levels of the payload ports, `model` those that the
    /// model expects.
    pub fn transfer(&mut self, when: Span, op: Option<usize>, values: &[&Levels], model: Option<&[&Levels]>) {
        self.start.push_number(when.start - self.last.min(when.start));
        self.last = when.start.max(self.last);
        self.length.push_number((when.end - when.start).max(1));
        self.taken.push_number(when.taken.into());
        match op {
            Some(op) => self.op.push_number(op as u64),
            None => self.op.push("-"),
        }
        self.transfers += 1;
        let (mut value, mut other) = (String::new(), String::new());
        for row in &mut self.rows {
            row.read(values, &mut value);
            row.values.push(&value);
            row.shows |= value != "0";
            let Some(column) = &mut row.model else { continue };
            match model {
                None => column.push("-"),
                Some(model) => {
                    row.slice.read(row.width, row.parts, model, &mut other);
                    row.shows |= value != other;
                    column.push(if value == other { "=" } else { &other });
                }
            }
        }
    }

    /// Ends the group. Rows that never showed anything are only named.
    pub fn finish(mut self) -> Self {
        let (rows, zero): (Vec<_>, Vec<_>) = self.rows.into_iter().partition(|row| row.shows);
        self.rows = rows;
        self.zero = zero.into_iter().map(|row| row.name).collect();
        self
    }
}

/// The cycles in which a transfer was offered, and whether it was taken in the last of them.
#[derive(Clone, Copy)]
pub(super) struct Span {
    pub start: u64,
    /// The first cycle after it.
    pub end: u64,
    pub taken: bool,
}

fn rows_of(name: &str, at: usize, port: &Port, shape: &Shape, unit: bool) -> Vec<Row> {
    let row = |name: String, width: usize, parts: usize, codes, offset, stride, part| {
        let kind = name == "kind";
        Row {
            name,
            width,
            parts,
            part,
            codes,
            values: Column::default(),
            // The unit may use any free id.
            model: (unit && port.name != PORTS.req_id.name).then(Column::default),
            slice: Slice { port: at, offset, stride },
            shows: !matches!(port.content(shape), Content::Struct(_) | Content::Array(_, Content::Array(..))) || kind,
        }
    };
    let whole = port.width(shape);
    if let Holds::Line = port.holds {
        return vec![row(name.to_owned(), WORD, whole / WORD, &[], 0, WORD, "word")];
    }
    match port.content(shape) {
        Content::Number(codes) => vec![row(name.to_owned(), whole, 1, codes, 0, 0, "")],
        Content::Array(count, &Content::Number(codes)) => {
            let each = whole / count;
            vec![row(name.to_owned(), each, count, codes, 0, each, "lane")]
        }
        // The address words of a lane have a row each, as the third is rarely used.
        Content::Array(count, &Content::Array(words, _)) => {
            let each = whole / count;
            let width = each / words;
            (0..words)
                .map(|word| row(format!("{name}[{word}]"), width, count, &[], word * width, each, "lane"))
                .collect()
        }
        content => {
            let dot = if name.is_empty() { "" } else { "." };
            let fields = content.fields(whole).into_iter();
            fields.map(|f| row(format!("{name}{dot}{}", f.path), f.width, 1, f.codes, f.offset, 0, "")).collect()
        }
    }
}

impl Row {
    fn read(&self, values: &[&Levels], out: &mut String) {
        self.slice.read(self.width, self.parts, values, out);
    }
}

impl Slice {
    /// Reads the bits as one hexadecimal number.
    fn read(self, width: usize, parts: usize, values: &[&Levels], out: &mut String) {
        out.clear();
        let words = values[self.port].words();
        if parts == 1 || self.stride == width {
            return hex(words, self.offset, width * parts, out);
        }
        // Parts that are not adjacent are whole words.
        let gathered: Vec<u32> = (0..parts).map(|part| words[(self.offset + part * self.stride) / WORD]).collect();
        hex(&gathered, 0, WORD * parts, out);
    }
}
