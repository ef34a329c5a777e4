// SPDX-License-Identifier: MIT OR Apache-2.0
//! The memory's side of compare-and-store: reservations and refusals (PORT-CAS).

use super::case::Schedule;
use crate::judge::log::Seen;
use crate::op::MAX_PENDING;

/// The warp, tag and line of a compare-and-store pair.
type Owner = (u8, u8, u64);

/// One reservation for each id, and the refusals left to the pair that uses the id.
pub struct Exclusives {
    /// By id: the reserved line.
    reserved: [Option<u64>; MAX_PENDING],
    /// The number of reservations. Every write checks it, and most cases have none.
    standing: usize,
    /// By id: the pair that used it last, and the refusals left to it. A pair whose write was made is forgotten.
    pairs: [Option<(Owner, u8)>; MAX_PENDING],
    /// The number of pairs begun.
    begun: u64,
}

impl Default for Exclusives {
    fn default() -> Self {
        Exclusives { reserved: [None; MAX_PENDING], standing: 0, pairs: [None; MAX_PENDING], begun: 0 }
    }
}

impl Exclusives {
    /// Notes an accepted read-exclusive: it begins a new pair, or repeats one.
    pub fn begin(&mut self, seen: &Seen, schedule: &Schedule) {
        let owner = (seen.warp, seen.tag, seen.line);
        let pair = &mut self.pairs[usize::from(seen.id) % MAX_PENDING];
        if pair.is_none_or(|(known, _)| known != owner) {
            *pair = Some((owner, schedule.refusals_of(self.begun)));
            self.begun += 1;
        }
    }

    /// Applies a read-exclusive.
    pub fn reserve(&mut self, id: u8, line: u64) {
        let place = &mut self.reserved[usize::from(id) % MAX_PENDING];
        self.standing += usize::from(place.is_none());
        *place = Some(line);
    }

    /// Applies a write-exclusive. Returns whether the write is made. Its reservation is gone afterwards.
    pub fn take(&mut self, id: u8, line: u64) -> bool {
        let id = usize::from(id) % MAX_PENDING;
        let stands = self.reserved[id] == Some(line);
        self.clear(id);
        let left = self.pairs[id].as_mut().map(|(_, left)| left).filter(|left| **left > 0);
        let refused = left.is_some();
        left.into_iter().for_each(|left| *left -= 1);
        let made = stands && !refused;
        if made {
            self.pairs[id] = None;
        }
        made
    }

    /// Clears the reservations on lines that a write of the bytes `from..to` touches, even if it changes nothing.
    /// `line_bytes` is the size of a line.
    #[inline]
    pub fn written(&mut self, from: u64, to: u64, line_bytes: u64) {
        if self.standing == 0 {
            return;
        }
        for id in 0..MAX_PENDING {
            if self.reserved[id].is_some_and(|line| line < to && from < line + line_bytes) {
                self.clear(id);
            }
        }
    }

    fn clear(&mut self, id: usize) {
        self.standing -= usize::from(self.reserved[id].take().is_some());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: u64 = 0x80;

    #[test]
    fn a_reservation_is_for_one_id_and_lasts_until_somebody_writes() {
        let mut memory = Exclusives::default();
        assert!(!memory.take(3, LINE));
        memory.reserve(3, LINE);
        memory.written(0, LINE, 128);
        memory.written(LINE + 128, LINE + 132, 128);
        assert!(!memory.take(4, LINE));
        assert!(memory.take(3, LINE));
        assert!(!memory.take(3, LINE));
        memory.reserve(3, LINE);
        memory.reserve(5, LINE);
        memory.written(LINE + 124, LINE + 128, 128);
        assert_eq!([3, 5].map(|id| memory.take(id, LINE)), [false; 2]);
    }

    #[test]
    fn a_pair_is_refused_as_often_as_the_schedule_says() {
        let schedule = Schedule { refusals: vec![2, 0], ..Schedule::eager() };
        let mut memory = Exclusives::default();
        let mut outcomes = |tag, times: usize| -> Vec<bool> {
            let mut once = || {
                memory.begin(&Seen { id: 1, tag, line: LINE, ..Seen::default() }, &schedule);
                memory.reserve(1, LINE);
                memory.take(1, LINE)
            };
            (0..times).map(|_| once()).collect()
        };
        assert_eq!(outcomes(0, 3), [false, false, true]);
        assert_eq!(outcomes(1, 1), [true]);
        assert_eq!(outcomes(2, 2), [false, false]);
    }
}
