// SPDX-License-Identifier: MIT OR Apache-2.0
//! Guards and addresses: PTX-L15 to PTX-L17, PTX-LD-INDEX.

use super::{Verdict, refuse};
use crate::{
    clause::Clause,
    sets::ptx::{
        modifier::{Class, Space},
        names::{Extent, Names, Symbol},
        statement::Statement,
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

pub(crate) fn l15(statement: &Statement<'_>, names: &Names<'_>) -> Verdict {
    let named = statement.address.value.base.as_ref().and_then(|base| names.find(base.value));
    match (&statement.guard, named) {
        (Some(guard), Some(Symbol::Variable(Space::Param, _))) if statement.space() == Some(Space::Param) => {
            let help = "branch round it, or store always";
            refuse(Clause::PtxL15, guard, "cannot guard a store to a parameter of a call", help)
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
    let indexed = statement.address.value.index.is_some();
    match (names.find(base.value), statement.space()) {
        (None, _) => refuse(clause, base, "is not declared", "declare it before it is used"),
        (Some(Symbol::Function), _) => refuse(clause, base, "is a function", "name a variable or a register"),
        (Some(Symbol::Predicate), _) => refuse(clause, base, "is a predicate", "an address is in a b, u or s register"),
        (Some(Symbol::Register(_)), _) if indexed => Ok(()), // Refused by PTX-LD-INDEX.
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
        (Some(Symbol::Variable(declared, _)), written) => {
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
        (Some(Symbol::Result(_)), Some(Space::Param)) => Ok(()),
        (Some(Symbol::Input(_) | Symbol::Result(_)), _) => {
            refuse(clause, base, "is a parameter", "parameters are in .param, and inputs are only read")
        }
    }
}

/// Judges the index in `var[i]`, `var[reg]` or `var[reg+i]`.
pub(crate) fn index(statement: &Statement<'_>, names: &Names<'_>) -> Verdict {
    let clause = Clause::PtxLdIndex;
    let address = &statement.address.value;
    let (Some(base), Some(index)) = (&address.base, &address.index) else { return Ok(()) };
    if names.find(base.value).and_then(Symbol::extent) != Some(Extent::Array) {
        return refuse(clause, base, "is no array, and has no elements", "put the address in brackets: `[name+4]`");
    }
    let Some(register) = &index.register else { return Ok(()) };
    let why = match names.find(register.value) {
        None => "is not declared",
        Some(Symbol::Register(given)) if given.class == Class::Float || given.lanes > 1 => "cannot be an index",
        Some(Symbol::Register(given)) if !matches!(given.bits, 16 | 32 | 64) => "cannot be an index",
        Some(Symbol::Register(_)) => return Ok(()),
        Some(_) => "is no register",
    };
    refuse(clause, register, why, "an index is a number, or a b, u or s register of 16, 32 or 64 bits and a number")
}
