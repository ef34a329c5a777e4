// SPDX-License-Identifier: MIT OR Apache-2.0
//! Shrinks a failing case: operations, environment, memory, lanes and bits, as long as the same clause fails.

use std::{
    ops::Range,
    sync::atomic::{AtomicBool, Ordering},
};

use crate::{
    clause::Clause,
    dut::PowerUp,
    judge::Mismatch,
    op::{AddrMode, Buffer, LaneMask, MAX_LANES, Private, Rule},
    sets::Isa,
};

use super::{
    bench::Bench,
    case::{Answer, Case, Issue, Schedule},
    outlived,
};

/// The number of runs that one shrink may take.
const BUDGET: usize = 1500;

/// Returns the smallest case found, and how it fails. Once `stop` is set, returns the smallest so far.
pub fn shrink(bench: &mut Bench, case: Case, mismatch: Mismatch, stop: &AtomicBool) -> (Case, Mismatch) {
    let of_reset = mismatch.clause == Clause::PortReset;
    let agrees_with = if of_reset { outlived::hangs_on(bench, &[&case]).ok().flatten() } else { None };
    let mut shrink = Shrink { bench, case, mismatch, agrees_with, runs: 0, stop };
    shrink.all();
    (shrink.case, shrink.mismatch)
}

/// A way to simplify an operation.
pub(crate) type Step = Box<dyn Fn(&mut Issue)>;

/// How to simplify the operations of an address rule.
pub(crate) trait Shrinking {
    /// Ways to unbind the resource of a slot, or to bind a simpler one.
    const SLOTS: &'static [fn(&mut Case, usize)] = &[];

    /// The ways to simplify an operation, those that save most first.
    fn shrinking() -> Vec<Step> {
        Vec::new()
    }
}

struct Shrink<'a> {
    bench: &'a mut Bench,
    case: Case,
    mismatch: Mismatch,
    /// Of a failure that hangs on what the unit held before the reset ([`outlived`]): with what it agrees.
    agrees_with: Option<PowerUp>,
    runs: usize,
    stop: &'a AtomicBool,
}

