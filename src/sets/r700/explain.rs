// SPDX-License-Identifier: MIT OR Apache-2.0
//! Explains memory writes and reads of R700: the equation with its numbers, the destination of each register, and its
//! value.

use crate::explain::{
    explanation::{Array, Explanation, Lane, Transfer},
    port,
    words::{count, wrap},
};
use crate::{
    clause::Clause,
    op::{BufferSlot, Kind, Op},
    program::{Program, Step},
    sets::{Isa, Source, r700::Inst},
};
use burst::gprs;

pub mod burst;
mod lanes;
pub mod notes;
mod values;

/// Explains everything but the instruction itself and the clauses.
pub fn text(explanation: &Explanation, step: &Step, inst: &Inst, _: &Program) -> String {
    let Some(array) = &explanation.array else { return String::new() };
    let load = step.lowered.op.kind == Kind::Load as u8;
    let mut text = wrap(&sentences(array, step, inst, load), 0);
    text += &notes::text(explanation);
    let (first, limit) = lanes::form(array);
    text += &format!("\n  first_dw = {first}\n  {limit}\n");
    text += &lanes::lanes(explanation, array, load);
    text += &values::values(explanation, load);
    text + &port::requests(explanation, if load { "read" } else { "write" })
}

/// The instruction's fields in words.
fn sentences(array: &Array, step: &Step, inst: &Inst, load: bool) -> String {
    let op = &step.lowered.op;
    let elements = count(array.element_dwords, "dword");
    let registers = registers(step);
    let buffer = match array.stage.filter(|stage| *stage != "pixel") {
        Some(stage) => format!("scratch buffer of {stage} shaders"),
        None => format!("{} buffer", array.buffer),
    };
    let mut text = match load {
        _ if registers.is_empty() => format!("Nothing moves between the GPRs and the {buffer}"),
        true => format!("Read {registers} from the {buffer}"),
        false => format!("Write {registers} to the {buffer}"),
    };
    text += &format!(" in elements of {elements}.");
    text += &match (array.use_index, step.lowered.address[0]) {
        (false, _) => " There is no index.".to_owned(),
        (true, None) => String::new(), // It has a note of its own.
        (true, source) => format!(" The index is {}.", Isa::R700.register(source.and_then(Source::register))),
    };
    let dropped = gprs(inst).saturating_sub(op.present_gprs.count_ones()) as usize;
    if dropped > 0 {
        text += &format!(" Dropped, being past the program's last: {} of the burst.", count(dropped, "GPR"));
    }
    text += if !load && op.element_mask == 0 { " COMP_MASK is 0." } else { "" };
    text += if op.suppress_helpers { " Pixels that are not valid write nothing." } else { "" };
    text += if op.await_last { " It is complete when memory has acknowledged every write." } else { "" };
    text += if op.attr.uncached { " No cache is asked." } else { "" };
    if load {
        text += &constants(op);
    }
    let size = format!("{:#x} bytes at {:#x}", array.size, array.base.0);
    text += &match array.stride {
        0 => format!(" The buffer is {size}."),
        stride => {
            format!(
                " The buffer is {size} for the first thread, and as much every {stride:#x} bytes for the next ones."
            )
        }
    };
    text
}

/// Names the registers, as in `R4.xyzw`, `R4.xyzw and R5.xyzw`, `R4.xyzw to R7.xyzw`.
fn registers(step: &Step) -> String {
    let mut names: Vec<String> = Vec::new();
    for (_, number) in step.lowered.registers() {
        join(&mut names, &Isa::R700.register(number));
    }
    match &names[..] {
        [] => String::new(),
        [one] => one.clone(),
        [one, two] => format!("{one} and {two}"),
        [first, .., last] => format!("{first} to {last}"),
    }
}

/// Appends a component to the last name if it belongs to the same GPR.
fn join(names: &mut Vec<String>, register: &str) {
    let gpr = register.split('.').next();
    match names.last_mut() {
        Some(last) if last.split('.').next() == gpr => *last += &register[gpr.map_or(0, str::len) + 1..],
        _ => names.push(register.to_owned()),
    }
}

/// What destination components receive without memory.
fn constants(op: &Op) -> String {
    let each = ["x", "y", "z", "w"].into_iter().zip(0..).map(|(name, component)| match op.select(component) {
        4 => format!(" Component {name} takes 0."),
        5 => format!(" Component {name} takes {}.", if op.one_is_float { "1.0" } else { "1" }),
        7 => format!(" Component {name} is left alone."),
        _ => String::new(),
    });
    each.collect()
}

fn transfers(lane: &Lane) -> &[Transfer] {
    lane.burst.as_ref().map_or(&[], |burst| &burst.transfers)
}

/// Clauses about the array, absent registers and acknowledgement, each with whether it matters.
pub fn clauses(inst: &Inst, explanation: &Explanation, step: &Step) -> Vec<(bool, Clause)> {
    let (op, gprs) = (&step.lowered.op, gprs(inst));
    let executes = explanation.lanes.iter().any(|lane| lane.active);
    let missing = gprs > op.present_gprs.count_ones() || gprs > 0 && op.use_index && step.lowered.address[0].is_none();
    let driver = explanation.array.as_ref().is_some_and(|array| array.driver_form);
    let sized = gprs > 0 && !(driver && op.slot == BufferSlot::Export as u8);
    vec![
        (executes && sized, Clause::R700Size),
        (executes && missing, Clause::R700Gproob),
        (op.await_last && !explanation.requests.is_empty(), Clause::R700Ack),
    ]
}
