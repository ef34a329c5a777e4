// SPDX-License-Identifier: MIT OR Apache-2.0
//! Merges a trace and its annotations by time into one file.

use std::{
    borrow::Borrow,
    fs::File,
    io::{self, BufRead, BufReader},
    iter::{self, Peekable},
    path::Path,
};

use super::{
    Annotations, Expect, PERIOD, WaveError,
    axis::Axis,
    fst::Fst,
    header::{Header, Var},
    ink::Ink,
    names::Names,
    sheet::Sheet,
    signal::{Declarer, Listed},
    trace::{Line, Trace},
    vcd::Vcd,
};
use crate::{
    op::{MAX_LANES, MAX_LINE_BYTES},
    output::Output,
};

/// Merges a VCD trace and its annotations into one wave at `out`, which may be the trace itself. The wave is an FST if
/// `out` has the extension `fst`, else a VCD.
///
/// The file appears at `out` only when it is complete.
///
/// # Errors
///
/// [`WaveError`]; a file that was at `out` before is then still there.
pub fn annotate(trace: &Path, annotations: &Annotations, out: &Path) -> Result<(), WaveError> {
    let file = File::open(trace).map_err(|error| WaveError::Read { path: trace.to_owned(), error })?;
    check(annotations)?;
    let beside = Beside { lanes: annotations.lanes, line_bytes: annotations.line_bytes, expects: &annotations.expects };
    merge(BufReader::new(file), iter::empty(), trace, Clock::InTrace, beside, out).map(drop)
}

/// The number that marks a time among the changes, where a variable's id would be.
const TIME: usize = 0;

/// The source of the clock.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Clock {
    /// The trace contains it.
    InTrace,
    /// The trace has the settled values of each cycle at the edge that begins the cycle, and no valid `top.clk_i`: the
    /// clock is drawn here. Everything at `end` or later is left out.
    #[cfg_attr(not(feature = "rtl"), allow(dead_code))] // without RTL nothing is traced
    Drawn { end: u64 },
}

/// What goes beside a trace, as it comes: like [`Annotations`], and in their order.
pub(crate) struct Beside<E> {
    pub lanes: usize,
    pub line_bytes: usize,
    pub expects: E,
}

/// Like [`annotate`], for a trace from any source; `name` names it in errors. The trace is a VCD, followed by pieces of
/// changes in the form of src/dut/trace.h. Returns the variables in the wave.
pub(crate) fn merge<E: IntoIterator<Item: Borrow<Expect>>>(
    trace: impl BufRead,
    changes: impl Iterator<Item = io::Result<Vec<u32>>>,
    name: &Path,
    clock: Clock,
    beside: Beside<E>,
    out: &Path,
) -> Result<Vec<Listed>, WaveError> {
    let trace = Trace::new(trace, name)?;
    let unwritten = |error| WaveError::Write { path: out.to_owned(), error };
    let output = Output::create(out).map_err(unwritten)?;
    match out.extension() {
        Some(extension) if extension.eq_ignore_ascii_case("fst") => {
            let fst = Fst::new(output, &trace.header).map_err(unwritten)?;
            merge_into(fst, trace, changes, clock, beside, unwritten)
        }
        _ => merge_into(Vcd::new(output), trace, changes, clock, beside, unwritten),
    }
}

