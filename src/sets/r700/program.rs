// SPDX-License-Identifier: MIT OR Apache-2.0
//! The directives that only R700 has.

use crate::program::{
    directive::fits,
    number::{DWORD, aligned, word},
    reader::Reader,
};
use crate::{
    clause::Clause,
    sets::text::{Failure, Input, Parsed, at, end, peek, token},
    op::{Buffer, BufferSlot, Stage},
};

pub(crate) fn buffer(reader: &mut Reader, input: &mut Input<'_>) -> Parsed<()> {
    let name = token(input)?;
    let Some(slot) = BufferSlot::NAMES.iter().position(|buffer| name.is(buffer)) else {
        return Err(Failure::expected(name.span, "the name of a buffer"));
    };
    let scratch = slot == BufferSlot::Scratch as usize;
    let named = scratch && peek(input).is_some_and(char::is_alphabetic);
    let stage = if named { type_of_program(input)? } else { 0 };
    let once = if scratch { format!("scratch {}", Stage::NAMES[stage]) } else { BufferSlot::NAMES[slot].to_owned() };
    reader.once(&once, false, name.span)?;
    let from = at(input);
    let base = aligned(input, DWORD)?;
    let second = at(input);
    let mut size = word(input, DWORD)?;
    let mut stride = 0;
    if scratch || peek(input).is_some() {
        if [BufferSlot::Reduction as usize, BufferSlot::Export as usize].contains(&slot) {
            let help = "leave the stride out: `buffer NAME BASE SIZE`; every thread has the whole buffer";
            let why = "is a stride, which reduction and export have not";
            return Err(Failure::refused(second..at(input), why, help).by(Clause::R700Place));
        }
        (stride, size) = (size, word(input, DWORD)?);
    }
    fits(base, stride, size, from..at(input), Clause::R700Place)?;
    let ctrl = &mut reader.program.ctrl;
    *(if stage == 0 { &mut ctrl.buffer[slot] } else { &mut ctrl.stage_scratch[stage - 1] }) =
        Buffer { base, stride, size };
    end(input)
}

/// Reads a program type, and returns its number as a [`Stage`](crate::op::Stage).
fn type_of_program(input: &mut Input<'_>) -> Parsed<usize> {
    let name = token(input)?;
    let stage = Stage::NAMES.iter().position(|stage| name.is(stage));
    stage.ok_or_else(|| {
        let help = "each type of program has a scratch buffer of its own: `pixel`, `vertex`, `geometry`, `export`";
        Failure::expected(name.span, "a type of program").help(help).by(Clause::R700Stage)
    })
}

pub(crate) fn stage(reader: &mut Reader, input: &mut Input<'_>) -> Parsed<()> {
    reader.states.r700 = type_of_program(input)? as u8;
    end(input)
}

/// A flush before the first operation, or after the last, has nothing to wait for.
pub(crate) fn flush(reader: &mut Reader, input: &mut Input<'_>) -> Parsed<()> {
    let before = reader.program.steps.len();
    if before > 0 && reader.program.flushes.last() != Some(&before) {
        reader.program.flushes.push(before);
    }
    end(input)
}

pub(crate) fn form(reader: &mut Reader, input: &mut Input<'_>) -> Parsed<()> {
    let name = token(input)?;
    if !name.is("driver") {
        return Err(Failure::expected(name.span, "`driver`"));
    }
    reader.program.ctrl.r700_driver_form = true;
    end(input)
}
