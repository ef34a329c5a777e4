// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reads the starting values of a warp.

use super::{expr, reader::Reader};
use crate::{
    model::Register,
    op::MAX_LANES,
    sets::text::{Failure, Input, Parsed, Token, at, eat, end, expect},
};

/// Reads the value of `active`, of `helpers`, or of a name of the set.
pub(crate) fn assign(
    reader: &mut Reader,
    name: &Token<'_>,
    component: Option<&Token<'_>>,
    input: &mut Input<'_>,
) -> Parsed<()> {
    let key = name.text.to_ascii_lowercase();
    if component.is_none() && ["active", "helpers"].contains(&key.as_str()) {
        reader.once(&key, true, name.span.clone())?;
        let mask = expr::mask(input, reader.scope())?;
        let state = reader.state();
        *(if key == "active" { &mut state.active } else { &mut state.helpers }) = mask;
    } else if !reader.program.isa.value(reader, name, component, input)? {
        let help = reader.program.isa.values();
        return Err(Failure::refused(name.span.clone(), "cannot be given a value", help));
    }
    end(input)
}

/// The number that follows the letter in a name such as `R12` or `P3`.
pub(crate) fn numbered(name: &Token<'_>, letter: char) -> Option<u8> {
    name.text.strip_prefix([letter.to_ascii_lowercase(), letter.to_ascii_uppercase()])?.parse().ok()
}

/// The components that a name stands for: the one given after its dot, or all four.
pub(crate) fn components(name: Option<&Token<'_>>) -> Parsed<std::ops::Range<u16>> {
    let Some(name) = name else { return Ok(0..4) };
    let component = ["x", "y", "z", "w"].iter().zip(0..).find_map(|(letter, number)| name.is(letter).then_some(number));
    let component = component.ok_or_else(|| {
        let help = "a component is `.x`, `.y`, `.z` or `.w`; a name without one is all four";
        Failure::expected(name.span.clone(), "x, y, z or w").help(help)
    })?;
    Ok(component..component + 1)
}

/// The word of every lane's value that begins at bit 32 * `word`.
pub(crate) fn words(values: &[u128; MAX_LANES], word: u16) -> Register {
    values.map(|value| (value >> (32 * u32::from(word % 4))) as u32)
}

/// Reads a list, or one expression for all lanes, with values of `bits` bits.
pub(crate) fn values(input: &mut Input<'_>, scope: expr::Scope, bits: u32) -> Parsed<[u128; MAX_LANES]> {
    if eat(input, '[')? { list(input, scope, bits) } else { expr::lanes(input, scope, bits) }
}

/// Reads the rest of a list such as `1, 2, 3]`, with a value for each lane.
fn list(input: &mut Input<'_>, scope: expr::Scope, bits: u32) -> Parsed<[u128; MAX_LANES]> {
    let mut values = [0; MAX_LANES];
    for lane in 0.. {
        let from = at(input);
        let value = expr::uniform(input, scope, bits)?;
        match values.get_mut(lane) {
            Some(slot) if lane < scope.lanes => *slot = value,
            _ => return Err(Failure::refused(from..at(input), "is one value more than there are lanes", "")),
        }
        if !eat(input, ',')? {
            break;
        }
    }
    expect(input, ']', "`,` or `]`")?;
    Ok(values)
}
