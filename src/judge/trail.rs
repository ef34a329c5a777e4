// SPDX-License-Identifier: MIT OR Apache-2.0
//! Traces a byte of memory, or a value that was written back, to its origin, link by link, in the unit and in the
//! model; and finds the link at which the two part.
//!
//! ```text
//!  operation -> lane -> store register -> request -> answer -> byte
//!  operation -> lane -> request -> answer -> beat -> register
//! ```
//!
//! The log says what the unit did; the model says what each operation should have done. As for the judge, a load should
//! deliver what memory answered. A trail goes on past the first divergence, and does not say which rule is broken.
//!
//! ```
//! use gpu_lsu::judge::{log::lines::Reader, trail::Trail};
//!
//! let log = r#"{"gpu_lsu_log":1,"unit":{"lanes":4},"memory":{"seed":"0x0","bytes":[{"addr":"0x100","bytes":[7]}]}}
//!     {"cycle":3,"foreign":{"addr":"0x100","bytes":[9]}}"#;
//! let record = Reader::new(log.as_bytes())?.next().unwrap()?;
//! let byte = Trail::new(&record, None).byte(0x100, None);
//! assert_eq!((byte.before, byte.unit, byte.model), (Some(7), Some(9), Some(9)));
//! assert!(byte.parts.is_none());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod apart;
mod byte;
mod kept;
mod names;
pub(super) mod origin;
mod pad;
mod part;
mod register;
mod running;
mod source;
mod stored;
mod stores;
mod walk;
mod words;

use rustc_hash::FxHashMap;

pub use byte::{ByteTrail, ModelWrite, UnitWrite, Write};
pub use kept::Kept;
pub use names::{Answer, Author, OpName, Origin, RequestName};
pub use pad::{PadTrail, PadWrite};
pub use part::{Link, Part};
pub use register::{BeatSeen, RegisterTrail};
pub use source::Source;
pub use stored::Stored;

use super::{Mismatch, log::lines::Record};
use crate::{
    model::{self, Memory, Plan, Register},
    op::{Ctrl, LaneMask, MAX_LINE_BYTES},
};

/// The size in bytes of the blocks by which stores are found.
const BLOCK: u64 = MAX_LINE_BYTES as u64;

/// A run, followed from end to end.
pub struct Trail<'a> {
    record: &'a Record,
    /// The judge's verdict on the run.
    verdict: Option<&'a Mismatch>,
    /// By operation.
    works: Vec<Work>,
    /// By request.
    asked: Vec<Asked>,
    /// In the order in which memory performed them.
    stores: Vec<Store>,
    /// By address / [`BLOCK`]: the stores that touch the block, ascending.
    blocks: FxHashMap<u64, Vec<usize>>,
    controls: Vec<Ctrl>,
    /// Memory as the log begins.
    start: Memory,
}

/// An operation, and what came of it.
struct Work {
    accepted: u64,
    /// The index in `controls`.
    ctrl: usize,
    /// The unit's requests, by number in the log.
    requests: Vec<u32>,
    beats: Vec<(u64, u32)>,
    done: Option<u64>,
    /// Whether its store data were not seen.
    dataless: bool,
    /// Whether a reset came before it was done, so that it is not known whether its stores reached the scratchpad.
    cut: bool,
    /// Whether some lane accesses the scratchpad.
    shared: bool,
    /// What its lanes find in the scratchpad, by register index; and the lanes that find bytes to which no store is
    /// known.
    found: Vec<Register>,
    unknown: LaneMask,
    /// For compare-and-stores in the scratchpad: offset, and the dword before and after the operation.
    dwords: Vec<(u64, u32, u32)>,
}

/// A request of the unit.
struct Asked {
    cycle: u64,
    /// Its operation, and the model's request for which it stands.
    work: Option<usize>,
    which: Option<usize>,
    /// The cycle and the number of each answer.
    answers: Vec<(u64, u32)>,
}

