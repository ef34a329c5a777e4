// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the judge asks of an operation's address rule, answered by the folder that implements the rule.

use super::registry::{dispatch, rules};
use crate::{
    clause::Clause,
    judge::{
        Mismatch,
        contract::Contract,
        coverage::{Bins, Coverage, Dimension},
        diagnose::{
            naming::{Bend, Explains, Naming},
            subject::Subject,
        },
        flight::Answered,
        image::Image,
        log::{Beat, Done, Issue, Seen},
        scoreboard::{Pair, Progress, Scoreboard, Touch},
    },
    model::Plan,
    op::{Fault, LaneMask, Op, Rule, Shape},
};

rules! {
    dispatch Rule Rule
    {
        pub(crate) table: TABLE -> &'static [(Clause, &'static [Dimension])];
        pub(crate) stores_only: STORES_ONLY -> bool;
        pub(crate) lane_bends: BENDS -> &'static [&'static [Bend]];
        pub(crate) legal: LEGAL -> bool;
        pub(crate) helper: HELPER -> Clause;
        pub(crate) kind: KIND -> Clause;
        pub(crate) align: ALIGN -> Clause;
        pub(crate) zero: ZERO -> Clause;
        pub(crate) of_data: OF_DATA -> &'static [Clause];
        pub(crate) tells: TELLS -> bool;
        pub(crate) ordered: ORDERED -> bool;
    }
    {
        pub(crate) fn is_unreachable(clause: Clause, shape: &Shape, at: &[usize]) -> bool;
        pub(crate) fn accepted(coverage: &mut Coverage, contract: &Contract, issue: &Issue, board: &Scoreboard, index: usize) -> ();
        pub(crate) fn requested(issue: &Issue, seen: &Seen, kind: usize) -> [usize; 2];
        pub(crate) fn pair_answered(coverage: &mut Coverage, issues: &[Issue], board: &Scoreboard, answered: &Answered<'_>) -> ();
        pub(crate) fn written_back(coverage: &mut Coverage, issue: &Issue, beat: &Beat) -> ();
        pub(crate) fn done(coverage: &mut Coverage, contract: &Contract, issue: &Issue, plan: &Plan, index: usize) -> ();
        pub(crate) fn text(op: &Op) -> String;
        pub(crate) fn law(subject: &Subject<'_>) -> bool;
        pub(crate) fn bends(issue: &Issue) -> Vec<Explains>;
        pub(crate) fn last_bends(issue: &Issue) -> Vec<Explains>;
        pub(crate) fn space(op: &Op) -> Clause;
        pub(crate) fn value(op: &Op) -> Clause;
        pub(crate) fn attribute(want: [u32; 3], seen: &Seen) -> Clause;
        pub(crate) fn misplaced(contract: &Contract, issue: &Issue, progress: &Progress, number: usize, seen: &Seen) -> Option<Clause>;
        pub(crate) fn merges(op: &Op) -> bool;
        pub(crate) fn address(op: &Op) -> Option<Clause>;
        pub(crate) fn extra_request(contract: &Contract, issue: &Issue, progress: &Progress, seen: &Seen) -> Option<Clause>;
        pub(crate) fn missing_requests(contract: &Contract, issue: &Issue, progress: &Progress, port: Clause, done: Option<&Done>) -> Option<Clause>;
        pub(crate) fn wrong_byte(issue: &Issue, progress: &Progress, number: usize, byte: usize, got: u8, writers: &[usize]) -> Clause;
        pub(crate) fn outcome(contract: &Contract, issue: &Issue, want: Fault, got: Option<Fault>) -> Option<Clause>;
        pub(crate) fn fault(contract: &Contract, issue: &Issue, progress: &Progress, done: &Done, lane: usize) -> Option<Clause>;
        pub(crate) fn no_register(op: &Op, register: usize) -> Clause;
        pub(crate) fn early(contract: &Contract, issue: &Issue, progress: &Progress, beat: &Beat, lanes: LaneMask) -> Clause;
        pub(crate) fn register(contract: &Contract, issue: &Issue, progress: &Progress, image: &Image, beat: &Beat, lane: usize) -> Option<Clause>;
        pub(crate) fn missing_beat(contract: &Contract, issue: &Issue, progress: &Progress, register: usize, lane: usize) -> Option<Clause>;
        pub(crate) fn in_scratchpad(touches: &[Touch], got: u32) -> Option<(Clause, Option<Clause>)>;
        pub(crate) fn half(issue: &Issue, progress: &Progress, pair: &Pair, seen: &Seen) -> Box<Mismatch>;
        pub(crate) fn no_pair(issue: &Issue, progress: &Progress, over: Option<&Pair>, seen: &Seen) -> Box<Mismatch>;
        pub(crate) fn beside_bus_error() -> Option<Clause>;
    }
}
