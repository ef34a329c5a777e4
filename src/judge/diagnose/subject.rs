// SPDX-License-Identifier: MIT OR Apache-2.0
//! Whether a rule explains everything that an operation did: its requests and what they write, its registers, its
//! faults.

use rustc_hash::FxHashMap;

use super::deeds::Deeds;
use crate::{
    judge::{
        contract::Contract,
        log::{Issue, Log, Response, Seen},
        scoreboard::{Progress, is_load, same_enabled},
    },
    model::{self, Plan, Register},
    op::{Ctrl, Fault, LaneMask, Lanes, MAX_LANES, MAX_REGISTERS, Op, ReqKind},
};

/// An operation, and what it did.
#[derive(Clone, Copy)]
pub struct Subject<'a> {
    pub contract: &'a Contract,
    pub log: &'a Log,
    pub issue: &'a Issue,
    pub deeds: &'a Deeds,
    /// What else the model knows while the operation is in flight: what its loads find in the scratchpad.
    pub progress: Option<&'a Progress>,
}

/// The register values that follow from a rule, where it determines them, and the lanes that are written back.
pub struct Registers {
    pub values: Vec<Register>,
    pub known: [LaneMask; MAX_REGISTERS],
    /// A bit for each register that is written back.
    pub written: u64,
    pub lanes: LaneMask,
}

impl Subject<'_> {
    /// Whether an instruction set's rule, bent, explains the operation. The model says what follows from the rule.
    pub fn by_plan(&self, bend: impl Fn(&mut Ctrl, &mut Op, &mut Lanes)) -> bool {
        self.by(bend, |lane, plan| plan.faults[lane])
    }

    /// The same, if `told` says which fault the unit reports of a lane, given the bent plan.
    pub fn by(&self, bend: impl Fn(&mut Ctrl, &mut Op, &mut Lanes), told: impl Fn(usize, &Plan) -> Fault) -> bool {
        let Subject { contract, log, issue, deeds, .. } = self;
        let (mut ctrl, mut op, mut lanes) = (contract.ctrl, issue.op, issue.lanes.clone());
        bend(&mut ctrl, &mut op, &mut lanes);
        let mut plan = Plan::default();
        model::plan(&contract.shape, &ctrl, &op, &lanes, &issue.data, &mut plan);
        let made = deeds.requests(log, op.kind);
        let mut registers = self.begin(&plan, &op);
        for (number, (request, (seen, answer))) in plan.requests.iter().zip(&made).enumerate() {
            let Some(answer) = answer.filter(|_| same(request, seen)) else { continue };
            for (register, lanes) in model::delivers(&op, request) {
                registers.known[register] |= lanes;
            }
            if !answer.error {
                model::load(&op, &plan, number, &answer.data, &mut registers.values);
            }
        }
        for line in deeds.errors(log) {
            let of = plan.requests.iter().filter(|request| request.line == line);
            let lanes = of.fold(LaneMask::NONE, |all, request| all | request.lanes);
            model::bus_error(&mut plan, lanes);
        }
        let dataless = log.unseen().start || log.unseen().data;
        let asked = plan.requests.iter().map(|request| {
            move |seen: &Seen| {
                same(request, seen)
                    && (request.kind != ReqKind::Write
                        || dataless
                        || same_enabled(request.byte_enable, &request.data, &seen.data))
            }
        });
        self.requests(&made, asked)
            && self.registers(&registers)
            && self.faults(|lane, got| told(lane, &plan) as u8 == got)
    }

    /// The faults by the unbent rule, before bus errors.
    pub fn law_faults(&self) -> [Fault; MAX_LANES] {
        let Subject { contract, issue, .. } = self;
        let mut plan = Plan::default();
        model::plan(&contract.shape, &contract.ctrl, &issue.op, &issue.lanes, &issue.data, &mut plan);
        plan.faults
    }

    /// The registers before memory answers.
    fn begin(&self, plan: &Plan, op: &Op) -> Registers {
        let loads = is_load(op) && plan.legal;
        let mut registers = Registers {
            values: vec![[0; MAX_LANES]; if loads { MAX_REGISTERS } else { 0 }],
            known: [LaneMask::NONE; MAX_REGISTERS],
            written: if loads { op.registers() } else { 0 },
            lanes: plan.active,
        };
        for filled in &plan.filled {
            registers.known[usize::from(filled.index)] |= filled.lanes;
        }
        let Some(law) = self.progress.filter(|_| loads) else { return registers };
        let moved = || (0..MAX_REGISTERS).filter(|register| op.registers() >> register & 1 == 1);
        // What the scratchpad holds, as far as another lane of the operation loads it. Other words are not looked up.
        let words = op.access_bytes() >= 4 && self.issue.op.access_bytes() >= 4;
        let place = |plan: &Plan, lane: usize, register: usize| plan.addr[lane] / 4 + register as u64;
        let held: FxHashMap<u64, u32> = law
            .plan
            .shared
            .iter()
            .filter(|&lane| words && !law.is_uninitialized(lane))
            .flat_map(|lane| moved().map(move |r| (place(&law.plan, lane, r), law.registers[r][lane])))
            .collect();
        for lane in (plan.shared & law.plan.shared).iter() {
            for register in moved() {
                let same = plan.addr[lane] == law.plan.addr[lane] && !law.is_uninitialized(lane);
                let own = same.then(|| law.registers[register][lane]);
                let value = own.or_else(|| held.get(&place(plan, lane, register)).copied());
                if let Some(value) = value {
                    registers.values[register][lane] = value;
                    registers.known[register] |= LaneMask::only(lane);
                }
            }
        }
        registers
    }

    /// Whether the requests that were made are those that `asked` accepts, in order. An operation that is not done may
    /// lack some.
    pub fn requests<P: Fn(&Seen) -> bool>(
        &self,
        made: &[(&Seen, Option<&Response>)],
        asked: impl ExactSizeIterator<Item = P>,
    ) -> bool {
        let enough = match self.deeds.done {
            Some(_) => made.len() == asked.len(),
            None => made.len() <= asked.len(),
        };
        enough && asked.zip(made).all(|(is, (seen, _))| is(seen))
    }

    /// Whether each register of each lane is written once, with its value. An operation that is not done may lack some.
    pub fn registers(&self, by_rule: &Registers) -> bool {
        if self.log.unseen().write_back {
            return true;
        }
        let mut written = [LaneMask::NONE; MAX_REGISTERS];
        for &number in &self.deeds.beats {
            let beat = self.log.written_back(number);
            let register = usize::from(beat.register) % MAX_REGISTERS;
            let known = by_rule.known[register] & beat.mask;
            let values = by_rule.values.get(register);
            let differs = |lane: usize| values.is_some_and(|values| values[lane] != beat.data[lane]);
            if !(beat.mask & written[register]).is_empty() || known.iter().any(differs) {
                return false;
            }
            written[register] |= beat.mask;
        }
        written.iter().enumerate().all(|(register, &written)| {
            let owed = if by_rule.written >> register & 1 == 1 { by_rule.lanes } else { LaneMask::NONE };
            match self.deeds.done {
                Some(_) => written == owed,
                None => (written - owed).is_empty(),
            }
        })
    }

    pub fn faults(&self, is: impl Fn(usize, u8) -> bool) -> bool {
        let done = self.deeds.done.map(|number| self.log.completed(number));
        done.is_none_or(|done| (0..self.contract.shape.lanes).all(|lane| is(lane, done.faults[lane])))
    }
}

fn same(request: &model::Request, seen: &Seen) -> bool {
    request.line == seen.line && request.byte_enable == seen.byte_enable
}
