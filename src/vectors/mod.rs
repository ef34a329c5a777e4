// SPDX-License-Identifier: MIT OR Apache-2.0
//! Test vectors: operations with everything that must come of them, for any simulator and for a board.
//!
//! ```text
//!  campaign (chosen for its bins), program, capsule, log --> cases --> expect --> Set --> tables --> files, manifest
//!                                                              model alone       |                     bench
//!                                                                               judged
//! ```
//!
//! What is expected comes from the model, one operation after the other. So that a unit which overlaps them must come to
//! the same, a vector *waits* for all before it wherever the clauses leave the order open: another warp's access to a byte
//! that one of them writes. [`judged`] hands every set to the judge before anybody else gets it.

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

/// Vectors, in the order in which they are played, and what they need.
#[derive(Clone, Debug, PartialEq)]
pub struct Set {
    /// The unit that they are for.
    pub shape: Shape,
    /// The control registers of each segment.
    pub segments: Vec<Ctrl>,
    pub vectors: Vec<Vector>,
    /// Lines of memory. A segment has its own, so that an address may be there several times.
    pub lines: Vec<Line>,
}

/// An operation, and what must come of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Vector {
    /// The number of its control registers in [`Set::segments`].
    pub segment: usize,
    /// It is offered when everything before it is over.
    pub waits: bool,
    /// It only fills the scratchpad for those after it.
    pub prepares: bool,
    /// The operation, with its tag.
    pub issue: Issue,
    /// Its requests, in order; of a compare-and-store in memory the read-exclusives.
    pub requests: Vec<Expected>,
    /// Its write-exclusives, each at some time after the read of its line.
    pub seconds: Vec<Expected>,
    /// Its write-back, a register each, ascending.
    pub registers: Vec<Written>,
    /// What done tells of each lane.
    pub faults: [Fault; MAX_LANES],
}

/// A request that must be made.
#[derive(Clone, Debug, PartialEq)]
pub struct Expected {
    pub kind: ReqKind,
    pub space: Space,
    pub group: u8,
    /// The number of its line in [`Set::lines`].
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
    /// Byte address.
    pub addr: u64,
    /// Memory answers with error.
    pub fails: bool,
    /// As the segment begins.
    pub before: [u8; MAX_LINE_BYTES],
    /// As it ends.
    pub after: [u8; MAX_LINE_BYTES],
}

impl Set {
    /// Vectors that are there for themselves.
    pub fn operations(&self) -> usize {
        self.vectors.iter().filter(|vector| !vector.prepares).count()
    }
}
