// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which dwords of an R700 burst lie below its array's limit: R700-ELEM, R700-CLAMP, R700-DRIVER.
//!
//! All sums and products are exact, in words wide enough that nothing wraps.

use super::{
    address::{DWORD, unit},
    word::{Truth, Word},
};
use crate::op::BufferSlot;

/// limit_dw, [`DWORD`] bits wide: a dword at or past it is not moved.
///
/// `slot` is the 3-bit [`BufferSlot`] code, `base` and `size` (13 bits) count elements, and `elem_size` (2 bits) is the
/// number of dwords minus 1.
///
/// - R700-CLAMP: (base + size) * (elem_size + 1).
/// - R700-DRIVER: base * U + size * (elem_size + 1).
///
/// General export has no limit in the drivers' form, where [`below`] ignores it.
///
/// ```
/// use gpu_lsu::{model::clamp::limit, op::BufferSlot};
///
/// let ring = BufferSlot::Ring as u64;
/// assert_eq!(limit::<u64>(&false, &ring, &12, &1, &3), 52);
/// assert_eq!(limit::<u64>(&true, &ring, &12, &1, &3), 16);
/// ```
#[inline(always)]
pub fn limit<W: Word>(driver: &W::Truth, slot: &W, base: &W, size: &W, elem_size: &W) -> W {
    let dwords = elem_size.zero_extend(2, DWORD).add(&W::literal(DWORD, 1), DWORD);
    let base = base.zero_extend(13, DWORD);
    let size = size.zero_extend(13, DWORD);
    let first = base.add(&size, DWORD).mul(&dwords, DWORD);
    let drivers = base.mul(&unit(slot), DWORD).add(&size.mul(&dwords, DWORD), DWORD);
    W::choose(driver, &drivers, &first, DWORD)
}

/// The dword of component X of a burst's `gpr`-th GPR, [`DWORD`] bits wide (R700-ELEM).
///
/// `first` is first_dw ([`DWORD`] bits), `gpr` has 4 bits, `elem_size` 2.
#[inline(always)]
pub fn element<W: Word>(first: &W, gpr: &W, elem_size: &W) -> W {
    let dwords = elem_size.zero_extend(2, DWORD).add(&W::literal(DWORD, 1), DWORD);
    first.add(&gpr.zero_extend(4, DWORD).mul(&dwords, DWORD), DWORD)
}

/// Whether a dword lies below `limit` (R700-CLAMP).
///
/// The dword is that of `component` (0 to 3), counted from `element`, the dword of component X. `element` and `limit`
/// have [`DWORD`] bits. In the drivers' form, every dword of general export counts as below (R700-DRIVER).
///
/// ```
/// use gpu_lsu::{model::clamp::below, op::BufferSlot};
///
/// let scratch = BufferSlot::Scratch as u64;
/// assert_eq!([0, 1, 2, 3].map(|c| below::<u64>(&false, &scratch, &94, c, &96)), [true, true, false, false]);
/// ```
#[inline(always)]
pub fn below<W: Word>(driver: &W::Truth, slot: &W, element: &W, component: u32, limit: &W) -> W::Truth {
    let dword = element.add(&W::literal(DWORD, component.into()), DWORD);
    dword.less(limit, DWORD).or(&driver.and(&slot.is(BufferSlot::Export as u64, 3)))
}
