// SPDX-License-Identifier: MIT OR Apache-2.0
//! The directives of a program, with one function each.

use std::ops::Range;

use super::{
    MAX_WARPS, Program, SHARED_BYTES, WarpState,
    number::{BYTE, END, aligned, multiple, poke, range, word},
    reader::Reader,
};
use crate::{
    clause::Clause,
    op::Private,
    sets::{
        Isa,
        text::{Failure, Input, Parsed, at, end, integer, peek, token},
    },
};

/// A directive of the format.
pub(crate) struct Directive {
    pub name: &'static str,
    pub usage: &'static str,
    /// Whether it must precede every instruction.
    pub header: bool,
    pub read: fn(&mut Reader, &mut Input<'_>) -> Parsed<()>,
}

/// A directive that must precede every instruction.
pub(crate) const fn header(
    name: &'static str,
    usage: &'static str,
    read: fn(&mut Reader, &mut Input<'_>) -> Parsed<()>,
) -> Directive {
    Directive { name, usage, header: true, read }
}

/// The directives of every program.
const COMMON: &[Directive] = &[
    header("isa", Isa::USAGE, isa),
    header("lanes", "write `lanes N`: 4, 8, 16 or 32", lanes),
    header("memory", "write `memory ADDR: 01 02 ...` or `memory ADDR: .word 1, 2, ...`", memory),
    header("bus_error", "write `bus_error ADDR SIZE`", bus_error),
    Directive { name: "warp", usage: "write `warp N`: 0 to 7", header: false, read: warp },
];

// Directives that several sets share.
pub(crate) const REGISTERS: Directive =
    header("registers", "write `registers N`: 1 to 255, of r700 1 to 128", registers);
pub(crate) const WINDOW: Directive =
    header("window", "write `window local BASE SIZE` or `window shared BASE SIZE`", window);
pub(crate) const LOCAL: Directive = header("local", "write `local BASE STRIDE SIZE`", local);
const SHARED_USAGE: &str =
    "write `shared ADDR: 01 02 ...` or `shared ADDR: .word 1, 2, ...`, or, of spa5 and ptx, `shared SIZE`";
pub(crate) const SHARED: Directive = header("shared", SHARED_USAGE, shared);
/// `shared` for initial contents only, where the size is stated otherwise.
pub(crate) const SHARED_CONTENTS: Directive = header("shared", SHARED_USAGE, shared_contents);
pub(crate) const ALLOC: Directive = header("alloc", "write `alloc BASE SIZE`", alloc);
pub(crate) const TRAP: Directive = header("trap", "write `trap misaligned`", trap);

/// Finds a directive by its name, and whether programs of `isa` have it.
pub(crate) fn find(isa: Isa, name: &str) -> Option<(&'static Directive, bool)> {
    let named = |all: &'static [Directive]| all.iter().find(|directive| directive.name == name);
    let own = named(COMMON).or_else(|| named(isa.directives())).map(|directive| (directive, true));
    own.or_else(|| Isa::ALL.iter().find_map(|isa| named(isa.directives())).map(|directive| (directive, false)))
}

fn isa(reader: &mut Reader, input: &mut Input<'_>) -> Parsed<()> {
    let name = token(input)?;
    let Some(&isa) = Isa::ALL.iter().find(|isa| name.is(isa.name())) else {
        return Err(Failure::expected(name.span, "the name of an instruction set"));
    };
    reader.once("isa", false, name.span)?;
    reader.program = Program::empty(isa);
    end(input)
}

fn lanes(reader: &mut Reader, input: &mut Input<'_>) -> Parsed<()> {
    let (count, span) = integer(input)?;
    settle(reader, "lanes", span.clone())?;
    if !matches!(count, 4 | 8 | 16 | 32) {
        return Err(Failure::expected(span, "4, 8, 16 or 32 lanes"));
    }
    reader.program.lanes = Some(count as usize);
    end(input)
}

fn registers(reader: &mut Reader, input: &mut Input<'_>) -> Parsed<()> {
    let (count, span) = integer(input)?;
    settle(reader, "registers", span.clone())?;
    let (most, what) = reader.program.isa.registers();
    if !(1..=u64::from(most)).contains(&count) {
        return Err(Failure::expected(span, what));
    }
    reader.program.register_count = count as u16;
    end(input)
}

/// Checks that the number of lanes or registers precedes the values that depend on it.
fn settle(reader: &mut Reader, what: &str, span: Range<usize>) -> Parsed<()> {
    if reader.has_values() {
        return Err(Failure::refused(span, "comes after a starting value", "move it to the head of the program"));
    }
    reader.once(what, false, span)
}

fn window(reader: &mut Reader, input: &mut Input<'_>) -> Parsed<()> {
    let name = token(input)?;
    let shared = name.is("shared");
    if !shared && !name.is("local") {
        return Err(Failure::expected(name.span, "`local` or `shared`"));
    }
    reader.once(if shared { "window shared" } else { "window local" }, false, name.span)?;
    let range = range(input, reader.grain())?;
    let ctrl = &mut reader.program.ctrl;
    *(if shared { &mut ctrl.shared_window } else { &mut ctrl.local_window }) = range;
    end(input)
}

fn local(reader: &mut Reader, input: &mut Input<'_>) -> Parsed<()> {
    reader.program.ctrl.local_memory = private(reader, "local", input)?;
    end(input)
}

/// Reads `BASE STRIDE SIZE`.
pub(crate) fn private(reader: &mut Reader, what: &str, input: &mut Input<'_>) -> Parsed<Private> {
    let (from, grain) = (at(input), reader.grain());
    let base = aligned(input, grain)?;
    let stride = word(input, grain)?;
    let size = word(input, grain)?;
    reader.once(what, false, from..at(input))?;
    fits(base, stride, size, from..at(input), Clause::ComPrivate)?;
    Ok(Private { base, stride, size })
}

/// Checks that a per-thread space ends within the address space.
pub(crate) fn fits(base: u64, stride: u32, size: u32, span: Range<usize>, clause: Clause) -> Parsed<()> {
    if base + 255 * u64::from(stride) + u64::from(size) <= END {
        return Ok(());
    }
    let help = "base + 255 * stride + size must be at most 2^40: there are 256 threads";
    Err(Failure::refused(span, "does not fit in the address space", help).by(clause))
}

fn shared(reader: &mut Reader, input: &mut Input<'_>) -> Parsed<()> {
    let ahead = &mut input.clone();
    let (size, span) = integer(ahead)?;
    if peek(ahead) == Some(':') {
        return shared_contents(reader, input);
    }
    let size = multiple(size, &span, reader.grain())?;
    if size > SHARED_BYTES {
        return Err(Failure::refused(span, "is more than the scratchpad has", "it has 32768 bytes"));
    }
    reader.once("shared", false, span)?;
    reader.program.ctrl.shared_size = size as u32;
    end(ahead)
}

fn shared_contents(reader: &mut Reader, input: &mut Input<'_>) -> Parsed<()> {
    let ahead = &mut input.clone();
    integer(ahead)?;
    if peek(ahead) != Some(':') {
        return Err(Failure::expected(at(ahead)..at(ahead), "`:` and what shared memory starts with"));
    }
    let poke = poke(input, reader.scope(), SHARED_BYTES)?;
    reader.program.shared.push(poke);
    Ok(())
}

fn alloc(reader: &mut Reader, input: &mut Input<'_>) -> Parsed<()> {
    let from = at(input);
    let range = range(input, reader.grain())?;
    let free = reader.program.ctrl.alloc.iter_mut().find(|range| range.size == 0);
    let span = from..at(input);
    if range.size == 0 {
        return Err(Failure::refused(span, "allocates nothing", "give a size, or leave the line out"));
    }
    *free
        .ok_or_else(|| Failure::refused(span, "is the ninth allocation", "there are eight").by(Clause::ComGlobal))? =
        range;
    end(input)
}

fn trap(reader: &mut Reader, input: &mut Input<'_>) -> Parsed<()> {
    let name = token(input)?;
    if !name.is("misaligned") {
        return Err(Failure::expected(name.span, "`misaligned`"));
    }
    reader.program.ctrl.trap_misaligned = true;
    end(input)
}

fn memory(reader: &mut Reader, input: &mut Input<'_>) -> Parsed<()> {
    let poke = poke(input, reader.scope(), END)?;
    reader.program.memory.push(poke);
    Ok(())
}

fn bus_error(reader: &mut Reader, input: &mut Input<'_>) -> Parsed<()> {
    let range = range(input, BYTE)?;
    reader.program.bus_errors.push(range);
    end(input)
}

fn warp(reader: &mut Reader, input: &mut Input<'_>) -> Parsed<()> {
    let (number, span) = integer(input)?;
    if number >= MAX_WARPS as u64 {
        return Err(Failure::expected(span, "a warp, 0 to 7"));
    }
    reader.warp = number as usize;
    let warps = reader.program.warps.len().max(reader.warp + 1);
    reader.program.warps.resize_with(warps, WarpState::default);
    end(input)
}
