// SPDX-License-Identifier: MIT OR Apache-2.0
//! An operation in flight: which of the model's requests each of the unit's stands for.

use rustc_hash::FxHashMap;

use super::Bytes;
use crate::{
    judge::log::Seen,
    model::{Plan, Request, cas::SecondHalf},
    op::ReqKind,
};

/// An operation in flight.
pub struct Running {
    pub plan: Plan,
    /// By the model's request: the bytes that the unit has requested.
    pub asked: Vec<u128>,
    /// By the model's exclusive read: what its lanes make of the last answer, until memory has it.
    pub halves: FxHashMap<usize, SecondHalf>,
}

impl Running {
    /// The model's request that a request of the unit stands for: the next one, or another one in its line.
    pub fn stands_for(&mut self, seen: &Seen) -> Option<usize> {
        let requests = &self.plan.requests;
        let next = (0..requests.len()).find(|&which| self.asked[which] == 0);
        let fits = |which: usize| {
            let pair = requests[which].kind == ReqKind::ReadExclusive;
            requests[which].line == seen.line
                && pair == seen.is_pair()
                && requests[which].byte_enable & seen.byte_enable != 0
        };
        // A line may come in parts, or again: the request that lacks most bytes comes first.
        let lacks = |&which: &usize| {
            let missing = seen.byte_enable & requests[which].byte_enable & !self.asked[which];
            (missing.count_ones(), std::cmp::Reverse(which))
        };
        let other = || (0..requests.len()).filter(|&which| fits(which)).max_by_key(lacks);
        let again = |&which: &usize| {
            seen.is_pair() || self.asked[which] & requests[which].byte_enable & seen.byte_enable == 0 || next.is_none()
        };
        let which = next.filter(|&next| fits(next)).or_else(|| other().filter(again)).or(next)?;
        let request = &requests[which];
        let whole = !fits(which) || seen.is_pair();
        self.asked[which] |= if whole { request.byte_enable } else { seen.byte_enable & request.byte_enable };
        Some(which)
    }

    /// What the model has memory write in place of a request of the unit.
    pub fn due(&mut self, which: usize, seen: &Seen) -> Option<Bytes> {
        let request: &Request = self.plan.requests.get(which)?;
        match request.kind {
            ReqKind::Write => Some(Bytes { line: request.line, enable: request.byte_enable, data: request.data }),
            ReqKind::ReadExclusive if seen.kind == ReqKind::WriteExclusive as u8 => {
                let half = self.halves.remove(&which)?;
                Some(Bytes { line: request.line, enable: half.byte_enable, data: half.data })
            }
            _ => None,
        }
    }
}
