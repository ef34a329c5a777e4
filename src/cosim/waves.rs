// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the bench knows, as annotations beside the RTL's trace.

use std::path::Path;

use crate::{
    dut::DutError,
    judge::{
        Figures, Mismatch, Shown, Site, Watch,
        scoreboard::{Due, Scoreboard, Step},
    },
    model,
    op::{LaneMask, MAX_LANES, ReqKind},
    output::Output,
    wave::{
        self, Annotations, Divergence, Expect, ExpectBeat, ExpectBurst, ExpectDone, ExpectOp, ExpectRequest, PERIOD,
        WaveError,
    },
};

use super::{
    bench::Bench,
    case::{Case, Issue},
};

/// Why there is no wave.
#[derive(Debug, thiserror::Error)]
pub enum TraceError {
    /// The unit cannot be driven.
    #[error(transparent)]
    Dut(#[from] DutError),
    /// The file cannot be written.
    #[error(transparent)]
    Wave(#[from] WaveError),
    /// There is no room for the RTL's own trace.
    #[error("cannot make a temporary file for the trace: {0}")]
    Temporary(#[from] std::io::Error),
}

/// Runs a case and writes the annotated wave to `out`, and beside it, if it is a file, how it opens. Nothing is left
/// half-written.
///
/// # Errors
///
/// When the wave cannot be written; inside, the first divergence.
pub fn run(bench: &mut Bench, case: &Case, out: &Path) -> Result<Result<Figures, Box<Mismatch>>, TraceError> {
    // A path that cannot be written is told before anything runs.
    drop(Output::create(out).map_err(|error| WaveError::Write { path: out.to_owned(), error })?);
    let folder = tempfile::tempdir()?;
    let trace = folder.path().join("trace.vcd");
    let mut recorder = Recorder { case, expects: Vec::new() };
    let result = bench.run_traced(case, &trace, &mut recorder)?;
    let shape = bench.shape();
    let annotations = Annotations { lanes: shape.lanes, line_bytes: shape.line_bytes, expects: recorder.expects };
    wave::annotate(&trace, &annotations, out)?;
    if out.is_file() {
        wave::save(out, &annotations)?;
    }
    Ok(result)
}

pub use crate::judge::log::{lane_inputs, text};

struct Recorder<'a> {
    case: &'a Case,
    expects: Vec<Expect>,
}

impl Recorder<'_> {
    fn at(&mut self, time: u64) -> &mut Expect {
        if self.expects.last().is_none_or(|last| last.time != time) {
            self.expects.push(Expect::at(time));
        }
        let last = self.expects.len() - 1;
        &mut self.expects[last]
    }

    fn op(&self, index: usize, board: &Scoreboard) -> ExpectOp {
        let issue = &self.case.issues[index];
        let shape = self.case.shape;
        let mut ea = [0; MAX_LANES];
        let mut clauses = Vec::new();
        for (lane, ea) in ea.iter_mut().enumerate().take(shape.lanes) {
            let trace = model::trace(&shape, &self.case.ctrl, &issue.op, &issue.lanes, lane);
            *ea = trace.ea;
            for clause in trace.clauses {
                if !clauses.contains(&clause) {
                    clauses.push(clause);
                }
            }
        }
        ExpectOp {
            index: index as u32,
            text: text(issue),
            clauses: clauses.iter().map(|clause| clause.id()).collect::<Vec<_>>().join(" "),
            ea,
            active: board.op(index).plan.active,
            burst: self.burst(issue),
        }
    }

    fn burst(&self, issue: &Issue) -> Option<Box<ExpectBurst>> {
        let mut burst: Option<Box<ExpectBurst>> = None;
        let shape = self.case.shape;
        for lane in 0..shape.lanes {
            let Some(trace) = model::r700_trace(&shape, &self.case.ctrl, &issue.op, &issue.lanes, lane) else {
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
            text: text(&self.case.issues[index]),
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
        ExpectBeat { text: text(&self.case.issues[index]), register: register as u8, mask, data }
    }

    /// What never came: from the cycle after that in which its operation got on last.
    fn owed(&mut self, mismatch: &Mismatch, since: u64, board: &Scoreboard) {
        let mut expect = Expect::at((since + 1) * PERIOD);
        expect.owed = Some("the next operation is not accepted".to_owned());
        if let Some(index) = mismatch.op.filter(|&index| index < board.accepted) {
            let issue = &self.case.issues[index];
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
        ExpectDone { text: text(&self.case.issues[index]), faults: *board.op(index).faults() }
    }
}

impl Watch for Recorder<'_> {
    fn event(&mut self, cycle: u64, event: &Shown<'_>, board: &Scoreboard) {
        let time = cycle * PERIOD;
        match *event {
            Shown::Op(index) => {
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
            // What should have been there, at the port where it was missed.
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
