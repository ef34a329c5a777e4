// SPDX-License-Identifier: MIT OR Apache-2.0
//! Shrinks one burst to fewer GPRs, components and distinct indices, and keeps its instruction consistent.

use crate::{
    cosim::shrink::{Shrinking, Step},
    cosim::case::Issue,
    model::legal,
    op::{Kind, LaneMask, Lanes, Op},
    sets::{Inst, r700},
};

impl Shrinking for super::Rule {
    fn shrinking() -> Vec<Step> {
        let step = |way: Way| Box::new(move |issue: &mut Issue| if issue.op.is_burst() { shrink(issue, way) });
        STEPS.iter().map(|&way| step(way) as Step).collect()
    }
}

/// One way to make a burst smaller.
pub type Way = fn(&mut Op, &mut Lanes);

/// The ways, those that save most first.
pub const STEPS: &[Way] = &[
    |op, _| op.present_gprs &= 1,
    |op, _| op.present_gprs &= 3,
    |op, _| op.present_gprs &= 0xf,
    |op, _| op.present_gprs &= 0xff,
    |op, _| op.present_gprs &= op.present_gprs >> 1,
    |op, _| drop(op, 3),
    |op, _| drop(op, 2),
    |op, _| drop(op, 1),
    |op, _| drop(op, 0),
    |_, lanes| lanes.addr.iter_mut().for_each(|words| words[0] = 0),
    |_, lanes| (0..).zip(&mut lanes.addr).for_each(|(lane, words)| words[0] = lane),
    |_, lanes| lanes.addr.iter_mut().for_each(|words| words[0] &= 0xff),
    |_, lanes| lanes.addr.iter_mut().for_each(|words| words[0] &= 0xffff),
    |op, lanes| {
        let unused = |lane: usize| !op.use_index || !lanes.active.contains(lane);
        for (lane, words) in lanes.addr.iter_mut().enumerate() {
            *words = [if unused(lane) { 0 } else { words[0] }, 0, 0];
        }
    },
    |_, lanes| lanes.predicate = LaneMask::NONE,
    |op, _| op.stage = 0,
    |op, _| op.array_base = 0,
    |op, _| op.array_size = 4096,
    |op, _| op.suppress_helpers = false,
    |op, _| op.await_last = false,
];

/// Leaves out a component: masks it in a write, does not write it back in a read.
fn drop(op: &mut Op, component: u32) {
    match op.kind == Kind::Load as u8 {
        true => op.component_select |= 7 << (3 * component),
        false => op.element_mask &= !(1 << component),
    }
}

/// Takes a step, and drops the data of registers that no longer move.
pub fn shrink(issue: &mut Issue, step: Way) {
    let before = issue.op.registers();
    let legal = legal(&issue.op);
    step(&mut issue.op, &mut issue.lanes);
    if !legal {
        return;
    }
    let after = issue.op.registers();
    let moved = (0..64).filter(|register| before >> register & 1 == 1);
    let mut stays = moved.map(|register| after >> register & 1 == 1);
    issue.data.retain(|_| stays.next().unwrap_or(false));
    if let Some(Inst::R700(inst)) = &mut issue.inst {
        rewrite(inst, &issue.op);
    }
}

/// Rewrites an instruction to match its operation.
fn rewrite(inst: &mut r700::Inst, op: &Op) {
    let burst_count = 15u32.saturating_sub(op.present_gprs.leading_zeros()) as u8;
    let array_size = op.array_size.saturating_sub(1);
    match inst {
        r700::Inst::Cf(cf) => {
            (cf.array_base, cf.array_size, cf.burst_count) = (op.array_base, array_size, burst_count);
            (cf.comp_mask, cf.valid_pixel_mode) = (op.element_mask & 15, op.suppress_helpers);
            cf.ty = u8::from(op.use_index) | u8::from(op.await_last) << 1;
        }
        r700::Inst::Read(read) => {
            (read.array_base, read.array_size, read.burst_count) = (op.array_base, array_size, burst_count);
            read.set_selects([0, 1, 2, 3].map(|component| op.select(component)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{cosim::stimulus, op::Shape, sets::Isa};

    /// After any step, a burst has data for each of its beats, and its instruction means the same burst.
    #[test]
    fn every_step_keeps_a_burst_whole() {
        let case = stimulus::block(Some(Isa::R700), 3, 0, &Shape::with_lanes(4), 256).case;
        for issue in &case.issues {
            for &step in STEPS {
                let mut smaller = issue.clone();
                shrink(&mut smaller, step);
                if !legal(&issue.op) {
                    continue;
                }
                assert!(legal(&smaller.op) && smaller.data.len() == smaller.op.data_beats() as usize);
                // No instruction has GPRs with gaps.
                let Some(Inst::R700(inst)) = smaller.inst else { continue };
                let again = r700::lower(&inst, r700::GPRS, 0).unwrap().op;
                let shape = |op: &Op| (op.kind, op.slot, op.element_mask, op.array_base, op.array_size, op.use_index);
                assert_eq!(shape(&again), shape(&smaller.op));
            }
        }
    }
}
