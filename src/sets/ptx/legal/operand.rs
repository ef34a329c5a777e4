// SPDX-License-Identifier: MIT OR Apache-2.0
//! Guards, addresses and values: PTX-L15 to PTX-L18.

use super::{Refusal, Verdict, fault, refuse};
use crate::{
    clause::Clause,
    sets::ptx::{
        constant::Constant,
        modifier::{Class, Space, Type},
        names::{Names, Register, Symbol},
        parse::kind,
        statement::{At, Element, Statement},
    },
};

pub(crate) fn guard(statement: &Statement<'_>, names: &Names<'_>) -> Verdict {
    match &statement.guard {
        Some(guard) if names.find(guard.value.name) != Some(Symbol::Predicate) => {
            refuse(Clause::PtxSyntax, guard, "names no predicate", "a guard is a register declared `.pred`")
        }
        _ => Ok(()),
    }
}

pub(crate) fn l15(statement: &Statement<'_>, _: &Names<'_>) -> Verdict {
    match &statement.guard {
        Some(guard) if statement.space() == Some(Space::Param) => {
            refuse(Clause::PtxL15, guard, "cannot guard a store to .param", "branch round it, or store always")
        }
        _ => Ok(()),
    }
}

pub(crate) fn l16(statement: &Statement<'_>, _: &Names<'_>) -> Verdict {
    let absolute = statement.address.value.base.is_none();
    if absolute && statement.space() != Some(Space::Local) {
        let help = "put the address into a register; a number alone is an address in .local only";
        return refuse(Clause::PtxL16, &statement.address, "is a number", help);
    }
    Ok(())
}

pub(crate) fn l17(statement: &Statement<'_>, names: &Names<'_>) -> Verdict {
    let clause = Clause::PtxL17;
    let Some(base) = &statement.address.value.base else { return Ok(()) };
    match (names.find(base.value), statement.space()) {
        (None, _) => refuse(clause, base, "is not declared", "declare it before it is used"),
        (Some(Symbol::Function), _) => refuse(clause, base, "is a function", "name a variable or a register"),
        (Some(Symbol::Predicate), _) => refuse(clause, base, "is a predicate", "an address is in a b, u or s register"),
        (Some(Symbol::Register(_)), Some(Space::Param)) => {
            refuse(clause, base, "is a register", "a store to .param names the parameter")
        }
        (Some(Symbol::Register(register)), _) => {
            let whole = register.lanes == 1 && register.bits <= 64;
            if whole && register.class != Class::Float {
                return Ok(());
            }
            refuse(clause, base, "cannot hold an address", "an address is in a b, u or s register of up to 64 bits")
        }
        (Some(Symbol::Variable(declared)), written) => {
            let named = match written {
                None => matches!(declared, Space::Global | Space::Shared | Space::Local),
                Some(Space::Cluster) => declared == Space::Shared,
                Some(space) => declared == space,
            };
            if named {
                return Ok(());
            }
            let why = format!("is a variable of {}", declared.name());
            match written {
                None => {
                    refuse(clause, base, &why, "a generic store names variables of .global, .shared and .local only")
                }
                Some(_) => refuse(clause, base, &why, "write the space that the variable is declared in"),
            }
        }
        (Some(Symbol::Input), _) => {
            refuse(clause, base, "is a parameter", "parameters are in .param, and inputs are only read")
        }
    }
}

pub(crate) fn l18(statement: &Statement<'_>, names: &Names<'_>) -> Verdict {
    let clause = Clause::PtxL18;
    let Some(element) = statement.element() else { return Ok(()) };
    let data = &statement.data.value;
    if let (false, [at]) = (data.braces, data.elements.as_slice()) {
        // A vector register stands for all its components.
        if let Some(register) = vector_register(names, at, statement.elements()) {
            return fits(register, element, at);
        }
    }
    count(statement)?;

    let mut first: Option<(Register, &At<'_, Element<'_>>)> = None;
    let (mut integer, mut float) = (None, None);
    for at in &data.elements {
        let class = match at.value {
            Element::Sink => continue,
            Element::Constant(constant) => {
                literal(constant, element, at)?;
                if matches!(constant, Constant::Integer { .. }) { Class::Integer } else { Class::Float }
            }
            Element::Name(name, component) => {
                let register = register(names, name, component, at)?;
                fits(register, element, at)?;
                if let Some((other, text)) = first.filter(|(other, _)| other.bits != register.bits) {
                    let why = format!("has {} bits and `{}` has {}", register.bits, text.text, other.bits);
                    return refuse(clause, at, &why, "the registers of a vector have one width");
                }
                first = first.or(Some((register, at)));
                register.class
            }
        };
        match class {
            Class::Bits => {}
            Class::Integer => integer = Some(at),
            Class::Float => float = Some(at),
        }
    }
    match (integer, float) {
        (Some(integer), Some(float)) => {
            let why = format!("stands in a vector with `{}`", integer.text);
            refuse(clause, float, &why, "the elements of a vector are all integers or all floats")
        }
        _ => Ok(()),
    }
}

/// As many elements as the vector has, in braces.
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

/// The register of an element.
fn register(
    names: &Names<'_>,
    name: &str,
    component: Option<&str>,
    at: &At<'_, Element<'_>>,
) -> Result<Register, Refusal> {
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
        (Some(_), _) => "is no register",
        (None, _) => "is no declared register",
    };
    Err(fault(Clause::PtxL18, at, why, "a value is a register or a number"))
}

/// A register holds a value of the type.
fn fits(register: Register, element: Type, at: &At<'_, Element<'_>>) -> Verdict {
    let clause = Clause::PtxL18;
    if register.bits < element.bits {
        let why = format!("has {} bits, the type {}", register.bits, element.bits);
        return refuse(clause, at, &why, "take a register that is as wide as the type, or wider");
    }
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

/// A literal is a value of the type.
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
