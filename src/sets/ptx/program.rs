// SPDX-License-Identifier: MIT OR Apache-2.0
//! The directives that only PTX has.

use crate::program::{
    directive::private,
    number::{aligned, range},
    reader::Reader,
};
use crate::sets::{
    ptx,
    text::{Failure, Input, Parsed, at, end, expect, integer, token},
};

pub(crate) fn param(reader: &mut Reader, input: &mut Input<'_>) -> Parsed<()> {
    reader.program.ctrl.param_memory = private(reader, "param", input)?;
    end(input)
}

pub(crate) fn cluster(reader: &mut Reader, input: &mut Input<'_>) -> Parsed<()> {
    let from = at(input);
    reader.program.ctrl.cluster = range(input, reader.grain())?;
    reader.once("cluster", false, from..at(input))?;
    end(input)
}

/// Reads the place of a variable, which is declared with an alignment of 32 bytes.
pub(crate) fn variable(reader: &mut Reader, input: &mut Input<'_>) -> Parsed<()> {
    let name = token(input)?;
    let Some(&variable) = ptx::Variable::ALL.iter().find(|variable| variable.name() == name.text) else {
        return Err(Failure::expected(name.span, "the name of a variable"));
    };
    reader.once(variable.name(), false, name.span)?;
    reader.states.ptx.variables[variable as usize] = aligned(input, reader.grain())?;
    end(input)
}

pub(crate) fn target(reader: &mut Reader, input: &mut Input<'_>) -> Parsed<()> {
    let name = token(input)?;
    let target = name.text.parse().map_err(|_| Failure::expected(name.span.clone(), "a target such as `sm_90`"))?;
    reader.once("target", false, name.span)?;
    reader.states.ptx.target = target;
    end(input)
}

pub(crate) fn version(reader: &mut Reader, input: &mut Input<'_>) -> Parsed<()> {
    let (from, rest) = (at(input), *input.as_ref());
    let (_, major) = integer(input)?;
    expect(input, '.', "a version such as `8.3`")?;
    let (_, minor) = integer(input)?;
    let text = rest.get(..minor.end - from).unwrap_or_default();
    let span = major.start..minor.end;
    let version = text.parse().map_err(|_| Failure::expected(span.clone(), "a version such as `8.3`"))?;
    reader.once("ptx", false, span)?;
    reader.states.ptx.version = Some(version);
    end(input)
}
