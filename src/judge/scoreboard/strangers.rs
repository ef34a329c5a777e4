// SPDX-License-Identifier: MIT OR Apache-2.0
//! What was in flight before the log: nobody knows what it should do, but what the log shows of it must fit together, and
//! fit what the operations of the log have in flight. Of its pairs, only each half is followed.

use rustc_hash::FxHashMap;

use super::{Beat, Done, Field, Scoreboard, Site, Verdict, broken};
use crate::{
    clause::Clause,
    judge::{
        contract::Contract,
        flight::Flight,
        log::{Response, Seen},
    },
    op::{LaneMask, Scope},
};

/// Takes the place of a request's operation if that is from before the log.
const NOBODY: usize = usize::MAX;

/// What the log shows of operations from before it.
#[derive(Default)]
pub(super) struct Strangers {
    /// Their requests in flight, each with the tag.
    flights: Vec<(u8, Flight)>,
    /// By tag and register, the lanes that were written back.
    delivered: FxHashMap<(u8, u8), LaneMask>,
}

impl Strangers {
    pub(super) fn clear(&mut self) {
        self.flights.clear();
        self.delivered.clear();
    }

    /// Their requests in flight.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Flight> {
        self.flights.iter().map(|(_, flight)| flight)
    }

    /// Follows an answer to a request that no operation of the log has in flight.
    pub(super) fn answered(&mut self, response: &Response) {
        let Some(place) = self.flights.iter().position(|(_, flight)| flight.id == response.id) else { return };
        self.flights[place].1.take(response);
        if response.last {
            self.flights.swap_remove(place);
        }
    }
}

impl Scoreboard {
    /// Judges a request of an operation from before the log.
    #[cold]
    pub(super) fn strange_request(&mut self, contract: &Contract, seen: &Seen) -> Verdict {
        let promises = &contract.promises;
        self.id_is_free(seen, None)?;
        // It may make its resource undefined, and then do anything there.
        let free = promises.any_lane_order();
        if !free {
            self.line_is_free(seen, None)?;
            self.no_hazard(contract, seen, None)?;
        }
        let in_order = promises.keeps(Clause::PortOrder) && !promises.loose() && !free && !seen.is_pair();
        let running = &self.running[usize::from(seen.warp & 7)];
        if let Some(op) = running.iter().find(|&&op| in_order && self.op(op).sent() > 0) {
            let expected = format!("before any request of operation {op}, a later one of its warp");
            let found = format!("one with tag {:#04x} after it", seen.tag);
            return Err(broken(Clause::PortOrder, None, Field::event(Site::MemReq, "order"), &expected, found));
        }
        self.strangers.flights.push((seen.tag, Flight::new(seen, (NOBODY, 0), 0)));
        Ok(())
    }

    /// Judges a beat of an operation from before the log: each register of each lane comes once (PORT-WB).
    #[cold]
    pub(super) fn strange_beat(&mut self, beat: &Beat) -> Verdict {
        let delivered = self.strangers.delivered.entry((beat.tag, beat.register)).or_default();
        let again = *delivered & beat.mask;
        *delivered |= beat.mask;
        if again.is_empty() {
            return Ok(());
        }
        let field = Field::signal(Site::Wb, "mask").register(beat.register.into());
        Err(broken(Clause::PortWb, None, field, "each lane once", format!("lanes {again:#x} again")))
    }

    /// Judges a completion of an operation from before the log: its requests must be answered.
    #[cold]
    pub(super) fn strange_done(&mut self, done: &Done) -> Verdict {
        let of = |tag: u8, flight: &Flight| (tag, flight.warp) == (done.tag, done.warp) && !flight.answered;
        if let Some((_, flight)) = self.strangers.flights.iter().find(|(tag, flight)| of(*tag, flight)) {
            let found = format!("the answer to id {} is still to come", flight.id);
            let expected = "after the first answer to each request";
            return Err(broken(Clause::PortDone, None, Field::event(Site::Done, ""), expected, found));
        }
        Ok(())
    }

    /// Judges a release: no request from before the log may be in flight that its warp made (PTX-SEM).
    pub(super) fn strangers_reach(&self, index: usize, scope: Scope) -> Verdict {
        let warp = self.op(index).warp;
        let mut behind = self.strangers.iter().filter(|flight| flight.warp == warp && !flight.reached(scope));
        let Some(flight) = behind.next() else { return Ok(()) };
        let expected = "every earlier access of its warp acknowledged first";
        let found = format!("a release was sent before the request with id {} was, at {scope:?} scope", flight.id);
        Err(broken(Clause::PtxSem, Some(index), Field::event(Site::MemReq, "order"), expected, found))
    }

    /// All requests in flight, of whomever.
    pub(super) fn all_flights(&self) -> impl Iterator<Item = &Flight> {
        self.flights.iter().chain(self.strangers.iter())
    }
}

/// Names the operation of a request in flight.
pub(super) fn whose(flight: &Flight) -> String {
    if flight.op == NOBODY { "an operation from before the log".to_owned() } else { format!("operation {}", flight.op) }
}
