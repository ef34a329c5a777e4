// SPDX-License-Identifier: MIT OR Apache-2.0
//! The events of a log, and what each port carries.

use serde::{Deserialize, Serialize};

use crate::op::{LaneMask, MAX_LANES, MAX_LINE_BYTES, hex};

/// Something that happened. Numbers are places among the log's events of the same kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// The unit was in reset: what was in flight is gone (PORT-RESET).
    Reset,
    /// The control registers changed.
    Control(u32),
    /// An operation was taken.
    Op(u32),
    /// A data beat was taken.
    Data(u32),
    /// A request was taken.
    Request(u32),
    /// The memory came to the request of this number, and did what it asks or refused. A log need not know when: at some
    /// time before the first answer.
    Applied(u32, bool),
    /// The unit took an answer.
    Response(u32),
    /// A write-back beat was taken.
    Beat(u32),
    /// A completion was taken.
    Done(u32),
    /// A port of the unit offered something that was not taken in this cycle: the first time, or changed since.
    Offer(u32),
    /// A port of the unit takes an offer back.
    Withdrawn(Port),
    /// Another master's access was made.
    Foreign(u32),
    /// The unit reported something.
    Report(u32),
    /// Nobody looked any further; whether the unit was still offered something that it did not take.
    End(bool),
}

/// The ports at which the unit offers something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Port {
    /// `mem_req`.
    Request,
    /// `wb`.
    Beat,
    /// `done`.
    Done,
}

/// What a port offered while it was not taken (PORT-HOLD).
#[derive(Clone, Debug, PartialEq)]
pub enum Offer {
    /// At `mem_req`.
    Request(Box<Seen>),
    /// At `wb`.
    Beat(Box<Beat>),
    /// At `done`.
    Done(Box<Done>),
}

/// What the unit reported, or who reads its ports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// Of a failed assertion; it begins with the clause.
    pub text: String,
    /// If it is of values that a beat has: whose, and the lanes. The next beat is it.
    pub beat: Option<(u8, u8, LaneMask)>,
}

impl From<String> for Report {
    fn from(text: String) -> Self {
        Report { text, beat: None }
    }
}

impl Offer {
    /// Where it was offered.
    pub fn port(&self) -> Port {
        match self {
            Offer::Request(_) => Port::Request,
            Offer::Beat(_) => Port::Beat,
            Offer::Done(_) => Port::Done,
        }
    }
}

/// A request as the unit's pins show it. Codes stay raw.
#[derive(Clone, Debug, PartialEq)]
pub struct Seen {
    /// 0 to 63.
    pub id: u8,
    /// The owner.
    pub warp: u8,
    /// The owner.
    pub tag: u8,
    /// Of a burst, which GPR.
    pub group: u8,
    /// One of [`ReqKind`](crate::op::ReqKind).
    pub kind: u8,
    /// One of [`Space`](crate::op::Space).
    pub space: u8,
    /// The packed attributes.
    pub attr: [u32; 3],
    /// Byte address.
    pub line: u64,
    /// Bit i: byte i of the line.
    pub byte_enable: u128,
    /// What is written; a read has none.
    pub data: [u8; MAX_LINE_BYTES],
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
    /// The line, of a read's first answer; bytes that the read did not enable mean nothing.
    pub data: [u8; MAX_LINE_BYTES],
    /// COM-BUSERR; first answers only.
    pub error: bool,
    /// PORT-CAS; first answers only.
    pub exclusive_failed: bool,
    /// One of [`Scope`](crate::op::Scope).
    pub scope: u8,
    /// The id is free again.
    pub last: bool,
}

/// A write-back beat as the unit's pins show it.
#[derive(Clone, Debug, PartialEq)]
pub struct Beat {
    /// The operation's.
    pub warp: u8,
    /// The operation's.
    pub tag: u8,
    /// Of the operation, from 0.
    pub register: u8,
    /// Of which lanes.
    pub mask: LaneMask,
    /// A value for each lane of the mask.
    pub data: [u32; MAX_LANES],
}

/// A completion as the unit's pins show it.
#[derive(Clone, Debug, PartialEq)]
pub struct Done {
    /// The operation's.
    pub warp: u8,
    /// The operation's.
    pub tag: u8,
    /// One of [`Fault`](crate::op::Fault) a lane.
    pub faults: [u8; MAX_LANES],
}

/// A write of another master, or a compare-and-store.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Foreign {
    /// When it is made.
    pub cycle: u64,
    /// Of the first byte.
    #[serde(with = "hex")]
    pub addr: u64,
    /// The bytes.
    pub bytes: Vec<u8>,
    /// A compare-and-store writes its four bytes only where this stands, in one step.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub compare: Option<u32>,
}
