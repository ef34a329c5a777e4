// SPDX-License-Identifier: MIT OR Apache-2.0
//! A directed stream that keeps write-back busy: most values come from one source, and a few from the others, which
//! must get their share (PORT-FAIR).

use super::{
    Source,
    rate::{GLOBAL, SHARED, control},
};
use crate::{
    cosim::{
        case::{Case, Issue, Rate},
        stimulus::directed::directed,
    },
    op::{LaneMask, Lanes, MAX_LANES, Op, Shape},
    sets::{
        self,
        spa5::{self, Guard, Inst, Opcode},
    },
};

/// Number of operations for which one source has most of the write-back and another one a few beats. It is longer than
/// a beat may wait.
const STRETCH: u64 = 40;
/// One operation in this many has another source.
const APART: u64 = 8;

/// The source of a load's values.
#[derive(Clone, Copy)]
enum Origin {
    Memory,
    Scratchpad,
    /// No source: zeros for an access out of bounds.
    Nobody,
}

impl Origin {
    const ALL: [Origin; 3] = [Origin::Memory, Origin::Scratchpad, Origin::Nobody];
}

/// Makes a stream of loads of two registers, up to one a cycle.
pub fn stream(rng: &mut Source, shape: &Shape, operations: u64) -> Case {
    let inst =
        Inst { op: Opcode::Ld, guard: Guard::ALWAYS, ra: 2, imm: 0, e: false, size: 5, cop: 0, plg: 7, rd: 4 };
    let Ok(lowered) = spa5::lower(&inst, 255) else { unreachable!("{inst} is legal") };
    let line = shape.line_bytes as u64;
    let issue = |number: u64| {
        let few = number % APART == APART - 1;
        let stretch = number / STRETCH;
        let other = if few { 1 + stretch / 3 % 2 } else { 0 };
        let from = Origin::ALL[((stretch + other) % 3) as usize];
        let base = match from {
            Origin::Memory => GLOBAL + number * line,
            Origin::Scratchpad => SHARED,
            Origin::Nobody => 0,
        };
        let mut lanes = Lanes {
            active: shape.lane_mask(),
            helper: LaneMask::NONE,
            predicate: if matches!(from, Origin::Scratchpad) { LaneMask::NONE } else { LaneMask::ALL },
            addr: [[0; 3]; MAX_LANES],
        };
        for (lane, words) in (0..).zip(lanes.addr.iter_mut().take(shape.lanes)) {
            words[0] = (base + lane * 8 % line) as u32;
        }
        // Completions of a warp come in order, so that the few have a warp of their own.
        let warp = if few { 0 } else { 1 + (number % (shape.warps as u64 - 1).max(1)) as u8 };
        Issue { op: Op { warp, ..lowered.op }, lanes, data: Vec::new(), inst: Some(sets::Inst::Spa5(inst)) }
    };
    let issues = (0..operations).map(issue).collect();
    Case { rate: None, ..directed(rng, shape, control(shape), issues, Rate::Operations) }
}
