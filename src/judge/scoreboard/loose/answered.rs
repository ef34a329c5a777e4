// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the answers to loose requests bring: values, which may come several times, and errors.

use super::{
    super::{Field, Progress, Scoreboard, Site, Verdict, broken, set},
    Loose,
    doubts::NOWHERE,
    owned,
};
use crate::{
    clause::Clause,
    judge::{
        flight::Flight,
        log::{Done, Issue, Response, Seen},
        trail::origin,
    },
    model::{self, Plan, Request},
    op::{Fault, LaneMask, MAX_LANES, MAX_LINE_BYTES, Op, ReqKind},
};

impl Scoreboard {
    /// Notes the lanes for which a read asks again for bytes to which they have stored since.
    pub(super) fn note_late(&mut self, issues: &[Issue], seen: &Seen, (index, place): (usize, usize)) {
        let known = |loose: &Loose| loose.parts[place].read & seen.byte_enable;
        let again = self.op(index).loose.as_deref().map_or(0, known);
        if again != 0 {
            let late = self.stored_since(issues, (index, place, again));
            if let Some(loose) = &mut self.op_mut(index).loose {
                loose.late.extend(late.into_iter().map(|(lane, bytes)| (seen.id, lane, bytes)));
            }
        }
    }

    /// Follows an answer to a part.
    pub(crate) fn loose_answered(&mut self, op: &Op, flight: &Flight, response: &Response, first: bool, error: bool) {
        let cycle = self.cycle;
        let progress = self.op_mut(flight.op);
        let Some(mut loose) = progress.loose.take() else { return };
        if response.last {
            loose.unfinished = loose.unfinished.saturating_sub(1);
            progress.last_finished = cycle;
        }
        if first && flight.request < loose.parts.len() {
            loose.unanswered = loose.unanswered.saturating_sub(1);
            progress.last_answered = cycle;
            if error {
                loose.refused(progress, op, flight, cycle);
            } else if !flight.write {
                loose.read(progress, op, flight, &response.data);
            }
            loose.parts[flight.request].answered |= flight.byte_enable;
            if !flight.write {
                loose.fill(progress, op, flight.request, cycle);
            }
        }
        progress.loose = Some(loose);
    }
}

impl Loose {
    /// Follows an answer with an error.
    fn refused(&mut self, progress: &mut Progress, op: &Op, flight: &Flight, cycle: u64) {
        let (place, bytes) = (flight.request, flight.byte_enable);
        let plan = &progress.plan;
        let request = &plan.requests[place];
        let several = if self.doubts.apart { owned(op, progress, request, request.lanes).1 } else { 0 };
        let own = |lane: &usize| model::lane_bytes(op, plan, request, *lane);
        let touched: LaneMask = request.lanes.iter().filter(|lane| own(lane) & bytes != 0).collect();
        let faulty: LaneMask = touched.iter().filter(|lane| own(lane) & bytes & !several != 0).collect();
        self.doubts.error(touched, faulty);
        self.late.retain(|&(id, ..)| id != flight.id);
        // Only the registers that the answer would have filled (COM-FAULT).
        let mut elsewhere: Vec<u128> = (0..MAX_LANES).map(|lane| own(&lane) & bytes).collect();
        for (register, served) in model::delivers(op, request) {
            let read = |lane: usize| origin::read_bytes(op, plan, request, lane, register) & bytes;
            let filled: LaneMask = (served & touched).iter().filter(|&lane| read(lane) != 0).collect();
            let surely: LaneMask = filled.iter().filter(|&lane| read(lane) & !several != 0).collect();
            self.parts[place].failed.push((register, surely));
            self.doubts.zeroes(register, filled - surely, (served & touched) - filled);
            filled.iter().for_each(|lane| elsewhere[lane] &= !read(lane));
            let settled = &mut progress.settled[register];
            progress.from_memory.settle(register, settled, served & touched, cycle);
        }
        let elsewhere = touched.iter().filter(|&lane| elsewhere[lane] != 0).collect();
        self.doubts.zeroes(NOWHERE, elsewhere, LaneMask::NONE);
        model::bus_error(&mut progress.plan, faulty);
    }

    /// Judges whether a completion reports the errors that there were, if their lanes are not known from the requests.
    pub(crate) fn reports(&self, op: &Op, progress: &Progress, done: &Done) -> Verdict {
        let field = || Field::signal(Site::Done, "fault");
        let silent = |&lane: &usize| done.faults[lane] == Fault::None as u8;
        let failed = self.must_fail(op, &progress.plan);
        if let Some(lane) =
            (0..MAX_LANES).filter(silent).find(|&lane| self.doubts.must_report(lane) || failed.contains(lane))
        {
            let expected = match failed.contains(lane) {
                true => "a bus error of the lane to one of whose bytes all answers are errors",
                false => "a bus error of the lane that has 0 in place of its value",
            };
            let found = format!("none of lane {lane}");
            return Err(broken(Clause::ComBuserr, Some(progress.index), field(), expected, found));
        }
        if let Some(lanes) = self.doubts.errors.iter().find(|lanes| lanes.iter().all(|lane| silent(&lane))) {
            let expected = format!("a bus error in one of the lanes {lanes:#x}");
            return Err(broken(Clause::ComBuserr, Some(progress.index), field(), &expected, "none"));
        }
        Ok(())
    }