fn merge_into<I: Ink>(
    ink: I,
    mut trace: Trace<impl BufRead>,
    changes: impl Iterator<Item = io::Result<Vec<u32>>>,
    clock: Clock,
    beside: Beside<impl IntoIterator<Item: Borrow<Expect>>>,
    unwritten: impl Fn(io::Error) -> WaveError,
) -> Result<Vec<Listed>, WaveError> {
    let mut merge = Merge::begin(ink, &trace.header, clock, beside).map_err(&unwritten)?;
    while let Some(line) = trace.next()? {
        match line {
            Line::Nothing => Ok(()),
            Line::Time(time) => merge.until(Some(time)),
            Line::Change(change) => merge
                .names
                .changed(&mut merge.ink, change)
                .and_then(|()| if merge.is_clock(change.id) { Ok(()) } else { merge.ink.change(change) }),
        }
        .map_err(&unwritten)?;
    }
    let rest = || {
        for piece in changes {
            if !merge.changes(&piece?)? {
                break;
            }
        }
        merge.last_edge()?;
        merge.until(None)?;
        merge.ink.finish().map(|()| merge.listed)
    };
    rest().map_err(unwritten)
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

/// What must be known about a variable whose changes come as words.
#[derive(Clone, Copy, Default)]
struct Form {
    words: u16,
    /// Whether it is a code that has a name, or the clock.
    special: bool,
}

struct Merge<I, E: Iterator> {
    ink: I,
    listed: Vec<Listed>,
    axis: Axis,
    names: Names,
    sheet: Sheet,
    /// The clock, if it is to be drawn.
    clock: Option<Var>,
    /// The time from which on everything is left out.
    end: u64,
    /// When the clock rose last, and when it falls next.
    risen: Option<u64>,
    falls: Option<u64>,
    /// By id in the trace.
    forms: Vec<Form>,
    /// The annotations not yet written.
    expects: Peekable<E>,
    /// The last time in the file.
    time: Option<u64>,
}

impl<I: Ink, E: Iterator<Item: Borrow<Expect>>> Merge<I, E> {
    /// Creates the merger and writes the header.
    fn begin(
        mut ink: I,
        header: &Header,
        clock: Clock,
        beside: Beside<impl IntoIterator<Item = E::Item, IntoIter = E>>,
    ) -> io::Result<Self> {
        ink.trace(header)?;
        let mut listed = header.variables().map(Listed::of).collect();
        let mut declarer = Declarer::new(&mut ink, &mut listed);
        let axis = Axis::declare(&mut declarer)?;
        let names = Names::declare(&mut declarer, header)?;
        let sheet = Sheet::declare(&mut declarer, beside.lanes, beside.line_bytes)?;
        ink.begin()?;
        let (end, clock) = match clock {
            Clock::InTrace => (u64::MAX, None),
            Clock::Drawn { end } => (end, header.find("top", "clk_i").cloned()),
        };
        let form = |id: usize| Form {
            words: if id == TIME { 2 } else { header.words(id) as u16 },
            special: names.names(id) || clock.as_ref().is_some_and(|clock| clock.id == id),
        };
        let forms = (0..header.ids()).map(form).collect();
        Ok(Merge {
            ink,
            listed,
            axis,
            names,
            sheet,
            clock,
            end,
            forms,
            risen: None,
            falls: None,
            expects: beside.expects.into_iter().peekable(),
            time: None,
        })
    }

    fn is_clock(&self, id: usize) -> bool {
        self.clock.as_ref().is_some_and(|clock| clock.id == id)
    }

    /// Writes a piece of changes. Returns false once the rest is to be left out.
    fn changes(&mut self, mut piece: &[u32]) -> io::Result<bool> {
        let broken = || io::Error::other("a trace that is not as its header says");
        while let Some((&number, rest)) = piece.split_first() {
            let id = number as usize;
            let form = self.forms.get(id).copied().filter(|form| form.words > 0).ok_or_else(broken)?;
            let (words, rest) = rest.split_at_checked(form.words.into()).ok_or_else(broken)?;
            piece = rest;
            if id == TIME {
                let time = u64::from(words[1]) << 32 | u64::from(words[0]);
                if time >= self.end {
                    return Ok(false);
                }
                self.until(Some(time))?;
                continue;
            }
            if form.special {
                if self.is_clock(id) {
                    continue;
                }
                self.names.words(&mut self.ink, id, words)?;
            }
            self.ink.words(id, words)?;
        }
        Ok(true)
    }

    /// Writes our changes before `end`, and then the time `end` with our changes at that time; without `end`, writes
    /// all.
    fn until(&mut self, end: Option<u64>) -> io::Result<()> {
        loop {
            let expected = self.expects.peek().map(|expect| expect.borrow().time);
            let ours = expected.into_iter().chain(self.sheet.next_fall()).chain(self.falls).min();
            let time = match (ours, end) {
                (Some(ours), Some(end)) => ours.min(end),
                (Some(time), None) | (None, Some(time)) => time,
                // A trace without any time still shows the initial values.
                (None, None) if self.time.is_none() => 0,
                (None, None) => return Ok(()),
            };
            self.at(time)?;
            if end == Some(time) {
                return self.edge(time);
            }
        }
    }

    /// Raises the clock at a time of the trace.
    fn edge(&mut self, time: u64) -> io::Result<()> {
        let Some(clock) = &self.clock else { return Ok(()) };
        (self.risen, self.falls) = (Some(time), Some(time + PERIOD / 2));
        self.ink.bit(clock, true)
    }

    /// Draws the edge that ends the last cycle, as that is where its values are sampled.
    fn last_edge(&mut self) -> io::Result<()> {
        if let Some(edge) = self.risen {
            self.until(Some(edge + PERIOD))?;
            self.falls = None;
        }
        Ok(())
    }

    /// Writes a time, and our changes at that time.
    fn at(&mut self, time: u64) -> io::Result<()> {
        let ink = &mut self.ink;
        if self.time != Some(time) {
            ink.time(time)?;
        }
        if self.time.replace(time).is_none() {
            self.sheet.write_all(ink)?;
            self.names.write_all(ink)?;
        }
        self.axis.at(ink, time)?;
        if let (Some(clock), Some(_)) = (&self.clock, self.falls.take_if(|falls| *falls <= time)) {
            ink.bit(clock, false)?;
        }
        while let Some(expect) = self.expects.next_if(|expect| expect.borrow().time <= time) {
            self.sheet.show(ink, expect.borrow())?;
        }
        // After the flags that rise: a flag that stays up must not fall in between.
        self.sheet.fall(ink, time)
    }
}
