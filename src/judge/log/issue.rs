// SPDX-License-Identifier: MIT OR Apache-2.0
//! Operations as they are given to the unit.

use crate::{
    model::{self, Register},
    op::{Kind, Lanes, Op},
    sets::Inst,
};

/// An operation as the bench issues it.
#[derive(Clone, Debug, PartialEq)]
pub struct Issue {
    /// The decoded operation. The bench sets the tag.
    pub op: Op,
    /// The values that differ between the lanes.
    pub lanes: Lanes,
    /// A store's registers, in the order of the data beats (PORT-DATA).
    pub data: Vec<Register>,
    /// The instruction from which it was lowered, if there is one.
    pub inst: Option<Inst>,
}

impl Issue {
    /// A lane's value in a data beat; 0 if the beat never came.
    pub fn beat(&self, beat: usize, lane: usize) -> u32 {
        self.data.get(beat).map_or(0, |register| register[lane])
    }
}

/// Describes the inputs of a lane's access, for messages.
pub fn lane_inputs(issue: &Issue, lane: usize) -> String {
    let [low, high, third] = issue.lanes.addr[lane];
    if issue.op.kind == Kind::CmpStore as u8 {
        let [compare, new] = [0, 1].map(|beat| issue.data.get(beat).map_or(0, |register| register[lane]));
        return format!("address {low:#x}, {high:#x}, {third:#x}, compare {compare:#x}, new {new:#x}");
    }
    match (issue.op.is_burst(), issue.op.use_index) {
        (false, _) => format!("address words {low:#010x} {high:#010x}"),
        (_, true) => format!("index {low:#x}"),
        (_, false) => "no index".to_owned(),
    }
}

/// An operation in words: the instruction, if there is one.
pub fn text(issue: &Issue) -> String {
    match issue.inst {
        Some(inst) => inst.to_string(),
        None if model::legal(&issue.op) => issue.op.rule().text(&issue.op),
        None => "(an operation that no front end lets through)".to_owned(),
    }
}
