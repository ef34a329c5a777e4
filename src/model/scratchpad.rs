// SPDX-License-Identifier: MIT OR Apache-2.0
//! Shared memory: PORT-SPAD, PORT-BANK, and SM5-CAS in the scratchpad.

use super::{Plan, Register, cas, load::fill, vector};
use crate::op::{Kind, MAX_LANES, Op, Shape};

/// The contents of the scratchpad, initially zero.
///
/// It holds as many bytes as it was made with. An access past its end reads 0 and writes nothing; control registers
/// that agree with the unit's shape do not allow one.
#[derive(Clone, Debug)]
pub struct Scratchpad {
    bytes: Vec<u8>,
    /// One bit for each word: whether the current access has counted it. All are clear between accesses.
    counted: Vec<u64>,
}

impl Scratchpad {
    /// ```
    /// let pad = gpu_lsu::model::Scratchpad::new(64);
    /// assert_eq!(pad.bytes(), [0; 64]);
    /// ```
    pub fn new(bytes: usize) -> Self {
        Scratchpad { bytes: vec![0; bytes], counted: vec![0; bytes.div_ceil(256)] }
    }

    /// The whole contents.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The byte at `offset`; 0 past the end.
    ///
    /// ```
    /// let mut pad = gpu_lsu::model::Scratchpad::new(4);
    /// pad.poke(3, &[7, 8]);
    /// assert_eq!((pad.read(3), pad.read(4)), (7, 0));
    /// ```
    pub fn read(&self, offset: u64) -> u8 {
        usize::try_from(offset).ok().and_then(|offset| self.bytes.get(offset)).copied().unwrap_or(0)
    }

    /// The 32-bit word at `offset`, which need not be aligned.
    pub fn word(&self, offset: u64) -> u32 {
        u32::from_le_bytes(std::array::from_fn(|byte| self.read(offset.saturating_add(byte as u64))))
    }

    /// Sets the bytes from `offset` on; bytes past the end are dropped.
    pub fn poke(&mut self, offset: u64, bytes: &[u8]) {
        let inside = usize::try_from(offset).ok().and_then(|offset| self.bytes.get_mut(offset..));
        inside.unwrap_or_default().iter_mut().zip(bytes).for_each(|(to, from)| *to = *from);
    }

    /// Makes the accesses of the lanes in `plan.shared`, and returns the cycles that the banks need (PORT-BANK): 0 if
    /// no lane accesses the scratchpad.
    ///
    /// A load fills its lanes' registers in `out`. A store takes its registers from `data`, as does a
    /// compare-and-store, lane after lane (SM5-ORDER).
    ///
    /// ```
    /// use gpu_lsu::{model::{Plan, Scratchpad, plan}, op::{AddrMode, Ctrl, LaneMask, Lanes, Op, Range, Shape}};
    ///
    /// // LD.128 at unit stride: 128 words in 32 banks.
    /// let (reg32, window) = (AddrMode::Reg32 as u8, Range { base: 0, size: 0x1000 });
    /// let op = Op { addr_mode: reg32, element_bytes: 16, element_count: 1, element_mask: 1, ..Op::default() };
    /// let ctrl = Ctrl { shared_window: window, shared_size: 0x1000, ..Ctrl::default() };
    /// let mut lanes = Lanes { active: LaneMask::ALL, ..Lanes::default() };
    /// (0..32).for_each(|lane| lanes.addr[lane][0] = 16 * lane as u32);
    ///
    /// let (shape, data, mut out) = (Shape::with_lanes(32), [[0; 32]; 4], [[0; 32]; 4]);
    /// let mut todo = Plan::default();
    /// plan(&shape, &ctrl, &op, &lanes, &data, &mut todo);
    /// assert_eq!(Scratchpad::new(0x1000).access(&shape, &op, &todo, &data, &mut out), 4);
    /// ```
    pub fn access(&mut self, shape: &Shape, op: &Op, plan: &Plan, data: &[Register], out: &mut [Register]) -> u32 {
        if plan.shared.is_empty() {
            return 0;
        }
        let packed;
        let words = match op.kind != Kind::Store as u8 || vector::dense(op) {
            true => data,
            false => {
                packed = vector::words(op, data);
                &packed
            }
        };
        let moved = vector::moved(op);
        match op.access_bytes() {
            1 => self.make::<1>(op, plan, moved, words, out),
            2 => self.make::<2>(op, plan, moved, words, out),
            4 => self.make::<4>(op, plan, moved, words, out),
            8 => self.make::<8>(op, plan, moved, words, out),
            16 => self.make::<16>(op, plan, moved, words, out),
            _ => self.make::<32>(op, plan, moved, words, out),
        }
        if op.kind == Kind::CmpStore as u8 { steps(shape, plan) } else { self.cycles(shape, plan, moved) }
    }

