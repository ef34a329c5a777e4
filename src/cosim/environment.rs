// SPDX-License-Identifier: MIT OR Apache-2.0
//! The memory at the unit's port: accepts requests, applies and answers them when the schedule says. It does what it is
//! asked, right or wrong.

use crate::{
    judge::log::{Response, Seen},
    model::Memory,
    op::{MAX_LINE_BYTES, MAX_PENDING, Range, ReqKind, Scope},
};

use super::{
    case::{Case, Foreign, Schedule},
    exclusive::Exclusives,
};

/// A request that is not over.
#[derive(Clone, Debug, Default)]
struct Flight {
    /// Its number in the log.
    number: u32,
    write: bool,
    /// It is half of a compare-and-store (PORT-CAS).
    exclusive: bool,
    line: u64,
    byte_enable: u128,
    error: bool,
    /// Its answer says `exclusive_failed`; of a write, known once it is applied.
    failed: bool,
    /// Its first answer was taken.
    answered: bool,
    /// Cycles from when it is applied to its first answer, and from that to its last.
    answer_after: u64,
    last_after: u64,
    scope: u8,
    /// Counts requests.
    sequence: u64,
}

/// An answer on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Offer {
    pub id: u8,
    pub first: bool,
    pub scope: u8,
    pub last: bool,
}

/// The memory and its queue.
pub struct Environment {
    memory: Memory,
    /// By id.
    flights: [Flight; MAX_PENDING],
    /// By id: what the unit wants written, or, after a read is applied, what it read.
    lines: Box<[[u8; MAX_LINE_BYTES]; MAX_PENDING]>,
    accepted: u64,
    /// A bit for each id in flight.
    busy: u64,
    /// Requests that are to be applied, and those whose answer is to come.
    applying: Queue,
    answering: Queue,
    foreign: usize,
    exclusives: Exclusives,
    /// Of a line, in the unit that the case is for.
    line_bytes: u64,
}

/// Ids by when something is to be done for them; of several in one cycle the one whose request came first.
#[derive(Default)]
struct Queue {
    /// Cycle, number of the request, id: the next one is the last.
    waiting: Vec<(u64, u64, u8)>,
}

impl Queue {
    fn push(&mut self, cycle: u64, sequence: u64, id: u8) {
        let place = self.waiting.partition_point(|&(at, of, _)| (at, of) > (cycle, sequence));
        self.waiting.insert(place, (cycle, sequence, id));
    }

    /// The next one, if its cycle has come: that cycle, and the id.
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
    /// As a case starts it.
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

    /// Takes a request of the unit, whose id is free; `number` is its number in the log.
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

    /// The memory comes to the next request that is to be applied by this cycle, until there is none: the request's number
    /// in the log, and whether it did what was asked.
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
            // Nothing follows a refusal.
            (flight.failed, flight.scope) = (true, Scope::Sys as u8);
        }
        if flight.error || flight.failed {
            return (number, false);
        }
        self.memory.write(line, flight.byte_enable, &self.lines[usize::from(id) % MAX_PENDING]);
        self.exclusives.written(line, line + self.line_bytes, self.line_bytes);
        (number, true)
    }

    /// What another master does next, if it is due.
    #[inline]
    pub fn next_foreign<'a>(&mut self, cycle: u64, schedule: &'a Schedule) -> Option<&'a Foreign> {
        let next = schedule.foreign.get(self.foreign).filter(|access| access.cycle <= cycle)?;
        self.foreign += 1;
        Some(next)
    }

    /// Another master's access is made.
    pub fn apply_foreign(&mut self, access: &Foreign) {
        if access.compare.is_none_or(|compare| word(&self.memory, access.addr) == compare) {
            self.memory.poke(access.addr, &access.bytes);
            let end = access.addr.saturating_add(access.bytes.len() as u64);
            self.exclusives.written(access.addr, end, self.line_bytes);
        }
    }

    /// Whether an id waits for its last answer.
    pub fn is_busy(&self, id: u8) -> bool {
        self.busy >> (id & 63) & 1 == 1
    }

    /// Whether no request waits for an answer.
    pub fn is_idle(&self) -> bool {
        self.busy == 0
    }

    /// The answer that has waited longest, if one is due: it is offered until it is [`Environment::taken`].
    #[inline]
    pub fn next_offer(&mut self, cycle: u64) -> Option<Offer> {
        let (_, id) = self.answering.pop(cycle)?;
        let found = &self.flights[usize::from(id) % MAX_PENDING];
        let gpu = Scope::Gpu as u8;
        // Some answer for a scope between the first and the last one.
        let between = found.scope < gpu && found.last_after.is_multiple_of(2);
        let scope = match (found.answered, between) {
            (false, _) => found.scope,
            (true, true) => gpu,
            (true, false) => Scope::Sys as u8,
        };
        Some(Offer { id, first: !found.answered, scope, last: scope == Scope::Sys as u8 })
    }

    /// What an answer carries.
    pub fn response(&self, offer: &Offer) -> Response {
        let Offer { id, first, scope, last } = *offer;
        let flight = &self.flights[usize::from(id) % MAX_PENDING];
        let data = self.lines[usize::from(id) % MAX_PENDING];
        Response { id, data, error: flight.error && first, exclusive_failed: flight.failed && first, scope, last }
    }

    /// An answer was taken: the request is over, or waits for its last answer.
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

/// The 32-bit word at a byte address.
fn word(memory: &Memory, addr: u64) -> u32 {
    u32::from_le_bytes(std::array::from_fn(|byte| memory.byte(addr.wrapping_add(byte as u64))))
}
