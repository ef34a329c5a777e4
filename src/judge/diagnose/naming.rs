// SPDX-License-Identifier: MIT OR Apache-2.0
//! The clauses that each address rule names.

use super::subject::Subject;
use crate::{
    clause::Clause,
    judge::{
        contract::Contract,
        image::Image,
        log::{Beat, Done, Issue, Seen},
        mismatch::{Field, Mismatch, Site},
        scoreboard::{Pair, Progress, Touch},
    },
    model,
    op::{Ctrl, Fault, LaneMask, Lanes, Op},
};

/// A rule, and how to bend it: the inputs are changed so that the unbent model shows what the bent unit would do.
pub type Bend = (Clause, fn(&mut Ctrl, &mut Op, &mut Lanes));

/// A clause, and whether it explains, when bent, everything that an operation did.
pub type Explains = (Clause, Box<dyn Fn(&Subject<'_>) -> bool>);

/// The clauses that an address rule's operations may break. The defaults are clauses of the ports, and clauses that all
/// rules have in common.
pub trait Naming: Sized {
    /// The rules of one lane's access, the more specific ones first.
    const BENDS: &'static [&'static [Bend]];
    /// Whether an operation that a bent rule makes illegal explains nothing.
    const LEGAL: bool = true;
    /// The clause by which helper lanes do nothing.
    const HELPER: Clause = Clause::ComHelper;
    /// The clause of a request of the wrong kind.
    const KIND: Clause = Clause::PortReq;
    /// The clause by which an access is made at the forced address.
    const ALIGN: Clause = Clause::PortReq;
    /// The clause of what a load gives in a lane that makes no access.
    const ZERO: Clause = Clause::PortWb;
    /// Clauses in the model's trace that are about data and order, and not about where an access goes.
    const OF_DATA: &'static [Clause] = &[];
    /// Whether operations have memory semantics, so that the order of their effects is judged.
    const ORDERED: bool = false;
    /// Whether the requests that an overtaken operation lacks tell why it lacks them.
    const TELLS: bool = true;

    /// Describes an operation that comes from no instruction, and is legal.
    fn text(op: &Op) -> String;

    /// Whether the unbent rule explains what an operation did.
    fn law(subject: &Subject<'_>) -> bool {
        subject.by_plan(|_, _, _| {})
    }

    /// The rules that may be bent to explain what an operation did.
    fn bends(_: &Issue) -> Vec<Explains> {
        plain_bends::<Self>()
    }

    /// Rules that explain much by chance. They are bent only where no other rule explains what an operation did.
    fn last_bends(_: &Issue) -> Vec<Explains> {
        Vec::new()
    }

    /// The clause by which an address names a memory.
    fn space(_: &Op) -> Clause {
        Clause::PortReq
    }

    /// The clause of an operation's data: where its values come from, or what it leaves.
    fn value(op: &Op) -> Clause;

    /// The clause of attributes that differ.
    fn attribute(_want: [u32; 3], _seen: &Seen) -> Clause {
        Clause::ComAttr
    }

    /// The clause of a request to the wrong line or with the wrong bytes.
    fn misplaced(_: &Contract, _: &Issue, _: &Progress, _number: usize, _: &Seen) -> Option<Clause> {
        None
    }

    /// Whether lanes share requests.
    fn merges(_: &Op) -> bool {
        true
    }

    /// The clause of the most specific rule of a lane's address, if the model's trace does not know it.
    fn address(_: &Op) -> Option<Clause> {
        None
    }

    /// The clause of one request more than the model has.
    fn extra_request(_: &Contract, _: &Issue, _: &Progress, _: &Seen) -> Option<Clause> {
        None
    }

    /// The clause of fewer requests than the model has.
    fn missing_requests(_: &Contract, _: &Issue, _: &Progress, _port: Clause, _: Option<&Done>) -> Option<Clause> {
        None
    }

    /// The clause of a wrong written byte, which is `byte` of the line. `writers` are the lanes that write it.
    fn wrong_byte(
        issue: &Issue,
        progress: &Progress,
        number: usize,
        byte: usize,
        got: u8,
        writers: &[usize],
    ) -> Clause {
        super::requests::wrong_value(issue, progress, number, byte, got, writers)
    }

    /// The clause of a lane's outcome, before anything else is considered. The operation is legal.
    fn outcome(_: &Contract, _: &Issue, _want: Fault, _got: Option<Fault>) -> Option<Clause> {
        None
    }

    /// The clause of a lane's outcome that no common rule explains.
    fn fault(_: &Contract, _: &Issue, _: &Progress, _: &Done, _lane: usize) -> Option<Clause> {
        None
    }

    /// The clause of a load's beat for a register that the load does not write.
    fn no_register(_: &Op, _register: usize) -> Clause {
        Clause::PortWb
    }

    /// The clause of a beat for lanes whose answer is still to come.
    fn early(_: &Contract, _: &Issue, _: &Progress, _: &Beat, _early: LaneMask) -> Clause {
        Clause::PortWb
    }

    /// The clause of a register with a wrong value.
    fn register(_: &Contract, _: &Issue, _: &Progress, _: &Image, _: &Beat, _lane: usize) -> Option<Clause> {
        None
    }

    /// The clause of a register that was never written back.
    fn missing_beat(_: &Contract, _: &Issue, _: &Progress, _register: usize, _lane: usize) -> Option<Clause> {
        None
    }

    /// The clause of what a load found in the scratchpad, where operations of this rule were last; and another clause
    /// that may be broken instead.
    fn in_scratchpad(_: &[Touch], _got: u32) -> Option<(Clause, Option<Clause>)> {
        None
    }

    /// The mismatch of a half of a pair that differs from the one that is due.
    fn half(_: &Issue, progress: &Progress, _: &Pair, seen: &Seen) -> Box<Mismatch> {
        stray(progress, seen)
    }

    /// The mismatch of a half of a pair when no pair is open. `over` is the last pair that was.
    fn no_pair(_: &Issue, progress: &Progress, _over: Option<&Pair>, seen: &Seen) -> Box<Mismatch> {
        stray(progress, seen)
    }

    /// Another clause that may cause a bus error.
    fn beside_bus_error() -> Option<Clause> {
        None
    }
}

/// What a unit may take for the active lanes: others than these, or their neighbours.
pub const MISTAKEN: &[fn(LaneMask) -> LaneMask] = &[
    |active| !active,
    |active| LaneMask::from_bits(active.bits() << 1),
    |active| LaneMask::from_bits(active.bits() >> 1),
];

/// The bends of one lane's access.
pub fn plain_bends<N: Naming>() -> Vec<Explains> {
    let explains = |bend: fn(&mut Ctrl, &mut Op, &mut Lanes)| {
        Box::new(move |subject: &Subject<'_>| {
            let (mut ctrl, mut op, mut lanes) = (subject.contract.ctrl, subject.issue.op, subject.issue.lanes.clone());
            bend(&mut ctrl, &mut op, &mut lanes);
            // An illegal operation that stays illegal is refused by the bent rule as by the unbent one.
            let legal = || model::legal(&op) || !model::legal(&subject.issue.op);
            (!N::LEGAL || legal()) && subject.by_plan(bend)
        })
    };
    let mistaken = |active: fn(LaneMask) -> LaneMask| {
        Box::new(move |subject: &Subject<'_>| subject.by_plan(|_, _, lanes| lanes.active = active(lanes.active)))
    };
    let bends = N::BENDS.iter().copied().flatten().map(|&(clause, bend)| (clause, explains(bend) as Box<_>));
    bends.chain(MISTAKEN.iter().map(|&active| (Clause::ComInactive, mistaken(active) as Box<_>))).collect()
}

/// The mismatch of a half of a pair that an operation without pairs makes.
fn stray(progress: &Progress, seen: &Seen) -> Box<Mismatch> {
    let m = super::at(Clause::PortCas, progress, Field::signal(Site::MemReq, "kind"));
    Box::new(m.values("no half of a pair", format!("kind {}", seen.kind)))
}
