// SPDX-License-Identifier: MIT OR Apache-2.0
//! What memory does with a request, and when the unit hears of it.

use super::{Progress, Scoreboard, Verdict, WINDOW, broken, set};
use crate::{
    clause::Clause,
    cosim::{
        case::Issue,
        environment::{Environment, Flight, Offer, WILD},
    },
    model::{self, lane_bytes},
    op::MAX_LANES,
};

impl Scoreboard {
    /// Memory applies a request: the unit's to its memory, the model's to the reference.
    pub fn apply(&mut self, issues: &[Issue], env: &mut Environment, place: usize) -> Verdict {
        let shape = self.shape;
        let flight = &env.flights[place];
        let (index, number) = (flight.op, flight.request);
        if number == WILD {
            // What became of the memory is what the reference takes over.
            env.applied(place);
            let Flight { write, error, failed, line, byte_enable, id, .. } = env.flights[place];
            if write && !error && !failed {
                env.reference.write(line, byte_enable, &env.lines[usize::from(id)]);
            }
            return Ok(());
        }
        self.own_stores_first(issues, env, flight)?;
        if flight.exclusive {
            self.apply_pair(issues, env, place);
            return Ok(());
        }
        let progress = &mut self.ops[index % WINDOW];
        let request = &progress.plan.requests[number];
        if flight.error {
            let lanes = request.lanes;
            for (register, lanes) in model::delivers(&issues[index].op, request) {
                set(&mut progress.registers[register], lanes, 0);
            }
            model::bus_error(&mut progress.plan, lanes);
        } else if flight.write {
            env.reference.write(request.line, request.byte_enable, &request.data);
        } else {
            let line = env.reference.read_line(request.line);
            model::load(&shape, &issues[index].op, &progress.plan, number, &line, &mut progress.registers);
        }
        env.applied(place);
        Ok(())
    }

    /// COM-OWN: no earlier store of the same lane to a byte that this load reads is still to be applied.
    fn own_stores_first(&self, issues: &[Issue], env: &Environment, load: &Flight) -> Verdict {
        if load.write {
            return Ok(());
        }
        for store in env
            .flights
            .iter()
            .filter(|other| other.write && !other.applied && other.op < load.op && other.request != WILD)
        {
            let same_bytes = store.line == load.line && store.byte_enable & load.byte_enable != 0;
            if same_bytes && issues[store.op].op.warp == issues[load.op].op.warp {
                let (stores, loads) = (self.op(store.op), self.op(load.op));
                let theirs = &stores.plan.requests[store.request];
                let ours = &loads.plan.requests[load.request];
                let bytes = |of: &Progress, request, lane| lane_bytes(&issues[of.index].op, &of.plan, request, lane);
                let own = (0..MAX_LANES).find(|&lane| {
                    (theirs.lanes & ours.lanes) >> lane & 1 == 1
                        && bytes(stores, theirs, lane) & bytes(loads, ours, lane) != 0
                });
                if let Some(lane) = own {
                    let clause = if issues[load.op].op.is_burst() { Clause::R700Raw } else { Clause::ComOwn };
                    let expected = format!("after the store of operation {}", store.op);
                    return Err(Box::new(broken(clause, Some(load.op), "load", &expected, "before it").lane(lane)));
                }
            }
        }
        Ok(())
    }

    /// The unit took an answer.
    pub fn answered(&mut self, issues: &[Issue], env: &Environment, offer: Offer) {
        let flight = &env.flights[offer.flight];
        let (index, number, write) = (flight.op, flight.request, flight.write);
        if number == WILD {
            return;
        }
        if flight.exclusive {
            return self.pair_answered(env, offer);
        }
        if let Some(judge) = &mut self.judge {
            judge.answered(flight.warp, index, number, offer.scope, offer.last);
        }
        let progress = self.op_mut(index);
        // An operation may be done, and its place another's, before memory is through with it.
        if progress.index != index || progress.done {
            return;
        }
        progress.finished += usize::from(offer.last);
        if !offer.first {
            return;
        }
        progress.answered += 1;
        if !write {
            for (register, lanes) in model::delivers(&issues[index].op, &progress.plan.requests[number]) {
                progress.settled[register] |= lanes;
            }
        }
    }
}
