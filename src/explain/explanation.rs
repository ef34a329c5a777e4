// SPDX-License-Identifier: MIT OR Apache-2.0
//! What one instruction did: the object that `--json` prints, and the sentences are made of.

use serde::{Serialize, Serializer};

use crate::{
    clause::Clause,
    model::{Fate, Place, Tested},
    op::Fault,
};

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
    /// PTX has none.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub word: String,
    /// Of a burst.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub array: Option<Array>,
    /// What the reader should look at.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<Note>,
    pub lanes: Vec<Lane>,
    pub requests: Vec<Request>,
    /// Lines of which a lane's compare-and-store writes, besides: a pair's second half.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub writes: Vec<Write>,
    /// What it makes undefined: `u0`, `shared memory`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub undefined: Option<String>,
    /// PORT-BANK; 0 without an access to shared memory.
    pub bank_cycles: u32,
    /// All that mattered: the lanes' and the operation's.
    #[serde(serialize_with = "ids")]
    pub clauses: Vec<Clause>,
}

/// A hint or a warning (R700-HINT, R700-FLUSH, R700-STAGE, R700-GPROOB).
#[derive(Debug, Serialize)]
pub struct Note {
    #[serde(serialize_with = "id")]
    pub clause: Clause,
    pub text: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub lanes: Vec<usize>,
    /// Ranges, `0x1000..0x100f`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub bytes: Vec<String>,
    /// The line of the instruction before, which wrote them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub earlier_line: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub other_form: Option<OtherForm>,
}

/// Where a register goes in the first of the lanes, and where by the other form of the equation.
#[derive(Debug, Serialize)]
pub struct OtherForm {
    pub register: String,
    pub dword: u64,
    pub address: Hex<u64>,
    pub other_dword: u64,
    pub other_address: Hex<u64>,
    /// Of a program: with it drivers' form, without it the manual's.
    pub line: &'static str,
}

/// What both forms make of a word's fields: dwords of the buffer, with the index in them if there is one.
#[derive(Debug, Serialize)]
pub struct Forms {
    #[serde(serialize_with = "id")]
    pub clause: Clause,
    pub first_dw: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit_dw: Option<u64>,
    pub driver_first_dw: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub driver_limit_dw: Option<u64>,
    /// Of a program: with it drivers' form, without it the manual's.
    pub line: &'static str,
}

/// What the lanes of a burst have in common.
#[derive(Debug, Serialize)]
pub struct Array {
    pub buffer: &'static str,
    /// Of scratch, whose (R700-STAGE).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stage: Option<&'static str>,
    pub base: Hex<u64>,
    /// From thread to thread, in bytes.
    pub stride: u32,
    /// In bytes; where there is a stride, for each thread.
    pub size: u32,
    /// R700-DRIVER.
    pub driver_form: bool,
    pub array_base: u16,
    /// Elements, as R700-SIZE counts them.
    pub array_size: u16,
    /// ELEM_SIZE + 1.
    pub element_dwords: u8,
    pub use_index: bool,
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
    /// `global`, `local`, `shared`, `param`, `cluster`, `uav`, `tgsm` or a buffer's name; none out of window.
    pub space: Option<&'static str>,
    /// At the memory port, or the offset in the scratchpad.
    pub address: Option<Hex<u64>>,
    /// Bytes that it reads or writes; 0 if the access is not made.
    pub bytes: u32,
    #[serde(serialize_with = "name")]
    pub fault: Fault,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub burst: Option<Burst>,
    /// Of a compare-and-store that is made.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pair: Option<Pair>,
    /// Of a u# or g#, bytes from its base.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub offset: Option<Hex<u64>>,
    pub registers: Vec<Change>,
    #[serde(serialize_with = "ids")]
    pub clauses: Vec<Clause>,
    #[serde(skip)]
    pub place: Place,
    /// The address words.
    #[serde(skip)]
    pub indices: [u32; 3],
    /// Of a u# or g#, the test that failed.
    #[serde(skip)]
    pub failed: Option<Tested>,
}

/// What a lane of a compare-and-store met, and what it did.
#[derive(Debug, Serialize)]
pub struct Pair {
    pub held: Hex<u32>,
    pub compare: Hex<u32>,
    pub new: Hex<u32>,
    pub stored: bool,
    /// What it met was undefined before (SM5-WILD): the value, and whether it stores, are this unit's choice.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub undefined: bool,
}

/// A lane's part of a burst, in the terms of R700-FIRST and R700-CLAMP.
#[derive(Debug, Serialize)]
pub struct Burst {
    pub index: u32,
    pub first_dw: u64,
    /// None in the drivers' export buffer.
    pub limit_dw: Option<u64>,
    pub transfers: Vec<Transfer>,
    /// The byte address of first_dw.
    #[serde(skip)]
    pub address: u64,
}

/// A register of a burst, and the dword that it is written to or read from. Constants have none.
#[derive(Clone, Debug, Serialize)]
pub struct Transfer {
    pub register: String,
    pub dword: u64,
    /// At the memory port.
    pub address: Hex<u64>,
    #[serde(serialize_with = "fate")]
    pub fate: Fate,
    /// The register that the same thread writes to the same dword after it (R700-ELEM).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub overwritten_by: Option<String>,
}

/// A register of the datum, or a constant. A store leaves it as it is.
#[derive(Debug, Serialize)]
pub struct Change {
    pub name: String,
    pub before: Hex<u32>,
    pub after: Hex<u32>,
}

/// The write-exclusive after a read-exclusive.
#[derive(Debug, Serialize)]
pub struct Write {
    pub line: Hex<u64>,
    /// Bit i: byte `line + i`.
    pub byte_enable: Hex<u128>,
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
    /// Of a burst, the GPR that it is for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gpr: Option<String>,
    /// COM-BUSERR.
    pub error: bool,
}

fn name<S: Serializer>(fault: &Fault, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(fault.name())
}

fn id<S: Serializer>(clause: &Clause, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(clause.id())
}

fn fate<S: Serializer>(fate: &Fate, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(match fate {
        Fate::Moved => "moved",
        Fate::Clamped => "clamped",
        Fate::Outside => "out of allocation",
        Fate::Masked => "not in the format",
    })
}

fn ids<S: Serializer>(clauses: &[Clause], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(clauses.iter().map(|clause| clause.id()))
}

impl Explanation {
    /// A lane is out of what is allocated of global memory, or of a buffer.
    pub fn leaves_memory(&self) -> bool {
        let place = |lane: &Lane| matches!(lane.place, Place::Global(_) | Place::Buffer { .. } | Place::Uav { .. });
        let outside = |lane: &Lane| lane.fault == Fault::Allocation && place(lane);
        self.lanes.iter().any(outside)
    }
}
