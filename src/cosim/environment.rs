// SPDX-License-Identifier: MIT OR Apache-2.0
//! The memory at the unit's port: accepts requests, and applies and answers them when the schedule says. It executes
//! every request, right or wrong.

use crate::{
    judge::log::{Response, Seen},
    model::Memory,
    op::{MAX_LINE_BYTES, MAX_PENDING, Range, ReqKind, Scope},
};

use super::{
    case::{Case, Foreign, Schedule},
    exclusive::Exclusives,
};

/// A request in flight.
#[derive(Clone, Debug, Default)]
struct Flight {
    /// Its number in the log.
    number: u32,
    write: bool,
    /// Half of a compare-and-store (PORT-CAS).
    exclusive: bool,
    line: u64,
    byte_enable: u128,
    error: bool,
    /// Whether its answer says `exclusive_failed`; for a write, known once it is applied.
    failed: bool,
    /// Whether its answer says so where it means nothing: to any other request, or beside an error.
    noise: bool,
    /// Whether its first answer was taken.
    answered: bool,
    /// Cycles from application to the first answer, and from one answer to the next.
    answer_after: u64,
    last_after: u64,
    scope: u8,
    /// Its number among the accepted requests.
    sequence: u64,
}

/// An answer that the memory offers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Offer {
    pub id: u8,
    pub first: bool,
    pub scope: u8,
    pub last: bool,
}

/// The memory and its requests in flight.
pub struct Environment {
    memory: Memory,
    /// By id.
    flights: [Flight; MAX_PENDING],
    /// By id: the bytes that the unit writes or, once a read is applied, those that it read.
    lines: Box<[[u8; MAX_LINE_BYTES]; MAX_PENDING]>,
    accepted: u64,
    /// A bit for each id in flight.
    busy: u64,
    /// Requests to be applied, and requests to be answered.
    applying: Queue,
    answering: Queue,
    foreign: usize,
    exclusives: Exclusives,
    /// The line size of the unit that the case is for, in bytes.
    line_bytes: u64,
}

/// Ids by the cycle in which they are due. Of several in one cycle, the one of the oldest request comes first.
#[derive(Default)]
struct Queue {
    /// Cycle, number of the request, id; in descending order, so that the next one is the last.
    waiting: Vec<(u64, u64, u8)>,
}

impl Queue {
    fn push(&mut self, cycle: u64, sequence: u64, id: u8) {
        let place = self.waiting.partition_point(|&(at, of, _)| (at, of) > (cycle, sequence));
        self.waiting.insert(place, (cycle, sequence, id));
    }

    /// Removes the next entry if its cycle has come. Returns that cycle and the id.
    #[inline]
    fn pop(&mut self, cycle: u64) -> Option<(u64, u8)> {
        self.waiting.pop_if(|&mut (at, ..)| at <= cycle).map(|(at, _, id)| (at, id))
    }
}

impl Default for Environment {
    fn default() -> Self {
        Environment {
            memory: Memory::new(0),
            flights: std::array::from_fn(|_| Flight::default()),
            lines: Box::new([[0; MAX_LINE_BYTES]; MAX_PENDING]),
            accepted: 0,
            busy: 0,
            applying: Queue::default(),
            answering: Queue::default(),
            foreign: 0,
            exclusives: Exclusives::default(),
            line_bytes: MAX_LINE_BYTES as u64,
        }
    }
}

impl Environment {
    /// Resets memory and queues for a case.
    pub fn restart(&mut self, case: &Case) {
        self.memory.restart(case.memory_seed);
        for bytes in &case.memory {
            self.memory.poke(bytes.addr, &bytes.bytes);
        }
        self.applying.waiting.clear();
        self.answering.waiting.clear();
        (self.accepted, self.busy, self.foreign) = (0, 0, 0);
        self.exclusives = Exclusives::default();
        self.line_bytes = case.shape.line_bytes as u64;
    }

    /// Takes a request of the unit, whose id must be free; `number` is its number in the log.
    pub fn accept(&mut self, cycle: u64, case: &Case, schedule: &Schedule, number: u32, seen: &Seen) {
        let answer = schedule.answer(self.accepted);
        let end = seen.line + self.line_bytes;
        let touches = |ranges: &[Range]| {
            ranges.iter().any(|range| range.base < end && seen.line < range.base.saturating_add(range.size))
        };
        let (write, exclusive) = match ReqKind::from_code(seen.kind) {
            Some(ReqKind::Write) => (true, false),
            Some(ReqKind::ReadExclusive) => (false, true),
            Some(ReqKind::WriteExclusive) => (true, true),
            _ => (false, false),
        };
        let error = touches(&case.bus_errors) || (write && exclusive && touches(&schedule.write_errors));
        let failed = !error && exclusive && !write && touches(&schedule.no_exclusives);
        if exclusive && !write {
            self.exclusives.begin(seen, schedule);
        }
        let id = usize::from(seen.id) % MAX_PENDING;
        if write {
            self.lines[id] = seen.data;
        }
        self.flights[id] = Flight {
            number,
            write,
            exclusive,
            line: seen.line,
            byte_enable: seen.byte_enable,
            error,
            failed,
            noise: (!exclusive || error) && case.noise(self.accepted),
            answered: false,
            answer_after: answer.answer.into(),
            last_after: u64::from(answer.last),
            scope: if !write || error && exclusive { Scope::Sys as u8 } else { answer.scope },
            sequence: self.accepted,
        };
        self.applying.push(cycle + 1 + u64::from(answer.apply), self.accepted, seen.id);
        self.accepted += 1;
        self.busy |= 1 << (seen.id & 63);
    }

