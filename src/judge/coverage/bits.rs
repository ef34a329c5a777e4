// SPDX-License-Identifier: MIT OR Apache-2.0
//! The set of bins that were hit, without the number of hits.

use bitvec::vec::BitVec;

/// A set of bins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bits(BitVec<u64>);

impl Bits {
    /// An empty set with room for `bins` bins.
    pub(super) fn new(bins: usize) -> Self {
        Bits(BitVec::repeat(false, bins))
    }

    pub(super) fn insert(&mut self, bin: usize) {
        self.0.set(bin, true);
    }

    /// An empty set of the same size.
    pub fn none(&self) -> Self {
        Bits::new(self.0.len())
    }

    /// Whether the set contains a bin.
    pub fn contains(&self, bin: usize) -> bool {
        self.0.get(bin).is_some_and(|bit| *bit)
    }

    /// The number of bins that the set has room for.
    pub fn room(&self) -> usize {
        self.0.len()
    }

    /// Removes the bins that are not in `others`.
    pub fn keep(&mut self, others: &Bits) {
        self.0 &= &others.0;
    }

    /// The bins that are in both sets.
    pub fn among(&self, others: &Bits) -> Self {
        Bits(self.0.clone() & &others.0)
    }

    /// The bins that are not in `others`.
    pub fn minus(&self, others: &Bits) -> Self {
        let mut rest = self.clone();
        rest.0.as_raw_mut_slice().iter_mut().zip(others.0.as_raw_slice()).for_each(|(mine, theirs)| *mine &= !theirs);
        rest
    }

    /// The number of bins in the set.
    pub fn count(&self) -> usize {
        self.0.count_ones()
    }

    /// The number of bins that are not in `others`.
    pub fn beyond(&self, others: &Bits) -> usize {
        let words = self.0.as_raw_slice().iter().zip(others.0.as_raw_slice());
        words.map(|(mine, theirs)| (mine & !theirs).count_ones() as usize).sum()
    }

    /// Adds the bins of `others`.
    pub fn add(&mut self, others: &Bits) {
        self.0 |= &others.0;
    }

    /// The set as hexadecimal digits, sixteen for each word of 64 bins. The lowest bin is in a word's last digit.
    pub fn to_hex(&self) -> String {
        self.0.as_raw_slice().iter().map(|word| format!("{word:016x}")).collect()
    }

    /// Reads the digits of `to_hex` again; none if they do not hold exactly this many bins.
    pub fn from_hex(text: &str, bins: usize) -> Option<Self> {
        let mut bits = Bits::new(bins);
        if !text.is_ascii() || text.len() != 16 * bits.0.as_raw_slice().len() {
            return None;
        }
        for (place, word) in bits.0.as_raw_mut_slice().iter_mut().enumerate() {
            let digits = &text[16 * place..16 * place + 16];
            *word = u64::from_str_radix(digits, 16).ok().filter(|_| !digits.starts_with('+'))?;
        }
        let past = bins % 64;
        let fits = past == 0 || bits.0.as_raw_slice().last().is_none_or(|word| word >> past == 0);
        fits.then_some(bits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_again() {
        let mut bits = Bits::new(70);
        [0, 63, 64, 69].into_iter().for_each(|bin| bits.insert(bin));
        let text = bits.to_hex();
        assert_eq!(text, "80000000000000010000000000000021");
        assert_eq!(Bits::from_hex(&text, 70), Some(bits));
        for (text, bins) in [(text.as_str(), 64), (&text, 65), (&text[1..], 70), ("+000000000000001", 64), ("", 1)] {
            assert_eq!(Bits::from_hex(text, bins), None, "{text} {bins}");
        }
    }
}
