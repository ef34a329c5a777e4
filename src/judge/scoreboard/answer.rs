// SPDX-License-Identifier: MIT OR Apache-2.0
//! What memory answers: the values that loads get, and what may be told from now on.

use super::{Scoreboard, set};
use crate::{
    judge::{
        flight::{Answered, WILD},
        log::{Issue, Response},
    },
    model,
};

impl Scoreboard {
    /// The unit took an answer to a request that is in flight.
    pub fn answered(&mut self, issues: &[Issue], response: &Response) {
        let Some(answered) = self.flights.find(response) else { return };
        let Answered { flight, first, .. } = answered;
        let (index, number, write, warp) = (flight.op, flight.request, flight.write, flight.warp);
        let (exclusive, error, failed) = (flight.exclusive, answered.error(), answered.failed());
        let flight = self.has_loose(index).then(|| flight.clone());
        self.flights.answered(response, self.shape.line_bytes as u64);
        if number == WILD {
            // Lanes that nobody knows act on its line, too.
            if exclusive && !write {
                self.acted = self.acted.max(self.cycle).saturating_add(self.shape.lanes as u64);
            }
            return;
        }
        if exclusive {
            return self.pair_answered(issues, response, write, first, error, failed);
        }
        if let Some(judge) = &mut self.judge {
            judge.answered(warp, index, number, response.scope, response.last);
        }
        let (shape, cycle) = (self.shape, self.cycle);
        let progress = self.op_mut(index);
        // An operation may be done, and its place another's, before memory is through with it.
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
                progress.settled[register] |= lanes;
            }
            model::bus_error(&mut progress.plan, lanes);
        } else if !write {
            for (register, lanes) in model::delivers(op, request) {
                progress.settled[register] |= lanes;
            }
            model::load(&shape, op, &progress.plan, number, &response.data, &mut progress.registers);
        }
    }
}
