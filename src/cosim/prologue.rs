// SPDX-License-Identifier: MIT OR Apache-2.0
//! The scratchpad has no value before it is stored to, and no port but the unit's own: a case is prepared by stores
//! that fill what is allocated of it.

use crate::{
    model::Memory,
    op::{AddrMode, Cache, Kind, Lanes, MAX_LANES, Op, Shape, Space},
};

use super::case::{Case, Issue};

/// Stores that fill the allocated part of the shared window: with the case's bytes, or pseudo-random ones.
pub fn stores(case: &Case, shape: &Shape) -> Vec<Issue> {
    let mut contents = Memory::new(!case.memory_seed);
    for bytes in &case.shared {
        contents.poke(bytes.addr, &bytes.bytes);
    }
    let window = case.ctrl.shared_window;
    let end = u64::from(case.ctrl.shared_size).min(window.size).min(shape.shared_bytes as u64);
    let op = Op {
        kind: Kind::Store as u8,
        addr_mode: AddrMode::Reg64 as u8,
        space: Space::Predicated as u8,
        element_bytes: 16,
        element_count: 1,
        element_mask: 1,
        attr: crate::op::Attr { cache_op: Cache::Wb as u8, ..Default::default() },
        ..Op::default()
    };
    let step = 16 * shape.lanes as u64;
    (0..end.div_ceil(step))
        .map(|index| {
            let mut issue = Issue { op, lanes: Lanes::default(), data: vec![[0; MAX_LANES]; 4], inst: None };
            for lane in 0..shape.lanes {
                let offset = index * step + 16 * lane as u64;
                if offset >= end {
                    break;
                }
                let ea = window.base + offset;
                issue.lanes.active |= 1 << lane;
                issue.lanes.addr[lane] = [ea as u32, (ea >> 32) as u32, 0];
                let line = contents.read_line(offset);
                for (register, bytes) in issue.data.iter_mut().zip(line.chunks_exact(4)) {
                    register[lane] = u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
                }
            }
            issue
        })
        .collect()
}
