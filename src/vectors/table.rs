// SPDX-License-Identifier: MIT OR Apache-2.0
//! A set as tables of words, which memories of a simulator or a board can hold: writes and reads them.

use bitvec::{order::Lsb0, vec::BitVec};
use serde::{Deserialize, Serialize};

use super::{
    Expected, Line, Set, Vector, Written,
    clauses::{Fields, used},
};
use crate::{
    judge::log::{Issue, beats},
    model::Register,
    op::{
        ADDR_WIDTH, Ctrl, FAULT_WIDTH, Fault, LaneMask, Lanes, MAX_LANES, MAX_LINE_BYTES, Op, Packed, ReqKind, Shape,
        Space,
    },
};

/// The bits of a row, least significant first.
pub type Row = BitVec<u32, Lsb0>;

/// Rows of one width, each with the columns side by side, the first one lowest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    pub name: &'static str,
    pub columns: Vec<Column>,
    pub rows: Vec<Row>,
}

/// A field of every row.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Column {
    pub name: String,
    /// The index of its least significant bit.
    pub offset: usize,
    /// The width in bits.
    pub width: usize,
}

/// Why tables do not make a set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("table `{table}`, row {row}: {what}")]
pub struct TableError {
    pub table: &'static str,
    /// The row, from 0.
    pub row: usize,
    pub what: String,
}

/// The names of the tables, in the order of [`tables`].
pub const NAMES: [&str; 8] = ["control", "op", "data", "request", "register", "memory", "after", "clause"];

/// The columns of a table.
fn columns(table: &str, shape: &Shape) -> Vec<Column> {
    let (lanes, line) = (shape.lanes, 8 * shape.line_bytes);
    let widths: Vec<(&str, usize)> = match table {
        "control" => vec![("ctrl", Ctrl::WIDTH as usize)],
        "op" => vec![
            ("op", Op::WIDTH as usize),
            ("segment", 16),
            ("waits", 8),
            ("prepares", 8),
            ("first_request", 32),
            ("requests", 16),
            ("seconds", 16),
            ("first_register", 32),
            ("registers", 8),
            ("active", lanes),
            ("helper", lanes),
            ("predicate", lanes),
            ("addr", 96 * lanes),
            ("fault", FAULT_WIDTH * lanes),
        ],
        "data" => vec![("data", 32 * lanes)],
        "request" => vec![
            ("vector", 32),
            ("line", 32),
            ("kind", 8),
            ("space", 8),
            ("group", 8),
            ("addr", ADDR_WIDTH as usize),
            ("lanes", lanes),
            ("be", shape.line_bytes),
            ("data", line),
        ],
        "register" => vec![("vector", 32), ("register", 8), ("lanes", lanes), ("data", 32 * lanes)],
        "memory" => vec![("addr", ADDR_WIDTH as usize), ("segment", 16), ("fails", 8), ("data", line)],
        "after" => vec![("data", line)],
        _ => Fields::NAMES.iter().map(|name| (*name, 8)).collect(),
    };
    let mut offset = 0;
    let mut column = |(name, width): (&str, usize)| {
        offset += width;
        Column { name: name.to_owned(), offset: offset - width, width }
    };
    widths.into_iter().map(&mut column).collect()
}

impl Table {
    /// A table without rows.
    pub fn empty(name: &'static str, shape: &Shape) -> Self {
        Table { name, columns: columns(name, shape), rows: Vec::new() }
    }

    /// The width of a row in bits: a multiple of 8, as readers of memory files expect. Bits outside the columns are 0.
    pub fn width(&self) -> usize {
        let last = self.columns.last().map_or(0, |column| column.offset + column.width);
        last.next_multiple_of(8)
    }

    fn row(&mut self, put: impl FnOnce(&mut Cursor<'_>)) {
        let mut row = Row::repeat(false, self.width());
        put(&mut Cursor { row: &mut row, columns: self.columns.iter() });
        self.rows.push(row);
    }
}

/// Fills a row, column by column.
struct Cursor<'a> {
    row: &'a mut Row,
    columns: std::slice::Iter<'a, Column>,
}

