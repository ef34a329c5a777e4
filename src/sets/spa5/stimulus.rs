// SPDX-License-Identifier: MIT OR Apache-2.0
//! SPA 5.0 instructions, with lane values near the edges of every rule.

mod address;
mod config;
mod crowd;
mod late;
mod paced;
mod rate;
mod shares;

use rand::{Rng, RngExt};

use crate::{
    clause::Clause,
    cosim::case::{Case, Issue},
    cosim::stimulus::{Ground, Maker, Stimulus, Forbidden, Source, irrelevant::irrelevant, mask},
    op::{self, Ctrl, LaneMask, Lanes, MAX_LANES, Op, Range, Shape},
    sets::{
        self,
        spa5::{self, Guard, Inst, Opcode, RZ},
    },
};

pub use address::Targets;

/// Makes an operation with its lanes.
pub fn issue(rng: &mut Source, shape: &Shape, targets: &Targets) -> Issue {
    let mut inst = instruction(rng);
    let bits = rng.next_u64();
    let mut lanes = Lanes {
        active: mask(rng, shape, bits & 7),
        helper: if bits >> 3 & 7 == 0 { mask(rng, shape, bits >> 6 & 7) } else { LaneMask::NONE },
        predicate: mask(rng, shape, bits >> 9 & 7),
        addr: [[0; 3]; MAX_LANES],
    };
    address::fill(rng, shape, targets, &mut inst, &mut lanes);
    let lowered = match spa5::lower(&inst, 255) {
        Ok(lowered) => lowered,
        Err(error) => unreachable!("the generator makes legal instructions: {inst}: {error}"),
    };
    let mut op = Op { warp: (bits >> 12) as u8 & 7, ..lowered.op };
    let mut data = vec![[0; MAX_LANES]; op.data_beats() as usize];
    if inst.rd != RZ {
        for register in &mut data {
            for pair in register[..shape.lanes].chunks_exact_mut(2) {
                let value = rng.next_u64();
                (pair[0], pair[1]) = (value as u32, (value >> 32) as u32);
            }
        }
    }
    let mut source = Some(sets::Inst::Spa5(inst));
    if bits >> 28 & 31 == 0 {
        irrelevant(rng, &mut op);
        source = None;
    }
    if bits >> 20 & 127 == 0 {
        spoil(rng, &mut op);
        source = None;
    }
    Issue { op, lanes, data, inst: source }
}

/// A load of what a store stored, in the same lanes. It shows at once where the store went, and that the load came
/// after it (COM-OWN).
pub fn echo(stored: &Issue) -> Option<Issue> {
    let sets::Inst::Spa5(inst) = stored.inst.filter(|_| stored.op.kind == op::Kind::Store as u8)? else { return None };
    let inst = Inst { op: Opcode::Ld, ..inst };
    let lowered = spa5::lower(&inst, 255).ok()?;
    let op = Op { warp: stored.op.warp, ..lowered.op };
    Some(Issue { op, lanes: stored.lanes.clone(), data: Vec::new(), inst: Some(sets::Inst::Spa5(inst)) })
}

/// Makes a legal instruction. Its address fields are filled in later, with the lanes.
fn instruction(rng: &mut Source) -> Inst {
    let bits = rng.next_u64();
    let op = if bits & 1 == 0 { Opcode::Ld } else { Opcode::St };
    let size = match (bits >> 1 & 15) as u8 {
        7 if op == Opcode::St => 4,
        size @ 0..=7 => size,
        8 | 9 => 5,
        10 | 11 => 6,
        _ => 4,
    };
    let registers = [1, 1, 1, 1, 1, 2, 4, 4][usize::from(size)];
    let rd = if bits >> 5 & 15 == 0 { RZ } else { (bits >> 9) as u8 % 252 / registers * registers };
    Inst {
        op,
        guard: Guard::ALWAYS,
        ra: RZ,
        imm: 0,
        e: false,
        size,
        cop: (bits >> 17) as u8 & 3,
        plg: (bits >> 19) as u8 & 7,
        rd,
    }
}

/// Turns an operation into one that no front end lets through (COM-ILLEGAL).
fn spoil(rng: &mut Source, op: &mut Op) {
    match rng.random_range(0..6) {
        0 => op.kind = rng.random_range(2..4),
        1 => op.addr_mode = rng.random_range(3..8),
        // Only codes that are illegal in every instruction set.
        2 => op.space = rng.random_range(10..16),
        3 => op.element_bytes = [0, 3, 5, 6, 7, 9, 12, 15, 17, 20, 24, 31][rng.random_range(0..12)],
        4 => op.element_count = [0, 2, 4, 8, 3, 15][rng.random_range(0..6)],
        _ => op.element_mask = [0, 2, 3, 0xff, 0x80][rng.random_range(0..5)],
    }
}

/// Makes an encoding that assembles but must be refused for execution (SPA5-EA-PAIR).
pub fn forbidden(rng: &mut Source) -> Forbidden {
    let mut inst = instruction(rng);
    inst.rd = 8;
    inst.ra = 4;
    let which = rng.random_range(0..4);
    match which {
        0 => (inst.e, inst.ra) = (true, rng.random_range(0..127) * 2 + 1),
        1 => (inst.size, inst.rd) = (5, rng.random_range(0..126) * 2 + 1),
        2 => (inst.size, inst.rd) = (6, rng.random_range(0..62) * 4 + rng.random_range(1..4)),
        _ => (inst.size, inst.rd) = [(5, 254), (6, 252)][rng.random_range(0..2)],
    }
    let found = spa5::lower(&inst, 255).err().map(|error| error.clause());
    Forbidden { inst: sets::Inst::Spa5(inst), expected: Clause::Spa5EaPair, clause: Clause::Spa5EaPair, which, found }
}

impl Stimulus for super::Set {
    const SIMPLIFICATIONS: &'static [fn(&mut Issue)] = super::shrink::STEPS;

    fn stream(rng: &mut Source, which: u64, shape: &Shape, operations: u64) -> Case {
        rate::stream(rng, which, shape, operations)
    }

    fn ground(rng: &mut Source, shape: &Shape, ground: &mut Ground) {
        ground.ctrl = config::control(rng, shape);
    }

    fn bus_errors(rng: &mut Source, ctrl: &Ctrl) -> Vec<Range> {
        config::bus_errors(rng, ctrl)
    }

    fn used(ctrl: &Ctrl) -> Vec<Range> {
        ctrl.alloc.to_vec()
    }

    fn maker(_: &mut Source, ctrl: &Ctrl, shape: &Shape) -> Box<dyn Maker> {
        Box::new(Accesses { shape: *shape, targets: Targets::new(ctrl) })
    }

    fn forbidden(rng: &mut Source) -> Option<Forbidden> {
        Some(forbidden(rng))
    }
}

/// Makes loads and stores. Some of the loads read what was stored before.
struct Accesses {
    shape: Shape,
    targets: Targets,
}

impl Maker for Accesses {
    fn issue(&mut self, rng: &mut Source, before: &[Issue]) -> Issue {
        let back = rng.random_range(0..16);
        let stored = before.iter().rev().nth(back).filter(|_| back < 4);
        stored.and_then(echo).unwrap_or_else(|| issue(rng, &self.shape, &self.targets))
    }
}
