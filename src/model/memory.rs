// SPDX-License-Identifier: MIT OR Apache-2.0
//! The memory behind the port: sparse, and never uninitialised.
//!
//! A byte that was never written is a fixed function of its address and the seed. So two memories of one seed agree
//! without sharing anything, and a load from a wrong address does not read a plausible zero.

use rustc_hash::FxHashMap;

use crate::op::MAX_LINE_BYTES;

/// Bytes of a block, in which memory is stored, whatever the unit's line size.
const BLOCK: usize = MAX_LINE_BYTES;
type Block = [u8; BLOCK];

/// A 64-bit byte address space.
#[derive(Clone, Debug)]
pub struct Memory {
    seed: u64,
    /// The blocks in which something was written, by address / BLOCK.
    blocks: FxHashMap<u64, Block>,
}

impl Memory {
    /// ```
    /// use gpu_lsu::model::Memory;
    ///
    /// assert_eq!(Memory::new(7).read_line(0x1000), Memory::new(7).read_line(0x1000));
    /// assert_ne!(Memory::new(7).read_line(0x1000), Memory::new(8).read_line(0x1000));
    /// ```
    pub fn new(seed: u64) -> Self {
        Memory { seed, blocks: FxHashMap::default() }
    }

    /// The 128 bytes from `line` on. A unit with shorter lines uses only the first of them.
    pub fn read_line(&self, line: u64) -> [u8; MAX_LINE_BYTES] {
        let (number, skip) = split(line);
        let mut bytes = self.block(number);
        if skip != 0 {
            let next = self.block(following(number));
            bytes.copy_within(skip.., 0);
            bytes[BLOCK - skip..].copy_from_slice(&next[..skip]);
        }
        bytes
    }

    /// Writes byte i of `data` to address `line + i` where bit i of `byte_enable` is set.
    ///
    /// ```
    /// let mut memory = gpu_lsu::model::Memory::new(0);
    /// let before = memory.byte(0x21);
    /// memory.write(0x20, 0b101, &[9; 128]);
    /// assert_eq!([0x20, 0x21, 0x22].map(|addr| memory.byte(addr)), [9, before, 9]);
    /// ```
    pub fn write(&mut self, line: u64, byte_enable: u128, data: &[u8; MAX_LINE_BYTES]) {
        let (number, skip) = split(line);
        let here = byte_enable << skip;
        if here != 0 {
            merge(&mut self.touch(number)[skip..], byte_enable, data);
        }
        let beyond = if skip == 0 { 0 } else { byte_enable >> (BLOCK - skip) };
        if beyond != 0 {
            merge(self.touch(following(number)), beyond, &data[BLOCK - skip..]);
        }
    }

    /// Sets the bytes from `addr` on.
    ///
    /// ```
    /// let mut memory = gpu_lsu::model::Memory::new(0);
    /// memory.poke(0x7f, &[1, 2]);
    /// assert_eq!((memory.byte(0x7f), memory.byte(0x80)), (1, 2));
    /// ```
    pub fn poke(&mut self, addr: u64, bytes: &[u8]) {
        let (mut number, mut offset) = split(addr);
        let mut rest = bytes;
        while !rest.is_empty() {
            let here;
            (here, rest) = rest.split_at(rest.len().min(BLOCK - offset));
            self.touch(number)[offset..offset + here.len()].copy_from_slice(here);
            (number, offset) = (following(number), 0);
        }
    }

    /// The 32-bit word at `addr`, which need not be aligned.
    pub fn word(&self, addr: u64) -> u32 {
        u32::from_le_bytes(std::array::from_fn(|byte| self.byte(addr.wrapping_add(byte as u64))))
    }

    /// The byte at `addr`.
    pub fn byte(&self, addr: u64) -> u8 {
        let (number, offset) = split(addr);
        self.block(number)[offset]
    }

    /// The blocks of 128 bytes in which something was written, with their addresses, ascending.
    ///
    /// ```
    /// let mut memory = gpu_lsu::model::Memory::new(0);
    /// memory.poke(0x1081, &[1]);
    /// memory.poke(0x40, &[2]);
    /// assert_eq!(memory.lines().map(|(addr, _)| addr).collect::<Vec<_>>(), [0, 0x1080]);
    /// ```
    pub fn lines(&self) -> impl Iterator<Item = (u64, &[u8; MAX_LINE_BYTES])> {
        let mut lines: Vec<_> = self.blocks.iter().map(|(number, block)| (number * BLOCK as u64, block)).collect();
        lines.sort_unstable_by_key(|&(addr, _)| addr);
        lines.into_iter()
    }

