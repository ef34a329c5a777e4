// SPDX-License-Identifier: MIT OR Apache-2.0
//! The bits of one port, wherever they are stored.

use bitvec::view::BitView;

/// Access to the present bits of a port: those of a pin of a unit, or [`Levels`].
pub trait Wires {
    /// Copies the port's low bytes, as many as `into` has room for; the rest of `into` stays as it is.
    fn copy_bytes(&self, into: &mut [u8]);

    /// Copies the port's low 32-bit words, as many as `into` has room for, with zeros in the last word above the port;
    /// the rest of `into` stays as it is.
    fn copy_words(&self, into: &mut [u32]);

    /// Overwrites the port's low bytes; bytes past the port are ignored.
    fn set_bytes(&mut self, bytes: &[u8]);

    /// Overwrites the port's low 32-bit words; words past the port are ignored.
    fn set_words(&mut self, words: &[u32]);

    /// The port's low 64 bits.
    #[inline]
    fn value(&self) -> u64 {
        let mut bytes = [0; 8];
        self.copy_bytes(&mut bytes);
        u64::from_le_bytes(bytes)
    }

    /// Drives a port of at most 64 bits.
    #[inline]
    fn set_value(&mut self, value: u64) {
        self.set_bytes(&value.to_le_bytes());
    }
}

/// The bits of a port in memory: those of a wave at some time, or those that are yet to be driven.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Levels {
    /// Least significant first; bits past the width are 0.
    words: Vec<u32>,
    width: usize,
}

impl Levels {
    /// The levels of a port of this many bits, all 0.
    pub fn new(width: usize) -> Self {
        Levels { words: vec![0; width.div_ceil(32)], width }
    }

    /// The bits as words, least significant first; bits past the port's width are 0.
    pub fn words(&self) -> &[u32] {
        &self.words
    }
}

impl Wires for Levels {
    fn copy_bytes(&self, into: &mut [u8]) {
        let bytes = self.words.iter().flat_map(|word| word.to_le_bytes()).take(self.width.div_ceil(8));
        into.iter_mut().zip(bytes).for_each(|(to, from)| *to = from);
    }

    fn copy_words(&self, into: &mut [u32]) {
        into.iter_mut().zip(&self.words).for_each(|(to, &from)| *to = from);
    }

    fn set_bytes(&mut self, bytes: &[u8]) {
        for (word, bytes) in self.words.iter_mut().zip(bytes.chunks(4)) {
            let mut all = word.to_le_bytes();
            all[..bytes.len()].copy_from_slice(bytes);
            *word = u32::from_le_bytes(all);
        }
        self.words.view_bits_mut::<bitvec::order::Lsb0>()[self.width..].fill(false);
    }

    fn set_words(&mut self, words: &[u32]) {
        self.words.iter_mut().zip(words).for_each(|(to, &from)| *to = from);
        self.words.view_bits_mut::<bitvec::order::Lsb0>()[self.width..].fill(false);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_fit_is_nobodys() {
        let mut levels = Levels::new(45);
        levels.set_words(&[1, u32::MAX, 3]);
        assert_eq!((levels.words(), levels.value()), ([1, 0x1fff].as_slice(), 0x1fff << 32 | 1));
        levels.set_bytes(&[0xaa, 0xbb, 0xcc, 0xdd, 0xee]);
        assert_eq!(levels.words(), [0xddcc_bbaa, 0x1fee]);
        let (mut bytes, mut words) = ([7; 8], [7; 3]);
        levels.copy_bytes(&mut bytes);
        levels.copy_words(&mut words);
        assert_eq!((bytes, words), ([0xaa, 0xbb, 0xcc, 0xdd, 0xee, 0x1f, 7, 7], [0xddcc_bbaa, 0x1fee, 7]));
        levels.set_value(u64::MAX);
        assert_eq!(levels.value(), (1 << 45) - 1);
        assert_eq!(Levels::new(0).value(), 0);
    }
}
