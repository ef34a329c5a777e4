// SPDX-License-Identifier: MIT OR Apache-2.0
//! Constrained-random cases: instructions whose lane values seek the edges of every rule.
//!
//! A case is a pure function of instruction set, seed, block number, shape and number of operations.

pub(crate) mod directed;
pub(crate) mod environment;
pub(crate) mod irrelevant;

use rand::{Rng, RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::{
    clause::Clause,
    op::{Ctrl, LaneMask, Range, Shape},
    sets::{self, Isa},
};

pub use crate::regress::BLOCK;

use super::case::{Case, Issue};

/// The generator of all random values.
pub type Source = Xoshiro256PlusPlus;

/// One block in this many is a directed stream (PORT-RATE, PORT-BANK).
const DIRECTED: u64 = 8;

/// One block in this many runs empty again and again.
const FLUSHED: u64 = 16;

/// In one block of this many, ports stall in the same cycles of a short period.
const REGULAR: u64 = 16;

/// A case, and the illegal encodings that the front end was shown while the case was made.
pub struct Block {
    pub case: Case,
    pub forbidden: Vec<Forbidden>,
}

/// An illegal encoding, and how the front end judged it.
pub struct Forbidden {
    pub inst: sets::Inst,
    pub expected: Clause,
    /// The clause whose bins tell the kinds of illegal encodings apart, and the bin of this one.
    pub clause: Clause,
    pub which: usize,
    pub found: Option<Clause>,
}

/// The state that a block's operations rely on, chosen before they are made.
#[derive(Default)]
pub(crate) struct Ground {
    pub ctrl: Ctrl,
    pub bus_errors: Vec<Range>,
}

/// Makes operations; each may depend on those before it.
pub(crate) trait Maker {
    fn issue(&mut self, rng: &mut Source, before: &[Issue]) -> Issue;
}

/// What a campaign needs from an instruction set.
pub(crate) trait Stimulus {
    /// Other sets whose operations this set's makers mix with their own.
    const BESIDE: &'static [Isa] = &[];
    /// Says in words which operations of other sets are mixed in, and how many.
    const COMPANY: Option<&'static str> = None;
    /// Whether answers of narrow scope matter: then most writes get one.
    const SCOPED: bool = false;
    /// Steps of shrinking that make an instruction simpler, whatever its address rule.
    const SIMPLIFICATIONS: &'static [fn(&mut Issue)] = &[];

    /// Returns the directed stream number `which` (PORT-RATE, PORT-BANK).
    fn stream(rng: &mut Source, which: u64, shape: &Shape, operations: u64) -> Case;

    /// Sets the control registers, and the ranges whose lines answer with error.
    fn ground(rng: &mut Source, shape: &Shape, ground: &mut Ground);

    /// Further ranges of bus errors; only the first of the sets in a block adds them.
    fn bus_errors(_: &mut Source, _: &Ctrl) -> Vec<Range> {
        Vec::new()
    }

    /// The memory that the lanes use: other masters write there too.
    fn used(ctrl: &Ctrl) -> Vec<Range>;

    /// Sets the contents of memory and its answers, where they matter to the set.
    fn prepare(_: &mut Source, _: &Shape, _: &mut Case) {}

    /// The maker of a case's operations.
    fn maker(rng: &mut Source, ctrl: &Ctrl, shape: &Shape) -> Box<dyn Maker>;

    /// An illegal encoding as the front end judges it, or `None` if the set has no illegal words.
    fn forbidden(_: &mut Source) -> Option<Forbidden> {
        None
    }
}

/// The instruction sets of a block.
#[derive(Clone, Copy)]
enum Mix {
    Only(Isa),
    /// One unit executes all of them, in one memory.
    Together,
}

/// Block `number` of the campaign `seed`, with `operations` operations of `isa`. With `None`, the instruction sets take
/// turns, followed by one block that mixes all of them.
pub fn block(isa: Option<Isa>, seed: u64, number: u64, shape: &Shape, operations: u64) -> Block {
    let mut block = made(isa, seed, number, shape, operations);
    // The makers assume eight warps; the unit may have fewer.
    block.case.issues.iter_mut().for_each(|issue| issue.op.warp %= shape.warps as u8);
    block.case.ctrl = block.case.ctrl.as_held();
    block
}

/// Whether the block `number` is a directed stream (PORT-RATE, PORT-BANK).
pub fn is_directed(isa: Option<Isa>, number: u64) -> bool {
    mix(isa, number).1 % DIRECTED == DIRECTED - 1
}

/// The instruction sets of a block, and its number among the blocks of the same mix.
fn mix(isa: Option<Isa>, number: u64) -> (Mix, u64) {
    let turns = Isa::ALL.len() as u64 + 1;
    match (isa, Isa::ALL.get((number % turns) as usize)) {
        (Some(isa), _) => (Mix::Only(isa), number),
        (None, Some(&isa)) => (Mix::Only(isa), number / turns),
        (None, None) => (Mix::Together, number / turns),
    }
}

fn made(isa: Option<Isa>, seed: u64, number: u64, shape: &Shape, operations: u64) -> Block {
    let (mix, number) = mix(isa, number);
    let mut rng = Source::seed_from_u64(seed ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let sets: &[Isa] = match &mix {
        Mix::Only(isa) => std::slice::from_ref(isa),
        Mix::Together => Isa::ALL,
    };
    if number % DIRECTED == DIRECTED - 1 {
        let (stream, count) = (number / DIRECTED, sets.len() as u64);
        // Together, the sets take turns, with streams that differ from those that each has alone.
        let mut own = if count > 1 { Source::seed_from_u64(!seed ^ number) } else { rng };
        let case = sets[(stream % count) as usize].stream(&mut own, stream / count, shape, operations);
        return Block { case, forbidden: Vec::new() };
    }
    // The sets of the block, and those whose operations their makers mix in.
    let has = |isa: &&Isa| sets.iter().any(|set| set == *isa || set.beside().contains(isa));
    let present: Vec<Isa> = Isa::ALL.iter().filter(has).copied().collect();
    let mut ground = Ground::default();
    present.iter().for_each(|isa| isa.ground(&mut rng, shape, &mut ground));
    let Ground { ctrl, bus_errors: more_errors } = ground;
    let used = present.iter().flat_map(|isa| isa.used(&ctrl)).filter(|range| range.size > 0).collect::<Vec<_>>();
    let mut case = Case {
        shape: *shape,
        ctrl,
        memory_seed: rng.next_u64(),
        memory: Vec::new(),
        shared: Vec::new(),
        bus_errors: present[0].bus_errors(&mut rng, &ctrl),
        issues: Vec::with_capacity(operations as usize),
        schedule: environment::schedule(&mut rng, &used, sets.iter().any(|isa| isa.scoped())),
        serial: false,
        flushes: flushes(number, operations),
        dirty_cycles: if rng.random_ratio(1, 4) { rng.random_range(1..60) } else { 0 },
        rate: None,
    };
    case.bus_errors.extend(more_errors);
    if number % REGULAR == REGULAR / 4 {
        // A source of their own: what the other blocks are made of does not depend on them.
        case.schedule.stalls = environment::regular(&mut Source::seed_from_u64(!seed ^ number));
    }
    sets.iter().for_each(|isa| isa.prepare(&mut rng, shape, &mut case));
    let ctrl = case.ctrl;
    let mut makers: Vec<Box<dyn Maker>> = sets.iter().map(|isa| isa.maker(&mut rng, &ctrl, shape)).collect();
    let mut forbidden = Vec::new();
    for _ in 0..operations {
        let which = if sets.len() > 1 { rng.random_range(0..sets.len()) } else { 0 };
        if rng.random_ratio(1, 64) {
            forbidden.extend(sets[which].forbidden(&mut rng));
        }
        let issue = makers[which].issue(&mut rng, &case.issues);
        case.issues.push(issue);
    }
    Block { case, forbidden }
}

/// The operations for which the unit waits until nothing is in flight: in one block of [`FLUSHED`] every few of the first
/// half. What a unit keeps or loses as it runs empty shows there.
fn flushes(number: u64, operations: u64) -> Vec<usize> {
    if number % FLUSHED != FLUSHED / 2 {
        return Vec::new();
    }
    let every = [1, 2, 3, 5, 8][(number / FLUSHED % 5) as usize];
    (every..operations as usize / 2).step_by(every).collect()
}

/// Lane masks of every shape: all, none, one, all but one, half, random.
pub(crate) fn mask(rng: &mut Source, shape: &Shape, choice: u64) -> LaneMask {
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Campaigns make only cases that the unit can run, whatever its parameters.
    #[test]
    fn every_block_fits_the_unit_that_it_is_for() {
        let mut rng = Source::seed_from_u64(7);
        for round in 0..120 {
            let lanes = [4, 8, 16, 32][rng.random_range(0..4)];
            let shape = Shape {
                lanes,
                line_bytes: [32, 64, 128][rng.random_range(0..3)],
                warps: rng.random_range(1..=8),
                pending: [2, 3, 6, 16, 63, 64][rng.random_range(0..6)],
                shared_bytes: (8 * lanes) << rng.random_range(0..=12),
            };
            assert_eq!(shape.problem(), None);
            for isa in Isa::ALL.iter().copied().map(Some).chain([None]) {
                // Every eighth block is a directed stream.
                let Block { case, .. } = block(isa, round, rng.random_range(0..64), &shape, 48);
                if let Err(error) = case.check(&shape) {
                    panic!("{isa:?}, round {round}, {shape}: {error}");
                }
                assert_eq!(case.issues.len(), 48, "{isa:?}, round {round}, {shape}");
            }
        }
    }

    /// Where all sets take turns, no block plays what another one has played.
    #[test]
    fn no_directed_stream_is_a_copy() {
        let shape = Shape::with_lanes(4);
        let directed = (0..400).filter(|number| is_directed(None, *number));
        let streams: Vec<Case> = directed.map(|number| block(None, 1, number, &shape, 8).case).collect();
        assert!(streams.len() > 40);
        for (place, case) in streams.iter().enumerate() {
            assert!(!streams[..place].contains(case), "stream {place}");
        }
    }
}