impl Cursor<'_> {
    fn put(&mut self, value: &impl Packed) -> &mut Self {
        if let Some(Column { offset, width, .. }) = self.columns.next() {
            value.pack(&mut self.row[*offset..offset + width]);
        }
        self
    }

    /// Puts as many values as the column has room for.
    fn all<T: Packed>(&mut self, each: usize, values: impl IntoIterator<Item = T>) -> &mut Self {
        if let Some(Column { offset, width, .. }) = self.columns.next() {
            let places = (*offset..offset + width).step_by(each);
            places.zip(values).for_each(|(at, value)| value.pack(&mut self.row[at..at + each]));
        }
        self
    }
}

/// Reads a row, column by column.
struct Reader<'a> {
    table: &'a Table,
    number: usize,
    columns: std::slice::Iter<'a, Column>,
}

impl<'a> Reader<'a> {
    fn of(table: &'a Table, number: usize) -> Self {
        Reader { table, number, columns: table.columns.iter() }
    }

    fn get<T: Packed>(&mut self) -> T {
        let bits =
            self.columns.next().and_then(|c| self.table.rows.get(self.number)?.get(c.offset..c.offset + c.width));
        T::unpack(bits.unwrap_or_default())
    }

    fn all<T: Packed + Copy, const N: usize>(&mut self, each: usize, none: T) -> [T; N] {
        let bits =
            self.columns.next().and_then(|c| self.table.rows.get(self.number)?.get(c.offset..c.offset + c.width));
        let mut values = [none; N];
        let bits = bits.unwrap_or_default().chunks_exact(each);
        values.iter_mut().zip(bits).for_each(|(value, bits)| *value = T::unpack(bits));
        values
    }

    fn error(&self, what: impl Into<String>) -> TableError {
        TableError { table: self.table.name, row: self.number, what: what.into() }
    }
}

/// The tables of a set, in the order of [`NAMES`].
pub fn tables(set: &Set) -> Vec<Table> {
    let mut tables = NAMES.map(|name| Table::empty(name, &set.shape));
    let [control, op, data, request, register, memory, after, clause] = &mut tables;
    let used = used(set);
    set.segments.iter().for_each(|ctrl| {
        control.row(|row| {
            row.put(ctrl);
        })
    });
    for (number, vector) in set.vectors.iter().enumerate() {
        let Issue { op: operation, lanes, .. } = &vector.issue;
        op.row(|row| {
            row.put(operation).put(&(vector.segment as u16)).put(&vector.waits).put(&vector.prepares);
            row.put(&(request.rows.len() as u32)).put(&(vector.requests.len() as u16));
            row.put(&(vector.seconds.len() as u16));
            row.put(&(register.rows.len() as u32)).put(&(vector.registers.len() as u8));
            row.put(&lanes.active.bits()).put(&lanes.helper.bits()).put(&lanes.predicate.bits());
            row.all(32, lanes.addr.iter().flatten().copied());
            row.all(FAULT_WIDTH, vector.faults.iter().map(|&fault| fault as u8));
        });
        for beat in vector.issue.data.iter().take(beats(operation)) {
            data.row(|row| {
                row.all(32, beat.iter().copied());
            });
        }
        for expected in vector.requests.iter().chain(&vector.seconds) {
            request.row(|row| {
                row.put(&(number as u32)).put(&(expected.line as u32));
                row.put(&(expected.kind as u8)).put(&(expected.space as u8)).put(&expected.group);
                row.put(&set.lines.get(expected.line).map_or(0, |line| line.addr)).put(&expected.lanes.bits());
                row.put(&expected.byte_enable).all(8, expected.data.iter().copied());
            });
        }
        for written in &vector.registers {
            register.row(|row| {
                row.put(&(number as u32)).put(&written.register).put(&written.lanes.bits());
                row.all(32, written.data.iter().copied());
            });
        }
        let places = Fields::of(set, vector).0.map(|clause| used.binary_search(&clause).unwrap_or(0) as u8);
        clause.row(|row| {
            places.iter().for_each(|place| {
                row.put(place);
            })
        });
    }
    for line in &set.lines {
        memory.row(|row| {
            row.put(&line.addr).put(&(line.segment as u16)).put(&line.fails).all(8, line.before.iter().copied());
        });
        after.row(|row| {
            row.all(8, line.after.iter().copied());
        });
    }
    Vec::from(tables)
}

