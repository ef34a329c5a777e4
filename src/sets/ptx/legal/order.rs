// SPDX-License-Identifier: MIT OR Apache-2.0
//! Spaces, memory order and scopes: PTX-L1 to PTX-L5.

use super::{Verdict, clash, never, once, refuse};
use crate::{
    clause::Clause,
    sets::ptx::{
        modifier::{Modifier, Order, Scope, Space},
        names::{Names, Symbol},
        statement::{At, Statement},
    },
};

fn spaces<'a>(statement: &Statement<'a>) -> impl Iterator<Item = At<'a, Space>> {
    statement.of(|modifier| if let Modifier::Space(space) = modifier { Some(space) } else { None })
}

pub(crate) fn orders<'a>(statement: &Statement<'a>) -> impl Iterator<Item = At<'a, Order>> {
    statement.of(|modifier| if let Modifier::Order(order) = modifier { Some(order) } else { None })
}

fn scopes<'a>(statement: &Statement<'a>) -> impl Iterator<Item = At<'a, Scope>> {
    statement.of(|modifier| if let Modifier::Scope(scope) = modifier { Some(scope) } else { None })
}

fn mmios<'a>(statement: &Statement<'a>) -> impl Iterator<Item = At<'a, ()>> {
    statement.of(|modifier| (modifier == Modifier::Mmio).then_some(()))
}

/// The space that is written out, if it is among these.
pub(crate) fn space_among<'a>(statement: &Statement<'a>, among: &[Space]) -> Option<At<'a, Space>> {
    spaces(statement).next().filter(|space| among.contains(&space.value))
}

pub(crate) fn l1(statement: &Statement<'_>, names: &Names<'_>) -> Verdict {
    let clause = Clause::PtxL1;
    never(clause, statement, "store to .global, .local, .shared, .shared::cluster or .param, or leave the space out")?;
    once(clause, spaces(statement), "state space", "name one space, or none for a generic address")?;
    match &statement.address.value.base {
        Some(base)
            if statement.space() == Some(Space::Param) && matches!(names.find(base.value), Some(Symbol::Input(_))) =>
        {
            refuse(
                clause,
                base,
                "is an input parameter, which is only read",
                "declare a `.param` of the call being made",
            )
        }
        _ => Ok(()),
    }
}

pub(crate) fn l2(statement: &Statement<'_>, _: &Names<'_>) -> Verdict {
    let local = space_among(statement, &[Space::Local]).is_some();
    // What `.volatile` needs in `.local` is checked in `feature`.
    let fine = |order: Order| order == Order::Weak || local && order == Order::Volatile;
    let ordered = orders(statement).next().filter(|order| !fine(order.value));
    match (space_among(statement, &[Space::Local, Space::Param]), ordered) {
        (Some(space), Some(order)) => clash(
            Clause::PtxL2,
            &space,
            &order,
            "memory that a thread has to itself takes weak stores, .local volatile ones too",
        ),
        _ => Ok(()),
    }
}

pub(crate) fn l3(statement: &Statement<'_>, _: &Names<'_>) -> Verdict {
    let clause = Clause::PtxL3;
    once(clause, orders(statement), "memory order", "keep one of .weak, .volatile, .relaxed and .release")?;
    once(clause, scopes(statement), "scope", "keep one of .cta, .cluster, .gpu and .sys")?;
    match (orders(statement).next(), scopes(statement).next()) {
        (Some(order), None) if matches!(order.value, Order::Relaxed | Order::Release) => {
            refuse(clause, &order, "has no scope", "add .cta, .cluster, .gpu or .sys")
        }
        (Some(order), Some(scope)) if matches!(order.value, Order::Weak | Order::Volatile) => {
            clash(clause, &order, &scope, "a scope goes with .relaxed or .release")
        }
        (None, Some(scope)) => refuse(clause, &scope, "has no memory order", "add .relaxed or .release"),
        _ => Ok(()),
    }
}

pub(crate) fn l4(statement: &Statement<'_>, _: &Names<'_>) -> Verdict {
    let clause = Clause::PtxL4;
    once(clause, mmios(statement), "`.mmio`", "keep one")?;
    let Some(mmio) = mmios(statement).next() else { return Ok(()) };
    if !matches!(statement.order(), Some(Order::Relaxed | Order::Release)) {
        return refuse(clause, &mmio, "has no `.relaxed` or `.release`", "write .mmio.relaxed.sys");
    }
    if let Some(scope) = scopes(statement).find(|scope| scope.value != Scope::Sys) {
        return clash(clause, &mmio, &scope, "the scope of mmio is .sys");
    }
    if let Some(space) = space_among(statement, &[Space::Shared, Space::Cluster, Space::Local, Space::Param]) {
        return clash(clause, &mmio, &space, "devices are in .global, or at a generic address");
    }
    let mut extra = statement.of(|modifier| {
        matches!(modifier, Modifier::Vector(_) | Modifier::L1(_) | Modifier::L2(_) | Modifier::Hint).then_some(())
    });
    match extra.next() {
        Some(extra) => clash(clause, &mmio, &extra, "store one element at a time, without priorities and hints"),
        None => Ok(()),
    }
}

pub(crate) fn l5(statement: &Statement<'_>, _: &Names<'_>) -> Verdict {
    never(Clause::PtxL5, statement, "the orders of a store are .weak, .volatile, .relaxed and .release")
}
