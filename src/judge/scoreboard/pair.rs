// SPDX-License-Identifier: MIT OR Apache-2.0
//! PORT-CAS: the two halves of a compare-and-store, their repeats, and the line that is theirs meanwhile.

use super::{Divergence, Field, Progress, Scoreboard, Site, Verdict, broken, same_enabled};
use crate::{
    clause::Clause,
    judge::{
        contract::Contract,
        log::{Issue, Response, Seen},
        mismatch::Mismatch,
    },
    model::{
        self, Plan,
        allowed::allows,
        cas::{SecondHalf, second_half},
    },
    op::{LaneMask, MAX_LINE_BYTES, ReqKind, Scope},
};

/// Pairs that are over without a write and still remembered, for reports.
const OVER: usize = 32;

/// How far a pair is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Its exclusive read is in flight.
    Reading,
    /// The read is answered, and some lane matched: the exclusive write is to come.
    ToWrite,
    /// The write was refused: the read is to come again.
    ToRepeat,
    /// Its exclusive write is in flight.
    Writing,
    /// Made; the last answer is missing.
    Ending,
}

/// A compare-and-store of one line, from its first exclusive read to its last answer.
#[derive(Clone)]
pub struct Pair {
    /// The operation, and which of its requests.
    pub op: usize,
    pub request: usize,
    pub warp: u8,
    pub id: u8,
    pub line: u64,
    pub step: Step,
    /// The cycle of its last answer.
    pub since: u64,
    /// What its lanes make of the line as it was read last.
    pub half: SecondHalf,
    /// That line.
    pub read: [u8; MAX_LINE_BYTES],
    /// What they made of the one before it.
    pub before: SecondHalf,
}

impl Pair {
    fn what(&self) -> String {
        let step = match self.step {
            Step::Reading => "its exclusive read is in flight",
            Step::ToWrite => "its exclusive write is due",
            Step::ToRepeat => "its write was refused, its exclusive read is due again",
            Step::Writing => "its exclusive write is in flight",
            Step::Ending => "its last answer is to come",
        };
        format!("operation {}'s compare-and-store with id {}: {step}", self.op, self.id)
    }
}

impl Scoreboard {
    /// The pair that has an id.
    pub fn pair(&self, id: u8) -> Option<&Pair> {
        self.pairs.iter().find(|pair| pair.id == id)
    }

    /// The pair of an operation's request.
    pub fn pair_of(&self, op: usize, request: usize) -> Option<&Pair> {
        self.pairs.iter().find(|pair| (pair.op, pair.request) == (op, request))
    }

    /// Which of an operation's requests has a half to come: its second, or its first again.
    pub fn due_again(&self, op: usize) -> Option<usize> {
        let due = |pair: &&Pair| pair.op == op && matches!(pair.step, Step::ToWrite | Step::ToRepeat);
        self.pairs.iter().find(due).map(|pair| pair.request)
    }

    /// The pair in a line.
    fn pair_in(&self, line: u64) -> Option<&Pair> {
        self.pairs.iter().find(|pair| pair.line == line)
    }

