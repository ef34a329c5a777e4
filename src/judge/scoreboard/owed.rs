// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is still to come of an operation, for the report and the wave of a hang.

use super::{Field, Mismatch, Scoreboard, SetBits, Site, Step, awaits_last};
use crate::{
    clause::Clause,
    judge::{contract::Contract, flight::Flight, log::Issue},
    model::{is_release, orders},
    op::{LaneMask, Op},
};

/// The number of registers that are named; the others are counted.
const NAMED: usize = 3;

/// The next thing that the unit owes of an operation.
pub enum Due {
    /// The number of a request, or of a request whose pair has a half to come.
    Request(usize),
    /// A register, and the lanes whose value is settled.
    Beat(usize, LaneMask),
    Done,
}

/// The cycles in which was over what an operation may have waited for besides its own events.
pub struct Over<'a> {
    /// By warp: its last completion.
    pub completed: &'a [u64; 8],
    /// The last completion of an operation that uses the scratchpad.
    pub spad: u64,
    /// When the last data beat of an operation is put in its place.
    pub placed: &'a dyn Fn(&Op) -> u64,
}

impl Scoreboard {
    /// Whether operations are in flight and have everything that others give, so that the unit must go on.
    pub fn all_is_there(&self) -> bool {
        self.done < self.accepted && self.lacking.is_empty() && self.flights.is_empty()
    }

    /// The mismatch for what the environment owes at the end of a log in which no offer waits for the unit.
    pub fn awaits_environment(&self, issues: &[Issue]) -> Option<Mismatch> {
        let over = self.done == self.accepted;
        let mut unanswered = self.flights.iter().filter(|flight| !flight.answered);
        let later = || self.flights.iter().find(|flight| over || self.awaits_more(issues, flight));
        let (clause, op, expected) = if let Some(flight) = unanswered.next().or_else(later) {
            let which = if flight.answered { "last answer" } else { "answer" };
            (Clause::PortRsp, flight.op, format!("the {which} to id {}", flight.id))
        } else {
            let &(op, _) = self.lacking.front()?;
            (Clause::PortData, op, format!("{} more data beats", self.data_missing(op)))
        };
        let site = if clause == Clause::PortData { Site::Op } else { Site::Memory };
        let m = Mismatch::new(clause, Some(op), Field::event(site, "(environment)"));
        Some(m.values(expected, "none until the end of the log, and nothing waits for the unit to take it"))
    }

    /// Whether something waits for a later answer to a request that has its first one: its own operation (R700-ACK), a
    /// release of its warp (PTX-SEM), or whatever needs an id.
    fn awaits_more(&self, issues: &[Issue], flight: &Flight) -> bool {
        let of = |op: usize| orders(&issues[op].op, &self.op(op).plan).release;
        let mut later = self.running[usize::from(flight.warp & 7)].iter().filter(|&&op| op > flight.op);
        self.awaits_last(issues, flight)
            || self.flights.len() >= self.shape.pending
            || later.any(|&op| of(op).is_some_and(|scope| !flight.reached(scope)))
    }

    fn awaits_last(&self, issues: &[Issue], flight: &Flight) -> bool {
        let progress = self.op(flight.op);
        progress.index == flight.op && !progress.done && awaits_last(&issues[flight.op].op)
    }

    /// The operation for which a hang is reported: the oldest that is owed a beat whose lanes memory has answered,
    /// because such a beat can lack nothing but the port; or else the oldest.
    pub fn hanging(&self, issues: &[Issue]) -> Option<usize> {
        let answered = |op: usize| self.op(op).plan.shared.is_empty();
        let beat = |&op: &usize| answered(op) && matches!(self.due(op, &issues[op]), Some(Due::Beat(..)));
        let owed = self.running.iter().flatten().copied().filter(beat).min();
        owed.or_else(|| self.running.iter().filter_map(|ops| ops.front().copied()).min())
    }

    /// The oldest operation that is owed a beat or its completion, and since when it has all that others give; it was
    /// before cycle `before`. What waits for another operation does not count, nor does a release of which nothing
    /// shows, nor a completion that the contract lets come at any time.
    pub fn overdue(&self, contract: &Contract, issues: &[Issue], over: &Over<'_>, before: u64) -> Option<(usize, u64)> {
        let dones = contract.promises.keeps(Clause::PortDone);
        let owed = self.running.iter().flatten().filter(|&&index| self.op(index).wild.is_none());
        let since = owed.filter_map(|&index| {
            let issue = &issues[index];
            let since = match self.due(index, issue)? {
                Due::Request(_) => None,
                Due::Beat(..) => self.owes_beat(index, issue),
                Due::Done => self.owes_done(index, issue, over).filter(|_| dones),
            };
            since.map(|since| (index, since))
        });
        since.filter(|&(_, since)| since < before).min()
    }

