// SPDX-License-Identifier: MIT OR Apache-2.0
//! What memory holds, as far as a log tells: for histories, and for messages about stale values. Nothing is compared
//! with it: what a load must deliver is what memory answered.

use super::log::{Event, Foreign, Log};
use crate::{model::Memory, op::ReqKind};

/// Memory, up to some event of a log.
pub struct Image {
    memory: Memory,
    next: usize,
    /// By id: the write in flight, and whether memory has come to it.
    writing: [Option<(u32, bool)>; 64],
}

impl Image {
    /// As the log begins.
    pub fn new(memory: Memory) -> Self {
        Image { memory, next: 0, writing: [None; 64] }
    }

    /// The 32-bit word at a byte address.
    pub fn word(&self, addr: u64) -> u32 {
        word(&self.memory, addr)
    }

    /// One byte.
    pub fn byte(&self, addr: u64) -> u8 {
        self.memory.byte(addr)
    }

    /// Goes on to before the event at a place of the log.
    pub fn advance(&mut self, log: &Log, to: usize) {
        for entry in &log.entries()[self.next..to.max(self.next)] {
            match entry.event {
                Event::Request(number) => {
                    let seen = log.requested(number);
                    let write = [ReqKind::Write as u8, ReqKind::WriteExclusive as u8].contains(&seen.kind);
                    self.writing[usize::from(seen.id % 64)] = write.then_some((number, false));
                }
                Event::Applied(number, made) => {
                    let seen = log.requested(number);
                    if let Some(writing) = &mut self.writing[usize::from(seen.id % 64)] {
                        writing.1 = true;
                        if made {
                            self.memory.write(seen.line, seen.byte_enable, &seen.data);
                        }
                    }
                }
                Event::Response(number) => {
                    let response = log.responded(number);
                    let writing = &mut self.writing[usize::from(response.id % 64)];
                    if let Some((number, over)) = writing.take() {
                        // Where the log does not say when it was done, it was done now.
                        if !over && !response.error && !response.exclusive_failed {
                            let seen = log.requested(number);
                            self.memory.write(seen.line, seen.byte_enable, &seen.data);
                        }
                    }
                }
                Event::Foreign(number) => self.foreign(log.made(number)),
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

/// The 32-bit word at a byte address.
fn word(memory: &Memory, addr: u64) -> u32 {
    u32::from_le_bytes(std::array::from_fn(|byte| memory.byte(addr.wrapping_add(byte as u64))))
}
