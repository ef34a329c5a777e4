// SPDX-License-Identifier: MIT OR Apache-2.0
//! The value of a load's register, from the bytes of memory: SPA5-EXT, SPA5-MULTI.

use super::word::{Truth, Word};

/// One 32-bit register of a load.
///
/// `dword` holds the four bytes of memory at the register's address with its low two bits cleared, the lowest byte in
/// bits 7:0; `offset` is those two bits; `bytes` (5 bits) is the size of an element. One or two bytes are sign-extended
/// if `sign`, otherwise zero-extended (SPA5-EXT). For 4 bytes, and for each register of 8 and 16 bytes, the dword is
/// the value itself (SPA5-MULTI: the lower register is at the lower address).
///
/// ```
/// use gpu_lsu::model::extract::register;
///
/// assert_eq!(register::<u64>(&0x1280_3456, &2, &1, &true), 0xffff_ff80); // LD.S8
/// assert_eq!(register::<u64>(&0x1280_3456, &2, &2, &false), 0x1280); // LD.U16
/// ```
#[inline(always)]
pub fn register<W: Word>(dword: &W, offset: &W, bytes: &W, sign: &W::Truth) -> W {
    let byte = |index: u32| dword.extract(8 * index + 7, 8 * index, 32);
    let extend =
        |value: W, width: u32| W::choose(sign, &value.sign_extend(width, 32), &value.zero_extend(width, 32), 32);
    // Aligned elements: a byte is any of the four, two bytes are the lower or the upper half.
    let low = W::choose(&offset.is(1, 2), &byte(1), &byte(0), 8);
    let high = W::choose(&offset.is(3, 2), &byte(3), &byte(2), 8);
    let upper = offset.is(2, 2).or(&offset.is(3, 2));
    let one = W::choose(&upper, &high, &low, 8);
    let two = W::choose(&upper, &byte(3).concat(&byte(2), 8, 8), &byte(1).concat(&byte(0), 8, 8), 16);
    let narrow = W::choose(&bytes.is(1, 5), &extend(one, 8), &extend(two, 16), 32);
    W::choose(&bytes.is(1, 5).or(&bytes.is(2, 5)), &narrow, dword, 32)
}

#[cfg(test)]
mod tests {
    use super::register;

    #[test]
    fn spa5_ext_worked_values() {
        assert_eq!(register(&0x80u64, &0, &1, &true), 0xffff_ff80);
        assert_eq!(register(&0x80u64, &0, &1, &false), 0x80);
        assert_eq!(register(&0x8001u64, &0, &2, &true), 0xffff_8001);
    }

    /// Every value of the bytes that are read, at every size, place and signedness, with other values in the bytes
    /// around them.
    #[test]
    fn spa5_ext_exhaustively() {
        for around in [0u32, u32::MAX, 0x5a5a_5a5a] {
            for offset in 0..4usize {
                for value in 0..=u8::MAX {
                    let mut bytes = around.to_le_bytes();
                    bytes[offset] = value;
                    let dword = u64::from(u32::from_le_bytes(bytes));
                    let got = |sign| register(&dword, &(offset as u64), &1, &sign) as u32;
                    assert_eq!(got(false), u32::from(value));
                    assert_eq!(got(true), i32::from(value as i8) as u32);
                }
                for value in (0..=u16::MAX).filter(|_| offset % 2 == 0) {
                    let mut bytes = around.to_le_bytes();
                    bytes[offset..offset + 2].copy_from_slice(&value.to_le_bytes());
                    let dword = u64::from(u32::from_le_bytes(bytes));
                    let got = |sign| register(&dword, &(offset as u64), &2, &sign) as u32;
                    assert_eq!(got(false), u32::from(value));
                    assert_eq!(got(true), i32::from(value as i16) as u32);
                }
            }
        }
    }

    #[test]
    fn spa5_multi_a_whole_dword_is_never_extended() {
        for size in [4u64, 8, 16] {
            assert_eq!(register(&0x8000_0080u64, &0, &size, &true), 0x8000_0080);
        }
    }
}
