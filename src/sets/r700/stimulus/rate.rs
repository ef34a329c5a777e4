// SPDX-License-Identifier: MIT OR Apache-2.0
//! Directed streams of bursts without stalls, in which the unit must keep its full rate (PORT-RATE).
//!
//! They use general export in the drivers' form, the only buffer without a limit, so that no line comes twice.

use rand::{Rng, RngExt};

use crate::{
    cosim::{
        case::{Case, Issue, Rate},
        stimulus::{Source, directed::directed},
    },
    op::{Buffer, BufferSlot, Ctrl, Lanes, MAX_LANES, Op, Shape},
    sets::{
        self,
        r700::{self, Cf, CfOp, Inst, MemOp, Read},
    },
};

const BASE: u64 = 0x10_0000;

/// Makes the stream number `which`. The kinds take turns.
pub fn stream(rng: &mut Source, which: u64, shape: &Shape, operations: u64) -> Case {
    let rate = if which >> 1 & 1 == 0 { Rate::Operations } else { Rate::Requests };
    let (lanes, line) = (shape.lanes as u64, shape.line_bytes as u64);
    // Each lane moves a whole GPR: the full lines are as many as the beats for them, if there are enough lanes.
    let whole = which & 1 == 0 && 16 * lanes == 4 * line && rng.random();
    // With a line for each lane, a GPR is a group of that many requests, and uses four dwords of each line. The burst
    // has up to as many GPRs as the line has room for.
    let (elem_size, gprs) = match rate {
        Rate::Requests if whole => (3, 1),
        Rate::Requests => (3, 1 << rng.random_range(0..=(line / 16).ilog2())),
        _ => (0, 1),
    };
    let comp_mask = if elem_size == 3 && whole { 0xf } else { 1 };
    let inst = match which & 1 {
        0 => Inst::Cf(Cf { ty: 1, elem_size, comp_mask, burst_count: gprs - 1, ..Cf::new(CfOp::MemExport) }),
        _ => {
            let mut read = Read { indexed: true, elem_size, burst_count: gprs - 1, ..Read::new(MemOp::ReadMem) };
            read.set_selects([0, 7, 7, 7]);
            Inst::Read(read)
        }
    };
    let Ok(lowered) = r700::lower(&inst, r700::GPRS, 0) else { unreachable!("{inst} is legal") };
    // Size in bytes of the element of one GPR; an index counts dwords.
    let element = 4 * (u64::from(elem_size) + 1);
    let issues = (0..operations).map(|number| {
        let place = |lane| match rate {
            Rate::Requests if whole => (number * lanes + lane) * element,
            Rate::Requests => (number * lanes + lane) * line,
            _ => number * line + lane * 4 % line,
        };
        let mut to = Lanes { active: shape.lane_mask(), addr: [[0; 3]; MAX_LANES], ..Lanes::default() };
        for (lane, words) in (0..).zip(to.addr.iter_mut().take(shape.lanes)) {
            words[0] = (place(lane) / 4) as u32;
        }
        let mut data = vec![[0; MAX_LANES]; lowered.op.data_beats() as usize];
        let words = data.iter_mut().flat_map(|register| &mut register[..shape.lanes]);
        words.for_each(|word| *word = rng.next_u64() as u32);
        let warp = (number % shape.warps as u64) as u8 & if which >> 2 & 1 == 0 { 7 } else { 0 };
        Issue { op: Op { warp, ..lowered.op }, lanes: to, data, inst: Some(sets::Inst::R700(inst)) }
    });
    let issues = issues.collect();
    let mut ctrl = Ctrl { r700_driver_form: true, ..Ctrl::default() };
    ctrl.buffer[BufferSlot::Export as usize] = Buffer { base: BASE, stride: 0, size: 1 << 30 };
    directed(rng, shape, ctrl, issues, rate)
}
