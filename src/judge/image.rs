// SPDX-License-Identifier: MIT OR Apache-2.0
//! The contents of memory, as far as a log shows them: for histories, and for messages about stale values. No load is
//! compared with the image: a load must deliver what memory answered.

use rustc_hash::{FxHashMap, FxHashSet};

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
    /// By line: the number of these, if there are any.
    awaited: FxHashMap<u64, u32>,
    /// Lines that were written, or may have been, at a time that the log does not show.
    unsure: FxHashSet<u64>,
}

impl Image {
    /// Memory as the log begins.
    pub fn new(memory: Memory) -> Self {
        let (late, awaited, unsure) = Default::default();
        Image { memory, next: 0, writing: [None; 64], late, awaited, unsure }
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
        let mut open = self.writing.iter().flatten().filter(|(_, over)| !over).map(|(number, _)| number);
        self.is_known(line) && !open.any(|&number| log.requested(number).line == line)
    }

    /// Whether the log shows what a line holds. Writes that are still to be answered do not count: memory comes to them
    /// later, or their answers will tell that they were made unseen.
    pub fn is_known(&self, line: u64) -> bool {
        !self.unsure.contains(&line) && !self.awaited.contains_key(&line)
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
                    if late {
                        self.came(seen.line);
                    }
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
                        let made = !over && !response.error && !refused;
                        if made {
                            self.memory.write(seen.line, seen.byte_enable, &seen.data);
                        }
                        // Memory may perform a write, and answer it with an error.
                        if made || !over && response.error {
                            self.unsure.insert(seen.line);
                        }
                    }
                }
                Event::Foreign(number) => self.foreign(log.made(number)),
                Event::Reset => {
                    let cut = std::mem::replace(&mut self.writing, [None; 64]);
                    for (number, _) in cut.into_iter().flatten().filter(|(_, over)| !over) {
                        self.late.insert(number);
                        *self.awaited.entry(log.requested(number).line).or_default() += 1;
                    }
                }
                _ => {}
            }
        }
        self.next = to.max(self.next);
    }

    /// Memory came to a write to a line that a reset had cut off.
    #[cold]
    fn came(&mut self, line: u64) {
        if let Some(left) = self.awaited.get_mut(&line) {
            *left -= 1;
            if *left == 0 {
                self.awaited.remove(&line);
            }
        }
    }

    fn foreign(&mut self, access: &Foreign) {
        if access.compare.is_none_or(|compare| self.word(access.addr) == compare) {
            self.memory.poke(access.addr, &access.bytes);
        }
    }
}
