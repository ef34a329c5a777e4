// SPDX-License-Identifier: MIT OR Apache-2.0
//! The unit as gates and memories, of a size for a board: Yosys synthesizes rtl/, Icarus Verilog runs the netlist with the inputs
//! that the Verilated unit had, and every output must be the same in every cycle. A second reader of the RTL, and one
//! with four states: a flip-flop or a word of a memory that nobody sets shows as x.
//!
//! Yosys is the one that `scripts/setup test` installs, or `GPU_LSU_YOSYS` (see scripts/synth).
#![cfg(feature = "corners")]

mod drive;
mod icarus;
mod memory;
#[path = "../support/netlist.rs"]
mod netlist;
mod recording;
mod stimulus;

use std::{fs, path::Path};

use gpu_lsu::{
    clause::Clause,
    judge::{
        Contract, Figures, Judge, Mismatch, Trial,
        log::wave::{self, Names},
    },
    model::Memory,
    op::{Ctrl, Shape},
};

/// What scripts/synth makes the netlist with, and build/rtl.rs the Verilated unit.
const SHAPE: Shape = Shape { lanes: 4, line_bytes: 32, warps: 2, pending: 8, shared_bytes: 1024 };
const OPERATIONS: u32 = 300;
const SEED: u64 = 7;

#[test]
fn the_netlist_does_what_the_verilated_unit_does() {
    let recording = drive::run(SEED, OPERATIONS).unwrap_or_else(|error| panic!("the Verilated unit: {error}"));
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("netlist");
    fs::create_dir_all(&dir).unwrap();
    let simulation = icarus::build(&recording, &dir);
    let wave = |name: &str| format!("+wave={}", dir.join(name).with_extension("vcd").display());

    let (cycles, transfers) = (recording.cycles(), recording.transfers());
    assert!(transfers > OPERATIONS as usize, "the stimulus moves too little: {transfers} transfers");
    let verdict = icarus::run(&simulation, &recording, &dir.join("vectors.hex"), &[wave("good")]);
    assert_eq!(verdict, format!("same: {cycles} cycles, {transfers} transfers"));

    // Its wave alone shows that it is right, and where it is not.
    let figures = judged(&dir.join("good.vcd")).unwrap_or_else(|mismatch| panic!("{mismatch}"));
    assert!(figures.operations > u64::from(OPERATIONS) / 2 && figures.requests > 100, "{figures:?}");
    assert_eq!(figures.unjudged.strangers + figures.unjudged.dataless, 0);
    icarus::run(&simulation, &recording, &dir.join("vectors.hex"), &[wave("stuck"), "+fault".to_owned()]);
    assert_eq!(judged(&dir.join("stuck.vcd")).unwrap_err().clause, Clause::ComAttr);

    // The comparison itself: an output that is expected otherwise, in one bit of one cycle, is found there.
    let mut altered = recording;
    altered.flip(40, "op_ready_o");
    let verdict = icarus::run(&simulation, &altered, &dir.join("altered.hex"), &[]);
    assert!(verdict.starts_with("differs: cycle 40 port op_ready_o "), "{verdict}");
}

/// What the judge says of a wave of the ports.
fn judged(path: &Path) -> Result<Figures, Box<Mismatch>> {
    let wave = wave::read(path, &Names::default()).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(wave.lanes, SHAPE.lanes);
    let contract = Contract::new(SHAPE, Ctrl::default());
    let memory = || Memory::new(0);
    let trial = Trial { contract: &contract, memory: &memory, counts: false, histories: false };
    Judge::new(&SHAPE).judge(&trial, &wave.log, None)
}
