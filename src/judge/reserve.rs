// SPDX-License-Identifier: MIT OR Apache-2.0
//! Memory's reservations for exclusive accesses (PORT-CAS). Each id has one, from its read-exclusive until anyone
//! writes to the line. Memory may drop a reservation at any time, but must not keep it past a write.
//!
//! These reservations follow the moments at which memory performs requests. Those in `flight` follow its answers, and
//! serve coverage.

use super::{
    flight::Flight,
    image::Image,
    log::{Foreign, Response, Seen},
};
use crate::op::{MAX_PENDING, ReqKind};

/// A line that an id has read exclusively, and whether it was written since.
#[derive(Clone, Copy)]
struct Reservation {
    line: u64,
    written: bool,
}

/// The reservations by id. One from before the log begins is not known, and is not judged.
pub struct Reservations {
    of: [Option<Reservation>; MAX_PENDING],
    standing: usize,
    /// By id: whether memory performed the request in flight; none until memory comes to the request.
    made: [Option<bool>; MAX_PENDING],
    /// By id: the number of the last request that was taken with it.
    last: [Option<u32>; MAX_PENDING],
    /// By id: whether memory answered the request before it came to it, so far.
    early: [bool; MAX_PENDING],
    /// By id: what memory held in the line as it performed the read-exclusive in flight; empty if that is not known.
    held: Vec<Vec<u8>>,
}

/// The error is what memory should have done or said, and what it did instead.
type Verdict = Result<(), (&'static str, &'static str)>;

impl Default for Reservations {
    fn default() -> Self {
        Reservations {
            of: [None; MAX_PENDING],
            standing: 0,
            made: [None; MAX_PENDING],
            last: [None; MAX_PENDING],
            early: [false; MAX_PENDING],
            held: vec![Vec::new(); MAX_PENDING],
        }
    }
}

impl Reservations {
    /// Records a request that was taken, and its number.
    #[inline]
    pub fn asked(&mut self, seen: &Seen, number: u32) {
        let id = usize::from(seen.id) % MAX_PENDING;
        self.last[id] = Some(number);
        self.made[id] = None;
        self.early[id] = false;
        self.held[id].clear();
        if seen.kind == ReqKind::ReadExclusive as u8 {
            // Memory reads the line again at some time, logged or not, before it is written.
            self.standing -= usize::from(self.of[id].take().is_some());
        }
    }

    /// Records what memory held as it performed a read-exclusive.
    pub fn holds(&mut self, seen: &Seen, image: &Image) {
        let held = &mut self.held[usize::from(seen.id) % MAX_PENDING];
        held.clear();
        let enabled = |byte: &u64| seen.byte_enable >> byte & 1 == 1;
        held.extend((0..128).filter(enabled).map(|byte| image.byte(seen.line + byte)));
    }

    /// Compares memory's first answer to a request with what memory did. Memory without exclusives may perform a
    /// read-exclusive and still answer `exclusive_failed`.
    #[inline]
    pub fn answered(&mut self, response: &Response, flight: &Flight) -> Verdict {
        self.early[usize::from(response.id) % MAX_PENDING] = !self.came(response.id);
        let says = !(flight.exclusive && response.exclusive_failed);
        match self.made[usize::from(response.id) % MAX_PENDING].filter(|_| !response.error) {
            Some(true) if !says && flight.write => {
                Err(("no exclusive_failed: what was asked was made", "exclusive_failed"))
            }
            Some(false) if says => Err(("an error or exclusive_failed: what was asked was not made", "neither")),
            Some(true) if says && flight.exclusive && !flight.write => {
                let held = &self.held[usize::from(response.id) % MAX_PENDING];
                let enabled = (0..128).filter(|byte| flight.byte_enable >> byte & 1 == 1);
                let same = held.iter().zip(enabled).all(|(held, byte)| *held == response.data[byte]);
                if same { Ok(()) } else { Err(("what memory held as it performed the read", "something else")) }
            }
            _ => Ok(()),
        }
    }

    /// Whether memory has come to the request in flight with this id.
    pub fn came(&self, id: u8) -> bool {
        self.made[usize::from(id) % MAX_PENDING].is_some()
    }

    /// Whether a request is the last one with this id.
    pub fn is_last(&self, id: u8, number: u32) -> bool {
        self.last[usize::from(id) % MAX_PENDING] == Some(number)
    }

    /// Whether memory answered a request with this id, and had not come to it. Another one may have the id by now.
    pub fn is_early(&self, id: u8, number: u32) -> bool {
        self.early[usize::from(id) % MAX_PENDING] || !self.is_last(id, number)
    }

    /// Judges memory when it comes to a request, for the first time: it must not perform a write-exclusive whose line was
    /// written since the read. `made` is whether it performed the request.
    pub fn applied(&mut self, seen: &Seen, made: bool, line_bytes: u64) -> Verdict {
        let kind = ReqKind::from_code(seen.kind);
        self.made[usize::from(seen.id) % MAX_PENDING] = Some(made);
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

    /// Records that memory came to a request that a reset had cut off.
    pub fn late(&mut self, seen: &Seen, made: bool, line_bytes: u64) {
        if made && seen.writes() {
            self.written(seen.line, line_bytes, line_bytes);
        }
    }

    /// Records another master's write. `found` is what its compare-and-store found, if that is known.
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
