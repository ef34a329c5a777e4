// SPDX-License-Identifier: MIT OR Apache-2.0
//! What `check` prints, and where in the source it was.

use std::{
    borrow::Cow,
    io::{self, Write},
};

use serde::Serialize;

use crate::{
    cli::Error,
    sets::{ptx::Refusal, text::shown},
};

/// A line of output.
#[derive(Serialize)]
struct Row<'a> {
    line: usize,
    verdict: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<usize>,
    /// The mnemonic, in a module.
    #[serde(skip_serializing_if = "Option::is_none")]
    statement: Option<&'a str>,
    #[serde(flatten)]
    refusal: Option<Reason<'a>>,
}

#[derive(Serialize)]
struct Reason<'a> {
    message: Cow<'a, str>,
    clause: &'static str,
    #[serde(skip_serializing_if = "str::is_empty")]
    fault: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    help: &'a str,
}

/// Characters before the byte `at` of a line, and one.
pub fn column(line: &[u8], at: usize) -> usize {
    let before = line.get(..at).unwrap_or(line);
    // Bytes that go on with a character are not counted.
    before.iter().filter(|&&byte| byte & 0xc0 != 0x80).count() + 1
}

/// Lines and columns of bytes that are asked for in rising order, more or less.
pub struct Places<'a> {
    source: &'a [u8],
    line: usize,
    /// Where that line starts.
    start: usize,
}

impl<'a> Places<'a> {
    pub fn new(source: &'a [u8]) -> Self {
        Places { source, line: 1, start: 0 }
    }

    pub fn find(&mut self, at: usize) -> (usize, usize) {
        if at < self.start {
            (self.line, self.start) = (1, 0);
        }
        let passed = self.source.get(self.start..at).unwrap_or_default();
        if let Some(last) = passed.iter().rposition(|&byte| byte == b'\n') {
            self.line += passed.iter().filter(|&&byte| byte == b'\n').count();
            self.start += last + 1;
        }
        (self.line, column(&self.source[self.start..], at - self.start))
    }
}

/// What is printed.
pub struct Report<W> {
    pub output: W,
    json: bool,
    /// Something was.
    pub refused: bool,
}

impl<W: Write> Report<W> {
    pub fn new(output: W, json: bool) -> Self {
        Report { output, json, refused: false }
    }

    /// A line of statements without a fault.
    pub fn accepted(&mut self, line: usize) -> Result<(), Error> {
        match self.json {
            true => self.row(&Row { line, verdict: "accepted", column: None, statement: None, refusal: None }),
            false => Ok(self.output.write_all(b"accepted\n")?),
        }
    }

    /// An access of a module, and where it stands.
    pub fn found(
        &mut self,
        (line, column): (usize, usize),
        verdict: &'static str,
        mnemonic: &str,
    ) -> Result<(), Error> {
        let mnemonic = &*shown(mnemonic);
        if self.json {
            let column = Some(column);
            return self.row(&Row { line, verdict, column, statement: Some(mnemonic), refusal: None });
        }
        let rest = if verdict == "load" { "; loads are not judged" } else { "" };
        Ok(writeln!(self.output, "{verdict}: line {line}, column {column}: {}{rest}", printable(mnemonic))?)
    }

    /// A statement or a line with a fault, and where that stands.
    pub fn refused(&mut self, (line, column): (usize, usize), refusal: &Refusal) -> Result<(), Error> {
        self.refused = true;
        let message = printable(&refusal.message);
        let clause = refusal.clause.id();
        if self.json {
            let reason = Reason { message, clause, fault: &refusal.fault, help: &refusal.help };
            let (verdict, column) = ("refused", Some(column));
            return self.row(&Row { line, verdict, column, statement: None, refusal: Some(reason) });
        }
        let gap = if refusal.help.is_empty() { "" } else { "; " };
        Ok(writeln!(self.output, "refused: line {line}, column {column}: {message} ({clause}){gap}{}", refusal.help)?)
    }

    fn row(&mut self, row: &Row<'_>) -> Result<(), Error> {
        serde_json::to_writer(&mut self.output, row).map_err(io::Error::from)?;
        Ok(self.output.write_all(b"\n")?)
    }
}

/// A line stays a line, whatever characters of the input it repeats.
fn printable(text: &str) -> Cow<'_, str> {
    let breaks = |c: char| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}');
    if text.contains(breaks) { text.replace(breaks, " ").into() } else { text.into() }
}