    /// `moved` are the bytes of a lane's access that are moved, `words` the words of a store in memory order.
    fn make<const BYTES: usize>(&mut self, op: &Op, plan: &Plan, moved: u32, words: &[Register], out: &mut [Register]) {
        let lanes = plan.shared.iter().map(|lane| (lane, plan.addr[lane] as usize));
        if op.kind == Kind::Load as u8 {
            let dword = |at: usize| {
                let word = self.bytes.get(at / 4 * 4..).unwrap_or_default();
                match word.first_chunk() {
                    Some(word) => u32::from_le_bytes(*word),
                    None => u32::from_le_bytes(std::array::from_fn(|index| word.get(index).copied().unwrap_or(0))),
                }
            };
            return fill::<BYTES>(lanes, op.sign_extend, dword, out);
        }
        if op.kind == Kind::CmpStore as u8 {
            return self.compare_and_store(plan, words);
        }
        let whole = moved == u32::MAX >> (32 - BYTES) && words.len() >= BYTES.div_ceil(4);
        // Lanes ascend, so that the byte of the highest lane remains (COM-SAMEADDR).
        for (lane, offset) in lanes {
            if whole && let Some(bytes) = self.bytes.get_mut(offset..offset + BYTES) {
                vector::lay(words, lane, bytes);
                continue;
            }
            for index in (0..BYTES).filter(|index| moved >> index & 1 == 1) {
                if let Some(byte) = self.bytes.get_mut(offset + index) {
                    *byte = words.get(index / 4).map_or(0, |word| word[lane].to_le_bytes()[index % 4]);
                }
            }
        }
    }

    /// `data` holds the beats compare and new.
    fn compare_and_store(&mut self, plan: &Plan, data: &[Register]) {
        for lane in plan.shared.iter() {
            let offset = plan.addr[lane] as usize;
            let Some(dword) = self.bytes.get_mut(offset..).and_then(<[u8]>::first_chunk_mut::<4>) else { continue };
            if let Some(value) = cas::step(u32::from_le_bytes(*dword), data, lane) {
                *dword = value.to_le_bytes();
            }
        }
    }

    /// PORT-BANK: word w lies in bank w mod LANES, and a bank gives one word a cycle, to all lanes that access it. A
    /// word of which no byte is moved is not accessed.
    fn cycles(&mut self, shape: &Shape, plan: &Plan, moved: u32) -> u32 {
        let (mut load, mut most) = ([0u32; MAX_LANES], 0);
        let first = |lane: usize| (plan.addr[lane] / 4) as usize;
        // The words of an access that are touched, which are the same in each lane.
        let (mut touched, mut count) = ([0; vector::WORDS], 0);
        for word in (0..vector::WORDS).filter(|word| moved >> (4 * word) & 0xf != 0) {
            (touched[count], count) = (word, count + 1);
        }
        for lane in plan.shared.iter() {
            for word in &touched[..count] {
                let word = first(lane) + word;
                let Some(counted) = self.counted.get_mut(word / 64) else { continue };
                if *counted >> (word % 64) & 1 == 0 {
                    *counted |= 1 << (word % 64);
                    let load = &mut load[(word as u32 % shape.lanes as u32) as usize % MAX_LANES];
                    *load += 1;
                    most = most.max(*load);
                }
            }
        }
        for lane in plan.shared.iter() {
            // An access has at most eight words, so their bits lie in at most two entries.
            for word in [first(lane), first(lane) + vector::WORDS - 1] {
                if let Some(counted) = self.counted.get_mut(word / 64) {
                    *counted = 0;
                }
            }
        }
        most
    }
}

/// PORT-BANK for a compare-and-store: a bank makes one lane's step a cycle, so lanes that meet on a word take one cycle
/// each.
fn steps(shape: &Shape, plan: &Plan) -> u32 {
    let mut lanes = [0u32; MAX_LANES];
    plan.shared.iter().for_each(|lane| lanes[(plan.addr[lane] / 4) as usize % shape.lanes % MAX_LANES] += 1);
    lanes.into_iter().max().unwrap_or(0)
}
