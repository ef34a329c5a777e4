// SPDX-License-Identifier: MIT OR Apache-2.0
//! The changes of an FST, in blocks: each holds a chain of changes for every variable.
//!
//! The `wavefst` crate knows the format of a block. Its writer keeps each value twice on the heap and packs it bit by
//! bit, which costs more than all the rest of a wave, so the chains are built here.

use std::io;

use wavefst::{GeomEntry, encoding::encode_varint};

use super::{packed, writer::Writer};
use crate::output::Output;

/// The bytes of chains in a block. A viewer reads this much at a time to show a variable.
const BLOCK: usize = 1 << 22;

/// The bytes reserved for a chain when it gets its first change.
const CHAIN: usize = 128;

/// A handle, as the header declares it, from 1.
pub(super) type Handle = u32;

/// The type of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Holds {
    Bits(u32),
    Real,
    Text,
}

impl Holds {
    pub(super) fn of(variable: &GeomEntry) -> Self {
        match variable {
            GeomEntry::Fixed(width) => Holds::Bits(*width),
            GeomEntry::Real => Holds::Real,
            GeomEntry::Variable => Holds::Text,
        }
    }
}

/// The changes of a variable within a block.
pub(super) struct Chain {
    pub(super) holds: Holds,
    pub(super) bytes: Vec<u8>,
    /// The beginning of the last change.
    pub(super) begin: usize,
}

/// The growing end of a chain. Hundreds of chains grow in each cycle, in no order, each in memory pages of its own. So
/// short changes gather here first, in one cache line with everything that appending them needs.
#[repr(align(64))]
struct Tip {
    /// The index of the last change's time in the block.
    place: u32,
    /// The number of bytes in the chain, and the beginning of the last change in it.
    length: u32,
    begin: u32,
    /// A change must come fewer steps than this after the last one to be appended in one step; 0 if the changes are too
    /// long.
    few: u16,
    short: Short,
    /// The number of bytes gathered in `tail`, which follow the chain, and the beginning of the last change in them.
    gathered: u8,
    last: u8,
    tail: [u8; TAIL],
}

/// As many bytes as fill the cache line.
const TAIL: usize = 44;

/// A block that is being filled: the chains by handle, and its times.
pub(super) struct Block {
    tips: Vec<Tip>,
    pub(super) chains: Vec<Chain>,
    pub(super) times: Times,
}

/// How to append a change in one step.
#[derive(Clone, Copy, Default)]
struct Short {
    /// How far the steps are shifted up in the number that begins the change.
    steps: u8,
    /// The mask of the value's bits that stand below them in that number.
    bit: u8,
    /// The number of bytes that follow, and how far the value is shifted up in eight bytes.
    length: u8,
    up: u8,
}

/// The width of the widest variable with such changes: a number of two bytes and this many bits fill eight bytes.
const MOST: u32 = 48;

/// The number of steps from which on that number may have no room for the bit.
const FEW: u16 = 1 << (2 * 7 - 2);

/// The number of bytes written for such a change, of which only the first ones count.
const STEP: usize = 8;

impl Short {
    fn of(holds: Holds) -> Option<Self> {
        match holds {
            Holds::Bits(1) => Some(Short { steps: 2, bit: 1, length: 0, up: 0 }),
            Holds::Bits(width @ 2..=MOST) => {
                Some(Short { steps: 1, bit: 0, length: width.div_ceil(8) as u8, up: (u64::BITS - width) as u8 })
            }
            _ => None,
        }
    }

    /// Returns the change with padding, and how many of its bytes count.
    #[inline]
    fn change(self, steps: u64, value: u64) -> ([u8; STEP], u8) {
        let number = steps << self.steps | (value & u64::from(self.bit)) << 1;
        let value = (value << self.up).swap_bytes();
        let (bytes, before) = match number {
            ..0x80 => (value << 8 | number, 1),
            _ => (value << 16 | number >> 7 << 8 | number & 0x7f | 0x80, 2),
        };
        (bytes.to_le_bytes(), before + self.length)
    }
}

impl Tip {
    fn of(holds: Holds) -> Self {
        let short = Short::of(holds);
        let (few, short) = short.map_or((0, Short::default()), |short| (FEW, short));
        Tip { place: 0, length: 0, begin: 0, few, short, gathered: 0, last: 0, tail: [0; TAIL] }
    }

    /// Appends a change in one step. Returns the number of its bytes, or `None` if it cannot be appended so.
    #[inline(always)]
    fn append(&mut self, place: u32, value: u64) -> Option<u8> {
        let steps = place - self.place;
        let room = self.tail.get_mut(self.gathered.into()..)?.first_chunk_mut::<STEP>()?;
        if steps >= self.few.into() {
            return None;
        }
        let (change, length) = self.short.change(steps.into(), value);
        *room = change;
        (self.place, self.last) = (place, self.gathered);
        self.gathered += length;
        Some(length)
    }

