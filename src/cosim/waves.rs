// SPDX-License-Identifier: MIT OR Apache-2.0
//! A case as a wave: the RTL's trace, annotated with what the judge knows.
//!
//! ```text
//!  unit --- changes, log ---> judge ---> annotations ---> wave      on a thread of its own, as the case goes on
//! ```
//!
//! If the judge objects, or only some cycles are wanted, the contents of the wave are known only at the end: the case
//! is then played and judged before it is traced.

mod incoming;

use std::{cell::RefCell, iter, ops::Range, path::Path, sync::mpsc::sync_channel};

use crate::{
    judge::{Figures, Mismatch},
    output::Output,
    wave::{self, Annotations, Beside, Clock, Opens, PERIOD, Recorder, WaveError},
};

use super::{
    bench::{Bench, Referee, to_the_end},
    case::Case,
};
use incoming::{Incoming, Judged, sink, teller, unjudged};

/// Cycles of a wave after the divergence.
const AFTER: u64 = 4;
/// The number of messages that may wait for the thread that writes the wave: logs, or pieces of a trace of 64 kB each.
const WAITING: usize = 64;
/// The name of the trace in error messages.
const TRACE: &str = "(the unit's own trace)";

/// Which cycles of a run are in its wave.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Window {
    /// No cycles before this one.
    pub from: Option<u64>,
    /// No cycles after this one.
    pub to: Option<u64>,
    /// Only the cycles in which the operation of the divergence, or else the last operation, is in flight, or one of
    /// this many before or after it.
    pub around: Option<usize>,
    /// Only the last so many cycles.
    pub last: Option<u64>,
}

/// Runs a case and writes the annotated wave to `out` and, if that is a file, the viewer's settings beside it. No file
/// is left half-written.
///
/// # Errors
///
/// When the wave cannot be written. The inner result holds the first divergence.
pub fn run(
    bench: &mut Bench,
    case: &Case,
    window: Window,
    out: &Path,
) -> Result<Result<Figures, Box<Mismatch>>, WaveError> {
    // Report an unwritable path before anything runs.
    Output::room(out).map_err(|error| WaveError::Write { path: out.to_owned(), error })?;
    bench.renew();
    if window == Window::default()
        && let Some(figures) = run_once(bench, case, out)?
    {
        return Ok(Ok(figures));
    }
    bench.renew();
    if let Err(mismatch) = bench.play(case) {
        return Ok(Err(mismatch));
    }
    let mut recorder = Recorder::new(case.shape, &case.ctrl, &case.issues);
    let result = bench.judge_watched(case, &mut recorder);
    let cycles = window.cycles(&result, recorder.spans());
    let [begin, end] = [cycles.start, cycles.end].map(|cycle| cycle.saturating_mul(PERIOD));
    let mut annotations = recorder.finish();
    annotations.keep(begin..end);
    let (sender, news) = sync_channel(WAITING);
    bench.renew();
    let traced = bench.trace(case, cycles, sink(sender), to_the_end, |_| {
        let mut incoming = Incoming::of(news);
        let text = incoming.text();
        let changes = iter::from_fn(|| incoming.piece().map(Ok));
        let Annotations { lanes, line_bytes, ref expects } = annotations;
        let beside = Beside { lanes, line_bytes, expects };
        wave::merge(&text[..], changes, Path::new(TRACE), Clock::Drawn { end }, beside, out)
    });
    match traced {
        Ok(listed) => save(out, &listed?, Opens::of(&annotations))?,
        Err(mismatch) => return Ok(Err(mismatch)),
    }
    Ok(result)
}

/// Like [`run`] without a window: plays the case once and judges it meanwhile. Returns `None`, and leaves no wave, if
/// the judge objects.
fn run_once(bench: &mut Bench, case: &Case, out: &Path) -> Result<Option<Figures>, WaveError> {
    // If the run is judged again, its coverage must not count twice.
    let before = bench.coverage().clone();
    let (sender, news) = sync_channel(WAITING);
    let sink = sink(sender.clone());
    let traced = bench.trace(case, 0..u64::MAX, sink, teller(sender), |mut referee: Referee<'_>| {
        let memory = || case.start();
        let hearing = referee.hear(&memory).ok()?;
        let recorder = Recorder::new(case.shape, &case.ctrl, &case.issues);
        let judged = RefCell::new(Judged::new(Incoming::of(news), hearing, recorder));
        let text = judged.borrow_mut().text();
        let changes = iter::from_fn(|| judged.borrow_mut().piece());
        let expects = iter::from_fn(|| judged.borrow_mut().expect());
        let beside = Beside { lanes: case.shape.lanes, line_bytes: case.shape.line_bytes, expects };
        let listed = wave::merge(&text[..], changes, Path::new(TRACE), Clock::Drawn { end: u64::MAX }, beside, out);
        let (verdict, first) = judged.into_inner().end();
        match verdict {
            Some(Err(_)) => None,
            Some(Ok(figures)) => Some(listed.map(|listed| (figures, listed, first))),
            None => Some(listed.and_then(|_| Err(WaveError::Write { path: out.to_owned(), error: unjudged() }))),
        }
    });
    let Ok(Some(traced)) = traced else {
        *bench.coverage_mut() = before;
        return Ok(None);
    };
    let (figures, listed, first) = traced?;
    save(out, &listed, Opens { time: first.unwrap_or(0), divergence: None })?;
    Ok(Some(figures))
}

/// Writes the viewer's settings beside the wave, if the wave is a file.
fn save(out: &Path, listed: &[wave::Listed], opens: Opens<'_>) -> Result<(), WaveError> {
    if out.is_file() { wave::save(out, listed, opens) } else { Ok(()) }
}

impl Window {
    /// The cycles to keep, given the result of the run and the cycles in which each operation was in flight.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{cosim::stimulus, judge::Promises, op::Shape, sets::Isa};

    /// A run that agrees is played once. A run that does not leaves nothing of the first attempt, and counts once.
    #[test]
    fn a_run_is_traced_at_once_unless_the_judge_objects() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("wave.fst");
        let mut bench = Bench::new(32).unwrap();
        let case = stimulus::block(Some(Isa::Spa5), 1, 1, &Shape::with_lanes(32), 40).case;
        let figures = run_once(&mut bench, &case, &out).unwrap().unwrap();
        assert_eq!((figures.operations, out.is_file()), (40, true));
        std::fs::remove_file(&out).unwrap();

        let mut hasty = Promises::OURS;
        hasty.latency.done = 0;
        bench.promise(hasty);
        let hits = |bench: &Bench| bench.coverage().hits().map(|(.., hits)| hits.iter().sum::<u64>()).sum::<u64>();
        let before = hits(&bench);
        assert!(run_once(&mut bench, &case, &out).unwrap().is_none());
        assert_eq!((hits(&bench), out.exists()), (before, false));
        // A long run is cut off soon: the channel holds only so much of it.
        let long = stimulus::block(Some(Isa::Spa5), 1, 1, &Shape::with_lanes(32), 4000).case;
        assert!(run_once(&mut bench, &long, &out).unwrap().is_none());
        let broken_off = bench.log().entries().last().unwrap().cycle;
        bench.play(&long).unwrap();
        assert!(broken_off < bench.log().entries().last().unwrap().cycle / 2, "{broken_off}");

        let mismatch = run(&mut bench, &case, Window::default(), &out).unwrap().unwrap_err();
        assert_eq!((mismatch.clause, out.is_file()), (crate::clause::Clause::PortDone, true));
    }
}
