// SPDX-License-Identifier: MIT OR Apache-2.0
//! Stored values: PTX-L18.

use super::{Refusal, Verdict, fault, refuse};
use crate::{
    clause::Clause,
    sets::ptx::{
        constant::Constant,
        modifier::{Class, Type},
        names::{Names, Register, Symbol},
        parse::kind,
        statement::{At, Element, Statement},
    },
};

mod vector;

pub(crate) fn l18(statement: &Statement<'_>, names: &Names<'_>) -> Verdict {
    let Some(element) = statement.element() else { return Ok(()) };
    let data = &statement.data.value;
    if let (false, [at]) = (data.braces, data.elements.as_slice()) {
        // A vector register stands for all its components.
        if let Some(register) = vector_register(names, at, statement.elements()) {
            return fits(register, element, at);
        }
    }
    count(statement)?;
    match data.elements.as_slice() {
        [at] if statement.elements() == 1 => scalar(at, element, names, data.braces),
        elements => vector::judge(elements, element, names),
    }
}

/// Requires as many elements as the vector has, in braces.
fn count(statement: &Statement<'_>) -> Verdict {
    let (data, wanted) = (&statement.data, usize::from(statement.elements()));
    let given = data.value.elements.len();
    if wanted > 1 && !data.value.braces {
        return refuse(Clause::PtxL18, data, &format!("is not {wanted} elements"), "a vector stands in braces");
    }
    if given != wanted {
        let why = format!("has {given} element{}, not {wanted}", if given == 1 { "" } else { "s" });
        let help = "as many elements as the vector modifier says; without one, one";
        return refuse(Clause::PtxL18, data, &why, help);
    }
    Ok(())
}

fn vector_register(names: &Names<'_>, at: &At<'_, Element<'_>>, lanes: u8) -> Option<Register> {
    match at.value {
        Element::Name(name, None) => match names.find(name) {
            Some(Symbol::Register(register)) if lanes > 1 && register.lanes == lanes => Some(register),
            _ => None,
        },
        _ => None,
    }
}

/// Judges the value of a store without a vector.
fn scalar(at: &At<'_, Element<'_>>, element: Type, names: &Names<'_>, braces: bool) -> Verdict {
    match at.value {
        Element::Sink => Ok(()),
        Element::Constant(constant) => literal(constant, element, at),
        Element::Sum(name, _) => sum(name, element, names, at),
        Element::Name(name, None) if names.find(name) == Some(Symbol::Function) => {
            let why = match element.bits {
                _ if braces => "is a function in braces",
                32 | 64 => return Ok(()),
                _ => "is a function, whose address has 32 or 64 bits",
            };
            refuse(Clause::PtxL18, at, why, "store a function's address as it is, with a type of 32 or 64 bits")
        }
        Element::Name(name, component) => fits(register(names, name, component, at)?, element, at),
    }
}

/// Judges a sum such as `gbl+4` or `%r1+4`: the address or the register plus an integer, truncated to the type.
fn sum(name: &str, element: Type, names: &Names<'_>, at: &At<'_, Element<'_>>) -> Verdict {
    let clause = Clause::PtxL18;
    let help = "a sum is of a variable or a register and an integer";
    match names.find(name) {
        None => refuse(clause, at, "adds to a name that is not declared", "declare it before it is used"),
        Some(Symbol::Function) => refuse(clause, at, "adds to a function", "store the function's address as it is"),
        Some(Symbol::Predicate) => refuse(clause, at, "adds to a predicate", help),
        Some(Symbol::Register(register)) if register.lanes > 1 => refuse(clause, at, "adds to a vector", help),
        Some(Symbol::Register(register)) => match (register.class, element.class) {
            (Class::Float, Class::Integer) => {
                refuse(clause, at, "adds to a float register", "store it with a b or an f type")
            }
            (Class::Integer, Class::Float) => {
                refuse(clause, at, "adds to an integer register", "store it with a b, u or s type")
            }
            _ => Ok(()),
        },
        Some(_) if element.class == Class::Float => {
            refuse(clause, at, "is an address", "store it with a b, u or s type")
        }
        Some(_) => Ok(()),
    }
}

/// Finds the register of an element.
fn register(
    names: &Names<'_>,
    name: &str,
    component: Option<&str>,
    at: &At<'_, Element<'_>>,
) -> Result<Register, Refusal> {
    let mut help = "a value is a register or a number";
    let why = match (names.find(name), component) {
        (Some(Symbol::Register(register)), None) if register.lanes == 1 => return Ok(register),
        (Some(Symbol::Register(register)), Some(component)) => {
            let lane = [".x", ".y", ".z", ".w"].iter().position(|name| *name == component);
            let lane = lane.or_else(|| [".r", ".g", ".b", ".a"].iter().position(|name| *name == component));
            if register.lanes > 1 && lane.is_some_and(|lane| lane < register.lanes.into()) {
                return Ok(Register { lanes: 1, ..register });
            }
            "has no such component"
        }
        (Some(Symbol::Register(_)), None) => "is a vector",
        (Some(Symbol::Predicate), _) => "is a predicate",
        (Some(symbol), None) if symbol.extent().is_some() => {
            help = "a variable's address is a value where something is added: `+0`";
            "is no register"
        }
        (Some(_), _) => "is no register",
        (None, _) => "is no declared register",
    };
    Err(fault(Clause::PtxL18, at, why, help))
}

/// Requires a register at least as wide as the type.
fn wide_enough(register: Register, element: Type, at: &At<'_, Element<'_>>) -> Verdict {
    if register.bits >= element.bits {
        return Ok(());
    }
    let why = format!("has {} bits, the type {}", register.bits, element.bits);
    refuse(Clause::PtxL18, at, &why, "take a register that is as wide as the type, or wider")
}

/// Requires a register that can hold a value of the type.
fn fits(register: Register, element: Type, at: &At<'_, Element<'_>>) -> Verdict {
    wide_enough(register, element, at)?;
    kinds(register, element, at)
}

/// Requires a register whose kind agrees with that of the type.
fn kinds(register: Register, element: Type, at: &At<'_, Element<'_>>) -> Verdict {
    let clause = Clause::PtxL18;
    match (register.class, element.class) {
        (Class::Float, Class::Integer) => refuse(clause, at, "is a float register", "store it with a b or an f type"),
        (Class::Float, Class::Float) if register.bits != element.bits => {
            let why = format!("has {} bits, the type {}", register.bits, element.bits);
            refuse(clause, at, &why, "a float register has the width of its f type")
        }
        (Class::Integer, Class::Float) => {
            refuse(clause, at, "is an integer register", "store it with a b, u or s type")
        }
        _ => Ok(()),
    }
}

/// Requires a literal that is a value of the type.
fn literal(constant: Constant, element: Type, at: &At<'_, Element<'_>>) -> Verdict {
    let legal = match (constant, element.class) {
        (Constant::Integer { .. }, class) => class != Class::Float,
        (_, Class::Integer) => false,
        (_, Class::Float) => true,
        (Constant::Double(_), Class::Bits) => element.bits == 64,
        (Constant::Single(_), Class::Bits) => element.bits == 32,
    };
    if legal {
        return Ok(());
    }
    let why = format!("is {}, which this type does not take", kind(constant));
    let help = "integers go with b, u and s types, doubles with f32, f64 and b64, `0f...` with f32, f64 and b32";
    refuse(Clause::PtxL18, at, &why, help)
}
