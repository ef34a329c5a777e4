// SPDX-License-Identifier: MIT OR Apache-2.0
//! The parts with a clock that are proved: which files each is read from, and how.

use crate::clause::Clause;

/// A part of the unit, with what it promises to its neighbours.
pub(crate) struct Part {
    pub name: &'static str,
    pub clauses: &'static [Clause],
    /// Files of rtl/ besides the packages.
    pub files: &'static [&'static str],
    /// Files of rtl/ that are read twice, as hardware and as a simulator reads them.
    pub twins: &'static [&'static str],
    /// Files of rtl/ that are read as a simulator reads them.
    pub simulated: &'static [&'static str],
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
const NOTHING: Part = Part {
    name: "",
    clauses: &[],
    files: &[],
    twins: &[],
    simulated: &[],
    apart: &[],
    by_claim: false,
    top: "",
    wrapper: "",
};

/// All parts.
pub(crate) const PARTS: [Part; 28] = [
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
        files: &["lsu_pending.sv", "lsu_pair_turn.sv", "lsu_held.sv"],
        top: "lsu_pending_proof",
        wrapper: include_str!("../../proof/lsu_pending_proof.sv"),
        ..NOTHING
    },
    Part {
        name: "order",
        clauses: &[Clause::PortOrder, Clause::PortHold, Clause::PortFair, Clause::PtxSem],
        files: &["lsu_round_robin.sv", "lsu_pair_turn.sv", "lsu_held.sv", "lsu_order.sv"],
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
        name: "tree-admit",
        twins: &["lsu_admit.sv"],
        top: "lsu_admit_tree_proof",
        wrapper: include_str!("../../proof/lsu_admit_tree_proof.sv"),
        ..NOTHING
    },
    Part {
        name: "tree-coalesce",
        twins: &["lsu_coalesce.sv"],
        // The tree loads these whether or not a request is made.
        apart: &["job_o", "entry_o", "bytes_o", "moved_o"],
        top: "lsu_coalesce_tree_proof",
        wrapper: include_str!("../../proof/lsu_coalesce_tree_proof.sv"),
        ..NOTHING
    },
    Part {
        name: "tree-collect",
        twins: &["lsu_spad_collect.sv"],
        top: "lsu_spad_collect_tree_proof",
        wrapper: include_str!("../../proof/lsu_spad_collect_tree_proof.sv"),
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
        apart: &["be_q", "block_q", "entry_o", "offset_q", "request_q", "store_q"],
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
        // The tree writes these whether or not a line is to be queued.
        apart: &["waiting_q[0]", "waiting_q[1]", "waiting_line_q[0]", "waiting_line_q[1]"],
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
    Part {
        name: "loop-fifo",
        simulated: &["lsu_fifo.sv"],
        top: "lsu_fifo_proof",
        wrapper: include_str!("../../proof/lsu_fifo_proof.sv"),
        ..NOTHING
    },
    Part {
        name: "loop-turns",
        simulated: &["lsu_round_robin.sv"],
        top: "lsu_round_robin_proof",
        wrapper: include_str!("../../proof/lsu_round_robin_proof.sv"),
        ..NOTHING
    },
    Part {
        name: "loop-address",
        files: &["lsu_address_lane.sv"],
        simulated: &["lsu_address.sv"],
        top: "lsu_address_wiring_proof",
        wrapper: include_str!("../../proof/lsu_address_wiring_proof.sv"),
        ..NOTHING
    },
    Part {
        name: "loop-window",
        simulated: &["lsu_window.sv"],
        top: "lsu_window_wiring_proof",
        wrapper: include_str!("../../proof/lsu_window_wiring_proof.sv"),
        ..NOTHING
    },
    Part {
        name: "loop-order",
        files: &["lsu_round_robin.sv"],
        simulated: &["lsu_pair_turn.sv", "lsu_held.sv", "lsu_order.sv"],
        top: "lsu_order_proof",
        wrapper: include_str!("../../proof/lsu_order_proof.sv"),
        ..NOTHING
    },
    Part {
        name: "loop-store",
        files: &["lsu_round_robin.sv", "lsu_fifo.sv", "lsu_store_fence.sv"],
        simulated: &["lsu_lead.sv", "lsu_store_choose.sv", "lsu_store.sv"],
        by_claim: true,
        top: "lsu_store_proof",
        wrapper: include_str!("../../proof/lsu_store_proof.sv"),
        ..NOTHING
    },
];

#[cfg(test)]
mod tests {
    use std::{fs, path::Path};

    use super::*;

    /// Modules that only guard what they compute, with `needed`. Nobody proves that they guard the right thing.
    const GUARDED: [&str; 5] = ["lsu_execute", "lsu_fill", "lsu_memory", "lsu_return", "lsu_scratchpad"];

    /// Whatever a simulator reads differently is also proved as a simulator reads it.
    #[test]
    fn what_two_tools_read_differently_is_proved_both_ways() {
        let rtl = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/rtl"));
        let both = |file: &str| PARTS.iter().any(|part| part.twins.contains(&file) || part.simulated.contains(&file));
        let mut guarded = Vec::new();
        for dir in [rtl.to_owned(), rtl.join("cells")] {
            for entry in fs::read_dir(dir).unwrap() {
                let path = entry.unwrap().path();
                let name = path.file_name().unwrap().to_str().unwrap().to_owned();
                // Assertions, and what names a holder in a report, are for a simulator alone.
                if !name.ends_with(".sv") || name.ends_with("assert.sv") || name == "lsu_holders.sv" || both(&name) {
                    continue;
                }
                let text = fs::read_to_string(&path).unwrap();
                assert!(!text.contains("SYNTHESIS"), "{name} has two bodies, and no part proves both");
                if text.contains("needed(") {
                    guarded.push(name.trim_end_matches(".sv").to_owned());
                }
            }
        }
        guarded.sort_unstable();
        assert_eq!(guarded, GUARDED);
    }
}
