// SPDX-License-Identifier: MIT OR Apache-2.0
//! Records what the judge knows of each event as annotations, for a log or for a run that is being played.

use std::{collections::VecDeque, ops::Range};

use crate::{
    judge::{
        Mismatch, Shown, Site, Watch,
        log::{Event, Issue, Log, text},
        scoreboard::{Due, Scoreboard, Step},
    },
    model,
    op::{Ctrl, LaneMask, MAX_LANES, ReqKind, Shape},
};

use super::{Annotations, Divergence, Expect, ExpectBeat, ExpectBurst, ExpectDone, ExpectOp, ExpectRequest, PERIOD};

/// Watches the judgement of a log, and records what was expected at each event.
pub struct Recorder<'a> {
    shape: Shape,
    issues: &'a [Issue],
    /// The texts of the accepted operations.
    texts: Vec<String>,
    /// By the first operation that has them: the control registers.
    controls: Vec<(usize, &'a Ctrl)>,
    expects: VecDeque<Expect>,
    spans: Vec<Range<u64>>,
}

impl<'a> Recorder<'a> {
    /// Creates a recorder for operations that share their control registers.
    pub fn new(shape: Shape, ctrl: &'a Ctrl, issues: &'a [Issue]) -> Self {
        let (texts, expects, spans) = Default::default();
        Recorder { shape, issues, texts, controls: vec![(0, ctrl)], expects, spans }
    }

    /// Creates a recorder for a log that begins with the control registers `ctrl`.
    pub fn of_log(shape: Shape, ctrl: &'a Ctrl, log: &'a Log) -> Self {
        let mut recorder = Self::new(shape, ctrl, log.issues());
        let mut next = 0;
        for entry in log.entries() {
            match entry.event {
                Event::Op(number) => next = number as usize + 1,
                Event::Control(number) => recorder.controls.push((next, log.controls(number))),
                _ => {}
            }
        }
        recorder
    }

    /// The cycles in which each operation was in flight; without an end if it is not over.
    pub fn spans(&self) -> &[Range<u64>] {
        &self.spans
    }

    /// Returns the annotations.
    pub fn finish(self) -> Annotations {
        let Shape { lanes, line_bytes, .. } = self.shape;
        Annotations { lanes, line_bytes, expects: self.expects.into() }
    }

    /// Returns the first annotation that was not taken yet, if nothing can be added to it: the log is over, or has
    /// reached a later cycle. Not for a log with a divergence, where something that was owed for long is added at the
    /// end.
    #[cfg(feature = "rtl")]
    pub(crate) fn take(&mut self, over: bool) -> Option<Expect> {
        if over || self.expects.len() > 1 { self.expects.pop_front() } else { None }
    }

