// SPDX-License-Identifier: MIT OR Apache-2.0
//! The progress of a phase: which operations have a tag, which were accepted, which are done.

use super::Case;

/// The number of operations that may be ready before the unit has accepted them: their data may come first.
const AHEAD: usize = 8;

/// How operations get their tags, of which no two in flight share one (PORT-OP).
#[derive(Clone, Copy, PartialEq, Eq)]
enum Tags {
    /// One after the other.
    Counted,
    /// Likewise, with their bits reversed: neighbours differ in the highest bit.
    Reversed,
    /// The one that came free last.
    Last,
}

/// The progress of the operations of a phase.
pub(super) struct Progress<'a> {
    pub ready: usize,
    pub accepted: usize,
    pub done: usize,
    /// The first operation that is not done.
    pub oldest: usize,
    pub over: Vec<bool>,
    /// By tag: the operation in flight. By operation: its tag. And the tags that are free, if they matter.
    pub by_tag: [Option<usize>; 256],
    given: Vec<u8>,
    free: Vec<u8>,
    tags: Tags,
    /// The flushes still to come.
    pub flushes: &'a [usize],
    /// The most operations from the oldest that is not done to the youngest that is ready. Warps overtake each other,
    /// so the oldest may wait for long.
    pub window: usize,
}

impl<'a> Progress<'a> {
    pub fn new(operations: usize, flushes: &'a [usize], case: &Case) -> Self {
        let over = vec![false; operations];
        // Programs have seed 0.
        let tags = [Tags::Counted, Tags::Reversed, Tags::Last][(case.memory_seed % 3) as usize];
        let free = if tags == Tags::Last { (0..=u8::MAX).rev().collect() } else { Vec::new() };
        // Enough to keep all ids in flight with operations of one request each, and fewer than there are tags.
        let window = (2 * case.shape.pending + 32).clamp(64, 192);
        let (by_tag, given) = ([None; 256], Vec::with_capacity(operations));
        Progress { ready: 0, accepted: 0, done: 0, oldest: 0, over, by_tag, given, free, tags, flushes, window }
    }

    /// The next operation's tag, if it is free.
    fn next_tag(&self) -> Option<u8> {
        let tag = match self.tags {
            Tags::Counted => self.ready as u8,
            Tags::Reversed => (self.ready as u8).reverse_bits(),
            Tags::Last => *self.free.last()?,
        };
        self.by_tag[usize::from(tag)].is_none().then_some(tag)
    }

    /// Gives the next operation a tag if one is free and there is room. `idle`: every last answer was taken.
    pub fn advance(&mut self, serial: bool, idle: bool) -> bool {
        let flush = self.flushes.first() == Some(&self.ready);
        if flush && !(idle && self.ready == self.done) {
            return false;
        }
        let room = self.ready < self.over.len()
            && (!serial || self.ready == self.done)
            && self.ready - self.accepted < AHEAD
            && self.ready - self.oldest < self.window;
        let Some(tag) = self.next_tag().filter(|_| room) else { return false };
        self.by_tag[usize::from(tag)] = Some(self.ready);
        self.given.push(tag);
        self.free.pop();
        self.ready += 1;
        self.flushes = if flush { &self.flushes[1..] } else { self.flushes };
        true
    }

    /// The tag of an operation that is ready or in flight.
    pub fn tag(&self, index: usize) -> u8 {
        self.given[index]
    }

    /// Records a completion. Returns whether it belongs to an operation in flight.
    pub fn completed(&mut self, tag: u8) -> bool {
        let Some(index) = self.by_tag[usize::from(tag)].filter(|&index| index < self.accepted) else { return false };
        self.by_tag[usize::from(tag)] = None;
        if self.tags == Tags::Last {
            self.free.push(tag);
        }
        self.over[index] = true;
        self.done += 1;
        while self.over.get(self.oldest) == Some(&true) {
            self.oldest += 1;
        }
        true
    }
}
