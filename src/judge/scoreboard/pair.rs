// SPDX-License-Identifier: MIT OR Apache-2.0
//! PORT-CAS: the two halves of a compare-and-store, their repetitions, and the line that the pair owns meanwhile.

use super::{Divergence, Field, Progress, Scoreboard, Site, Verdict, broken, same_enabled, strangers::whose};
use crate::{
    clause::Clause,
    judge::{
        contract::Contract,
        flight::WILD,
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

/// The number of pairs that ended without a write and are remembered for reports.
const OVER: usize = 32;

/// The progress of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Its exclusive read is in flight.
    Reading,
    /// The read is answered, and some lane matched: the exclusive write is due.
    ToWrite,
    /// The write was refused: the read is due again.
    ToRepeat,
    /// Its exclusive write is in flight.
    Writing,
    /// The write was made; its last answer is missing.
    Ending,
}

/// A compare-and-store on one line, from its first exclusive read to its last answer.
#[derive(Clone)]
pub struct Pair {
    /// The operation, and the number of its request.
    pub op: usize,
    pub request: usize,
    pub warp: u8,
    pub id: u8,
    pub line: u64,
    pub step: Step,
    /// The cycle of its last answer, or the last one in which its lanes may act on the answer.
    pub since: u64,
    /// What the lanes make of the line that was read last.
    pub half: SecondHalf,
    /// The line that was read last.
    pub read: [u8; MAX_LINE_BYTES],
    /// What the lanes made of the line that was read before.
    pub before: SecondHalf,
}

impl Pair {
    fn begun((op, request): (usize, usize), (warp, id): (u8, u8), line: u64, since: u64) -> Self {
        let half = SecondHalf { byte_enable: 0, data: [0; MAX_LINE_BYTES], matched: LaneMask::NONE };
        let (read, before) = ([0; MAX_LINE_BYTES], half.clone());
        Pair { op, request, warp, id, line, step: Step::Reading, since, half, read, before }
    }

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
    /// The pair with this id.
    pub fn pair(&self, id: u8) -> Option<&Pair> {
        self.pairs.iter().find(|pair| pair.id == id)
    }

    /// The pair of an operation's request.
    pub fn pair_of(&self, op: usize, request: usize) -> Option<&Pair> {
        self.pairs.iter().find(|pair| (pair.op, pair.request) == (op, request))
    }

    /// The number of an operation's request that has a half to come: its second half, or its first one again.
    pub fn due_again(&self, op: usize) -> Option<usize> {
        let due = |pair: &&Pair| pair.op == op && matches!(pair.step, Step::ToWrite | Step::ToRepeat);
        self.pairs.iter().find(due).map(|pair| pair.request)
    }

    /// The pair that owns a line.
    pub(super) fn pair_in(&self, line: u64) -> Option<&Pair> {
        self.pairs.iter().find(|pair| pair.line == line)
    }

    /// Judges a request that goes on with a pair; none if the request does not.
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
                // If lanes matched where they should not, another rule is broken, which the pair that was over helps to
                // name.
                let over = self.over.iter().rev().find(|pair| pair.op == index && pair.line == seen.line);
                let over = over.map(|pair| Box::new(pair.clone()));
                Err(Box::new(Divergence::NoPair { op: index, over, seen: Box::new(seen.clone()) }))
            });
        };
        let pair = &self.pairs[place];
        if let Err(early) = self.half_is_due(pair, seen) {
            return Some(Err(early));
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
        if let Err(early) = self.half_has_data(pair, seen) {
            return Some(Err(early));
        }
        if request.space as u8 != seen.space || request.group != seen.group {
            let expected = format!("{:?}, group {}", request.space, request.group);
            let found = format!("space {}, group {}", seen.space, seen.group);
            return Some(Err(broken(Clause::PortCas, Some(index), Field::event(Site::MemReq, ""), &expected, found)));
        }
        if progress.attr != seen.attr && contract.promises.keeps(Clause::ComAttr) {
            let m = Mismatch::attributes(Clause::ComAttr, index, &progress.attr, &seen.attr);
            return Some(Err(m.into()));
        }
        self.pairs[place].step = if write { Step::Writing } else { Step::Reading };
        self.comparisons += 1;
        Some(Ok((index, number)))
    }

    /// Judges whether a half of a pair may be requested now, whatever its contents: it has the pair's id, and what it
    /// waits for is answered.
    pub(super) fn half_is_due(&self, pair: &Pair, seen: &Seen) -> Verdict {
        let wrong = |field: Field, expected: &str, found: String| {
            Err(broken(Clause::PortCas, Some(pair.op), field, expected, found))
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
        Ok(())
    }

    /// Judges whether the data that a pair's write stores are there.
    pub(super) fn half_has_data(&self, pair: &Pair, seen: &Seen) -> Verdict {
        let write = seen.kind == ReqKind::WriteExclusive as u8;
        let missing = if write { self.data_missing(pair.op) } else { 0 };
        if missing == 0 {
            return Ok(());
        }
        let found = format!("{missing} are still to come");
        let field = Field::event(Site::MemReq, "").request(pair.request);
        Err(broken(Clause::PortData, Some(pair.op), field, "after its data beats", found))
    }

    /// The clause of a completion while a pair of the operation is not over, and another clause that may be broken
    /// instead.
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
        // A write of the value that is there already may be late, or may have been taken for none.
        if same && !changes { (Clause::PortCas, Some(Clause::PortDone)) } else { (Clause::PortDone, None) }
    }

    /// Judges a new request: no pair may own its line or its id, and it begins a pair only if no request to its line
    /// waits for its last answer.
    pub(crate) fn line_is_free(&self, seen: &Seen, index: impl Into<Option<usize>>) -> Verdict {
        let index = index.into();
        if let Some(pair) = self.pair_in(seen.line) {
            let expected = format!("no other request to line {:#x} before the pair's last answer", seen.line);
            return Err(broken(Clause::PortCas, index, Field::event(Site::MemReq, ""), &expected, pair.what()));
        }
        // Of a pair from before the log, it is known while a half is in flight.
        if let Some(half) = self.strangers.pair_in(seen.line) {
            let expected = format!("no other request to line {:#x} before the pair's last answer", seen.line);
            let found = format!("{}'s compare-and-store with id {}: a half is in flight", whose(half), half.id);
            return Err(broken(Clause::PortCas, index, Field::event(Site::MemReq, ""), &expected, found));
        }
        if let Some(pair) = self.pair(seen.id) {
            return Err(broken(
                Clause::PortCas,
                index,
                Field::signal(Site::MemReq, "id"),
                "an id that no pair keeps",
                pair.what(),
            ));
        }
        if seen.kind != ReqKind::ReadExclusive as u8 {
            return Ok(());
        }
        if let Some(flight) = self.all_flights().find(|flight| flight.line == seen.line) {
            let expected = format!("no request to line {:#x} that waits for its last answer", seen.line);
            let found = format!("{}'s with id {}", whose(flight), flight.id);
            return Err(broken(Clause::PortCas, index, Field::event(Site::MemReq, ""), &expected, found));
        }
        Ok(())
    }

    /// Begins a pair with its first request.
    pub(crate) fn pair_begins(&mut self, contract: &Contract, (op, request): (usize, usize), seen: &Seen) -> Verdict {
        let most = self.most_pairs();
        if self.pairs.len() >= most && contract.promises.keeps(Clause::PortFair) {
            let expected = format!("at most {most} compare-and-stores together, so that an id is left");
            let found = "one more".to_owned();
            return Err(broken(Clause::PortFair, Some(op), Field::event(Site::MemReq, ""), &expected, found));
        }
        self.pairs.push(Pair::begun((op, request), (seen.warp, seen.id), seen.line, self.cycle));
        Ok(())
    }

    /// Follows the answer to an exclusive read of an operation that may do anything: lanes that the model does not know
    /// may act on the line, and end the pair.
    pub(super) fn wild_acts(&mut self, op: usize, owner: (u8, u8), line: u64) {
        self.acted = self.acted.max(self.cycle).saturating_add(self.shape.lanes as u64);
        self.ends_without_write(Pair::begun((op, WILD), owner, line, self.acted));
    }

    fn ends_without_write(&mut self, pair: Pair) {
        self.over.push_back(pair);
        self.over.drain(..self.over.len().saturating_sub(OVER));
    }

    /// The number of cycles that a pair's lanes may take to act on its line.
    pub(crate) fn meeting(&self, pair: &Pair) -> u64 {
        let plan = &self.op(pair.op).plan;
        plan.requests.get(pair.request).map_or(0, |request| meeting(plan, request.lanes))
    }

    /// Follows an answer that the unit took, to a half of a pair.
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
                progress.compares = true;
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
                self.ends_without_write(pair);
            }
        }
        if let Some(judge) = &mut self.judge {
            judge.answered(warp, op, request, scope, last);
        }
    }
}

