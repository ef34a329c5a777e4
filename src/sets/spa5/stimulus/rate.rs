// SPDX-License-Identifier: MIT OR Apache-2.0
//! Directed streams without stalls, in which the unit must keep its full rate (PORT-RATE, PORT-BANK).

use rand::Rng;

use super::{crowd, late, paced, shares};
use crate::{
    cosim::{
        case::{Case, Issue, Rate, stall},
        stimulus::{
            Source,
            directed::{conflict, directed, most_conflicts},
        },
    },
    op::{Ctrl, LaneMask, Lanes, MAX_LANES, Op, Private, Range, Shape},
    sets::{
        self,
        spa5::{self, Guard, Inst, Opcode},
    },
};

pub const GLOBAL: u64 = 0x10_0000;
pub const SHARED: u64 = 0x100_0000;

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Operations,
    Requests,
    /// The first operation has a line for each lane, and those behind it, of the same warp, queue up.
    Queue,
    /// Several words of one bank, each for one lane or more, or for some of their bytes.
    Conflicts,
    /// A unit stride of 32, 64 or 128 bits, which costs as many cycles as registers.
    UnitStride,
    /// As `Operations`, but more completions are due than the port can show at once. The only one of one warp must get
    /// its turn among them (PORT-FAIR).
    Turns,
    /// As `Conflicts`, but write-back is stalled until everything that holds words for it is full.
    Full,
}

/// The kinds of streams, in turn, followed by one that shares write-back, one with late answers, one in which many load
/// what one stores, and one with answers at an even pace. Those of PORT-RATE and PORT-BANK come with loads and with stores, except for one.
const KINDS: [(Opcode, Kind); 11] = [
    (Opcode::Ld, Kind::UnitStride),
    (Opcode::St, Kind::Operations),
    (Opcode::Ld, Kind::Conflicts),
    (Opcode::St, Kind::Requests),
    (Opcode::St, Kind::UnitStride),
    (Opcode::Ld, Kind::Operations),
    (Opcode::St, Kind::Conflicts),
    (Opcode::Ld, Kind::Requests),
    (Opcode::St, Kind::Turns),
    (Opcode::Ld, Kind::Full),
    (Opcode::Ld, Kind::Queue),
];
/// The size fields of an unsigned byte and of an unsigned halfword.
const U8: u8 = 0;
const U16: u8 = 2;
const STREAMS: u64 = KINDS.len() as u64 + 4;
/// Cycles without done_ready, or without wb_ready. Meanwhile the unit fills with finished operations, or with those
/// whose words have arrived.
const CROWDED: usize = 128;

/// Control registers with global memory at [`GLOBAL`] and a scratchpad at [`SHARED`].
pub fn control(shape: &Shape) -> Ctrl {
    let mut ctrl = Ctrl {
        shared_window: Range { base: SHARED, size: 0x8000 },
        shared_size: (shape.lanes * shape.lanes * 4).max(512).min(shape.shared_bytes) as u32,
        local_memory: Private { base: 0x80_0000_0000, stride: 32, size: 32 },
        ..Ctrl::default()
    };
    ctrl.alloc[0] = Range { base: GLOBAL, size: 0x10_0000 };
    ctrl
}

/// A load or a store of one register of global memory: of these lanes, each at an address.
pub fn access(rng: &mut Source, op: Opcode, warp: u8, active: LaneMask, ea: impl Fn(u64) -> u64) -> Issue {
    let inst = Inst { op, guard: Guard::ALWAYS, ra: 2, imm: 0, e: false, size: 4, cop: 0, plg: 7, rd: 4 };
    let Ok(lowered) = spa5::lower(&inst, 255) else { unreachable!("{inst} is legal") };
    let mut lanes =
        Lanes { active, helper: LaneMask::NONE, predicate: LaneMask::ALL, addr: [[0; 3]; MAX_LANES] };
    for lane in active.iter() {
        lanes.addr[lane][0] = ea(lane as u64) as u32;
    }
    let mut data = vec![[0; MAX_LANES]; lowered.op.data_beats() as usize];
    for register in &mut data {
        register.iter_mut().for_each(|word| *word = rng.next_u64() as u32);
    }
    Issue { op: Op { warp, ..lowered.op }, lanes, data, inst: Some(sets::Inst::Spa5(inst)) }
}

