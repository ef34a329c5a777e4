// SPDX-License-Identifier: MIT OR Apache-2.0
//! Who stored what a register was loaded from.

use serde::Serialize;

use super::{Author, RegisterTrail, Source, Trail};
use crate::op::hex;

/// Bytes that one author stored, of those that a register takes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Stored {
    /// The first address, or offset in the scratchpad.
    #[serde(with = "hex")]
    pub addr: u64,
    pub bytes: usize,
    /// When; none of bytes that nobody has written since the log began.
    pub cycle: Option<u64>,
    pub by: Option<Author>,
}

impl Trail<'_> {
    /// Who stored the bytes of a register last before memory answered, or before its operation was taken; in runs of
    /// bytes that have one author.
    pub fn stored(&self, register: &RegisterTrail) -> Vec<Stored> {
        let mut list: Vec<Stored> = Vec::new();
        let mut add = |addr: u64, author: Option<(u64, Author)>| {
            let (cycle, by) = author.map_or((None, None), |(cycle, by)| (Some(cycle), Some(by)));
            match list.last_mut().filter(|last| (last.cycle, &last.by) == (cycle, &by)) {
                Some(last) => last.bytes += 1,
                None => list.push(Stored { addr, bytes: 1, cycle, by }),
            }
        };
        match &register.source {
            Source::Memory { addr, bytes, made, .. } => {
                let Some(answer) = made.iter().filter_map(|made| made.answer.as_ref()).next_back() else { return list };
                for addr in (*addr..).take(bytes.len()) {
                    let writes = self.byte(addr, Some(answer.cycle)).writes;
                    let last = writes.into_iter().rev().find(|write| write.unit.is_some());
                    add(addr, last.map(|write| (write.cycle, write.by)));
                }
            }
            Source::Scratchpad { offset, bytes, .. } => {
                for offset in (*offset..).take(*bytes) {
                    let last = self.shared(offset, Some(register.op.accepted)).writes.pop();
                    add(offset, last.map(|write| (write.by.accepted, Author::Operation(write.by))));
                }
            }
            Source::Filled { .. } | Source::Nothing { .. } => {}
        }
        list
    }
}
