// SPDX-License-Identifier: MIT OR Apache-2.0
//! What one instruction did: the object that `--json` prints, and from which the sentences are made.

use serde::{Serialize, Serializer};

use crate::{
    clause::Clause,
    model::{Fate, Place, Tested},
    op::Fault,
};

/// A number that JSON shows as a string, such as `"0x1018"`, because it may have more bits than JSON readers keep.
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
    /// The line of the program.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub warp: Option<usize>,
    pub text: String,
    /// The machine words. Empty for PTX, which has none.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub word: String,
    /// What the lanes of a burst have in common.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub array: Option<Array>,
    /// Hints and warnings for the reader.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<Note>,
    pub lanes: Vec<Lane>,
    pub requests: Vec<Request>,
    /// The second halves of pairs: the lines that a compare-and-store wrote.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub writes: Vec<Write>,
    /// The resource that the instruction makes undefined (SM5-WILD): `u0`, `shared memory`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub undefined: Option<String>,
    /// Scratchpad cycles by PORT-BANK; 0 without an access to shared memory.
    pub bank_cycles: u32,
    /// Every clause that mattered to a lane or to the whole operation.
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
    /// Ranges of addresses, such as `0x1000..0x100f`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub bytes: Vec<String>,
    /// The line of the earlier instruction that wrote these bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub earlier_line: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub other_form: Option<OtherForm>,
}

/// Where a register goes in the first of the lanes, by the form of the equation in use and by the other form.
#[derive(Debug, Serialize)]
pub struct OtherForm {
    pub register: String,
    pub dword: u64,
    pub address: Hex<u64>,
    pub other_dword: u64,
    pub other_address: Hex<u64>,
    /// The line that selects the drivers' form in a program. Without it, the manual's form applies.
    pub line: &'static str,
}

/// What both forms of the equation make of a word's fields. Positions are dwords of the buffer; an index appears by its
/// name.
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
    /// The line that selects the drivers' form in a program. Without it, the manual's form applies.
    pub line: &'static str,
}

/// What the lanes of a burst have in common.
#[derive(Debug, Serialize)]
pub struct Array {
    pub buffer: &'static str,
    /// The program type whose scratch buffer it is (R700-STAGE); none for other buffers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stage: Option<&'static str>,
    pub base: Hex<u64>,
    /// From thread to thread, in bytes.
    pub stride: u32,
    /// In bytes; per thread if there is a stride.
    pub size: u32,
    /// Whether R700-DRIVER applies.
    pub driver_form: bool,
    pub array_base: u16,
    /// Number of elements, as R700-SIZE counts them.
    pub array_size: u16,
    /// ELEM_SIZE + 1.
    pub element_dwords: u8,
    pub use_index: bool,
}

/// What the instruction did in one lane.
#[derive(Debug, Serialize)]
pub struct Lane {
    pub lane: usize,
    /// Whether the lane executes: guard, active mask and helper mask permit it.
    pub active: bool,
    pub ea: Option<Hex<u64>>,
    /// EA', the address at which the access is made.
    pub aligned: Option<Hex<u64>>,
    /// `global`, `local`, `shared`, `param`, `cluster`, `uav`, `tgsm` or a buffer's name; none if out of window.
    pub space: Option<&'static str>,
    /// The address at the memory port, or the offset in the scratchpad.
    pub address: Option<Hex<u64>>,
    /// Number of bytes that the lane reads or writes; 0 if the access is not made.
    pub bytes: u32,
    #[serde(serialize_with = "name")]
    pub fault: Fault,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub burst: Option<Burst>,
    /// For a compare-and-store that is made.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pair: Option<Pair>,
    /// Byte offset from the base of a u# or g#.
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
    /// For a u# or g#, the test that failed.
    #[serde(skip)]
    pub failed: Option<Tested>,
}

/// What one lane of a compare-and-store found and did.
#[derive(Debug, Serialize)]
pub struct Pair {
    pub held: Hex<u32>,
    pub compare: Hex<u32>,
    pub new: Hex<u32>,
    pub stored: bool,
    /// Whether the value found was undefined before (SM5-WILD). The value, and whether the lane stores, are then this
    /// unit's choice.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub undefined: bool,
}

/// A lane's part of a burst, in the terms of R700-FIRST and R700-CLAMP.
#[derive(Debug, Serialize)]
pub struct Burst {
    pub index: u32,
    pub first_dw: u64,
    /// None for the drivers' export buffer, which has no limit.
    pub limit_dw: Option<u64>,
    pub transfers: Vec<Transfer>,
    /// The byte address of first_dw.
    #[serde(skip)]
    pub address: u64,
}

/// A register of a burst, and the dword to which it is written or from which it is read. A constant has none.
#[derive(Clone, Debug, Serialize)]
pub struct Transfer {
    pub register: String,
    pub dword: u64,
    /// At the memory port.
    pub address: Hex<u64>,
    #[serde(serialize_with = "fate")]
    pub fate: Fate,
    /// The register that the same thread writes to this dword later (R700-ELEM).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub overwritten_by: Option<String>,
}

/// A register of the datum, or a constant, before and after. A store changes none.
#[derive(Debug, Serialize)]
pub struct Change {
    pub name: String,
    pub before: Hex<u32>,
    pub after: Hex<u32>,
}

/// The write-exclusive that follows a read-exclusive.
#[derive(Debug, Serialize)]
pub struct Write {
    pub line: Hex<u64>,
    /// Bit i stands for byte `line + i`.
    pub byte_enable: Hex<u128>,
}

/// A request at the memory port.
#[derive(Debug, Serialize)]
pub struct Request {
    pub line: Hex<u64>,
    /// Bit i stands for byte `line + i`.
    pub byte_enable: Hex<u128>,
    /// All lanes that it serves.
    pub lanes: Vec<usize>,
    pub space: &'static str,
    /// For a burst, the GPR that the request serves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gpr: Option<String>,
    /// Whether memory answers with an error (COM-BUSERR).
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
    /// Whether a lane lies outside the allocated global memory, or outside a buffer or u#.
    pub fn leaves_memory(&self) -> bool {
        let place = |lane: &Lane| matches!(lane.place, Place::Global(_) | Place::Buffer { .. } | Place::Uav { .. });
        let outside = |lane: &Lane| lane.fault == Fault::Allocation && place(lane);
        self.lanes.iter().any(outside)
    }
}
