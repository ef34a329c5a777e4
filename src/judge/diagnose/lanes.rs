// SPDX-License-Identifier: MIT OR Apache-2.0
//! Lanes of one store that meet on a byte of the scratchpad: a lower one's value shows that the higher one did not win.

use crate::{
    judge::{contract::Contract, log::Issue},
    model::{self, Plan},
    op::{Kind, Op},
};

/// Whether every byte of `got` that is not that of `want` was stored by a lower lane of the last store to it. `issues`
/// are the operations before a load from the scratchpad, in their order, and `at` is the place of the word's first byte.
pub fn lost(contract: &Contract, issues: &[Issue], at: u64, want: u32, got: u32) -> bool {
    let mut wrong: Vec<(u64, u8)> = (0..4).map(|byte| at.wrapping_add(byte)).zip(got.to_le_bytes()).collect();
    let mut right = want.to_le_bytes().into_iter();
    wrong.retain(|&(_, got)| right.next() != Some(got));
    let mut plan = Plan::default();
    for issue in issues.iter().rev().filter(|issue| issue.op.kind != Kind::Load as u8) {
        model::plan(&contract.shape, &contract.ctrl, &issue.op, &issue.lanes, &issue.data, &mut plan);
        let mut left = Vec::new();
        for &(byte, got) in &wrong {
            let by_lane: Vec<u8> = plan.shared.iter().filter_map(|lane| stored(issue, &plan, lane, byte)).collect();
            match by_lane.split_last() {
                None => left.push((byte, got)),
                Some((_, lower)) if issue.op.kind == Kind::Store as u8 && lower.contains(&got) => {}
                Some(_) => return false,
            }
        }
        wrong = left;
        if wrong.is_empty() {
            return true;
        }
    }
    false
}

/// What a lane stores to a byte, if it does.
fn stored(issue: &Issue, plan: &Plan, lane: usize, byte: u64) -> Option<u8> {
    let Op { element_bytes, element_mask, element_count, .. } = issue.op;
    let size = usize::from(element_bytes).max(1);
    let at = usize::try_from(byte.checked_sub(plan.addr[lane])?).ok()?;
    let element = at / size;
    if element >= usize::from(element_count) || element_mask >> element & 1 == 0 {
        return None;
    }
    // A beat for each word of an element, or for a narrower element; none for a sink.
    let before = (element_mask & ((1 << element) - 1)).count_ones() as usize;
    let beat = before * size.div_ceil(4) + at % size / 4;
    issue.data.get(beat).map(|register| register[lane].to_le_bytes()[at % size % 4])
}
