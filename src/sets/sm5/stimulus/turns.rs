// SPDX-License-Identifier: MIT OR Apache-2.0
//! Pairs that are refused again and again beside a stream of loads: each must get its turn (PORT-FAIR).

use rand::{Rng, RngExt};

use super::Source;
use crate::{
    cosim::case::{Answer, Bytes, Case, Issue, Schedule},
    op::{AddrMode, Attr, Cache, Ctrl, Kind, LaneMask, Lanes, MAX_LANES, Op, Range, Resource, Shape, Space, Uav},
};

const PAIRS: u64 = 0x10_0000;
const LOADS: u64 = 0x100_0000;
/// How often a pair is refused: more requests than anything may have to wait for.
const REFUSALS: u8 = 80;

/// One pair, or as many as can be in flight together, and a continuous stream of loads behind them.
pub fn turns(rng: &mut Source, shape: &Shape, operations: u64) -> Case {
    let line = shape.line_bytes as u64;
    let attr = Attr { cache_op: Cache::Wb as u8, ..Attr::default() };
    let mut ctrl = Ctrl::default();
    ctrl.uav[0] = Uav { kind: Resource::Raw as u8, base: PAIRS, size: 64 * line, ..Uav::default() };
    ctrl.alloc[0] = Range { base: LOADS, size: 0x100_0000 };
    let mut left = if rng.random() { 1 } else { shape.pending as u64 - 1 };
    let mut issues = Vec::new();
    while left > 0 {
        let lanes = left.min(shape.lanes as u64);
        let op = Op {
            kind: Kind::CmpStore as u8,
            addr_mode: AddrMode::Raw as u8,
            space: Space::Uav as u8,
            element_bytes: 4,
            element_count: 1,
            element_mask: 1,
            suppress_helpers: true,
            attr,
            ..Op::default()
        };
        let active = LaneMask::lowest(lanes as usize);
        let mut issue = Issue {
            op,
            lanes: Lanes { active, ..Lanes::default() },
            data: vec![[0; MAX_LANES], [1; MAX_LANES]],
            inst: None,
        };
        for (lane, words) in (0..lanes).zip(&mut issue.lanes.addr) {
            words[0] = ((left - 1 - lane) * line) as u32;
        }
        left -= lanes;
        issues.push(issue);
    }
    let first = issues.len() as u64;
    issues.extend((first..operations).map(|number| {
        let op = Op {
            kind: Kind::Load as u8,
            addr_mode: AddrMode::Reg64 as u8,
            space: Space::Predicated as u8,
            // Not the pairs' warp, which waits for them.
            warp: 1 + (number % (shape.warps as u64 - 1).max(1)) as u8,
            element_bytes: 4,
            element_count: 1,
            element_mask: 1,
            attr: Attr { cache_op: Cache::Ca as u8, ..Attr::default() },
            ..Op::default()
        };
        let mut lanes = Lanes { active: shape.lane_mask(), predicate: LaneMask::ALL, ..Lanes::default() };
        for (lane, words) in (0..).zip(lanes.addr.iter_mut().take(shape.lanes)) {
            words[0] = (LOADS + number * line + 4 * (lane % (line / 4))) as u32;
        }
        Issue { op, lanes, data: Vec::new(), inst: None }
    }));
    issues.truncate(operations as usize);
    Case {
        shape: *shape,
        ctrl,
        memory_seed: rng.next_u64(),
        memory: vec![Bytes { addr: PAIRS, bytes: vec![0; 64 * shape.line_bytes] }],
        shared: Vec::new(),
        bus_errors: Vec::new(),
        issues,
        schedule: Schedule {
            answers: vec![Answer { scope: 3, ..Answer::default() }],
            refusals: vec![REFUSALS],
            ..Schedule::default()
        },
        serial: false,
        flushes: Vec::new(),
        dirty_cycles: 0,
        rate: None,
    }
}
