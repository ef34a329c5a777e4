// SPDX-License-Identifier: MIT OR Apache-2.0
//! A program as a case: the operations of its steps, with the register values that the model's loads produced.

use crate::{
    op::{MAX_LINE_BYTES, Shape},
    program::{Executed, Program, Session},
};

use super::case::{Bytes, Case, Issue, Schedule};

/// The program's steps, one after the other, in an environment that never stalls.
pub fn case(program: &Program, shape: &Shape) -> Case {
    case_with(program, shape, |_| {}).0
}

/// Like [`case`], but also returns the model's state after the last step, and calls `done` after each step.
pub fn case_with<'a>(program: &'a Program, shape: &Shape, mut done: impl FnMut(&Executed)) -> (Case, Session<'a>) {
    let mut session = Session::new(program, *shape);
    let issues = program.steps.iter().map(|step| {
        let executed = session.step(step);
        done(&executed);
        Issue { op: executed.op, lanes: executed.lanes, data: executed.data, inst: Some(step.inst) }
    });
    let issues = issues.collect();
    let pokes = |pokes: &[crate::program::Poke]| {
        let bytes = |poke: &crate::program::Poke| Bytes { addr: poke.address, bytes: poke.bytes.clone() };
        pokes.iter().map(bytes).collect::<Vec<_>>()
    };
    // Memory that the program does not initialize holds 0.
    let zero = |addr, length| Bytes { addr, bytes: vec![0; length] };
    let mut memory: Vec<Bytes> = session.touched().map(|block| zero(block, MAX_LINE_BYTES)).collect();
    memory.extend(pokes(&program.memory));
    let mut shared = vec![zero(0, program.ctrl.shared_size as usize)];
    shared.extend(pokes(&program.shared));
    let case = Case {
        shape: *shape,
        ctrl: program.ctrl,
        memory_seed: 0,
        memory,
        shared,
        bus_errors: program.bus_errors.clone(),
        issues,
        schedule: Schedule::eager(),
        serial: true,
        flushes: program.flushes.clone(),
        dirty_cycles: 0,
        rate: None,
    };
    (case, session)
}