    /// The lowest byte address at which two memories of one seed differ.
    ///
    /// Blocks that neither memory wrote are not compared, so the answer means nothing for memories of different seeds.
    ///
    /// ```
    /// let memory = gpu_lsu::model::Memory::new(0);
    /// let mut other = memory.clone();
    /// other.poke(0x123, &[!memory.byte(0x123)]);
    /// assert_eq!(memory.first_difference(&other), Some(0x123));
    /// ```
    pub fn first_difference(&self, other: &Memory) -> Option<u64> {
        let numbers = self.blocks.keys().chain(other.blocks.keys().filter(|number| !self.blocks.contains_key(number)));
        let in_block = |number: &u64| {
            let (mine, theirs) = (self.block(*number), other.block(*number));
            let offset = mine.iter().zip(&theirs).position(|(mine, theirs)| mine != theirs)?;
            Some(number * BLOCK as u64 + offset as u64)
        };
        numbers.filter_map(in_block).min()
    }

    /// Forgets every write and starts with another seed; allocated room is kept.
    ///
    /// ```
    /// let mut memory = gpu_lsu::model::Memory::new(0);
    /// memory.poke(0, &[!memory.byte(0)]);
    /// memory.restart(1);
    /// assert_eq!(memory.first_difference(&gpu_lsu::model::Memory::new(1)), None);
    /// ```
    pub fn restart(&mut self, seed: u64) {
        self.seed = seed;
        self.blocks.clear();
    }

    fn block(&self, number: u64) -> Block {
        self.blocks.get(&number).copied().unwrap_or_else(|| untouched(self.seed, number))
    }

    fn touch(&mut self, number: u64) -> &mut Block {
        self.blocks.entry(number).or_insert_with(|| untouched(self.seed, number))
    }
}

fn split(addr: u64) -> (u64, usize) {
    (addr / BLOCK as u64, (addr % BLOCK as u64) as usize)
}

/// Block numbers wrap where addresses do.
fn following(number: u64) -> u64 {
    (number + 1) % (u64::MAX / BLOCK as u64 + 1)
}

/// Copies the enabled bytes, eight at a time, as far as both slices reach.
fn merge(to: &mut [u8], enable: u128, from: &[u8]) {
    let common = to.len().min(from.len());
    let (to, to_rest) = to[..common].as_chunks_mut::<8>();
    let (from, from_rest) = from[..common].as_chunks::<8>();
    let enables = enable.to_le_bytes();
    for (index, (to, from)) in to.iter_mut().zip(from).enumerate() {
        let bytes = bytes_of(enables[index]);
        *to = (u64::from_le_bytes(*to) & !bytes | u64::from_le_bytes(*from) & bytes).to_le_bytes();
    }
    let first = 8 * from.len();
    for (index, (to, from)) in to_rest.iter_mut().zip(from_rest).enumerate() {
        if enable >> (first + index) & 1 == 1 {
            *to = *from;
        }
    }
}

/// Expands each bit to a byte of ones or zeros.
fn bytes_of(bits: u8) -> u64 {
    const EACH: u64 = 0x0101_0101_0101_0101;
    // Each byte keeps a bit of its own, and adding 0x7f carries it to the byte's highest bit.
    let own = (u64::from(bits) * EACH) & 0x8040_2010_0804_0201;
    ((own + 0x7f * EACH) >> 7 & EACH) * 0xff
}

/// The contents of a block before any write: SplitMix64 over the numbers of its eight-byte words, or zeros for seed 0.
fn untouched(seed: u64, number: u64) -> Block {
    let mut block = [0; BLOCK];
    if seed == 0 {
        return block;
    }
    for (bytes, index) in block.as_chunks_mut().0.iter_mut().zip(0..) {
        let word = number.wrapping_mul(BLOCK as u64 / 8).wrapping_add(index);
        let mut state = word.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ seed.rotate_left(32);
        state = (state ^ state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        state = (state ^ state >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        *bytes = (state ^ state >> 31).to_le_bytes();
    }
    block
}
