// SPDX-License-Identifier: MIT OR Apache-2.0
//! The events of a log, and the contents of each port.

use serde::{Deserialize, Serialize};

use crate::op::{LaneMask, MAX_LANES, MAX_LINE_BYTES, ReqKind, hex};

/// An event. Numbers are indices among the log's events of the same kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// The unit was in reset: everything in flight is gone (PORT-RESET).
    Reset,
    /// The control registers changed.
    Control(u32),
    /// An operation was taken.
    Op(u32),
    /// A data beat was taken.
    Data(u32),
    /// A request was taken.
    Request(u32),
    /// Memory came to the request of this number, and performed it (true) or refused it. A log need not show when this
    /// happened, which is at some time before the first answer.
    Applied(u32, bool),
    /// The unit took an answer.
    Response(u32),
    /// A write-back beat was taken.
    Beat(u32),
    /// A completion was taken.
    Done(u32),
    /// A port of the unit offered something that was not taken in this cycle: for the first time, or changed since.
    Offer(u32),
    /// A port of the unit took an offer back.
    Withdrawn(Port),
    /// Another master's access was made.
    Foreign(u32),
    /// The unit, or the reader of its ports, reported something.
    Report(u32),
    /// The log ends. The flag is whether the unit was still offered something that it did not take.
    End(bool),
}

/// The ports at which the unit makes offers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Port {
    /// `mem_req`.
    Request,
    /// `wb`.
    Beat,
    /// `done`.
    Done,
}

/// An offer of a port that was not taken (PORT-HOLD).
#[derive(Clone, Debug, PartialEq)]
pub enum Offer {
    /// At `mem_req`.
    Request(Box<Seen>),
    /// At `wb`.
    Beat(Box<Beat>),
    /// At `done`.
    Done(Box<Done>),
}

/// A report of the unit, or of the reader of its ports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// The text of a failed assertion, which begins with the clause.
    pub text: String,
    /// For a report about unknown bits: the part of the port that has them, and whether the environment drives it.
    pub unknown: Option<String>,
    /// For a report about the values of a beat: which. The beat is the next one in the log.
    pub beat: Option<Unknown>,
}

/// The unknown bits of a beat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unknown {
    /// The operation's warp.
    pub warp: u8,
    /// The operation's tag.
    pub tag: u8,
    /// The register's index in the operation, from 0.
    pub register: u8,
    /// By lane: its unknown bits, if there are any.
    pub bits: Vec<(usize, u32)>,
}

impl From<String> for Report {
    fn from(text: String) -> Self {
        Report { text, unknown: None, beat: None }
    }
}

impl Offer {
    /// The port of the offer.
    pub fn port(&self) -> Port {
        match self {
            Offer::Request(_) => Port::Request,
            Offer::Beat(_) => Port::Beat,
            Offer::Done(_) => Port::Done,
        }
    }
}

/// A request as the unit's pins show it. Codes are not decoded.
#[derive(Clone, Debug, PartialEq)]
pub struct Seen {
    /// 0 to 63.
    pub id: u8,
    /// The owner's warp.
    pub warp: u8,
    /// The owner's tag.
    pub tag: u8,
    /// The GPR, for a burst.
    pub group: u8,
    /// One of [`ReqKind`](crate::op::ReqKind).
    pub kind: u8,
    /// One of [`Space`](crate::op::Space).
    pub space: u8,
    /// The packed attributes.
    pub attr: [u32; 3],
    /// The byte address of the line.
    pub line: u64,
    /// Bit i enables byte i of the line.
    pub byte_enable: u128,
    /// The data of a write; a read has none.
    pub data: [u8; MAX_LINE_BYTES],
}

impl Seen {
    fn is(&self, kinds: [ReqKind; 2]) -> bool {
        kinds.iter().any(|&kind| kind as u8 == self.kind)
    }

    /// Whether it is a write, alone or of a pair.
    pub fn writes(&self) -> bool {
        self.is([ReqKind::Write, ReqKind::WriteExclusive])
    }

    /// Whether it is a read, alone or of a pair.
    pub fn reads(&self) -> bool {
        self.is([ReqKind::Read, ReqKind::ReadExclusive])
    }

    /// Whether it is half of a pair (PORT-CAS).
    pub fn is_pair(&self) -> bool {
        self.is([ReqKind::ReadExclusive, ReqKind::WriteExclusive])
    }
}

impl Default for Seen {
    fn default() -> Self {
        Seen {
            id: 0,
            warp: 0,
            tag: 0,
            group: 0,
            kind: 0,
            space: 0,
            attr: [0; 3],
            line: 0,
            byte_enable: 0,
            data: [0; MAX_LINE_BYTES],
        }
    }
}

/// An answer as memory gave it.
#[derive(Clone, Debug, PartialEq)]
pub struct Response {
    /// 0 to 63.
    pub id: u8,
    /// The line, in a read's first answer. Bytes that the read did not enable mean nothing.
    pub data: [u8; MAX_LINE_BYTES],
    /// COM-BUSERR; in first answers only.
    pub error: bool,
    /// PORT-CAS; in first answers only.
    pub exclusive_failed: bool,
    /// One of [`Scope`](crate::op::Scope).
    pub scope: u8,
    /// Whether the id is free again.
    pub last: bool,
}

/// A write-back beat as the unit's pins show it.
#[derive(Clone, Debug, PartialEq)]
pub struct Beat {
    /// The operation's warp.
    pub warp: u8,
    /// The operation's tag.
    pub tag: u8,
    /// The register's index in the operation, from 0.
    pub register: u8,
    /// The lanes that are written.
    pub mask: LaneMask,
    /// A value for each lane of the mask.
    pub data: [u32; MAX_LANES],
}

/// A completion as the unit's pins show it.
#[derive(Clone, Debug, PartialEq)]
pub struct Done {
    /// The operation's warp.
    pub warp: u8,
    /// The operation's tag.
    pub tag: u8,
    /// One of [`Fault`](crate::op::Fault) for each lane.
    pub faults: [u8; MAX_LANES],
}

/// A write or a compare-and-store of another master.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Foreign {
    /// The cycle in which it is performed.
    pub cycle: u64,
    /// The address of the first byte.
    #[serde(with = "hex")]
    pub addr: u64,
    /// The bytes.
    pub bytes: Vec<u8>,
    /// The value that a compare-and-store must find to write its four bytes, in one step.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub compare: Option<u32>,
}
