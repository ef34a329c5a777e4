// SPDX-License-Identifier: MIT OR Apache-2.0
//! Lanes that would have stored a byte, and what kept them from it: faults, clamps, comparisons.

use serde::Serialize;

use super::{OpName, Trail, before, origin};
use crate::{
    model::{self, Fate, Place, Plan, Request},
    op::{Kind, ReqKind},
};

/// A lane that does not store, by the model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Kept {
    pub op: OpName,
    pub lane: usize,
    /// The reason, with the clause.
    pub why: String,
}

impl Trail<'_> {
    /// The lanes of all operations up to a cycle that would have stored to an address and do not, by the model. Every
    /// operation is examined.
    pub fn kept(&self, addr: u64, until: Option<u64>) -> Vec<Kept> {
        let in_time = |&index: &usize| before(self.works[index].accepted, until);
        (0..self.works.len()).filter(in_time).flat_map(|index| self.kept_of(index, addr)).collect()
    }

    /// Those lanes of one operation.
    pub(super) fn kept_of(&self, index: usize, addr: u64) -> Vec<Kept> {
        let issue = &self.record.log.issues()[index];
        if issue.op.kind == Kind::Load as u8 {
            return Vec::new();
        }
        let plan = self.plan(index);
        let why = |lane: usize| {
            self.refused(index, &plan, lane, addr).or_else(|| {
                let at = |request: &&Request| request.kind == ReqKind::ReadExclusive && request.lanes.contains(lane);
                let which = plan.requests.iter().position(|request| {
                    at(&request) && origin::lanes(&issue.op, &plan, request, addr).contains(lane)
                })?;
                self.unmatched(index, &plan, which, lane, addr)
            })
        };
        let lanes = plan.active.iter().filter_map(|lane| why(lane).map(|why| (lane, why)));
        lanes.map(|(lane, why)| Kept { op: self.name(index), lane, why }).collect()
    }

    /// The reason why a lane whose access covers an address does not make it.
    fn refused(&self, index: usize, plan: &Plan, lane: usize, addr: u64) -> Option<String> {
        let (shape, issue) = (&self.record.header.unit, &self.record.log.issues()[index]);
        let (op, ctrl) = (&issue.op, self.ctrl(index));
        let covers = |first: u64, bytes: u32| (first..first.saturating_add(bytes.into())).contains(&addr);
        if let Some(burst) = model::r700_trace(shape, ctrl, op, &issue.lanes, lane) {
            let kept = [Fate::Clamped, Fate::Outside];
            let dword = burst.dwords.iter().find(|dword| kept.contains(&dword.fate) && covers(dword.addr, 4))?;
            let (number, gpr, component) =
                (dword.dword, dword.gpr, ['x', 'y', 'z', 'w'][usize::from(dword.component) % 4]);
            return Some(match dword.fate {
                Fate::Clamped => format!(
                    "is clamped there: dword {number} (GPR {gpr}, {component}) is not below the limit {} (R700-CLAMP)",
                    burst.limit_dw.unwrap_or_default()
                ),
                _ => format!("is past the buffer's end there: dword {number} (GPR {gpr}, {component}) (R700-BOUND)"),
            });
        }
        let trace = model::trace(shape, ctrl, op, &issue.lanes, lane);
        let first = match trace.place {
            Place::Global(addr) | Place::Local { addr, .. } | Place::Param { addr, .. } => addr,
            Place::Cluster { addr, .. } | Place::Uav { addr, .. } => addr,
            _ => return None,
        };
        let refused = !plan.memory.contains(lane) && covers(first, op.access_bytes());
        let clause = trace.clauses.last().map_or("", |clause| clause.id());
        refused.then(|| format!("does not store: its access faults ({:?}, {clause})", trace.fault))
    }

    /// The reason why a lane of a pair does not store, if it found another value.
    fn unmatched(&self, index: usize, plan: &Plan, which: usize, lane: usize, addr: u64) -> Option<String> {
        let line = self.last_read(index, which)?;
        let (request, issue) = (&plan.requests[which], &self.record.log.issues()[index]);
        let lanes = request.lanes.iter().filter(|&other| other <= lane).collect();
        let upto = model::cas::second_half(plan, &Request { lanes, ..request.clone() }, &issue.data, line);
        if upto.matched.contains(lane) {
            return None;
        }
        // It finds what the lanes before it have left.
        let at = (addr.wrapping_sub(request.line) as usize & !3).min(line.len() - 4);
        let left = if upto.byte_enable >> at & 1 == 1 { &upto.data } else { line };
        let dword = &left[at..at + 4];
        let (found, wanted) = (dword_of(dword), issue.beat(0, lane));
        Some(format!("does not store: it finds {found:#010x} and compares with {wanted:#010x} (SM5-CAS)"))
    }

    /// What the lanes of a pair compare at an address, in words.
    pub(super) fn compared(&self, index: usize, plan: &Plan, which: usize, addr: u64) -> String {
        let (request, issue) = (&plan.requests[which], &self.record.log.issues()[index]);
        let at = addr.wrapping_sub(request.line) as usize / 4 * 4;
        let read = self.last_read(index, which).and_then(|line| line.get(at..at + 4));
        let read = read.map_or_else(
            || "memory did not answer".to_owned(),
            |dword| format!("memory answered {:#010x}", dword_of(dword)),
        );
        let lanes = origin::lanes(&issue.op, plan, request, addr);
        let compare = |lane: usize| {
            format!("lane {lane} would store {:#010x} over {:#010x}", issue.beat(1, lane), issue.beat(0, lane))
        };
        let lanes: Vec<_> = lanes.iter().map(compare).collect();
        format!("{read}, {}", if lanes.is_empty() { "no lane compares here".to_owned() } else { lanes.join(", ") })
    }
}

fn dword_of(bytes: &[u8]) -> u32 {
    bytes.iter().rev().fold(0, |all, &byte| all << 8 | u32::from(byte))
}
