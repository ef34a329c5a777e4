// SPDX-License-Identifier: MIT OR Apache-2.0
//! PTX-SEM: what must wait for what. At the memory port, the model's judge follows every request and answer. The
//! scratchpad has no port, so it is judged only by what shows at other ports.

use super::{Divergence, Field, Scoreboard, Site, Step, Verdict, broken};
use crate::{
    clause::Clause,
    judge::{
        contract::Contract,
        flight::Flight,
        log::{Issue, Seen},
        mismatch::Mismatch,
    },
    model::{
        order::{Broken, Order},
        orders,
    },
    op::{Scope, Space},
};

const WAITS: &str = "every earlier access of its warp acknowledged first, mmio one by one";

fn early(broken_: Broken, index: usize, field: Field) -> Box<Divergence> {
    broken(broken_.clause(), Some(index), field, WAITS, broken_.to_string())
}

/// Drops a violation of a clause that the unit does not promise.
fn kept(contract: &Contract, verdict: Result<(), Broken>) -> Result<(), Broken> {
    verdict.or_else(|what| if contract.promises.keeps(what.clause()) { Err(what) } else { Ok(()) })
}

/// Whether a request goes to memory that no other thread sees.
fn is_private(seen: &Seen) -> bool {
    [Space::Local as u8, Space::Param as u8].contains(&seen.space)
}

impl Scoreboard {
    /// Follows an operation that the unit accepted.
    pub(crate) fn order_accepted(&mut self, index: usize, issue: &Issue) {
        let Some(judge) = &mut self.judge else { return };
        let progress = &mut self.ops[self.places[index] as usize];
        let plan = &progress.plan;
        judge.issued(index, &issue.op, plan);
        let last = &mut self.spad_last[usize::from(progress.warp)];
        progress.spad_before = *last;
        if !plan.shared.is_empty() {
            *last = Some(index);
            if orders(&issue.op, plan).release.is_some() {
                self.fences.push(index);
            }
            self.spad_waiting.push_back(index);
            self.order_spad();
        }
    }

    /// Gives operations that have their data their turns in the scratchpad, each for as many cycles as its banks need.
    pub(crate) fn order_spad(&mut self) {
        while let Some(index) = self.spad_waiting.front().copied().filter(|&index| self.op(index).has_data) {
            self.spad_waiting.pop_front();
            self.spad_until = self.spad_until.max(self.cycle) + u64::from(self.op(index).bank_cycles);
            self.op_mut(index).spad_until = self.spad_until;
        }
    }

    /// Judges the order of an operation's next request. The request itself is right.
    pub(crate) fn order_sent(&mut self, contract: &Contract, index: usize, issues: &[Issue], seen: &Seen) -> Verdict {
        self.order_before_log(contract, index, seen)?;
        let Some(judge) = &mut self.judge else { return self.loose_order(contract, index, issues, seen) };
        let progress = &self.ops[self.places[index] as usize];
        let sent = judge.sent(index, &issues[index].op, &progress.plan, seen.line, seen.byte_enable);
        kept(contract, sent).map_err(|what| early(what, index, Field::event(Site::MemReq, "order")))?;
        self.spad_before(contract, index, issues, seen)
    }

    /// Judges whether an operation's next request may be offered.
    pub(crate) fn order_allows(&self, contract: &Contract, index: usize, issues: &[Issue], seen: &Seen) -> Verdict {
        self.order_before_log(contract, index, seen)?;
        let Some(judge) = &self.judge else { return self.loose_order(contract, index, issues, seen) };
        let may = judge.may_send(index, &issues[index].op).map(drop);
        kept(contract, may).map_err(|what| early(what, index, Field::event(Site::MemReq, "order")))?;
        self.spad_before(contract, index, issues, seen)
    }

    /// Judges a request of a unit that PTX-SEM's judge does not follow: the model does not know its requests one by one, or
    /// it does not keep this clause. Those that are in flight show all the same what a release, or an mmio access, should
    /// have waited for.
    fn loose_order(&self, contract: &Contract, index: usize, issues: &[Issue], seen: &Seen) -> Verdict {
        let promises = &contract.promises;
        if !promises.loose() && promises.keeps(Clause::PtxSem) {
            return Ok(());
        }
        let Order { release, mmio, .. } = orders(&issues[index].op, &self.op(index).plan);
        if let Some(scope) = release.filter(|_| !is_private(seen) && promises.keeps(Clause::PtxSem))
            && let Some(op) = self.lacks(index, scope)
        {
            let found = format!("a release was sent before operation {op} was acknowledged at {scope:?} scope");
            return Err(broken(Clause::PtxSem, Some(index), Field::event(Site::MemReq, "order"), WAITS, found));
        }
        // The place of an operation that is done may be another's.
        let is_mmio = |flight: &Flight| self.op(flight.op).index == flight.op && self.op(flight.op).mmio;
        let earlier = |flight: &&Flight| flight.warp == seen.warp && !flight.answered && is_mmio(flight);
        if let Some(flight) = self.flights.iter().find(earlier).filter(|_| mmio && promises.keeps(Clause::PortOrder)) {
            return Err(early(Broken::MmioSent { earlier: flight.op }, index, Field::event(Site::MemReq, "order")));
        }
        Ok(())
    }