/// Reads the set from tables as [`tables`] makes them.
///
/// # Errors
///
/// When the tables do not fit together.
pub fn set(shape: Shape, tables: &[Table]) -> Result<Set, TableError> {
    let missing = |name| TableError { table: name, row: 0, what: "the table is missing".into() };
    let find = |name| tables.iter().find(|table| table.name == name).ok_or_else(|| missing(name));
    let [control, op, data, request, register, memory, after] = [
        find("control")?,
        find("op")?,
        find("data")?,
        find("request")?,
        find("register")?,
        find("memory")?,
        find("after")?,
    ];
    let segments: Vec<Ctrl> = (0..control.rows.len()).map(|row| Reader::of(control, row).get()).collect();
    let line = |row: usize| {
        let mut reader = Reader::of(memory, row);
        let (addr, segment, fails) = (reader.get(), reader.get::<u16>().into(), reader.get());
        let before = reader.all::<u8, MAX_LINE_BYTES>(8, 0);
        Line { segment, addr, fails, before, after: Reader::of(after, row).all(8, 0) }
    };
    let lines: Vec<Line> = (0..memory.rows.len()).map(line).collect();
    let mut next = 0;
    let mut vectors = Vec::with_capacity(op.rows.len());
    for row in 0..op.rows.len() {
        let mut reader = Reader::of(op, row);
        let operation: Op = reader.get();
        let segment = usize::from(reader.get::<u16>());
        if segment >= segments.len() {
            return Err(reader.error(format!("segment {segment} has no control registers")));
        }
        let (waits, prepares) = (reader.get(), reader.get());
        let first = reader.get::<u32>() as usize;
        let (count, seconds) = (usize::from(reader.get::<u16>()), usize::from(reader.get::<u16>()));
        let written = reader.get::<u32>() as usize;
        let written = written..written + usize::from(reader.get::<u8>());
        let mask = |reader: &mut Reader<'_>| LaneMask::from_bits(reader.get());
        let (active, helper, predicate) = (mask(&mut reader), mask(&mut reader), mask(&mut reader));
        let addr = reader.all::<[u32; 3], MAX_LANES>(96, [0; 3]);
        let faults = reader.all::<u8, MAX_LANES>(FAULT_WIDTH, 0);
        let mut known = [Fault::None; MAX_LANES];
        for (known, code) in known.iter_mut().zip(faults) {
            *known = Fault::from_code(code).ok_or_else(|| reader.error(format!("{code} is no fault")))?;
        }
        let of = |row| expected(request, row, lines.len());
        let end = next + beats(&operation);
        let registers: Vec<Register> = (next..end).map(|row| Reader::of(data, row).all(32, 0)).collect();
        next = end;
        vectors.push(Vector {
            segment,
            waits,
            prepares,
            issue: Issue {
                op: operation,
                lanes: Lanes { active, helper, predicate, addr },
                data: registers,
                inst: None,
            },
            requests: (first..first + count).map(of).collect::<Result<_, _>>()?,
            seconds: (first + count..first + count + seconds).map(of).collect::<Result<_, _>>()?,
            registers: written.map(|row| self::written(register, row)).collect(),
            faults: known,
        });
    }
    Ok(Set { shape, segments, vectors, lines })
}

fn expected(table: &Table, row: usize, lines: usize) -> Result<Expected, TableError> {
    let mut reader = Reader::of(table, row);
    let (_vector, line): (u32, u32) = (reader.get(), reader.get());
    let (kind, space, group): (u8, u8, u8) = (reader.get(), reader.get(), reader.get());
    if line as usize >= lines {
        return Err(reader.error(format!("memory has no line {line}")));
    }
    let kind = ReqKind::from_code(kind).ok_or_else(|| reader.error(format!("{kind} is no kind of request")))?;
    let space = Space::from_code(space).ok_or_else(|| reader.error(format!("{space} is no space")))?;
    let (_addr, lanes): (u64, u32) = (reader.get(), reader.get());
    let (byte_enable, data) = (reader.get(), reader.all(8, 0));
    Ok(Expected { kind, space, group, line: line as usize, byte_enable, data, lanes: LaneMask::from_bits(lanes) })
}

fn written(table: &Table, row: usize) -> Written {
    let mut reader = Reader::of(table, row);
    let _vector: u32 = reader.get();
    let register = reader.get();
    let lanes = LaneMask::from_bits(reader.get());
    Written { register, lanes, data: reader.all(32, 0) }
}
