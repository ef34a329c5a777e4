// SPDX-License-Identifier: MIT OR Apache-2.0
//! Starting values of a warp.

use super::{expr, reader::Reader};
use crate::{
    isa::{
        Isa,
        text::{Failure, Input, Parsed, Token, at, eat, end, expect},
    },
    op::MAX_LANES,
};

/// `R1 = ...`, `P0 = ...`, `active = ...`, `helpers = ...`; of R700 `R1.x = ...` and `loop = ...`.
pub(super) fn assign(
    reader: &mut Reader,
    name: &Token<'_>,
    component: Option<&Token<'_>>,
    input: &mut Input<'_>,
) -> Parsed<()> {
    let scope = reader.scope();
    let isa = reader.program.isa;
    let key = name.text.to_ascii_lowercase();
    let number = |letter: char| key.strip_prefix(letter).and_then(|digits| digits.parse::<u8>().ok());
    let register = number('r').map(u16::from).filter(|number| *number < reader.program.register_count);
    let mut once = |key: &str| reader.once(key, true, name.span.clone());
    match (isa, component, register, key.as_str()) {
        (Isa::Spa5, None, Some(number), _) => {
            once(&key)?;
            let values = values(input, scope)?;
            reader.state().write(Some(number), u32::MAX, &values);
        }
        (Isa::R700, _, Some(number), _) => {
            let components = components(component)?;
            for component in components.clone() {
                once(&format!("r{number}.{component}"))?;
            }
            let values = values(input, scope)?;
            for component in components {
                reader.state().write(Some(4 * number + component), u32::MAX, &values);
            }
        }
        (Isa::Spa5, None, _, _) if number('p').is_some_and(|number| number < 7) => {
            once(&key)?;
            let mask = expr::mask(input, scope)?;
            reader.state().predicates[usize::from(number('p').unwrap_or(0))] = mask;
        }
        (Isa::R700, None, _, "loop") => {
            once(&key)?;
            let value = expr::word(input, scope)?;
            reader.state().loop_index = value;
        }
        (_, None, _, "active" | "helpers") => {
            once(&key)?;
            let mask = expr::mask(input, scope)?;
            let state = reader.state();
            *(if key == "active" { &mut state.active } else { &mut state.helpers }) = mask;
        }
        _ => {
            let help = match isa {
                Isa::Spa5 | Isa::Ptx => {
                    "R0 up to the program's `registers`, P0 to P6, `active` and `helpers` have starting values"
                }
                Isa::R700 => {
                    "R0 up to the program's `registers`, their components (R0.x), `active`, `helpers` and `loop` have \
                     starting values"
                }
            };
            return Err(Failure::refused(name.span.clone(), "cannot be given a value", help));
        }
    }
    end(input)
}

/// The components that a name stands for: the one after its dot, or all four.
fn components(name: Option<&Token<'_>>) -> Parsed<std::ops::Range<u16>> {
    let Some(name) = name else { return Ok(0..4) };
    let component = ["x", "y", "z", "w"].iter().zip(0..).find_map(|(letter, number)| name.is(letter).then_some(number));
    let component = component.ok_or_else(|| Failure::expected(name.span.clone(), "x, y, z or w"))?;
    Ok(component..component + 1)
}

/// A list, or one expression for all lanes.
fn values(input: &mut Input<'_>, scope: expr::Scope) -> Parsed<[u32; MAX_LANES]> {
    if eat(input, '[')? { list(input, scope) } else { expr::words(input, scope) }
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
