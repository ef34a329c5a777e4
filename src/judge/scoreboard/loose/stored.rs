// SPDX-License-Identifier: MIT OR Apache-2.0
//! What loose writes leave in memory: the last value written to a byte must be right in the end. An element of a store
//! that is not weak is written in one piece, and that of a volatile one once.

use super::{
    super::{Divergence, Field, Scoreboard, Site, Verdict, broken, request::some_lanes_store},
    owned,
};
use crate::{
    clause::Clause,
    judge::{
        contract::Contract,
        log::{Issue, Seen},
    },
    model::{self, Request},
    op::{MAX_LINE_BYTES, Op},
};

impl Scoreboard {
    /// PTX-SEM: whether a write has each element of a strong store whole, and none of a volatile one again. A byte that
    /// several lanes store to may come once for each.
    pub(super) fn in_one_piece(&mut self, op: &Op, seen: &Seen, index: usize, place: usize) -> Verdict {
        let progress = self.op(index);
        let order = model::orders(op, &progress.plan);
        if !order.whole {
            return Ok(());
        }
        let request = &progress.plan.requests[place];
        // What no other thread sees acts as weak, and may come in parts and again, also where a strong element lies.
        let private = model::private(op, &progress.plan);
        let lanes = request.lanes - private;
        let own = owned(op, progress, request, lanes).0 & !owned(op, progress, request, request.lanes & private).0;
        // Elements lie at multiples of their size, so those of several lanes are the same or apart.
        let size = usize::from(op.element_bytes).clamp(1, MAX_LINE_BYTES);
        for first in (0..MAX_LINE_BYTES).step_by(size) {
            let element = own & (u128::MAX >> (MAX_LINE_BYTES - size)) << first;
            let asked = seen.byte_enable & element;
            if asked != 0 && asked != element {
                let seen = Box::new(seen.clone());
                return Err(Box::new(Divergence::Request { op: index, number: place, seen }));
            }
        }
        if !order.once {
            return Ok(());
        }
        let enabled = (0..MAX_LINE_BYTES).filter(|byte| (seen.byte_enable & own) >> byte & 1 == 1);
        let most = |byte: usize| {
            let has = |&lane: &usize| model::lane_bytes(op, &progress.plan, request, lane) >> byte & 1 == 1;
            lanes.iter().filter(has).count()
        };
        let limits: Vec<_> = enabled.map(|byte| (byte, most(byte))).collect();
        let Some(loose) = &mut self.op_mut(index).loose else { return Ok(()) };
        for (byte, most) in limits {
            let times = &mut loose.parts[place].times[byte];
            if usize::from(*times) >= most {
                let field = Field::signal(Site::MemReq, "be").request(place).byte(byte);
                return Err(broken(Clause::PtxSem, Some(index), field, "a volatile byte once", "again".to_owned()));
            }
            *times += 1;
        }
        Ok(())
    }

    /// Judges a write. Where an operation may ask again, a byte that several lanes store to may hold another lane's value
    /// for a while, but not in the end, unless their order is open.
    pub(super) fn loose_write(
        &mut self,
        contract: &Contract,
        issue: &Issue,
        seen: &Seen,
        (index, place): (usize, usize),
    ) -> Verdict {
        let promises = &contract.promises;
        let progress = self.op(index);
        let request = &progress.plan.requests[place];
        let differs = |&byte: &usize| seen.byte_enable >> byte & 1 == 1 && request.data[byte] != seen.data[byte];
        let mut wrong = 0;
        for byte in (0..MAX_LINE_BYTES).filter(differs) {
            wrong |= u128::from(!progress.dataless) << byte;
        }
        let once = promises.keeps(Clause::PortMin);
        let open = promises.any_lane_order();
        if wrong != 0 && (once && !open || !some_lanes_store(promises, issue, progress, request, seen)) {
            let seen = Box::new(seen.clone());
            return Err(Box::new(Divergence::Request { op: index, number: place, seen }));
        }
        let wrong = if open { 0 } else { wrong };
        let undone = self.undone(seen, index, place);
        if let Some(&(later, bytes)) = undone.first().filter(|_| once) {
            return Err(self.wrong_in_the_end((index, later), bytes));
        }
        self.ask(index, place, seen.byte_enable);
        let Some(loose) = &mut self.op_mut(index).loose else { return Ok(()) };
        for (later, bytes) in undone {
            let part = &mut loose.parts[later];
            part.asked &= !bytes;
            part.wrong |= bytes;
        }
        let part = &mut loose.parts[place];
        part.asked &= !wrong;
        part.wrong = part.wrong & !seen.byte_enable | wrong;
        Ok(())
    }

    /// The bytes that a later GPR of the burst has written, and that this write replaces with other values
    /// (R700-ELEM): by number of the model's request. Memory may come in any order to what is in flight together.
    fn undone(&self, seen: &Seen, index: usize, place: usize) -> Vec<(usize, u128)> {
        let progress = self.op(index);
        let requests = &progress.plan.requests;
        let Some(loose) = progress.loose.as_ref().filter(|_| !progress.dataless) else { return Vec::new() };
        let (line, group) = (requests[place].line, requests[place].group);
        let later = (0..requests.len()).filter(|&other| requests[other].line == line && requests[other].group > group);
        let differs = |other: usize| {
            let shared = seen.byte_enable & loose.parts[other].asked & !self.unanswered((index, other));
            let bytes = (0..MAX_LINE_BYTES).filter(|byte| shared >> byte & 1 == 1);
            bytes.filter(|&byte| requests[other].data[byte] != seen.data[byte]).fold(0, |all, byte| all | 1 << byte)
        };
        later.map(|other| (other, differs(other))).filter(|&(_, bytes)| bytes != 0).collect()
    }

    /// What is wrong about bytes that hold the value of another lane, or of an earlier GPR, in the end.
    pub(super) fn wrong_in_the_end(&self, (index, number): (usize, usize), bytes: u128) -> Box<Divergence> {
        let requests = &self.op(index).plan.requests;
        let field = Field::signal(Site::MemReq, "data").request(number).byte(bytes.trailing_zeros() as usize);
        let later = |other: &Request| other.line == requests[number].line && other.group != requests[number].group;
        let (clause, expected, found) = match requests.iter().any(later) {
            true => (Clause::R700Elem, "the later GPR's value in the end", "another one's"),
            false => (Clause::ComSameaddr, "the highest lane's value in the end", "another lane's"),
        };
        broken(clause, Some(index), field, expected, found)
    }
}
