// SPDX-License-Identifier: MIT OR Apache-2.0
//! Coalescing: merges the accesses of lanes into requests for lines (PORT-GROUP, PORT-MIN, PORT-REQ, COM-SAMEADDR).
//!
//! An aligned access lies in one line (SPA5-STRADDLE: lines are 32 bytes or more), so a lane joins only one request.
//! The order of the leaders is then simply the order in which ascending lanes first name each line, and one pass over
//! the lanes is enough.

use super::{Register, vector};
use crate::op::{GROUP_REGISTERS, Kind, LaneMask, MAX_LANES, MAX_LINE_BYTES, Op, ReqKind, Shape, Space};

/// One request at the memory port.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    pub kind: ReqKind,
    /// Byte address of the line.
    pub line: u64,
    /// Bit i: byte `line + i` is read or written.
    pub byte_enable: u128,
    /// The data of a write; 0 where not enabled, and in reads.
    pub data: [u8; MAX_LINE_BYTES],
    /// The lanes that the request serves.
    pub lanes: LaneMask,
    /// For each 32-bit word of the group, the lanes that the request serves with it. The words are the memory
    /// components X to W in a burst, otherwise the words of the access (for 256 bits, the first four). Together these
    /// masks are `lanes`.
    pub served: [LaneMask; GROUP_REGISTERS],
    /// PORT-GROUP. The number of the GPR in a burst; 0 in all other operations.
    pub group: u8,
    /// The space of the leader.
    pub space: Space,
}

/// Appends the requests of the lanes in `pending`, with byte addresses `addr`, to `out`.
///
/// `op` must be legal and the addresses aligned to its size. Lanes in `local` access local memory; the others access
/// the space that the operation names, or else global memory. `data` holds the words of a store's access
/// ([`vector::words`]). Every lane with bytes in a line joins its request, whatever its space. If several lanes write a
/// byte, the value of the highest lane remains (COM-SAMEADDR).
///
/// ```
/// use gpu_lsu::{model::coalesce::requests, op::{LaneMask, Op, Shape}};
///
/// let op = Op { element_bytes: 4, element_count: 1, element_mask: 1, ..Op::default() };
/// let mut addr = [0; 32];
/// addr[..3].copy_from_slice(&[0x180, 0x104, 0x184]);
/// let mut out = Vec::new();
/// requests(&Shape::with_lanes(4), &op, LaneMask::from_bits(0b111), LaneMask::NONE, &addr, &[[0; 32]; 4], &mut out);
/// assert_eq!(out.len(), 2);
/// assert_eq!((out[0].line, out[0].lanes.bits(), out[0].byte_enable), (0x180, 0b101, 0xff));
/// assert_eq!((out[1].line, out[1].lanes.bits(), out[1].byte_enable), (0x100, 0b010, 0xf0));
/// ```
pub fn requests(
    shape: &Shape,
    op: &Op,
    pending: LaneMask,
    local: LaneMask,
    addr: &[u64; MAX_LANES],
    data: &[Register],
    out: &mut Vec<Request>,
) {
    let other = match Space::from_code(op.space) {
        Some(space @ (Space::Cluster | Space::Param | Space::Uav)) => space,
        _ => Space::Global,
    };
    let moved = u64::from(vector::moved(op));
    let whole = moved == (1 << op.access_bytes().min(32)) - 1;
    let lanes = Pending { line_mask: !(shape.line_bytes as u64 - 1), pending, local, other, moved, addr, data };
    match (op.kind == Kind::Store as u8, op.access_bytes()) {
        (false, 1) => lanes.merge::<1, false, true>(out),
        (false, 2) => lanes.merge::<2, false, true>(out),
        (false, 4) => lanes.merge::<4, false, true>(out),
        (false, 8) => lanes.merge::<8, false, true>(out),
        (false, _) => lanes.merge::<16, false, true>(out),
        (true, 1) => lanes.merge::<1, true, true>(out),
        (true, 2) if whole => lanes.merge::<2, true, true>(out),
        (true, 4) if whole => lanes.merge::<4, true, true>(out),
        (true, 8) if whole => lanes.merge::<8, true, true>(out),
        (true, 16) if whole => lanes.merge::<16, true, true>(out),
        (true, 32) if whole => lanes.merge::<32, true, true>(out),
        (true, 2) => lanes.merge::<2, true, false>(out),
        (true, 4) => lanes.merge::<4, true, false>(out),
        (true, 8) => lanes.merge::<8, true, false>(out),
        (true, 16) => lanes.merge::<16, true, false>(out),
        (true, _) => lanes.merge::<32, true, false>(out),
    }
}