/// A write that memory performed, or should have performed.
struct Store {
    cycle: u64,
    work: Option<usize>,
    which: Option<usize>,
    /// The unit's request, by number in the log.
    request: Option<u32>,
    /// Another master's access, by number in the log.
    foreign: Option<u32>,
    /// The bytes that the unit writes, and those that the model writes.
    unit: Option<Bytes>,
    model: Option<Bytes>,
    /// Whether the data that the model would write were not seen.
    dataless: bool,
    /// Whether it is in flight as the log ends.
    pending: bool,
    /// Whether a reset cut it off, and the log does not say whether memory performed it.
    cut: bool,
}

/// Bytes from an address on.
#[derive(Clone)]
struct Bytes {
    line: u64,
    enable: u128,
    data: [u8; MAX_LINE_BYTES],
}

impl Bytes {
    fn at(&self, addr: u64) -> Option<u8> {
        let at = addr.checked_sub(self.line).filter(|&at| at < BLOCK)?;
        (self.enable >> at & 1 == 1).then(|| self.data[at as usize])
    }
}

impl<'a> Trail<'a> {
    /// Follows a run. `verdict` is the first divergence that the judge finds in it, if there is one.
    pub fn new(record: &'a Record, verdict: Option<&'a Mismatch>) -> Self {
        walk::walk(record, verdict)
    }

    /// The run.
    pub fn record(&self) -> &'a Record {
        self.record
    }

    /// The last operation with a tag that was taken up to this cycle.
    pub fn tagged(&self, tag: u8, until: Option<u64>) -> Option<usize> {
        let issues = self.record.log.issues().iter().zip(&self.works);
        let mut found = issues.enumerate().rev();
        found.find(|(_, (issue, work))| issue.op.tag == tag && before(work.accepted, until)).map(|(index, _)| index)
    }

    /// The bytes of memory that anybody wrote, or should have written, as ranges: the first address, and the one after
    /// the last.
    pub fn touched(&self) -> Vec<(u64, u64)> {
        let sides = self.stores.iter().flat_map(|store| [&store.unit, &store.model]).flatten();
        let mut bytes: Vec<u64> = sides
            .flat_map(|side| {
                (0..BLOCK).filter(|byte| side.enable >> byte & 1 == 1).map(|byte| side.line.wrapping_add(byte))
            })
            .collect();
        bytes.sort_unstable();
        bytes.dedup();
        let mut ranges: Vec<(u64, u64)> = Vec::new();
        for byte in bytes {
            match ranges.last_mut() {
                Some((_, end)) if *end == byte => *end = byte.wrapping_add(1),
                _ => ranges.push((byte, byte.wrapping_add(1))),
            }
        }
        ranges
    }

    /// The tags of the log's operations, ascending.
    pub fn tags(&self) -> Vec<u8> {
        let mut tags: Vec<u8> = self.record.log.issues().iter().map(|issue| issue.op.tag).collect();
        tags.sort_unstable();
        tags.dedup();
        tags
    }

    /// The model's plan for an operation, before memory answers.
    fn plan(&self, index: usize) -> Plan {
        let (issue, mut plan) = (&self.record.log.issues()[index], Plan::default());
        model::plan(&self.record.header.unit, self.ctrl(index), &issue.op, &issue.lanes, &issue.data, &mut plan);
        plan
    }

    /// The model's trace of one lane of an operation.
    pub fn lane(&self, index: usize, lane: usize) -> model::Trace {
        let issue = &self.record.log.issues()[index];
        model::trace(&self.record.header.unit, self.ctrl(index), &issue.op, &issue.lanes, lane)
    }

    fn ctrl(&self, index: usize) -> &Ctrl {
        &self.controls[self.works[index].ctrl]
    }
}

/// Whether a cycle is in time: not after `until`.
fn before(cycle: u64, until: Option<u64>) -> bool {
    until.is_none_or(|until| cycle <= until)
}

/// A number of requests, in words.
fn requests(number: usize) -> String {
    if number == 1 { "1 request".to_owned() } else { format!("{number} requests") }
}
