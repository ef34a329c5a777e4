// SPDX-License-Identifier: MIT OR Apache-2.0
//! The text, exactly as vkd3d prints it.

use std::fmt::{self, Display};

use super::{Components, File, Index, Inst, Modifier, NAME, Operand, Reference, Scalar, Value};

/// The letters of components 0 to 3.
pub(crate) const LETTERS: [char; 4] = ['x', 'y', 'z', 'w'];

impl Display for Inst {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{NAME} ")?;
        destination(f, &self.destination)?;
        for (operand, signed) in [(&self.address, true), (&self.compare, false), (&self.new, false)] {
            f.write_str(", ")?;
            source(f, operand, signed)?;
        }
        Ok(())
    }
}

/// A destination's mask prints as it is: an empty mask prints nothing, and a swizzle prints all components.
fn destination(f: &mut fmt::Formatter<'_>, reference: &Reference) -> fmt::Result {
    register(f, reference)?;
    match reference.components {
        Components::Mask(0) => Ok(()),
        Components::Mask(mask) => {
            f.write_str(".")?;
            let named = LETTERS.iter().enumerate().filter(|(bit, _)| mask >> bit & 1 == 1);
            named.into_iter().try_for_each(|(_, letter)| write!(f, "{letter}"))
        }
        Components::Swizzle(_) => f.write_str(".xyzw"),
        components => suffix(f, components),
    }
}

/// `signed` says whether literals print as signed numbers.
fn source(f: &mut fmt::Formatter<'_>, operand: &Operand, signed: bool) -> fmt::Result {
    let (sign, bars) = match operand.modifier {
        Modifier::None => ("", ""),
        Modifier::Negate => ("-", ""),
        Modifier::Absolute => ("", "|"),
        Modifier::NegateAbsolute => ("-", "|"),
    };
    write!(f, "{sign}{bars}")?;
    match operand.value {
        Value::Scalar(value) => literal(f, &[value], signed)?,
        Value::Vector(values) => literal(f, &values, signed)?,
        Value::Register(reference) => {
            register(f, &reference)?;
            suffix(f, reference.components)?;
        }
    }
    f.write_str(bars)
}

fn literal(f: &mut fmt::Formatter<'_>, values: &[u32], signed: bool) -> fmt::Result {
    f.write_str("l(")?;
    for (index, &value) in values.iter().enumerate() {
        f.write_str(if index == 0 { "" } else { ", " })?;
        match signed {
            true => write!(f, "{}", value as i32)?,
            false => write!(f, "{value}")?,
        }
    }
    f.write_str(")")
}

/// The name and the indices.
fn register(f: &mut fmt::Formatter<'_>, reference: &Reference) -> fmt::Result {
    f.write_str(reference.file.name())?;
    for (place, index) in reference.indices().enumerate() {
        match index {
            Index::Immediate(number) => number_at(f, reference.file, place, (*number).into())?,
            Index::Wide(number) => number_at(f, reference.file, place, *number)?,
            Index::Relative { offset, register } => write!(f, "[{register} + {}]", offset.unwrap_or(0))?,
        }
    }
    Ok(())
}

/// The first index follows the name directly, every other one is in brackets.
fn number_at(f: &mut fmt::Formatter<'_>, file: File, place: usize, number: u64) -> fmt::Result {
    if place == 0 && !file.is_bracketed() { write!(f, "{number}") } else { write!(f, "[{number}]") }
}

impl Display for Scalar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.file.name())?;
        for (place, number) in self.indices().enumerate() {
            number_at(f, self.file, place, number.into())?;
        }
        suffix(f, self.components)
    }
}

/// Four equal components print one letter.
fn suffix(f: &mut fmt::Formatter<'_>, components: Components) -> fmt::Result {
    let taken = match components {
        Components::None | Components::One => return Ok(()),
        components => components.taken().map(|component| LETTERS[usize::from(component)]),
    };
    let letters = if taken == [taken[0]; 4] { &taken[..1] } else { &taken[..] };
    f.write_str(".")?;
    letters.iter().try_for_each(|letter| write!(f, "{letter}"))
}