struct Pending<'a> {
    /// Clears the offset in a line; the line size is a power of two.
    line_mask: u64,
    pending: LaneMask,
    local: LaneMask,
    /// The space of the lanes that are not in `local`.
    other: Space,
    /// The bytes of an access that are moved. A byte of a sink is written by no lane: accesses of one size, aligned to
    /// it, share all of their bytes or none.
    moved: u64,
    addr: &'a [u64; MAX_LANES],
    data: &'a [Register],
}

impl Pending<'_> {
    /// `WHOLE` says that there are no sinks, so that the compiler knows which bytes are moved.
    fn merge<const BYTES: usize, const STORE: bool, const WHOLE: bool>(&self, out: &mut Vec<Request>) {
        let mut known = Known::<{ 2 * MAX_LANES }>::new(out.len());
        let mut lanes = self.pending.iter().peekable();
        while let Some(&leader) = lanes.peek() {
            let line = self.line(leader);
            let index = known.find(line, out).unwrap_or_else(|| {
                out.push(self.lead(leader, line, STORE));
                out.len() - 1
            });
            let request = &mut out[index];
            // Neighbouring lanes mostly share a line: their bits gather in machine registers before they go to the
            // request.
            let (mut joined, mut enable) = (LaneMask::NONE, [0u64; 2]);
            while let Some(lane) = lanes.next_if(|&lane| self.line(lane) == line) {
                let offset = (self.addr[lane] - line) as usize % MAX_LINE_BYTES;
                joined.insert(lane);
                // An aligned access lies in one half.
                let bits = if WHOLE { (1 << BYTES) - 1 } else { self.moved } << (offset % 64);
                enable[0] |= if offset < 64 { bits } else { 0 };
                enable[1] |= if offset < 64 { 0 } else { bits };
                if STORE {
                    // An access can cross the end of the line only if control registers are not multiples of 32.
                    if let Some(bytes) = request.data.get_mut(offset..offset + BYTES) {
                        vector::lay(self.data, lane, bytes);
                    }
                }
            }
            request.lanes |= joined;
            for served in request.served.iter_mut().take(BYTES.div_ceil(4)) {
                *served |= joined;
            }
            request.byte_enable |= u128::from(enable[1]) << 64 | u128::from(enable[0]);
        }
    }

    #[inline(always)]
    fn line(&self, lane: usize) -> u64 {
        self.addr[lane] & self.line_mask
    }

    /// A request without lanes so far.
    fn lead(&self, leader: usize, line: u64, store: bool) -> Request {
        Request {
            kind: if store { ReqKind::Write } else { ReqKind::Read },
            line,
            byte_enable: 0,
            data: [0; MAX_LINE_BYTES],
            lanes: LaneMask::NONE,
            served: [LaneMask::NONE; GROUP_REGISTERS],
            group: 0,
            space: if self.local.contains(leader) { Space::Local } else { self.other },
        }
    }
}

/// The requests of a group so far, by line: a hash table of `SLOTS` slots, at most half full.
pub(super) struct Known<const SLOTS: usize> {
    first: usize,
    slots: [u8; SLOTS],
}

impl<const SLOTS: usize> Known<SLOTS> {
    const EMPTY: u8 = u8::MAX;

    /// The group's requests begin at `first`.
    pub(super) fn new(first: usize) -> Self {
        Known { first, slots: [Self::EMPTY; SLOTS] }
    }

    /// The index of the request for `line`. If there is none, notes that the next request pushed will be for it.
    #[inline]
    pub(super) fn find(&mut self, line: u64, out: &[Request]) -> Option<usize> {
        let mut slot = (line.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - SLOTS.ilog2())) as usize;
        loop {
            match self.slots[slot % SLOTS] {
                Self::EMPTY => break,
                index if out[self.first + usize::from(index)].line == line => {
                    return Some(self.first + usize::from(index));
                }
                _ => slot += 1,
            }
        }
        self.slots[slot % SLOTS] = (out.len() - self.first) as u8;
        None
    }
}
