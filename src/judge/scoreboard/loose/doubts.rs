// SPDX-License-Identifier: MIT OR Apache-2.0
//! Errors of which it is not known whose they are. Where lanes have a byte in common, each may have asked for it in a
//! request of its own: then one of them at least has the error, and what each loads and reports must fit.

use crate::op::LaneMask;

/// In place of a register, if there is none.
pub(super) const NOWHERE: usize = usize::MAX;

/// The errors of an operation that may be of one lane or of another.
#[derive(Clone, Default)]
pub(crate) struct Doubts {
    /// Whether lanes may ask for the same byte in requests of their own.
    pub apart: bool,
    /// Lanes that may have a bus error: every byte for which they got one is another lane's as well, which may have
    /// asked for it.
    perhaps: LaneMask,
    /// The lanes of each such error: one of them at least has it.
    pub errors: Vec<LaneMask>,
    /// The number of errors so far.
    number: usize,
    /// Register by register what such an error may have made 0, with the number of the error; [`NOWHERE`] for bytes that
    /// no register gets. The other registers of its lanes may be 0 as well, since all their bytes of a line are awaited
    /// together: without a number.
    unsure: Vec<(usize, LaneMask, Option<usize>)>,
    /// Lanes that have 0 for another value because of it, and so must report it; and those that have the values of all
    /// registers for which they may have one, and so must not.
    failed: LaneMask,
    spared: LaneMask,
}

impl Doubts {
    /// No errors so far.
    pub fn new(apart: bool) -> Self {
        Doubts { apart, ..Doubts::default() }
    }

    /// Whether there were errors.
    pub fn any(&self) -> bool {
        self.number > 0
    }

    /// Notes an error for bytes of the lanes `touched`, of which `faulty` surely have it.
    pub fn error(&mut self, touched: LaneMask, faulty: LaneMask) {
        self.perhaps |= touched - faulty;
        // Whoever had no earlier error may have this one.
        self.spared -= touched - faulty;
        if faulty.is_empty() {
            self.errors.push(touched);
        }
        self.number += 1;
    }

    /// Notes the lanes for which the last error may have made a register 0, and those for which it may be 0 since it is
    /// awaited together with such a one.
    pub fn zeroes(&mut self, register: usize, filled: LaneMask, others: LaneMask) {
        self.unsure.push((register, filled, Some(self.number)));
        self.unsure.push((register, others, None));
    }

    /// Of the lanes of a beat that differ from the model, those that are right because of an error. Notes what each lane
    /// has then shown of it.
    pub fn excused(&mut self, register: usize, lanes: LaneMask, wrong: LaneMask, data: &[u32]) -> LaneMask {
        let mut excused = LaneMask::NONE;
        for lane in lanes.iter() {
            if !self.unsure.iter().any(|(of, lanes, _)| *of == register && lanes.contains(lane)) {
                continue;
            }
            let zero = data[lane] == 0;
            excused.insert_if(zero, lane);
            self.failed.insert_if(zero && wrong.contains(lane), lane);
            if !zero {
                // No error is for this register of the lane. One may still be for another.
                let mine = self.unsure.iter_mut().filter(|(of, ..)| *of == register);
                mine.for_each(|(_, lanes, _)| *lanes -= LaneMask::only(lane));
                let left = self.unsure.iter().any(|(_, lanes, error)| error.is_some() && lanes.contains(lane));
                self.spared.insert_if(!left, lane);
            }
        }
        excused & wrong
    }

    /// Whether a lane that may have an error may report it, or not, after what it has loaded.
    pub fn may_report(&self, lane: usize, error: bool) -> bool {
        let shown = if error { self.spared } else { self.failed };
        self.perhaps.contains(lane) && !shown.contains(lane)
    }

    /// Whether a lane must report an error that others may have instead, after what it has loaded.
    pub fn must_report(&self, lane: usize) -> bool {
        self.failed.contains(lane)
    }
}
