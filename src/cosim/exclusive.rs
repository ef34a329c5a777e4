// SPDX-License-Identifier: MIT OR Apache-2.0
//! The memory's side of compare-and-store: reservations, and how often it refuses (PORT-CAS).

use super::{case::Schedule, environment::IDS};

/// One reservation for each id, and how often the pair that has the id was refused.
pub struct Exclusives {
    /// By id: the line.
    reserved: [Option<u64>; IDS],
    /// How many: most cases have none, and every write asks.
    standing: usize,
    /// By id: the line of the last exclusive read, until its exclusive write comes.
    asked: [Option<u64>; IDS],
    /// By id: the pair that used it last, by operation and request, and the refusals that are left to it.
    pairs: [Option<((usize, usize), u8)>; IDS],
    /// Pairs begun.
    begun: u64,
}

/// What becomes of an exclusive write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    Made,
    /// The schedule says so.
    Refused,
    /// Somebody wrote to the line after it was read.
    Lost,
}

impl Default for Exclusives {
    fn default() -> Self {
        Exclusives { reserved: [None; IDS], standing: 0, asked: [None; IDS], pairs: [None; IDS], begun: 0 }
    }
}

impl Exclusives {
    /// A read-exclusive was accepted: of a new pair, or the repeat of one.
    pub fn begin(&mut self, id: u8, owner: (usize, usize), schedule: &Schedule) {
        let pair = &mut self.pairs[usize::from(id) % IDS];
        if pair.is_none_or(|(known, _)| known != owner) {
            *pair = Some((owner, schedule.refusals_of(self.begun)));
            self.begun += 1;
        }
    }

    /// A read-exclusive is applied.
    pub fn reserve(&mut self, id: u8, line: u64) {
        let place = &mut self.reserved[usize::from(id) % IDS];
        self.standing += usize::from(place.is_none());
        *place = Some(line);
        self.asked[usize::from(id) % IDS] = Some(line);
    }

    /// Whether an exclusive read of the line, by the same id, stands before an exclusive write. Its reservation may be
    /// lost.
    pub fn was_asked(&self, id: u8, line: u64) -> bool {
        self.asked[usize::from(id) % IDS] == Some(line)
    }

    /// A write-exclusive was accepted: another one wants a read of its own.
    pub fn spend(&mut self, id: u8) {
        self.asked[usize::from(id) % IDS] = None;
    }

    /// A write-exclusive is applied: what becomes of it. Its reservation is gone afterwards, whichever.
    pub fn take(&mut self, id: u8, line: u64) -> Outcome {
        let id = usize::from(id) % IDS;
        let stands = self.reserved[id] == Some(line);
        self.clear(id);
        let left = self.pairs[id].as_mut().map(|(_, left)| left).filter(|left| **left > 0);
        let refused = left.is_some();
        left.into_iter().for_each(|left| *left -= 1);
        match (stands, refused) {
            (false, _) => Outcome::Lost,
            (true, true) => Outcome::Refused,
            (true, false) => Outcome::Made,
        }
    }

    /// Somebody writes bytes from `from` to before `to`, though they be what they were. `line_bytes` is a line's size.
    #[inline]
    pub fn written(&mut self, from: u64, to: u64, line_bytes: u64) {
        if self.standing == 0 {
            return;
        }
        for id in 0..IDS {
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
        let (mut memory, schedule) = (Exclusives::default(), Schedule::eager());
        memory.begin(3, (0, 0), &schedule);
        assert!(!memory.was_asked(3, LINE));
        assert_eq!(memory.take(3, LINE), Outcome::Lost);
        memory.reserve(3, LINE);
        assert!(memory.was_asked(3, LINE) && !memory.was_asked(4, LINE) && !memory.was_asked(3, 2 * LINE));
        memory.written(0, LINE, 128);
        memory.written(LINE + 128, LINE + 132, 128);
        assert_eq!(memory.take(4, LINE), Outcome::Lost);
        assert_eq!(memory.take(3, LINE), Outcome::Made);
        assert_eq!(memory.take(3, LINE), Outcome::Lost);
        memory.reserve(3, LINE);
        memory.reserve(5, LINE);
        memory.written(LINE + 124, LINE + 128, 128);
        assert!([3, 5].iter().all(|&id| memory.was_asked(id, LINE)));
        assert_eq!([3, 5].map(|id| memory.take(id, LINE)), [Outcome::Lost; 2]);
        memory.spend(3);
        assert_eq!([3, 5].map(|id| memory.was_asked(id, LINE)), [false, true]);
    }

    #[test]
    fn a_pair_is_refused_as_often_as_the_schedule_says() {
        let schedule = Schedule { refusals: vec![2, 0], ..Schedule::eager() };
        let mut memory = Exclusives::default();
        let mut outcomes = |owner, times: usize| -> Vec<Outcome> {
            let mut once = || {
                memory.begin(1, owner, &schedule);
                memory.reserve(1, LINE);
                memory.take(1, LINE)
            };
            (0..times).map(|_| once()).collect()
        };
        assert_eq!(outcomes((0, 0), 3), [Outcome::Refused, Outcome::Refused, Outcome::Made]);
        assert_eq!(outcomes((0, 1), 1), [Outcome::Made]);
        assert_eq!(outcomes((1, 0), 2), [Outcome::Refused, Outcome::Refused]);
    }
}
