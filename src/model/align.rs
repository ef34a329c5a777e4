// SPDX-License-Identifier: MIT OR Apache-2.0
//! Forced alignment: SPA5-ALIGN, PTX-ALIGN.

use super::word::Word;

/// EA': the 64-bit address at which an access of `bytes` bytes is made.
///
/// `bytes` is 5 bits wide: 1, 2, 4, 8 or 16.
///
/// ```
/// use gpu_lsu::model::align::align;
///
/// assert_eq!(align::<u64>(&0x101b, &8), 0x1018); // ST.64 [R1+0x18] with R1 = 0x1003
/// ```
#[inline(always)]
pub fn align<W: Word>(ea: &W, bytes: &W) -> W {
    // The quotient by the size, times the size: the address without its remainder.
    let forced = |bits: u32| ea.extract(63, bits, 64).concat(&W::literal(bits, 0), 64 - bits, bits);
    let two = W::choose(&bytes.is(2, 5), &forced(1), ea, 64);
    let four = W::choose(&bytes.is(4, 5), &forced(2), &two, 64);
    let eight = W::choose(&bytes.is(8, 5), &forced(3), &four, 64);
    W::choose(&bytes.is(16, 5), &forced(4), &eight, 64)
}

/// EA' of PTX (PTX-ALIGN): like [`align`], but for a whole vector of `bytes` bytes (6 bits wide); 256 bits align to 32
/// bytes.
///
/// ```
/// use gpu_lsu::model::align::align_vector;
///
/// assert_eq!(align_vector::<u64>(&0x203f, &32), 0x2020); // st.v8.f32 [0x203f]
/// ```
#[inline(always)]
pub fn align_vector<W: Word>(ea: &W, bytes: &W) -> W {
    let widest = ea.extract(63, 5, 64).concat(&W::literal(5, 0), 59, 5);
    W::choose(&bytes.is(32, 6), &widest, &align(ea, &bytes.extract(4, 0, 6)), 64)
}

#[cfg(test)]
mod tests {
    use super::{align, align_vector};

    #[test]
    fn ptx_align_every_size_at_every_low_address() {
        for size in [1u64, 2, 4, 8, 16, 32] {
            for high in [0u64, 0xff_ffff_ff00, u64::MAX - 0xff] {
                for ea in (0..256).map(|low| high + low) {
                    assert_eq!(align_vector(&ea, &size), ea - ea % size, "{ea:#x} by {size}");
                }
            }
        }
    }

    #[test]
    fn spa5_align_every_size_at_every_low_address() {
        for size in [1u64, 2, 4, 8, 16] {
            for high in [0u64, 0x1000, 0xff_ffff_ff00, u64::MAX - 0xff] {
                for low in 0..256 {
                    let ea = high + low;
                    assert_eq!(align(&ea, &size), ea - ea % size, "{ea:#x} by {size}");
                }
            }
        }
    }
}
