// SPDX-License-Identifier: MIT OR Apache-2.0
//! The changes of an FST, in blocks: in each of them a chain for every variable.
//!
//! The `wavefst` crate knows how a block is put together. Its writer keeps each value twice on the heap, and packs it bit by
//! bit; that costs more than all the rest of a wave, so chains grow here.

use std::{
    collections::HashMap,
    io::{self, Seek, SeekFrom, Write},
    mem,
};

use rustc_hash::FxBuildHasher;
use wavefst::{
    GeomEntry, PackType,
    block::{ChainIndexEntry, encode_chain_index_dyn_alias2, encode_chain_payload},
    encoding::encode_varint,
};

use super::{cannot, packed};
use crate::output::Output;

/// Bytes of chains in a block. A viewer reads a block of them to show a variable.
const BLOCK: usize = 1 << 24;
/// Shorter chains are not worth the table that compression begins with.
const COMPRESSED: usize = 64;
/// `FST_BL_VCDATA_DYN_ALIAS2`
const TYPE: u8 = 8;
/// Where the header has the first and the last time, and the number of blocks.
const TIMES: u64 = 9;
const COUNT: u64 = 65;

/// A handle, as the header declares it: from 1.
pub(super) type Handle = u32;

/// A chain of changes.
#[derive(Default)]
struct Chain {
    bytes: Vec<u8>,
    /// The last change's place in the times of the block.
    last: u64,
    /// Where its value stands in `values`, and how long it is: a character a bit, the bytes of a real, nothing of a text.
    at: usize,
    width: usize,
}

pub(super) struct Blocks {
    output: Output,
    chains: Vec<Chain>,
    /// What every variable holds, and what it held as the block began.
    values: Vec<u8>,
    frame: Vec<u8>,
    times: Times,
    /// Bytes of all chains.
    size: usize,
    written: u64,
    /// Of the file.
    first: Option<u64>,
}

/// The times of a block: steps from one to the next.
#[derive(Default)]
struct Times {
    steps: Vec<u8>,
    count: u64,
    first: u64,
    last: u64,
}

