// SPDX-License-Identifier: MIT OR Apache-2.0
//! Rules that lane accesses of several sets have in common, bent one at a time.

use crate::{
    clause::Clause,
    judge::diagnose::naming::Bend,
    op::{ADDR_WIDTH, AddrMode, Ctrl, Lanes, Op, Range},
};

pub const EVERYWHERE: Range = Range { base: 0, size: 0xff_ffff_ffe0 };

pub fn is(op: &Op, mode: AddrMode) -> bool {
    op.addr_mode == mode as u8
}

/// Replaces the address rule: `change` turns the right EA of every lane into the bent one.
pub fn readdress(op: &mut Op, lanes: &mut Lanes, mut change: impl FnMut(u64) -> u64) {
    for words in &mut lanes.addr {
        let ea = match AddrMode::from_code(op.addr_mode) {
            Some(AddrMode::Abs) => op.imm,
            Some(AddrMode::Reg32) => u64::from(words[0].wrapping_add(op.imm as u32)),
            _ => (u64::from(words[1]) << 32 | u64::from(words[0])).wrapping_add(op.imm),
        };
        let ea = change(ea);
        (words[0], words[1]) = (ea as u32, (ea >> 32) as u32);
    }
    op.addr_mode = AddrMode::Reg64 as u8;
    op.imm = 0;
}

/// Gives every lane one of the address words of the lowest.
pub fn of_lowest(lanes: &mut Lanes, word: usize) {
    let lowest = lanes.addr[0][word];
    lanes.addr.iter_mut().for_each(|words| words[word] = lowest);
}

/// Drops the carry from the lower to the upper half of a 64-bit sum.
pub fn halves(op: &mut Op, lanes: &mut Lanes) {
    for words in &mut lanes.addr {
        words[0] = words[0].wrapping_add(op.imm as u32);
        words[1] = words[1].wrapping_add((op.imm >> 32) as u32);
    }
    op.imm = 0;
}

/// Cuts the first `bytes` bytes off the local window. The rest keeps its offsets.
pub fn cut_local(ctrl: &mut Ctrl, bytes: u64) {
    ctrl.local_window.base += bytes;
    ctrl.local_window.size = ctrl.local_window.size.saturating_sub(bytes);
    ctrl.local_memory.base += bytes;
    ctrl.local_memory.size = ctrl.local_memory.size.saturating_sub(bytes as u32);
}

/// Cuts the last 32 bytes off a range.
pub fn shrink(range: &mut Range) {
    range.size = range.size.saturating_sub(32);
}

/// Forces the lowest bits of an address to 0, whatever the size of the access.
fn force(op: &mut Op, lanes: &mut Lanes, low: u64) {
    readdress(op, lanes, |ea| ea & !low);
}

/// Aligns accesses of `size` bytes to twice as many.
fn double(op: &mut Op, lanes: &mut Lanes, size: u32) {
    if op.access_bytes() == size {
        force(op, lanes, 2 * u64::from(size) - 1);
    }
}

/// Lets no access trap whose address is a multiple of `enough`.
fn trap_less(ctrl: &Ctrl, op: &mut Op, lanes: &mut Lanes, enough: u64) {
    let low = u64::from(op.access_bytes()).saturating_sub(1);
    if ctrl.trap_misaligned {
        readdress(op, lanes, |ea| if ea.is_multiple_of(enough) { ea & !low } else { ea });
    }
}

