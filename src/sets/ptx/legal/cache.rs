// SPDX-License-Identifier: MIT OR Apache-2.0
//! Cache operators, priorities and hints: PTX-L6 to PTX-L10.

use super::{
    Verdict, clash, never, once,
    order::{orders, space_among},
    refuse,
};
use crate::{
    clause::Clause,
    sets::ptx::{
        constant::Constant,
        modifier::{Class, Cop, Modifier, Order, Priority, Space},
        names::{Names, Symbol},
        statement::{At, Element, Statement},
    },
};

fn cops<'a>(statement: &Statement<'a>) -> impl Iterator<Item = At<'a, Cop>> {
    statement.of(|modifier| if let Modifier::Cop(cop) = modifier { Some(cop) } else { None })
}

fn l1_priorities<'a>(statement: &Statement<'a>) -> impl Iterator<Item = At<'a, Priority>> {
    statement.of(|modifier| if let Modifier::L1(priority) = modifier { Some(priority) } else { None })
}

fn l2_priorities<'a>(statement: &Statement<'a>) -> impl Iterator<Item = At<'a, Priority>> {
    statement.of(|modifier| if let Modifier::L2(priority) = modifier { Some(priority) } else { None })
}

fn hints<'a>(statement: &Statement<'a>) -> impl Iterator<Item = At<'a, ()>> {
    statement.of(|modifier| (modifier == Modifier::Hint).then_some(()))
}

pub(crate) fn l6(statement: &Statement<'_>, _: &Names<'_>) -> Verdict {
    let clause = Clause::PtxL6;
    never(clause, statement, "the cache operators of a store are .wb, .cg, .cs and .wt")?;
    once(clause, cops(statement), "cache operator", "keep one of .wb, .cg, .cs and .wt")?;
    match (cops(statement).next(), orders(statement).find(|order| order.value != Order::Weak)) {
        (Some(cop), Some(order)) => clash(clause, &cop, &order, "cache operators go with weak stores"),
        _ => Ok(()),
    }
}

pub(crate) fn l7(statement: &Statement<'_>, _: &Names<'_>) -> Verdict {
    match (cops(statement).next(), l1_priorities(statement).next()) {
        (Some(cop), Some(priority)) => clash(Clause::PtxL7, &cop, &priority, "keep one of them"),
        _ => Ok(()),
    }
}

pub(crate) fn l8(statement: &Statement<'_>, _: &Names<'_>) -> Verdict {
    let clause = Clause::PtxL8;
    let special = statement.of(|modifier| matches!(modifier, Modifier::L1(_) | Modifier::Hint).then_some(())).next();
    let Some(special) = special else { return Ok(()) };
    if let Some(space) = space_among(statement, &[Space::Local, Space::Shared, Space::Cluster, Space::Param]) {
        return clash(clause, &special, &space, "it goes with .global and generic addresses");
    }
    match orders(statement).find(|order| order.value == Order::Volatile) {
        Some(order) => clash(clause, &special, &order, "it goes with .weak, .relaxed and .release"),
        None => Ok(()),
    }
}

pub(crate) fn l9(statement: &Statement<'_>, _: &Names<'_>) -> Verdict {
    let clause = Clause::PtxL9;
    never(clause, statement, "the priorities of L2 are evict_normal, evict_first and evict_last")?;
    for priority in l2_priorities(statement) {
        if matches!(priority.value, Priority::Unchanged | Priority::NoAllocate) {
            let help = "the priorities of L2 are evict_normal, evict_first and evict_last";
            return refuse(clause, &priority, "is no modifier of `st`", help);
        }
    }
    once(clause, l1_priorities(statement), "priority of L1", "keep one of them")?;
    once(clause, l2_priorities(statement), "priority of L2", "keep one of them")?;
    match l2_priorities(statement).next().filter(|_| !statement.is_256()) {
        Some(priority) => {
            refuse(clause, &priority, "goes with 256 bits only", "store .v8 of a 32-bit or .v4 of a 64-bit type")
        }
        None => Ok(()),
    }
}

pub(crate) fn l10(statement: &Statement<'_>, names: &Names<'_>) -> Verdict {
    let clause = Clause::PtxL10;
    once(clause, hints(statement), "hint", "keep one")?;
    let (policy, hint) = match (&statement.policy, hints(statement).next()) {
        (None, None) => return Ok(()),
        (None, Some(hint)) => {
            return refuse(clause, &hint, "has no third operand", "add the cache policy: a 64-bit register");
        }
        (Some(policy), None) => {
            return refuse(clause, policy, "is a third operand, which only a hint has", "add .L2::cache_hint");
        }
        (Some(policy), Some(hint)) => (policy, hint),
    };
    let legal = match policy.value.elements.as_slice() {
        _ if policy.value.braces => false,
        [At { value: Element::Constant(Constant::Integer { .. }), .. }] => true,
        [At { value: Element::Name(name, None), .. }] => matches!(
            names.find(name),
            Some(Symbol::Register(register)) if register.bits == 64 && register.lanes == 1 && register.class != Class::Float
        ),
        _ => false,
    };
    if legal {
        return Ok(());
    }
    let why = format!("is no policy for `{}`", hint.shown());
    refuse(clause, policy, &why, "a policy is a 64-bit b register or an integer")
}
