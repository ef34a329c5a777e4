// SPDX-License-Identifier: MIT OR Apache-2.0
//! The arithmetic in which the pure parts of the model are written.
//!
//! `address`, `clamp`, `buffer`, `align`, `window`, `space`, `uav`, `cas` and `extract` are generic over [`Word`], so
//! that one text of each rule has two readings: on `u64` it computes one answer, and on terms of a solver it becomes
//! the formula of *all* answers. Values do not carry their width here, so every operation is given it. A `u64` of width
//! `w` never has a bit set at `w` or above.

/// A truth value: `bool`, or a term of sort Bool.
pub trait Truth: Clone {
    fn constant(value: bool) -> Self;
    fn and(&self, other: &Self) -> Self;
    fn or(&self, other: &Self) -> Self;
    fn not(&self) -> Self;
}

/// An unsigned bit vector of 1 to 64 bits. `width` is the width of the operands, in bits.
///
/// ```
/// use gpu_lsu::model::word::Word;
///
/// let sum = u64::literal(8, 0xff).add(&1, 8);
/// assert_eq!(sum, 0); // modulo 2^8
/// assert_eq!(0x80u64.sign_extend(8, 32), 0xffff_ff80);
/// ```
pub trait Word: Clone {
    type Truth: Truth;

    fn literal(width: u32, value: u64) -> Self;

    /// Modulo `2^width`, as are `sub` and `mul`.
    fn add(&self, other: &Self, width: u32) -> Self;
    fn sub(&self, other: &Self, width: u32) -> Self;
    fn mul(&self, other: &Self, width: u32) -> Self;

    fn and(&self, other: &Self, width: u32) -> Self;
    fn or(&self, other: &Self, width: u32) -> Self;
    fn xor(&self, other: &Self, width: u32) -> Self;

    /// Shifts by a constant below `width`, filling with zeros.
    fn shl(&self, by: u32, width: u32) -> Self;
    fn shr(&self, by: u32, width: u32) -> Self;

    /// Extends from `from` bits to `to` bits; `to` is at least `from`.
    fn zero_extend(&self, from: u32, to: u32) -> Self;
    fn sign_extend(&self, from: u32, to: u32) -> Self;

    /// Bits `high..=low`, as a word of `high - low + 1` bits.
    fn extract(&self, high: u32, low: u32, width: u32) -> Self;
    /// `self` above `low`: a word of `width + low_width` bits.
    fn concat(&self, low: &Self, width: u32, low_width: u32) -> Self;

    /// Unsigned `self < other`.
    fn less(&self, other: &Self, width: u32) -> Self::Truth;
    fn equal(&self, other: &Self, width: u32) -> Self::Truth;
    /// `then` if the condition holds, else `otherwise`; both are of `width` bits.
    fn choose(condition: &Self::Truth, then: &Self, otherwise: &Self, width: u32) -> Self;

    /// Whether `self` is the constant `value`.
    #[inline(always)]
    fn is(&self, value: u64, width: u32) -> Self::Truth {
        self.equal(&Self::literal(width, value), width)
    }
}

impl Truth for bool {
    #[inline(always)]
    fn constant(value: bool) -> Self {
        value
    }
    #[inline(always)]
    fn and(&self, other: &Self) -> Self {
        *self & *other
    }
    #[inline(always)]
    fn or(&self, other: &Self) -> Self {
        *self | *other
    }
    #[inline(always)]
    fn not(&self) -> Self {
        !*self
    }
}

#[inline(always)]
const fn ones(width: u32) -> u64 {
    u64::MAX >> (64 - width)
}

impl Word for u64 {
    type Truth = bool;

    #[inline(always)]
    fn literal(width: u32, value: u64) -> Self {
        value & ones(width)
    }
    #[inline(always)]
    fn add(&self, other: &Self, width: u32) -> Self {
        self.wrapping_add(*other) & ones(width)
    }
    #[inline(always)]
    fn sub(&self, other: &Self, width: u32) -> Self {
        self.wrapping_sub(*other) & ones(width)
    }
    #[inline(always)]
    fn mul(&self, other: &Self, width: u32) -> Self {
        self.wrapping_mul(*other) & ones(width)
    }
    #[inline(always)]
    fn and(&self, other: &Self, _width: u32) -> Self {
        self & other
    }
    #[inline(always)]
    fn or(&self, other: &Self, _width: u32) -> Self {
        self | other
    }
    #[inline(always)]
    fn xor(&self, other: &Self, _width: u32) -> Self {
        self ^ other
    }
    #[inline(always)]
    fn shl(&self, by: u32, width: u32) -> Self {
        self << by & ones(width)
    }
    #[inline(always)]
    fn shr(&self, by: u32, _width: u32) -> Self {
        self >> by
    }
    #[inline(always)]
    fn zero_extend(&self, _from: u32, _to: u32) -> Self {
        *self
    }
    #[inline(always)]
    fn sign_extend(&self, from: u32, to: u32) -> Self {
        ((*self << (64 - from)) as i64 >> (64 - from)) as u64 & ones(to)
    }
    #[inline(always)]
    fn extract(&self, high: u32, low: u32, _width: u32) -> Self {
        self >> low & ones(high - low + 1)
    }
    #[inline(always)]
    fn concat(&self, low: &Self, _width: u32, low_width: u32) -> Self {
        self << low_width | low
    }
    #[inline(always)]
    fn less(&self, other: &Self, _width: u32) -> bool {
        self < other
    }
    #[inline(always)]
    fn equal(&self, other: &Self, _width: u32) -> bool {
        self == other
    }
    #[inline(always)]
    fn choose(condition: &bool, then: &Self, otherwise: &Self, _width: u32) -> Self {
        if *condition { *then } else { *otherwise }
    }
}

#[cfg(test)]
mod tests {
    use super::Word;

    /// Every operation at 4 bits against plain integers, for every pair of operands.
    #[test]
    fn four_bits_agree_with_integers() {
        for a in 0..16i64 {
            for b in 0..16i64 {
                let (x, y) = (a as u64, b as u64);
                assert_eq!(x.add(&y, 4) as i64, (a + b) % 16);
                assert_eq!(x.sub(&y, 4) as i64, (a - b).rem_euclid(16));
                assert_eq!(x.mul(&y, 4) as i64, a * b % 16);
                assert_eq!(x.concat(&y, 4, 4) as i64, a * 16 + b);
                assert_eq!(x.less(&y, 4), a < b);
                assert_eq!(x.equal(&y, 4), a == b);
            }
            let signed = if a < 8 { a } else { a - 16 };
            assert_eq!((a as u64).sign_extend(4, 8) as i64, signed.rem_euclid(256));
            for by in 0..4 {
                assert_eq!((a as u64).shl(by, 4) as i64, a * (1 << by) % 16);
                assert_eq!((a as u64).shr(by, 4) as i64, a / (1 << by));
                assert_eq!((a as u64).extract(3, by, 4) as i64, a / (1 << by));
                assert_eq!((a as u64).extract(by, 0, 4) as i64, a % (2 << by));
            }
        }
    }

    #[test]
    fn the_full_width_wraps_like_any_other() {
        assert_eq!(u64::MAX.add(&2, 64), 1);
        assert_eq!(u64::literal(64, u64::MAX), u64::MAX);
    }
}
