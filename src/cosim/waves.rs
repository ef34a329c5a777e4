// SPDX-License-Identifier: MIT OR Apache-2.0
//! A case as a wave: the RTL's trace, and what the judge knows as annotations beside it.
//!
//! ```text
//!  unit --- changes, log ---> judge ---> annotations ---> wave      on a thread of its own, as the case goes on
//! ```
//!
//! Where the judge objects, or only some cycles are wanted, what belongs into the wave is known at the end: then the case
//! is played and judged before it is traced.

use std::{
    cell::RefCell,
    collections::VecDeque,
    io, iter, mem,
    ops::{ControlFlow, Range},
    path::Path,
    sync::mpsc::{Receiver, SyncSender, sync_channel},
};

use crate::{
    dut::Piece,
    judge::{
        Figures, Hearing, Mismatch,
        log::{Happened, Log},
    },
    output::Output,
    wave::{self, Annotations, Beside, Clock, Expect, PERIOD, Recorder, WaveError},
};

use super::{
    bench::{Bench, Referee},
    case::Case,
};

/// Cycles of a wave after the divergence.
const AFTER: u64 = 4;
/// Pieces of a trace, 64 kB each, and of a log that may wait for the thread that writes the wave.
const WAITING: usize = 64;
/// What errors call it.
const TRACE: &str = "(the unit's own trace)";

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
    if window == Window::default()
        && let Some(figures) = run_once(bench, case, out)?
    {
        return Ok(Ok(figures));
    }
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
    let on = |_: &Log| ControlFlow::Continue(());
    let traced = bench.trace(case, cycles, sink(sender), on, |_| {
        let mut incoming = Incoming::of(news);
        let text = incoming.text();
        let changes = iter::from_fn(|| incoming.piece().map(Ok));
        let Annotations { lanes, line_bytes, ref expects } = annotations;
        let beside = Beside { lanes, line_bytes, expects };
        wave::merge(&text[..], changes, Path::new(TRACE), Clock::Drawn { end }, beside, out)
    });
    match traced {
        Ok(listed) => save(out, &listed?, &annotations)?,
        Err(mismatch) => return Ok(Err(mismatch)),
    }
    Ok(result)
}

