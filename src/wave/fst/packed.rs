// SPDX-License-Identifier: MIT OR Apache-2.0
//! Packs bits, given as text or as words, into bytes.

/// Eight characters `0`.
const ZEROS: u64 = 0x3030_3030_3030_3030;
/// Multiplying by this gathers the lowest bit of each byte in the highest byte, the bit of the lowest byte first. Every
/// product of two bits has a place of its own, so nothing carries.
const GATHER: u64 = 0x8040_2010_0804_0201;

/// Appends bits in FST's form, the first one highest. Returns false, with other bits appended, if one of them is
/// neither 0 nor 1.
pub(super) fn append(bits: &[u8], to: &mut Vec<u8>) -> bool {
    let mut seen = 0;
    let (eights, rest) = bits.as_chunks();
    let mut eight = |characters: [u8; 8]| {
        let bits = u64::from_le_bytes(characters) ^ ZEROS;
        seen |= bits;
        (bits.wrapping_mul(GATHER) >> 56) as u8
    };
    to.extend(eights.iter().map(|&characters| eight(characters)));
    if !rest.is_empty() {
        let mut last = [b'0'; 8];
        last[..rest.len()].copy_from_slice(rest);
        to.push(eight(last));
    }
    seen & !0x0101_0101_0101_0101 == 0
}

/// Appends words in the same form, the first one lowest, without the bits above `width`.
#[inline]
pub(super) fn append_words(words: &[u32], width: usize, to: &mut Vec<u8>) {
    let (begin, length, shift) = (to.len(), width.div_ceil(8), width.wrapping_neg() % 8);
    if let &[low] | &[low, _] = words
        && length <= size_of::<u64>()
    {
        let high = words.get(1).copied().unwrap_or_default();
        let bits = (u64::from(high) << 32 | u64::from(low)) << (u64::BITS as usize - 8 * length + shift);
        // A copy of constant size, which is then cut.
        to.extend_from_slice(&bits.to_be_bytes());
        to.truncate(begin + length);
        return;
    }
    let Some((&highest, below)) = words.split_last() else { return };
    // A word shifted up, with the bits that come up from the word below it.
    let shifted = |word: u32, below: u32| ((u64::from(word) << 32 | u64::from(below)) << shift >> 32) as u32;
    let first = shifted(highest, below.last().copied().unwrap_or_default());
    to.extend_from_slice(&first.to_be_bytes()[4 * words.len() - length..]);
    let rest = to.len();
    to.resize(begin + length, 0);
    let (places, _) = to[rest..].as_chunks_mut();
    let lower = [0].iter().chain(below).rev().skip(1);
    for ((place, &word), &below) in places.iter_mut().zip(below.iter().rev()).zip(lower) {
        *place = shifted(word, below).to_be_bytes();
    }
}

#[cfg(test)]
mod tests {
    use proptest::{collection::vec, prelude::*};

    use super::{append, append_words};

    proptest! {
        #[test]
        fn each_bit_has_its_place(bits in vec(any::<bool>(), 1..300)) {
            let text: Vec<u8> = bits.iter().map(|&bit| b'0' + u8::from(bit)).collect();
            let mut packed = vec![0xa5];
            prop_assert!(append(&text, &mut packed));
            prop_assert_eq!((packed[0], packed.len()), (0xa5, 1 + bits.len().div_ceil(8)));
            for place in 0..8 * (packed.len() - 1) {
                let found = packed[1 + place / 8] >> (7 - place % 8) & 1 == 1;
                prop_assert_eq!(found, bits.get(place).copied().unwrap_or(false));
            }
        }

        #[test]
        fn words_are_packed_as_their_bits_are(words in vec(any::<u32>(), 1..12), above in 0usize..32) {
            let width = 32 * words.len() - above;
            let bit = |place: usize| b'0' + (words[place / 32] >> (place % 32) & 1) as u8;
            let text: Vec<u8> = (0..width).rev().map(bit).collect();
            let (mut of_text, mut of_words) = (vec![0xa5], vec![0xa5]);
            prop_assert!(append(&text, &mut of_text));
            append_words(&words, width, &mut of_words);
            prop_assert_eq!(of_text, of_words);
        }

        #[test]
        fn what_is_no_bit_is_told(length in 1usize..40, at: prop::sample::Index, other in any::<u8>()) {
            prop_assume!(!b"01".contains(&other));
            let mut text = vec![b'1'; length];
            text[at.index(length)] = other;
            prop_assert!(!append(&text, &mut Vec::new()));
        }
    }
}
