// SPDX-License-Identifier: MIT OR Apache-2.0
//! The write-back and done ports: every register of every lane comes once, and done comes after all of them.

use super::{
    Beat, Divergence, Done, Field, NO_OP, Progress, Ripened, Scoreboard, SetBits, Site, Verdict, broken,
    progress::awaits_last,
};
use crate::{
    clause::Clause,
    judge::{contract::Contract, flight::Flight, log::Issue, mismatch::Mismatch},
    model::extract::register,
    op::{Fault, LaneMask, MAX_LANES, Op},
};

impl Scoreboard {
    /// Judges a write-back beat that was taken.
    ///
    /// Returns its operation, and since when it could come; none if the operation is from before the log.
    pub fn beat(&mut self, contract: &Contract, issues: &[Issue], beat: &Beat) -> Verdict<Option<(usize, Ripened)>> {
        let Some(index) = self.owner(beat.warp, beat.tag) else {
            self.unowned(Clause::PortWb, Field::event(Site::Wb, "owner"), beat.warp, beat.tag)?;
            self.strange_beat(beat)?;
            return Ok(None);
        };
        self.may_beat(index, beat)?;
        let register = usize::from(beat.register);
        let progress = self.op(index);
        let expected = &progress.registers[register];
        let mut wrong = LaneMask::differing(expected, &beat.data);
        let torn = progress.torn(register);
        let unknown = progress.unknown(register);
        wrong &= beat.mask - unknown - torn;
        let partly = (beat.mask & unknown).iter();
        let differs = |&lane: &usize| (expected[lane] ^ beat.data[lane]) & progress.known_bits(lane, register) != 0;
        partly.filter(differs).for_each(|lane| wrong.insert(lane));
        let judged = beat.mask - unknown - torn;
        if let Some(loose) = &mut self.op_mut(index).loose {
            wrong -= loose.doubts.excused(register, judged, wrong, &beat.data);
        }
        if contract.promises.any_lane_order() && !self.op(index).choices.is_empty() {
            wrong = self.choose(index, &issues[index].op, beat, beat.mask - torn, wrong);
        }
        wrong |= unextended(&issues[index].op, beat, beat.mask & (unknown | torn));
        if let Some(lane) = wrong.first() {
            self.extends_unknown(issues, index, beat, lane)?;
            self.precedes_its_own(index, beat, lane)?;
            return Err(Box::new(Divergence::BeatData { op: index, beat: Box::new(beat.clone()), lane }));
        }
        let cycle = self.cycle;
        let from_scratchpad = !(self.op(index).plan.shared & beat.mask).is_empty();
        let ripened = self.ripened(index, beat);
        let progress = self.op_mut(index);
        progress.last_beat = cycle;
        progress.delivered[register] |= beat.mask;
        progress.written_back(beat);
        let torn = ((beat.mask & torn) - unknown).count() as u64;
        let unknown = (beat.mask & unknown).count() as u64;
        self.comparisons += beat.mask.count() as u64 - unknown - torn;
        self.unjudged.uninitialized += unknown;
        self.unjudged.torn += torn;
        if from_scratchpad {
            self.fences_open(issues, index)?;
            let progress = self.op(index);
            let (registers, shared) = (issues[index].op.registers(), progress.plan.shared);
            if SetBits(registers).all(|register| (shared - progress.delivered[register]).is_empty()) {
                self.spad_line.over(index, cycle);
            }
        }
        Ok(Some((index, ripened)))
    }

    /// Judges a completion that was taken.
    ///
    /// Returns its operation; none if the operation is from before the log.
    pub fn completed(&mut self, contract: &Contract, issues: &[Issue], done: &Done) -> Verdict<Option<usize>> {
        let Some(index) = self.owner(done.warp, done.tag) else {
            self.unowned(Clause::PortDone, Field::event(Site::Done, "owner"), done.warp, done.tag)?;
            self.strange_done(done)?;
            // Whatever has the tag from now on is an operation of the log.
            self.known_tags[usize::from(done.tag)] = true;
            return Ok(None);
        };
        self.completes(contract, issues, index, done)?;
        let warp = usize::from(done.warp & 7);
        self.none_before[warp] = true;
        self.order_done(issues, index);
        self.comparisons += self.shape.lanes as u64;
        self.running[warp].pop_front();
        self.spad_line.over(index, self.cycle);
        // What needs no data may be done before these come.
        self.lacking.retain(|&(op, _)| op != index);
        self.by_tag[usize::from(done.tag)] = NO_OP;
        let progress = self.op_mut(index);
        (progress.accepted, progress.done) = (false, true);
        self.done += 1;
        self.last_done = self.cycle;
        if self.wild_ids != 0 && !self.running.iter().flatten().any(|&op| self.op(op).wild.is_some()) {
            self.wild_ids = 0;
        }
        self.free.push(self.places[index]);
        Ok(Some(index))
    }