    /// Judges what a release may leave behind of what was in flight before the log.
    fn order_before_log(&self, contract: &Contract, index: usize, seen: &Seen) -> Verdict {
        let promises = &contract.promises;
        let waits = |_: &Scope| !is_private(seen) && promises.keeps(Clause::PtxSem) && !promises.any_lane_order();
        self.op(index).release.filter(waits).map_or(Ok(()), |scope| self.strangers_reach(index, scope))
    }

    /// An operation of the warp before a release that was not acknowledged at this scope.
    pub(super) fn lacks(&self, release: usize, scope: Scope) -> Option<usize> {
        let warp = self.op(release).warp;
        let unsent = self.sending[usize::from(warp)].front().copied().filter(|&op| op < release);
        let mut flights = self.flights.iter().filter(|flight| flight.warp == warp && flight.op < release);
        let unanswered = || flights.find(|flight| !flight.reached(scope)).map(|flight| flight.op);
        let mut pairs = self.pairs.iter().filter(|pair| pair.warp == warp && pair.op < release);
        let between = || pairs.find(|pair| matches!(pair.step, Step::ToWrite | Step::ToRepeat)).map(|pair| pair.op);
        unsent.or_else(unanswered).or_else(between)
    }

    /// Judges whether the scratchpad can have performed what the warp of a release did there before.
    fn spad_before(&self, contract: &Contract, index: usize, issues: &[Issue], seen: &Seen) -> Verdict {
        let issue = &issues[index];
        let progress = self.op(index);
        let before =
            progress.spad_before.map(|op| self.op(op)).filter(|before| Some(before.index) == progress.spad_before);
        if is_private(seen) || orders(&issue.op, &progress.plan).release.is_none() {
            return Ok(());
        }
        let Some(before) = before else { return Ok(()) };
        let early = |found| Err(broken(Clause::PtxSem, Some(index), Field::event(Site::MemReq, "order"), WAITS, found));
        if self.cycle < before.spad_until && contract.promises.keeps(Clause::PortBank) {
            let until = before.spad_until;
            let found = format!("the scratchpad needs until cycle {until} for what the warp did before");
            let m = Mismatch::new(Clause::PtxSem, Some(index), Field::event(Site::MemReq, "order"));
            return Err(m.or([Clause::PortBank]).values(WAITS, found).into());
        }
        match self.fence_before(issues, before.index) {
            Some((fence, op)) if !before.done => early(format!(
                "what the warp did before is in the scratchpad behind operation {fence}, a release that waits for \
                 operation {op}"
            )),
            _ => Ok(()),
        }
    }

    /// Follows an operation that is done.
    pub(crate) fn order_done(&mut self, issues: &[Issue], index: usize) {
        if let Some(judge) = &mut self.judge {
            // What is wrong was judged before, if the unit promises it.
            let _ = judge.done(issues[index].op.warp, index);
            self.fences.retain(|&fence| fence != index);
        }
    }

    /// Judges whether an operation may complete, as far as others before it count.
    pub(crate) fn order_completes(&self, contract: &Contract, issues: &[Issue], index: usize) -> Verdict {
        let Some(judge) = &self.judge else { return self.loose_done(contract, index, issues) };
        let completes = judge.may_complete(issues[index].op.warp, index);
        kept(contract, completes).map_err(|what| early(what, index, Field::event(Site::Done, "order")))?;
        if self.op(index).plan.shared.is_empty() { Ok(()) } else { self.fences_open(issues, index) }
    }

    /// Judges the completion of a release, which may have been made where no port shows it.
    fn loose_done(&self, contract: &Contract, index: usize, issues: &[Issue]) -> Verdict {
        let promises = &contract.promises;
        if !promises.loose() || !promises.keeps(Clause::PtxSem) {
            return Ok(());
        }
        let release = orders(&issues[index].op, &self.op(index).plan).release;
        let Some((scope, op)) = release.and_then(|scope| Some((scope, self.lacks(index, scope)?))) else {
            return Ok(());
        };
        let found = format!("a release was done before operation {op} was acknowledged at {scope:?} scope");
        Err(broken(Clause::PtxSem, Some(index), Field::event(Site::Done, "order"), WAITS, found))
    }

    /// Judges the scratchpad's part of an operation when it has been performed. The releases before it must have been
    /// performed as well, because they hold up the operations after them (PORT-SPAD).
    pub(crate) fn fences_open(&self, issues: &[Issue], index: usize) -> Verdict {
        let Some((fence, op)) = self.fence_before(issues, index) else { return Ok(()) };
        let expected = "after the scratchpad's part of every release before it";
        let found = format!("operation {fence}, a release before it, waits for operation {op}");
        Err(broken(Clause::PtxSem, Some(index), Field::event(Site::Scratchpad, "order"), expected, found))
    }

    /// A release before an operation that the scratchpad cannot have performed yet, and the operation that the release
    /// waits for.
    fn fence_before(&self, issues: &[Issue], index: usize) -> Option<(usize, usize)> {
        self.fences.iter().filter(|&&fence| fence < index).find_map(|&fence| {
            let progress = self.op(fence);
            let scope = orders(&issues[fence].op, &progress.plan).release?;
            Some((fence, self.lacks(fence, scope)?))
        })
    }
}
