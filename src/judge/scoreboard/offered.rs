// SPDX-License-Identifier: MIT OR Apache-2.0
//! Offers that are not taken yet. An offer may be taken at any time, so everything that it waits for must be over
//! already. Its contents are judged when it is taken, and stay the same until then (PORT-HOLD).

use super::{Field, Pair, Progress, Scoreboard, SetBits, Site, Step, Verdict, broken, strangers::whose};
use crate::{
    clause::Clause,
    judge::{
        contract::Contract,
        log::{Beat, Done, Issue, Offer, Port, Seen},
        trail::origin,
    },
    model::Request,
    op::{MAX_LANES, MAX_LINE_BYTES, ReqKind},
};

impl Scoreboard {
    /// Judges an offer that is not taken in this cycle.
    pub fn offered(&self, contract: &Contract, issues: &[Issue], offer: &Offer) -> Verdict {
        let (clause, site, warp, tag) = match offer {
            Offer::Request(seen) => (Clause::PortReq, Site::MemReq, seen.warp, seen.tag),
            Offer::Beat(beat) => (Clause::PortWb, Site::Wb, beat.warp, beat.tag),
            Offer::Done(done) => (Clause::PortDone, Site::Done, done.warp, done.tag),
        };
        let Some(index) = self.owner(warp, tag) else {
            return self.not_owned(clause, Field::event(site, "owner"), warp, tag);
        };
        match offer {
            Offer::Request(seen) => self.may_ask(contract, issues, seen, index),
            Offer::Beat(beat) => {
                self.may_beat(index, beat)?;
                if (self.op(index).plan.shared & beat.mask).is_empty() {
                    Ok(())
                } else {
                    self.fences_open(issues, index)
                }
            }
            Offer::Done(done) => {
                self.may_complete(issues, index, done)?;
                if self.op(index).wild.is_some() { Ok(()) } else { self.order_completes(contract, issues, index) }
            }
        }
    }

    /// Judges an offer that is never taken, because the log or the operation is cut off, as if it were taken now.
    pub fn cut_off(&mut self, contract: &Contract, issues: &[Issue], offer: &Offer) -> Verdict {
        match offer {
            Offer::Request(seen) => self.request(contract, issues, seen).map(drop),
            Offer::Beat(beat) => self.beat(contract, issues, beat).map(drop),
            // The operation is not done all the same.
            Offer::Done(done) => match self.owner(done.warp, done.tag) {
                Some(index) => self.completes(contract, issues, index, done),
                None => self.unowned(Clause::PortDone, Field::event(Site::Done, "owner"), done.warp, done.tag),
            },
        }
    }

    /// By port, whether something can wait there that the log does not show.
    pub fn may_offer(&self, contract: &Contract, issues: &[Issue]) -> [bool; 3] {
        let mut ports = [false; 3];
        let mut may = |offer: Offer| ports[offer.port() as usize] |= self.offered(contract, issues, &offer).is_ok();
        self.could_ask(contract).into_iter().for_each(|seen| may(Offer::Request(Box::new(seen))));
        for &index in self.running.iter().flatten() {
            let progress = self.op(index);
            let Progress { warp, tag, .. } = *progress;
            for register in SetBits(progress.owed(&issues[index].op).0) {
                let ready = progress.settled[register] - progress.delivered(register);
                for mask in [ready & progress.plan.shared, ready - progress.plan.shared] {
                    let beat = Beat { warp, tag, register: register as u8, mask, data: [0; MAX_LANES] };
                    may(Offer::Beat(Box::new(beat)));
                }
            }
            may(Offer::Done(Box::new(Done { warp, tag, faults: [0; MAX_LANES] })));
        }
        // What is not judged request by request may come at any time.
        let sends = self.sending.iter().any(|ops| !ops.is_empty());
        ports[Port::Request as usize] |= self.has_own_affairs() || contract.promises.loose() && sends;
        ports
    }

    /// The requests that may be next, with a free id if there is one: of each warp, and of each pair.
    fn could_ask(&self, contract: &Contract) -> Vec<Seen> {
        let turns = if contract.promises.keeps(Clause::PortOrder) { 1 } else { usize::MAX };
        let first = self.sending.iter().flat_map(|ops| ops.iter().take(turns));
        let first = first.map(|&op| (op, self.op(op).sent, None));
        let again = self.pairs.iter().map(|pair| (pair.op, pair.request, Some(pair)));
        let free = self.ids().trailing_ones() as u8;
        let asks = |(op, number, pair): (usize, usize, Option<&Pair>)| {
            let progress = self.op(op);
            let seen = progress.asks(progress.plan.requests.get(number)?);
            let write = pair.is_some_and(|pair| pair.step == Step::ToWrite);
            let kind = if write { ReqKind::WriteExclusive as u8 } else { seen.kind };
            Some(Seen { id: pair.map_or(free, |pair| pair.id), kind, ..seen })
        };
        first.chain(again).filter_map(asks).collect()
    }

    /// Judges whether the next request of an operation may be made, whatever its contents. Requests to an undefined
    /// resource are judged when they are taken.
    fn may_ask(&self, contract: &Contract, issues: &[Issue], seen: &Seen, index: usize) -> Verdict {
        let progress = self.op(index);
        if progress.wild.is_some() {
            return Ok(());
        }
        if let Some(pair) = self.pair_in(seen.line).filter(|pair| pair.op == index) {
            self.half_is_due(pair, seen)?;
            return self.half_has_data(pair, seen);
        }
        let requests = &progress.plan.requests;
        let fits = |number: &usize| {
            let request = &requests[*number];
            request.line == seen.line && seen.byte_enable & !request.byte_enable == 0
        };
        // If the model does not know the requests one by one, any that it may be a part of.
        let (first, end) =
            if progress.loose.is_some() { (0, requests.len()) } else { (progress.sent, progress.sent + 1) };
        let numbers = || (first..end.min(requests.len())).filter(|number| progress.loose.is_none() || fits(number));
        let verdicts = numbers().map(|number| self.has_data_for(&issues[index], index, number, seen));
        let Some(verdict) = verdicts.reduce(Result::or) else { return Ok(()) };
        verdict?;
        self.line_is_free(seen, index)?;
        self.id_is_free(seen, index)?;
        self.no_hazard(contract, seen, index)?;
        self.order_allows(contract, index, issues, seen)
    }

