// SPDX-License-Identifier: MIT OR Apache-2.0
//! Test vectors: operations with all their expected results, for any simulator and for a board.
//!
//! ```text
//!  campaign (chosen for its bins), program, capsule, log --> cases --> expect --> Set --> tables --> files, manifest
//!                                                              model alone       |                     bench
//!                                                                               judged
//! ```
//!
//! The expected results come from the model, one operation after the other. A unit that overlaps operations must come
//! to the same results; so a vector *waits* for all before it wherever the clauses leave the order open: when it and an
//! earlier operation of another warp access the same byte, and one of them writes it. [`judged`] passes every set to
//! the judge before anybody else gets it.

mod bench;
pub mod choose;
mod clauses;
pub mod expect;
pub mod explain;
pub mod folder;
pub mod format;
pub mod judged;
pub mod manifest;
pub mod source;
pub mod table;

use crate::{
    judge::log::Issue,
    model::Register,
    op::{Ctrl, Fault, LaneMask, MAX_LANES, MAX_LINE_BYTES, ReqKind, Shape, Space},
};

/// Vectors in the order in which they are played, with what they need.
#[derive(Clone, Debug, PartialEq)]
pub struct Set {
    /// The unit that the vectors are for.
    pub shape: Shape,
    /// The control registers of each segment.
    pub segments: Vec<Ctrl>,
    pub vectors: Vec<Vector>,
    /// Lines of memory. Each segment has its own, so an address may occur several times.
    pub lines: Vec<Line>,
}

impl Set {
    /// By segment: its lines.
    pub(crate) fn lines_of_segments(&self) -> Vec<Vec<&Line>> {
        let mut lines = vec![Vec::new(); self.segments.len()];
        for line in &self.lines {
            lines.get_mut(line.segment).into_iter().for_each(|of: &mut Vec<_>| of.push(line));
        }
        lines
    }
}

/// An operation and its expected results.
#[derive(Clone, Debug, PartialEq)]
pub struct Vector {
    /// The index of its control registers in [`Set::segments`].
    pub segment: usize,
    /// Whether it is offered only when everything before it is over.
    pub waits: bool,
    /// Whether it only fills the scratchpad for later vectors.
    pub prepares: bool,
    /// The operation, with its tag.
    pub issue: Issue,
    /// Its requests, in order; for a compare-and-store in memory, the read-exclusives.
    pub requests: Vec<Expected>,
    /// Its write-exclusives, each to come some time after the read of its line.
    pub seconds: Vec<Expected>,
    /// Its write-back, one entry per register, ascending.
    pub registers: Vec<Written>,
    /// The outcome of each lane at the done port.
    pub faults: [Fault; MAX_LANES],
}

/// A request that must be made.
#[derive(Clone, Debug, PartialEq)]
pub struct Expected {
    pub kind: ReqKind,
    pub space: Space,
    pub group: u8,
    /// The index of its line in [`Set::lines`].
    pub line: usize,
    pub byte_enable: u128,
    /// 0 where not enabled, and in reads.
    pub data: [u8; MAX_LINE_BYTES],
    /// The lanes that it serves.
    pub lanes: LaneMask,
}

/// A register that must be written back.
#[derive(Clone, Debug, PartialEq)]
pub struct Written {
    pub register: u8,
    pub lanes: LaneMask,
    /// 0 in other lanes.
    pub data: Register,
}

/// A line of memory.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// The segment whose vectors use it.
    pub segment: usize,
    /// The byte address.
    pub addr: u64,
    /// Whether memory answers with error.
    pub fails: bool,
    /// The contents when the segment begins.
    pub before: [u8; MAX_LINE_BYTES],
    /// The contents when the segment ends.
    pub after: [u8; MAX_LINE_BYTES],
}

impl Set {
    /// The number of vectors that do not merely fill the scratchpad.
    pub fn operations(&self) -> usize {
        self.vectors.iter().filter(|vector| !vector.prepares).count()
    }
}
