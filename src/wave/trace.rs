// SPDX-License-Identifier: MIT OR Apache-2.0
//! Verilator's trace as lines: looked at closely enough to find the times and any damage, and otherwise left alone.
//!
//! `vcd::Parser` would refuse it: Verilator writes structs as `$scope struct`, which that parser does not know.

use std::{
    fs::File,
    io::{BufRead, BufReader},
    path::{Path, PathBuf},
};

use rustc_hash::FxHashSet;
use vcd::IdCode;

use super::WaveError;

/// Scopes that the annotations take.
pub(super) const OURS: [&str; 2] = ["ref", "diff"];
/// More than any trace needs, and few enough that there are always ids left.
const MAX_ID: usize = 8;

/// A trace, read up to the end of its header.
pub(super) struct Trace {
    path: PathBuf,
    reader: BufReader<File>,
    number: u64,
    line: Vec<u8>,
    /// The header up to `$enddefinitions`.
    pub(super) header: Vec<u8>,
    ids: FxHashSet<Vec<u8>>,
    /// Above every id of the trace.
    pub(super) free: IdCode,
    last: Option<u64>,
}

/// A line of a trace after its header.
pub(super) enum Line<'a> {
    /// What follows happens at this time.
    Time(u64),
    /// A change, with its newline.
    Change(&'a [u8]),
}

impl Trace {
    pub(super) fn open(path: &Path) -> Result<Self, WaveError> {
        let file = File::open(path).map_err(|error| WaveError::Read { path: path.to_owned(), error })?;
        let mut trace = Trace {
            path: path.to_owned(),
            reader: BufReader::with_capacity(1 << 16, file),
            number: 0,
            line: Vec::new(),
            header: Vec::new(),
            ids: FxHashSet::default(),
            free: IdCode::FIRST,
            last: None,
        };
        trace.read_header()?;
        Ok(trace)
    }

    /// The next line after the header.
    pub(super) fn next(&mut self) -> Result<Option<Line<'_>>, WaveError> {
        if !self.read_line()? {
            return Ok(None);
        }
        match self.inspect() {
            Ok(None) => Ok(Some(Line::Change(&self.line))),
            Ok(Some(time)) if self.last.is_some_and(|last| last > time) => {
                Err(self.malformed(self.number, format!("time goes back to {time}")))
            }
            Ok(Some(time)) => {
                self.last = Some(time);
                Ok(Some(Line::Time(time)))
            }
            Err(message) => Err(self.malformed(self.number, message)),
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
        loop {
            if !self.read_line()? {
                return Err(self.malformed(self.number, "the trace ends before `$enddefinitions`"));
            }
            let Some(at) = self.line.windows(END.len()).position(|part| part == END) else {
                self.header.extend_from_slice(&self.line);
                continue;
            };
            self.header.extend_from_slice(&self.line[..at]);
            if self.line[at + END.len()..].trim_ascii() != b"$end" {
                return Err(self.malformed(self.number, "expected `$end` right after `$enddefinitions`"));
            }
            break;
        }
        let header = std::mem::take(&mut self.header);
        self.declarations(&header)?;
        self.header = header;
        Ok(())
    }

    /// Collects the ids, and looks for scopes that we need.
    fn declarations(&mut self, header: &[u8]) -> Result<(), WaveError> {
        let lines = header.split(|&byte| byte == b'\n').zip(1..);
        let mut words =
            lines.flat_map(|(line, number)| line.split(u8::is_ascii_whitespace).map(move |word| (word, number)));
        let mut words = words.by_ref().filter(|(word, _)| !word.is_empty());
        let mut depth = 0usize;
        while let Some((command, line)) = words.next() {
            let arguments: Vec<&[u8]> =
                words.by_ref().map(|(word, _)| word).take_while(|word| word != b"$end").collect();
            match (command, arguments.as_slice()) {
                (b"$var", [_, _, id, _, ..]) => self.declare(id).map_err(|message| self.malformed(line, message))?,
                (b"$scope", [_, name]) => {
                    if depth == 0 && OURS.iter().any(|ours| ours.as_bytes() == *name) {
                        let name = String::from_utf8_lossy(name);
                        return Err(self.malformed(line, format!("the scope `{name}` is taken: already annotated?")));
                    }
                    depth += 1;
                }
                (b"$upscope", []) if depth > 0 => depth -= 1,
                (b"$var" | b"$scope" | b"$upscope", _) => {
                    let command = String::from_utf8_lossy(command);
                    return Err(self.malformed(line, format!("a `{command}` that is not understood")));
                }
                ([b'$', ..], _) => {}
                _ => return Err(self.malformed(line, "this is not a VCD: expected a command such as `$scope`")),
            }
        }
        if depth > 0 {
            return Err(self.malformed(self.number, format!("{depth} scopes are left open")));
        }
        Ok(())
    }

    fn declare(&mut self, id: &[u8]) -> Result<(), String> {
        let text = String::from_utf8_lossy(id);
        let code: IdCode = match text.parse() {
            Ok(code) if id.len() <= MAX_ID => code,
            _ => return Err(format!("`{text}` is no id of a variable")),
        };
        self.free = self.free.max(code.next());
        self.ids.insert(id.to_owned());
        Ok(())
    }

    /// The time, if the line is one.
    fn inspect(&self) -> Result<Option<u64>, &'static str> {
        let id = match self.line.trim_ascii() {
            [] | [b'$', ..] => return Ok(None),
            [b'#', digits @ ..] => {
                let time = std::str::from_utf8(digits).ok().and_then(|digits| digits.parse().ok());
                return time.map(Some).ok_or("a time that is no number");
            }
            [b'0' | b'1' | b'x' | b'X' | b'z' | b'Z', id @ ..] => id,
            [kind @ (b'b' | b'B' | b'r' | b'R' | b's' | b'S'), rest @ ..] => {
                let at = rest.iter().position(u8::is_ascii_whitespace).ok_or("a change without a variable")?;
                let (value, id) = rest.split_at(at);
                if matches!(kind, b'b' | b'B') && !value.iter().all(|bit| b"01xXzZ".contains(bit)) {
                    return Err("a value that is not of bits");
                }
                id.trim_ascii_start()
            }
            _ => return Err("neither a time nor a change"),
        };
        if self.ids.contains(id) { Ok(None) } else { Err("a change of a variable that the header does not declare") }
    }
}
