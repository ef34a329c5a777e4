// SPDX-License-Identifier: MIT OR Apache-2.0
//! A byte of the scratchpad, by the model. No port shows what the unit holds there, except by what its loads return.

use serde::Serialize;

use super::{OpName, Origin, Trail, before, origin};
use crate::{
    model::{Plan, vector},
    op::{Kind, hex},
};

/// A byte of the scratchpad, followed up to some cycle.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PadTrail {
    #[serde(with = "hex")]
    pub offset: u64,
    /// The last cycle that counts; all of the log without it.
    pub until: Option<u64>,
    /// The value by the model; none if no store to the byte was seen.
    pub value: Option<u8>,
    /// In the order in which the unit took the operations (PORT-SPAD).
    pub writes: Vec<PadWrite>,
}

/// A store to the byte.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PadWrite {
    pub by: OpName,
    pub from: Origin,
    /// None if the log lacks what is stored, or what a compare-and-store found, or if a reset cut the operation off.
    pub value: Option<u8>,
}

impl Trail<'_> {
    /// Follows a byte of the scratchpad, through the operations taken up to this cycle.
    pub fn shared(&self, offset: u64, until: Option<u64>) -> PadTrail {
        let works = self.works.iter().enumerate().filter(|(_, work)| work.shared && before(work.accepted, until));
        let writes: Vec<_> = works.filter_map(|(index, _)| self.pad_write(index, offset)).collect();
        let value = writes.last().and_then(|write: &PadWrite| write.value);
        PadTrail { offset, until, value, writes }
    }

    fn pad_write(&self, index: usize, offset: u64) -> Option<PadWrite> {
        let (issue, work) = (&self.record.log.issues()[index], &self.works[index]);
        if issue.op.kind == Kind::Load as u8 {
            return None;
        }
        let plan: Plan = self.plan(index);
        let (moved, at) = (vector::moved(&issue.op), |lane: usize| offset.wrapping_sub(plan.addr[lane]));
        let here = |&lane: &usize| at(lane) < 32 && moved >> at(lane) & 1 == 1;
        if issue.op.kind == Kind::Store as u8 {
            let lane = plan.shared.iter().filter(here).last()?;
            let from = origin::within(&issue.op, lane, at(lane) as usize);
            let value = (!work.dataless && !work.cut).then(|| origin::value(issue, &from));
            return Some(PadWrite { by: self.name(index), from, value });
        }
        // Only a dword that a lane has changed counts: a store of the value that was there shows nothing.
        let dword = |lane: usize| work.dwords.iter().find(|(addr, ..)| *addr == plan.addr[lane]).copied();
        let unknown = |lane: &usize| work.unknown.contains(*lane);
        let lane = plan.shared.iter().filter(here).filter(|&lane| {
            let new = issue.beat(1, lane);
            unknown(&lane) || dword(lane).is_some_and(|(_, was, is)| was != is && is == new)
        });
        let lane = lane.last()?;
        let from = origin::within(&issue.op, lane, at(lane) as usize);
        let value = dword(lane).filter(|_| !unknown(&lane)).map(|(_, _, is)| is.to_le_bytes()[from.byte % 4]);
        Some(PadWrite { by: self.name(index), from, value })
    }
}
