// SPDX-License-Identifier: MIT OR Apache-2.0
//! A case as a wave: the RTL's trace, and what the judge knows as annotations beside it.
//!
//! The case runs twice: once to be judged, and once to be traced, as what belongs at a time must be known when the trace
//! is there. The trace goes to the file while it is made, on another thread.

use std::{
    io::{self, BufRead, Read},
    mem,
    ops::Range,
    panic,
    path::Path,
    sync::mpsc::{Receiver, SyncSender, sync_channel},
    thread,
};

use crate::{
    judge::{Figures, Mismatch},
    output::Output,
    wave::{self, Clock, PERIOD, Recorder, WaveError},
};

use super::{bench::Bench, case::Case};

/// Cycles of a wave after the divergence.
const AFTER: u64 = 4;
/// Bytes that go from thread to thread at once, and how many of these may wait.
const PIECE: usize = 1 << 18;
const WAITING: usize = 16;

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
    let mut recorder = Recorder::new(case.shape, &case.ctrl, &case.issues);
    let result = bench.run_watched(case, &mut recorder);
    if case.check(&bench.shape()).is_err() {
        return Ok(result);
    }
    let cycles = window.cycles(&result, recorder.spans());
    let mut annotations = recorder.finish();
    annotations.keep(cycles.start * PERIOD..cycles.end.saturating_mul(PERIOD));
    let (sender, receiver) = sync_channel(WAITING);
    let listed = thread::scope(|scope| {
        let pieces = Pieces { receiver, piece: Vec::new(), read: 0 };
        let name = Path::new("(the unit's own trace)");
        let writer = scope.spawn(|| wave::merge(pieces, name, Clock::Drawn, &annotations, out));
        let mut feed = Feed { sender, piece: Vec::new() };
        bench.trace(case, cycles, move |bytes| feed.take(bytes));
        writer.join().unwrap_or_else(|panic| panic::resume_unwind(panic))
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

/// What the unit's trace goes into.
struct Feed {
    sender: SyncSender<Vec<u8>>,
    piece: Vec<u8>,
}

impl Feed {
    fn take(&mut self, bytes: &[u8]) {
        self.piece.extend_from_slice(bytes);
        if self.piece.len() >= PIECE {
            self.send();
        }
    }

    fn send(&mut self) {
        // Nobody takes it any more where the wave could not be written, and that one says so.
        let _ = self.sender.send(mem::replace(&mut self.piece, Vec::with_capacity(PIECE + PIECE / 4)));
    }
}

impl Drop for Feed {
    fn drop(&mut self) {
        self.send();
    }
}

/// What the wave's writer reads.
struct Pieces {
    receiver: Receiver<Vec<u8>>,
    piece: Vec<u8>,
    read: usize,
}

impl BufRead for Pieces {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        while self.read == self.piece.len() {
            match self.receiver.recv() {
                Ok(piece) => (self.piece, self.read) = (piece, 0),
                Err(_) => break, // the trace is over
            }
        }
        Ok(&self.piece[self.read..])
    }

    fn consume(&mut self, bytes: usize) {
        self.read += bytes;
    }
}

impl Read for Pieces {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let taken = self.fill_buf()?.read(buffer)?;
        self.consume(taken);
        Ok(taken)
    }
}

pub use crate::judge::log::{lane_inputs, text};
