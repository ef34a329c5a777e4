// SPDX-License-Identifier: MIT OR Apache-2.0
//! Requests in flight, as the log shows them.

use super::log::{Response, Seen};
use crate::op::{MAX_PENDING, ReqKind, Scope};

/// Takes the place of a request's number if the model does not have the request, but the unit may make it.
pub const WILD: usize = usize::MAX;

/// The bit of an id.
pub fn bit(id: u8) -> u64 {
    1 << (id & 63)
}

/// A request from its acceptance to its last answer.
#[derive(Clone, Debug)]
pub struct Flight {
    pub id: u8,
    pub warp: u8,
    /// The operation, and the number of its request.
    pub op: usize,
    pub request: usize,
    pub write: bool,
    /// Whether it is half of a compare-and-store (PORT-CAS).
    pub exclusive: bool,
    pub line: u64,
    pub byte_enable: u128,
    /// Whether its first answer was taken.
    pub answered: bool,
    scope: u8,
    /// The number of requests that were accepted before it.
    pub sequence: u64,
}

impl Flight {
    /// A request that was accepted after `sequence` others, of an operation, with its number there.
    pub fn new(seen: &Seen, (op, request): (usize, usize), sequence: u64) -> Self {
        let (write, exclusive) = match ReqKind::from_code(seen.kind) {
            Some(ReqKind::Write) => (true, false),
            Some(ReqKind::ReadExclusive) => (false, true),
            Some(ReqKind::WriteExclusive) => (true, true),
            _ => (false, false),
        };
        let &Seen { id, warp, line, byte_enable, .. } = seen;
        Flight { id, warp, op, request, write, exclusive, line, byte_enable, answered: false, scope: 0, sequence }
    }

    /// Records an answer that was taken.
    pub fn take(&mut self, response: &Response) {
        (self.answered, self.scope) = (true, self.scope.max(response.scope));
    }

    /// Whether the request has an answer for at least this scope.
    pub fn reached(&self, scope: Scope) -> bool {
        self.answered && self.scope >= scope as u8
    }

    /// Whether a later answer is for a wider scope than those before.
    pub fn reaches_further(&self, response: &Response) -> bool {
        response.scope > self.scope
    }
}

/// An answer, and the request that it answers.
pub struct Answered<'a> {
    pub flight: &'a Flight,
    pub response: &'a Response,
    pub first: bool,
    /// Whether somebody wrote to the line of an exclusive write between its read and itself.
    pub lost: bool,
}

impl Answered<'_> {
    /// Whether the answer reports COM-BUSERR.
    pub fn error(&self) -> bool {
        self.first && self.response.error
    }

    /// Whether the answer reports that the exclusive access failed.
    pub fn failed(&self) -> bool {
        self.first && self.flight.exclusive && !self.response.error && self.response.exclusive_failed
    }
}

/// All requests in flight.
pub struct Flights {
    flights: Vec<Flight>,
    /// A bit for each id in flight.
    busy: u64,
    /// A bit for each id that no request from before the log can have: the log had a request with it, or a last answer.
    known: u64,
    accepted: u64,
    /// By id: the line of the last answered exclusive read, until its exclusive write comes.
    asked: [Option<u64>; MAX_PENDING],
    /// By id: the line that it has read exclusively and that nobody has written since; and the number of such lines.
    reserved: [Option<u64>; MAX_PENDING],
    standing: usize,
}

impl Default for Flights {
    fn default() -> Self {
        let flights = Vec::with_capacity(MAX_PENDING);
        Flights {
            flights,
            busy: 0,
            known: 0,
            accepted: 0,
            asked: [None; MAX_PENDING],
            reserved: [None; MAX_PENDING],
            standing: 0,
        }
    }
}

impl Flights {
    /// Forgets all requests, as after reset.
    pub fn clear(&mut self) {
        self.flights.clear();
        (self.busy, self.known, self.accepted, self.standing) = (0, 0, 0, 0);
        (self.asked, self.reserved) = ([None; MAX_PENDING], [None; MAX_PENDING]);
    }

    pub fn iter(&self) -> std::slice::Iter<'_, Flight> {
        self.flights.iter()
    }

    pub fn len(&self) -> usize {
        self.flights.len()
    }

    pub fn is_empty(&self) -> bool {
        self.flights.is_empty()
    }

    /// Whether a request with this id waits for its last answer.
    pub fn is_busy(&self, id: u8) -> bool {
        self.busy & bit(id) != 0
    }

    /// Whether an exclusive read of the line with the same id was answered, for an exclusive write to follow.
    pub fn was_asked(&self, id: u8, line: u64) -> bool {
        self.asked[usize::from(id) % MAX_PENDING] == Some(line)
    }

    /// Records that a request was accepted. Its id is free.
    pub fn accept(&mut self, seen: &Seen, owner: (usize, usize)) {
        let flight = Flight::new(seen, owner, self.accepted);
        if flight.exclusive && flight.write {
            self.asked[usize::from(seen.id) % MAX_PENDING] = None;
        }
        self.flights.push(flight);
        self.accepted += 1;
        self.busy |= bit(seen.id);
        self.know(seen.id);
    }

    /// Records a request of an operation from before the log, or a last answer to one.
    pub fn know(&mut self, id: u8) {
        self.known |= bit(id);
    }

    /// Whether a request with this id is none from before the log.
    pub fn knows(&self, id: u8) -> bool {
        self.known & bit(id) != 0
    }

    /// The request that an answer is for.
    pub fn find<'a>(&'a self, response: &'a Response) -> Option<Answered<'a>> {
        let flight = self.flights.iter().find(|flight| flight.id == response.id)?;
        let lost = flight.exclusive && flight.write && self.reserved[usize::from(flight.id) % MAX_PENDING].is_none();
        Some(Answered { flight, response, first: !flight.answered, lost })
    }

    /// Records that an answer was taken: the request is over, or waits for its last answer.
    pub fn answered(&mut self, response: &Response, line_bytes: u64) {
        let Some(place) = self.flights.iter().position(|flight| flight.id == response.id) else { return };
        let flight = &mut self.flights[place];
        let (id, line, first) = (usize::from(flight.id) % MAX_PENDING, flight.line, !flight.answered);
        flight.take(response);
        let (write, exclusive) = (flight.write, flight.exclusive);
        if response.last {
            let over = self.flights.swap_remove(place);
            self.busy &= !bit(over.id);
        }
        if !first || response.error {
            return;
        }
        match (exclusive, write) {
            (true, false) if !response.exclusive_failed => {
                self.asked[id] = Some(line);
                self.standing += usize::from(self.reserved[id].is_none());
                self.reserved[id] = Some(line);
            }
            (_, true) => {
                self.release(id);
                if !(exclusive && response.exclusive_failed) {
                    self.written(line, line.saturating_add(line_bytes), line_bytes);
                }
            }
            _ => {}
        }
    }

    fn release(&mut self, id: usize) {
        self.standing -= usize::from(self.reserved[id].take().is_some());
    }

    /// Records that somebody wrote the bytes from `from` to before `to`.
    pub fn written(&mut self, from: u64, to: u64, line_bytes: u64) {
        if self.standing == 0 {
            return;
        }
        for id in 0..MAX_PENDING {
            if self.reserved[id].is_some_and(|line| line < to && from < line.saturating_add(line_bytes)) {
                self.release(id);
            }
        }
    }
}
