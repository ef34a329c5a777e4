// SPDX-License-Identifier: MIT OR Apache-2.0
//! Any traffic, any environment: the unit does what the model says.

use gpu_lsu::{cosim::stimulus, op::Shape, sets::Isa};
use proptest::{prelude::*, test_runner::FileFailurePersistence};

use crate::{any, units};

fn config() -> ProptestConfig {
    ProptestConfig {
        failure_persistence: Some(Box::new(FileFailurePersistence::WithSource("proptest-regressions"))),
        max_shrink_iters: 20_000,
        ..ProptestConfig::default()
    }
}

fn check(case: &any::Shown) -> Result<(), TestCaseError> {
    match units::run(&case.0) {
        Ok(figures) => {
            prop_assert_eq!(figures.operations, case.0.issues.len() as u64);
            Ok(())
        }
        Err(mismatch) => Err(TestCaseError::fail(mismatch.to_string())),
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    #[cfg(feature = "all-lanes")]
    fn any_case_agrees_at_4_lanes(case in any::case(Shape::with_lanes(4))) {
        check(&case)?;
    }

    #[test]
    #[cfg(feature = "all-lanes")]
    fn any_case_agrees_at_8_lanes(case in any::case(Shape::with_lanes(8))) {
        check(&case)?;
    }

    #[test]
    #[cfg(feature = "all-lanes")]
    fn any_case_agrees_at_16_lanes(case in any::case(Shape::with_lanes(16))) {
        check(&case)?;
    }

    #[test]
    #[cfg(feature = "corners")]
    fn any_case_agrees_at_the_narrow_corner(case in any::case(units::NARROW)) {
        check(&case)?;
    }

    #[test]
    #[cfg(feature = "corners")]
    fn any_case_agrees_with_more_warps_than_ids(case in any::case(units::FEW)) {
        check(&case)?;
    }

    #[test]
    #[cfg(feature = "corners")]
    fn any_case_agrees_at_the_deep_corner(case in any::case(units::DEEP)) {
        check(&case)?;
    }

    #[test]
    #[cfg(feature = "corners")]
    fn any_case_agrees_at_the_size_for_a_board(case in any::case(units::BOARD)) {
        check(&case)?;
    }

    #[test]
    fn any_case_agrees_at_32_lanes(case in any::case(Shape::with_lanes(32))) {
        check(&case)?;
    }
}

/// Verification resets the unit after each block. What a unit counts may run over only later: operations, or cycles.
#[test]
fn a_long_run_without_a_reset_agrees() {
    for &isa in Isa::ALL {
        let long = |operations| stimulus::block(Some(isa), 7, 1, &Shape::with_lanes(4), operations).case;
        let figures = [9000, 36_000].map(long).iter().map(units::agree).find(|figures| figures.cycles > 1 << 16);
        assert!(figures.is_some(), "{isa}");
    }
}
