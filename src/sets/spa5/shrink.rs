// SPDX-License-Identifier: MIT OR Apache-2.0
//! Simplifies one load or store.

use crate::{cosim::{case::Issue, shrink::Shrinking}, op::AddrMode, sets::Inst};

impl Shrinking for super::Rule {}

/// The ways to simplify an instruction of SPA 5.0.
pub const STEPS: &[fn(&mut Issue)] = &[fold_offset];

/// Moves the instruction's offset into the lanes' address words.
fn fold_offset(issue: &mut Issue) {
    let Some(Inst::Spa5(mut inst)) = issue.inst else { return };
    if issue.op.addr_mode == AddrMode::Abs as u8 || issue.op.is_burst() {
        return;
    }
    let offset = issue.op.imm;
    inst.imm = 0;
    for words in &mut issue.lanes.addr {
        let base = (u64::from(words[1]) << 32 | u64::from(words[0])).wrapping_add(offset);
        words[0] = base as u32;
        if issue.op.addr_mode == AddrMode::Reg64 as u8 {
            words[1] = (base >> 32) as u32;
        }
    }
    issue.op.imm = 0;
    issue.inst = Some(Inst::Spa5(inst));
}
