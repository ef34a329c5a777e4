// SPDX-License-Identifier: MIT OR Apache-2.0
//! The lanes' indices: patterns that coalesce or scatter, and the edges past which dwords no longer move.

use rand::Rng;

use super::Source;
use crate::{
    model::buffer,
    op::{BufferSlot, Ctrl, Lanes, Op, Shape},
};

/// Indices at which something changes.
struct Edges {
    all: [u64; 7],
    /// The index below which everything moves.
    end: u64,
    /// Number of GPRs in the burst, and of dwords in an element.
    burst: u64,
    dwords: u64,
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
        // The ends of the array and of the buffer.
        let limit = if unbounded { u64::from(u32::MAX) } else { op.array_size.into() };
        let bound = (u64::from(buffer::of(ctrl, op).size) / 4 / dwords).saturating_sub(base);
        Edges {
            // The last three are the ends of 32-bit byte addresses, of 32-bit dword numbers, and of the index itself.
            all: [0, limit, limit, bound, (1 << 30) / dwords, (1 << 32) / dwords, 1 << 32],
            end: limit.min(bound),
            burst: op.present_gprs.count_ones().into(),
            dwords,
        }
    }

    fn near(&self, bits: u64) -> u64 {
        let edge = match bits & 15 {
            // Where an element's first dword number, of 33 bits and more, may be cut.
            15 if bits >> 8 & 1 == 0 => (1 << 33) / self.dwords,
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

/// Gives every lane an index. Words that the operation does not use hold random values.
pub fn fill(rng: &mut Source, shape: &Shape, ctrl: &Ctrl, op: &Op, lanes: &mut Lanes) {
    let edges = Edges::new(ctrl, op);
    let bits = rng.next_u64();
    // Most indices lie within a few lines, where transfers meet.
    let room = edges.end.saturating_sub(edges.burst).max(1);
    let start = (bits >> 20) % if bits >> 8 & 3 == 0 { room } else { room.min(24) };
    let edge = edges.near(bits >> 24);
    let dwords = u64::from(op.elem_size) + 1;
    for (lane, words) in (0u64..).zip(lanes.addr.iter_mut().take(shape.lanes)) {
        let random = rng.next_u64();
        let index = match bits & 15 {
            // As compilers produce it: a thread, an element, or a burst of elements for each lane.
            0..=4 => start + lane,
            5 | 6 => start + lane * edges.burst,
            7 => start,
            // A line for each lane, or nearly.
            8 => start + lane * (32 / dwords + (bits >> 10 & 1)),
            // A few elements for which all lanes compete.
            9 => start + (random & 7),
            10 => random % room,
            11 | 12 => edges.near(random),
            // One edge that the lanes straddle together.
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