    fn ctrl(&self, index: usize) -> &'a Ctrl {
        let place = self.controls.partition_point(|&(first, _)| first <= index);
        self.controls[place - 1].1 // the first entry begins at operation 0
    }

    fn at(&mut self, time: u64) -> &mut Expect {
        if self.expects.back().is_none_or(|last| last.time != time) {
            self.expects.push_back(Expect::at(time));
        }
        let last = self.expects.len() - 1;
        &mut self.expects[last]
    }

    /// The text is on each event of an operation, and takes longer to print than to copy.
    fn text(&self, index: usize) -> String {
        self.texts.get(index).cloned().unwrap_or_else(|| text(&self.issues[index]))
    }

    fn op(&self, index: usize, board: &Scoreboard) -> ExpectOp {
        let issue = &self.issues[index];
        let (shape, ctrl) = (self.shape, self.ctrl(index));
        let mut ea = [0; MAX_LANES];
        let mut clauses = Vec::new();
        for (lane, ea) in ea.iter_mut().enumerate().take(shape.lanes) {
            let trace = model::trace(&shape, ctrl, &issue.op, &issue.lanes, lane);
            *ea = trace.ea;
            for clause in trace.clauses {
                if !clauses.contains(&clause) {
                    clauses.push(clause);
                }
            }
        }
        ExpectOp {
            index: index as u32,
            text: self.text(index),
            clauses: clauses.iter().map(|clause| clause.id()).collect::<Vec<_>>().join(" "),
            ea,
            active: board.op(index).plan.active,
            burst: self.burst(index),
        }
    }

    fn burst(&self, index: usize) -> Option<Box<ExpectBurst>> {
        let issue = &self.issues[index];
        let mut burst: Option<Box<ExpectBurst>> = None;
        let (shape, ctrl) = (self.shape, self.ctrl(index));
        for lane in 0..shape.lanes {
            let Some(trace) = model::r700_trace(&shape, ctrl, &issue.op, &issue.lanes, lane) else {
                continue;
            };
            let none = ExpectBurst { limit: trace.limit_dw, first: [0; MAX_LANES], moved: [0; MAX_LANES] };
            let burst = burst.get_or_insert_with(|| Box::new(none));
            burst.first[lane] = trace.first_dw;
            for dword in trace.dwords.iter().filter(|dword| dword.fate == model::Fate::Moved) {
                burst.moved[lane] |= 1 << (4 * dword.gpr + dword.component);
            }
        }
        burst
    }

    fn request(&self, index: usize, number: usize, board: &Scoreboard) -> Option<ExpectRequest> {
        let request = board.op(index).plan.requests.get(number)?;
        let pair = board.pair_of(index, number).filter(|pair| matches!(pair.step, Step::ToWrite | Step::Writing));
        let (byte_enable, data, write) = match pair {
            // The second half of a compare-and-store.
            Some(pair) => (pair.half.byte_enable, pair.half.data, true),
            None => (request.byte_enable, request.data, request.kind == ReqKind::Write),
        };
        Some(ExpectRequest {
            text: self.text(index),
            line: request.line,
            byte_enable,
            data,
            write,
            lanes: request.lanes,
            group: request.group,
            attr: *board.op(index).attr(),
            served: request.served,
        })
    }

    fn beat(&self, index: usize, register: usize, mask: LaneMask, board: &Scoreboard) -> ExpectBeat {
        let data = board.op(index).registers.get(register).copied().unwrap_or_default();
        ExpectBeat { text: self.text(index), register: register as u8, mask, data }
    }

    /// Annotates what never came, from the cycle after the last progress of its operation.
    fn owed(&mut self, mismatch: &Mismatch, since: u64, board: &Scoreboard) {
        // Not after the divergence itself, which may be in the same cycle.
        let mut expect = Expect::at((since + 1).min(mismatch.cycle) * PERIOD);
        expect.owed = Some("the next operation is not accepted".to_owned());
        if let Some(index) = mismatch.op.filter(|&index| index < board.accepted) {
            let issue = &self.issues[index];
            expect.owed = Some(board.owed(index, issue));
            match board.due(index, issue) {
                Some(Due::Request(number)) => expect.request = self.request(index, number, board),
                Some(Due::Beat(register, lanes)) => expect.beat = Some(self.beat(index, register, lanes, board)),
                Some(Due::Done) => expect.done = Some(self.done(index, board)),
                None => {}
            }
        }
        let place = self.expects.partition_point(|other| other.time <= expect.time);
        self.expects.insert(place, expect);
    }

    fn done(&self, index: usize, board: &Scoreboard) -> ExpectDone {
        ExpectDone { text: self.text(index), faults: *board.op(index).faults() }
    }
}

impl Watch for Recorder<'_> {
    fn event(&mut self, cycle: u64, event: &Shown<'_>, board: &Scoreboard) {
        let time = cycle * PERIOD;
        match *event {
            Shown::Op(index) => {
                self.spans.resize(index, cycle..u64::MAX); // operations come in order
                self.spans.push(cycle..u64::MAX);
                for issue in &self.issues[self.texts.len()..=index] {
                    self.texts.push(text(issue));
                }
                let op = self.op(index, board);
                self.at(time).op = Some(op);
            }
            Shown::Request(index, number) => {
                let request = self.request(index, number, board);
                self.at(time).request = request;
            }
            Shown::Beat(index, beat) => {
                let beat = self.beat(index, beat.register.into(), beat.mask, board);
                self.at(time).beat = Some(beat);
            }
            Shown::Done(index) => {
                if let Some(span) = self.spans.get_mut(index) {
                    span.end = cycle;
                }
                let done = self.done(index, board);
                self.at(time).done = Some(done);
            }
        }
    }

    fn diverged(&mut self, mismatch: &Mismatch, board: &Scoreboard) {
        let time = mismatch.cycle * PERIOD;
        if let Some(since) = mismatch.since {
            self.owed(mismatch, since, board);
        } else if let Some(index) = mismatch.op.filter(|&index| index < board.accepted) {
            // Annotate what should have come, at the port where it was missed.
            match (mismatch.field.site, mismatch.field.register) {
                (Site::MemReq, _) => {
                    let number = board.due_again(index).unwrap_or(board.op(index).sent());
                    let request = self.request(index, number, board);
                    self.at(time).request = request;
                }
                (Site::Wb, Some(register)) => {
                    let beat = self.beat(index, register, board.op(index).plan.active, board);
                    self.at(time).beat = Some(beat);
                }
                (Site::Done, _) => {
                    let done = self.done(index, board);
                    self.at(time).done = Some(done);
                }
                _ => {}
            }
        }
        self.at(time).mismatch = Some(Divergence {
            clause: mismatch.clause,
            text: mismatch.to_string(),
            lane: mismatch.lane.map(|lane| lane as u8),
            field: mismatch.field.to_string(),
        });
    }
}
