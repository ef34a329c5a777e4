// SPDX-License-Identifier: MIT OR Apache-2.0
//! The channel from the thread that plays to the thread that writes a wave: a trace and a log, as both grow.

use std::{
    collections::VecDeque,
    io, mem,
    ops::ControlFlow,
    sync::mpsc::{Receiver, SyncSender},
};

use crate::{
    dut::Piece,
    judge::{
        Figures, Hearing, Mismatch,
        log::{Happened, Log},
    },
    wave::{Expect, Recorder},
};

/// The error that ends a wave whose run was not judged to its end.
pub(super) fn unjudged() -> io::Error {
    io::Error::other("a run that was not judged to its end")
}

/// A message from the playing thread, in the order of the run.
pub(super) enum News {
    /// A part of the trace: first its declarations, then its changes.
    Text(Vec<u8>),
    Changes(Vec<u32>),
    Log(Vec<(u64, Happened)>),
}

/// Returns a sink that sends the trace. Sending fails only once the wave is complete or could not be written; in the
/// second case, the receiver reports the error.
pub(super) fn sink(news: SyncSender<News>) -> impl FnMut(Piece<'_>) + 'static {
    move |piece| {
        let _ = news.send(match piece {
            Piece::Text(text) => News::Text(text.to_vec()),
            Piece::Changes(words) => News::Changes(words.to_vec()),
        });
    }
}

/// Returns a reader of the log that sends new entries. It stops the run once the receiver is gone, as when the judge
/// objected.
pub(super) fn teller(news: SyncSender<News>) -> impl FnMut(&Log) -> ControlFlow<()> {
    let mut told = 0;
    move |log| match news.send(News::Log(log.since(mem::replace(&mut told, log.entries().len())))) {
        Ok(()) => ControlFlow::Continue(()),
        Err(_) => ControlFlow::Break(()),
    }
}

/// What has been received and is not used yet.
pub(super) struct Incoming {
    news: Receiver<News>,
    text: Vec<u8>,
    pieces: VecDeque<Vec<u32>>,
    log: Log,
}

impl Incoming {
    pub fn of(news: Receiver<News>) -> Self {
        Incoming { news, text: Vec::new(), pieces: VecDeque::new(), log: Log::default() }
    }

    /// Waits for the next message; false at the end.
    fn more(&mut self) -> bool {
        match self.news.recv() {
            Ok(News::Text(text)) => self.text.extend(text),
            Ok(News::Changes(piece)) => self.pieces.push_back(piece),
            Ok(News::Log(happened)) => self.log.extend(happened),
            Err(_) => return false,
        }
        true
    }

    /// Returns all declarations of the trace.
    pub fn text(&mut self) -> Vec<u8> {
        while self.pieces.is_empty() && self.more() {}
        mem::take(&mut self.text)
    }

    /// Returns the next changes of the trace.
    pub fn piece(&mut self) -> Option<Vec<u32>> {
        while self.pieces.is_empty() && self.more() {}
        self.pieces.pop_front()
    }
}

/// Judges the messages as they come. Pieces of the trace wait until their annotations are known.
pub(super) struct Judged<'a> {
    incoming: Incoming,
    /// The judgement, until there is a verdict.
    hearing: Option<Hearing<'a>>,
    recorder: Recorder<'a>,
    verdict: Option<Result<Figures, Box<Mismatch>>>,
    /// The time of the first annotation.
    first: Option<u64>,
}

impl<'a> Judged<'a> {
    pub fn new(incoming: Incoming, hearing: Hearing<'a>, recorder: Recorder<'a>) -> Self {
        Judged { incoming, hearing: Some(hearing), recorder, verdict: None, first: None }
    }

    /// Returns all declarations of the trace.
    pub fn text(&mut self) -> Vec<u8> {
        self.incoming.text()
    }

    /// Returns the verdict, if the run was judged to its end or to its first divergence, and the time of the first
    /// annotation.
    pub fn end(self) -> (Option<Result<Figures, Box<Mismatch>>>, Option<u64>) {
        (self.verdict, self.first)
    }

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

    /// Returns the next annotation; `None` once the judge objected.
    pub fn expect(&mut self) -> Option<Expect> {
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

    /// Returns the next changes of the trace; an error once the judge objected.
    pub fn piece(&mut self) -> Option<io::Result<Vec<u32>>> {
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