    /// Since when an operation is owed a beat that nothing holds up: one that memory answered, or that needs none, or one
    /// of the scratchpad if no other operation has that before it. Lanes of both may come in one beat.
    fn owes_beat(&self, index: usize, issue: &Issue) -> Option<u64> {
        let progress = self.op(index);
        let shared = progress.plan.shared;
        let ready = |register: usize| progress.settled[register] - progress.delivered(register);
        let mut registers = SetBits(progress.owed(&issue.op).0).map(ready);
        if registers.any(|lanes| !lanes.is_empty() && (lanes & shared).is_empty()) {
            return Some(progress.moved());
        }
        let older = self.running[usize::from(progress.warp)].iter().take_while(|&&op| op < index);
        let released = older.copied().all(|op| self.op(op).release.is_none());
        self.made_in_scratchpad(index).filter(|_| released).map(|made| made.max(progress.moved()))
    }

    /// Since when an operation is owed its completion, and nothing else.
    fn owes_done(&self, index: usize, issue: &Issue, over: &Over<'_>) -> Option<u64> {
        let progress = self.op(index);
        let warp = usize::from(issue.op.warp & 7);
        let first = self.running[warp].front() == Some(&index);
        let hidden = || {
            let spad = if progress.plan.shared.is_empty() { 0 } else { over.spad };
            let since = progress.moved().max(spad).max((over.placed)(&issue.op));
            let shows = !is_release(&issue.op) && !self.is_held_in_scratchpad(index);
            shows.then(|| since.saturating_add(progress.bank_cycles.into()))
        };
        let last = progress.last_event(&issue.op).or_else(hidden).filter(|_| first)?;
        Some(last.max(over.completed[warp]))
    }

    /// What the unit owes of an operation; none while the operation waits for its data or for memory.
    pub fn due(&self, index: usize, issue: &Issue) -> Option<Due> {
        let progress = self.op(index);
        let next = (progress.sent < progress.plan.requests.len() && progress.wild.is_none()).then_some(progress.sent);
        if let Some(number) = self.due_again(index).or(next) {
            return progress.has_data.then_some(Due::Request(number));
        }
        let (registers, lanes) = progress.owed(&issue.op);
        let missing = |register: usize| lanes - progress.delivered(register);
        let settled = |register: usize| missing(register) & progress.settled[register];
        if let Some(register) = SetBits(registers).find(|&register| !settled(register).is_empty()) {
            return Some(Due::Beat(register, settled(register)));
        }
        let last = awaits_last(&issue.op);
        let waits = self.flights.iter().any(|flight| flight.op == index && (last || !flight.answered));
        let over = progress.has_data && !waits && SetBits(registers).all(|register| missing(register).is_empty());
        over.then_some(Due::Done)
    }

    /// Describes what an operation that is not done is owed, and by whom.
    pub fn owed(&self, index: usize, issue: &Issue) -> String {
        let progress = self.op(index);
        let requests = &progress.plan.requests;
        let mut owed = Vec::new();
        if !progress.has_data {
            owed.push("the environment its data beats".to_owned());
        }
        if let Some(next) = requests.get(progress.sent).filter(|_| progress.wild.is_none()) {
            let which = format!("request {} of {}", progress.sent, requests.len());
            owed.push(format!("the unit its {which}, line {:#x}", next.line));
        }
        for (which, answered) in [("answer", false), ("last answer", true)] {
            let open = |flight: &&Flight| flight.op == index && flight.answered == answered;
            let ids: Vec<_> = self.flights.iter().filter(open).map(|flight| flight.id.to_string()).collect();
            if !ids.is_empty() && (!answered || awaits_last(&issue.op)) {
                owed.push(format!("memory the {which} to id {}", ids.join(", ")));
            }
        }
        for pair in self.pairs.iter().filter(|pair| pair.op == index) {
            let half = match pair.step {
                Step::ToWrite => "exclusive write",
                Step::ToRepeat => "repeated exclusive read",
                _ => continue,
            };
            owed.push(format!("the unit the {half} of line {:#x}, due since cycle {}", pair.line, pair.since));
        }
        let (registers, lanes) = progress.owed(&issue.op);
        let missing = SetBits(registers).map(|register| (register, lanes - progress.delivered(register)));
        let missing: Vec<_> = missing.filter(|(_, lanes)| !lanes.is_empty()).collect();
        for (register, lanes) in missing.iter().take(NAMED) {
            owed.push(format!("the unit register {register} of lanes {lanes:#x}"));
        }
        if missing.len() > NAMED {
            owed.push(format!("{} registers more", missing.len() - NAMED));
        }
        if owed.is_empty() {
            owed.push("the unit its done".to_owned());
        }
        format!("operation {index} is owed: {}", owed.join("; "))
    }
}
