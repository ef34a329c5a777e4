// SPDX-License-Identifier: MIT OR Apache-2.0
//! Constrained-random cases: SPA 5.0 instructions with lane values that seek the edges of every rule.
//!
//! A case is a pure function of seed, block number and lanes.

mod address;
mod config;
mod environment;
mod rate;

use rand::{Rng, RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::{
    clause::Clause,
    isa::{
        self,
        spa5::{self, Guard, Inst, Opcode, RZ},
    },
    op::{Lanes, MAX_LANES, Op, Shape},
};

use super::case::{Case, Issue};
use address::Targets;

/// The generator that everything random comes from.
pub type Source = Xoshiro256PlusPlus;

/// Operations of a case.
pub const BLOCK: u64 = 256;
/// Every so many blocks, one is a directed stream (PORT-RATE, PORT-BANK).
const DIRECTED: u64 = 16;

/// A case, and what the front end refused while it was made: the clause's bin, and whether it was right to.
pub struct Block {
    pub case: Case,
    pub refusals: Vec<Refusal>,
}

/// An illegal encoding as the front end judged it.
pub struct Refusal {
    pub inst: Inst,
    pub expected: Clause,
    /// Which kind of illegal pair.
    pub which: usize,
    pub found: Option<Clause>,
}

/// The block `number` of the campaign `seed`, with `operations` operations.
pub fn block(seed: u64, number: u64, shape: &Shape, operations: u64) -> Block {
    let mut rng = Source::seed_from_u64(seed ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    if number % DIRECTED == DIRECTED - 1 {
        let case = rate::stream(&mut rng, number / DIRECTED, shape, operations);
        return Block { case, refusals: Vec::new() };
    }
    let ctrl = config::control(&mut rng, shape);
    let mut case = Case {
        lanes: shape.lanes,
        ctrl,
        memory_seed: rng.next_u64(),
        memory: Vec::new(),
        shared: Vec::new(),
        bus_errors: config::bus_errors(&mut rng, &ctrl),
        issues: Vec::with_capacity(operations as usize),
        schedule: environment::schedule(&mut rng, &ctrl),
        serial: false,
        dirty_cycles: if rng.random_ratio(1, 4) { rng.random_range(1..60) } else { 0 },
        rate: None,
    };
    let targets = Targets::new(&ctrl);
    let mut refusals = Vec::new();
    for _ in 0..operations {
        if rng.random_ratio(1, 64) {
            refusals.push(refusal(&mut rng));
        }
        case.issues.push(issue(&mut rng, shape, &targets));
    }
    Block { case, refusals }
}

fn issue(rng: &mut Source, shape: &Shape, targets: &Targets) -> Issue {
    let mut inst = instruction(rng);
    let bits = rng.next_u64();
    let mut lanes = Lanes {
        active: mask(rng, shape, bits & 7),
        helper: if bits >> 3 & 7 == 0 { mask(rng, shape, bits >> 6 & 7) } else { 0 },
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
    let mut source = Some(isa::Inst::Spa5(inst));
    if bits >> 20 & 127 == 0 {
        spoil(rng, &mut op);
        source = None;
    }
    Issue { op, lanes, data, inst: source }
}

/// A legal instruction; address fields follow with the lanes.
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

/// Lane masks of every shape: all, none, one, all but one, half, random.
fn mask(rng: &mut Source, shape: &Shape, choice: u64) -> u32 {
    let all = shape.lane_mask();
    let bits = rng.next_u64();
    let one = 1 << ((bits >> 32) % shape.lanes as u64);
    all & match choice {
        0 => bits as u32,
        1 => bits as u32 | (bits >> 32) as u32,
        2 if bits & 7 == 0 => 0,
        2 => one,
        3 => all ^ one,
        4 => {
            if bits & 1 == 0 {
                bits as u32
            } else {
                0
            }
        }
        _ => all,
    }
}

/// An operation that no front end lets through (COM-ILLEGAL).
fn spoil(rng: &mut Source, op: &mut Op) {
    match rng.random_range(0..6) {
        0 => op.kind = rng.random_range(2..4),
        1 => op.addr_mode = rng.random_range(3..8),
        2 => op.space = rng.random_range(1..16),
        3 => op.element_bytes = [0, 3, 5, 6, 7, 9, 12, 15, 17, 20, 24, 31][rng.random_range(0..12)],
        4 => op.element_count = [0, 2, 4, 8, 3, 15][rng.random_range(0..6)],
        _ => op.element_mask = [0, 2, 3, 0xff, 0x80][rng.random_range(0..5)],
    }
}

/// An encoding that assembles and must be refused where it would be executed (SPA5-EA-PAIR).
fn refusal(rng: &mut Source) -> Refusal {
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
    Refusal { inst, expected: Clause::Spa5EaPair, which, found }
}
