// SPDX-License-Identifier: MIT OR Apache-2.0
//! The effective address of a lane (SPA5-EA-ABS, SPA5-EA-32, SPA5-EA-64), and the first dword of an R700 burst
//! (R700-FIRST, R700-UNIT, R700-DRIVER).

use super::word::{Truth, Word};
use crate::op::{AddrMode, BufferSlot};

/// Width, in bits, of a dword number in an R700 buffer. The largest is (2^13 + 2^32) * 4 plus the length of a burst,
/// below 2^35.
pub const DWORD: u32 = 36;

/// The 64-bit effective address.
///
/// `mode` is the 3-bit [`AddrMode`] code, `low` and `high` are the lane's 32-bit address words 0 and 1, and `imm` is
/// the 64-bit immediate, already extended by the front end.
///
/// - SPA5-EA-ABS: the immediate alone.
/// - SPA5-EA-32: the sum, exact to 64 bits, modulo 2^32.
/// - SPA5-EA-64: the sum modulo 2^64. It keeps bits 40 and above: `window` refuses such an address, and nothing
///   truncates it.
///
/// A mode that SPA 5.0 does not use makes the operation illegal before its address matters.
///
/// ```
/// use gpu_lsu::{model::address::effective, op::AddrMode};
///
/// // ST [R6+-0x10], R7 with R6 = 8
/// let ea = effective::<u64>(&(AddrMode::Reg32 as u64), &8, &0, &(-0x10i64 as u64));
/// assert_eq!(ea, 0xffff_fff8);
/// ```
#[inline(always)]
pub fn effective<W: Word>(mode: &W, low: &W, high: &W, imm: &W) -> W {
    let sum32 = low.zero_extend(32, 64).add(imm, 64).extract(31, 0, 64).zero_extend(32, 64);
    let sum64 = high.concat(low, 32, 32).add(imm, 64);
    let wide = W::choose(&mode.is(AddrMode::Reg64 as u64, 3), &sum64, imm, 64);
    W::choose(&mode.is(AddrMode::Reg32 as u64, 3), &sum32, &wide, 64)
}

/// first_dw of a lane, [`DWORD`] bits wide.
///
/// `slot` is the 3-bit [`BufferSlot`] code, `base` (13 bits) counts elements, `elem_size` (2 bits) is the number of
/// dwords minus 1, and `index` (32 bits, unsigned) is the lane's address word 0.
///
/// - R700-FIRST: (base + use_index * index) * (elem_size + 1), by multiplication; the sum and the product are exact.
/// - R700-DRIVER: base * U + use_index * index * (elem_size + 1); for general export, the index itself, never scaled.
///
/// ```
/// use gpu_lsu::{model::address::first_dword, op::BufferSlot};
///
/// // MEM_SCRATCH WRITE_IND base 8, ELEM_SIZE 3
/// let scratch = BufferSlot::Scratch as u64;
/// assert_eq!(first_dword::<u64>(&false, &scratch, &8, &3, &true, &3), 44);
/// assert_eq!(first_dword::<u64>(&false, &scratch, &8, &3, &true, &0xffff_ffff), (8 + 0xffff_ffff) * 4);
/// // MEM_EXPORT WRITE_IND base 8, ELEM_SIZE 3
/// let export = BufferSlot::Export as u64;
/// assert_eq!([false, true].map(|driver| first_dword::<u64>(&driver, &export, &8, &3, &true, &5)), [52, 5]);
/// ```
#[inline(always)]
pub fn first_dword<W: Word>(
    driver: &W::Truth,
    slot: &W,
    base: &W,
    elem_size: &W,
    use_index: &W::Truth,
    index: &W,
) -> W {
    let dwords = elem_size.zero_extend(2, DWORD).add(&W::literal(DWORD, 1), DWORD);
    let zero = W::literal(DWORD, 0);
    let index = W::choose(use_index, &index.zero_extend(32, DWORD), &zero, DWORD);
    let base = base.zero_extend(13, DWORD);
    let first = base.add(&index, DWORD).mul(&dwords, DWORD);
    let drivers = base.mul(&unit(slot), DWORD).add(&index.mul(&dwords, DWORD), DWORD);
    let drivers = W::choose(&slot.is(BufferSlot::Export as u64, 3), &index, &drivers, DWORD);
    W::choose(driver, &drivers, &first, DWORD)
}

/// U of R700-DRIVER, [`DWORD`] bits wide: the dwords that one unit of ARRAY_BASE stands for in the drivers' form, by
/// buffer.
pub(super) fn unit<W: Word>(slot: &W) -> W {
    let four = slot.is(BufferSlot::Scratch as u64, 3).or(&slot.is(BufferSlot::Reduction as u64, 3));
    W::choose(&four, &W::literal(DWORD, 4), &W::literal(DWORD, 1), DWORD)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ea(mode: AddrMode, low: u32, high: u32, imm: i64) -> u64 {
        effective(&(mode as u64), &u64::from(low), &u64::from(high), &(imm as u64))
    }

    #[test]
    fn spa5_ea_abs_ignores_the_lane() {
        assert_eq!(ea(AddrMode::Abs, 0x1234, 0x5678, 0xffff_fff0), 4_294_967_280);
    }

    #[test]
    fn spa5_ea_32_wraps_at_32_bits() {
        assert_eq!(ea(AddrMode::Reg32, 0x1000, 7, 0x14), 0x1014);
        assert_eq!(ea(AddrMode::Reg32, 8, 0, -0x10), 0xffff_fff8);
        assert_eq!(ea(AddrMode::Reg32, u32::MAX, u32::MAX, 1), 0);
        assert_eq!(ea(AddrMode::Reg32, 0, 0, i64::from(i32::MIN)), 0x8000_0000);
    }

    #[test]
    fn spa5_ea_64_keeps_every_bit() {
        assert_eq!(ea(AddrMode::Reg64, 0, 1, 0x1234), 0x1_0000_1234);
        assert_eq!(ea(AddrMode::Reg64, 0, 1, -1), 0xffff_ffff);
        assert_eq!(ea(AddrMode::Reg64, u32::MAX, u32::MAX, 2), 1);
        assert_eq!(ea(AddrMode::Reg64, 0, 0x100, 0), 1 << 40);
        assert_eq!(ea(AddrMode::Reg64, 0, 0, -1), u64::MAX);
    }

    /// Compares with sums of wide signed integers, around every value where a carry or a sign could go wrong.
    #[test]
    fn sums_agree_with_wide_integers() {
        let words = [0, 1, 0x10, 0x7fff_ffff, 0x8000_0000, 0x8000_0001, 0xffff_fff0, u32::MAX];
        for low in words {
            for high in words {
                for imm in words.map(|word| i64::from(word as i32)) {
                    let exact32 = i128::from(low) + i128::from(imm);
                    let exact64 = (i128::from(high) << 32) + exact32;
                    assert_eq!(i128::from(ea(AddrMode::Reg32, low, high, imm)), exact32.rem_euclid(1 << 32));
                    assert_eq!(i128::from(ea(AddrMode::Reg64, low, high, imm)), exact64.rem_euclid(1 << 64));
                }
            }
        }
    }
}
