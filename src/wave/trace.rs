// SPDX-License-Identifier: MIT OR Apache-2.0
//! Verilator's trace as lines: looked at closely enough to find the times and any damage, and otherwise left alone.
//!
//! `vcd::Parser` would refuse it: Verilator writes structs as `$scope struct`, which that parser does not know.

use std::{
    io::{BufRead, BufReader, Read},
    path::{Path, PathBuf},
};

use super::{
    WaveError,
    header::{self, Header},
};

/// A trace, read up to the end of its header.
pub(super) struct Trace<R> {
    /// For errors.
    path: PathBuf,
    reader: BufReader<R>,
    number: u64,
    line: Vec<u8>,
    pub(super) header: Header,
    last: Option<u64>,
}

/// A line of a trace after its header.
pub(super) enum Line<'a> {
    /// What follows happens at this time.
    Time(u64),
    /// A change of a variable.
    Change(Change<'a>),
}

/// A change, as the trace has it.
#[derive(Clone, Copy)]
pub(super) struct Change<'a> {
    /// With its newline.
    pub(super) line: &'a [u8],
    /// The variable, by number.
    pub(super) id: usize,
    /// `b`, `r`, `s`, or of a scalar the bit itself.
    pub(super) kind: u8,
    /// Of a scalar that bit; without the letter.
    pub(super) value: &'a [u8],
}

/// What a line is: where its value and its variable lie.
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

impl<R: Read> Trace<R> {
    /// `path` is what errors call it.
    pub(super) fn new(input: R, path: &Path) -> Result<Self, WaveError> {
        let mut trace = Trace {
            path: path.to_owned(),
            reader: BufReader::with_capacity(1 << 16, input),
            number: 0,
            line: Vec::new(),
            header: Header::default(),
            last: None,
        };
        trace.read_header()?;
        Ok(trace)
    }

    /// The next line after the header.
    pub(super) fn next(&mut self) -> Result<Option<Line<'_>>, WaveError> {
        loop {
            if !self.read_line()? {
                return Ok(None);
            }
            match self.inspect() {
                Ok(Parts::Nothing) => {}
                Ok(Parts::Change { id, kind, value }) => {
                    return Ok(Some(Line::Change(Change { line: &self.line, id, kind, value: &self.line[value] })));
                }
                Ok(Parts::Time(time)) if self.last.is_some_and(|last| last > time) => {
                    return Err(self.malformed(self.number, format!("time goes back to {time}")));
                }
                Ok(Parts::Time(time)) => {
                    self.last = Some(time);
                    return Ok(Some(Line::Time(time)));
                }
                Err(message) => return Err(self.malformed(self.number, message)),
            }
        }
    }

    fn malformed(&self, line: u64, message: impl Into<String>) -> WaveError {
        WaveError::Malformed { path: self.path.clone(), line: line.max(1), message: message.into() }
    }

    /// Reads a whole line; false at the end.
    fn read_line(&mut self) -> Result<bool, WaveError> {
        self.line.clear();
        let read = self.reader.read_until(b'\n', &mut self.line);
        match read.map_err(|error| WaveError::Read { path: self.path.clone(), error })? {
            0 => return Ok(false),
            _ => self.number += 1,
        }
        match self.line.last() {
            Some(b'\n') => Ok(true),
            _ => Err(self.malformed(self.number, "the trace ends in the middle of a line")),
        }
    }

    fn read_header(&mut self) -> Result<(), WaveError> {
        const END: &[u8] = b"$enddefinitions";
        let mut text = Vec::new();
        loop {
            if !self.read_line()? {
                return Err(self.malformed(self.number, "the trace ends before `$enddefinitions`"));
            }
            let Some(at) = self.line.windows(END.len()).position(|part| part == END) else {
                text.extend_from_slice(&self.line);
                continue;
            };
            text.extend_from_slice(&self.line[..at]);
            if self.line[at + END.len()..].trim_ascii() != b"$end" {
                return Err(self.malformed(self.number, "expected `$end` right after `$enddefinitions`"));
            }
            break;
        }
        self.header = header::parse(text, self.number).map_err(|(line, message)| self.malformed(line, message))?;
        Ok(())
    }

    /// What the line is.
    fn inspect(&self) -> Result<Parts, &'static str> {
        let line = self.line.trim_ascii_end();
        let (kind, value, id) = match line {
            [] | [b'$', ..] => return Ok(Parts::Nothing),
            [b'#', digits @ ..] => {
                let time = std::str::from_utf8(digits).ok().and_then(|digits| digits.parse().ok());
                return time.map(Parts::Time).ok_or("a time that is no number");
            }
            [bit @ (b'0' | b'1' | b'x' | b'X' | b'z' | b'Z'), id @ ..] => (*bit, 0..1, id),
            [kind @ (b'b' | b'B' | b'r' | b'R' | b's' | b'S'), rest @ ..] => {
                let at = rest.iter().position(u8::is_ascii_whitespace).ok_or("a change without a variable")?;
                let (value, id) = rest.split_at(at);
                if matches!(kind, b'b' | b'B') && (value.is_empty() || !value.iter().all(|bit| b"01xXzZ".contains(bit)))
                {
                    return Err("a value that is not of bits");
                }
                (kind.to_ascii_lowercase(), 1..1 + at, id.trim_ascii_start())
            }
            _ => return Err("neither a time nor a change"),
        };
        match header::number(id).filter(|&id| self.header.declares(id)) {
            Some(id) => Ok(Parts::Change { id, kind, value }),
            None => Err("a change of a variable that the header does not declare"),
        }
    }
}
