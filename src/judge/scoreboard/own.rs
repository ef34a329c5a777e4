// SPDX-License-Identifier: MIT OR Apache-2.0
//! COM-OWN, of a unit whose requests need not come in the order of its operations, or only once: what one thread does to
//! a byte comes to memory in the order of its operations. A compare-and-store counts as a store, whether or not it
//! matches. Bursts are left out, because their lanes have many places.

mod split;

use super::{Divergence, Field, Progress, Scoreboard, Site, Verdict, broken, loose::disputed};
use crate::{
    clause::Clause,
    judge::{
        contract::Contract,
        flight::Flight,
        log::{Beat, Issue, Seen},
        mismatch::Mismatch,
    },
    model::{lane_bytes, orders, private},
    op::{Fault, Kind, LaneMask, ReqKind},
};

fn wrong((op, request): (usize, usize), lane: usize, expected: &str, found: &str) -> Box<Divergence> {
    let field = Field::event(Site::MemReq, "order").request(request);
    Mismatch::new(Clause::ComOwn, Some(op), field).lane(lane).values(expected, found).into()
}

/// One of the model's requests: its operation, its number, and those of its bytes that count.
type Bytes = (usize, usize, u128);

impl Scoreboard {
    /// Judges a read that is answered: no earlier store of its lanes to its bytes may still have to be requested.
    pub(super) fn finds_its_own(&self, contract: &Contract, issues: &[Issue], flight: &Flight) -> Verdict {
        let promises = &contract.promises;
        let known = self.op(flight.op).index == flight.op;
        if !known || promises.keeps(Clause::PortOrder) && promises.keeps(Clause::PortHazard) {
            return Ok(());
        }
        // A lane may ask by itself for what it has in common with others, and does not heed their answers.
        let disputed = disputed(&issues[flight.op].op, self.op(flight.op), flight.request);
        let read = (flight.op, flight.request, flight.byte_enable & !disputed);
        let stores = self.before(flight.op).filter(|&op| issues[op].op.kind != Kind::Load as u8);
        for store in stores {
            if let Some((lane, _)) = self.unasked(store).find_map(|write| self.meet(issues, read, write)) {
                let expected = format!("answered after its own store, operation {store}, was made");
                return Err(wrong((flight.op, flight.request), lane, &expected, "before that asked for the bytes"));
            }
        }
        Ok(())
    }

    /// Judges a request that stores, or may: what its lanes did to its bytes before must have been requested, and what they
    /// store there afterwards must not. And no part of a store may come again after a later release (PTX-SEM).
    pub(super) fn keeps_its_own(
        &self,
        contract: &Contract,
        issues: &[Issue],
        (index, number): (usize, usize),
        seen: &Seen,
    ) -> Verdict {
        let promises = &contract.promises;
        let stores = seen.kind == ReqKind::Write as u8 || seen.kind == ReqKind::ReadExclusive as u8;
        if !stores || promises.keeps(Clause::PortOrder) && !promises.loose() {
            return Ok(());
        }
        let write = (index, number, seen.byte_enable);
        let overtaken = self.before(index).flat_map(|op| self.unasked(op));
        let surely = |other, made| self.surely_meets((promises, issues), (write, seen), other, made);
        let early = |other| self.meet(issues, write, other).filter(|_| surely(other, false));
        if let Some((lane, op)) = overtaken.into_iter().find_map(early) {
            let expected = format!("after operation {op}, an earlier one of the same thread");
            return Err(wrong((index, number), lane, &expected, "before that asked for the bytes"));
        }
        let warp = usize::from(self.op(index).warp & 7);
        let after = || self.running[warp].iter().copied().filter(|&op| op > index);
        let stored = after().filter(|&op| issues[op].op.kind != Kind::Load as u8).flat_map(|op| self.asked(op));
        let late = |other| self.meet(issues, write, other).filter(|_| surely(other, true));
        if let Some((lane, op)) = stored.into_iter().find_map(late) {
            let expected = format!("before operation {op}, a later store of the same thread");
            return Err(wrong((index, number), lane, &expected, "again after that"));
        }
        let progress = self.op(index);
        let lanes = progress.plan.requests[number].lanes - private(&issues[index].op, &progress.plan);
        let released = |&op: &usize| {
            orders(&issues[op].op, &self.op(op).plan).release.is_some() && self.asked(op).next().is_some()
        };
        match after().find(released).filter(|_| !lanes.is_empty() && promises.keeps(Clause::PtxSem)) {
            Some(release) => {
                let expected = format!("before operation {release}, a release");
                let field = Field::event(Site::MemReq, "order").request(number);
                Err(broken(Clause::PtxSem, Some(index), field, &expected, "again after that".to_owned()))
            }
            None => Ok(()),
        }
    }

