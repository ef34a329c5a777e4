// SPDX-License-Identifier: MIT OR Apache-2.0
//! Whether something of before a reset is to blame (PORT-RESET). A log cannot tell: a register without a reset breaks any
//! rule, sooner or later. Another run can, since nothing that a unit held before its reset may matter after it.

use super::{bench::Bench, case::Case};
use crate::{
    clause::Clause,
    dut::{DutError, PowerUp},
    judge::Mismatch,
};

/// Cycles of a run. No case of a campaign needs as many, and a livelock would take the more time.
const LONGEST: u64 = 1 << 16;

/// Of cases that fail: what a unit that has done nothing yet has to hold before the reset in order to agree on all of
/// them. `None` if that is not known to matter.
///
/// # Errors
///
/// When this build does not contain the unit.
pub fn hangs_on(bench: &Bench, cases: &[&Case]) -> Result<Option<PowerUp>, DutError> {
    for power_up in [PowerUp::Random, PowerUp::Zeros, PowerUp::Ones] {
        let mut disagree = cases.iter().map(|case| agrees(bench, case, power_up).map(|agrees| !agrees));
        if !disagree.try_fold(false, |any, one| Ok(any || one?))? {
            return Ok(Some(power_up));
        }
    }
    Ok(None)
}

/// Whether a unit agrees on a case if it held this before the reset, and did nothing.
///
/// # Errors
///
/// When this build does not contain the unit.
pub fn agrees(bench: &Bench, case: &Case, power_up: PowerUp) -> Result<bool, DutError> {
    let case = Case { dirty_cycles: 0, ..case.clone() };
    Ok(bench.fresh(power_up)?.run_within(LONGEST, &case).is_ok())
}

/// Blames the reset for a mismatch, as a unit that begins with other contents agrees.
pub fn blame(mismatch: &mut Mismatch, power_up: PowerUp) {
    let why = match power_up {
        PowerUp::Random => "a unit that did nothing before the reset agrees",
        PowerUp::Zeros => "a unit whose registers hold zeros before the reset agrees",
        PowerUp::Ones => "a unit whose registers hold ones before the reset agrees",
    };
    (mismatch.clause, mismatch.or) = (Clause::PortReset, Vec::new());
    mismatch.actual += &format!("; {why}");
}

/// Blames the reset for a mismatch that a fresh unit does not show: state of an earlier block has survived it. What that
/// unit played differs from what this one did, so the rule that was named may be broken as well.
pub fn blame_earlier(mismatch: &mut Mismatch) {
    let Mismatch { clause, or, actual, .. } = mismatch;
    if *clause != Clause::PortReset {
        or.retain(|&other| other != Clause::PortReset);
        or.insert(0, std::mem::replace(clause, Clause::PortReset));
    }
    actual.push_str("; a unit that has played nothing else agrees: something of earlier blocks outlived reset");
}
