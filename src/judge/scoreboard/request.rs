// SPDX-License-Identifier: MIT OR Apache-2.0
//! The request port: each operation's own requests in order (PORT-GROUP), and which requests may be in flight together.

use super::{Divergence, Field, Progress, Scoreboard, Site, Verdict};
use crate::{
    clause::Clause,
    judge::{
        Promises,
        contract::Contract,
        flight::{Flight, WILD, bit},
        log::{Issue, Seen},
        trail::origin,
    },
    model::{self, Request},
    op::{MAX_LINE_BYTES, ReqKind},
};

impl Scoreboard {
    /// Judges a request that was accepted: it must be the next of its operation, and must not conflict with anything in
    /// flight. Returns its operation and which of the operation's requests it is; none if the operation is from before
    /// the log.
    pub fn request(&mut self, contract: &Contract, issues: &[Issue], seen: &Seen) -> Verdict<Option<(usize, usize)>> {
        let Some(index) = self.owner(seen.warp, seen.tag) else {
            self.unowned(Clause::PortReq, Field::event(Site::MemReq, "owner"), seen.warp, seen.tag)?;
            self.strange_request(contract, seen)?;
            self.flights.know(seen.id);
            return Ok(None);
        };
        let again = self
            .wild_request(contract, issues, seen, index)
            .or_else(|| self.pair_request(contract, issues, seen, index));
        if let Some(verdict) = again {
            let owner = verdict?;
            if owner.1 == WILD && seen.is_pair() {
                self.wild_half(seen, index);
            }
            self.flights.accept(seen, owner);
            return Ok(Some(owner));
        }
        let promises = &contract.promises;
        if !promises.keeps(Clause::PortGroup) {
            self.bring_forward(seen, index);
        }
        let progress = self.op(index);
        let (mut number, is_loose) = (progress.sent, progress.loose.is_some());
        if !is_loose && number >= progress.plan.requests.len() {
            return Err(Box::new(Divergence::ExtraRequest { op: index, seen: Box::new(seen.clone()) }));
        }
        let sending = &self.sending[usize::from(seen.warp & 7)];
        // Requests for what was already requested may come at any time.
        let again = is_loose && !sending.contains(&index);
        let oldest = sending.front().copied();
        if let Some(oldest) = oldest.filter(|&oldest| oldest != index && !again && promises.keeps(Clause::PortOrder)) {
            return Err(Box::new(Divergence::Overtaken { op: index, oldest }));
        }
        let attributes = promises.keeps(Clause::ComAttr);
        let is_right = || {
            agrees(&progress.plan.requests[number], progress, seen, attributes)
                || promises.any_lane_order() && agrees_in_some_order(promises, &issues[index], (progress, number), seen)
        };
        if is_loose {
            number = self.loose_request(contract, issues, seen, index)?;
        } else if !is_right() {
            return Err(Box::new(Divergence::Request { op: index, number, seen: Box::new(seen.clone()) }));
        }
        self.has_data_for(&issues[index], index, number, seen)?;
        self.order_sent(contract, index, issues, seen)?;
        self.keeps_its_own(contract, issues, (index, number), seen)?;
        self.line_is_free(seen, index)?;
        self.id_is_free(seen, index)?;
        let progress = self.op(index);
        let expected = &progress.plan.requests[number];
        self.no_hazard(contract, seen, index)?;
        let last = if is_loose { self.all_asked(index) } else { number + 1 == progress.plan.requests.len() };
        if expected.kind == ReqKind::ReadExclusive {
            self.pair_begins(contract, (index, number), seen)?;
        }
        self.comparisons += 1;
        let cycle = self.cycle;
        let progress = self.op_mut(index);
        progress.sent =
            if is_loose && last { progress.plan.requests.len() } else { progress.sent + usize::from(!is_loose) };
        progress.last_sent = cycle;
        if last {
            self.sending[usize::from(seen.warp & 7)].retain(|&op| op != index);
        }
        self.wild_ids &= !bit(seen.id);
        self.flights.accept(seen, (index, number));
        Ok(Some((index, number)))
    }

