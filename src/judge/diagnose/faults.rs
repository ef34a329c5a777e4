// SPDX-License-Identifier: MIT OR Apache-2.0
//! Faults of another operation than the one that reports them.

use crate::{
    judge::{
        contract::Contract,
        log::{Done, Log},
        scoreboard::Progress,
    },
    model::{self, Plan},
    op::{Fault, MAX_LANES},
};

/// Whether operation `op` reports the faults of one before it in place of its own, or as well: of the one that was
/// accepted just before it, or of the last one of its warp.
pub fn are_stale(contract: &Contract, log: &Log, op: usize, progress: &Progress, done: &Done) -> bool {
    let before = log.issues().get(..op).unwrap_or_default();
    let of_warp = before.iter().rposition(|issue| issue.op.warp == log.issues()[op].op.warp);
    let mut plan = Plan::default();
    [op.checked_sub(1), of_warp].into_iter().flatten().any(|other| {
        let issue = &before[other];
        model::plan(&contract.shape, &contract.ctrl, &issue.op, &issue.lanes, &issue.data, &mut plan);
        // A fault that one lane alone has may be there by chance.
        let several = plan.faults.iter().filter(|fault| **fault != Fault::None).count() > 1;
        several
            && (0..MAX_LANES).all(|lane| {
                let (got, own, others) = (done.faults[lane], progress.plan.faults[lane], plan.faults[lane]);
                got == others as u8 || got == own as u8 && (others == Fault::None || own != Fault::None)
            })
    })
}
