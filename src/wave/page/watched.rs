// SPDX-License-Identifier: MIT OR Apache-2.0
//! Records what the model expects at the ports while a log is judged.

use crate::{
    judge::{
        Mismatch, Shown, Site, Watch,
        log::{Beat, Done, Issue, Log, Seen},
        scoreboard::{Scoreboard, Step},
    },
    op::{LaneMask, ReqKind},
};

/// An expectation at a port, and its cycle.
pub(super) struct At<T> {
    pub cycle: u64,
    pub what: T,
}

/// Watches the judgement of a log, and keeps what the model expects for each transfer of the unit.
pub struct Watched<'a> {
    log: &'a Log,
    pub(super) requests: Vec<At<Seen>>,
    pub(super) beats: Vec<At<Beat>>,
    pub(super) dones: Vec<At<Done>>,
    /// By operation: the lanes that execute.
    pub(super) active: Vec<LaneMask>,
    /// The number of operations that were done.
    pub(super) over: u64,
    /// The state of the first divergence's operation, if there is one.
    pub(super) state: Option<State>,
}

/// The progress of an operation at the divergence.
pub(super) struct State {
    /// The number of its requests that were made, and of all of them.
    pub sent: usize,
    pub requests: usize,
    /// What it was owed, as text.
    pub owed: String,
}

impl<'a> Watched<'a> {
    /// Creates a watcher that has seen no event of the log.
    pub fn new(log: &'a Log) -> Self {
        let (requests, beats, dones) = (Vec::new(), Vec::new(), Vec::new());
        Watched { log, requests, beats, dones, active: Vec::new(), over: 0, state: None }
    }

    fn issue(&self, index: usize) -> &'a Issue {
        &self.log.issues()[index]
    }

    fn request(&mut self, cycle: u64, index: usize, number: usize, board: &Scoreboard) {
        let progress = board.op(index);
        let Some(request) = progress.plan.requests.get(number) else { return };
        let pair = board.pair_of(index, number).filter(|pair| matches!(pair.step, Step::ToWrite | Step::Writing));
        let (kind, byte_enable, data) = match pair {
            // The second half of a compare-and-store.
            Some(pair) => (ReqKind::WriteExclusive, pair.half.byte_enable, pair.half.data),
            None => (request.kind, request.byte_enable, request.data),
        };
        let what = Seen {
            // The unit may use any free id.
            id: 0,
            warp: progress.warp,
            tag: progress.tag,
            group: request.group,
            kind: kind as u8,
            space: request.space as u8,
            attr: *progress.attr(),
            line: request.line,
            byte_enable,
            data,
        };
        self.requests.push(At { cycle, what });
    }

    fn beat(&mut self, cycle: u64, index: usize, register: usize, mask: LaneMask, board: &Scoreboard) {
        let progress = board.op(index);
        let data = progress.registers.get(register).copied().unwrap_or_default();
        let what = Beat { warp: progress.warp, tag: progress.tag, register: register as u8, mask, data };
        self.beats.push(At { cycle, what });
    }

    fn done(&mut self, cycle: u64, index: usize, board: &Scoreboard) {
        let progress = board.op(index);
        let faults = progress.faults().map(|fault| fault as u8);
        self.dones.push(At { cycle, what: Done { warp: progress.warp, tag: progress.tag, faults } });
    }
}

impl Watch for Watched<'_> {
    fn event(&mut self, cycle: u64, event: &Shown<'_>, board: &Scoreboard) {
        match *event {
            Shown::Op(index) => {
                self.active.resize(index, LaneMask::NONE);
                self.active.push(board.op(index).plan.active);
            }
            Shown::Request(index, number) => self.request(cycle, index, number, board),
            // The unit may choose which lanes come together.
            Shown::Beat(index, beat) => self.beat(cycle, index, beat.register.into(), beat.mask, board),
            Shown::Done(index) => {
                self.over += 1;
                self.done(cycle, index, board);
            }
        }
    }

    fn diverged(&mut self, mismatch: &Mismatch, board: &Scoreboard) {
        let Some(index) = mismatch.op.filter(|&index| index < board.accepted) else { return };
        let (progress, issue) = (board.op(index), self.issue(index));
        self.state = Some(State {
            sent: progress.sent(),
            requests: progress.plan.requests.len(),
            owed: board.owed(index, issue),
        });
        let cycle = mismatch.cycle;
        match (mismatch.since, mismatch.field.site, mismatch.field.register) {
            // Something that never came has no transfer to stand beside.
            (Some(_), ..) => {}
            (_, Site::MemReq, _) => {
                let number = board.due_again(index).unwrap_or(progress.sent());
                self.request(cycle, index, number, board);
            }
            (_, Site::Wb, Some(register)) => {
                let settled = progress.settled.get(register).copied().unwrap_or_default();
                let settled = settled - progress.delivered(register);
                self.beat(cycle, index, register, settled, board);
            }
            (_, Site::Done, _) => self.done(cycle, index, board),
            _ => {}
        }
    }
}
