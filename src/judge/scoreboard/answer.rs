// SPDX-License-Identifier: MIT OR Apache-2.0
//! The answers of memory: the values that loads receive, and what the unit may report from now on.

use super::{Field, Scoreboard, Site, Verdict, broken, set};
use crate::{
    clause::Clause,
    judge::{
        contract::Contract,
        flight::{Answered, WILD},
        log::{Issue, Response},
    },
    model,
    op::Scope,
};

impl Scoreboard {
    /// Judges whether memory may give this answer (PORT-RSP), and whether the unit may have this request answered now.
    pub fn may_answer(&self, contract: &Contract, issues: &[Issue], response: &Response) -> Verdict {
        let wrong = |op: Option<usize>, expected: &str, found: String| {
            let field = Field::event(Site::Memory, "answer (environment)");
            Err(broken(Clause::PortRsp, op, field, expected, found))
        };
        let own = self.flights.find(response).map(|answered| answered.flight);
        let Some(flight) = own.or_else(|| self.strangers.with_id(response.id)) else {
            let found = format!("one to id {}, which no request in flight has", response.id);
            let stranger = self.unseen.start && !self.flights.knows(response.id);
            return if stranger { Ok(()) } else { wrong(None, "an answer to a request in flight", found) };
        };
        let (op, first) = (own.map(|flight| flight.op), !flight.answered);
        if !flight.write && !response.last {
            return wrong(op, "one answer to a read, which is the last", "one that is not the last".to_owned());
        }
        // The bit means nothing in an answer to any other request.
        let failed = response.exclusive_failed && flight.exclusive;
        if flight.write && failed && !response.last {
            return wrong(op, "a refusal as the only answer", "one that is not the last".to_owned());
        }
        if !first && (response.error || failed) {
            return wrong(op, "an error in the first answer, if at all", "one in a later answer".to_owned());
        }
        if !first && !flight.reaches_further(response) {
            let found = "one that reaches no further than the one before".to_owned();
            return wrong(op, "each answer to a write for a wider scope", found);
        }
        // What was not performed reaches no scope.
        let performed = !response.error && !failed;
        if performed && response.last && response.scope < Scope::Sys as u8 {
            return wrong(op, "the last answer to a request for system scope", "one for less".to_owned());
        }
        if flight.write || op.is_none() { Ok(()) } else { self.finds_its_own(contract, issues, flight) }
    }

    /// Follows an answer that the unit took, to a request in flight.
    pub fn answered(&mut self, issues: &[Issue], response: &Response) {
        let Some(answered) = self.flights.find(response) else { return self.stranger_answered(response) };
        let Answered { flight, first, .. } = answered;
        let (index, number, write, warp, line) = (flight.op, flight.request, flight.write, flight.warp, flight.line);
        let (exclusive, error, failed) = (flight.exclusive, answered.error(), answered.failed());
        let flight = self.has_loose(index).then(|| flight.clone());
        self.flights.answered(response, self.shape.line_bytes as u64);
        if number == WILD {
            if error || failed && !write {
                self.wild_fails(index, line);
            }
            if failed && write {
                self.wild_begins(index, line, false);
            }
            if exclusive && !write {
                self.wild_acts(index, (warp, response.id), line);
            }
            return;
        }
        if exclusive {
            return self.pair_answered(issues, response, write, first, error, failed);
        }
        if let Some(judge) = &mut self.judge {
            judge.answered(warp, index, number, response.scope, response.last);
        }
        let cycle = self.cycle;
        let progress = self.op_mut(index);
        // An operation may be done, and another may have its place, before memory has finished with it.
        if progress.index != index || progress.done {
            return;
        }
        if let (Some(_), Some(flight)) = (&progress.loose, flight) {
            return self.loose_answered(&issues[index].op, &flight, response, first, error);
        }
        let progress = self.op_mut(index);
        progress.finished += usize::from(response.last);
        if response.last {
            progress.last_finished = cycle;
        }
        if !first {
            return;
        }
        progress.answered += 1;
        progress.last_answered = cycle;
        let Some(request) = progress.plan.requests.get(number) else { return };
        let op = &issues[index].op;
        if error {
            let lanes = request.lanes;
            for (register, lanes) in model::delivers(op, request) {
                set(&mut progress.registers[register], lanes, 0);
                progress.from_memory.settle(register, &mut progress.settled[register], lanes, cycle);
            }
            model::bus_error(&mut progress.plan, lanes);
        } else if !write {
            for (register, lanes) in model::delivers(op, request) {
                progress.from_memory.settle(register, &mut progress.settled[register], lanes, cycle);
            }
            model::load(op, &progress.plan, number, &response.data, &mut progress.registers);
        }
    }
}