    /// Judges the completion of an operation, with what it tells.
    pub(super) fn completes(&self, contract: &Contract, issues: &[Issue], index: usize, done: &Done) -> Verdict {
        self.may_complete(issues, index, done)?;
        let progress = self.op(index);
        let lanes = self.shape.lanes;
        // Most completions agree in all lanes, which is found at once.
        let mut differs = false;
        for lane in 0..MAX_LANES {
            differs |= progress.plan.faults[lane] as u8 != done.faults[lane];
        }
        let loose = progress.loose.as_deref();
        let perhaps = |lane: usize, fault: u8| {
            let by_itself = progress.plan.faults[lane];
            let counts = by_itself == Fault::None || by_itself > Fault::Bus;
            counts && fault == Fault::Bus as u8 && loose.is_some_and(|loose| loose.doubts.may_report(lane, true))
        };
        if differs
            && let Some(lane) = (0..lanes).find(|&lane| {
                progress.plan.faults[lane] as u8 != done.faults[lane]
                    && !perhaps(lane, done.faults[lane])
                    && !self.may_fault(index, &issues[index].op, lane, contract.promises.any_lane_order())
            })
        {
            return Err(Box::new(Divergence::Fault { op: index, done: Box::new(done.clone()), lane }));
        }
        if let Some(loose) = loose.filter(|loose| loose.doubts.any()) {
            loose.reports(&issues[index].op, progress, done)?;
        }
        if progress.wild.is_some() { Ok(()) } else { self.order_completes(contract, issues, index) }
    }

    /// A beat's value of unknown bytes must be extended (SPA5-EXT).
    fn extends_unknown(&self, issues: &[Issue], index: usize, beat: &Beat, lane: usize) -> Verdict {
        let op = &issues[index].op;
        let (register, progress) = (usize::from(beat.register), self.op(index));
        let unknown = progress.unknown(register) | progress.torn(register);
        if unextended(op, beat, unknown & LaneMask::only(lane)).is_empty() {
            return Ok(());
        }
        let field = Field::signal(Site::Wb, "data").register(register);
        let expected = format!(
            "{:#010x}, or another value of {} bits extended",
            extended(op, beat.data[lane]),
            8 * op.element_bytes
        );
        let m = Mismatch::new(op.rule().value(op), Some(index), field).lane(lane);
        Err(m.values(expected, format!("{:#010x}", beat.data[lane])).into())
    }

    /// Judges whether the lanes of a beat may be written back now, each once.
    pub(crate) fn may_beat(&self, index: usize, beat: &Beat) -> Verdict {
        let register = usize::from(beat.register);
        let progress = self.op(index);
        let settled = progress.settled.get(register).copied().unwrap_or_default();
        let fresh = (beat.mask & settled) - progress.delivered(register);
        if fresh != beat.mask || beat.mask.is_empty() {
            return Err(Box::new(Divergence::BeatLanes { op: index, beat: Box::new(beat.clone()), settled }));
        }
        if let Some(whole) = self.whole_beat(index, beat.register).filter(|&whole| whole != beat.mask) {
            let field = Field::signal(Site::Wb, "mask").register(register);
            let expected = format!("lanes {whole:#x}, all of the operation, which lie in one line");
            return Err(broken(Clause::PortWb, Some(index), field, &expected, format!("lanes {:#x}", beat.mask)));
        }
        if self.lacking.is_empty() || (progress.plan.shared & beat.mask).is_empty() {
            return Ok(());
        }
        self.spad_in_turn(index, Site::Wb)
    }

