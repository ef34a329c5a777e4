// SPDX-License-Identifier: MIT OR Apache-2.0
//! The bins of R700 bursts, enumerated from their rules.

use crate::{
    clause::Clause,
    judge::coverage::{Dimension, IDS, SILENCES, WARP, WARPS},
    op::{BufferSlot, Shape, Stage},
};

const KIND: Dimension = &["read", "write"];
const SOME: Dimension = &["some lanes", "all lanes"];
const ELEM: Dimension = &["ELEM_SIZE 0", "ELEM_SIZE 1", "ELEM_SIZE 2", "ELEM_SIZE 3"];
const SLOT: Dimension = &BufferSlot::NAMES;
const MASK: Dimension = &[
    "____", "x___", "_y__", "xy__", "__z_", "x_z_", "_yz_", "xyz_", "___w", "x__w", "_y_w", "xy_w", "__zw", "x_zw",
    "_yzw", "xyzw",
];
/// How a thread's burst lies against an end.
const AGAINST: Dimension = &["all inside", "cut in a GPR", "cut between GPRs", "all outside"];
const BURST: Dimension = &["1 GPR", "2-4 GPRs", "5-15 GPRs", "16 GPRs"];

/// Every clause that a burst can hit, with the dimensions of its bins.
pub const TABLE: &[(Clause, &[Dimension])] = &[
    (Clause::ComInactive, &[KIND, &["no lane", "one lane", "some lanes", "all but one", "all lanes"]]),
    (Clause::ComSameaddr, &[&["two lanes", "more lanes"]]),
    (Clause::ComFault, &[KIND, &["none", "out of allocation", "bus error", "both, of different lanes"]]),
    (Clause::ComAttr, &[&["cached", "UNCACHED"]]),
    (
        Clause::ComIllegal,
        &[&[
            "kind",
            "address mode",
            "space",
            "element bytes",
            "element count",
            "element mask",
            "array size",
            "DST_SEL 6",
            "EXPORT",
            "EXPORT_DONE",
            "DATA_FORMAT",
            "ENDIAN_SWAP",
            "DST_SEL 6 refused",
        ]],
    ),
    (Clause::ComBuserr, &[KIND, SOME]),
    (Clause::PortOp, &[WARPS]),
    (Clause::PortData, &[&["before its operation", "after it"], &["1 beat", "2-3 beats", "4 and more beats"]]),
    (Clause::PortWb, &[&["1 register", "2-3 registers", "4 and more registers"], &["full beat", "partial beat"]]),
    (Clause::PortDone, &[&["in order", "past an older warp's"]]),
    (Clause::PortHold, &[&["mem_req", "wb", "done"]]),
    (Clause::PortProgress, &[SILENCES]),
    (Clause::PortReset, &[&["idle", "operations in flight"]]),
    (Clause::PortReq, &[KIND, SLOT]),
    (Clause::PortRsp, &[&["read", "write, at once", "write, twice"], &["in order", "overtakes"]]),
    (Clause::PortId, &[IDS]),
    (Clause::PortHazard, &[&["same bytes, answered before", "other bytes of a line in flight"]]),
    (Clause::PortOrder, &[&["1 warp", "several warps in flight at memory"]]),
    (
        Clause::PortGroup,
        &[KIND, &["1 group", "2-4 groups", "5-16 groups"], &["no lane crosses a line", "a lane crosses"]],
    ),
    (Clause::PortMin, &[KIND, &["1 lane", "2 lanes", "3 or more lanes in a line", "all lanes"]]),
    (Clause::PortRate, &[&["requests", "operations"], KIND]),
    (
        Clause::R700First,
        &[
            &["base 0", "base", "base 8191"],
            &["no index", "index 0", "small index", "2^31 and above", "index 2^32-1"],
            ELEM,
        ],
    ),
    (Clause::R700Elem, &[ELEM, MASK, BURST]),
    (Clause::R700Clamp, &[ELEM, AGAINST]),
    (Clause::R700Size, &[KIND, &["1", "2-16", "17-4095", "4096 elements"]]),
    (Clause::R700Unit, &[SLOT, ELEM]),
    (Clause::R700Driver, &[&["R700-FIRST", "drivers' form"], SLOT]),
    (Clause::R700Export, &[KIND, &["no index", "small index", "2^28 and above"], &["inside", "past the buffer"]]),
    (Clause::R700Bound, &[KIND, AGAINST]),
    (
        Clause::R700Place,
        &[
            &["scratch", "stream or ring", "reduction or export"],
            &["stride 0", "items overlap", "items touch", "room between items"],
            WARP,
        ],
    ),
    (Clause::R700Stage, &[KIND, &Stage::NAMES]),
    (Clause::R700Ack, &[&["WRITE", "WRITE_IND", "_ACK", "_IND_ACK"], &["no request", "1 request", "more"]]),
    (Clause::R700Vpm, &[&["off", "VALID_PIXEL_MODE"], &["no helper", "some helpers", "all helpers"]]),
    (Clause::R700Gproob, &[KIND, &["all GPRs", "the first", "none", "not the first"]]),
    (
        Clause::R700Read,
        &[&["X takes", "Y takes", "Z takes", "W takes"], &["x", "y", "z", "w", "0", "1", "1.0", "nothing"]],
    ),
    (Clause::R700Readoob, &[ELEM, AGAINST]),
    (Clause::R700Raw, &[&["scratch", "reduction", "export"], &["its own", "another's"]]),
];

/// Whether no burst can hit a bin.
pub fn unreachable(clause: Clause, _shape: &Shape, at: &[usize]) -> bool {
    match (clause, at) {
        // With elements as long as a GPR, the limit lies between GPRs.
        (Clause::R700Clamp | Clause::R700Readoob, [3, 1]) => true,
        // Reduction and export have no stride.
        (Clause::R700Place, [2, stride, _]) => *stride > 0,
        // Reads can name only three of the buffers.
        (Clause::PortReq, [0, slot]) => !matches!(slot, 0 | 1 | 7),
        // Scratch is private.
        (Clause::R700Raw, [0, 1]) => true,
        _ => false,
    }
}
