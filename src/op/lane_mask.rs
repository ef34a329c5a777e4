// SPDX-License-Identifier: MIT OR Apache-2.0
//! Sets of lanes.

use std::{
    fmt,
    ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not, Sub, SubAssign},
};

use serde::{Deserialize, Serialize};

use super::MAX_LANES;

/// A set of lanes, as a port carries it: bit l is lane l. Lane numbers are below [`MAX_LANES`].
///
/// `!` gives the lanes that are not in the set, whether or not a unit has them; `-` removes lanes.
///
/// ```
/// use gpu_lsu::op::LaneMask;
///
/// let mask = LaneMask::from_bits(0b1011);
/// assert_eq!(mask.iter().collect::<Vec<_>>(), [0, 1, 3]);
/// assert_eq!((mask - LaneMask::only(1)).bits(), 0b1001);
/// assert_eq!(format!("{mask:#x}"), "0xb");
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
#[repr(transparent)]
pub struct LaneMask(u32);

impl LaneMask {
    /// No lane.
    pub const NONE: Self = LaneMask(0);
    /// Every lane that a unit may have.
    pub const ALL: Self = LaneMask(u32::MAX);

    /// The lowest `lanes` lanes, such as all lanes of a narrower unit: 0 to [`MAX_LANES`].
    #[inline]
    pub const fn lowest(lanes: usize) -> Self {
        LaneMask(((1u64 << lanes) - 1) as u32)
    }

    /// One lane.
    #[inline]
    pub const fn only(lane: usize) -> Self {
        LaneMask(1 << lane)
    }

    /// The lanes whose bits are set.
    #[inline]
    pub const fn from_bits(bits: u32) -> Self {
        LaneMask(bits)
    }

    /// A bit for each lane.
    #[inline]
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// Whether the lane is in the set.
    #[inline]
    pub const fn contains(self, lane: usize) -> bool {
        self.0 >> lane & 1 == 1
    }

    /// Adds the lane.
    #[inline]
    pub const fn insert(&mut self, lane: usize) {
        self.0 |= 1 << lane;
    }

    /// Adds the lane if the condition holds, without a branch.
    #[inline]
    pub const fn insert_if(&mut self, condition: bool, lane: usize) {
        self.0 |= (condition as u32) << lane;
    }

    /// The lanes in which two registers differ.
    pub fn differing(one: &[u32; MAX_LANES], other: &[u32; MAX_LANES]) -> Self {
        let mut differ = [0; MAX_LANES];
        for lane in 0..MAX_LANES {
            differ[lane] = u8::from(one[lane] != other[lane]);
        }
        let mut bits = 0;
        for (group, bytes) in differ.as_chunks().0.iter().enumerate() {
            // The product's highest byte gathers one bit of each byte; no two partial products overlap.
            let gathered = u64::from_le_bytes(*bytes).wrapping_mul(0x0102_0408_1020_4080) >> 56;
            bits |= (gathered as u32) << (8 * group);
        }
        LaneMask(bits)
    }

    /// Whether no lane is in the set.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The number of lanes in the set.
    #[inline]
    pub const fn count(self) -> usize {
        self.0.count_ones() as usize
    }

    /// The lowest lane, if there is one.
    #[inline]
    pub fn first(self) -> Option<usize> {
        self.iter().next()
    }

    /// The lanes, ascending.
    #[inline]
    pub const fn iter(self) -> Ascending {
        Ascending(self.0)
    }
}

/// The lanes of a [`LaneMask`], ascending.
#[derive(Clone, Debug)]
pub struct Ascending(u32);

impl Iterator for Ascending {
    type Item = usize;

    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        if self.0 == 0 {
            return None;
        }
        // The remainder tells the compiler that a lane number is below MAX_LANES, so that arrays of lanes need no
        // bounds check.
        let lane = self.0.trailing_zeros() as usize % MAX_LANES;
        self.0 &= self.0 - 1;
        Some(lane)
    }
}