/// The number of cycles that lanes may take to act on a line: one for each lane that meets others on a dword. Lines are
/// processed one after the other (the end of the PORT clauses: a pair's step).
fn meeting(plan: &Plan, lanes: LaneMask) -> u64 {
    let (mut on, mut most) = ([0; MAX_LINE_BYTES / 4], 0);
    for lane in lanes.iter() {
        let here = &mut on[plan.addr[lane] as usize / 4 % (MAX_LINE_BYTES / 4)];
        *here += 1;
        most = most.max(*here);
    }
    most
}

/// A lane's step on its dword: the place in the line, the compared value, and the new value.
#[derive(Clone, Copy)]
pub struct OneStep {
    /// The offset of the first byte.
    pub at: usize,
    pub compare: u32,
    pub new: u32,
}

/// The steps of a request's lanes, in ascending order.
pub fn steps(issue: &Issue, plan: &Plan, lanes: LaneMask, line: u64) -> Vec<OneStep> {
    let step = |lane: usize| OneStep {
        at: plan.addr[lane].wrapping_sub(line) as usize % MAX_LINE_BYTES,
        compare: issue.beat(0, lane),
        new: issue.beat(1, lane),
    };
    lanes.iter().map(step).collect()
}

/// Whether some order of the lanes leads to the data of an exclusive write.
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