    /// The number of an operation's data beats that are still to come.
    pub(super) fn data_missing(&self, index: usize) -> usize {
        let progress = self.op(index);
        if progress.has_data { 0 } else { progress.data_until.saturating_sub(self.data_taken) }
    }

    /// The first scratchpad operation, up to this one, that cannot have been performed because its data are missing.
    fn spad_lacks(&self, index: usize) -> Option<usize> {
        let mut lacking = self.lacking.iter().map(|&(op, _)| op).take_while(|&op| op <= index);
        lacking.find(|&op| !self.op(op).plan.shared.is_empty())
    }

    /// Judges a beat or a completion that shows an access to the scratchpad: the data of the operation, and of the
    /// scratchpad operations before it, must be there.
    pub(super) fn spad_in_turn(&self, index: usize, site: Site) -> Verdict {
        let Some(op) = self.spad_lacks(index) else { return Ok(()) };
        let found = format!("{} of operation {op}'s data beats are still to come", self.data_missing(op));
        let expected = "after all that the scratchpad is given by it and by the operations before it";
        Err(broken(Clause::PortSpad, Some(index), Field::event(site, "order"), expected, found))
    }

    /// Judges whether the data of an operation's request are there (PORT-DATA).
    pub(crate) fn has_data_for(&self, issue: &Issue, index: usize, number: usize, seen: &Seen) -> Verdict {
        let missing = self.data_missing(index);
        let progress = self.op(index);
        let requests = &progress.plan.requests;
        let Some(request) = requests.get(number).filter(|_| missing > 0) else { return Ok(()) };
        if request.kind != ReqKind::Write {
            return Ok(());
        }
        let (beats, gprs) = (issue.data.len(), issue.op.present_gprs);
        let wants = if issue.op.is_burst() {
            let a_gpr = beats / gprs.count_ones().max(1) as usize;
            let before = gprs & 1u16.checked_shl(request.group.into()).unwrap_or(0).wrapping_sub(1);
            // If the lanes of a GPR cross lines, its first requests may need only its first components.
            let last = request.served.iter().rposition(|lanes| !lanes.is_empty());
            let mine = last.map_or(0, |last| issue.op.element_mask & (0xf >> (3 - last.min(3))));
            before.count_ones() as usize * a_gpr + mine.count_ones() as usize
        } else {
            beats
        };
        // A part of a request needs the beats of its bytes.
        let wants =
            if progress.loose.is_some() { wants.min(self.beats_of(issue, index, request, seen)) } else { wants };
        let taken = beats.saturating_sub(missing);
        if taken >= wants {
            return Ok(());
        }
        let expected = format!("after the {wants} data beats that it needs");
        let field = Field::event(Site::MemReq, "").request(number);
        Err(broken(Clause::PortData, Some(index), field, &expected, format!("{taken} of them were taken")))
    }

    /// The number of an operation's data beats up to the last one that a request has a byte of.
    fn beats_of(&self, issue: &Issue, index: usize, request: &Request, seen: &Seen) -> usize {
        let (op, plan) = (&issue.op, &self.op(index).plan);
        let enabled = (0..MAX_LINE_BYTES as u64).filter(|byte| seen.byte_enable >> byte & 1 == 1);
        // Of several lanes that store to a byte, the first to come may be the one.
        let beats = enabled.map(|byte| request.line + byte).filter_map(|addr| {
            let lanes = origin::lanes(op, plan, request, addr);
            lanes.iter().map(|lane| origin::of(op, plan, request, lane, addr).beat + 1).min()
        });
        beats.max().unwrap_or(0)
    }

    /// Judges the id of a request (PORT-ID).
    pub(crate) fn id_is_free(&self, seen: &Seen, index: impl Into<Option<usize>>) -> Verdict {
        if self.strangers.with_id(seen.id).is_none()
            && !self.flights.is_busy(seen.id)
            && usize::from(seen.id) < self.shape.pending.min(crate::op::MAX_PENDING)
        {
            return Ok(());
        }
        let free = format!("an id below {} that is not in flight", self.shape.pending);
        let field = Field::signal(Site::MemReq, "id");
        Err(broken(Clause::PortId, index.into(), field, &free, seen.id.to_string()))
    }

    /// Judges conflicts with requests in flight (PORT-HAZARD).
    pub(crate) fn no_hazard(&self, contract: &Contract, seen: &Seen, index: impl Into<Option<usize>>) -> Verdict {
        let write = seen.kind == ReqKind::Write as u8;
        let against = self.all_flights().find(|flight| super::request::stands_against(flight, write, seen));
        let Some(flight) = against.filter(|_| contract.promises.keeps(Clause::PortHazard)) else { return Ok(()) };
        let clear = format!("no request in flight for the same bytes of line {:#x}", seen.line);
        let kind = ["read", "write"][usize::from(flight.write)];
        let found = format!("{}'s {kind} with id {}", whose(flight), flight.id);
        Err(broken(Clause::PortHazard, index.into(), Field::event(Site::MemReq, ""), &clear, found))
    }
}
