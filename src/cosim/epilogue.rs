// SPDX-License-Identifier: MIT OR Apache-2.0
//! The loads that read the scratchpad back after a case: the judge cannot see its contents otherwise.

use crate::{
    model::Register,
    op::{Kind, Lanes, Op, Shape},
};

use super::{
    case::{Case, Issue, Schedule},
    prologue::{self, ITEM, operation},
};

/// The loads of all that was allocated, under control registers of their own.
pub fn case(case: &Case, shape: &Shape) -> Case {
    let op = Op { kind: Kind::Load as u8, ..operation() };
    let load = |items: &[u64]| {
        let mut issue = Issue { op, lanes: Lanes::default(), data: Vec::<Register>::new(), inst: None };
        for (lane, item) in items.iter().enumerate() {
            issue.lanes.active.insert(lane);
            issue.lanes.addr[lane][0] = (item * ITEM) as u32;
        }
        issue
    };
    let items = prologue::items(case, shape);
    Case {
        ctrl: prologue::control(shape),
        memory: Vec::new(),
        shared: Vec::new(),
        bus_errors: Vec::new(),
        issues: items.chunks(shape.lanes).map(load).collect(),
        schedule: Schedule::eager(),
        serial: false,
        dirty_cycles: 0,
        rate: None,
        ..case.clone()
    }
}