    /// The lanes of every beat of an operation whose lanes all lie in one line: it gives a full beat for each register
    /// (PORT-WB). There is no such beat if no memory answers for some lanes of a register: these and the others come
    /// apart.
    fn whole_beat(&self, index: usize, register: u8) -> Option<LaneMask> {
        let Progress { plan, loose, wild, .. } = self.op(index);
        let (first, others) = plan.requests.split_first()?;
        let all = plan.active;
        let mut filled = plan.filled.iter().filter(|filled| filled.index == register);
        let apart = loose.is_some() || wild.is_some() || first.lanes != all || filled.any(|filled| filled.lanes != all);
        let mut groups = others.iter();
        (!apart && groups.all(|request| request.line == first.line && request.lanes == all)).then_some(all)
    }

    /// Judges whether everything that a completion waits for is over.
    pub(crate) fn may_complete(&self, issues: &[Issue], index: usize, done: &Done) -> Verdict {
        let oldest = self.running[usize::from(done.warp & 7)].front().copied().unwrap_or(index);
        if oldest != index {
            let expected = format!("operation {oldest} first");
            return Err(broken(
                Clause::PortDone,
                Some(index),
                Field::event(Site::Done, "order"),
                &expected,
                format!("operation {index}"),
            ));
        }
        self.strangers_are_done(index, done.warp)?;
        let progress = self.op(index);
        let open = |flight: &Flight| flight.op == index && !flight.answered;
        if progress.wild.is_some()
            && let Some(flight) = self.flights.iter().find(|&flight| open(flight))
        {
            let found = format!("the answer to id {} is still to come", flight.id);
            let field = Field::event(Site::Done, "");
            return Err(broken(Clause::PortDone, Some(index), field, "after the first answer to each request", found));
        }
        self.all_begun(index)?;
        let requests = if progress.wild.is_some() { 0 } else { progress.plan.requests.len() };
        let (unmade, unanswered, unfinished) = match &progress.loose {
            None => (progress.sent < requests, progress.answered < progress.sent, progress.finished < requests),
            Some(loose) => (!self.all_asked(index), loose.waits(false), loose.waits(true)),
        };
        if unmade && progress.loose.is_some() {
            self.loose_over(index)?;
        }
        if requests > 0 && (unmade || unanswered) {
            // Where last answers are missing to several requests, some that were not the last may have counted.
            let miscounted = awaits_last(&issues[index].op) && progress.finished + 1 < requests;
            let early = || {
                let (clause, or) = self.early(index);
                (clause, or.or(miscounted.then_some(Clause::R700Ack)))
            };
            let clause = unanswered.then(early);
            return Err(Box::new(Divergence::Early { op: index, done: Box::new(done.clone()), clause }));
        }
        let op = &issues[index].op;
        let missing = self.data_missing(index);
        if progress.compares && missing > 0 {
            let found = format!("{missing} of them are still to come");
            let field = Field::event(Site::Done, "");
            return Err(broken(Clause::PortData, Some(index), field, "after the operation's data beats", found));
        }
        if awaits_last(op) && requests > 0 && unfinished {
            let expected = format!("after the last answer to each of {requests} writes");
            let last = self.flights.iter().filter(|flight| flight.op == index).count();
            let found = format!("{last} are still to come");
            return Err(broken(Clause::R700Ack, Some(index), Field::event(Site::Done, ""), &expected, found));
        }
        let (registers, lanes) = progress.owed(&issues[index].op);
        let registers = if self.unseen.write_back { 0 } else { registers };
        for register in SetBits(registers) {
            let missing = lanes - progress.delivered[register];
            if !missing.is_empty() {
                return Err(Box::new(Divergence::MissingBeat { op: index, register, missing }));
            }
        }
        if self.lacking.is_empty() || self.op(index).plan.shared.is_empty() {
            return Ok(());
        }
        self.spad_in_turn(index, Site::Done)
    }
}

/// A loaded value of one or two bytes, extended as it must be whatever the bytes are (SPA5-EXT).
fn extended(op: &Op, value: u32) -> u32 {
    register(&u64::from(value), &0, &u64::from(op.element_bytes), &op.sign_extend) as u32
}

/// The lanes whose value is none that a load can have.
fn unextended(op: &Op, beat: &Beat, lanes: LaneMask) -> LaneMask {
    // The elements of a burst are dwords.
    let lanes = if op.is_burst() { LaneMask::NONE } else { lanes };
    lanes.iter().filter(|&lane| extended(op, beat.data[lane]) != beat.data[lane]).collect()
}
