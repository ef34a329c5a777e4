// SPDX-License-Identifier: MIT OR Apache-2.0
//! What memory keeps of exclusive accesses (PORT-CAS): a reservation for each id, from its read-exclusive until somebody
//! writes to the line. It may be lost for no reason, but not kept in spite of one.
//! By the moments at which memory does what it is asked: `flight` follows answers, for coverage.

use super::{
    flight::Flight,
    log::{Foreign, Response, Seen},
};
use crate::op::{MAX_PENDING, ReqKind};

/// A line that an id has read exclusively, and whether it was written since.
#[derive(Clone, Copy)]
struct Reservation {
    line: u64,
    written: bool,
}

/// By id. What an id read before the log begins is not known, and nothing is said of it.
pub struct Reservations {
    of: [Option<Reservation>; MAX_PENDING],
    standing: usize,
    /// Whether memory did what the request in flight asked, once it came to it.
    made: [Option<bool>; MAX_PENDING],
}

/// What memory should have done or said, and what it did instead.
type Verdict = Result<(), (&'static str, &'static str)>;

impl Default for Reservations {
    fn default() -> Self {
        Reservations { of: [None; MAX_PENDING], standing: 0, made: [None; MAX_PENDING] }
    }
}

impl Reservations {
    /// A request with this id was taken.
    #[inline]
    pub fn asked(&mut self, id: u8) {
        self.made[usize::from(id) % MAX_PENDING] = None;
    }

    /// Memory gives its first answer to a request: it says what it did. A read may be made where there are no exclusives.
    #[inline]
    pub fn answered(&self, response: &Response, flight: &Flight) -> Verdict {
        let says = !(flight.exclusive && response.exclusive_failed);
        match self.made[usize::from(response.id) % MAX_PENDING].filter(|_| !response.error) {
            Some(true) if !says && flight.write => {
                Err(("no exclusive_failed: what was asked was made", "exclusive_failed"))
            }
            Some(false) if says => Err(("an error or exclusive_failed: what was asked was not made", "neither")),
            _ => Ok(()),
        }
    }

    /// Memory came to a request, and did what was asked or did not: whether it could.
    pub fn applied(&mut self, seen: &Seen, made: bool, line_bytes: u64) -> Verdict {
        let kind = ReqKind::from_code(seen.kind);
        if self.made[usize::from(seen.id) % MAX_PENDING].replace(made).is_some() {
            return Err(("one time", "applied again"));
        }
        let mut could = true;
        if let Some(ReqKind::ReadExclusive | ReqKind::WriteExclusive) = kind {
            let was = self.of[usize::from(seen.id) % MAX_PENDING].take();
            self.standing -= usize::from(was.is_some());
            could = !made || kind == Some(ReqKind::ReadExclusive) || !was.is_some_and(|was| was.written);
        }
        match kind {
            Some(ReqKind::ReadExclusive) if made => {
                self.of[usize::from(seen.id) % MAX_PENDING] = Some(Reservation { line: seen.line, written: false });
                self.standing += 1;
            }
            Some(ReqKind::Write | ReqKind::WriteExclusive) if made => self.written(seen.line, line_bytes, line_bytes),
            _ => {}
        }
        if could { Ok(()) } else { Err(("refused: its line was written since it was read", "made")) }
    }

    /// Memory came to a request that a reset had cut off.
    pub fn late(&mut self, seen: &Seen, made: bool, line_bytes: u64) {
        if made && [ReqKind::Write as u8, ReqKind::WriteExclusive as u8].contains(&seen.kind) {
            self.written(seen.line, line_bytes, line_bytes);
        }
    }

    /// Another master wrote; what its compare-and-store found, if it is known.
    pub fn foreign(&mut self, access: &Foreign, found: Option<u32>, line_bytes: u64) {
        if access.compare.is_none() || access.compare == found {
            self.written(access.addr, access.bytes.len() as u64, line_bytes);
        }
    }

    fn written(&mut self, from: u64, bytes: u64, line_bytes: u64) {
        if self.standing == 0 {
            return;
        }
        let to = from.saturating_add(bytes);
        for reservation in self.of.iter_mut().flatten() {
            reservation.written |= reservation.line < to && from < reservation.line.saturating_add(line_bytes);
        }
    }
}
