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
        mismatch::Mismatch,
    },
    op::{LaneMask, Scope},
};

/// Takes the place of a request's operation if that is from before the log.
const NOBODY: usize = usize::MAX;

/// An operation from before the log that is not done: the log shows a request or a beat of it, which precede its done.
struct Shown {
    warp: u8,
    tag: u8,
    /// The clause that is broken if it is none from before the log after all.
    clause: Clause,
}

/// What the log shows of operations from before it.
#[derive(Default)]
pub(super) struct Strangers {
    /// Those that are surely not done.
    shown: Vec<Shown>,
    /// Their requests in flight, each with the tag.
    flights: Vec<(u8, Flight)>,
    /// Whether they may do anything. What they request exclusively need not be a pair then.
    free: bool,
    /// By tag and register, the lanes that were written back.
    delivered: FxHashMap<(u8, u8), LaneMask>,
}

impl Strangers {
    pub(super) fn clear(&mut self) {
        self.shown.clear();
        self.flights.clear();
        self.delivered.clear();
    }

    /// Their requests in flight.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Flight> {
        self.flights.iter().map(|(_, flight)| flight)
    }

    fn show(&mut self, warp: u8, tag: u8, clause: Clause) {
        if !self.shown.iter().any(|shown| (shown.warp, shown.tag) == (warp, tag)) {
            self.shown.push(Shown { warp, tag, clause });
        }
    }

    /// Their request in flight with this id.
    pub(super) fn with_id(&self, id: u8) -> Option<&Flight> {
        self.iter().find(|flight| flight.id == id)
    }

    /// The half of a pair in flight that owns a line.
    pub(super) fn pair_in(&self, line: u64) -> Option<&Flight> {
        self.iter().find(|flight| flight.exclusive && flight.line == line && !self.free)
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
        self.strangers.free = free;
        self.strangers.flights.push((seen.tag, Flight::new(seen, (NOBODY, 0), 0)));
        self.strangers.show(seen.warp, seen.tag, Clause::PortReq);
        Ok(())
    }

    /// Follows an answer to a request that no operation of the log has in flight.
    #[cold]
    pub(super) fn stranger_answered(&mut self, response: &Response) {
        if response.last {
            self.flights.know(response.id);
        }
        let flights = &mut self.strangers.flights;
        let Some(place) = flights.iter().position(|(_, flight)| flight.id == response.id) else { return };
        flights[place].1.take(response);
        if response.last {
            flights.swap_remove(place);
        }
    }

    /// Judges a beat of an operation from before the log: each register of each lane comes once (PORT-WB).
    #[cold]
    pub(super) fn strange_beat(&mut self, beat: &Beat) -> Verdict {
        let delivered = self.strangers.delivered.entry((beat.tag, beat.register)).or_default();
        let again = *delivered & beat.mask;
        *delivered |= beat.mask;
        self.strangers.show(beat.warp, beat.tag, Clause::PortWb);
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
        self.strangers.shown.retain(|shown| (shown.warp, shown.tag) != (done.warp, done.tag));
        Ok(())
    }

    /// Judges a completion of an operation of the log: those of its warp from before the log come first (PORT-DONE).
    pub(super) fn strangers_are_done(&self, index: usize, warp: u8) -> Verdict {
        let Some(first) = self.strangers.shown.iter().find(|shown| shown.warp == warp) else { return Ok(()) };
        let expected = format!("the operation with tag {:#04x}, from before the log, first", first.tag);
        let field = Field::event(Site::Done, "order");
        Err(broken(Clause::PortDone, Some(index), field, &expected, format!("operation {index}")))
    }

    /// Judges the tag of an operation: none from before the log may have it (PORT-OP). What seemed to be from before the
    /// log may as well be the unit's, too early.
    pub(super) fn no_stranger_has(&self, index: usize, tag: u8) -> Verdict {
        let Some(shown) = self.strangers.shown.iter().find(|shown| shown.tag == tag) else { return Ok(()) };
        let field = Field::signal(Site::Op, "tag (environment)");
        let m = Mismatch::new(Clause::PortOp, Some(index), field).or([shown.clause]);
        let found = format!("tag {tag:#04x}, which an operation of warp {} from before the log has", shown.warp);
        Err(m.values("a tag that is not in flight", found).into())
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
