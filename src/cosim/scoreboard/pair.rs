// SPDX-License-Identifier: MIT OR Apache-2.0
//! PORT-CAS: the two halves of a compare-and-store, their repeats, and the line that is theirs meanwhile.

use super::{Progress, Scoreboard, Verdict, WINDOW, broken};
use crate::{
    clause::Clause,
    cosim::{
        case::Issue,
        diagnose,
        environment::{Environment, Offer, Seen},
    },
    model::{
        self,
        allowed::allows,
        cas::{SecondHalf, second_half},
    },
    op::{MAX_LINE_BYTES, ReqKind, Scope},
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
    /// What its lanes make of the line as it was read last.
    pub half: SecondHalf,
    /// That line.
    pub read: [u8; MAX_LINE_BYTES],
    /// What they made of the one before it.
    pub before: SecondHalf,
}

impl Pair {
    fn what(&self) -> String {
        format!("operation {}'s compare-and-store with id {} ({:?})", self.op, self.id, self.step)
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
    pub(super) fn pair_request(
        &mut self,
        issues: &[Issue],
        seen: &Seen,
        index: usize,
    ) -> Option<Verdict<(usize, usize)>> {
        let write = seen.kind == ReqKind::WriteExclusive as u8;
        let Some(place) = self.pairs.iter().position(|pair| pair.op == index && pair.line == seen.line) else {
            return write.then(|| {
                // A unit whose lanes match where they should not has a rule of its own for it.
                let over = self.over.iter().rev().find(|pair| pair.op == index && pair.line == seen.line);
                let told = |pair| diagnose::of_sm5::written(&issues[index], &self.ops[index % WINDOW], pair, seen);
                let found = format!("one to line {:#x}, with id {}", seen.line, seen.id);
                let expected = "no exclusive write but that of a compare-and-store in which a lane matched";
                Err(broken(over.map_or(Clause::PortCas, told), Some(index), "mem_req_kind", expected, found))
            });
        };
        let pair = &self.pairs[place];
        let wrong = |field: &str, expected: &str, found: String| {
            Some(Err(broken(Clause::PortCas, Some(index), field, expected, found)))
        };
        if pair.id != seen.id {
            return wrong("mem_req_id", &format!("{}, the pair's", pair.id), seen.id.to_string());
        }
        let expected = match pair.step {
            Step::ToWrite => ReqKind::WriteExclusive,
            Step::ToRepeat => ReqKind::ReadExclusive,
            _ => return wrong("mem_req", "nothing of the pair before its answer", pair.what()),
        };
        if expected as u8 != seen.kind {
            return wrong("mem_req_kind", &format!("{expected:?}"), format!("code {}", seen.kind));
        }
        let (progress, number) = (&self.ops[index % WINDOW], pair.request);
        let request = &progress.plan.requests[number];
        let enable = if write { pair.half.byte_enable } else { request.byte_enable };
        if enable != seen.byte_enable {
            return Some(Err(diagnose::half(&issues[index], progress, pair, seen)));
        }
        let right = !write
            || same_enabled(enable, &pair.half.data, &seen.data)
            || self.allowed_sets && some_order(&issues[index], progress, pair, seen);
        if !right {
            return Some(Err(diagnose::half(&issues[index], progress, pair, seen)));
        }
        if request.space as u8 != seen.space || request.group != seen.group {
            let found = format!("space {}, group {}", seen.space, seen.group);
            return wrong("mem_req", &format!("{:?}, group {}", request.space, request.group), found);
        }
        if progress.attr != seen.attr {
            let (want, got) = (format!("{:08x?}", progress.attr), format!("{:08x?}", seen.attr));
            return Some(Err(broken(Clause::ComAttr, Some(index), "mem_req_attr", &want, got)));
        }
        self.pairs[place].step = if write { Step::Writing } else { Step::Reading };
        self.comparisons += 1;
        Some(Ok((index, number)))
    }

    /// The clause of a completion while a pair of the operation is not over.
    pub(super) fn early(&self, index: usize) -> Clause {
        let mut pairs = self.pairs.iter().filter(|pair| pair.op == index);
        let lost = pairs.any(|pair| match pair.step {
            Step::ToRepeat => true,
            // What is to be written stands there already.
            Step::ToWrite => same_enabled(pair.half.byte_enable, &pair.half.data, &pair.read),
            _ => false,
        });
        if lost { Clause::PortCas } else { Clause::PortDone }
    }

    /// A new request meets no pair in its line, and begins one only where nothing waits for an answer.
    pub(super) fn line_is_free(&self, env: &Environment, seen: &Seen, index: usize) -> Verdict {
        if let Some(pair) = self.pair_in(seen.line) {
            let expected = format!("no other request to line {:#x} before the pair's last answer", seen.line);
            return Err(broken(Clause::PortCas, Some(index), "mem_req", &expected, pair.what()));
        }
        if let Some(pair) = self.pair(seen.id) {
            return Err(broken(Clause::PortCas, Some(index), "mem_req_id", "an id that no pair keeps", pair.what()));
        }
        if seen.kind != ReqKind::ReadExclusive as u8 {
            return Ok(());
        }
        if let Some(flight) = env.flights.iter().find(|flight| flight.line == seen.line) {
            let expected = format!("no request to line {:#x} that waits for its last answer", seen.line);
            let found = format!("operation {}'s with id {}", flight.op, flight.id);
            return Err(broken(Clause::PortCas, Some(index), "mem_req", &expected, found));
        }
        Ok(())
    }

    /// The first request of a pair was accepted.
    pub(super) fn pair_begins(&mut self, (op, request): (usize, usize), seen: &Seen) {
        let Seen { warp, id, line, .. } = *seen;
        let half = SecondHalf { byte_enable: 0, data: [0; MAX_LINE_BYTES], matched: 0 };
        let (read, before) = ([0; MAX_LINE_BYTES], half.clone());
        self.pairs.push(Pair { op, request, warp, id, line, step: Step::Reading, half, read, before });
    }

    /// Memory applies a half of a pair.
    pub(super) fn apply_pair(&mut self, issues: &[Issue], env: &mut Environment, place: usize) {
        env.applied(place);
        let flight = &env.flights[place];
        let Some(pair) = self.pairs.iter_mut().find(|pair| pair.id == flight.id) else { return };
        let progress = &mut self.ops[pair.op % WINDOW];
        let lanes = progress.plan.requests[pair.request].lanes;
        match (flight.write, flight.failed) {
            _ if flight.error => model::bus_error(&mut progress.plan, lanes),
            (false, true) => model::bus_error(&mut progress.plan, lanes),
            (false, false) => {
                let line = env.reference.read_line(pair.line);
                let request = &progress.plan.requests[pair.request];
                let half = second_half(&progress.plan, request, &issues[pair.op].data, &line);
                pair.before = std::mem::replace(&mut pair.half, half);
                pair.read = line;
            }
            (true, true) => {}
            (true, false) if self.allowed_sets => {
                env.reference.write(pair.line, pair.half.byte_enable, &env.lines[usize::from(flight.id)]);
            }
            (true, false) => env.reference.write(pair.line, pair.half.byte_enable, &pair.half.data),
        }
    }

    /// The unit took an answer to a half of a pair.
    pub(super) fn pair_answered(&mut self, env: &Environment, offer: Offer) {
        let flight = &env.flights[offer.flight];
        let Some(place) = self.pairs.iter().position(|pair| pair.id == flight.id) else { return };
        let pair = &mut self.pairs[place];
        let (op, request, warp) = (pair.op, pair.request, pair.warp);
        let mut scope = offer.scope;
        let mut last = offer.last;
        match flight.write {
            false if flight.error || flight.failed || pair.half.byte_enable == 0 => {
                (scope, last) = (Scope::Sys as u8, true);
            }
            false => {
                pair.step = Step::ToWrite;
                return;
            }
            true if flight.failed => {
                pair.step = Step::ToRepeat;
                return;
            }
            true => pair.step = Step::Ending,
        }
        if last {
            let pair = self.pairs.swap_remove(place);
            if !flight.write && !flight.error && !flight.failed {
                self.over.push_back(pair);
                self.over.drain(..self.over.len().saturating_sub(OVER));
            }
        }
        if let Some(judge) = &mut self.judge {
            judge.answered(warp, op, request, scope, last);
        }
        let progress = self.op_mut(op);
        if progress.index == op && !progress.done && offer.first {
            progress.answered += 1;
        }
    }
}

fn same_enabled(enable: u128, want: &[u8], got: &[u8]) -> bool {
    want.iter().zip(got).enumerate().all(|(i, (want, got))| want == got || enable >> i & 1 == 0)
}

/// Whether an exclusive write is what some order of the lanes leaves.
fn some_order(issue: &Issue, progress: &Progress, pair: &Pair, seen: &Seen) -> bool {
    let request = &progress.plan.requests[pair.request];
    let steps = diagnose::of_sm5::steps(issue, &progress.plan, request.lanes, pair.line);
    let dword = |bytes: &[u8], at: usize| {
        bytes.get(at..at + 4).map_or(0, |dword| dword.iter().rev().fold(0, |all, byte| all << 8 | u32::from(*byte)))
    };
    (0..MAX_LINE_BYTES).step_by(4).filter(|at| pair.half.byte_enable >> at & 1 == 1).all(|at| {
        let here: Vec<_> = steps.iter().filter(|step| step.at == at).map(|step| (step.compare, step.new)).collect();
        allows(dword(&pair.read, at), &here, dword(&seen.data, at))
    })
}
