// SPDX-License-Identifier: MIT OR Apache-2.0
//! Simplifies a PTX store: no offset, no sinks, fewer elements, and the space written out that its addresses name
//! anyway.

use crate::{
    cosim::shrink::{Shrinking, Step},
    cosim::case::Issue,
    op::{AddrMode, Attr, Cache, Semantics, Space},
};

impl Shrinking for super::Rule {
    fn shrinking() -> Vec<Step> {
        STEPS.iter().map(|&step| Box::new(step) as Step).collect()
    }
}

/// The ways to simplify. Each one leaves the store as it is, or makes it simpler.
pub const STEPS: &[fn(&mut Issue)] = &[fold_offset, no_sinks, one_element, weak, global];

/// Moves the offset into the lanes' address words.
fn fold_offset(issue: &mut Issue) {
    if issue.op.addr_mode != AddrMode::Reg64 as u8 || issue.inst.is_some() {
        return;
    }
    let offset = std::mem::take(&mut issue.op.imm);
    for words in &mut issue.lanes.addr {
        let base = (u64::from(words[1]) << 32 | u64::from(words[0])).wrapping_add(offset);
        (words[0], words[1]) = (base as u32, (base >> 32) as u32);
    }
}

/// Adjusts the number of registers to the elements.
fn refit(issue: &mut Issue) {
    issue.data.resize(issue.op.data_beats() as usize, [0; crate::op::MAX_LANES]);
    issue.inst = None;
}

fn no_sinks(issue: &mut Issue) {
    issue.op.element_mask = (u16::MAX >> (16 - issue.op.element_count.clamp(1, 8))) as u8;
    refit(issue);
}

fn one_element(issue: &mut Issue) {
    (issue.op.element_count, issue.op.element_mask) = (1, 1);
    refit(issue);
}

fn weak(issue: &mut Issue) {
    issue.op.attr = Attr { cache_op: Cache::Wb as u8, semantics: Semantics::Weak as u8, ..Attr::default() };
    issue.inst = None;
}

/// Turns a generic store into a global one, where its place no longer matters.
fn global(issue: &mut Issue) {
    if issue.op.space == Space::Generic as u8 {
        issue.op.space = Space::Global as u8;
        issue.inst = None;
    }
}
