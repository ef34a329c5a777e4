// SPDX-License-Identifier: MIT OR Apache-2.0
//! Starting values of a warp.

use super::{expr, reader::Reader};
use crate::{
    isa::text::{Failure, Input, Parsed, Token, at, eat, end, expect},
    op::MAX_LANES,
};

/// `R1 = ...`, `P0 = ...`, `active = ...`, `helpers = ...`.
pub(super) fn assign(reader: &mut Reader, name: &Token<'_>, input: &mut Input<'_>) -> Parsed<()> {
    let scope = reader.scope();
    let key = name.text.to_ascii_lowercase();
    let number = || key[1..].parse::<u8>().ok();
    match key.as_bytes().first() {
        Some(b'r') if number().is_some_and(|number| u16::from(number) < reader.program.register_count) => {
            reader.once(&key, true, name.span.clone())?;
            let values = if eat(input, '[')? { list(input, scope)? } else { expr::words(input, scope)? };
            reader.state().write(number().map(u16::from), u32::MAX, &values);
        }
        Some(b'p') if number().is_some_and(|number| number < 7) => {
            reader.once(&key, true, name.span.clone())?;
            let mask = expr::mask(input, scope)?;
            reader.state().predicates[usize::from(number().unwrap_or(0))] = mask;
        }
        _ if key == "active" || key == "helpers" => {
            reader.once(&key, true, name.span.clone())?;
            let mask = expr::mask(input, scope)?;
            let state = reader.state();
            *(if key == "active" { &mut state.active } else { &mut state.helpers }) = mask;
        }
        _ => {
            let help = "R0 up to the program's `registers`, P0 to P6, `active` and `helpers` have starting values";
            return Err(Failure::refused(name.span.clone(), "cannot be given a value", help));
        }
    }
    end(input)
}

/// `1, 2, 3]`: a value for each lane.
fn list(input: &mut Input<'_>, scope: expr::Scope) -> Parsed<[u32; MAX_LANES]> {
    let mut values = [0; MAX_LANES];
    for lane in 0.. {
        let from = at(input);
        let value = expr::word(input, scope)?;
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