    /// Moves what has gathered into the chain.
    fn give(&mut self, chain: &mut Chain) {
        if self.gathered > 0 {
            self.begin = self.length + u32::from(self.last);
            chain.bytes.extend_from_slice(&self.tail[..self.gathered.into()]);
            self.length = chain.bytes.len() as u32;
            self.gathered = 0;
        }
    }
}

impl Block {
    pub(super) fn new(variables: &[Holds]) -> Self {
        let chain = |&holds| Chain { holds, bytes: Vec::new(), begin: 0 };
        Block {
            tips: variables.iter().copied().map(Tip::of).collect(),
            chains: variables.iter().map(chain).collect(),
            times: Times::default(),
        }
    }

    /// Completes the chains; nothing is added afterwards.
    pub(super) fn close(&mut self) {
        for (tip, chain) in self.tips.iter_mut().zip(&mut self.chains) {
            tip.give(chain);
            chain.begin = tip.begin as usize;
        }
    }

    pub(super) fn clear(&mut self) {
        for (tip, chain) in self.tips.iter_mut().zip(&mut self.chains) {
            chain.bytes.clear();
            (tip.place, tip.begin, tip.length, tip.gathered) = (0, 0, 0, 0);
        }
        self.times = Times::default();
    }
}

pub(super) struct Blocks {
    variables: Vec<Holds>,
    block: Block,
    /// The index of the present time in the block.
    place: u32,
    /// The number of bytes in all chains.
    size: usize,
    writer: Writer,
}

/// The times of a block, as steps from one to the next.
#[derive(Default)]
pub(super) struct Times {
    pub(super) steps: Vec<u8>,
    pub(super) count: u64,
    pub(super) first: u64,
    pub(super) last: u64,
}

impl Times {
    /// The index of this time, which is the last one or later.
    #[inline]
    fn place(&mut self, time: u64) -> u64 {
        if self.count == 0 || self.last != time {
            let before = if self.count == 0 { 0 } else { self.last };
            encode_varint(time - before, &mut self.steps);
            if self.count == 0 {
                self.first = time;
            }
            (self.last, self.count) = (time, self.count + 1);
        }
        self.count - 1
    }
}

impl Blocks {
    /// Creates the blocks of a file at `output`.
    pub(super) fn new(output: Output) -> Self {
        Blocks { variables: Vec::new(), block: Block::new(&[]), place: 0, size: 0, writer: Writer::new(output) }
    }

    /// Declares the variable of the next handle.
    pub(super) fn declare(&mut self, variable: &GeomEntry) {
        self.variables.push(Holds::of(variable));
    }

    /// The width of a variable in bits; 0 for a real or a text.
    pub(super) fn width(&self, handle: Handle) -> usize {
        match self.variables[handle as usize - 1] {
            Holds::Bits(width) => width as usize,
            Holds::Real | Holds::Text => 0,
        }
    }

    /// Ends the declarations; `head` contains them.
    pub(super) fn begin(&mut self, head: &[u8]) -> io::Result<()> {
        self.block = Block::new(&self.variables);
        self.writer.begin(head, &self.variables)
    }

    /// Sets the time of the changes that follow.
    pub(super) fn time(&mut self, time: u64) -> io::Result<()> {
        if self.size >= BLOCK {
            self.write()?;
        }
        self.place = self.block.times.place(time) as u32;
        Ok(())
    }

    /// Appends a change of at most 64 bits.
    #[inline(always)]
    pub(super) fn number(&mut self, handle: Handle, value: u64) -> io::Result<()> {
        match self.block.tips[handle as usize - 1].append(self.place, value) {
            Some(length) => {
                self.size += usize::from(length);
                Ok(())
            }
            None => self.seldom(handle, value),
        }
    }

    /// Appends a change that could not be appended in one step at first.
    #[inline(never)]
    fn seldom(&mut self, handle: Handle, value: u64) -> io::Result<()> {
        let at = handle as usize - 1;
        self.block.tips[at].give(&mut self.block.chains[at]);
        if let Some(length) = self.block.tips[at].append(self.place, value) {
            self.size += usize::from(length);
            return Ok(());
        }
        let words = [value as u32, (value >> 32) as u32];
        let count = if matches!(self.variables[at], Holds::Bits(..=32)) { 1 } else { 2 };
        self.words(handle, &words[..count])
    }

    /// Appends a change of all bits of a variable, lowest word first.
    #[inline(never)]
    pub(super) fn words(&mut self, handle: Handle, words: &[u32]) -> io::Result<()> {
        self.change(handle, |holds, steps, chain| match holds {
            Holds::Bits(1) => {
                small_varint(steps << 2 | u64::from(words[0] & 1) << 1, chain);
                true
            }
            Holds::Bits(width) => {
                small_varint(steps << 1, chain);
                packed::append_words(words, width as usize, chain);
                words.len() == (width as usize).div_ceil(32)
            }
            _ => false,
        })
    }

