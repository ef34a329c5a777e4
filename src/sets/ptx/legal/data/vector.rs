// SPDX-License-Identifier: MIT OR Apache-2.0
//! Judges which kinds and widths may stand beside each other in a vector, sinks aside (PTX-L18).
//!
//! A vector whose elements all have one kind and width is judged like one of them. Where kinds mix, the type hardly
//! matters: neighbours must agree, and the first element determines which widths the others may have.

use super::{Refusal, Verdict, fits, kinds, literal, refuse, register, wide_enough};
use crate::{
    clause::Clause,
    sets::ptx::{
        constant::Constant,
        modifier::{Class, Type},
        names::{Names, Register, Symbol},
        statement::{At, Element},
    },
};

type Part<'a> = At<'a, Element<'a>>;

/// The kind of an element.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Register(Register),
    Predicate,
    Literal(Constant),
}

impl Kind {
    /// Class and width of the element. A predicate has the width of a word, an integer literal has no width.
    fn class(self) -> Option<(Class, Option<u8>)> {
        match self {
            Kind::Register(register) => Some((register.class, Some(register.bits))),
            Kind::Predicate => None,
            Kind::Literal(Constant::Integer { .. }) => Some((Class::Integer, None)),
            Kind::Literal(Constant::Double(_)) => Some((Class::Float, Some(64))),
            Kind::Literal(Constant::Single(_)) => Some((Class::Float, Some(32))),
        }
    }

    fn width(self) -> Option<u8> {
        self.class().map_or(Some(32), |(_, width)| width)
    }

    fn is_integer(self) -> bool {
        matches!(self, Kind::Literal(Constant::Integer { .. }))
    }
}

pub(crate) fn judge(elements: &[Part<'_>], element: Type, names: &Names<'_>) -> Verdict {
    let mut parts = Vec::with_capacity(elements.len());
    for at in elements {
        if let Some(kind) = kind(at, names)? {
            parts.push((kind, at));
        }
    }
    let [(first, at), rest @ ..] = parts.as_slice() else { return Ok(()) };
    if *first == Kind::Predicate {
        return refuse(Clause::PtxL18, at, "is a predicate", "a predicate stands behind a register of 32 bits");
    }
    if rest.iter().all(|(kind, _)| kind.class() == first.class()) {
        return match *first {
            Kind::Register(register) => fits(register, element, at),
            Kind::Literal(constant) => literal(constant, element, at),
            Kind::Predicate => Ok(()),
        };
    }
    for pair in parts.windows(2) {
        neighbours(pair[0], pair[1])?;
    }
    match *first {
        Kind::Register(register) => behind_a_register(register, at, rest, element),
        Kind::Literal(Constant::Integer { .. }) => no_integers(rest, element),
        _ => behind_a_float(&parts, element),
    }
}

/// The kind of an element, or `None` for a sink.
fn kind(at: &Part<'_>, names: &Names<'_>) -> Result<Option<Kind>, Refusal> {
    Ok(Some(match at.value {
        Element::Sink => return Ok(None),
        Element::Constant(constant) => Kind::Literal(constant),
        Element::Name(name, None) if names.find(name) == Some(Symbol::Predicate) => Kind::Predicate,
        Element::Name(name, component) => Kind::Register(register(names, name, component, at)?),
        Element::Sum(name, _) => Kind::Register(register(names, name, None, at)?),
    }))
}

/// Refuses neighbours of different classes: integers, floats and predicates cannot stand side by side. A b register can
/// stand beside anything.
fn neighbours((one, before): (Kind, &Part<'_>), (other, at): (Kind, &Part<'_>)) -> Verdict {
    let class = |kind: Kind| kind.class().map(|(class, _)| class);
    let free = [class(one), class(other)].contains(&Some(Class::Bits));
    if free || class(one) == class(other) {
        return Ok(());
    }
    let why = format!("stands beside `{}`", before.shown());
    let help = "integers, floats and predicates need a b register between them, or a vector of their own";
    refuse(Clause::PtxL18, at, &why, help)
}

/// Judges a vector that begins with a register: the others must have its width.
fn behind_a_register(first: Register, at: &Part<'_>, rest: &[(Kind, &Part<'_>)], element: Type) -> Verdict {
    let clause = Clause::PtxL18;
    wide_enough(first, element, at)?;
    let mut floats = first.class == Class::Float;
    for &(kind, part) in rest {
        let register = !matches!(kind, Kind::Literal(_));
        if let Some(bits) = kind.width().filter(|&bits| register && bits != first.bits) {
            let why = format!("has {bits} bits and `{}` has {}", at.shown(), first.bits);
            return refuse(clause, part, &why, "registers behind a register have its width");
        }
        if kind == Kind::Predicate && element.class == Class::Bits {
            return refuse(clause, part, "is a predicate", "b types take no predicate");
        }
        floats &= kind.class().is_some_and(|(class, width)| class == Class::Float && width == Some(first.bits));
    }
    // If all are floats of one width, the type must agree, whether they are registers or literals.
    if floats {
        kinds(first, element, at)?;
    }
    no_integers(rest, element)
}

/// Refuses an integer in an f type, which may take one as its first element only.
fn no_integers(rest: &[(Kind, &Part<'_>)], element: Type) -> Verdict {
    match rest.iter().find(|(kind, _)| kind.is_integer() && element.class == Class::Float) {
        Some((_, at)) => {
            let help = "in f types an integer is the first element or none";
            refuse(Clause::PtxL18, at, "is an integer, which this type does not take", help)
        }
        None => Ok(()),
    }
}

/// Judges a vector that begins with a float literal: its last element decides about its width.
fn behind_a_float(parts: &[(Kind, &Part<'_>)], element: Type) -> Verdict {
    let clause = Clause::PtxL18;
    no_integers(parts, element)?;
    let Some(&(last, at)) = parts.last() else { return Ok(()) };
    let width = last.width();
    let right = match element.class {
        Class::Float => true,
        Class::Integer => width.is_none_or(|bits| bits >= element.bits),
        Class::Bits => width == Some(element.bits),
    };
    if right {
        return Ok(());
    }
    let why = format!("ends a vector that begins with a float, and is not of {} bits", element.bits);
    refuse(clause, at, &why, "end it with a register of the type's width")
}
