// SPDX-License-Identifier: MIT OR Apache-2.0
//! The stores that fill the scratchpad before a case. The scratchpad holds no defined value before, and only the unit
//! can reach it; so the unit itself stores to all that the case uses.

use crate::{
    model::Memory,
    op::{AddrMode, Cache, Ctrl, Kind, Lanes, MAX_LANES, MAX_LINE_BYTES, Op, Range, Shape, Space},
};

use super::case::{Case, Issue, Schedule};

/// Bytes that each lane stores.
pub(crate) const ITEM: u64 = 16;

/// The control registers of the prologue: the shared window covers the whole scratchpad.
pub fn control(shape: &Shape) -> Ctrl {
    let size = shape.shared_bytes as u64;
    Ctrl { shared_window: Range { base: 0, size }, shared_size: size as u32, ..Ctrl::default() }
}

/// The prologue of a case, under control registers of its own.
pub fn case(case: &Case, shape: &Shape) -> Case {
    Case {
        shape: case.shape,
        ctrl: control(shape),
        memory_seed: case.memory_seed,
        memory: Vec::new(),
        shared: Vec::new(),
        bus_errors: Vec::new(),
        issues: stores(case, shape, &items(case, shape)),
        schedule: Schedule::eager(),
        serial: false,
        flushes: Vec::new(),
        dirty_cycles: 0,
        rate: None,
    }
}

/// Stores that fill the given items of the scratchpad with the case's bytes, or else pseudo-random ones.
pub(crate) fn stores(case: &Case, shape: &Shape, items: &[u64]) -> Vec<Issue> {
    let mut contents = Memory::new(!case.memory_seed);
    for bytes in &case.shared {
        contents.poke(bytes.addr, &bytes.bytes);
    }
    let op = operation();
    // A line holds eight items. They ascend, so one line at a time is enough.
    let (mut held, mut line) = (None, [0; MAX_LINE_BYTES]);
    let store = |items: &[u64]| {
        let mut issue = Issue { op, lanes: Lanes::default(), data: vec![[0; MAX_LANES]; 4], inst: None };
        for (lane, item) in items.iter().enumerate() {
            let offset = item * ITEM;
            issue.lanes.active.insert(lane);
            issue.lanes.addr[lane][0] = offset as u32;
            let (number, skip) = (offset / MAX_LINE_BYTES as u64, offset as usize % MAX_LINE_BYTES);
            if held != Some(number) {
                line = contents.read_line(offset - skip as u64);
                held = Some(number);
            }
            for (register, bytes) in issue.data.iter_mut().zip(line[skip..].as_chunks().0) {
                register[lane] = u32::from_le_bytes(*bytes);
            }
        }
        issue
    };
    items.chunks(shape.lanes).map(store).collect()
}

/// The allocated part of the scratchpad, in items of 16 bytes, ascending.
pub(super) fn items(case: &Case, shape: &Shape) -> Vec<u64> {
    // An address of .shared need not lie in the window.
    let named = case.issues.iter().any(|issue| issue.op.space == Space::Shared as u8);
    let window = if named { u64::MAX } else { case.ctrl.shared_window.size };
    let allocated = u64::from(case.ctrl.shared_size).min(window);
    let groups = case.ctrl.tgsm.iter().map(|tgsm| (u64::from(tgsm.base), u64::from(tgsm.base) + u64::from(tgsm.size)));
    let all = shape.shared_bytes as u64;
    let ranges = groups.chain([(0, allocated)]).map(|(from, to)| (from, to.min(all)));
    let mut items: Vec<u64> = ranges.flat_map(|(from, to)| from / ITEM..to.div_ceil(ITEM)).collect();
    items.sort_unstable();
    items.dedup();
    items
}

/// A store of one item to the shared window.
pub(super) fn operation() -> Op {
    Op {
        kind: Kind::Store as u8,
        addr_mode: AddrMode::Reg64 as u8,
        space: Space::Predicated as u8,
        element_bytes: ITEM as u8,
        element_count: 1,
        element_mask: 1,
        attr: crate::op::Attr { cache_op: Cache::Wb as u8, ..Default::default() },
        ..Op::default()
    }
}