    /// Applies the next request that is due by this cycle, if any. Returns the request's number in the log, and whether
    /// it took effect.
    #[inline]
    pub fn apply_next(&mut self, cycle: u64) -> Option<(u32, bool)> {
        let (at, id) = self.applying.pop(cycle)?;
        Some(self.apply(at, id))
    }

    fn apply(&mut self, cycle: u64, id: u8) -> (u32, bool) {
        let flight = &mut self.flights[usize::from(id) % MAX_PENDING];
        self.answering.push(cycle + flight.answer_after, flight.sequence, id);
        let (line, number) = (flight.line, flight.number);
        let made = !flight.error && !flight.failed;
        if !flight.write {
            if flight.exclusive && made {
                self.exclusives.reserve(id, line);
            }
            self.lines[usize::from(id) % MAX_PENDING] = self.memory.read_line(line);
            return (number, made);
        }
        if made && flight.exclusive && !self.exclusives.take(id, line) {
            // A refusal is the only answer.
            (flight.failed, flight.scope) = (true, Scope::Sys as u8);
        }
        if flight.error || flight.failed {
            return (number, false);
        }
        self.memory.write(line, flight.byte_enable, &self.lines[usize::from(id) % MAX_PENDING]);
        self.exclusives.written(line, line + self.line_bytes, self.line_bytes);
        (number, true)
    }

    /// The next access of another master, if it is due.
    #[inline]
    pub fn next_foreign<'a>(&mut self, cycle: u64, schedule: &'a Schedule) -> Option<&'a Foreign> {
        let next = schedule.foreign.get(self.foreign).filter(|access| access.cycle <= cycle)?;
        self.foreign += 1;
        Some(next)
    }

    /// Applies an access of another master.
    pub fn apply_foreign(&mut self, access: &Foreign) {
        if access.compare.is_none_or(|compare| self.memory.word(access.addr) == compare) {
            self.memory.poke(access.addr, &access.bytes);
            let end = access.addr.saturating_add(access.bytes.len() as u64);
            self.exclusives.written(access.addr, end, self.line_bytes);
        }
    }

    /// Whether an id still waits for its last answer.
    pub fn is_busy(&self, id: u8) -> bool {
        self.busy >> (id & 63) & 1 == 1
    }

    /// Whether every request has had its last answer.
    pub fn is_idle(&self) -> bool {
        self.busy == 0
    }

    /// The oldest answer that is due. It stays offered until it is [`Environment::taken`].
    #[inline]
    pub fn next_offer(&mut self, cycle: u64) -> Option<Offer> {
        let (_, id) = self.answering.pop(cycle)?;
        let found = &self.flights[usize::from(id) % MAX_PENDING];
        let sys = Scope::Sys as u8;
        // Each further answer reaches further, in steps of all sizes.
        let wider = u64::from(sys.saturating_sub(found.scope)).max(1);
        let scope = match found.answered {
            false => found.scope,
            true => found.scope + 1 + (found.last_after % wider) as u8,
        };
        Some(Offer { id, first: !found.answered, scope, last: scope == sys })
    }

    /// The fields of an answer.
    pub fn response(&self, offer: &Offer) -> Response {
        let Offer { id, first, scope, last } = *offer;
        let flight = &self.flights[usize::from(id) % MAX_PENDING];
        let data = self.lines[usize::from(id) % MAX_PENDING];
        Response {
            id,
            data,
            error: flight.error && first,
            exclusive_failed: (flight.failed || flight.noise) && first,
            scope,
            last,
        }
    }

    /// Records that an answer was taken: the request is over, or its next answer is scheduled.
    pub fn taken(&mut self, cycle: u64, offer: Offer) {
        if offer.last {
            self.busy &= !(1 << (offer.id & 63));
        } else {
            let flight = &mut self.flights[usize::from(offer.id) % MAX_PENDING];
            (flight.answered, flight.scope) = (true, offer.scope);
            self.answering.push(cycle + 1 + flight.last_after, flight.sequence, offer.id);
        }
    }
}