/// The same of a whole run that is played once, and judged meanwhile; nothing if the judge objects: then there is no wave.
fn run_once(bench: &mut Bench, case: &Case, out: &Path) -> Result<Option<Figures>, WaveError> {
    // What a run covers that is judged again, does not count twice.
    let before = bench.coverage().clone();
    let (sender, news) = sync_channel(WAITING);
    let sink = sink(sender.clone());
    let mut told = 0;
    let tell = move |log: &Log| {
        let happened = log.since(mem::replace(&mut told, log.entries().len()));
        match sender.send(News::Log(happened)) {
            Ok(()) => ControlFlow::Continue(()),
            Err(_) => ControlFlow::Break(()),
        }
    };
    let traced = bench.trace(case, 0..u64::MAX, sink, tell, |mut referee: Referee<'_>| {
        let memory = || case.start();
        let hearing = referee.hear(&memory).ok()?;
        let recorder = Recorder::new(case.shape, &case.ctrl, &case.issues);
        let incoming = Incoming::of(news);
        let judged = RefCell::new(Judged { incoming, hearing: Some(hearing), recorder, verdict: None, first: None });
        let text = judged.borrow_mut().incoming.text();
        let changes = iter::from_fn(|| judged.borrow_mut().piece());
        let expects = iter::from_fn(|| judged.borrow_mut().expect());
        let beside = Beside { lanes: case.shape.lanes, line_bytes: case.shape.line_bytes, expects };
        let listed = wave::merge(&text[..], changes, Path::new(TRACE), Clock::Drawn { end: u64::MAX }, beside, out);
        let Judged { verdict, first, .. } = judged.into_inner();
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
    let expects = first.map(Expect::at).into_iter().collect();
    save(out, &listed, &Annotations { lanes: case.shape.lanes, line_bytes: case.shape.line_bytes, expects })?;
    Ok(Some(figures))
}

fn unjudged() -> io::Error {
    io::Error::other("a run that was not judged to its end")
}

/// How it opens, beside the wave.
fn save(out: &Path, listed: &[wave::Listed], annotations: &Annotations) -> Result<(), WaveError> {
    if out.is_file() { wave::save(out, listed, annotations) } else { Ok(()) }
}

/// What comes from the thread that plays, in the order in which it came about.
enum News {
    /// Of the trace: what it declares, and then what changes.
    Text(Vec<u8>),
    Changes(Vec<u32>),
    Log(Vec<(u64, Happened)>),
}

/// Nobody takes it any more where the wave is at its end or could not be written, and that one says so.
fn sink(news: SyncSender<News>) -> impl FnMut(Piece<'_>) + 'static {
    move |piece| {
        let _ = news.send(match piece {
            Piece::Text(text) => News::Text(text.to_vec()),
            Piece::Changes(words) => News::Changes(words.to_vec()),
        });
    }
}

/// What came and is not used yet.
struct Incoming {
    news: Receiver<News>,
    text: Vec<u8>,
    pieces: VecDeque<Vec<u32>>,
    log: Log,
}

impl Incoming {
    fn of(news: Receiver<News>) -> Self {
        Incoming { news, text: Vec::new(), pieces: VecDeque::new(), log: Log::default() }
    }

    /// Waits for more; false at the end.
    fn more(&mut self) -> bool {
        match self.news.recv() {
            Ok(News::Text(text)) => self.text.extend(text),
            Ok(News::Changes(piece)) => self.pieces.push_back(piece),
            Ok(News::Log(happened)) => self.log.extend(happened),
            Err(_) => return false,
        }
        true
    }

    /// All that the trace declares.
    fn text(&mut self) -> Vec<u8> {
        while self.pieces.is_empty() && self.more() {}
        mem::take(&mut self.text)
    }

    fn piece(&mut self) -> Option<Vec<u32>> {
        while self.pieces.is_empty() && self.more() {}
        self.pieces.pop_front()
    }
}

/// What comes, judged as it comes: pieces of the trace wait until it is known what belongs beside them.
struct Judged<'a> {
    incoming: Incoming,
    /// Until there is a verdict.
    hearing: Option<Hearing<'a>>,
    recorder: Recorder<'a>,
    verdict: Option<Result<Figures, Box<Mismatch>>>,
    /// When something was expected first.
    first: Option<u64>,
}

impl Judged<'_> {
    fn more(&mut self) -> bool {
        let Judged { incoming, hearing, recorder, verdict, .. } = self;
        let came = incoming.more();
        let heard = hearing.as_mut().map_or(Ok(()), |hearing| hearing.go_on(&incoming.log, Some(recorder)));
        if let Err(mismatch) = heard {
            (*hearing, *verdict) = (None, Some(Err(mismatch)));
        } else if !came && let Some(hearing) = hearing.take() {
            *verdict = Some(hearing.end(&incoming.log, Some(recorder)));
        }
        came
    }

    /// What belongs beside the trace next; nothing more once the judge objected.
    fn expect(&mut self) -> Option<Expect> {
        loop {
            let over = match &self.verdict {
                Some(Err(_)) => return None,
                verdict => verdict.is_some(),
            };
            let next = self.recorder.take(over);
            if next.is_some() || over {
                self.first = self.first.or(next.as_ref().map(|next| next.time));
                return next;
            }
            self.more();
        }
    }

    /// What changes next in the trace; an error once the judge objected.
    fn piece(&mut self) -> Option<io::Result<Vec<u32>>> {
        loop {
            if let Some(Err(_)) = self.verdict {
                return Some(Err(unjudged()));
            }
            if let Some(piece) = self.incoming.pieces.pop_front() {
                return Some(Ok(piece));
            }
            if !self.more() && self.incoming.pieces.is_empty() && matches!(self.verdict, Some(Ok(_))) {
                return None;
            }
        }
    }
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
