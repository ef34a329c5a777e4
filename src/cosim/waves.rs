// SPDX-License-Identifier: MIT OR Apache-2.0
//! A case as a wave: the RTL's trace, and what the judge knows as annotations beside it.
//!
//! The case runs twice: once to be judged, and once to be traced, as what belongs at a time must be known when the trace
//! is there. It is judged while the second run goes on already, on the thread that writes the wave then.

use std::{
    ops::Range,
    path::Path,
    sync::mpsc::{channel, sync_channel},
};

use crate::{
    dut::Piece,
    judge::{Figures, Mismatch},
    output::Output,
    wave::{self, Clock, PERIOD, Recorder, WaveError},
};

use super::{
    bench::{Bench, Referee},
    case::Case,
};

/// Cycles of a wave after the divergence.
const AFTER: u64 = 4;
/// Pieces of a trace that may wait for the thread that writes it: 64 MB.
const WAITING: usize = 1024;

/// Which cycles of a run are in its wave.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Window {
    /// Not those before this one.
    pub from: Option<u64>,
    /// Not those after this one.
    pub to: Option<u64>,
    /// Only those in which the operation of the divergence, or else the last one, is in flight, or so many before and after
    /// it.
    pub around: Option<usize>,
    /// Only so many, the last.
    pub last: Option<u64>,
}

/// Runs a case and writes the annotated wave to `out`, and beside it, if it is a file, how it opens. Nothing is left
/// half-written.
///
/// # Errors
///
/// When the wave cannot be written; inside, the first divergence.
pub fn run(
    bench: &mut Bench,
    case: &Case,
    window: Window,
    out: &Path,
) -> Result<Result<Figures, Box<Mismatch>>, WaveError> {
    // A path that cannot be written is told before anything runs.
    Output::room(out).map_err(|error| WaveError::Write { path: out.to_owned(), error })?;
    if let Err(mismatch) = bench.play(case) {
        return Ok(Err(mismatch));
    }
    let (first, text) = sync_channel(1);
    let (rest, changes) = sync_channel(WAITING);
    let (chosen, cycles) = channel();
    let is_whole = window == Window::default();
    let cycles = move || if is_whole { 0..u64::MAX } else { cycles.recv().unwrap_or_default() };
    let mut first = Some(first);
    // Nobody takes it any more where the wave is at its end or could not be written, and that one says so.
    let sink = move |piece: Piece<'_>| match piece {
        Piece::Text(text) => drop(first.as_ref().map(|first| first.send(text.to_vec()))),
        Piece::Changes(words) => {
            first = None;
            let _ = rest.send(words.to_vec());
        }
    };
    let (result, annotations, listed) = bench.trace(case, cycles, sink, move |referee: &mut Referee<'_>| {
        let mut recorder = Recorder::new(case.shape, &case.ctrl, &case.issues);
        let result = referee.judge(case, Some(&mut recorder));
        let cycles = window.cycles(&result, recorder.spans());
        let [begin, end] = [cycles.start, cycles.end].map(|cycle| cycle.saturating_mul(PERIOD));
        // Not awaited where all of them are traced.
        let _ = chosen.send(cycles);
        let mut annotations = recorder.finish();
        annotations.keep(begin..end);
        let text: Vec<u8> = text.iter().flatten().collect();
        let name = Path::new("(the unit's own trace)");
        let listed = wave::merge(&text[..], changes.into_iter(), name, Clock::Drawn { end }, &annotations, out)?;
        Ok((result, annotations, listed))
    })?;
    if out.is_file() {
        wave::save(out, &listed, &annotations)?;
    }
    Ok(result)
}

impl Window {
    /// The cycles, of a run with this result, in which each operation was in flight.
    fn cycles(&self, result: &Result<Figures, Box<Mismatch>>, spans: &[Range<u64>]) -> Range<u64> {
        let (end, op) = match result {
            Ok(figures) => (figures.cycles, spans.len().saturating_sub(1)),
            Err(mismatch) => {
                (mismatch.cycle + 1 + AFTER, mismatch.op.unwrap_or(spans.len()).min(spans.len().max(1) - 1))
            }
        };
        let mut cycles = self.from.unwrap_or(0)..self.to.map_or(end, |to| end.min(to.saturating_add(1)));
        if let Some(around) = self.around {
            let near = spans.iter().take(op.saturating_add(around) + 1).skip(op.saturating_sub(around));
            let first = near.clone().map(|span| span.start).min().unwrap_or(0);
            let last = near.map(|span| span.end).max().unwrap_or(end);
            cycles = cycles.start.max(first)..cycles.end.min(last.saturating_add(1 + AFTER));
        }
        if let Some(last) = self.last {
            cycles.start = cycles.start.max(cycles.end.saturating_sub(last));
        }
        cycles
    }
}

pub use crate::judge::log::{lane_inputs, text};
