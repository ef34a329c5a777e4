// SPDX-License-Identifier: MIT OR Apache-2.0
//! One port of a Verilated unit, read and written in place.

use std::{
    cell::Cell,
    ptr::{self, NonNull},
    rc::Rc,
    slice,
};

use super::Unit;
use crate::ports::Wires;

/// A port's bytes, least significant first (the hosts that Verilator supports are little-endian).
///
/// A pin keeps its unit alive: it still works after the [`Dut`](super::Dut) is gone, but nothing evaluates the unit
/// then.
///
/// ```
/// # use gpu_lsu::dut::Dut;
/// let dut = Dut::new(32)?;
/// let mut pin = dut.pin("op_valid_i", 1)?;
/// drop(dut);
/// pin.set(true);
/// assert!(pin.is_set());
/// # Ok::<(), gpu_lsu::dut::DutError>(())
/// ```
///
/// Nothing that is read in place outlives the pin,
///
/// ```compile_fail,E0505
/// # use gpu_lsu::dut::Dut;
/// let pin = Dut::new(32)?.pin("op_valid_i", 1)?;
/// let bytes = pin.bytes();
/// drop(pin);
/// assert_eq!(bytes.count(), 1);
/// # Ok::<(), gpu_lsu::dut::DutError>(())
/// ```
///
/// and it stays in the thread of its unit.
///
/// ```compile_fail,E0277
/// # use gpu_lsu::dut::Dut;
/// let pin = Dut::new(32)?.pin("op_valid_i", 1)?;
/// std::thread::spawn(move || pin.is_set());
/// # Ok::<(), gpu_lsu::dut::DutError>(())
/// ```
#[derive(Clone)]
pub struct Pin {
    /// Cells, since evaluation and other pins of the same port also write here.
    port: NonNull<[Cell<u8>]>,
    /// Keeps the port's memory alive.
    _unit: Rc<Unit>,
}

impl Pin {
    /// The port of this many bytes at `address` in `unit`; `None` for address 0, which is no member.
    ///
    /// # Safety
    ///
    /// The bytes are a member of the Verilated class behind `unit`, and there is at least one.
    pub(super) unsafe fn new(unit: &Rc<Unit>, address: usize, bytes: usize) -> Option<Self> {
        let first = NonNull::new(ptr::with_exposed_provenance_mut(address))?;
        Some(Pin { port: NonNull::slice_from_raw_parts(first, bytes), _unit: Rc::clone(unit) })
    }

    #[inline]
    fn cells(&self) -> &[Cell<u8>] {
        // SAFETY: the bytes are a member of the Verilated class, which `_unit` keeps alive and in place. As an `Rc`
        // stays in one thread, all accesses come from that thread, and none happens while a cell is read or written.
        unsafe { self.port.as_ref() }
    }

    #[inline]
    fn lowest(&self) -> &Cell<u8> {
        // SAFETY: as in `cells`; every port has at least one byte.
        unsafe { self.port.cast().as_ref() }
    }

    /// The port's `N` lowest bytes; it must have that many.
    #[inline]
    fn low<const N: usize>(&self) -> [u8; N] {
        assert!(N <= self.len());
        // SAFETY: as in `cells`; there are `N` bytes.
        unsafe { self.port.cast::<[u8; N]>().read() }
    }

    /// Overwrites the port's `N` lowest bytes; it must have that many.
    #[inline]
    fn set_low<const N: usize>(&mut self, bytes: [u8; N]) {
        assert!(N <= self.len());
        // SAFETY: as in `cells`; there are `N` bytes.
        unsafe { self.port.cast::<[u8; N]>().write(bytes) }
    }

    /// Bytes of the port, padding included.
    #[allow(clippy::len_without_is_empty)]
    #[inline]
    pub fn len(&self) -> usize {
        self.port.len()
    }

    /// The port's bytes.
    #[inline]
    pub fn bytes(&self) -> impl ExactSizeIterator<Item = u8> {
        self.cells().iter().map(Cell::get)
    }

    /// Whether the port holds exactly these bytes.
    #[inline]
    pub fn holds(&self, bytes: &[u8]) -> bool {
        // SAFETY: as in `cells`, for as long as the comparison takes.
        let port = unsafe { slice::from_raw_parts(self.port.as_ptr().cast::<u8>(), self.len()) };
        port == bytes
    }

    /// Copies the port's low bytes, as many as `into` has room for; the rest of `into` stays as it is.
    #[inline]
    pub fn copy_bytes(&self, into: &mut [u8]) {
        // SAFETY: `into` is Rust's memory and cannot overlap the port; otherwise as in `cells`.
        unsafe { ptr::copy_nonoverlapping(self.port.as_ptr().cast(), into.as_mut_ptr(), self.len().min(into.len())) }
    }

    /// Copies the port's low 32-bit words, as many as `into` has room for. The rest of `into` stays as it is, except
    /// that a port narrower than a word is padded with zeros.
    #[inline]
    pub fn copy_words(&self, into: &mut [u32]) {
        if let (Some(first), true) = (into.first_mut(), self.len() < size_of::<u32>()) {
            *first = 0;
        }
        // SAFETY: as in `copy_bytes`; any bytes make valid words.
        unsafe {
            ptr::copy_nonoverlapping(
                self.port.as_ptr().cast(),
                into.as_mut_ptr().cast::<u8>(),
                self.len().min(size_of_val(into)),
            )
        }
    }

