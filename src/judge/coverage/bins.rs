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

/// The warp of an operation, the warps with operations in flight, and the share of ids in flight. A small unit has not
/// all of these.
pub const WARP: Dimension = &["warp 0", "warp 1-6", "warp 7"];
pub const WARPS: Dimension = &["1 warp in flight", "2-4 warps", "5-8 warps"];
pub const IDS: Dimension = &["fewer than half", "most", "all ids in flight"];

/// Whether a unit is too small for a value.
pub(crate) fn is_too_small(shape: &Shape, dimension: Dimension, at: usize) -> bool {
    match dimension {
        WARP => shape.warps < [1, 2, 8][at],
        WARPS => shape.warps < [1, 2, 5][at],
        // Half of few ids are in flight with the first request already.
        IDS => shape.pending < [4, 3, 1][at],
        _ => false,
    }
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_unit_has_no_bins_for_what_it_lacks() {
        let bins = |warps: usize, pending: usize| {
            let rows = Coverage::new(&Shape { warps, pending, ..Shape::with_lanes(4) }).rows(None);
            let names = |row: super::super::Row| row.empty.into_iter().map(move |bin| format!("{} {bin}", row.clause));
            rows.into_iter().flat_map(names).collect::<Vec<_>>()
        };
        let has = |bins: &[String], what: &str| bins.iter().any(|bin| bin.contains(what));
        let (large, small, smallest) = (bins(8, 16), bins(4, 3), bins(1, 2));
        for what in ["warp 1-6", "warp 7", "2-4 warps", "5-8 warps", "fewer than half", "PORT-ID most"] {
            assert!(has(&large, what) && !has(&smallest, what), "{what}");
        }
        for (what, there) in [("warp 1-6", true), ("warp 7", false), ("2-4 warps", true), ("5-8 warps", false)] {
            assert_eq!(has(&small, what), there, "{what}");
        }
        assert!(has(&small, "PORT-ID most") && !has(&small, "fewer than half"));
        assert!(has(&smallest, "PORT-ID all ids") && has(&smallest, "1 warp in flight") && has(&smallest, "warp 0"));
    }
}
