// SPDX-License-Identifier: MIT OR Apache-2.0
//! One port of a Verilated unit, read and written in place.

use std::slice;

/// A port's bytes, least significant first (the hosts that Verilator supports are little-endian).
///
/// A pin must not be used after its [`Dut`](super::Dut) is gone; the bench keeps both in one struct.
#[derive(Clone, Copy)]
pub struct Pin {
    data: *mut u8,
    bytes: usize,
}

impl Pin {
    pub(super) fn new(address: usize, bytes: usize) -> Self {
        Pin { data: address as *mut u8, bytes }
    }

    /// Bytes of the port, padding included.
    #[allow(clippy::len_without_is_empty)]
    pub fn len(&self) -> usize {
        self.bytes
    }

    /// The port's bytes.
    #[inline]
    pub fn bytes(&self) -> &[u8] {
        // SAFETY: the address and size are those of a member of the Verilated class, which outlives the pin and is
        // touched by nobody else while Rust holds this borrow: evaluation needs `&mut Dut` and happens between uses.
        unsafe { slice::from_raw_parts(self.data, self.bytes) }
    }

    /// Overwrites the port's low bytes.
    ///
    /// # Panics
    ///
    /// When `bytes` is longer than the port.
    #[inline]
    pub fn set_bytes(&mut self, bytes: &[u8]) {
        // SAFETY: as in `bytes`.
        let port = unsafe { slice::from_raw_parts_mut(self.data, self.bytes) };
        port[..bytes.len()].copy_from_slice(bytes);
    }

    /// Overwrites the port with 32-bit words, of which it has exactly as many as it takes.
    #[inline]
    pub fn set_words(&mut self, words: &[u32]) {
        for (index, word) in words.iter().enumerate().take(self.bytes.div_ceil(4)) {
            let at = index * 4;
            let count = (self.bytes - at).min(4);
            // SAFETY: as in `bytes`; `at + count` is at most the port's size.
            let port = unsafe { slice::from_raw_parts_mut(self.data.add(at), count) };
            port.copy_from_slice(&word.to_le_bytes()[..count]);
        }
    }

    /// A port of one bit.
    #[inline]
    pub fn is_set(&self) -> bool {
        // SAFETY: as in `bytes`; every port has a byte.
        unsafe { *self.data != 0 }
    }

    /// Drives a port of one bit.
    #[inline]
    pub fn set(&mut self, value: bool) {
        // SAFETY: as in `is_set`.
        unsafe { *self.data = u8::from(value) }
    }

    /// A port of at most 64 bits.
    #[inline]
    pub fn value(&self) -> u64 {
        let mut all = [0; 8];
        let count = self.bytes.min(8);
        all[..count].copy_from_slice(&self.bytes()[..count]);
        u64::from_le_bytes(all)
    }

    /// Drives a port of at most 64 bits.
    #[inline]
    pub fn set_value(&mut self, value: u64) {
        let count = self.bytes.min(8);
        self.set_bytes(&value.to_le_bytes()[..count]);
    }
}