    /// A request that goes on with a pair, if the one that was accepted does.
    pub(crate) fn pair_request(
        &mut self,
        contract: &Contract,
        issues: &[Issue],
        seen: &Seen,
        index: usize,
    ) -> Option<Verdict<(usize, usize)>> {
        let write = seen.kind == ReqKind::WriteExclusive as u8;
        let Some(place) = self.pairs.iter().position(|pair| pair.op == index && pair.line == seen.line) else {
            return write.then(|| {
                // A unit whose lanes match where they should not has a rule of its own for it.
                let over = self.over.iter().rev().find(|pair| pair.op == index && pair.line == seen.line);
                let over = over.map(|pair| Box::new(pair.clone()));
                Err(Box::new(Divergence::NoPair { op: index, over, seen: Box::new(seen.clone()) }))
            });
        };
        let pair = &self.pairs[place];
        let wrong = |field: Field, expected: &str, found: String| {
            Some(Err(broken(Clause::PortCas, Some(index), field, expected, found)))
        };
        if pair.id != seen.id {
            return wrong(Field::signal(Site::MemReq, "id"), &format!("{}, the pair's", pair.id), seen.id.to_string());
        }
        let expected = match pair.step {
            Step::ToWrite => ReqKind::WriteExclusive,
            Step::ToRepeat => ReqKind::ReadExclusive,
            _ => return wrong(Field::event(Site::MemReq, ""), "nothing of the pair before its answer", pair.what()),
        };
        if expected as u8 != seen.kind {
            return wrong(Field::signal(Site::MemReq, "kind"), &format!("{expected:?}"), format!("code {}", seen.kind));
        }
        let (progress, number) = (self.op(index), pair.request);
        let half =
            || Box::new(Divergence::Half { op: index, pair: Box::new(pair.clone()), seen: Box::new(seen.clone()) });
        let request = &progress.plan.requests[number];
        let enable = if write { pair.half.byte_enable } else { request.byte_enable };
        if enable != seen.byte_enable {
            return Some(Err(half()));
        }
        let right = !write
            || same_enabled(enable, &pair.half.data, &seen.data)
            || contract.promises.any_lane_order() && some_order(&issues[index], progress, pair, seen);
        if !right {
            return Some(Err(half()));
        }
        let missing = if write { self.data_missing(index) } else { 0 };
        if missing > 0 {
            let found = format!("{missing} are still to come");
            let field = Field::event(Site::MemReq, "").request(number);
            return Some(Err(broken(Clause::PortData, Some(index), field, "after its data beats", found)));
        }
        if request.space as u8 != seen.space || request.group != seen.group {
            let found = format!("space {}, group {}", seen.space, seen.group);
            return wrong(
                Field::event(Site::MemReq, ""),
                &format!("{:?}, group {}", request.space, request.group),
                found,
            );
        }
        if progress.attr != seen.attr && contract.promises.keeps(Clause::ComAttr) {
            let m = Mismatch::attributes(Clause::ComAttr, index, &progress.attr, &seen.attr);
            return Some(Err(m.into()));
        }
        self.pairs[place].step = if write { Step::Writing } else { Step::Reading };
        self.comparisons += 1;
        Some(Ok((index, number)))
    }

    /// The clause of a completion while a pair of the operation is not over, and another one that it may be.
    pub(crate) fn early(&self, index: usize) -> (Clause, Option<Clause>) {
        let pairs = || self.pairs.iter().filter(|pair| pair.op == index);
        if pairs().any(|pair| pair.step == Step::ToRepeat) {
            return (Clause::PortCas, None);
        }
        let (mut changes, mut same) = (false, false);
        for pair in pairs().filter(|pair| pair.step == Step::ToWrite) {
            let stands = same_enabled(pair.half.byte_enable, &pair.half.data, &pair.read);
            *if stands { &mut same } else { &mut changes } = true;
        }
        // A write of what stands there already may be late, or thought to be none.
        if same && !changes { (Clause::PortCas, Some(Clause::PortDone)) } else { (Clause::PortDone, None) }
    }

    /// A new request meets no pair in its line, and begins one only where nothing waits for an answer.
    pub(crate) fn line_is_free(&self, seen: &Seen, index: usize) -> Verdict {
        if let Some(pair) = self.pair_in(seen.line) {
            let expected = format!("no other request to line {:#x} before the pair's last answer", seen.line);
            return Err(broken(Clause::PortCas, Some(index), Field::event(Site::MemReq, ""), &expected, pair.what()));
        }
        if let Some(pair) = self.pair(seen.id) {
            return Err(broken(
                Clause::PortCas,
                Some(index),
                Field::signal(Site::MemReq, "id"),
                "an id that no pair keeps",
                pair.what(),
            ));
        }
        if seen.kind != ReqKind::ReadExclusive as u8 {
            return Ok(());
        }
        if let Some(flight) = self.flights.iter().find(|flight| flight.line == seen.line) {
            let expected = format!("no request to line {:#x} that waits for its last answer", seen.line);
            let found = format!("operation {}'s with id {}", flight.op, flight.id);
            return Err(broken(Clause::PortCas, Some(index), Field::event(Site::MemReq, ""), &expected, found));
        }
        Ok(())
    }

    /// The first request of a pair was accepted.
    pub(crate) fn pair_begins(&mut self, contract: &Contract, (op, request): (usize, usize), seen: &Seen) -> Verdict {
        let most = self.most_pairs();
        if self.pairs.len() >= most && contract.promises.keeps(Clause::PortFair) {
            let expected = format!("at most {most} compare-and-stores together, so that an id is left");
            let found = "one more".to_owned();
            return Err(broken(Clause::PortFair, Some(op), Field::event(Site::MemReq, ""), &expected, found));
        }
        let Seen { warp, id, line, .. } = *seen;
        let half = SecondHalf { byte_enable: 0, data: [0; MAX_LINE_BYTES], matched: LaneMask::NONE };
        let (read, before) = ([0; MAX_LINE_BYTES], half.clone());
        let (step, since) = (Step::Reading, self.cycle);
        self.pairs.push(Pair { op, request, warp, id, line, step, since, half, read, before });
        Ok(())
    }

