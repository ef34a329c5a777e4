// SPDX-License-Identifier: MIT OR Apache-2.0
//! The changes of an FST, in blocks: in each of them a chain for every variable.
//!
//! The `wavefst` crate knows how a block is put together. Its writer keeps each value twice on the heap, and packs it bit by
//! bit; that costs more than all the rest of a wave, so chains grow here.

use std::io;

use wavefst::{GeomEntry, encoding::encode_varint};

use super::{
    packed,
    writer::{Block, Writer},
};
use crate::output::Output;

/// Bytes of chains in a block. A viewer reads a block of them to show a variable.
const BLOCK: usize = 1 << 24;

/// Bytes of a chain that has any.
const CHAIN: usize = 128;

/// A handle, as the header declares it: from 1.
pub(super) type Handle = u32;

/// What a variable holds.
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

/// A chain of changes.
pub(super) struct Chain {
    pub(super) holds: Holds,
    pub(super) bytes: Vec<u8>,
    /// Where its last change begins.
    pub(super) begin: usize,
    /// That one's place in the times of the block.
    place: u64,
}

impl Chain {
    pub(super) fn new(holds: Holds) -> Self {
        Chain { holds, bytes: Vec::new(), begin: 0, place: 0 }
    }

    pub(super) fn clear(&mut self) {
        self.bytes.clear();
        (self.begin, self.place) = (0, 0);
    }
}

pub(super) struct Blocks {
    variables: Vec<Holds>,
    block: Block,
    /// Of what is at the present time, if anything changes then.
    time: u64,
    /// Bytes of all chains.
    size: usize,
    writer: Writer,
}

/// The times of a block: steps from one to the next.
#[derive(Default)]
pub(super) struct Times {
    pub(super) steps: Vec<u8>,
    pub(super) count: u64,
    pub(super) first: u64,
    pub(super) last: u64,
}

impl Times {
    /// The place of this time, which is the last one or after it.
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
    /// What goes to `output`.
    pub(super) fn new(output: Output) -> Self {
        let (variables, block) = Default::default();
        Blocks { variables, block, time: 0, size: 0, writer: Writer::new(output) }
    }

    /// The next handle is of such a variable.
    pub(super) fn declare(&mut self, variable: &GeomEntry) {
        self.variables.push(Holds::of(variable));
    }

    /// Its bits.
    pub(super) fn width(&self, handle: Handle) -> usize {
        match self.variables[handle as usize - 1] {
            Holds::Bits(width) => width as usize,
            Holds::Real | Holds::Text => 0,
        }
    }

    /// Everything is declared; `head` says so.
    pub(super) fn begin(&mut self, head: &[u8]) -> io::Result<()> {
        self.block = Block::new(&self.variables);
        self.writer.begin(head, &self.variables)
    }

    /// What follows happens at this time.
    pub(super) fn time(&mut self, time: u64) -> io::Result<()> {
        self.time = time;
        if self.size < BLOCK { Ok(()) } else { self.write() }
    }

    /// A change of bits, as many as the variable has, the lowest word first.
    #[inline]
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

    /// The same as text.
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

    /// `write` is told what the variable holds and how many times of the block went by, and says whether the value fits.
    #[inline]
    fn change(&mut self, handle: Handle, write: impl FnOnce(Holds, u64, &mut Vec<u8>) -> bool) -> io::Result<()> {
        let place = self.block.times.place(self.time);
        let chain = &mut self.block.chains[handle as usize - 1];
        chain.begin = chain.bytes.len();
        if chain.begin == 0 {
            chain.bytes.reserve(CHAIN);
        }
        let fits = write(chain.holds, place - chain.place, &mut chain.bytes);
        chain.place = place;
        self.size += chain.bytes.len() - chain.begin;
        if fits { Ok(()) } else { Err(io::Error::other("a value that is not as its variable")) }
    }

    /// Writes what has come as a block, and begins another one.
    fn write(&mut self) -> io::Result<()> {
        let next = self.writer.spare().unwrap_or_else(|| Block::new(&self.variables));
        self.writer.write(std::mem::replace(&mut self.block, next))?;
        self.size = 0;
        Ok(())
    }

    /// Writes the rest, and in the header what is known only now.
    pub(super) fn finish(mut self) -> io::Result<()> {
        if self.size > 0 {
            self.write()?;
        }
        self.writer.finish()
    }
}

/// Most are of one byte.
#[inline]
fn small_varint(number: u64, to: &mut Vec<u8>) {
    match number {
        ..0x80 => to.push(number as u8),
        _ => drop(encode_varint(number, to)),
    }
}

/// What FST calls a bit that is neither 0 nor 1: an odd number below 16.
fn unknown(bit: u8) -> u64 {
    match bit {
        b'z' | b'Z' => 3,
        _ => 1,
    }
}
