// SPDX-License-Identifier: MIT OR Apache-2.0
//! The authors of the bytes from which a register was loaded.

use serde::Serialize;

use super::{Author, RegisterTrail, Source, Trail};
use crate::op::hex;

/// Those of a register's bytes that one author stored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Stored {
    /// The first address, or the first offset in the scratchpad.
    #[serde(with = "hex")]
    pub addr: u64,
    pub bytes: usize,
    /// The cycle of the store; none if nobody has written the bytes since the log began.
    pub cycle: Option<u64>,
    pub by: Option<Author>,
}

impl Trail<'_> {
    /// The last authors of a register's bytes before memory answered, or before its operation was taken. Each entry is
    /// a run of bytes with one author.
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
