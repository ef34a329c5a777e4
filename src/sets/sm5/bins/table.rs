// SPDX-License-Identifier: MIT OR Apache-2.0
//! The bins of compare-and-stores, enumerated from their rules.

use crate::{
    clause::Clause,
    judge::coverage::{Dimension, IDS, SILENCES, WARPS},
    op::Shape,
};

const SOME: Dimension = &["some lanes", "all lanes"];
const WHERE: Dimension = &["u#", "g#"];
const COUNT: Dimension = &["1", "2", "3-4", "5-8", "9-16", "17-32"];
const EDGE: Dimension = &["first", "inside", "last"];
/// Resources, as SM5-KIND lists them.
const KIND: Dimension = &["u# raw", "u# structured", "u# typed", "g# raw", "g# structured"];
const PAST: Dimension = &["just past", "elsewhere", "past 2^32"];

/// Every clause that a compare-and-store can hit, and the dimensions of its bins. SM5-STAGE is missing, because it
/// concerns programs.
pub const TABLE: &[(Clause, &[Dimension])] = &[
    (Clause::ComInactive, &[&["no lane", "one lane", "some lanes", "all but one", "all lanes"]]),
    (Clause::ComFault, &[&["misaligned", "and bus error", "but out of allocation", "but undefined"]]),
    (Clause::ComAttr, &[&["cache operator", "L1 priority", "L2 priority", "policy", "semantics", "uncached"]]),
    (
        Clause::ComIllegal,
        &[&[
            "load or store",
            "no such kind",
            "address mode",
            "typed g#",
            "element bytes",
            "element count",
            "element mask",
        ]],
    ),
    (Clause::ComBuserr, &[&["on the read", "on the write", "no exclusives"], SOME]),
    (Clause::PortOp, &[WARPS]),
    (Clause::PortData, &[&["before its operation", "after it"]]),
    (Clause::PortDone, &[&["in order", "past an older warp's"]]),
    (Clause::PortHold, &[&["mem_req", "wb", "done"]]),
    (Clause::PortProgress, &[SILENCES]),
    (Clause::PortFair, &[&["a pair's turn", "the queue's turn"]]),
    (Clause::PortReset, &[&["idle", "operations in flight"]]),
    (
        Clause::PortReq,
        &[&["slot 0", "slot 1", "slot 2", "slot 3", "slot 4", "slot 5", "slot 6", "slot 7"], &["read", "write"]],
    ),
    (Clause::PortRsp, &[&["read", "write, at once", "write, twice"], &["in order", "overtakes"]]),
    (Clause::PortId, &[IDS]),
    (Clause::PortOrder, &[&["1 warp", "several warps in flight at memory"]]),
    (Clause::PortGroup, &[COUNT]),
    (Clause::PortMin, &[&["1 lane", "2 lanes", "3 or more lanes in a line", "all lanes"]]),
    (Clause::PortRate, &[&["requests"]]),
    (
        Clause::PortCas,
        &[&[
            "no lane matches: no write",
            "some of the dwords are written",
            "all of them",
            "what is written stood there",
            "refused once",
            "refused again",
            "refused for another master's write",
            "and nothing matches any more",
            "no exclusives",
            "error on the read",
            "error on the write",
            "another operation waits for the line",
        ]],
    ),
    (Clause::PortSpad, &[&["raw", "structured"]]),
    (Clause::PortBank, &[COUNT]),
    (Clause::Sm5Cas, &[WHERE, &["matches", "does not", "one bit differs", "new is the same"]]),
    (
        Clause::Sm5Order,
        &[WHERE, &["two lanes on a dword", "more lanes", "all lanes"], &["disjoint dwords too", "one dword"]],
    ),
    (Clause::Sm5Kind, &[KIND]),
    (Clause::Sm5Raw, &[WHERE, EDGE]),
    (
        Clause::Sm5Struct,
        &[WHERE, &["first structure", "inside", "last structure"], &["first dword", "inside", "last dword"]],
    ),
    (
        Clause::Sm5Typed,
        &[
            &["buffer", "1D", "1D array", "2D", "2D array", "3D"],
            &["inside", "last of every index", "x past", "y past", "z or slice past", "past the size"],
        ],
    ),
    (Clause::Sm5OobUav, &[&["raw", "structured", "typed"], PAST]),
    (Clause::Sm5OobOffset, &[PAST]),
    (Clause::Sm5OobTgsm, &[&["raw", "structure", "offset in it"], &["just past", "elsewhere"]]),
    (
        Clause::Sm5Align,
        &[&["u# raw", "u# structured", "g# raw", "g# structured"], &["+0", "+1", "+2", "+3"], &["trap off", "trap on"]],
    ),
    (
        Clause::Sm5Unbound,
        &[&["u# unbound", "u# of another kind", "u# of no dimension", "g# unbound", "g# of another kind"]],
    ),
    (Clause::Sm5Inactive, &[&["helpers named", "helpers not named"], SOME]),
];

/// Bins that no compare-and-store can hit.
pub fn unreachable(clause: Clause, shape: &Shape, at: &[usize]) -> bool {
    match (clause, at) {
        (Clause::PortGroup | Clause::PortBank, &[count]) => (1 << count) / 2 + 1 > shape.lanes,
        // If all lanes are in one dword, no other dword is accessed.
        (Clause::Sm5Order, &[_, 2, 0]) => true,
        // These dimensions lack the index that would be past its limit.
        (Clause::Sm5Typed, &[0 | 1, 3 | 4]) => true,
        (Clause::Sm5Typed, &[2, 3]) => true,
        (Clause::Sm5Typed, &[3, 4]) => true,
        // A raw address has 32 bits.
        (Clause::Sm5OobUav, &[0, 2]) => true,
        _ => false,
    }
}
