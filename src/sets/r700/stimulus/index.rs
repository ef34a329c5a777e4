// SPDX-License-Identifier: MIT OR Apache-2.0
//! The lanes' indices: patterns that coalesce or scatter, and the edges at which a dword stops moving.

use rand::Rng;

use super::Source;
use crate::{
    model::buffer,
    op::{BufferSlot, Ctrl, Lanes, Op, Shape},
};

/// Indices at which something changes.
struct Edges {
    all: [u64; 7],
    /// Below this one everything moves.
    end: u64,
    /// GPRs of the burst.
    burst: u64,
}

impl Edges {
    fn new(ctrl: &Ctrl, op: &Op) -> Self {
        let export = op.slot == BufferSlot::Export as u8;
        let unbounded = export && ctrl.r700_driver_form;
        let dwords = if unbounded { 1 } else { u64::from(op.elem_size) + 1 };
        let base = u64::from(op.array_base);
        let base = match ctrl.r700_driver_form {
            _ if unbounded => 0,
            false => base,
            true => base * if op.slot < BufferSlot::Stream0 as u8 { 4 } else { 1 } / dwords,
        };
        // Where the array ends, and where the buffer does.
        let limit = if unbounded { u64::from(u32::MAX) } else { op.array_size.into() };
        let bound = (u64::from(buffer::of(ctrl, op).size) / 4 / dwords).saturating_sub(base);
        Edges {
            // Where byte addresses of 32 bits end, dwords of 32 bits, and the index itself.
            all: [0, limit, limit, bound, (1 << 30) / dwords, (1 << 32) / dwords, 1 << 32],
            end: limit.min(bound),
            burst: op.present_gprs.count_ones().into(),
        }
    }

    fn near(&self, bits: u64) -> u64 {
        let edge = match bits & 15 {
            15 => 1 << 31,
            which => self.all[which as usize % 7],
        };
        match bits >> 4 & 3 {
            0 => edge,
            1 => edge.wrapping_sub(1),
            2 => edge.wrapping_sub(self.burst),
            _ => edge.wrapping_sub(self.burst).wrapping_add(bits >> 6 & 3),
        }
    }
}

/// Gives every lane an index. Words that the operation does not use hold anything.
pub fn fill(rng: &mut Source, shape: &Shape, ctrl: &Ctrl, op: &Op, lanes: &mut Lanes) {
    let edges = Edges::new(ctrl, op);
    let bits = rng.next_u64();
    // Mostly within a few lines, where transfers meet.
    let room = edges.end.saturating_sub(edges.burst).max(1);
    let start = (bits >> 20) % if bits >> 8 & 3 == 0 { room } else { room.min(24) };
    let edge = edges.near(bits >> 24);
    let dwords = u64::from(op.elem_size) + 1;
    for (lane, words) in (0u64..).zip(lanes.addr.iter_mut().take(shape.lanes)) {
        let random = rng.next_u64();
        let index = match bits & 15 {
            // As compilers have it: a thread, an element, or a burst of them.
            0..=4 => start + lane,
            5 | 6 => start + lane * edges.burst,
            7 => start,
            // A line for each, or nearly.
            8 => start + lane * (32 / dwords + (bits >> 10 & 1)),
            // A few elements that all fight for.
            9 => start + (random & 7),
            10 => random % room,
            11 | 12 => edges.near(random),
            // One edge, straddled by all lanes.
            13 | 14 => edge.wrapping_sub(shape.lanes as u64 / 2).wrapping_add(lane),
            _ => random as u32 as u64 >> (random >> 32 & 31),
        };
        *words = [index as u32, random as u32, (random >> 32) as u32];
    }
    if bits >> 12 & 7 == 0 {
        let random = rng.next_u64();
        lanes.addr[random as usize % shape.lanes][0] = edges.near(random >> 8) as u32;
    }
}
