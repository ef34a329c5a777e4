// SPDX-License-Identifier: MIT OR Apache-2.0
//! The steps that simplify a compare-and-store: simple values, one dword for all lanes, a memory that always obeys.

use crate::{
    cosim::shrink::{Shrinking, Step},
    cosim::case::{Case, Issue},
    op::{Resource, Tgsm, Uav},
};

impl Shrinking for super::Rule {
    const SLOTS: &'static [fn(&mut Case, usize)] = SLOTS;

    fn shrinking() -> Vec<Step> {
        STEPS.iter().map(|&step| Box::new(step) as Step).collect()
    }
}

/// Each step leaves the operation as it was, or simpler.
pub const STEPS: &[fn(&mut Issue)] = &[
    |issue| issue.op.suppress_helpers = true,
    // Fields of other instruction sets.
    |issue| {
        (issue.op.imm, issue.op.sign_extend, issue.op.await_last) = (0, false, false);
        (issue.op.array_base, issue.op.array_size, issue.op.elem_size, issue.op.use_index) = (0, 0, 0, false);
        (issue.op.present_gprs, issue.op.component_select, issue.op.one_is_float) = (0, 0, false);
    },
    |issue| same_address(issue),
    |issue| issue.lanes.addr.iter_mut().for_each(|words| words[2] = 0),
    |issue| issue.lanes.addr.iter_mut().for_each(|words| words[1] = 0),
    |issue| issue.lanes.addr.iter_mut().for_each(|words| *words = words.map(|word| word & !3)),
    // One lane's values for all lanes; small values.
    |issue| same_value(issue, 0),
    |issue| same_value(issue, 1),
    |issue| issue.data.iter_mut().for_each(|lanes| lanes.iter_mut().for_each(|word| *word &= 0xff)),
    |issue| issue.data.iter_mut().for_each(|lanes| lanes.iter_mut().for_each(|word| *word &= 3)),
];

fn first(issue: &Issue) -> usize {
    issue.lanes.active.first().unwrap_or_default()
}

fn same_address(issue: &mut Issue) {
    let one = issue.lanes.addr[first(issue)];
    issue.lanes.addr.fill(one);
}

fn same_value(issue: &mut Issue, beat: usize) {
    let lane = first(issue);
    for register in issue.data.iter_mut().skip(beat).take(1) {
        let one = register[lane];
        register.fill(one);
    }
}

/// Ways to make slots and memory simpler; a step for each slot.
pub const SLOTS: &[fn(&mut Case, usize)] = &[
    |case, slot| case.ctrl.uav[slot] = Uav::default(),
    |case, slot| case.ctrl.tgsm[slot] = Tgsm::default(),
    |case, slot| {
        // Clears the fields that only other kinds have.
        let uav = &mut case.ctrl.uav[slot];
        if uav.kind != Resource::Typed as u8 {
            *uav = Uav { kind: uav.kind, base: uav.base, size: uav.size, stride: uav.stride, ..Uav::default() };
        }
        if uav.kind != Resource::Structured as u8 {
            uav.stride = 0;
        }
    },
    |case, slot| {
        if slot < case.memory.len() {
            case.memory.remove(slot);
        }
    },
    |case, slot| {
        if slot < case.shared.len() {
            case.shared.remove(slot);
        }
    },
    |case, slot| {
        if let Some(bytes) = case.memory.get_mut(slot) {
            bytes.bytes.truncate(4);
        }
    },
    |case, slot| {
        if let Some(bytes) = case.shared.get_mut(slot) {
            bytes.bytes.truncate(4);
        }
    },
];