    /// Overwrites the port's low bytes; bytes past the port are ignored.
    #[inline]
    pub fn set_bytes(&mut self, bytes: &[u8]) {
        // SAFETY: `bytes` are Rust's memory and cannot overlap the port; otherwise as in `cells`.
        unsafe { ptr::copy_nonoverlapping(bytes.as_ptr(), self.port.as_ptr().cast(), self.len().min(bytes.len())) }
    }

    /// Overwrites the port's low 32-bit words; words past the port are ignored.
    #[inline]
    pub fn set_words(&mut self, words: &[u32]) {
        // SAFETY: as in `set_bytes`; words may be read as bytes.
        unsafe {
            ptr::copy_nonoverlapping(
                words.as_ptr().cast::<u8>(),
                self.port.as_ptr().cast(),
                self.len().min(size_of_val(words)),
            )
        }
    }

    /// Whether a port of one bit is 1.
    #[inline]
    pub fn is_set(&self) -> bool {
        self.lowest().get() != 0
    }

    /// Drives a port of one bit.
    #[inline]
    pub fn set(&mut self, value: bool) {
        self.lowest().set(u8::from(value));
    }

    /// The value of a port of at most 64 bits; of a wider port, its low 64 bits.
    #[inline]
    pub fn value(&self) -> u64 {
        match self.len() {
            // Most ports have these sizes; a size known at compile time takes a single read.
            1 => self.lowest().get().into(),
            4 => u32::from_le_bytes(self.low()).into(),
            8.. => u64::from_le_bytes(self.low()),
            _ => {
                let mut bytes = [0; 8];
                self.copy_bytes(&mut bytes);
                u64::from_le_bytes(bytes)
            }
        }
    }

    /// Drives a port of at most 64 bits.
    #[inline]
    pub fn set_value(&mut self, value: u64) {
        match self.len() {
            // All ports that hold a value have these sizes; a size known at compile time takes no call.
            1 => self.lowest().set(value as u8),
            2 => self.set_low((value as u16).to_le_bytes()),
            4 => self.set_low((value as u32).to_le_bytes()),
            8.. => self.set_low(value.to_le_bytes()),
            _ => self.set_bytes(&value.to_le_bytes()),
        }
    }
}

impl Wires for Pin {
    #[inline]
    fn copy_bytes(&self, into: &mut [u8]) {
        self.copy_bytes(into);
    }

    #[inline]
    fn copy_words(&self, into: &mut [u32]) {
        self.copy_words(into);
    }

    #[inline]
    fn set_bytes(&mut self, bytes: &[u8]) {
        self.set_bytes(bytes);
    }

    #[inline]
    fn set_words(&mut self, words: &[u32]) {
        self.set_words(words);
    }

    #[inline]
    fn value(&self) -> u64 {
        self.value()
    }

    #[inline]
    fn set_value(&mut self, value: u64) {
        self.set_value(value);
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Dut, DutError};

    /// A pin of a dropped unit never writes to the memory of a unit that was made since.
    #[test]
    fn a_pin_outlives_its_unit() -> Result<(), DutError> {
        for _ in 0..4 {
            let mut old = Dut::new(32)?.pin("op_i", 248)?;
            let unit = Dut::new(32)?;
            let mut new = unit.pin("op_i", 248)?;
            new.set_words(&[0; 8]);
            old.set_words(&[0xa5a5_a5a5; 8]);
            assert!(new.bytes().all(|byte| byte == 0));
            let mut words = [0; 8];
            old.copy_words(&mut words);
            assert_eq!(words, [0xa5a5_a5a5; 8]);
        }
        Ok(())
    }

    /// A port of one byte and one of many words, each read and written with less and with more than it holds.
    #[test]
    fn words_and_bytes_of_ports_of_all_sizes() -> Result<(), DutError> {
        let unit = Dut::new(32)?;
        let (mut small, mut wide) = (unit.pin("mem_rsp_id_i", 6)?, unit.pin("op_addr_i", 3072)?);
        let mut words = [u32::MAX; 2];
        small.set_words(&[0xffff_ff15, 7]);
        small.copy_words(&mut words);
        assert_eq!((words, small.value(), small.holds(&[0x15])), ([0x15, u32::MAX], 0x15, true));
        wide.set_words(&[0; 97]);
        wide.set_words(&[1, 2, 3]);
        wide.set_bytes(&[9]);
        wide.copy_words(&mut words);
        assert_eq!((words, wide.value()), ([9, 2], 2 << 32 | 9));
        let mut bytes = [7; 400];
        wide.copy_bytes(&mut bytes);
        assert_eq!((bytes[8], &bytes[382..386]), (3, [0, 0, 7, 7].as_slice()));
        assert!(wide.holds(&bytes[..384]) && !wide.holds(&bytes[..383]) && !small.holds(&[0x14]));
        Ok(())
    }

    /// Two pins of one port, and an evaluation in between.
    #[test]
    fn a_port_has_any_number_of_pins() -> Result<(), DutError> {
        let mut unit = Dut::new(32)?;
        let (mut one, other) = (unit.pin("op_active_i", 32)?, unit.pin("op_active_i", 32)?);
        let mut bytes = other.bytes();
        one.set_value(0x0403_0201);
        assert_eq!(bytes.next(), Some(1));
        one.set_bytes(&[9, 8, 7]);
        unit.eval().map_err(|_| DutError::NotBuilt { lanes: 32 })?;
        assert_eq!(bytes.collect::<Vec<_>>(), [8, 7, 4]);
        assert_eq!(other.value(), 0x0407_0809);
        Ok(())
    }
}
