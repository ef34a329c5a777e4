// SPDX-License-Identifier: MIT OR Apache-2.0
//! Two streams by time into one file.

use std::{
    io::{self, Write},
    path::Path,
};

use vcd::Writer;

use super::{
    Annotations, Expect, WaveError,
    sheet::Sheet,
    trace::{Line, Trace},
};
use crate::{
    op::{MAX_LANES, MAX_LINE_BYTES},
    output::Output,
};

/// Writes Verilator's trace and the annotations into one VCD at `out`, which may be the trace itself.
///
/// The file appears at `out` only when it is whole.
///
/// # Errors
///
/// [`WaveError`]; what stood at `out` before is then still there.
pub fn annotate(trace: &Path, annotations: &Annotations, out: &Path) -> Result<(), WaveError> {
    check(annotations)?;
    let mut trace = Trace::open(trace)?;
    let unwritten = |error| WaveError::Write { path: out.to_owned(), error };
    let mut output = Output::create(out).map_err(unwritten)?;
    let mut merge = Merge::begin(&mut output, &trace, annotations).map_err(unwritten)?;
    while let Some(line) = trace.next()? {
        match line {
            Line::Time(time) => merge.until(Some(time)),
            Line::Change(line) => merge.writer.writer().write_all(line),
        }
        .map_err(unwritten)?;
    }
    merge.until(None).map_err(unwritten)?;
    output.finish().map_err(unwritten)
}

fn check(annotations: &Annotations) -> Result<(), WaveError> {
    let &Annotations { lanes, line_bytes, ref expects } = annotations;
    if !(1..=MAX_LANES).contains(&lanes) || !(1..=MAX_LINE_BYTES).contains(&line_bytes) {
        return Err(WaveError::Shape { lanes, line_bytes });
    }
    match expects.windows(2).find(|pair| pair[0].time > pair[1].time) {
        Some(pair) => Err(WaveError::Order { time: pair[1].time, before: pair[0].time }),
        None => Ok(()),
    }
}

struct Merge<'a> {
    writer: Writer<&'a mut Output>,
    sheet: Sheet,
    /// Those that are not written yet.
    expects: &'a [Expect],
    /// The last time in the file.
    time: Option<u64>,
}

impl<'a> Merge<'a> {
    /// Writes the header.
    fn begin(output: &'a mut Output, trace: &Trace, annotations: &'a Annotations) -> io::Result<Self> {
        output.write_all(&trace.header)?;
        if !trace.header.ends_with(b"\n") {
            output.write_all(b"\n")?;
        }
        let mut writer = Writer::new(output);
        let sheet = Sheet::declare(&mut writer, trace.free, annotations)?;
        writer.enddefinitions()?;
        Ok(Merge { writer, sheet, expects: &annotations.expects, time: None })
    }

    /// Writes all of ours that happens before `end`, then that time with what happens then; without an `end`, all.
    fn until(&mut self, end: Option<u64>) -> io::Result<()> {
        loop {
            let expected = self.expects.first().map(|expect| expect.time);
            let ours = expected.into_iter().chain(self.sheet.next_fall()).min();
            let time = match (ours, end) {
                (Some(ours), Some(end)) => ours.min(end),
                (Some(time), None) | (None, Some(time)) => time,
                // A trace without any time still shows what everything holds.
                (None, None) if self.time.is_none() => 0,
                (None, None) => return Ok(()),
            };
            self.at(time)?;
            if end == Some(time) {
                return Ok(());
            }
        }
    }

    /// Writes a time, and ours that happens then.
    fn at(&mut self, time: u64) -> io::Result<()> {
        if self.time != Some(time) {
            self.writer.timestamp(time)?;
        }
        if self.time.replace(time).is_none() {
            self.sheet.write_all(&mut self.writer)?;
        }
        while let Some((expect, rest)) = self.expects.split_first() {
            if expect.time > time {
                break;
            }
            self.sheet.show(&mut self.writer, expect)?;
            self.expects = rest;
        }
        // After those that rise: a flag that stays up must not fall in between.
        self.sheet.fall(&mut self.writer, time)
    }
}
