// SPDX-License-Identifier: MIT OR Apache-2.0
//! The source of a lane's register, by the model.

use serde::Serialize;

use super::{BLOCK, RequestName, Trail, before, names::one, origin};
use crate::{
    clause::Clause,
    model::{self, Plan, Register},
    op::{GROUP_REGISTERS, MAX_LANES, MAX_REGISTERS, ReqKind, hex},
};

/// The source of a register.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Source {
    /// Memory's answer.
    Memory {
        /// The number of the operation's request.
        request: usize,
        #[serde(with = "hex")]
        line: u64,
        /// The address of the first byte.
        #[serde(with = "hex")]
        addr: u64,
        /// The bytes as they were answered; none for each that the unit did not get.
        bytes: Vec<Option<u8>>,
        /// The unit's requests that stand for it.
        made: Vec<RequestName>,
        /// Whether an answer says that there is no such memory. The lane then gets 0 (COM-BUSERR).
        error: bool,
    },
    /// The scratchpad.
    Scratchpad {
        #[serde(with = "hex")]
        offset: u64,
        bytes: usize,
        /// Whether it is not known that all of it was stored.
        unknown: bool,
    },
    /// No memory: a constant, or the result of an access that is not made.
    Filled {
        value: u32,
        /// The rules that applied to the lane's access.
        clauses: Vec<&'static str>,
    },
    /// The register is not written back.
    Nothing { why: String },
}

impl Trail<'_> {
    /// The source of a register, and its value; no value if the log does not tell.
    pub(super) fn source(
        &self,
        index: usize,
        lane: usize,
        register: usize,
        until: Option<u64>,
    ) -> (Source, Option<u32>) {
        let (issue, work, plan) = (&self.record.log.issues()[index], &self.works[index], self.plan(index));
        let nothing = |why: String| (Source::Nothing { why }, None);
        if issue.op.kind != 0 {
            return nothing("the operation stores, and writes nothing back".to_owned());
        }
        if !plan.legal {
            return nothing(format!("the operation is illegal ({})", Clause::ComIllegal));
        }
        if !plan.active.contains(lane) {
            return nothing(format!("lane {lane} does not execute"));
        }
        if register >= MAX_REGISTERS || issue.op.registers() >> register & 1 == 0 {
            return nothing(format!("the operation has no register {register}"));
        }
        let filled =
            plan.filled.iter().find(|filled| usize::from(filled.index) == register && filled.lanes.contains(lane));
        if let Some(filled) = filled {
            let trace = model::trace(&self.record.header.unit, self.ctrl(index), &issue.op, &issue.lanes, lane);
            let clauses = trace.clauses.iter().map(|clause| clause.id()).collect();
            return (Source::Filled { value: filled.value, clauses }, Some(filled.value));
        }
        if plan.shared.contains(lane) {
            let unknown = work.unknown.contains(lane);
            let bytes = usize::from(issue.op.element_bytes).clamp(1, 4);
            let source = Source::Scratchpad { offset: plan.addr[lane] + 4 * register as u64, bytes, unknown };
            return (source, work.found.get(register).map(|lanes| lanes[lane]).filter(|_| !unknown));
        }
        self.memory_source(index, &plan, lane, register, until)
    }

    fn memory_source(
        &self,
        index: usize,
        plan: &Plan,
        lane: usize,
        register: usize,
        until: Option<u64>,
    ) -> (Source, Option<u32>) {
        let (log, op) = (&self.record.log, &self.record.log.issues()[index].op);
        let bytes = |request| origin::read_bytes(op, plan, request, lane, register);
        let Some(which) = plan.requests.iter().position(|request| bytes(request) != 0) else {
            return (Source::Nothing { why: "no request of the model reads it".to_owned() }, None);
        };
        let request = &plan.requests[which];
        let (mask, first) = (bytes(request), bytes(request).trailing_zeros() as usize);
        let made = self.works[index]
            .requests
            .iter()
            .copied()
            .filter(|&number| self.asked[number as usize].which == Some(which));
        let made: Vec<u32> = made.filter(|&number| before(self.asked[number as usize].cycle, until)).collect();
        let (mut line, mut error, mut last) = ([None; BLOCK as usize], false, None);
        for &number in &made {
            let answer = self.asked[number as usize].answers.first().filter(|(cycle, _)| before(*cycle, until));
            let Some(&(cycle, answer)) = answer else { continue };
            last = last.max(Some(cycle));
            let (seen, answer) = (log.requested(number), log.responded(answer));
            error |= answer.error;
            if seen.kind != ReqKind::Read as u8 || answer.error {
                continue;
            }
            // The unit may have requested another line that has some bytes of this one.
            for (at, byte) in line.iter_mut().enumerate() {
                let from = (request.line + at as u64).checked_sub(seen.line).filter(|&from| from < BLOCK);
                let from = from.filter(|from| seen.byte_enable >> from & 1 == 1);
                *byte = from.map(|from| answer.data[from as usize]).or(*byte);
            }
        }
        let taken: Vec<usize> = (first..BLOCK as usize).filter(|at| mask >> at & 1 == 1).collect();
        let source = Source::Memory {
            request: which,
            line: request.line,
            addr: request.line + first as u64,
            bytes: taken.iter().map(|&at| line[at]).collect(),
            made: made.iter().map(|&number| self.request_name(number)).collect(),
            error,
        };
        if error {
            return (source, Some(0));
        }
        // Bytes that the unit did not request should have been answered by then.
        let Some(cycle) = last.or(self.works[index].done) else { return (source, None) };
        let mut whole = [0; BLOCK as usize];
        for &at in &taken {
            match line[at].or_else(|| self.byte(request.line + at as u64, Some(cycle)).model) {
                Some(byte) => whole[at] = byte,
                None => return (source, None),
            }
        }
        let mut out: Vec<Register> = vec![[0; MAX_LANES]; register + GROUP_REGISTERS];
        model::load(op, plan, which, &whole, &mut out);
        (source, Some(out[register][lane]))
    }

    /// One of the model's requests, in words.
    pub(super) fn asks(&self, plan: &Plan, which: usize) -> String {
        plan.requests
            .get(which)
            .map_or_else(String::new, |request| format!("{} of line {:#x}", one(request.kind as u8), request.line))
    }
}
