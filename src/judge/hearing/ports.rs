// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the unit takes and what it offers.

use super::{Heard, Hearing, Verdict};
use crate::{
    clause::Clause,
    judge::{
        Contract, Field, Judge, Mismatch, Promises, Shown, Site,
        log::{Log, Port},
        scoreboard::Divergence,
    },
};

impl Hearing<'_> {
    /// The unit took an operation.
    #[inline]
    pub(super) fn op(&mut self, heard: &mut Heard<'_, '_>, cycle: u64, number: u32) -> Verdict {
        let Hearing { judge: Judge { board, coverage, history }, run, .. } = self;
        let contract = &run.contract;
        let (log, issues) = (heard.log, heard.log.issues());
        let index = number as usize;
        if !run.in_limits {
            within_limits(contract)?;
            run.in_limits = true;
        }
        board.op_accepted(contract, &issues[index])?;
        run.wait.op(cycle, &issues[index]);
        if let Some(image) = &mut run.image {
            image.advance(log, heard.place);
            let line_bytes = contract.shape.line_bytes as u64;
            history.begin(index, &issues[index], &board.op(index).plan, image, line_bytes);
            if let Some(range) = board.op(index).wild() {
                history.forget(range);
            }
        }
        if run.trial.counts {
            coverage.op(contract, &issues[index], board, index);
        }
        heard.show(cycle, &Shown::Op(index), board);
        Ok(())
    }

    /// The unit took a data beat.
    #[inline]
    pub(super) fn data(&mut self, log: &Log, cycle: u64, number: u32) {
        let Hearing { judge: Judge { board, coverage, .. }, run, .. } = self;
        let issues = log.issues();
        if let Some(owner) = log.owner(number).filter(|_| run.trial.counts) {
            coverage.data(&issues[owner], owner, board.accepted, issues[owner].data.len());
        }
        run.wait.data(cycle, log, number, board.accepted);
        board.data_taken();
    }

    /// Memory took a request.
    #[inline]
    pub(super) fn request(&mut self, heard: &mut Heard<'_, '_>, cycle: u64, number: u32) -> Verdict {
        let Hearing { judge: Judge { board, coverage, .. }, run, .. } = self;
        let contract = &run.contract;
        let promises = &contract.promises;
        let (log, issues) = (heard.log, heard.log.issues());
        let seen = log.requested(number);
        run.requested = number + 1;
        run.wait.taken((run.offers.taken(cycle, Port::Request), cycle), number);
        kept(promises, run.held.request(log, seen))?;
        run.reservations.asked(seen, number);
        let fair = board.sees_all() && promises.keeps(Clause::PortFair);
        let turn = if fair { run.fair.request(board, promises.passed(&board.shape()), seen)? } else { None };
        let Some((index, which)) = board.request(contract, issues, seen)? else {
            return Ok(());
        };
        if fair && !board.unseen().offers {
            run.wait.request((log, heard.place), board, contract, (index, which), run.offers.waits())?;
        }
        if run.trial.counts {
            coverage.silence(&issues[index], cycle.saturating_sub(run.moved.saturating_add(1)));
            if let Some(turn) = turn {
                coverage.turn(turn);
            }
            coverage.request(&board.flights, seen, &issues[index], board.op(index), which);
        }
        heard.show(cycle, &Shown::Request(index, which), board);
        run.figures.requests += 1;
        run.pace.request(cycle);
        Ok(())
    }

    /// A beat was written back.
    #[inline]
    pub(super) fn beat(&mut self, heard: &mut Heard<'_, '_>, cycle: u64, number: u32) -> Verdict {
        let Hearing { judge: Judge { board, coverage, .. }, run, .. } = self;
        let contract = &run.contract;
        let (log, issues) = (heard.log, heard.log.issues());
        let beat = log.written_back(number);
        kept(&contract.promises, run.held.beat(log, beat))?;
        let offered = run.offers.taken(cycle, Port::Beat);
        let Some((index, ripened)) = board.beat(contract, issues, beat)? else {
            return Ok(());
        };
        run.wait.stalled(offered, cycle, contract);
        run.share.beat((offered, cycle), board, contract, index, ripened)?;
        if run.trial.counts {
            coverage.silence(&issues[index], cycle.saturating_sub(run.moved.saturating_add(1)));
            coverage.beat(beat, board.op(index), &issues[index]);
        }
        heard.show(cycle, &Shown::Beat(index, beat), board);
        Ok(())
    }

    /// An operation was reported as done.
    #[inline]
    pub(super) fn done(&mut self, heard: &mut Heard<'_, '_>, cycle: u64, number: u32) -> Verdict {
        let Hearing { judge: Judge { board, coverage, history }, run, .. } = self;
        let contract = &run.contract;
        let (log, issues) = (heard.log, heard.log.issues());
        let done = log.completed(number);
        kept(&contract.promises, run.held.done(log, done))?;
        let offered = run.offers.taken(cycle, Port::Done);
        run.wait.stalled(offered, cycle, contract);
        let Some(index) = board.completed(contract, issues, done)? else {
            run.prompt.stranger(offered, cycle, done.warp);
            return Ok(());
        };
        // A load may wait last for a beat that the log does not show.
        if !board.unseen().write_back && !board.unseen().offers {
            let op = &issues[index].op;
            run.prompt.done((offered, cycle), (index, op), board, run.wait.placed(op), contract)?;
        }
        if let Some(image) = &mut run.image {
            image.advance(log, heard.place);
            history.end(index, &board.op(index).plan, image).map_err(|m| Box::new(Divergence::Told(m)))?;
        }
        if run.trial.counts {
            coverage.silence(&issues[index], cycle.saturating_sub(run.moved.saturating_add(1)));
            coverage.done(contract, &issues[index], board.op(index), index, board.warps());
        }
        heard.show(cycle, &Shown::Done(index), board);
        run.figures.operations += 1;
        run.pace.done(cycle);
        run.last_done = cycle;
        Ok(())
    }

    /// The unit offered something that was not taken.
    #[inline]
    pub(super) fn offer(&mut self, log: &Log, cycle: u64, number: u32) -> Verdict {
        let Hearing { judge: Judge { board, coverage, .. }, run, .. } = self;
        let contract = &run.contract;
        let issues = log.issues();
        let port = log.offered(number).port();
        let same = run.held.offer(log, number);
        if same.is_err() {
            run.offers.taken(cycle, port);
        }
        kept(&contract.promises, same)?;
        board.offered(contract, issues, log.offered(number))?;
        run.offers.offer(cycle, port);
        if run.trial.counts {
            coverage.hold(port);
        }
        Ok(())
    }

    /// The unit took an offer back.
    pub(super) fn withdrawn(&mut self, log: &Log, cycle: u64, port: Port) -> Verdict {
        let run = &mut self.run;
        kept(&run.contract.promises, run.held.withdrawn(log, port))?;
        run.held.forget(port);
        run.offers.taken(cycle, port);
        Ok(())
    }
}

/// Passes a violation of PORT-HOLD on only if the unit promises that clause.
fn kept(promises: &Promises, verdict: Verdict) -> Verdict {
    if promises.keeps(Clause::PortHold) { verdict } else { Ok(()) }
}

/// Checks the limits of the control registers when an operation is taken. They are the environment's business.
fn within_limits(contract: &Contract) -> Verdict {
    contract.ctrl.check(&contract.shape).map_err(|what| {
        let m = Mismatch::new(Clause::PortOp, None, Field::event(Site::Unit, "ctrl_i (environment)"));
        m.values("control registers within their limits", what).into()
    })
}