    /// The unit took an answer to a half of a pair.
    pub(crate) fn pair_answered(
        &mut self,
        issues: &[Issue],
        response: &Response,
        write: bool,
        first: bool,
        error: bool,
        failed: bool,
    ) {
        let Some(at) = self.pairs.iter().position(|pair| pair.id == response.id) else { return };
        let (op, request, warp) = (self.pairs[at].op, self.pairs[at].request, self.pairs[at].warp);
        let progress = &mut self.ops[self.places[op] as usize];
        let (mut scope, mut last) = (response.scope, response.last);
        let pair = &mut self.pairs[at];
        let mut acted = self.cycle;
        if progress.index == op && !progress.done {
            let Some(expected) = progress.plan.requests.get(request) else { return };
            if error || failed && !write {
                let lanes = expected.lanes;
                model::bus_error(&mut progress.plan, lanes);
            } else if !write {
                let half = second_half(&progress.plan, expected, &issues[op].data, &response.data);
                pair.before = std::mem::replace(&mut pair.half, half);
                pair.read = response.data;
                self.acted = self.acted.max(self.cycle).saturating_add(meeting(&progress.plan, expected.lanes));
                acted = self.acted - 1;
            }
        }
        pair.since = acted;
        match write {
            false if error || failed || pair.half.byte_enable == 0 => {
                (scope, last) = (Scope::Sys as u8, true);
            }
            false => {
                pair.step = Step::ToWrite;
                return;
            }
            true if failed => {
                pair.step = Step::ToRepeat;
                return;
            }
            true => pair.step = Step::Ending,
        }
        if first && progress.index == op && !progress.done {
            progress.answered += 1;
            progress.last_answered = progress.last_answered.max(acted);
        }
        if last {
            let pair = self.pairs.swap_remove(at);
            if !write && !error && !failed {
                self.over.push_back(pair);
                self.over.drain(..self.over.len().saturating_sub(OVER));
            }
        }
        if let Some(judge) = &mut self.judge {
            judge.answered(warp, op, request, scope, last);
        }
    }
}

/// The cycles that lanes may take to act on a line: one for each that meets another on a dword, lines one after the other
/// (the end of the PORT clauses: a pair's step).
fn meeting(plan: &Plan, lanes: LaneMask) -> u64 {
    let (mut on, mut most) = ([0; MAX_LINE_BYTES / 4], 0);
    for lane in lanes.iter() {
        let here = &mut on[plan.addr[lane] as usize / 4 % (MAX_LINE_BYTES / 4)];
        *here += 1;
        most = most.max(*here);
    }
    most
}

/// One lane's dword: where it is in the line, what is compared, what is new.
#[derive(Clone, Copy)]
pub struct OneStep {
    /// Of the first byte.
    pub at: usize,
    pub compare: u32,
    pub new: u32,
}

/// The steps of a request's lanes, ascending.
pub fn steps(issue: &Issue, plan: &Plan, lanes: LaneMask, line: u64) -> Vec<OneStep> {
    let step = |lane: usize| OneStep {
        at: plan.addr[lane].wrapping_sub(line) as usize % MAX_LINE_BYTES,
        compare: issue.beat(0, lane),
        new: issue.beat(1, lane),
    };
    lanes.iter().map(step).collect()
}

/// Whether an exclusive write is what some order of the lanes leaves.
fn some_order(issue: &Issue, progress: &Progress, pair: &Pair, seen: &Seen) -> bool {
    let request = &progress.plan.requests[pair.request];
    let steps = steps(issue, &progress.plan, request.lanes, pair.line);
    let dword = |bytes: &[u8], at: usize| {
        bytes.get(at..at + 4).map_or(0, |dword| dword.iter().rev().fold(0, |all, byte| all << 8 | u32::from(*byte)))
    };
    (0..MAX_LINE_BYTES).step_by(4).filter(|at| pair.half.byte_enable >> at & 1 == 1).all(|at| {
        let here: Vec<_> = steps.iter().filter(|step| step.at == at).map(|step| (step.compare, step.new)).collect();
        allows(dword(&pair.read, at), &here, dword(&seen.data, at))
    })
}