/// Makes the stream number `which`. The kinds take turns.
pub fn stream(rng: &mut Source, which: u64, shape: &Shape, operations: u64) -> Case {
    let (round, place) = (which / STREAMS, (which % STREAMS) as usize);
    let Some(&(op, kind)) = KINDS.get(place) else {
        let others = [shares::stream, late::stream, crowd::stream, paced::stream];
        return others[place - KINDS.len()](rng, shape, operations);
    };
    let line = shape.line_bytes as u64;
    let banks = shape.lanes as u64;
    // Moves on by one in each round, so that every kind meets every cost, however many kinds there are. Few lanes meet the
    // cost at which some of them share a word in the first round.
    let turn = place as u64 + round + 1;
    let most = most_conflicts(shape);
    let wide = (turn % 3).min(most.into()) as u32;
    let (rate, size, shared) = match kind {
        Kind::Operations | Kind::Turns => (Rate::Operations, 4, false),
        Kind::Requests | Kind::Queue => (Rate::Requests, 4, false),
        Kind::Conflicts | Kind::Full => (Rate::Banks(1 << (turn % u64::from(most + 1))), 4, true),
        Kind::UnitStride => (Rate::Banks(1 << wide), 4 + wide as u8, true),
    };
    let turns = kind == Kind::Turns;
    // Loads and stores take turns, in every other round.
    let mixed = round & 1 == 1 && !matches!(kind, Kind::Turns | Kind::Full | Kind::Queue);
    let other = if op == Opcode::Ld { Opcode::St } else { Opcode::Ld };
    // The youngest operation in the crowded unit, which a fixed order would serve last.
    let alone = 2 * shape.pending as u64 - 1;
    let issues = (0..operations)
        .map(|number| {
            // Some lanes have only a byte or a halfword of their word.
            let narrow = usize::from(kind == Kind::Conflicts) * (number + number / 3) as usize % 3;
            let size = [size, U8, U16][narrow];
            let op = match number {
                // A load is done some cycles after a store that goes with it: both ends are loads.
                _ if mixed && shared && (number < 8 || number + 8 >= operations) => Opcode::Ld,
                _ if mixed && number & 1 == 1 => other,
                _ => op,
            };
            let inst = Inst { op, guard: Guard::ALWAYS, ra: 2, imm: 0, e: false, size, cop: 0, plg: 7, rd: 4 };
            let bytes = u64::from(inst.bytes().unwrap_or(4));
            let Ok(lowered) = spa5::lower(&inst, 255) else { unreachable!("{inst} is legal") };
            let mut lanes = Lanes {
                active: shape.lane_mask(),
                helper: LaneMask::NONE,
                predicate: if shared { LaneMask::NONE } else { LaneMask::ALL },
                addr: [[0; 3]; MAX_LANES],
            };
            for (lane, words) in (0..).zip(lanes.addr.iter_mut().take(shape.lanes)) {
                let ea = match rate {
                    Rate::Requests if kind == Kind::Queue && number > 0 => {
                        GLOBAL + (number + shape.lanes as u64) * line + lane * 4 % line
                    }
                    // A line for each operation.
                    Rate::Operations => GLOBAL + number * line + lane * 4 % line,
                    // A line for each lane.
                    Rate::Requests => GLOBAL + (number * shape.lanes as u64 + lane) * line,
                    Rate::Banks(_) if kind == Kind::UnitStride => SHARED + lane * bytes,
                    // Lanes that share a word begin at different bytes of it.
                    Rate::Banks(cost) => SHARED + conflict(lane, number, cost, banks) * 4 + lane * bytes % 4,
                };
                words[0] = ea as u32;
            }
            let mut data = vec![[0; MAX_LANES]; lowered.op.data_beats() as usize];
            for register in &mut data {
                register.iter_mut().for_each(|word| *word = rng.next_u64() as u32);
            }
            let mut op = lowered.op;
            op.warp = match turns {
                true if number == alone => 0,
                true => 1 + (number % (shape.warps as u64 - 1).max(1)) as u8,
                false if kind == Kind::Queue => 0,
                false => (number % shape.warps as u64) as u8 & if which >> 3 & 1 == 0 { 7 } else { 0 },
            };
            Issue { op, lanes, data, inst: Some(sets::Inst::Spa5(inst)) }
        })
        .collect();
    let ctrl = control(shape);
    let mut case = directed(rng, shape, ctrl, issues, rate);
    let stalled = match kind {
        Kind::Turns => Some(stall::DONE),
        Kind::Full => Some(stall::WB),
        _ => None,
    };
    if let Some(port) = stalled {
        let crowded = std::iter::repeat_n(port, CROWDED);
        case.schedule.stalls = crowded.chain(std::iter::repeat_n(0, 2 * operations as usize)).collect();
        case.rate = None;
    }
    if mixed && !shared {
        case.rate = Some(Rate::Requests);
    }
    case
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use rand::SeedableRng;

    use super::*;

    #[test]
    fn every_kind_meets_every_cost() {
        for shape in [4, 32].map(Shape::with_lanes) {
            let most = most_conflicts(&shape);
            for (place, (_, kind)) in (0..).zip(KINDS) {
                let streams = (0..2 * u64::from(most + 1)).map(|round| round * STREAMS + place);
                let rates = streams.map(|which| stream(&mut Source::seed_from_u64(which), which, &shape, 2).rate);
                let costs: BTreeSet<u32> =
                    rates.filter_map(|rate| if let Some(Rate::Banks(cost)) = rate { Some(cost) } else { None }).collect();
                let all = match kind {
                    Kind::Conflicts => 1 << (most + 1),
                    Kind::UnitStride => 1 << 3,
                    _ => 1,
                };
                let all: BTreeSet<u32> = (0..).map(|bit| 1 << bit).take_while(|cost| 2 * cost <= all).collect();
                assert_eq!(costs, all, "{} lanes, kind {place}", shape.lanes);
            }
        }
    }
}
