// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which bytes of its access a store moves, and from which registers: PTX-VEC, PTX-SINK, PORT-DATA.

use super::Register;
use crate::op::{MAX_LANES, Op};

/// 32-bit words of the widest access: 256 bits.
pub const WORDS: usize = 8;

/// The bytes of a lane's access that are moved, bit i for byte i; bytes of a sink are not set. Not for bursts.
///
/// ```
/// use gpu_lsu::{model::vector::moved, op::Op};
///
/// // st.v4.b64 [..], {a, _, c, d}
/// let op = Op { element_bytes: 8, element_count: 4, element_mask: 0b1101, ..Op::default() };
/// assert_eq!(moved(&op), 0xffff_00ff);
/// ```
#[inline]
pub fn moved(op: &Op) -> u32 {
    let bytes = u32::from(op.element_bytes).min(32);
    let element = u32::MAX.checked_shr(32 - bytes).unwrap_or(0);
    if op.element_mask == 1 {
        return element;
    }
    let shifted = |index: usize| element.checked_shl(index as u32 * bytes).unwrap_or(0);
    elements(op).map(shifted).fold(0, |all, one| all | one)
}

/// The elements that are moved.
fn elements(op: &Op) -> impl Iterator<Item = usize> + use<> {
    let mask = op.element_mask;
    (0..8).filter(move |element| mask >> element & 1 == 1)
}

/// Whether a store's data beats are the words of its access as they lie in memory: no element is a sink, and none that
/// is narrower than its register stands beside another.
#[inline]
pub fn dense(op: &Op) -> bool {
    let wide = op.element_bytes >= 4 && op.element_mask.count_ones() == u32::from(op.element_count);
    op.element_count == 1 || wide
}

/// The 32-bit words of an access in memory order, for every lane, from a store's data beats. Bytes of sinks are 0.
///
/// ```
/// use gpu_lsu::{model::vector::words, op::{Kind, Op}};
///
/// // st.v2.b16: an element's low half counts.
/// let op = Op { kind: Kind::Store as u8, element_bytes: 2, element_count: 2, element_mask: 0b11, ..Op::default() };
/// assert_eq!(words(&op, &[[0xaaaa_1234; 32], [0xbbbb_5678; 32]])[0][7], 0x5678_1234);
/// ```
pub fn words(op: &Op, beats: &[Register]) -> [Register; WORDS] {
    let mut words = [[0; MAX_LANES]; WORDS];
    let bytes = usize::from(op.element_bytes).max(1);
    // The rest of a word past a narrow element belongs to the next element.
    let keep = u32::MAX >> (32 - 8 * bytes.min(4));
    let mut beats = beats.iter();
    for element in elements(op) {
        let first = element * bytes;
        for (at, beat) in (first..first + bytes).step_by(4).zip(&mut beats) {
            let Some(word) = words.get_mut(at / 4) else { continue };
            for (to, from) in word.iter_mut().zip(beat) {
                *to |= (from & keep) << (8 * (at % 4));
            }
        }
    }
    words
}

/// Copies a lane's words into bytes of memory, one after the other, as far as both reach.
#[inline(always)]
pub(super) fn lay(words: &[Register], lane: usize, bytes: &mut [u8]) {
    let mut words = words.iter().map(|word| word[lane].to_le_bytes());
    let (dwords, rest) = bytes.as_chunks_mut();
    for (dword, word) in dwords.iter_mut().zip(&mut words) {
        *dword = word;
    }
    for (byte, value) in rest.iter_mut().zip(words.next().into_iter().flatten()) {
        *byte = value;
    }
}