/// A set's rule of alignment.
pub const fn align(clause: Clause) -> [Bend; 16] {
    [
        (clause, |_, op, lanes| force(op, lanes, 63)),
        (clause, |_, op, lanes| force(op, lanes, 31)),
        (clause, |_, op, lanes| force(op, lanes, 15)),
        (clause, |_, op, lanes| force(op, lanes, 7)),
        (clause, |_, op, lanes| force(op, lanes, 3)),
        (clause, |_, op, lanes| force(op, lanes, 1)),
        (clause, |_, op, lanes| double(op, lanes, 16)),
        (clause, |_, op, lanes| double(op, lanes, 8)),
        (clause, |_, op, lanes| double(op, lanes, 4)),
        (clause, |_, op, lanes| double(op, lanes, 2)),
        (clause, |ctrl, _, _| ctrl.trap_misaligned = !ctrl.trap_misaligned),
        // No access of more than a byte counts as aligned.
        (clause, |ctrl, op, lanes| {
            if ctrl.trap_misaligned {
                readdress(op, lanes, |ea| ea | 1);
            }
        }),
        // Only what is not a multiple of 2, 4, 8 or 16 counts as misaligned.
        (clause, |ctrl, op, lanes| trap_less(ctrl, op, lanes, 2)),
        (clause, |ctrl, op, lanes| trap_less(ctrl, op, lanes, 4)),
        (clause, |ctrl, op, lanes| trap_less(ctrl, op, lanes, 8)),
        (clause, |ctrl, op, lanes| trap_less(ctrl, op, lanes, 16)),
    ]
}

/// Enlarges every allocation by `bytes`.
fn grow(ctrl: &mut Ctrl, bytes: u32) {
    ctrl.alloc.iter_mut().for_each(|range| range.size = range.size.saturating_add(bytes.into()));
}

/// Leaves the lower bits of every allocation's size.
fn cut_sizes(ctrl: &mut Ctrl, bits: u32) {
    ctrl.alloc.iter_mut().for_each(|range| range.size %= 1 << bits);
}

/// Leaves the even allocations, or the odd ones.
fn leave_ranges(ctrl: &mut Ctrl, odd: usize) {
    ctrl.alloc.iter_mut().skip(1 - odd).step_by(2).for_each(|range| range.size = 0);
}

/// What is allocated in global memory.
pub const ALLOCATIONS: &[Bend] = &[
    (Clause::ComGlobal, |ctrl, _, _| ctrl.alloc[0] = EVERYWHERE),
    (Clause::ComGlobal, |ctrl, op, _| grow(ctrl, op.access_bytes())),
    (Clause::ComGlobal, |ctrl, _, _| grow(ctrl, 32)),
    // The end of an allocation needs one bit more than an address has.
    (Clause::ComGlobal, |ctrl, _, _| {
        let past = |range: &Range| range.base.saturating_add(range.size);
        ctrl.alloc.iter_mut().filter(|range| past(range) >= 1 << ADDR_WIDTH).for_each(|range| range.size = 0);
    }),
    (Clause::ComGlobal, |ctrl, _, _| {
        for range in ctrl.alloc.iter_mut().filter(|range| range.size >= 32) {
            (range.base, range.size) = (range.base + 32, range.size - 32);
        }
    }),
    // A range is not looked at, or no other.
    (Clause::ComGlobal, |ctrl, _, _| ctrl.alloc[0].size = 0),
    (Clause::ComGlobal, |ctrl, _, _| ctrl.alloc[7].size = 0),
    (Clause::ComGlobal, |ctrl, _, _| ctrl.alloc[1..].fill(Range::default())),
    (Clause::ComGlobal, |ctrl, _, _| leave_ranges(ctrl, 0)),
    (Clause::ComGlobal, |ctrl, _, _| leave_ranges(ctrl, 1)),
    (Clause::ComGlobal, |ctrl, _, _| cut_sizes(ctrl, 16)),
    (Clause::ComGlobal, |ctrl, _, _| cut_sizes(ctrl, 24)),
    (Clause::ComGlobal, |ctrl, _, _| cut_sizes(ctrl, 32)),
    (Clause::ComGlobal, |ctrl, _, _| ctrl.alloc.iter_mut().for_each(shrink)),
    (Clause::ComGlobal, |ctrl, _, _| ctrl.alloc = Default::default()),
];
