// SPDX-License-Identifier: MIT OR Apache-2.0
//! Constrained-random cases: instructions with lane values that seek the edges of every rule.
//!
//! A case is a pure function of instruction set, seed, block number and lanes.

mod directed;
mod environment;
mod irrelevant;
mod ptx;
mod r700;
mod sm5;
mod spa5;

use rand::{Rng, RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::{
    clause::Clause,
    isa::{self, Isa},
    op::{Ctrl, LaneMask, Range, Shape},
};

use super::case::Case;

/// The generator that everything random comes from.
pub type Source = Xoshiro256PlusPlus;

/// Operations of a case.
pub const BLOCK: u64 = 256;
/// Every so many blocks, one is a directed stream (PORT-RATE, PORT-BANK).
const DIRECTED: u64 = 8;

/// A case, and what the front end refused while it was made: the clause's bin, and whether it was right to.
pub struct Block {
    pub case: Case,
    pub refusals: Vec<Refusal>,
}

/// An illegal encoding as the front end judged it.
pub struct Refusal {
    pub inst: isa::Inst,
    pub expected: Clause,
    /// Which kind of illegal encoding.
    pub which: usize,
    pub found: Option<Clause>,
}

/// What a block is made of.
#[derive(Clone, Copy)]
enum Mix {
    Only(Isa),
    /// One unit executes them all, in one memory.
    Together,
}

/// The block `number` of the campaign `seed`, with `operations` operations of an instruction set; of none in
/// particular, the sets take turns, and every fourth block has all of them.
pub fn block(isa: Option<Isa>, seed: u64, number: u64, shape: &Shape, operations: u64) -> Block {
    let mut block = made(isa, seed, number, shape, operations);
    // They are made for eight, and a unit may have fewer.
    block.case.issues.iter_mut().for_each(|issue| issue.op.warp %= shape.warps as u8);
    block
}

fn made(isa: Option<Isa>, seed: u64, number: u64, shape: &Shape, operations: u64) -> Block {
    let (mix, number) = match (isa, number % 5) {
        (Some(isa), _) => (Mix::Only(isa), number),
        (None, 4) => (Mix::Together, number / 5),
        (None, turn) => (Mix::Only(Isa::ALL[turn as usize % Isa::ALL.len()]), number / 5),
    };
    let mut rng = Source::seed_from_u64(seed ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    if number % DIRECTED == DIRECTED - 1 {
        let which = number / DIRECTED;
        let case = match mix {
            Mix::Only(Isa::R700) => r700::stream(&mut rng, which, shape, operations),
            Mix::Only(Isa::Ptx) => ptx::stream(&mut rng, which, shape, operations),
            Mix::Only(Isa::Sm5) => sm5::stream(&mut rng, which, shape, operations),
            _ => spa5::stream(&mut rng, which, shape, operations),
        };
        return Block { case, refusals: Vec::new() };
    }
    let mut ctrl = match mix {
        Mix::Only(Isa::R700) => Ctrl::default(),
        _ => spa5::control(&mut rng, shape),
    };
    let has = |isa: Isa| matches!(mix, Mix::Together) || matches!(mix, Mix::Only(only) if only == isa);
    if has(Isa::R700) {
        r700::control(&mut rng, shape, &mut ctrl);
    }
    let mut more_errors = Vec::new();
    if has(Isa::Ptx) {
        ptx::control(&mut rng, shape, &mut ctrl);
        more_errors = ptx::bus_errors(&mut rng, &ctrl);
    }
    let mut case = Case {
        shape: *shape,
        ctrl,
        memory_seed: rng.next_u64(),
        memory: Vec::new(),
        shared: Vec::new(),
        bus_errors: match mix {
            Mix::Only(Isa::R700) => r700::bus_errors(&mut rng, &ctrl),
            _ => spa5::bus_errors(&mut rng, &ctrl),
        },
        issues: Vec::with_capacity(operations as usize),
        schedule: environment::schedule(&mut rng, &used(&ctrl, mix), has(Isa::Ptx)),
        serial: false,
        flushes: Vec::new(),
        dirty_cycles: if rng.random_ratio(1, 4) { rng.random_range(1..60) } else { 0 },
        rate: None,
    };
    case.bus_errors.extend(more_errors);
    if has(Isa::Sm5) {
        sm5::prepare(&mut rng, shape, &mut case);
    }
    let ctrl = case.ctrl;
    let targets = spa5::Targets::new(&ctrl);
    let mut stores = has(Isa::Ptx).then(|| ptx::Stores::new(&mut rng, &ctrl, shape));
    let mut compares = has(Isa::Sm5).then(|| sm5::Stores::new(&mut rng, &ctrl, shape));
    let mut bursts = r700::Bursts::new(&ctrl, shape);
    let mut refusals = Vec::new();
    for _ in 0..operations {
        let isa = match mix {
            Mix::Only(isa) => isa,
            Mix::Together => Isa::ALL[rng.random_range(0..Isa::ALL.len())],
        };
        if rng.random_ratio(1, 64) {
            match isa {
                Isa::Spa5 => refusals.push(spa5::refusal(&mut rng)),
                Isa::R700 => refusals.push(r700::refusal(&mut rng)),
                // What PTX refuses is text, and what SM5 does is a program.
                Isa::Ptx | Isa::Sm5 => {}
            }
        }
        case.issues.push(match (isa, &mut stores, &mut compares) {
            (Isa::Ptx, Some(stores), _) if rng.random_ratio(3, 4) => stores.issue(&mut rng),
            (Isa::Ptx, Some(stores), _) => stores.neighbour(&mut rng),
            (Isa::Sm5, _, Some(compares)) if rng.random_ratio(7, 8) => compares.issue(&mut rng),
            (Isa::Sm5, _, Some(compares)) => compares.neighbour(&mut rng),
            (Isa::R700, ..) => bursts.issue(&mut rng),
            _ => {
                let back = rng.random_range(0..16);
                let stored = case.issues.iter().rev().nth(back).filter(|_| back < 4);
                stored.and_then(spa5::echo).unwrap_or_else(|| spa5::issue(&mut rng, shape, &targets))
            }
        });
    }
    Block { case, refusals }
}

/// The memory that the lanes use, for those who write it besides.
fn used(ctrl: &Ctrl, mix: Mix) -> Vec<Range> {
    let ranges: Vec<Range> = match mix {
        Mix::Only(Isa::R700) => r700::used(ctrl),
        Mix::Only(Isa::Ptx) | Mix::Together => [&ctrl.alloc[..], &ptx::used(ctrl)].concat(),
        _ => ctrl.alloc.to_vec(),
    };
    ranges.into_iter().filter(|range| range.size > 0).collect()
}

/// Lane masks of every shape: all, none, one, all but one, half, random.
fn mask(rng: &mut Source, shape: &Shape, choice: u64) -> LaneMask {
    let all = shape.lane_mask();
    let bits = rng.next_u64();
    let [low, high] = [bits, bits >> 32].map(|bits| LaneMask::from_bits(bits as u32));
    let one = LaneMask::only(((bits >> 32) % shape.lanes as u64) as usize);
    all & match choice {
        0 => low,
        1 => low | high,
        2 if bits & 7 == 0 => LaneMask::NONE,
        2 => one,
        3 => all - one,
        4 => {
            if bits & 1 == 0 {
                low
            } else {
                LaneMask::NONE
            }
        }
        _ => all,
    }
}
