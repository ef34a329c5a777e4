// SPDX-License-Identifier: MIT OR Apache-2.0
//! The bins that each address rule defines, and the measures that several of them share.

use super::Coverage;
use crate::{
    clause::Clause,
    judge::{
        contract::Contract,
        flight::Answered,
        log::{Beat, Issue, Seen},
        scoreboard::Scoreboard,
    },
    model::Plan,
    op::{Kind, LaneMask, Op, Shape},
};

/// The names of a dimension's values.
pub type Dimension = &'static [&'static str];

/// Cycles in which nothing moved, while something was owed.
pub const SILENCES: Dimension = &["after 1-3 cycles", "after 4-15", "after 16 or more"];

/// The bins of an address rule's operations.
pub(crate) trait Bins {
    /// Every clause that the operations can hit, and the dimensions of its bins.
    const TABLE: &'static [(Clause, &'static [Dimension])];
    /// Whether the rule has no loads, so that no bin tells loads from stores.
    const STORES_ONLY: bool = false;

    /// Whether the clause or this shape makes a bin impossible.
    fn is_unreachable(clause: Clause, shape: &Shape, at: &[usize]) -> bool;

    /// An operation was accepted.
    fn accepted(coverage: &mut Coverage, contract: &Contract, issue: &Issue, board: &Scoreboard, index: usize);

    /// The bin of PORT-REQ. `kind` is 1 for a write, and else 0.
    fn requested(issue: &Issue, seen: &Seen, kind: usize) -> [usize; 2];

    /// A half of a pair was answered.
    fn pair_answered(_: &mut Coverage, _: &[Issue], _: &Scoreboard, _: &Answered<'_>) {}

    /// A write-back beat was taken.
    fn written_back(_: &mut Coverage, _: &Issue, _: &Beat) {}

    /// An operation is done. `plan` includes its bus errors.
    fn done(coverage: &mut Coverage, contract: &Contract, issue: &Issue, plan: &Plan, index: usize);
}

/// How many of a unit's lanes execute: 0 for none, 1 for one, 2 for some, 3 for all but one, 4 for all.
pub(crate) fn executing(active: LaneMask, all: LaneMask) -> usize {
    match active.count() {
        0 => 0,
        n if n == all.count() => 4,
        1 => 1,
        n if n + 1 == all.count() => 3,
        _ => 2,
    }
}

pub(crate) fn bucket(count: usize) -> usize {
    (count.max(1).next_power_of_two().trailing_zeros() as usize).min(5)
}

pub(crate) fn kind(op: &Op) -> usize {
    usize::from(op.kind == Kind::Store as u8)
}

pub(crate) fn size(op: &Op) -> usize {
    op.element_bytes.max(1).ilog2().min(4) as usize
}
