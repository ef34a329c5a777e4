// SPDX-License-Identifier: MIT OR Apache-2.0
//! One operation as the unit is given it.

use crate::{
    isa::{Inst, Isa, ptx, text::count},
    model::{self, Register},
    op::{AddrMode, Kind, Lanes, Op, Space},
};

/// One operation as the bench issues it.
#[derive(Clone, Debug, PartialEq)]
pub struct Issue {
    /// The decoded operation; the bench sets the tag.
    pub op: Op,
    /// What differs between the lanes.
    pub lanes: Lanes,
    /// A store's registers, in the order of the data beats (PORT-DATA).
    pub data: Vec<Register>,
    /// The instruction that it was lowered from, if it comes from one.
    pub inst: Option<Inst>,
}

impl Issue {
    /// Whose operation it is, legal or not.
    pub fn isa(&self) -> Isa {
        use Space::{Buffer, Cluster, Generic, Global, Local, Param, Shared, Tgsm, Uav};
        match Space::from_code(self.op.space) {
            Some(Uav | Tgsm) => Isa::Sm5,
            _ if self.op.is_burst() => Isa::R700,
            Some(Buffer) => Isa::R700,
            Some(Generic | Global | Local | Shared | Cluster | Param) => Isa::Ptx,
            _ => Isa::Spa5,
        }
    }

    /// What a lane has for a data beat; 0 if the beat never came.
    pub fn beat(&self, beat: usize, lane: usize) -> u32 {
        self.data.get(beat).map_or(0, |register| register[lane])
    }
}

/// What a lane's access comes from, for messages.
pub fn lane_inputs(issue: &Issue, lane: usize) -> String {
    let [low, high, third] = issue.lanes.addr[lane];
    if issue.op.kind == crate::op::Kind::CmpStore as u8 {
        let [compare, new] = [0, 1].map(|beat| issue.data.get(beat).map_or(0, |register| register[lane]));
        return format!("address {low:#x}, {high:#x}, {third:#x}, compare {compare:#x}, new {new:#x}");
    }
    match (issue.op.is_burst(), issue.op.use_index) {
        (false, _) => format!("address words {low:#010x} {high:#010x}"),
        (_, true) => format!("index {low:#x}"),
        (_, false) => "no index".to_owned(),
    }
}

/// Statements store 256 bits where this may be global memory (PTX-L12).
fn goes_wide(op: &Op) -> bool {
    matches!(Space::from_code(op.space), Some(Space::Generic | Space::Global))
}

/// An operation in words: the instruction, if it was lowered from one. Those of PTX and SM5 are made without.
pub fn text(issue: &Issue) -> String {
    match issue.inst {
        Some(inst) => inst.to_string(),
        None if issue.isa() == Isa::Ptx && model::legal(&issue.op) => {
            match (issue.op.element_count, issue.op.element_bytes) {
                (8, bytes @ 1..4) => format!("(a store of 8 elements of {} bits, which no statement makes)", 8 * bytes),
                _ if issue.op.access_bytes() == 32 && !goes_wide(&issue.op) => {
                    "(a store of 256 bits out of global memory, which no statement makes)".to_owned()
                }
                _ => ptx::text(&issue.op),
            }
        }
        None if issue.isa() == Isa::Sm5 && model::legal(&issue.op) => {
            let (file, slot) = (if issue.op.space == Space::Uav as u8 { 'u' } else { 'g' }, issue.op.slot);
            let address = match AddrMode::from_code(issue.op.addr_mode) {
                Some(AddrMode::Raw) => "x",
                Some(AddrMode::Struct) => "xyxx",
                _ => "xyzx",
            };
            format!("atomic_cmp_store {file}{slot}, r0.{address}, r1.x, r2.x")
        }
        None if model::legal(&issue.op) => {
            let kind = if issue.op.kind == Kind::Load as u8 { "load" } else { "store" };
            match issue.isa() {
                Isa::R700 => format!(
                    "(an r700 burst: a {kind} of {})",
                    count(issue.op.present_gprs.count_ones() as usize, "GPR")
                ),
                isa => format!("(an {isa} {kind} of {} a lane)", count(issue.op.access_bytes() as usize, "byte")),
            }
        }
        None => "(an operation that no front end lets through)".to_owned(),
    }
}
