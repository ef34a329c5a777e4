// SPDX-License-Identifier: MIT OR Apache-2.0
//! Pairs that are refused again and again beside a stream of loads: each must get its turn (PORT-FAIR).

use rand::{Rng, RngExt};

use super::{Source, raw};
use crate::{
    cosim::case::{Answer, Bytes, Case, Issue, Schedule, stall},
    op::{AddrMode, Attr, Cache, Ctrl, Kind, LaneMask, Lanes, MAX_LANES, Op, Range, Resource, Shape, Space, Uav},
};

const PAIRS: u64 = 0x10_0000;
const LOADS: u64 = 0x100_0000;
/// How often a pair is refused: more requests than anything may have to wait for.
const REFUSALS: u8 = 80;
/// The lines of the pairs.
const LINES: u64 = 64;
/// The operations of a round: about as many as are in flight together, beside one that takes long.
const ROUND: u64 = 64;

/// What is tried beside the pairs that are refused.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Turns {
    /// One pair, and all other warps load.
    One,
    /// As many pairs as may be in flight together, and all other warps load.
    All,
    /// Enough pairs to use every other cycle of the port, in each round anew. One warp loads all the time, and another
    /// one once in each round: a round robin of two must not keep step with the pairs' turns.
    Once,
    /// One pair more than may be in flight: the last one waits for an id, and others load from its line meanwhile.
    Further,
}

/// Pairs that are refused, and a continuous stream of loads behind them. The kinds take turns.
pub fn turns(rng: &mut Source, which: u64, shape: &Shape, operations: u64) -> Case {
    let line = shape.line_bytes as u64;
    let mut ctrl = Ctrl::default();
    ctrl.uav[0] = Uav { kind: Resource::Raw as u8, base: PAIRS, size: LINES * line, ..Uav::default() };
    ctrl.alloc[0] = Range { base: LOADS, size: 0x100_0000 };
    ctrl.alloc[1] = Range { base: PAIRS, size: LINES * line };
    let turns = match which % 4 {
        0 => Turns::One,
        1 if shape.warps > 2 => Turns::Once,
        2 => Turns::Further,
        _ => Turns::All,
    };
    let most = shape.pending as u64 - 1;
    let (together, refusals) = match turns {
        Turns::One => (1, REFUSALS),
        Turns::All => (most, REFUSALS),
        Turns::Further => (most + 1, REFUSALS),
        Turns::Once => (most.min(4), 24),
    };
    let round = if turns == Turns::Once { ROUND } else { operations.max(1) };
    let mut issues = Vec::new();
    for first in (0..operations).step_by(round as usize) {
        let mut left = together;
        while left > 0 {
            let lanes = left.min(shape.lanes as u64);
            left -= lanes;
            issues.push(pairs(lanes, |lane| (first / round * together + left + lanes - 1 - lane) % LINES * line));
        }
        let begun = issues.len() as u64;
        // After the pairs have begun, and early enough that many pass it.
        let once = begun + rng.random_range(6..20);
        issues.extend((begun..first + round).map(|number| {
            let (warp, base) = match turns {
                // Not the pairs' warp, which waits for them.
                Turns::One | Turns::All => (1 + (number % (shape.warps as u64 - 1).max(1)) as u8, LOADS + number * line),
                Turns::Once if number == once => (2, LOADS + number * line),
                Turns::Further if rng.random_ratio(1, 4) => (1, PAIRS),
                Turns::Once | Turns::Further => (1, LOADS + number * line),
            };
            load(shape, warp, base)
        }));
    }
    issues.truncate(operations as usize);
    // Without these all operations would come in odd cycles, or in even ones.
    let mut gaps = || (0..61).map(|_| if rng.random_ratio(1, 8) { stall::OP } else { 0 }).collect();
    let stalls = if turns == Turns::Once { gaps() } else { Vec::new() };
    Case {
        shape: *shape,
        ctrl,
        memory_seed: rng.next_u64(),
        memory: vec![Bytes { addr: PAIRS, bytes: vec![0; LINES as usize * shape.line_bytes] }],
        shared: Vec::new(),
        bus_errors: Vec::new(),
        issues,
        schedule: Schedule {
            answers: vec![Answer { scope: 3, ..Answer::default() }],
            refusals: vec![refusals],
            stalls,
            ..Schedule::default()
        },
        serial: false,
        flushes: Vec::new(),
        dirty_cycles: 0,
        rate: None,
    }
}

/// A compare-and-store whose lowest `lanes` lanes match, each at an offset of its own.
fn pairs(lanes: u64, offset: impl Fn(u64) -> u64) -> Issue {
    let mut lanes_of = Lanes { active: LaneMask::lowest(lanes as usize), ..Lanes::default() };
    for (lane, words) in (0..lanes).zip(&mut lanes_of.addr) {
        words[0] = offset(lane) as u32;
    }
    Issue { op: raw(Space::Uav), lanes: lanes_of, data: vec![[0; MAX_LANES], [1; MAX_LANES]], inst: None }
}

/// A load of all lanes from one line.
fn load(shape: &Shape, warp: u8, base: u64) -> Issue {
    let op = Op {
        kind: Kind::Load as u8,
        addr_mode: AddrMode::Reg64 as u8,
        space: Space::Predicated as u8,
        warp,
        element_bytes: 4,
        element_count: 1,
        element_mask: 1,
        attr: Attr { cache_op: Cache::Ca as u8, ..Attr::default() },
        ..Op::default()
    };
    let mut lanes = Lanes { active: shape.lane_mask(), predicate: LaneMask::ALL, ..Lanes::default() };
    for (lane, words) in (0..).zip(lanes.addr.iter_mut().take(shape.lanes)) {
        words[0] = (base + 4 * (lane % (shape.line_bytes as u64 / 4))) as u32;
    }
    Issue { op, lanes, data: Vec::new(), inst: None }
}
