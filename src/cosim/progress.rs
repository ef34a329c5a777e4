// SPDX-License-Identifier: MIT OR Apache-2.0
//! The progress of a phase: which operations have a tag, which were accepted, which are done.

use crate::op::Shape;

/// The number of operations that may be ready before the unit has accepted them: their data may come first.
const AHEAD: usize = 8;

/// The progress of the operations of a phase.
pub(super) struct Progress<'a> {
    pub ready: usize,
    pub accepted: usize,
    pub done: usize,
    /// The first operation that is not done.
    pub oldest: usize,
    pub over: Vec<bool>,
    /// By tag: the operation in flight.
    pub by_tag: [Option<usize>; 256],
    pub next_tag: u8,
    /// The flushes still to come.
    pub flushes: &'a [usize],
    /// The most operations from the oldest that is not done to the youngest that is ready. Warps overtake each other,
    /// so the oldest may wait for long.
    pub window: usize,
}

impl<'a> Progress<'a> {
    pub fn new(operations: usize, flushes: &'a [usize], shape: &Shape) -> Self {
        let over = vec![false; operations];
        // Enough to keep all ids in flight with operations of one request each, and fewer than there are tags.
        let window = (2 * shape.pending + 32).clamp(64, 192);
        Progress { ready: 0, accepted: 0, done: 0, oldest: 0, over, by_tag: [None; 256], next_tag: 0, flushes, window }
    }

    /// Gives the next operation a tag if one is free and there is room. `idle`: every last answer was taken.
    pub fn advance(&mut self, serial: bool, idle: bool) -> bool {
        let flush = self.flushes.first() == Some(&self.ready);
        if flush && !(idle && self.ready == self.done) {
            return false;
        }
        let tag = usize::from(self.next_tag);
        let room = self.ready < self.over.len()
            && (!serial || self.ready == self.done)
            && self.ready - self.accepted < AHEAD
            && self.ready - self.oldest < self.window
            && self.by_tag[tag].is_none();
        if room {
            self.by_tag[tag] = Some(self.ready);
            self.next_tag = self.next_tag.wrapping_add(1);
            self.ready += 1;
            self.flushes = if flush { &self.flushes[1..] } else { self.flushes };
        }
        room
    }

    /// The tag of an operation that is ready or in flight.
    pub fn tag(&self, index: usize) -> u8 {
        // Tags are given in turn; none is skipped, as the next operation waits until its tag is free.
        self.next_tag.wrapping_sub((self.ready - index) as u8)
    }

    /// Records a completion. Returns whether it belongs to an operation in flight.
    pub fn completed(&mut self, tag: u8) -> bool {
        let Some(index) = self.by_tag[usize::from(tag)].filter(|&index| index < self.accepted) else { return false };
        self.by_tag[usize::from(tag)] = None;
        self.over[index] = true;
        self.done += 1;
        while self.over.get(self.oldest) == Some(&true) {
            self.oldest += 1;
        }
        true
    }
}