    /// Puts the pair of this line next in its operation, whose pairs may come in any order.
    fn bring_forward(&mut self, seen: &Seen, index: usize) {
        let progress = self.op_mut(index);
        let sent = progress.sent;
        let Some(left) = progress.plan.requests.get_mut(sent..).filter(|_| progress.loose.is_none()) else { return };
        let is_it = |next: &Request| next.kind == ReqKind::ReadExclusive && next.line == seen.line;
        if let Some(place) = left.iter().position(is_it) {
            left[..=place].rotate_right(1);
        }
    }
}

fn agrees(expected: &Request, progress: &Progress, seen: &Seen, attributes: bool) -> bool {
    expected.kind as u8 == seen.kind
        && expected.line == seen.line
        && expected.byte_enable == seen.byte_enable
        && expected.space as u8 == seen.space
        && expected.group == seen.group
        && (progress.attr == seen.attr || !attributes)
        && (expected.kind != ReqKind::Write
            || expected.data == seen.data
            || progress.dataless
            || same_enabled(expected.byte_enable, &expected.data, &seen.data))
}

/// Whether a write is right if any of the lanes that store to a byte may be the last one (COM-SAMEADDR).
fn agrees_in_some_order(
    promises: &Promises,
    issue: &Issue,
    (progress, number): (&Progress, usize),
    seen: &Seen,
) -> bool {
    let expected = Request { data: seen.data, ..progress.plan.requests[number].clone() };
    expected.kind == ReqKind::Write
        && agrees(&expected, progress, seen, promises.keeps(Clause::ComAttr))
        && some_lanes_store(promises, issue, progress, &expected, seen)
}

/// Whether each byte of a write is that of a lane of the store; those of an element together, if it is not to be torn
/// (PTX-SEM).
pub(super) fn some_lanes_store(
    promises: &Promises,
    issue: &Issue,
    progress: &Progress,
    request: &Request,
    seen: &Seen,
) -> bool {
    let (op, plan) = (&issue.op, &progress.plan);
    let whole = promises.keeps(Clause::PtxSem) && model::orders(op, plan).whole;
    let size = if whole { usize::from(op.element_bytes).max(1) } else { 1 };
    // Elements lie at multiples of their size.
    (0..MAX_LINE_BYTES).step_by(size).all(|first| {
        let enabled = || (first..MAX_LINE_BYTES.min(first + size)).filter(|byte| seen.byte_enable >> byte & 1 == 1);
        let stores = |lane: usize, byte: usize| {
            let addr = request.line + byte as u64;
            origin::lanes(op, plan, request, addr).contains(lane)
                && origin::value(issue, &origin::of(op, plan, request, lane, addr)) == seen.data[byte]
        };
        enabled().next().is_none() || request.lanes.iter().any(|lane| enabled().all(|byte| stores(lane, byte)))
    })
}

/// Whether two lines agree in the enabled bytes. The others may hold anything.
pub fn same_enabled(enable: u128, one: &[u8; MAX_LINE_BYTES], other: &[u8; MAX_LINE_BYTES]) -> bool {
    // Compares eight bytes at a time, because most are equal.
    let words = one.as_chunks::<8>().0.iter().zip(other.as_chunks::<8>().0).enumerate();
    words.filter(|(_, (one, other))| one != other).all(|(index, (one, other))| {
        let enable = enable >> (8 * index);
        (0..8).all(|byte| one[byte] == other[byte] || enable >> byte & 1 == 0)
    })
}

/// Whether a request in flight conflicts with `seen` (PORT-HAZARD): memory may apply requests in any order until it
/// answers.
pub(super) fn stands_against(flight: &Flight, write: bool, seen: &Seen) -> bool {
    // Few requests are for the same line.
    flight.line == seen.line
        && !flight.answered
        && (flight.write || write)
        && flight.byte_enable & seen.byte_enable != 0
}
