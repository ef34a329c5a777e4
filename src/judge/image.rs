// SPDX-License-Identifier: MIT OR Apache-2.0
//! The contents of memory, as far as a log shows them: for histories, and for messages about stale values. No load is
//! compared with the image: a load must deliver what memory answered.

use rustc_hash::FxHashSet;

use super::log::{Event, Foreign, Log};
use crate::model::Memory;

/// Memory as it is before some event of a log.
pub struct Image {
    memory: Memory,
    next: usize,
    /// By id: the write in flight, and whether memory has come to it.
    writing: [Option<(u32, bool)>; 64],
    /// Writes that a reset cut off before memory came to them.
    late: FxHashSet<u32>,
    /// Lines that were written at a time that the log does not show.
    unsure: FxHashSet<u64>,
}

impl Image {
    /// Memory as the log begins.
    pub fn new(memory: Memory) -> Self {
        let (late, unsure) = Default::default();
        Image { memory, next: 0, writing: [None; 64], late, unsure }
    }

    /// The 32-bit word at a byte address.
    pub fn word(&self, addr: u64) -> u32 {
        self.memory.word(addr)
    }

    /// The byte at an address.
    pub fn byte(&self, addr: u64) -> u8 {
        self.memory.byte(addr)
    }

    /// Whether the log shows when memory performed each write to a line so far.
    pub fn is_sure(&self, log: &Log, line: u64) -> bool {
        let open = self.writing.iter().flatten().filter(|(_, over)| !over).map(|(number, _)| number);
        !self.unsure.contains(&line) && !self.late.iter().chain(open).any(|&number| log.requested(number).line == line)
    }

    /// Advances to just before the entry `to` of the log.
    pub fn advance(&mut self, log: &Log, to: usize) {
        for entry in &log.entries()[self.next..to.max(self.next)] {
            match entry.event {
                Event::Request(number) => {
                    let seen = log.requested(number);
                    self.writing[usize::from(seen.id % 64)] = seen.writes().then_some((number, false));
                }
                Event::Applied(number, made) => {
                    let seen = log.requested(number);
                    let late = self.late.remove(&number);
                    let writing =
                        self.writing[usize::from(seen.id % 64)].as_mut().filter(|(other, _)| *other == number);
                    if (late || writing.is_some()) && made {
                        self.memory.write(seen.line, seen.byte_enable, &seen.data);
                    }
                    if let Some((_, over)) = writing {
                        *over = true;
                    }
                }
                Event::Response(number) => {
                    let response = log.responded(number);
                    let writing = &mut self.writing[usize::from(response.id % 64)];
                    if let Some((number, over)) = writing.take() {
                        // If the log does not show when memory performed the write, the answer counts.
                        let seen = log.requested(number);
                        let refused = response.exclusive_failed && seen.is_pair();
                        if !over && !response.error && !refused {
                            self.memory.write(seen.line, seen.byte_enable, &seen.data);
                            self.unsure.insert(seen.line);
                        }
                    }
                }
                Event::Foreign(number) => self.foreign(log.made(number)),
                Event::Reset => {
                    let cut = std::mem::replace(&mut self.writing, [None; 64]);
                    self.late.extend(cut.into_iter().flatten().filter_map(|(number, over)| (!over).then_some(number)));
                }
                _ => {}
            }
        }
        self.next = to.max(self.next);
    }

    fn foreign(&mut self, access: &Foreign) {
        if access.compare.is_none_or(|compare| self.word(access.addr) == compare) {
            self.memory.poke(access.addr, &access.bytes);
        }
    }
}
