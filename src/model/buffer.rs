// SPDX-License-Identifier: MIT OR Apache-2.0
//! Where a dword of an R700 buffer lies, and whether it lies inside the buffer: R700-BOUND, R700-PLACE, R700-STAGE.
//!
//! As in `clamp`, all arithmetic is exact. The test against the array's limit comes first, and is in `clamp`.

use super::{
    address::DWORD,
    window::{EXACT, item},
    word::{Truth, Word},
};
use crate::op::{ADDR_WIDTH, Buffer, BufferSlot, Ctrl, Op};

/// The number of the buffer that an operation uses, 4 bits wide.
///
/// It counts the slots in order, then the scratch buffers of vertex, geometry and export shaders (R700-STAGE). `slot`
/// has 3 bits, `stage` 2.
///
/// ```
/// use gpu_lsu::{model::buffer::number, op::{BufferSlot, Stage}};
///
/// let scratch = BufferSlot::Scratch as u64;
/// assert_eq!([Stage::Pixel, Stage::Vertex, Stage::Export].map(|stage| number::<u64>(&scratch, &(stage as u64))), [0, 8, 10]);
/// assert_eq!(number::<u64>(&(BufferSlot::Ring as u64), &(Stage::Vertex as u64)), 6);
/// ```
#[inline(always)]
pub fn number<W: Word>(slot: &W, stage: &W) -> W {
    let others = stage.zero_extend(2, 4).add(&W::literal(4, BufferSlot::Export as u64), 4);
    let own = slot.is(BufferSlot::Scratch as u64, 3).and(&stage.is(0, 2).not());
    W::choose(&own, &others, &slot.zero_extend(3, 4), 4)
}

/// The control registers of the buffer that an operation uses.
pub fn of(ctrl: &Ctrl, op: &Op) -> Buffer {
    let number = number::<u64>(&u64::from(op.slot % 8), &u64::from(op.stage % 4)) as usize;
    *ctrl.buffer.iter().chain(&ctrl.stage_scratch).nth(number).unwrap_or(&ctrl.buffer[0])
}

/// Whether all of a dword lies inside the buffer (R700-BOUND).
///
/// `size` (32 bits) is the buffer's size in bytes; for scratch, that of a thread's item. The dword is that of
/// `component` (0 to 3), counted from `element` ([`DWORD`] bits), the dword of component X.
///
/// ```
/// use gpu_lsu::model::buffer::fits;
///
/// assert_eq!([0, 1, 2, 3].map(|c| fits::<u64>(&9, c, &44)), [true, true, false, false]);
/// assert!(!fits::<u64>(&(1 << 30), 0, &4)); // exact: the byte 2^32 is not the byte 0
/// ```
#[inline(always)]
pub fn fits<W: Word>(element: &W, component: u32, size: &W) -> W::Truth {
    let next = element.zero_extend(DWORD, EXACT).add(&W::literal(EXACT, u64::from(component) + 1), EXACT);
    let end = next.mul(&W::literal(EXACT, 4), EXACT);
    size.zero_extend(32, EXACT).less(&end, EXACT).not()
}

/// The byte address of a dword, [`EXACT`] bits wide: base + thread * stride + 4 * dword (R700-PLACE, COM-PRIVATE).
///
/// `base` has [`ADDR_WIDTH`] bits, `stride` 32, `thread` [`THREAD_WIDTH`](super::window::THREAD_WIDTH), `dword`
/// [`DWORD`]. Nothing wraps. The memory port carries the low [`ADDR_WIDTH`] bits, which are the whole address if the
/// dword lies inside the buffer.
///
/// ```
/// use gpu_lsu::model::buffer::address;
///
/// assert_eq!(address::<u64>(&0x1000, &0x100, &5, &20), 0x1000 + 5 * 0x100 + 4 * 20);
/// ```
#[inline(always)]
pub fn address<W: Word>(base: &W, stride: &W, thread: &W, dword: &W) -> W {
    address_by(base, &item(thread, &stride.zero_extend(32, EXACT)), dword)
}

/// Like [`address`], where the thread's [`item`] is known.
#[inline(always)]
pub fn address_by<W: Word>(base: &W, item: &W, dword: &W) -> W {
    let offset = dword.zero_extend(DWORD, EXACT).mul(&W::literal(EXACT, 4), EXACT);
    base.zero_extend(ADDR_WIDTH, EXACT).add(item, EXACT).add(&offset, EXACT)
}
