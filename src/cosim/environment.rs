// SPDX-License-Identifier: MIT OR Apache-2.0
//! The memory at the unit's port: accepts requests, applies and answers them when the schedule says. It does what it is
//! asked, right or wrong.

use crate::{
    judge::log::Seen,
    model::Memory,
    op::{MAX_LINE_BYTES, Range, ReqKind, Scope},
};

use super::{
    case::{Case, Foreign, Schedule},
    exclusive::Exclusives,
};

const NEVER: u64 = u64::MAX;
/// Ids that the port can carry.
pub const IDS: usize = 64;

/// A request that is not over.
#[derive(Clone, Debug)]
pub struct Flight {
    pub id: u8,
    /// Its number in the log.
    number: u32,
    write: bool,
    /// It is half of a compare-and-store (PORT-CAS).
    exclusive: bool,
    line: u64,
    byte_enable: u128,
    pub error: bool,
    /// Its answer says `exclusive_failed`; of a write, known once it is applied.
    pub failed: bool,
    applied: bool,
    /// Its first answer was taken.
    answered: bool,
    apply_at: u64,
    answer_at: u64,
    last_after: u64,
    scope: u8,
    /// Counts requests.
    sequence: u64,
}

/// An answer on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Offer {
    /// Place in [`Environment::flights`].
    pub flight: usize,
    pub first: bool,
    pub scope: u8,
    pub last: bool,
}

/// The memory and its queue.
pub struct Environment {
    memory: Memory,
    pub flights: Vec<Flight>,
    /// By id: what the unit wants written, or, after a read is applied, what it read. Apart from the flights, which are
    /// searched often.
    pub lines: Box<[[u8; MAX_LINE_BYTES]; IDS]>,
    accepted: u64,
    /// A bit for each id in flight.
    busy: u64,
    foreign: usize,
    exclusives: Exclusives,
    /// Of a line, in the unit that the case is for.
    line_bytes: u64,
    /// No request is to be applied, no answer is due, before these cycles: most cycles need no look at the flights.
    apply_from: u64,
    answer_from: u64,
}

impl Default for Environment {
    fn default() -> Self {
        Environment {
            memory: Memory::new(0),
            flights: Vec::with_capacity(IDS),
            lines: Box::new([[0; MAX_LINE_BYTES]; IDS]),
            accepted: 0,
            busy: 0,
            foreign: 0,
            exclusives: Exclusives::default(),
            line_bytes: MAX_LINE_BYTES as u64,
            apply_from: NEVER,
            answer_from: NEVER,
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
        self.flights.clear();
        (self.accepted, self.busy, self.foreign) = (0, 0, 0);
        self.exclusives = Exclusives::default();
        self.line_bytes = case.shape.line_bytes as u64;
        (self.apply_from, self.answer_from) = (NEVER, NEVER);
    }

    /// Takes a request of the unit, whose id is free; `number` is its number in the log.
    pub fn accept(&mut self, cycle: u64, case: &Case, schedule: &Schedule, number: u32, seen: &Seen) {
        let answer = schedule.answer(self.accepted);
        let end = seen.line + self.line_bytes;
        let touches = |ranges: &[Range]| {
            ranges.iter().any(|range| range.base < end && seen.line < range.base.saturating_add(range.size))
        };
        let apply_at = cycle + 1 + u64::from(answer.apply);
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
        if write {
            self.lines[usize::from(seen.id)] = seen.data;
        }
        self.flights.push(Flight {
            id: seen.id,
            number,
            write,
            exclusive,
            line: seen.line,
            byte_enable: seen.byte_enable,
            error,
            failed,
            applied: false,
            answered: false,
            apply_at,
            answer_at: apply_at + u64::from(answer.answer),
            last_after: u64::from(answer.last),
            // An error is an answer of its own: nothing follows it.
            scope: if error || !write { Scope::Sys as u8 } else { answer.scope },
            sequence: self.accepted,
        });
        self.accepted += 1;
        self.busy |= 1 << seen.id;
        self.apply_from = self.apply_from.min(apply_at);
    }

    /// The place of the request that is to be applied next by this cycle, until there is none.
    #[inline]
    pub fn next_due(&mut self, cycle: u64) -> Option<usize> {
        if cycle < self.apply_from {
            return None;
        }
        let waiting = self.flights.iter().enumerate().filter(|(_, flight)| !flight.applied);
        let next = waiting.min_by_key(|(_, flight)| (flight.apply_at, flight.sequence));
        self.apply_from = next.map_or(NEVER, |(_, flight)| flight.apply_at);
        next.filter(|(_, flight)| flight.apply_at <= cycle).map(|(place, _)| place)
    }

    /// The memory comes to a request: its number in the log, and whether it did what was asked.
    pub fn apply(&mut self, place: usize) -> (u32, bool) {
        let flight = &mut self.flights[place];
        flight.applied = true;
        self.answer_from = self.answer_from.min(flight.answer_at);
        let (id, line, number) = (flight.id, flight.line, flight.number);
        let made = !flight.error && !flight.failed;
        if !flight.write {
            if flight.exclusive && made {
                self.exclusives.reserve(id, line);
            }
            self.lines[usize::from(id)] = self.memory.read_line(line);
            return (number, made);
        }
        if made && flight.exclusive && !self.exclusives.take(id, line) {
            // Nothing follows a refusal.
            (flight.failed, flight.scope) = (true, Scope::Sys as u8);
        }
        if flight.error || flight.failed {
            return (number, false);
        }
        self.memory.write(line, flight.byte_enable, &self.lines[usize::from(id)]);
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

    /// The answer that has waited longest, if one is due.
    #[inline]
    pub fn next_offer(&mut self, cycle: u64) -> Option<Offer> {
        if cycle < self.answer_from {
            return None;
        }
        let ready = self.flights.iter().enumerate().filter(|(_, flight)| flight.applied);
        let next = ready.min_by_key(|(_, flight)| (flight.answer_at, flight.sequence));
        self.answer_from = next.map_or(NEVER, |(_, flight)| flight.answer_at);
        let (flight, found) = next.filter(|(_, flight)| flight.answer_at <= cycle)?;
        let scope = if found.answered { Scope::Sys as u8 } else { found.scope };
        Some(Offer { flight, first: !found.answered, scope, last: scope == Scope::Sys as u8 })
    }

    /// An answer was taken: the request is over, or waits for its last answer.
    pub fn taken(&mut self, cycle: u64, offer: Offer) {
        if offer.last {
            let over = self.flights.swap_remove(offer.flight);
            self.busy &= !(1 << over.id);
        } else {
            let flight = &mut self.flights[offer.flight];
            flight.answered = true;
            flight.answer_at = cycle + 1 + flight.last_after;
        }
    }
}

/// The 32-bit word at a byte address.
fn word(memory: &Memory, addr: u64) -> u32 {
    u32::from_le_bytes(std::array::from_fn(|byte| memory.byte(addr.wrapping_add(byte as u64))))
}
