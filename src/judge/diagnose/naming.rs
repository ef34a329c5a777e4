// SPDX-License-Identifier: MIT OR Apache-2.0
//! What each address rule knows of its own clauses.

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

/// One rule, bent. The inputs are changed so that the unbent model shows what the bent unit would do.
pub type Bend = (Clause, fn(&mut Ctrl, &mut Op, &mut Lanes));

/// A clause, and whether it, bent, explains all that an operation did.
pub type Explains = (Clause, Box<dyn Fn(&Subject<'_>) -> bool>);

/// The clauses by which an address rule's operations go wrong; where nothing is said, the ports' or those that all have
/// in common.
pub trait Naming: Sized {
    /// The rules of one lane's access; the more specific a rule is, the earlier it stands.
    const BENDS: &'static [Bend];
    /// An operation that a bent rule makes illegal explains nothing.
    const LEGAL: bool = true;
    /// Lanes that help do nothing.
    const HELPER: Clause = Clause::ComHelper;
    /// A request of the wrong kind.
    const KIND: Clause = Clause::PortReq;
    /// Access is made at the forced address.
    const ALIGN: Clause = Clause::PortReq;
    /// What a load gives in a lane that makes no access.
    const ZERO: Clause = Clause::PortWb;
    /// Clauses of the model's trace that are about data and order, and not about where an access goes.
    const OF_DATA: &'static [Clause] = &[];
    /// Operations have memory semantics, so that the order of their effects is judged.
    const ORDERED: bool = false;
    /// Whether an operation that others overtook tells by what it lacks why it lacks it.
    const TELLS: bool = true;

    /// An operation in words that comes from no instruction; it is legal.
    fn text(op: &Op) -> String;

    /// Whether the rule as it is explains what an operation did.
    fn law(subject: &Subject<'_>) -> bool {
        subject.by_plan(|_, _, _| {})
    }

    /// The rules that may be bent, for what an operation did.
    fn bends(_: &Issue) -> Vec<Explains> {
        plain_bends::<Self>()
    }

    /// The rule that says which memory an address names.
    fn space(_: &Op) -> Clause {
        Clause::PortReq
    }

    /// What an operation's data are: where its values come from, or what it leaves.
    fn value(op: &Op) -> Clause;

    /// Attributes that differ.
    fn attribute(_want: [u32; 3], _seen: &Seen) -> Clause {
        Clause::ComAttr
    }

    /// A request in the wrong line or with the wrong bytes.
    fn misplaced(_: &Contract, _: &Issue, _: &Progress, _number: usize, _: &Seen) -> Option<Clause> {
        None
    }

    /// Whether lanes share requests.
    fn merges(_: &Op) -> bool {
        true
    }

    /// The most specific rule of a lane's address, if the model's trace does not know it.
    fn address(_: &Op) -> Option<Clause> {
        None
    }

    /// One request more than the model has.
    fn extra_request(_: &Contract, _: &Issue, _: &Progress, _: &Seen) -> Option<Clause> {
        None
    }

    /// Fewer requests than the model has.
    fn missing_requests(_: &Contract, _: &Issue, _: &Progress, _port: Clause) -> Option<Clause> {
        None
    }

    /// A written byte, of `byte` in the line, that is wrong; `writers` are the lanes that write it.
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

    /// A lane's outcome, before anything else is asked. The operation is legal.
    fn outcome(_: &Contract, _: &Issue, _want: Fault, _got: Option<Fault>) -> Option<Clause> {
        None
    }

    /// A lane's outcome, where no common rule tells it.
    fn fault(_: &Contract, _: &Issue, _: &Progress, _: &Done, _lane: usize) -> Option<Clause> {
        None
    }

    /// A beat of a load for a register that it does not write.
    fn no_register(_: &Op, _register: usize) -> Clause {
        Clause::PortWb
    }

    /// A beat for lanes whose answer is still to come.
    fn early(_: &Contract, _: &Issue, _: &Progress, _: &Beat, _early: LaneMask) -> Clause {
        Clause::PortWb
    }

    /// A register with a wrong value.
    fn register(_: &Contract, _: &Issue, _: &Progress, _: &Image, _: &Beat, _lane: usize) -> Option<Clause> {
        None
    }

    /// A register that was never written.
    fn missing_beat(_: &Contract, _: &Issue, _: &Progress, _register: usize, _lane: usize) -> Option<Clause> {
        None
    }

    /// What a load found in the scratchpad, where operations of this rule were there last; and what else it may be.
    fn in_scratchpad(_: &[Touch], _got: u32) -> Option<(Clause, Option<Clause>)> {
        None
    }

    /// A half of a pair that is not the one to come.
    fn half(_: &Issue, progress: &Progress, _: &Pair, seen: &Seen) -> Box<Mismatch> {
        stray(progress, seen)
    }

    /// A half of a pair where none is open; `over` is the last that was.
    fn no_pair(_: &Issue, progress: &Progress, _over: Option<&Pair>, seen: &Seen) -> Box<Mismatch> {
        stray(progress, seen)
    }

    /// What else a bus error may come from.
    fn beside_bus_error() -> Option<Clause> {
        None
    }
}

/// Those of one lane's access.
pub fn plain_bends<N: Naming>() -> Vec<Explains> {
    let explains = |bend: fn(&mut Ctrl, &mut Op, &mut Lanes)| {
        Box::new(move |subject: &Subject<'_>| {
            let (mut ctrl, mut op, mut lanes) = (subject.contract.ctrl, subject.issue.op, subject.issue.lanes.clone());
            bend(&mut ctrl, &mut op, &mut lanes);
            (!N::LEGAL || model::legal(&op)) && subject.by_plan(bend)
        })
    };
    N::BENDS.iter().map(|&(clause, bend)| (clause, explains(bend) as Box<_>)).collect()
}

/// An operation without pairs makes a half of one.
fn stray(progress: &Progress, seen: &Seen) -> Box<Mismatch> {
    let m = super::at(Clause::PortCas, progress, Field::signal(Site::MemReq, "kind"));
    Box::new(m.values("no half of a pair", format!("kind {}", seen.kind)))
}
