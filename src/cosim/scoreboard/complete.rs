// SPDX-License-Identifier: MIT OR Apache-2.0
//! The write-back and done ports: every register of every lane once, and done after all of it.

use super::{Beat, Bits, Done, NO_OP, Scoreboard, Verdict, WINDOW, broken, is_load};
use crate::{
    clause::Clause,
    cosim::{
        case::{Case, Issue},
        diagnose,
        environment::Environment,
    },
};

impl Scoreboard {
    /// A write-back beat was taken.
    pub fn beat(&mut self, case: &Case, issues: &[Issue], env: &Environment, beat: &Beat) -> Verdict<usize> {
        let Some(index) = self.owner(beat.warp, beat.tag) else {
            return Err(self.unowned(Clause::PortWb, "wb owner", beat.warp, beat.tag));
        };
        let register = usize::from(beat.register);
        let progress = &self.ops[index % WINDOW];
        let settled = progress.settled.get(register).copied().unwrap_or(0);
        let fresh = beat.mask & settled & !progress.delivered.get(register).copied().unwrap_or(0);
        if fresh != beat.mask || beat.mask == 0 {
            return Err(diagnose::beat_lanes(case, &issues[index], progress, beat, settled));
        }
        let expected = &progress.registers[register];
        let mut wrong = 0;
        for (lane, (want, got)) in expected.iter().zip(&beat.data).enumerate() {
            wrong |= u32::from(want != got) << lane;
        }
        wrong &= beat.mask;
        if wrong != 0 && self.allowed_sets {
            wrong &= !self.chosen(index, beat, wrong);
        }
        if wrong != 0 {
            let lane = wrong.trailing_zeros() as usize;
            let touches = |offset: u64| self.shared.touches(offset);
            let progress = self.op(index);
            return Err(diagnose::beat_data(case, &issues[index], progress, env, &touches, beat, lane));
        }
        let progress = &mut self.ops[index % WINDOW];
        let from_scratchpad = progress.plan.shared & beat.mask != 0;
        progress.delivered[register] |= beat.mask;
        self.comparisons += u64::from(beat.mask.count_ones());
        if from_scratchpad {
            self.fences_open(issues, env, index)?;
        }
        Ok(index)
    }

    /// A completion was taken.
    pub fn completed(&mut self, case: &Case, issues: &[Issue], env: &Environment, done: &Done) -> Verdict<usize> {
        let Some(index) = self.owner(done.warp, done.tag) else {
            return Err(self.unowned(Clause::PortDone, "done owner", done.warp, done.tag));
        };
        let warp = usize::from(done.warp & 7);
        let oldest = self.running[warp][0];
        if oldest != index {
            let expected = format!("operation {oldest} first");
            return Err(broken(Clause::PortDone, Some(index), "done order", &expected, format!("operation {index}")));
        }
        let progress = self.op(index);
        let requests = if progress.wild.is_some() { 0 } else { progress.plan.requests.len() };
        if progress.sent < requests || progress.answered < requests {
            let expected = format!("after all of {requests} requests were made and answered");
            let found = format!("{} made, {} answered", progress.sent, progress.answered);
            let clause = match progress.answered < progress.sent {
                true => self.early(index),
                false => diagnose::missing_requests(case, &issues[index], progress, Clause::PortDone, Some(done)),
            };
            return Err(broken(clause, Some(index), "done", &expected, found));
        }
        let op = &issues[index].op;
        if op.is_burst() && op.await_last && !is_load(op) && progress.finished < requests {
            let expected = format!("after the last answer to each of {requests} writes");
            let found = format!("{} of them", progress.finished);
            return Err(broken(Clause::R700Ack, Some(index), "done", &expected, found));
        }
        let (registers, lanes) = progress.owed(&issues[index].op);
        for register in Bits(registers) {
            let missing = lanes & !progress.delivered[register];
            if missing != 0 {
                return Err(diagnose::missing_beat(case, &issues[index], progress, register, missing));
            }
        }
        let lanes = self.shape.lanes;
        if let Some(lane) = (0..lanes)
            .find(|&lane| progress.plan.faults[lane] as u8 != done.faults[lane] && !self.may_fault(index, lane))
        {
            return Err(diagnose::fault(case, &issues[index], progress, done, lane));
        }
        self.comparisons += lanes as u64;
        if self.op(index).wild.is_none() {
            self.order_done(issues, env, index)?;
        }
        self.running[warp].pop_front();
        self.by_tag[usize::from(done.tag)] = NO_OP;
        let progress = self.op_mut(index);
        (progress.accepted, progress.done) = (false, true);
        self.done += 1;
        while self.oldest < self.planned && self.op(self.oldest).done {
            self.oldest += 1;
        }
        Ok(index)
    }
}
