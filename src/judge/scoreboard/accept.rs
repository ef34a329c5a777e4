// SPDX-License-Identifier: MIT OR Apache-2.0
//! Operations and their data, as the unit takes them.

use super::{NO_OP, Progress, Scoreboard, SetBits, Verdict, broken, is_load, set, wild::ANYWHERE};
use crate::{
    clause::Clause,
    judge::{
        contract::Contract,
        log::Issue,
        mismatch::{Field, Site},
    },
    op::Kind,
};

impl Scoreboard {
    /// Accepts the next operation. Its part in the scratchpad is performed now, in this order (PORT-SPAD).
    pub fn op_accepted(&mut self, contract: &Contract, issue: &Issue) -> Verdict {
        let index = self.accepted;
        if self.by_tag[usize::from(issue.op.tag)] != NO_OP {
            let found = format!("tag {:#04x}, which is in flight", issue.op.tag);
            return Err(broken(
                Clause::PortOp,
                Some(index),
                Field::signal(Site::Op, "tag (environment)"),
                "a tag that is not in flight",
                found,
            ));
        }
        self.no_stranger_has(index, issue.op.tag)?;
        if usize::from(issue.op.warp) >= self.shape.warps {
            let found = format!("warp {}", issue.op.warp);
            let expected = format!("a warp below {}", self.shape.warps);
            let field = Field::signal(Site::Op, "warp (environment)");
            return Err(broken(Clause::PortOp, Some(index), field, &expected, found));
        }
        let place = self.free.pop().unwrap_or_else(|| {
            self.ops.push(Progress::none());
            self.ops.len() as u32 - 1
        });
        self.places.push(place);
        self.by_tag[usize::from(issue.op.tag)] = index as u32;
        self.known_tags[usize::from(issue.op.tag)] = true;
        self.cut[usize::from(issue.op.tag)] = None;
        self.accepted += 1;
        self.fresh = false;
        let (shape, cycle) = (self.shape, self.cycle);
        let warp = usize::from(issue.op.warp & 7);
        let progress = &mut self.ops[place as usize];
        progress.begin(contract, index, issue, cycle);
        let dataless = !issue.data.is_empty() && (self.unseen.start || self.unseen.data);
        progress.dataless = dataless;
        if dataless {
            self.unjudged.dataless += 1;
        } else {
            self.data_wanted += issue.data.len();
        }
        // An operation without data need not wait for the data of others.
        progress.has_data = dataless || issue.data.is_empty() || self.data_taken >= self.data_wanted;
        progress.data_until = self.data_wanted;
        if !progress.has_data {
            self.lacking.push_back((index, self.data_wanted));
        }
        let plan = &progress.plan;
        progress.uninitialized = self.known.access(&issue.op, plan, dataless);
        if !progress.uninitialized.is_empty() {
            progress.unknown = self.known.unknown(&issue.op, plan);
            progress.partly.clear();
            progress.partly.extend(self.known.partly(&issue.op, plan));
        }
        if !plan.shared.is_empty() {
            if issue.op.kind == Kind::CmpStore as u8 {
                self.known.compared(plan, &issue.data, |word, value, bits| {
                    self.shared.may_hold(&self.scratchpad, word, value, bits)
                });
            }
            self.shared.before(issue, plan, &self.scratchpad, contract.promises.any_lane_order());
            progress.bank_cycles =
                self.scratchpad.access(&shape, &issue.op, plan, &issue.data, &mut progress.registers);
            self.shared.after(issue, plan, &mut self.scratchpad, contract.promises.any_lane_order());
            self.spad_line.push(index);
        }
        if is_load(&issue.op) && plan.legal {
            if !plan.shared.is_empty() {
                SetBits(issue.op.registers()).for_each(|register| progress.settled[register] = plan.shared);
            }
            // Values that no memory answers are settled from the start.
            for filled in &plan.filled {
                let register = usize::from(filled.index);
                progress.from_nobody.settle(register, &mut progress.settled[register], filled.lanes, cycle);
                set(&mut progress.registers[register], filled.lanes, filled.value);
            }
        }
        if !plan.requests.is_empty() {
            self.sending[warp].push_back(index);
        }
        self.running[warp].push_back(index);
        if contract.promises.any_lane_order() {
            self.note_choices(index, &issue.op);
            self.note_undefined(contract, index, issue);
        }
        let Progress { plan, wild, .. } = self.op(index);
        if dataless && issue.op.kind == Kind::CmpStore as u8 && !plan.requests.is_empty() && wild.is_none() {
            self.set_wild(index, ANYWHERE);
        }
        if self.op(index).wild.is_none() {
            self.order_accepted(index, issue);
        }
        Ok(())
    }

    /// Counts a data beat that the unit took.
    pub fn data_taken(&mut self) {
        self.data_taken += 1;
        while let Some((index, _)) = self.lacking.front().copied().filter(|&(_, beats)| beats <= self.data_taken) {
            self.lacking.pop_front();
            let cycle = self.cycle;
            let progress = self.op_mut(index);
            // An operation may be done without its data, and another may have its place.
            if progress.index == index && !progress.done {
                (progress.has_data, progress.last_data) = (true, cycle);
                self.order_spad();
            }
        }
    }
}
