// SPDX-License-Identifier: MIT OR Apache-2.0
//! The bins of every clause, enumerated from its rule.

use crate::{
    clause::Clause,
    judge::coverage::{Dimension, IDS, SILENCES, WARP, WARPS},
    op::Shape,
};

const KIND: Dimension = &["LD", "ST"];
const SIZE: Dimension = &["8", "16", "32", "64", "128"];
const SIGN: Dimension = &["+imm", "-imm"];
const SOME: Dimension = &["some lanes", "all lanes"];
const WHERE: Dimension = &["memory", "scratchpad"];
const OFFSET: Dimension =
    &["+0", "+1", "+2", "+3", "+4", "+5", "+6", "+7", "+8", "+9", "+10", "+11", "+12", "+13", "+14", "+15"];
const EDGE: Dimension = &["first", "inside", "last"];
const COUNT: Dimension = &["1", "2", "3-4", "5-8", "9-16", "17-32"];

/// Every clause that the bench can hit, with the dimensions of its bins.
pub const TABLE: &[(Clause, &[Dimension])] = &[
    (Clause::ComInactive, &[KIND, &["no lane", "one lane", "some lanes", "all but one", "all lanes"]]),
    (Clause::ComHelper, &[KIND, SOME]),
    (Clause::ComSameaddr, &[WHERE, &["two lanes", "more lanes"]]),
    (Clause::ComFault, &[KIND, &["misaligned", "and bus error", "but out of window", "but out of allocation"]]),
    (Clause::ComAttr, &[KIND, &["cop 0", "cop 1", "cop 2", "cop 3"]]),
    (Clause::ComIllegal, &[&["kind", "address mode", "space", "element bytes", "element count", "element mask"]]),
    (Clause::ComPrivate, &[KIND, &["first", "inside", "last", "past the size"], WARP]),
    (Clause::ComGlobal, &[KIND, &["first", "inside", "last", "just below", "just past", "elsewhere"]]),
    (Clause::ComBuserr, &[KIND, SOME]),
    (Clause::ComOwn, &[WHERE]),
    (Clause::PortOp, &[WARPS]),
    (Clause::PortData, &[&["before its operation", "after it"], &["1 beat", "2 beats", "4 beats"]]),
    (Clause::PortWb, &[&["1 register", "2 registers", "4 registers"], &["full beat", "partial beat"]]),
    (Clause::PortDone, &[&["in order", "past an older warp's"]]),
    (Clause::PortHold, &[&["mem_req", "wb", "done"]]),
    (Clause::PortProgress, &[SILENCES]),
    (Clause::PortReset, &[&["idle", "operations in flight"]]),
    (Clause::PortReq, &[KIND, &["global", "local"]]),
    (Clause::PortRsp, &[&["read", "write, at once", "write, twice"], &["in order", "overtakes"]]),
    (Clause::PortId, &[IDS]),
    (Clause::PortHazard, &[&["same bytes, answered before", "other bytes of a line in flight"]]),
    (Clause::PortOrder, &[&["1 warp", "several warps in flight at memory"]]),
    (Clause::PortGroup, &[KIND, COUNT]),
    (Clause::PortMin, &[KIND, &["1 lane", "2 lanes", "3 or more lanes in a line", "all lanes"]]),
    (Clause::PortRate, &[&["requests", "operations"], KIND]),
    (Clause::PortSpad, &[KIND, &["scratchpad alone", "memory too"]]),
    (Clause::PortBank, &[KIND, &["1", "2", "3-4", "5-8", "9-16", "17 and more cycles"]]),
    (Clause::Spa5EaAbs, &[KIND, &["below 2^31", "2^31 and above"]]),
    (Clause::Spa5Ea32, &[KIND, SIGN, &["no wrap", "wraps"]]),
    (Clause::Spa5Ea64, &[KIND, SIGN, &["below 2^32", "below 2^40", "2^40 and above", "wraps"]]),
    (Clause::Spa5EaPair, &[&["odd pair", "odd 64", "128 not of 4", "past R254", "R254 with RZ"]]),
    (Clause::Spa5Size, &[KIND, &["U8", "S8", "U16", "S16", "32", "64", "128", "U.128"]]),
    (Clause::Spa5Ext, &[&["U8", "S8", "U16", "S16"], &["top bit 0", "top bit 1"]]),
    (Clause::Spa5Multi, &[KIND, &["64", "128"], WHERE]),
    (Clause::Spa5Rz, &[KIND, SIZE]),
    (Clause::Spa5Align, &[KIND, SIZE, OFFSET, &["trap off", "trap on"]]),
    (Clause::Spa5Space, &[KIND, &["all true", "all false", "mixed"]]),
    (Clause::Spa5Window, &[KIND, &["true", "false"], &["local window", "shared window", "neither"], EDGE]),
    (
        Clause::Spa5Oob,
        &[
            KIND,
            &["bit 40", "outside shared window", "past shared size", "past local size", "outside allocations"],
            SOME,
        ],
    ),
    (Clause::Spa5Straddle, &[KIND, SIZE, &["last bytes inside", "first bytes outside"]]),
];

/// Whether no operation of this unit can hit a bin.
pub fn unreachable(clause: Clause, shape: &Shape, at: &[usize]) -> bool {
    match (clause, at) {
        // An access has only as many offsets as bytes.
        (Clause::Spa5Align, &[_, size, offset, _]) => offset >= 1 << size,
        // ST has no U.128.
        (Clause::Spa5Size, &[1, 7]) => true,
        (Clause::PortGroup, &[_, count]) => (1 << count) / 2 + 1 > shape.lanes,
        // The words of one lane lie in different banks.
        (Clause::PortBank, &[_, count]) => (1 << count) / 2 + 1 > shape.lanes,
        _ => false,
    }
}
