// SPDX-License-Identifier: MIT OR Apache-2.0
//! Whether a burst by bent rules explains everything that an operation did.

use super::burst::{Burst, Outcome, Rules};
use crate::{
    judge::{diagnose::subject::{Registers, Subject}, log::Seen, scoreboard::is_load},
    model,
    op::{Fault, MAX_LANES, MAX_REGISTERS, Shape},
};

/// Whether a burst explains the operation after `bend` has changed its rules.
pub fn explains(subject: &Subject<'_>, bend: impl Fn(&mut Burst)) -> bool {
    let Subject { contract, log, issue, deeds, .. } = subject;
    let mut burst = Burst { ctrl: contract.ctrl, op: issue.op, lanes: issue.lanes.clone(), rules: Rules::LAW };
    bend(&mut burst);
    // An illegal burst that stays illegal is refused by the bent rule as by the unbent one.
    if !model::legal(&issue.op) && !model::legal(&burst.op) {
        return subject.by_plan(|_, _, _| {});
    }
    let outcome = burst.play(&contract.shape);
    let made = deeds.requests(log, issue.op.kind);
    let asked = outcome.requests.iter().map(|is| move |seen: &Seen| *is == (seen.line, seen.byte_enable));
    // It is not checked which lanes an answer with an error hits.
    let errors = !deeds.errors(log).is_empty();
    let bus = |lane: usize, got: u8| errors && got == Fault::Bus as u8 && outcome.faults[lane] == Fault::None;
    subject.requests(&made, asked)
        && subject.registers(&registers(&burst, &outcome, &contract.shape))
        && subject.faults(|lane, got| outcome.faults[lane] as u8 == got || bus(lane, got))
}

/// The registers of a read burst. Filled values are known; values from memory are not compared.
fn registers(burst: &Burst, outcome: &Outcome, shape: &Shape) -> Registers {
    let op = &burst.op;
    let loads = is_load(op);
    let one = if op.one_is_float { 1f32.to_bits() } else { 1 };
    let value = |register: usize| if op.select(register as u32 % 4) == 5 { one } else { 0 };
    Registers {
        values: (0..MAX_REGISTERS).map(|register| [value(register); MAX_LANES]).collect(),
        known: outcome.filled,
        written: if loads { op.registers() } else { 0 },
        lanes: burst.active(shape),
    }
}