    /// Appends a change of bits given as text.
    pub(super) fn bits(&mut self, handle: Handle, bits: &[u8]) -> io::Result<()> {
        self.change(handle, |holds, steps, chain| {
            match bits {
                [bit @ (b'0' | b'1')] => drop(encode_varint(steps << 2 | u64::from(bit & 1) << 1, chain)),
                [bit] => drop(encode_varint(steps << 4 | unknown(*bit), chain)),
                _ => {
                    let begin = chain.len();
                    encode_varint(steps << 1, chain);
                    if !packed::append(bits, chain) {
                        chain.truncate(begin);
                        encode_varint(steps << 1 | 1, chain);
                        chain.extend_from_slice(bits);
                    }
                }
            }
            holds == Holds::Bits(bits.len() as u32)
        })
    }

    pub(super) fn real(&mut self, handle: Handle, value: f64) -> io::Result<()> {
        self.change(handle, |holds, steps, chain| {
            encode_varint(steps << 1 | 1, chain);
            chain.extend_from_slice(&value.to_ne_bytes());
            holds == Holds::Real
        })
    }

    pub(super) fn text(&mut self, handle: Handle, text: &[u8]) -> io::Result<()> {
        self.change(handle, |holds, steps, chain| {
            encode_varint(steps << 1, chain);
            encode_varint(text.len() as u64, chain);
            chain.extend_from_slice(text);
            holds == Holds::Text
        })
    }

    /// Appends a change with `write`, which receives the type of the variable and the number of steps since its last
    /// change, and returns whether the value fits.
    #[inline]
    fn change(&mut self, handle: Handle, write: impl FnOnce(Holds, u64, &mut Vec<u8>) -> bool) -> io::Result<()> {
        let (tip, chain) = (&mut self.block.tips[handle as usize - 1], &mut self.block.chains[handle as usize - 1]);
        tip.give(chain);
        tip.begin = tip.length;
        if chain.bytes.is_empty() {
            chain.bytes.reserve(CHAIN);
        }
        let fits = write(chain.holds, u64::from(self.place - tip.place), &mut chain.bytes);
        tip.place = self.place;
        tip.length = chain.bytes.len() as u32;
        self.size += (tip.length - tip.begin) as usize;
        if fits { Ok(()) } else { Err(io::Error::other("a value that is not as its variable")) }
    }

    /// Writes the block, and begins another one.
    fn write(&mut self) -> io::Result<()> {
        let next = self.writer.spare().unwrap_or_else(|| Block::new(&self.variables));
        self.writer.write(std::mem::replace(&mut self.block, next))?;
        self.size = 0;
        Ok(())
    }

    /// Writes the last block, and then the header fields that are known only now.
    pub(super) fn finish(mut self) -> io::Result<()> {
        if self.size > 0 {
            self.write()?;
        }
        self.writer.finish()
    }
}

/// Appends a varint, which most often has one byte.
#[inline]
fn small_varint(number: u64, to: &mut Vec<u8>) {
    match number {
        ..0x80 => to.push(number as u8),
        _ => drop(encode_varint(number, to)),
    }
}

/// The FST code of a bit that is neither 0 nor 1: an odd number below 16.
fn unknown(bit: u8) -> u64 {
    match bit {
        b'z' | b'Z' => 3,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use proptest::{collection::vec, prelude::*};

    use super::{Block, FEW, Holds, packed, small_varint};

    proptest! {
        #[test]
        fn what_gathers_is_what_the_format_says(
            width in 1u32..=64,
            changes in vec((prop_oneof![0..200u32, 0..2 * u32::from(FEW)], any::<u64>()), 1..60),
        ) {
            let mut block = Block::new(&[Holds::Bits(width)]);
            let (mut expected, mut begin, mut place, mut refused) = (Vec::new(), 0, 0, 0);
            for (steps, value) in changes {
                let value = value >> (u64::BITS - width);
                place += steps;
                let (tip, chain) = (&mut block.tips[0], &mut block.chains[0]);
                if tip.append(place, value).is_none() {
                    tip.give(chain);
                    if tip.append(place, value).is_none() {
                        // As after a long change.
                        tip.place = place;
                        refused += 1;
                        prop_assert!(width > 48 || steps >= FEW.into());
                        continue;
                    }
                }
                prop_assert!(steps < FEW.into());
                begin = expected.len();
                if width == 1 {
                    small_varint(u64::from(steps) << 2 | value << 1, &mut expected);
                } else {
                    small_varint(u64::from(steps) << 1, &mut expected);
                    let words = [value as u32, (value >> 32) as u32];
                    packed::append_words(&words[..width.div_ceil(32) as usize], width as usize, &mut expected);
                }
            }
            block.close();
            prop_assert_eq!(&block.chains[0].bytes, &expected);
            prop_assert_eq!(block.chains[0].begin, begin);
            prop_assert!(width <= 48 || expected.is_empty() && refused > 0);
        }
    }
}
