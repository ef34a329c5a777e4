// SPDX-License-Identifier: MIT OR Apache-2.0
//! What memory does.

use super::{Hearing, Verdict};
use crate::{
    clause::Clause,
    judge::{Field, Judge, Mismatch, Site, flight, log::Log},
    op::{LaneMask, Range, ReqKind},
};

impl Hearing<'_> {
    /// Memory performed a request; `made` says whether it wrote.
    #[inline]
    pub(super) fn applied(&mut self, log: &Log, place: usize, number: u32, made: bool) -> Verdict {
        let Hearing { judge: Judge { board, history, .. }, run, .. } = self;
        let seen = log.requested(number);
        let line_bytes = run.contract.shape.line_bytes as u64;
        let in_flight = number >= run.cut_off && run.reservations.is_last(seen.id, number);
        let flight = board.flights.iter().find(|flight| flight.id == seen.id && in_flight);
        if number < run.cut_off {
            run.reservations.late(seen, made, line_bytes);
        } else if run.reservations.is_early(seen.id, number) {
            let op = flight.map(|flight| flight.op);
            let m = Mismatch::new(Clause::PortRsp, op, Field::event(Site::Memory, "answer (environment)"));
            return Err(m.values("after what was asked was performed", "before it").into());
        } else if run.reservations.came(seen.id) {
            let op = flight.map(|flight| flight.op);
            let m = Mismatch::new(Clause::PortRsp, op, Field::event(Site::Memory, "applied (environment)"));
            return Err(m.values("each request performed or refused once", "one of them twice").into());
        } else if let Err((expected, found)) = run.reservations.applied(seen, made, line_bytes) {
            let op = flight.map(|flight| flight.op);
            let m = Mismatch::new(Clause::PortCas, op, Field::event(Site::Memory, "exclusive (environment)"));
            return Err(m.values(expected, found).into());
        }
        if let Some(image) = &mut run.image {
            image.advance(log, place + 1);
            let read = made && seen.kind == ReqKind::ReadExclusive as u8;
            if read && number >= run.cut_off && image.is_sure(log, seen.line) {
                run.reservations.holds(seen, image);
            }
            if made && !history.is_empty() {
                // A request that a reset cut off belongs to no operation, so only memory itself accounts for
                // its effect.
                let free = flight.is_none_or(|flight| flight.request == flight::WILD);
                history.memory(seen, free, image);
                if let Some(flight) = flight.filter(|flight| flight.exclusive && !free) {
                    let served = board.op(flight.op).plan.requests.get(flight.request);
                    history.served(flight.op, served.map_or(LaneMask::NONE, |request| request.lanes), seen);
                }
            }
        }
        Ok(())
    }

    /// Memory answered a request.
    #[inline]
    pub(super) fn response(&mut self, log: &Log, cycle: u64, number: u32) -> Verdict {
        let Hearing { judge: Judge { board, coverage, history }, run, .. } = self;
        let contract = &run.contract;
        let issues = log.issues();
        let response = log.responded(number);
        run.wait.answer(cycle);
        board.may_answer(contract, issues, response)?;
        if let Some(answered) = board.flights.find(response) {
            if answered.first
                && let Err((expected, found)) = run.reservations.answered(response, answered.flight)
            {
                let field = Field::event(Site::Memory, "answer (environment)");
                let m = Mismatch::new(Clause::PortRsp, Some(answered.flight.op), field);
                return Err(m.values(expected, found).into());
            }
            // Memory may have performed a write that it answers with an error.
            let told = !response.error || answered.flight.write;
            if answered.first && told && run.image.is_some() && !run.reservations.came(response.id) {
                let base = answered.flight.line;
                history.lose(Range { base, size: run.contract.shape.line_bytes as u64 });
            }
            if run.trial.counts {
                coverage.response(issues, board, &answered);
            }
        }
        board.answered(issues, response);
        Ok(())
    }

    /// Somebody else accessed memory.
    #[inline]
    pub(super) fn foreign(&mut self, log: &Log, place: usize, number: u32) {
        let Hearing { judge: Judge { board, history, .. }, run, .. } = self;
        let access = log.made(number);
        if access.bytes.is_empty() {
            return;
        }
        let (mut found, mut sure) = (None, false);
        if let Some(image) = &mut run.image {
            found = access.compare.map(|_| {
                image.advance(log, place);
                image.word(access.addr)
            });
            let line = access.addr - access.addr % run.contract.shape.line_bytes as u64;
            sure = image.is_sure(log, line);
            image.advance(log, place + 1);
            history.foreign(access, found, image);
        }
        let line_bytes = run.contract.shape.line_bytes as u64;
        run.reservations.foreign(access, found.filter(|_| sure), line_bytes);
        let end = access.addr.saturating_add(access.bytes.len() as u64);
        board.flights.written(access.addr, end, line_bytes);
    }
}
