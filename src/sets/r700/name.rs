// SPDX-License-Identifier: MIT OR Apache-2.0
//! The instructions by their codes, and their names.

/// The operation of a CF word: its CF_INST.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
#[allow(missing_docs)] // the names say it
pub enum CfOp {
    MemStream0 = 0x20,
    MemStream1 = 0x21,
    MemStream2 = 0x22,
    MemStream3 = 0x23,
    MemScratch = 0x24,
    MemReduction = 0x25,
    MemRing = 0x26,
    Export = 0x27,
    ExportDone = 0x28,
    MemExport = 0x3a,
}

impl CfOp {
    /// All operations, by code.
    pub const ALL: [CfOp; 10] = [
        CfOp::MemStream0,
        CfOp::MemStream1,
        CfOp::MemStream2,
        CfOp::MemStream3,
        CfOp::MemScratch,
        CfOp::MemReduction,
        CfOp::MemRing,
        CfOp::Export,
        CfOp::ExportDone,
        CfOp::MemExport,
    ];

    /// The operation with this CF_INST.
    pub fn from_code(code: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|op| *op as u8 == code)
    }

    /// The name that Mesa prints.
    pub fn name(self) -> &'static str {
        match self {
            CfOp::MemStream0 => "MEM_STREAM0",
            CfOp::MemStream1 => "MEM_STREAM1",
            CfOp::MemStream2 => "MEM_STREAM2",
            CfOp::MemStream3 => "MEM_STREAM3",
            CfOp::MemScratch => "MEM_SCRATCH",
            CfOp::MemReduction => "MEM_REDUCT",
            CfOp::MemRing => "MEM_RING",
            CfOp::Export => "EXPORT",
            CfOp::ExportDone => "EXPORT_DONE",
            CfOp::MemExport => "MEM_EXPORT",
        }
    }

    /// Whether it goes to memory, as opposed to a pixel, position or parameter buffer.
    pub fn is_memory(self) -> bool {
        !matches!(self, CfOp::Export | CfOp::ExportDone)
    }

    /// The operation of this name, in any case. MEM_REDUCT may be spelt out.
    pub(crate) fn from_name(name: &str) -> Option<Self> {
        let spelt = (CfOp::MemReduction, "MEM_REDUCTION");
        let named =
            |op: &CfOp| name.eq_ignore_ascii_case(op.name()) || spelt.0 == *op && name.eq_ignore_ascii_case(spelt.1);
        Self::ALL.into_iter().find(named)
    }

    /// The names of its TYPEs.
    pub(crate) fn types(self) -> [&'static str; 4] {
        match self.is_memory() {
            true => ["WRITE", "WRITE_IND", "WRITE_ACK", "WRITE_IND_ACK"],
            false => ["PIXEL", "POS", "PARAM", "TYPE3"],
        }
    }
}

/// The source of a memory read: its MEM_OP.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
#[allow(missing_docs)] // the names say it
pub enum MemOp {
    ReadScratch = 0,
    ReadReduction = 1,
    ReadMem = 2,
}

impl MemOp {
    /// All operations, by code.
    pub const ALL: [MemOp; 3] = [MemOp::ReadScratch, MemOp::ReadReduction, MemOp::ReadMem];

    /// The operation with this MEM_OP.
    pub fn from_code(code: u8) -> Option<Self> {
        Self::ALL.get(usize::from(code)).copied()
    }

    /// The operation of this name, in any case.
    pub(crate) fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|op| name.eq_ignore_ascii_case(op.name()))
    }

    /// The name that Mesa prints.
    pub fn name(self) -> &'static str {
        match self {
            MemOp::ReadScratch => "READ_SCRATCH",
            MemOp::ReadReduction => "READ_REDUCTION",
            MemOp::ReadMem => "READ_MEM",
        }
    }
}