impl Times {
    /// The place of this time, which is the last one or after it.
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
        let (chains, values, frame, times) = Default::default();
        Blocks { output, chains, values, frame, times, size: 0, written: 0, first: None }
    }

    /// The next handle is of such a variable.
    pub(super) fn declare(&mut self, variable: &GeomEntry) {
        let at = self.values.len();
        match variable {
            GeomEntry::Fixed(width) => self.values.resize(at + *width as usize, b'x'),
            GeomEntry::Real => self.values.extend(f64::NAN.to_ne_bytes()),
            GeomEntry::Variable => {}
        }
        self.chains.push(Chain { at, width: self.values.len() - at, ..Chain::default() });
    }

    /// Everything is declared; `head` says so.
    pub(super) fn begin(&mut self, head: &[u8]) -> io::Result<()> {
        self.frame.clone_from(&self.values);
        // What cannot be gone back in, as a pipe, is no place for an FST: better said now than at its end.
        self.output.rewind()?;
        self.output.write_all(head)
    }

    /// A change of bits, as many as the variable has.
    pub(super) fn bits(&mut self, time: u64, handle: Handle, bits: &[u8]) -> io::Result<()> {
        self.change(time, handle, bits, |steps, chain| match bits {
            [bit @ (b'0' | b'1')] => {
                encode_varint(steps << 2 | u64::from(bit & 1) << 1, chain);
            }
            [bit] => {
                encode_varint(steps << 4 | unknown(*bit), chain);
            }
            _ => {
                let begin = chain.len();
                encode_varint(steps << 1, chain);
                if !packed::append(bits, chain) {
                    chain.truncate(begin);
                    encode_varint(steps << 1 | 1, chain);
                    chain.extend_from_slice(bits);
                }
            }
        })
    }

    pub(super) fn real(&mut self, time: u64, handle: Handle, value: f64) -> io::Result<()> {
        let bytes = value.to_ne_bytes();
        self.change(time, handle, &bytes, |steps, chain| {
            encode_varint(steps << 1 | 1, chain);
            chain.extend_from_slice(&bytes);
        })
    }

    pub(super) fn text(&mut self, time: u64, handle: Handle, text: &[u8]) -> io::Result<()> {
        self.change(time, handle, &[], |steps, chain| {
            encode_varint(steps << 1, chain);
            encode_varint(text.len() as u64, chain);
            chain.extend_from_slice(text);
        })
    }

    /// `value` is what the frame of the next block has of it; `write` is told how many times of the block went by.
    fn change(
        &mut self,
        time: u64,
        handle: Handle,
        value: &[u8],
        write: impl FnOnce(u64, &mut Vec<u8>),
    ) -> io::Result<()> {
        let chain = &mut self.chains[handle as usize - 1];
        if chain.width != value.len() {
            return Err(io::Error::other("a value that is not as long as its variable"));
        }
        let place = self.times.place(time);
        let before = chain.bytes.len();
        write(place - chain.last, &mut chain.bytes);
        chain.last = place;
        self.values[chain.at..][..chain.width].copy_from_slice(value);
        self.size += chain.bytes.len() - before;
        self.first.get_or_insert(time);
        if self.size < BLOCK { Ok(()) } else { self.write() }
    }

    /// Writes what has come as a block, and begins another one.
    fn write(&mut self) -> io::Result<()> {
        let mut chains = Vec::with_capacity(self.size / 2);
        let mut index = Vec::with_capacity(self.chains.len());
        // Many variables are one signal under another name.
        let mut known = HashMap::with_capacity_and_hasher(self.chains.len(), FxBuildHasher);
        for (chain, handle) in self.chains.iter().zip(1..) {
            let bytes = &chain.bytes[..];
            index.push(match bytes {
                [] => ChainIndexEntry::Empty,
                _ => match *known.entry(bytes).or_insert(handle) {
                    target if target != handle => ChainIndexEntry::Alias { target },
                    _ => {
                        let offset = chains.len() as u64;
                        if bytes.len() < COMPRESSED {
                            encode_varint(0, &mut chains);
                            chains.extend_from_slice(bytes);
                        } else {
                            let (length, bytes) = encode_chain_payload(PackType::Lz4, bytes, None).map_err(cannot)?;
                            encode_varint(length, &mut chains);
                            chains.extend_from_slice(&bytes);
                        }
                        ChainIndexEntry::Data { offset }
                    }
                },
            });
        }
        let index = encode_chain_index_dyn_alias2(&index).map_err(cannot)?;
        let Times { steps, count, first, last } = &self.times;

        let mut head = Vec::new();
        [*first, *last, self.size as u64].iter().for_each(|number| head.extend(number.to_be_bytes()));
        // Frame and steps are not compressed, which is said by two lengths that are equal.
        encode_varint(self.frame.len() as u64, &mut head);
        encode_varint(self.frame.len() as u64, &mut head);
        encode_varint(self.chains.len() as u64, &mut head);
        let mut middle = Vec::new();
        encode_varint(self.chains.len() as u64, &mut middle);
        middle.push(PackType::Lz4.marker());
        let mut tail = steps.clone();
        [steps.len() as u64, steps.len() as u64, *count].iter().for_each(|number| tail.extend(number.to_be_bytes()));
        let index_length = (index.len() as u64).to_be_bytes();

        let parts = [&head, &self.frame, &middle, &chains, &index, &index_length[..], &tail];
        let length = mem::size_of::<u64>() + parts.iter().map(|part| part.len()).sum::<usize>();
        self.output.write_all(&[TYPE])?;
        self.output.write_all(&(length as u64).to_be_bytes())?;
        parts.iter().try_for_each(|part| self.output.write_all(part))?;

        for chain in &mut self.chains {
            chain.bytes.clear();
            chain.last = 0;
        }
        self.frame.copy_from_slice(&self.values);
        let last = self.times.last;
        self.times = Times { last, ..Times::default() };
        (self.size, self.written) = (0, self.written + 1);
        Ok(())
    }

    /// Writes the rest, and in the header what is known only now.
    pub(super) fn finish(mut self) -> io::Result<()> {
        if self.size > 0 {
            self.write()?;
        }
        let Blocks { mut output, times, written, first, .. } = self;
        output.seek(SeekFrom::Start(TIMES))?;
        output.write_all(&first.unwrap_or_default().to_be_bytes())?;
        output.write_all(&times.last.to_be_bytes())?;
        output.seek(SeekFrom::Start(COUNT))?;
        output.write_all(&written.to_be_bytes())?;
        output.finish()
    }
}

/// What FST calls a bit that is neither 0 nor 1: an odd number below 16.
fn unknown(bit: u8) -> u64 {
    match bit {
        b'z' | b'Z' => 3,
        _ => 1,
    }
}
