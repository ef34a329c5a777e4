// SPDX-License-Identifier: MIT OR Apache-2.0
//! The parts with a clock that are proved: which files each is read from, and how.

use crate::clause::Clause;

/// A part of the unit, with what it promises to its neighbours.
pub(crate) struct Part {
    pub name: &'static str,
    pub clauses: &'static [Clause],
    /// Files of rtl/ besides the packages.
    pub files: &'static [&'static str],
    /// Files of rtl/ that are read twice.
    pub twins: &'static [&'static str],
    /// Registers with the same name in both twins that need not be alike; the wrapper says where they must be.
    pub apart: &'static [&'static str],
    /// Whether a step is asked about claim by claim. That halves the time where many memories are compared, and takes
    /// ten times as long elsewhere.
    pub by_claim: bool,
    /// The wrapper's module and its text.
    pub top: &'static str,
    pub wrapper: &'static str,
}

/// The defaults.
const NOTHING: Part =
    Part { name: "", clauses: &[], files: &[], twins: &[], apart: &[], by_claim: false, top: "", wrapper: "" };

/// All parts.
pub(crate) const PARTS: [Part; 19] = [
    Part {
        name: "fifo",
        files: &["lsu_fifo.sv"],
        top: "lsu_fifo_proof",
        wrapper: include_str!("../../proof/lsu_fifo_proof.sv"),
        ..NOTHING
    },
    Part {
        name: "turns",
        clauses: &[Clause::PortFair],
        files: &["lsu_round_robin.sv"],
        top: "lsu_round_robin_proof",
        wrapper: include_str!("../../proof/lsu_round_robin_proof.sv"),
        ..NOTHING
    },
    Part {
        name: "pending",
        clauses: &[Clause::PortId, Clause::PortHazard, Clause::PortCas, Clause::PortFair, Clause::PtxSem],
        files: &["lsu_pending.sv", "lsu_held.sv"],
        top: "lsu_pending_proof",
        wrapper: include_str!("../../proof/lsu_pending_proof.sv"),
        ..NOTHING
    },
    Part {
        name: "order",
        clauses: &[Clause::PortOrder, Clause::PortHold, Clause::PortFair, Clause::PtxSem],
        files: &["lsu_round_robin.sv", "lsu_held.sv", "lsu_order.sv"],
        top: "lsu_order_proof",
        wrapper: include_str!("../../proof/lsu_order_proof.sv"),
        ..NOTHING
    },
    Part {
        name: "inflight",
        clauses: &[Clause::PortDone, Clause::ComFault],
        files: &["lsu_inflight.sv", "lsu_round_robin.sv"],
        top: "lsu_inflight_proof",
        wrapper: include_str!("../../proof/lsu_inflight_proof.sv"),
        ..NOTHING
    },
    Part {
        name: "coalesce",
        clauses: &[Clause::PortGroup, Clause::PortMin, Clause::PtxSem],
        files: &["lsu_lead.sv", "lsu_coalesce.sv"],
        top: "lsu_coalesce_proof",
        wrapper: include_str!("../../proof/lsu_coalesce_proof.sv"),
        ..NOTHING
    },
    Part {
        name: "store",
        clauses: &[Clause::PortOrder, Clause::PtxSem],
        files: &[
            "lsu_round_robin.sv",
            "lsu_fifo.sv",
            "lsu_lead.sv",
            "lsu_store_choose.sv",
            "lsu_store_fence.sv",
            "lsu_store.sv",
        ],
        by_claim: true,
        top: "lsu_store_proof",
        wrapper: include_str!("../../proof/lsu_store_proof.sv"),
        ..NOTHING
    },
    Part {
        name: "wiring-address",
        clauses: &[Clause::ComHelper],
        files: &["lsu_address_lane.sv", "lsu_address.sv"],
        top: "lsu_address_wiring_proof",
        wrapper: include_str!("../../proof/lsu_address_wiring_proof.sv"),
        ..NOTHING
    },
    Part {
        name: "wiring-window",
        clauses: &[Clause::ComFault, Clause::ComPrivate, Clause::R700Stage, Clause::Sm5Kind],
        files: &["lsu_window.sv"],
        top: "lsu_window_wiring_proof",
        wrapper: include_str!("../../proof/lsu_window_wiring_proof.sv"),
        ..NOTHING
    },
    Part {
        name: "tree-data",
        files: &["lsu_fifo.sv"],
        twins: &["lsu_data.sv"],
        by_claim: true,
        top: "lsu_data_tree_proof",
        wrapper: include_str!("../../proof/lsu_data_tree_proof.sv"),
        ..NOTHING
    },
    Part {
        name: "tree-merge",
        twins: &["lsu_merge.sv"],
        // The tree loads these whether or not a request comes.
        apart: &["be_q", "block_q", "offset_q", "request_q", "store_q"],
        top: "lsu_merge_tree_proof",
        wrapper: include_str!("../../proof/lsu_merge_tree_proof.sv"),
        ..NOTHING
    },
    Part {
        name: "tree-bits",
        twins: &["lsu_internal_pkg.sv", "lsu_spad_pkg.sv"],
        top: "lsu_bits_tree_proof",
        wrapper: include_str!("../../proof/lsu_bits_tree_proof.sv"),
        ..NOTHING
    },
    Part {
        name: "tree-cas",
        files: &["lsu_round_robin.sv"],
        twins: &["lsu_cas.sv"],
        top: "lsu_cas_tree_proof",
        wrapper: include_str!("../../proof/lsu_cas_tree_proof.sv"),
        ..NOTHING
    },
    Part {
        name: "tree-inflight",
        files: &["lsu_round_robin.sv"],
        twins: &["lsu_inflight.sv"],
        top: "lsu_inflight_tree_proof",
        wrapper: include_str!("../../proof/lsu_inflight_tree_proof.sv"),
        ..NOTHING
    },
    Part {
        name: "tree-pending",
        twins: &["lsu_pending.sv"],
        top: "lsu_pending_tree_proof",
        wrapper: include_str!("../../proof/lsu_pending_tree_proof.sv"),
        ..NOTHING
    },
    Part {
        name: "tree-pick",
        twins: &["lsu_spad_pick.sv"],
        top: "lsu_spad_pick_tree_proof",
        wrapper: include_str!("../../proof/lsu_spad_pick_tree_proof.sv"),
        ..NOTHING
    },
    Part {
        name: "tree-banks",
        twins: &["lsu_spad_banks.sv"],
        top: "lsu_spad_banks_tree_proof",
        wrapper: include_str!("../../proof/lsu_spad_banks_tree_proof.sv"),
        ..NOTHING
    },
    Part {
        name: "tree-match",
        twins: &["lsu_spad_match.sv"],
        top: "lsu_spad_match_tree_proof",
        wrapper: include_str!("../../proof/lsu_spad_match_tree_proof.sv"),
        ..NOTHING
    },
    Part {
        name: "tree-spad-merge",
        twins: &["lsu_spad_merge.sv"],
        apart: &["data_q", "other_q"],
        top: "lsu_spad_merge_tree_proof",
        wrapper: include_str!("../../proof/lsu_spad_merge_tree_proof.sv"),
        ..NOTHING
    },
];
