// SPDX-License-Identifier: MIT OR Apache-2.0
//! The outcome of a campaign depends on its seed, not on which thread ran which block.

use std::{
    num::NonZero,
    sync::atomic::{AtomicBool, AtomicU64, Ordering},
    time::Duration,
};

use gpu_lsu::{
    cosim::{
        Figures,
        campaign::{Budget, Campaign, Outcome},
        stimulus::BLOCK,
    },
    op::Shape,
};

use crate::units::built;

fn run(seed: u64, shape: Shape, budget: Budget, jobs: usize, stop: bool) -> Outcome {
    let campaign = Campaign {
        isa: None,
        seed,
        shape,
        budget,
        jobs: NonZero::new(jobs).unwrap(),
        promises: gpu_lsu::judge::Promises::OURS,
    };
    let told = AtomicU64::new(0);
    let progress = |operations| {
        told.fetch_add(operations, Ordering::Relaxed);
    };
    let outcome = campaign.run(&progress, &AtomicBool::new(stop)).unwrap();
    if let Some(failure) = &outcome.failure {
        panic!("block {}: {}", failure.block, failure.mismatch);
    }
    assert_eq!(told.into_inner(), outcome.figures.operations);
    outcome
}

fn summary(seed: u64, shape: Shape, operations: u64, jobs: usize) -> (Figures, String) {
    let outcome = run(seed, shape, Budget::Operations(operations), jobs, false);
    (outcome.figures, serde_json::to_string(&outcome.coverage.rows(None)).unwrap())
}

#[test]
fn the_same_seed_gives_the_same_outcome() {
    // Includes directed streams, and a last block that is cut short.
    let operations = 33 * BLOCK + 7;
    for shape in built() {
        let first = summary(5, shape, operations, 1);
        assert_eq!(first.0.operations, operations);
        for jobs in 1..=3 {
            assert_eq!(summary(5, shape, operations, jobs), first, "{shape}, {jobs} jobs");
        }
        assert_ne!(summary(6, shape, operations, 2), first);
    }
}

#[test]
fn a_budget_is_kept() {
    for operations in [1, BLOCK - 1, BLOCK, BLOCK + 1] {
        assert_eq!(summary(1, Shape::with_lanes(32), operations, 3).0.operations, operations);
    }
    let timed = run(1, Shape::with_lanes(32), Budget::Time(Duration::from_millis(50)), 2, false);
    assert!(timed.figures.operations >= BLOCK && timed.figures.operations.is_multiple_of(BLOCK));
    assert_eq!(run(1, Shape::with_lanes(32), Budget::Operations(u64::MAX / 2), 2, true).figures, Figures::default());
}
