// SPDX-License-Identifier: MIT OR Apache-2.0
//! Types, vectors and sinks: PTX-L11 to PTX-L14, PTX-L19 and the sizes of PTX-VEC.

use super::{Refusal, Verdict, clash, never, once, order::space_among, refuse};
use crate::{
    clause::Clause,
    sets::ptx::{
        modifier::{Modifier, Space, Type},
        names::Names,
        statement::{At, Element, Statement},
    },
};

fn vectors<'a>(statement: &Statement<'a>) -> impl Iterator<Item = At<'a, u8>> {
    statement.of(|modifier| if let Modifier::Vector(elements) = modifier { Some(elements) } else { None })
}

fn types<'a>(statement: &Statement<'a>) -> impl Iterator<Item = At<'a, Type>> {
    statement.of(|modifier| if let Modifier::Type(element) = modifier { Some(element) } else { None })
}

/// The vector modifier and the type, if the statement has a vector.
fn vector_of<'a>(statement: &Statement<'a>) -> Option<(At<'a, u8>, At<'a, Type>)> {
    Some((vectors(statement).next()?, types(statement).next()?))
}

pub(crate) fn vector(statement: &Statement<'_>, _: &Names<'_>) -> Verdict {
    never(Clause::PtxVec, statement, "vectors are .v2, .v4 and .v8")?;
    once(Clause::PtxVec, vectors(statement), "vector", "keep one of .v2, .v4 and .v8")
}

pub(crate) fn l11(statement: &Statement<'_>, _: &Names<'_>) -> Verdict {
    match vector_of(statement).filter(|_| statement.bits() > 128 && !statement.is_256()) {
        Some((vector, element)) => {
            let why = format!("of `{}` has {} bits", element.shown(), statement.bits());
            refuse(Clause::PtxL11, &vector, &why, "128 bits at most, or .v8 of a 32-bit, .v4 of a 64-bit type")
        }
        None => Ok(()),
    }
}

pub(crate) fn l12(statement: &Statement<'_>, _: &Names<'_>) -> Verdict {
    let near = space_among(statement, &[Space::Local, Space::Shared, Space::Cluster, Space::Param]);
    match (near, vectors(statement).next()) {
        (Some(space), Some(vector)) if statement.is_256() => {
            clash(Clause::PtxL12, &space, &vector, "256 bits go to .global or to a generic address")
        }
        _ => Ok(()),
    }
}

pub(crate) fn l13(statement: &Statement<'_>, _: &Names<'_>) -> Verdict {
    let clause = Clause::PtxL13;
    let data = &statement.data;
    let Some(sink) = data.value.elements.iter().find(|at| at.value == Element::Sink) else { return Ok(()) };
    if !data.value.braces {
        return refuse(clause, sink, "cannot be the whole value", "store a register or a number");
    }
    if data.value.elements.iter().all(|at| at.value == Element::Sink) {
        return refuse(clause, data, "has nothing to store", "leave at least one element");
    }
    if statement.is_256() {
        return Ok(());
    }
    refuse(clause, sink, "stands in a vector of less than 256 bits", "store every element, or each by itself")
}

pub(crate) fn l14(statement: &Statement<'_>, _: &Names<'_>) -> Verdict {
    let clause = Clause::PtxL14;
    never(clause, statement, "the types are b8 to b128, u8 to u64, s8 to s64, f32 and f64")?;
    once(clause, types(statement), "type", "keep one")?;
    if statement.element().is_some() {
        return Ok(());
    }
    let message = format!("`{}` has no type", statement.mnemonic.shown());
    Err(Refusal { help: "add one, such as .b32".into(), ..Refusal::new(clause, &statement.mnemonic, message) })
}

pub(crate) fn l19(statement: &Statement<'_>, _: &Names<'_>) -> Verdict {
    match vector_of(statement).filter(|(vector, element)| vector.value == 8 && element.value.bits < 32) {
        Some((vector, element)) => {
            let why = format!("cannot stand with `{}`", element.shown());
            refuse(Clause::PtxL19, &vector, &why, ".v8 goes with 32-bit types; vectors of these have 2 or 4 elements")
        }
        None => Ok(()),
    }
}