impl Shrink<'_> {
    fn all(&mut self) {
        // A directed stream violates its rate: that survives fewer operations, but no other environment.
        if self.case.rate.is_some() {
            self.issues();
            return;
        }
        if let Some(last) = self.mismatch.op {
            self.attempt(|case| case.leave_out((last + 1).min(case.issues.len())..case.issues.len()));
        }
        self.attempt(|case| case.dirty_cycles = 0);
        self.attempt(|case| case.schedule = Schedule::eager());
        self.issues();
        self.schedule();
        self.attempt(|case| case.flushes.clear());
        self.attempt(|case| case.serial = true);
        self.memory();
        self.lanes();
        self.values();
        self.issues();
    }

    /// Keeps the case that `change` makes if it still fails with the same clause. Rejects a case that breaks the ports'
    /// contract: there any unit would fail.
    fn attempt(&mut self, change: impl FnOnce(&mut Case)) -> bool {
        if self.stop.load(Ordering::Relaxed) {
            return false;
        }
        let mut case = self.case.clone();
        change(&mut case);
        if case == self.case || self.runs >= BUDGET || case.check(&self.bench.shape()).is_err() {
            return false;
        }
        self.runs += 1;
        match self.run(&case) {
            Err(mismatch) if mismatch.clause == self.mismatch.clause && self.is_as_clear(&mismatch) => {
                (self.case, self.mismatch) = (case, *mismatch);
                true
            }
            _ => false,
        }
    }

    fn run(&mut self, case: &Case) -> Result<(), Box<Mismatch>> {
        let Some(power_up) = self.agrees_with else { return self.bench.run(case).map(drop) };
        // Earlier attempts would be what the unit held before.
        let fresh = self.bench.fresh(PowerUp::default());
        let result = fresh.map_or(Ok(()), |mut bench| bench.run(case).map(drop));
        result.map_err(|mut mismatch| {
            if outlived::agrees(self.bench, case, power_up).unwrap_or(false) {
                outlived::blame(&mut mismatch, power_up);
            }
            mismatch
        })
    }

    /// Whether the mismatch names no alternative clause that the present one does not.
    fn is_as_clear(&self, mismatch: &Mismatch) -> bool {
        mismatch.or.iter().all(|clause| self.mismatch.or.contains(clause))
    }

    /// Drops operations.
    fn issues(&mut self) {
        self.drop_runs(1, |case| case.issues.len(), Case::leave_out);
    }

    /// Drops runs of the elements of a case, from half of them down to one at a time, until `least` are left.
    fn drop_runs(&mut self, least: usize, count: fn(&Case) -> usize, remove: fn(&mut Case, Range<usize>)) {
        let mut chunk = count(&self.case).div_ceil(2);
        while chunk > 0 {
            let mut start = 0;
            while start < count(&self.case) && count(&self.case) > least {
                let dropped = self.attempt(|case| {
                    let end = (start + chunk).min(count(case));
                    remove(case, start..end);
                });
                start += if dropped { 0 } else { chunk };
            }
            chunk /= 2;
        }
    }

    fn schedule(&mut self) {
        self.attempt(|case| case.schedule.foreign.clear());
        self.drop_runs(0, |case| case.schedule.foreign.len(), |case, run| drop(case.schedule.foreign.drain(run)));
        self.attempt(|case| case.schedule.refusals.clear());
        self.attempt(|case| case.schedule.refusals = vec![1]);
        self.attempt(|case| case.schedule.refusals.iter_mut().for_each(|times| *times = (*times).min(1)));
        self.attempt(|case| case.schedule.no_exclusives.clear());
        self.attempt(|case| case.schedule.write_errors.clear());
        for port in 0..6 {
            self.attempt(|case| case.schedule.stalls.iter_mut().for_each(|stalls| *stalls &= !(1 << port)));
        }
        self.attempt(|case| case.schedule.stalls.clear());
        self.attempt(|case| case.schedule.answers = vec![Answer { scope: 3, ..Answer::default() }]);
        for simpler in [
            (|answer: &mut Answer| (answer.scope, answer.last) = (3, 0)) as fn(&mut Answer),
            |answer| answer.apply = 0,
            |answer| answer.answer = 0,
            |answer| (answer.apply, answer.answer) = (answer.apply / 2, answer.answer / 2),
        ] {
            self.attempt(|case| case.schedule.answers.iter_mut().for_each(simpler));
        }
        while self.case.schedule.answers.len() > 1
            && self.attempt(|case| case.schedule.answers.truncate(case.schedule.answers.len() / 2))
        {}
        while self.case.schedule.stalls.len() > 1
            && self.attempt(|case| case.schedule.stalls.truncate(case.schedule.stalls.len() / 2))
        {}
    }

    fn memory(&mut self) {
        self.attempt(|case| case.bus_errors.clear());
        self.attempt(|case| case.memory.clear());
        self.attempt(|case| case.shared.clear());
        self.attempt(|case| case.ctrl.trap_misaligned = false);
        for place in 0..self.case.ctrl.alloc.len() {
            self.attempt(|case| case.ctrl.alloc[place] = crate::op::Range::default());
        }
        self.attempt(|case| case.ctrl.local_window = crate::op::Range::default());
        self.attempt(|case| case.ctrl.cluster = crate::op::Range::default());
        self.attempt(|case| case.ctrl.param_memory = Private::default());
        for slot in 0..self.case.ctrl.buffer.len() {
            self.attempt(|case| case.ctrl.buffer[slot] = Buffer::default());
        }
        for slot in 0..self.case.ctrl.stage_scratch.len() {
            self.attempt(|case| case.ctrl.stage_scratch[slot] = Buffer::default());
        }
        self.attempt(|case| case.ctrl.r700_driver_form = false);
        for &step in Rule::ALL.iter().flat_map(|rule| rule.slots()) {
            for slot in (0..self.case.ctrl.uav.len()).rev() {
                self.attempt(|case| step(case, slot));
            }
        }
    }

    fn lanes(&mut self) {
        for index in (0..self.case.issues.len()).rev() {
            self.attempt(|case| case.issues[index].lanes.helper = LaneMask::NONE);
            let mut chunk = self.case.shape.lanes / 2;
            while chunk > 0 {
                for first in (0..self.case.shape.lanes).step_by(chunk) {
                    let lanes: LaneMask = (first..first + chunk).collect();
                    self.attempt(|case| case.issues[index].lanes.active -= lanes);
                }
                chunk /= 2;
            }
            self.attempt(|case| {
                let lanes = &mut case.issues[index].lanes;
                lanes.predicate &= lanes.active;
            });
        }
    }

    fn values(&mut self) {
        for index in (0..self.case.issues.len()).rev() {
            for step in self.case.issues[index].op.rule().shrinking() {
                self.attempt(|case| step(&mut case.issues[index]));
            }
            for &step in Isa::ALL.iter().flat_map(|isa| isa.simplifications()) {
                self.attempt(|case| step(&mut case.issues[index]));
            }
            self.attempt(|case| case.issues[index].op.warp = 0);
            self.attempt(|case| case.issues[index].data.fill([0; MAX_LANES]));
            self.attempt(|case| {
                // Values that identify register and lane.
                for (register, lanes) in case.issues[index].data.iter_mut().enumerate() {
                    for (lane, word) in lanes.iter_mut().enumerate() {
                        *word = (0x1111_1111 * (register as u32 + 1)) ^ lane as u32;
                    }
                }
            });
            self.attempt(|case| {
                let Issue { lanes, op, .. } = &mut case.issues[index];
                if op.is_burst() {
                    return;
                }
                for (lane, words) in lanes.addr.iter_mut().enumerate() {
                    let unused = op.addr_mode == AddrMode::Abs as u8 || !lanes.active.contains(lane);
                    if unused {
                        *words = [0; 3];
                    } else if op.addr_mode == AddrMode::Reg32 as u8 {
                        words[1] = 0;
                    }
                }
            });
            self.attempt(|case| case.issues[index].op.attr = crate::op::Attr::default());
        }
    }
}
