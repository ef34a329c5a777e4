// SPDX-License-Identifier: MIT OR Apache-2.0
//! Starting values of a warp.

use super::{expr, reader::Reader};
use crate::{
    model::Register,
    op::{LaneMask, MAX_LANES},
    sets::{
        Isa, ptx, sm5,
        text::{Failure, Input, Parsed, Token, at, eat, end, expect},
    },
};

/// `R1 = ...`, `P0 = ...`, `active = ...`, `helpers = ...`; of R700 `R1.x = ...` and `loop = ...`; of PTX `%rd1 = ...`
/// and `%p0 = ...`, whose `%` is in the name; of SM5 `r1 = ...`, `cb0[3].x = ...`, whose indices are.
pub(crate) fn assign(
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
            let values = words(&values(input, scope, 32)?, 0);
            reader.state().write(Some(number), LaneMask::ALL, &values);
        }
        (Isa::R700, _, Some(number), _) => {
            let components = components(component)?;
            for component in components.clone() {
                once(&format!("r{number}.{component}"))?;
            }
            let values = words(&values(input, scope, 32)?, 0);
            for component in components {
                reader.state().write(Some(4 * number + component), LaneMask::ALL, &values);
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
        (Isa::Ptx, None, ..) => of_ptx(reader, name, input)?,
        (Isa::Sm5, ..) => of_sm5(reader, name, component, input)?,
        _ => return Err(no_value(isa, name)),
    }
    end(input)
}

fn no_value(isa: Isa, name: &Token<'_>) -> Failure {
    let help = match isa {
        Isa::Spa5 => "R0 up to the program's `registers`, P0 to P6, `active` and `helpers` have starting values",
        Isa::R700 => {
            "R0 up to the program's `registers`, their components (R0.x), `active`, `helpers` and `loop` have starting \
             values"
        }
        Isa::Sm5 => {
            "r0 to r4095, v0 to v31, x0[0] to x15[255], cb0[0] to cb13[511], icb[0] to icb[511], the thread ids and the \
             numbers of the stages, their components (r0.x), `active` and `helpers` have starting values"
        }
        Isa::Ptx => {
            "%h, %r, %rd, %q, %f and %d with a number up to 4095, %p up to 247, %pol, `active` and `helpers` have \
             starting values"
        }
    };
    Failure::refused(name.span.clone(), "cannot be given a value", help)
}

/// A register takes as many bits as it has; a float's are written as an integer.
fn of_ptx(reader: &mut Reader, name: &Token<'_>, input: &mut Input<'_>) -> Parsed<()> {
    let scope = reader.scope();
    if let Some(register) = ptx::Reg::parse(name.text) {
        reader.once(&register.to_string(), true, name.span.clone())?;
        let values = values(input, scope, register.bits().into())?;
        for word in 0..register.words() {
            reader.state().write(Some(register.slot() + word), LaneMask::ALL, &words(&values, word));
        }
    } else if let Some(predicate) = ptx::predicate(name.text) {
        reader.once(&ptx::predicate_name(predicate), true, name.span.clone())?;
        reader.state().predicates[usize::from(predicate)] = expr::mask(input, scope)?;
    } else {
        return Err(no_value(Isa::Ptx, name));
    }
    Ok(())
}

/// All components of a register, or one.
fn of_sm5(reader: &mut Reader, name: &Token<'_>, component: Option<&Token<'_>>, input: &mut Input<'_>) -> Parsed<()> {
    let register = sm5::Register::parse(name.text).ok_or_else(|| no_value(Isa::Sm5, name))?;
    let components = components(component)?;
    for component in components.clone() {
        reader.once(&format!("{register}.{component}"), true, name.span.clone())?;
    }
    let values = words(&values(input, reader.scope(), 32)?, 0);
    for component in components {
        reader.state().write(Some(register.slot(component as u8)), LaneMask::ALL, &values);
    }
    Ok(())
}

/// The components that a name stands for: the one after its dot, or all four.
fn components(name: Option<&Token<'_>>) -> Parsed<std::ops::Range<u16>> {
    let Some(name) = name else { return Ok(0..4) };
    let component = ["x", "y", "z", "w"].iter().zip(0..).find_map(|(letter, number)| name.is(letter).then_some(number));
    let component = component.ok_or_else(|| Failure::expected(name.span.clone(), "x, y, z or w"))?;
    Ok(component..component + 1)
}

/// Bits 32 * `word` and up of every lane.
fn words(values: &[u128; MAX_LANES], word: u16) -> Register {
    values.map(|value| (value >> (32 * u32::from(word % 4))) as u32)
}

/// A list, or one expression for all lanes, of values of this width.
fn values(input: &mut Input<'_>, scope: expr::Scope, bits: u32) -> Parsed<[u128; MAX_LANES]> {
    if eat(input, '[')? { list(input, scope, bits) } else { expr::lanes(input, scope, bits) }
}

/// `1, 2, 3]`: a value for each lane.
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