    /// Tells a value that a lane took from memory after its own later store.
    pub(super) fn precedes_its_own(&self, index: usize, beat: &Beat, lane: usize) -> Verdict {
        let progress = self.op(index);
        let register = usize::from(beat.register);
        if !progress.loose.as_ref().is_some_and(|loose| (loose.first - loose.torn(register)).contains(lane)) {
            return Ok(());
        }
        let field = Field::signal(Site::Wb, "data").register(register);
        let m = Mismatch::new(Clause::ComOwn, Some(index), field).lane(lane);
        let expected = format!("{:#010x}, as it was before its own later store", progress.registers[register][lane]);
        Err(m.values(expected, format!("{:#010x}", beat.data[lane])).into())
    }

    /// The operations of the same warp before this one that have requests left to make.
    fn before(&self, index: usize) -> impl Iterator<Item = usize> {
        let warp = usize::from(self.op(index).warp & 7);
        self.sending[warp].iter().copied().filter(move |&op| op < index)
    }

    /// What an operation has not requested yet.
    fn unasked(&self, op: usize) -> impl Iterator<Item = Bytes> {
        let progress = self.op(op);
        let loose = progress.loose.as_ref();
        let first = if loose.is_some() { 0 } else { progress.sent };
        (first..progress.plan.requests.len())
            .map(move |number| (op, number, !loose.map_or(0, |loose| loose.asked(number))))
    }

    /// What an operation has requested.
    fn asked(&self, op: usize) -> impl Iterator<Item = Bytes> {
        let progress = self.op(op);
        let made = |number| match &progress.loose {
            Some(loose) => loose.asked(number),
            None => {
                if number < progress.sent {
                    u128::MAX
                } else {
                    0
                }
            }
        };
        (0..progress.plan.requests.len())
            .map(move |number| (op, number, made(number)))
            .filter(|&(_, _, bytes)| bytes != 0)
    }

    /// The lanes of a read that have stored to some of its bytes since, and these bytes. Only stores of later operations
    /// count that memory has surely performed.
    pub(super) fn stored_since(&self, issues: &[Issue], read: Bytes) -> Vec<(usize, u128)> {
        let warp = usize::from(self.op(read.0).warp & 7);
        let stores = self.running[warp].iter().filter(|&&op| op > read.0 && issues[op].op.kind != Kind::Load as u8);
        let performed = |(op, number, bytes): Bytes| (op, number, bytes & !self.unanswered((op, number)));
        let writes = stores.flat_map(|&op| self.asked(op)).map(performed);
        writes
            .flat_map(|write| self.common(issues, read, write).filter(move |&(lane, _)| !self.may_fail(write.0, lane)))
            .collect()
    }

    /// Whether memory may have refused a store of a lane.
    fn may_fail(&self, op: usize, lane: usize) -> bool {
        let Progress { plan, loose, .. } = self.op(op);
        plan.faults[lane] == Fault::Bus || loose.as_ref().is_some_and(|loose| loose.doubts.may_report(lane, true))
    }

    /// The bytes of one of the model's requests that are in flight and not answered.
    pub(super) fn unanswered(&self, (op, number): (usize, usize)) -> u128 {
        let open = self.flights.iter().filter(|flight| (flight.op, flight.request) == (op, number) && !flight.answered);
        open.fold(0, |all, flight| all | flight.byte_enable)
    }

    /// A lane that has a byte in both requests, and the other one's operation.
    fn meet(&self, issues: &[Issue], one: Bytes, other: Bytes) -> Option<(usize, usize)> {
        self.common(issues, one, other).next().map(|(lane, _)| (lane, other.0))
    }

    /// The lanes that have bytes in both requests, and these bytes.
    fn common(&self, issues: &[Issue], one: Bytes, other: Bytes) -> impl Iterator<Item = (usize, u128)> {
        let apart = |op: usize| issues[op].op.is_burst() || self.op(op).wild.is_some();
        let of = |(op, number, _): Bytes| self.op(op).plan.requests.get(number).filter(|_| !apart(op));
        let both = match (of(one), of(other)) {
            (Some(first), Some(second)) if first.line == second.line => first.lanes & second.lanes,
            _ => LaneMask::NONE,
        };
        let own = move |(op, number, bytes): Bytes, lane| {
            lane_bytes(&issues[op].op, &self.op(op).plan, &self.op(op).plan.requests[number], lane) & bytes
        };
        both.iter().map(move |lane| (lane, own(one, lane) & own(other, lane))).filter(|&(_, bytes)| bytes != 0)
    }
}