impl FromIterator<usize> for LaneMask {
    #[inline]
    fn from_iter<I: IntoIterator<Item = usize>>(lanes: I) -> Self {
        lanes.into_iter().fold(Self::NONE, |all, lane| all | Self::only(lane))
    }
}

impl Not for LaneMask {
    type Output = Self;

    #[inline]
    fn not(self) -> Self {
        LaneMask(!self.0)
    }
}

macro_rules! operators {
    ($($op:ident::$of:ident, $assign:ident::$in_place:ident: |$one:ident, $other:ident| $made:expr;)*) => {$(
        impl $op for LaneMask {
            type Output = Self;

            #[inline]
            fn $of(self, other: Self) -> Self {
                let (LaneMask($one), LaneMask($other)) = (self, other);
                LaneMask($made)
            }
        }

        impl $assign for LaneMask {
            #[inline]
            fn $in_place(&mut self, other: Self) {
                *self = self.$of(other);
            }
        }
    )*};
}
operators! {
    BitAnd::bitand, BitAndAssign::bitand_assign: |one, other| one & other;
    BitOr::bitor, BitOrAssign::bitor_assign: |one, other| one | other;
    BitXor::bitxor, BitXorAssign::bitxor_assign: |one, other| one ^ other;
    Sub::sub, SubAssign::sub_assign: |one, other| one & !other;
}

impl fmt::LowerHex for LaneMask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Debug for LaneMask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self:#x}")
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::{collection::btree_set, prelude::*};

    use super::*;

    fn set(mask: LaneMask) -> BTreeSet<usize> {
        (0..MAX_LANES).filter(|lane| mask.bits() >> lane & 1 == 1).collect()
    }

    proptest! {
        /// A mask behaves like a set of numbers.
        #[test]
        fn as_a_set(one in btree_set(0..MAX_LANES, 0..=MAX_LANES), other in btree_set(0..MAX_LANES, 0..=MAX_LANES), lane in 0..MAX_LANES) {
            let [a, b] = [&one, &other].map(|set| set.iter().copied().collect::<LaneMask>());
            prop_assert_eq!(&set(a), &one);
            prop_assert!(a.iter().eq(one.iter().copied()));
            prop_assert_eq!((a.count(), a.is_empty(), a.first()), (one.len(), one.is_empty(), one.first().copied()));
            prop_assert_eq!(a.contains(lane), one.contains(&lane));
            prop_assert_eq!(set(a & b), &one & &other);
            prop_assert_eq!(set(a | b), &one | &other);
            prop_assert_eq!(set(a ^ b), &one ^ &other);
            prop_assert_eq!(set(a - b), &one - &other);
            prop_assert_eq!(!a, LaneMask::ALL - a);
            let mut with = one.clone();
            with.insert(lane);
            let (mut inserted, mut kept) = (a, a);
            inserted.insert(lane);
            kept.insert_if(false, lane);
            prop_assert_eq!((set(inserted), set(kept)), (with, one));
            prop_assert_eq!(set(LaneMask::lowest(lane + 1)), (0..=lane).collect());
            prop_assert_eq!(set(LaneMask::only(lane)), BTreeSet::from([lane]));
        }

        /// Has exactly the lanes whose values differ.
        #[test]
        fn where_registers_differ(register in any::<[u32; MAX_LANES]>(), lanes in any::<u32>(), flip in 1u32..) {
            let lanes = LaneMask::from_bits(lanes);
            let other = std::array::from_fn(|lane| register[lane] ^ if lanes.contains(lane) { flip } else { 0 });
            prop_assert_eq!(LaneMask::differing(&register, &other), lanes);
        }
    }

    /// Files and messages show a mask as a number.
    #[test]
    fn as_text() {
        let mask = LaneMask::from_bits(0x8000_0005);
        assert_eq!(toml::Value::try_from(mask).unwrap(), toml::Value::Integer(0x8000_0005));
        assert_eq!((format!("{mask:?}"), format!("{mask:08x}")), ("0x80000005".into(), "80000005".into()));
    }
}