    /// The lanes that must report an error: all answers to one of the bytes that they load are errors.
    fn must_fail(&self, op: &Op, plan: &Plan) -> LaneMask {
        let mut lanes = LaneMask::NONE;
        let reads = plan.requests.iter().enumerate().filter(|(_, request)| request.kind == ReqKind::Read);
        for (place, request) in reads {
            let bad = self.bad(plan, place);
            let mine = |lane: &usize| model::lane_bytes(op, plan, request, *lane) & bad != 0;
            lanes |= request.lanes.iter().filter(mine).collect();
        }
        lanes
    }

    /// The bytes of a request to which all answers are errors, of whatever GPR.
    fn bad(&self, plan: &Plan, place: usize) -> u128 {
        let same = (0..plan.requests.len()).filter(|&of| plan.requests[of].line == plan.requests[place].line);
        self.parts[place].answered & !same.fold(0, |all, of| all | self.parts[of].read)
    }

    /// Follows the values of a read.
    fn read(&mut self, progress: &Progress, op: &Op, flight: &Flight, data: &[u8; MAX_LINE_BYTES]) {
        let part = &self.parts[flight.request];
        let (bytes, again) = (flight.byte_enable, flight.byte_enable & part.read);
        let differs = |&byte: &usize| again >> byte & 1 == 1 && part.line[byte] != data[byte];
        let differs = (0..MAX_LINE_BYTES).filter(differs).fold(0, |all, byte| all | 1u128 << byte);
        if differs != 0 {
            self.tear(progress, op, flight, differs);
        }
        let part = &mut self.parts[flight.request];
        self.late.retain(|&(id, ..)| id != flight.id);
        for byte in (0..MAX_LINE_BYTES).filter(|byte| bytes >> byte & 1 == 1) {
            part.line[byte] = data[byte];
            if part.read >> byte & 1 == 0 {
                part.first[byte] = data[byte];
            }
        }
        part.read |= bytes;
    }

    /// Notes bytes that were read before, with other values. It is known which one a lane takes only if the later one is
    /// from after its own store.
    #[cold]
    fn tear(&mut self, progress: &Progress, op: &Op, flight: &Flight, bytes: u128) {
        let plan = &progress.plan;
        let late = |lane: usize| {
            let of_lane = self.late.iter().filter(|&&(id, of, _)| (id, of) == (flight.id, lane));
            of_lane.fold(0, |all, &(.., bytes)| all | bytes)
        };
        // What is read for one GPR may be for another that has the same bytes.
        for request in plan.requests.iter().filter(|request| request.line == flight.line) {
            for (register, served) in model::delivers(op, request) {
                let read = |lane: usize| origin::read_bytes(op, plan, request, lane, register) & bytes;
                let torn: LaneMask = served.iter().filter(|&lane| read(lane) & !late(lane) != 0).collect();
                let others = (served - torn).iter().filter(|&lane| read(lane) != 0);
                others.for_each(|lane| self.first.insert(lane));
                self.torn.push((register, torn));
            }
        }
    }

    /// Gives the lanes of a request what its answers have brought so far.
    fn fill(&self, progress: &mut Progress, op: &Op, place: usize, cycle: u64) {
        let (plan, part) = (&progress.plan, &self.parts[place]);
        let request: &Request = &plan.requests[place];
        let own = |lane: &usize| model::lane_bytes(op, plan, request, *lane);
        let there: LaneMask = request.lanes.iter().filter(|lane| own(lane) & !part.answered == 0).collect();
        model::load(op, plan, place, &part.line, &mut progress.registers);
        if !self.first.is_empty() {
            let mut first = progress.registers.clone();
            model::load(op, plan, place, &part.first, &mut first);
            for (register, served) in model::delivers(op, request) {
                (served & self.first)
                    .iter()
                    .for_each(|lane| progress.registers[register][lane] = first[register][lane]);
            }
        }
        for (register, served) in model::delivers(op, request) {
            progress.from_memory.settle(register, &mut progress.settled[register], served & there, cycle);
        }
        for &(register, failed) in &part.failed {
            set(&mut progress.registers[register], failed, 0);
        }
        if self.doubts.any() {
            let (plan, bad) = (&progress.plan, self.bad(&progress.plan, place));
            for (register, served) in model::delivers(op, &plan.requests[place]) {
                let read = |lane: &usize| origin::read_bytes(op, plan, &plan.requests[place], *lane, register);
                let failed = served.iter().filter(|lane| read(lane) & bad != 0).collect();
                set(&mut progress.registers[register], failed, 0);
            }
        }
    }
}
