// SPDX-License-Identifier: MIT OR Apache-2.0
//! The bins of PTX stores, enumerated from their rules.

use crate::{
    clause::Clause,
    judge::coverage::{Dimension, IDS, SILENCES, WARP, WARPS},
    op::Shape,
};

const SOME: Dimension = &["some lanes", "all lanes"];
const WHERE: Dimension = &["memory", "scratchpad"];
const COUNT: Dimension = &["1", "2", "3-4", "5-8", "9-16", "17-32"];
const ITEM: Dimension = &["first", "inside", "last", "past the size"];
const EDGE: Dimension = &["first", "inside", "last"];

/// Memory orders, as a statement writes them.
pub const ORDER: Dimension = &[
    "weak",
    "volatile",
    "relaxed.cta",
    "relaxed.cluster",
    "relaxed.gpu",
    "relaxed.sys",
    "release.cta",
    "release.cluster",
    "release.gpu",
    "release.sys",
    "mmio.relaxed.sys",
    "mmio.release.sys",
];

/// Every clause that a PTX store can hit, with the dimensions of its bins.
pub const TABLE: &[(Clause, &[Dimension])] = &[
    (Clause::ComInactive, &[&["no lane", "one lane", "some lanes", "all but one", "all lanes"]]),
    (Clause::ComHelper, &[&["helpers store", "helpers do not"], SOME]),
    (Clause::ComSameaddr, &[WHERE, &["two lanes", "more lanes"]]),
    (
        Clause::ComFault,
        &[&["misaligned", "and bus error", "but out of window", "but out of allocation", "but illegal"]],
    ),
    (
        Clause::ComAttr,
        &[&[
            "wb",
            "cg",
            "cs",
            "wt",
            "L1::evict_unchanged",
            "L1::evict_first",
            "L1::evict_last",
            "L1::no_allocate",
            "L2::evict_first",
            "L2::evict_last",
            "L2::cache_hint",
        ]],
    ),
    (
        Clause::ComIllegal,
        &[&["kind", "address mode", "element bytes", "element count", "element mask", "semantics", "mmio elsewhere"]],
    ),
    (Clause::ComPrivate, &[&["generic", ".local", ".param"], ITEM, WARP]),
    (Clause::ComGlobal, &[&["first", "inside", "last", "just below", "just past", "elsewhere"]]),
    (Clause::ComBuserr, &[SOME]),
    (Clause::ComOwn, &[WHERE]),
    (Clause::PortOp, &[WARPS]),
    (Clause::PortData, &[&["before its operation", "after it"], &["1 beat", "2-3 beats", "4 and more beats"]]),
    (Clause::PortDone, &[&["in order", "past an older warp's"]]),
    (Clause::PortHold, &[&["mem_req", "wb", "done"]]),
    (Clause::PortProgress, &[SILENCES]),
    (Clause::PortReset, &[&["idle", "operations in flight"]]),
    (Clause::PortReq, &[&["global", "local", "cluster", "param"]]),
    (Clause::PortRsp, &[&["at once", "twice"], &["in order", "overtakes"]]),
    (Clause::PortId, &[IDS]),
    (Clause::PortHazard, &[&["same bytes, answered before", "other bytes of a line in flight"]]),
    (Clause::PortOrder, &[&["1 warp", "several warps in flight at memory"], &["no mmio", "mmio"]]),
    (Clause::PortGroup, &[COUNT]),
    (Clause::PortMin, &[&["1 lane", "2 lanes", "3 or more lanes in a line", "all lanes"]]),
    (Clause::PortRate, &[&["requests", "operations"]]),
    (Clause::PortSpad, &[&["scratchpad alone", "memory too"], &["no release", "release"]]),
    (Clause::PortBank, &[&["1", "2", "3-4", "5-8", "9-16", "17 and more cycles"]]),
    (Clause::PtxVec, &[&["b8", "b16", "b32", "b64", "b128"], &["scalar", "v2", "v4", "v8"], WHERE]),
    (
        Clause::PtxSink,
        &[&["v8.b32", "v4.b64"], &["no sink", "one sink", "all but one", "lower half", "upper half", "others"], WHERE],
    ),
    (Clause::PtxSpace, &[&["local window", "shared window", "both windows", "neither"], EDGE]),
    (
        Clause::PtxEa,
        &[
            &["no register", "no offset", "+offset", "-offset"],
            &["below 2^32", "below 2^40", "2^40 and above", "wraps"],
        ],
    ),
    (
        Clause::PtxOffset,
        &[
            &["global", "local", "shared", "shared::cluster", "param"],
            &["first", "inside", "last", "just past", "elsewhere"],
            &["no window there", "a window there"],
        ],
    ),
    (
        Clause::PtxAlign,
        &[
            &["8 bits", "16", "32", "64", "128", "256 bits"],
            &["aligned", "below the middle", "middle", "past the middle", "last byte"],
            &["trap off", "trap on"],
        ],
    ),
    (
        Clause::PtxSem,
        &[ORDER, &["nothing in flight", "not answered", "answered, narrower", "answered at its scope, not for good"]],
    ),
    (Clause::PtxGlobalOnly, &[&["local window", "shared window"], &["256 bits", "a hint"]]),
    (Clause::PtxParam, &[&["no lane", "some lanes", "all lanes"]]),
];

/// Whether no store can hit a bin.
pub fn unreachable(clause: Clause, shape: &Shape, at: &[usize]) -> bool {
    match (clause, at) {
        (Clause::PortGroup, &[count]) => (1 << count) / 2 + 1 > shape.lanes,
        // The eight words of a lane may lie in one bank.
        (Clause::PortBank, &[count]) => (1 << count) / 2 + 1 > shape.lanes.max(8),
        // PTX-L11
        (Clause::PtxVec, &[size, count, _]) => size + count > 4 && !matches!((size, count), (2, 3) | (3, 2)),
        // Without a sum nothing can wrap.
        (Clause::PtxEa, [0 | 1, 3]) => true,
        (Clause::PtxAlign, &[size, offset, _]) => match offset {
            0 => false,
            1 | 2 => size < 2,
            3 => size < 3,
            _ => size < 1,
        },
        (Clause::PtxSem, &[order, how]) => match (how, ORDER[order]) {
            (2, order) => order == "weak" || order.ends_with(".cta"),
            (3, order) => order == "volatile" || order.ends_with(".sys"),
            _ => false,
        },
        _ => false,
    }
}
