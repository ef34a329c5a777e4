// SPDX-License-Identifier: MIT OR Apache-2.0
//! Verilator's trace as lines: inspected for times and damage, and otherwise left alone.
//!
//! `vcd::Parser` would refuse it: Verilator writes structs as `$scope struct`, which that parser does not know.

use std::{
    io::{self, BufRead},
    mem,
    path::{Path, PathBuf},
};

use memchr::{memchr, memchr2, memmem};

use super::{
    WaveError,
    header::{self, Header},
};

/// A trace, read up to the end of its header.
pub(super) struct Trace<R> {
    /// For errors.
    path: PathBuf,
    lines: Lines<R>,
    number: u64,
    pub(super) header: Header,
    last: Option<u64>,
}

/// A line of a trace after its header.
pub(super) enum Line<'a> {
    /// The time of the changes that follow.
    Time(u64),
    /// A change of a variable.
    Change(Change<'a>),
    /// A command such as `$dumpvars`, or nothing.
    Nothing,
}

/// A change, as it stands in the trace.
#[derive(Clone, Copy)]
pub(super) struct Change<'a> {
    /// With its newline.
    pub(super) line: &'a [u8],
    /// The id of the variable, as a number.
    pub(super) id: usize,
    /// `b`, `r`, `s`, or the bit itself for a scalar.
    pub(super) kind: u8,
    /// The value without the letter; for a scalar, the bit.
    pub(super) value: &'a [u8],
}

/// A parsed line: the positions of its value and its variable.
enum Parts {
    Time(u64),
    /// A command such as `$dumpvars`, or nothing.
    Nothing,
    Change {
        id: usize,
        kind: u8,
        value: std::ops::Range<usize>,
    },
}

/// Lines inspected in the reader's buffer: copying them and looking for their ends byte by byte would cost as much as
/// everything else that is done with them.
struct Lines<R> {
    reader: R,
    /// The length of the last line if it was inspected in the reader's buffer.
    used: usize,
    /// A line that spans buffers.
    line: Vec<u8>,
}

impl<R: BufRead> Lines<R> {
    /// Returns the next line, with its newline if it has one; empty at the end.
    fn next(&mut self) -> io::Result<&[u8]> {
        self.reader.consume(mem::take(&mut self.used));
        self.line.clear();
        let (end, whole) = loop {
            let buffer = self.reader.fill_buf()?;
            match memchr(b'\n', buffer) {
                Some(at) => break (at + 1, self.line.is_empty()),
                None if buffer.is_empty() => return Ok(&self.line),
                None => {
                    self.line.extend_from_slice(buffer);
                    let length = buffer.len();
                    self.reader.consume(length);
                }
            }
        };
        self.used = end;
        let buffer = self.reader.fill_buf()?;
        if whole {
            return Ok(&buffer[..end]);
        }
        self.line.extend_from_slice(&buffer[..end]);
        Ok(&self.line)
    }
}

impl<R: BufRead> Trace<R> {
    /// Reads the header; `path` names the trace in errors.
    pub(super) fn new(input: R, path: &Path) -> Result<Self, WaveError> {
        let lines = Lines { reader: input, used: 0, line: Vec::new() };
        let mut trace = Trace { path: path.to_owned(), lines, number: 0, header: Header::default(), last: None };
        trace.read_header()?;
        Ok(trace)
    }

    /// Returns the next line after the header.
    pub(super) fn next(&mut self) -> Result<Option<Line<'_>>, WaveError> {
        let Trace { path, lines, number, header, last } = self;
        let Some(line) = next_line(path, lines, number)? else { return Ok(None) };
        let parts = match inspect(header, line) {
            Ok(Parts::Time(time)) if last.is_some_and(|last| last > time) => Err(format!("time goes back to {time}")),
            parts => parts.map_err(str::to_owned),
        };
        match parts {
            Ok(Parts::Nothing) => Ok(Some(Line::Nothing)),
            Ok(Parts::Change { id, kind, value }) => {
                Ok(Some(Line::Change(Change { line, id, kind, value: &line[value] })))
            }
            Ok(Parts::Time(time)) => {
                *last = Some(time);
                Ok(Some(Line::Time(time)))
            }
            Err(message) => Err(malformed(path, *number, message)),
        }
    }

    fn read_header(&mut self) -> Result<(), WaveError> {
        const END: &[u8] = b"$enddefinitions";
        let Trace { path, lines, number, header, .. } = self;
        let mut text = Vec::new();
        loop {
            let Some(line) = next_line(path, lines, number)? else {
                return Err(malformed(path, *number, "the trace ends before `$enddefinitions`"));
            };
            let Some(at) = memmem::find(line, END) else {
                text.extend_from_slice(line);
                continue;
            };
            text.extend_from_slice(&line[..at]);
            if line[at + END.len()..].trim_ascii() != b"$end" {
                return Err(malformed(path, *number, "expected `$end` right after `$enddefinitions`"));
            }
            break;
        }
        *header = header::parse(text, *number).map_err(|(line, message)| malformed(path, line, message))?;
        Ok(())
    }
}

fn malformed(path: &Path, line: u64, message: impl Into<String>) -> WaveError {
    WaveError::Malformed { path: path.to_owned(), line: line.max(1), message: message.into() }
}

/// Returns the next whole line, with its newline; `None` at the end.
fn next_line<'a, R: BufRead>(
    path: &Path,
    lines: &'a mut Lines<R>,
    number: &mut u64,
) -> Result<Option<&'a [u8]>, WaveError> {
    let line = lines.next().map_err(|error| WaveError::Read { path: path.to_owned(), error })?;
    if line.is_empty() {
        return Ok(None);
    }
    *number += 1;
    match line.last() {
        Some(b'\n') => Ok(Some(line)),
        _ => Err(malformed(path, *number, "the trace ends in the middle of a line")),
    }
}

/// Parses a line.
fn inspect(header: &Header, line: &[u8]) -> Result<Parts, &'static str> {
    let line = line.trim_ascii_end();
    let (kind, value, id) = match line {
        [] | [b'$', ..] => return Ok(Parts::Nothing),
        [b'#', digits @ ..] => {
            let time = std::str::from_utf8(digits).ok().and_then(|digits| digits.parse().ok());
            return time.map(Parts::Time).ok_or("a time that is no number");
        }
        [bit @ (b'0' | b'1' | b'x' | b'X' | b'z' | b'Z'), id @ ..] => (*bit, 0..1, id),
        [kind @ (b'b' | b'B' | b'r' | b'R' | b's' | b'S'), rest @ ..] => {
            let at = memchr2(b' ', b'\t', rest).ok_or("a change without a variable")?;
            let (value, id) = rest.split_at(at);
            if matches!(kind, b'b' | b'B') && !are_bits(value) {
                return Err("a value that is not of bits");
            }
            (kind.to_ascii_lowercase(), 1..1 + at, id.trim_ascii_start())
        }
        _ => return Err("neither a time nor a change"),
    };
    match header::number(id).filter(|&id| header.declares(id)) {
        Some(id) => Ok(Parts::Change { id, kind, value }),
        None => Err("a change of a variable that the header does not declare"),
    }
}

/// Most values are 0 and 1 throughout, which is checked many bits at a time.
fn are_bits(value: &[u8]) -> bool {
    let known = value.iter().fold(0, |seen, bit| seen | (bit ^ b'0')) <= 1;
    !value.is_empty() && (known || value.iter().all(|bit| b"01xXzZ".contains(bit)))
}
