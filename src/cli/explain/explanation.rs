// SPDX-License-Identifier: MIT OR Apache-2.0
//! What one instruction did: the object that `--json` prints, and the sentences are made of.

use serde::{Serialize, Serializer};

use crate::{clause::Clause, model::Place, op::Fault};

/// A number that JSON shows as a string, `"0x1018"`: more bits than its readers keep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hex<T>(pub T);

impl<T: std::fmt::LowerHex> Serialize for Hex<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&format_args!("{:#x}", self.0))
    }
}

/// What one instruction did.
#[derive(Debug, Serialize)]
pub struct Explanation {
    /// The program's line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub warp: Option<usize>,
    pub text: String,
    pub word: String,
    pub lanes: Vec<Lane>,
    pub requests: Vec<Request>,
    /// PORT-BANK; 0 without an access to shared memory.
    pub bank_cycles: u32,
    /// All that mattered: the lanes' and the operation's.
    #[serde(serialize_with = "ids")]
    pub clauses: Vec<Clause>,
}

/// What it did in one lane.
#[derive(Debug, Serialize)]
pub struct Lane {
    pub lane: usize,
    /// It executes: guard, active mask and helper mask let it.
    pub active: bool,
    pub ea: Option<Hex<u64>>,
    /// EA', at which the access is made.
    pub aligned: Option<Hex<u64>>,
    /// `global`, `local` or `shared`; none out of window.
    pub space: Option<&'static str>,
    /// At the memory port, or the offset in the scratchpad.
    pub address: Option<Hex<u64>>,
    /// Bytes that it reads or writes; 0 if the access is not made.
    pub bytes: u32,
    #[serde(serialize_with = "name")]
    pub fault: Fault,
    pub registers: Vec<Change>,
    #[serde(serialize_with = "ids")]
    pub clauses: Vec<Clause>,
    #[serde(skip)]
    pub place: Place,
}

/// A register of the datum. A store leaves it as it is.
#[derive(Debug, Serialize)]
pub struct Change {
    pub name: String,
    pub before: Hex<u32>,
    pub after: Hex<u32>,
}

/// A request at the memory port.
#[derive(Debug, Serialize)]
pub struct Request {
    pub line: Hex<u64>,
    /// Bit i: byte `line + i`.
    pub byte_enable: Hex<u128>,
    /// All that it serves.
    pub lanes: Vec<usize>,
    pub space: &'static str,
    /// COM-BUSERR.
    pub error: bool,
}

fn name<S: Serializer>(fault: &Fault, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(fault.name())
}

fn ids<S: Serializer>(clauses: &[Clause], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(clauses.iter().map(|clause| clause.id()))
}

impl Explanation {
    /// A lane is out of global allocation.
    pub fn leaves_global_memory(&self) -> bool {
        let outside = |lane: &Lane| lane.fault == Fault::Allocation && matches!(lane.place, Place::Global(_));
        self.lanes.iter().any(outside)
    }
}
