// SPDX-License-Identifier: MIT OR Apache-2.0
//! Capsules to replay: one that agrees, and one that no unit can agree with.

use gpu_lsu::{
    clause::Clause,
    cosim::{
        Bench, Mismatch,
        capsule::Capsule,
        case::{Answer, Rate},
        stimulus,
    },
    judge::{Field, Site},
    op::Shape,
    sets::Isa,
};

const SHAPE: Shape = Shape::with_lanes(32);

/// A few random operations; they agree, so that what it was written for is gone.
pub fn agreeing() -> Capsule {
    let case = stimulus::block(Some(Isa::Spa5), 1, 0, &SHAPE, 8).case;
    let mismatch = Mismatch::new(Clause::PortWb, Some(1), Field::signal(Site::Wb, "data").register(0))
        .values("0x1", "0x2")
        .lane(3);
    Capsule {
        seed: 1,
        block: 0,
        case,
        mismatch,
        rtl: Some(gpu_lsu::rtl::built()),
        promises: gpu_lsu::judge::Promises::OURS,
    }
}

/// A stream that must keep a request a cycle, in an environment that keeps every id for far too long. It is written
/// for what it shows.
pub fn diverging() -> Capsule {
    let mut case = stimulus::block(Some(Isa::Spa5), 1, 15, &SHAPE, 40).case;
    assert_eq!(case.rate, Some(Rate::Operations));
    case.schedule.answers = vec![Answer { apply: 0, answer: 100, scope: 3, last: 0 }];
    let mismatch = *Bench::new(32).unwrap().run(&case).unwrap_err();
    assert_eq!(mismatch.clause, Clause::PortRate);
    Capsule {
        seed: 1,
        block: 15,
        case,
        mismatch,
        rtl: Some(gpu_lsu::rtl::built()),
        promises: gpu_lsu::judge::Promises::OURS,
    }
}
