// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which bins were hit, without how often.

use bitvec::vec::BitVec;

/// A set of bins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bits(BitVec<u64>);

impl Bits {
    /// None of so many.
    pub(super) fn new(bins: usize) -> Self {
        Bits(BitVec::repeat(false, bins))
    }

    pub(super) fn insert(&mut self, bin: usize) {
        self.0.set(bin, true);
    }

    /// None of as many.
    pub fn none(&self) -> Self {
        Bits::new(self.0.len())
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.0.count_ones()
    }

    /// How many there are that others do not have.
    pub fn beyond(&self, others: &Bits) -> usize {
        let words = self.0.as_raw_slice().iter().zip(others.0.as_raw_slice());
        words.map(|(mine, theirs)| (mine & !theirs).count_ones() as usize).sum()
    }

    /// Adds others.
    pub fn add(&mut self, others: &Bits) {
        self.0 |= &others.0;
    }
}
