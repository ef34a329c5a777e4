// SPDX-License-Identifier: MIT OR Apache-2.0
//! Units at the corners of their parameters keep every promise: nothing is tied to the defaults.

use std::{num::NonZero, sync::atomic::AtomicBool};

use gpu_lsu::{
    cosim::campaign::{Budget, Campaign},
    op::Shape,
    sets::Isa,
};

use crate::units::{BOARD, DEEP, FEW, NARROW};

/// For each instruction set; includes directed streams.
const OPERATIONS: u64 = 33 * 256;

fn agrees(shape: Shape) {
    for isa in Isa::ALL.iter().copied().map(Some).chain([None]) {
        let (budget, jobs) = (Budget::Operations(OPERATIONS), NonZero::new(2).unwrap());
        let campaign = Campaign { isa, seed: 1, shape, budget, jobs, promises: gpu_lsu::judge::Promises::OURS };
        let outcome = campaign.run(&|_| {}, &AtomicBool::new(false)).unwrap();
        if let Some(failure) = outcome.failure {
            panic!("{shape}, {isa:?}, block {}: {}", failure.block, failure.mismatch);
        }
        assert_eq!(outcome.figures.operations, OPERATIONS);
    }
}

#[test]
fn one_warp_two_ids_and_short_lines() {
    agrees(NARROW);
}

#[test]
fn more_warps_than_ids() {
    agrees(FEW);
}

#[test]
fn as_many_ids_as_the_port_can_name() {
    agrees(DEEP);
}

#[test]
fn what_fits_a_board() {
    agrees(BOARD);
}
