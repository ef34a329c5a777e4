// SPDX-License-Identifier: MIT OR Apache-2.0
//! R700 memory writes and reads, made through their front end, with indices near the edges of clamp and buffers.
//!
//! Most bursts are short, because a long burst of many lanes makes many requests. Many reads follow a write, because
//! only a read shows where the write went.

mod config;
mod index;
mod rate;
mod refused;

use rand::{Rng, RngExt};

use crate::{
    cosim::case::{Case, Issue},
    cosim::stimulus::{Ground, Maker, Forbidden, Stimulus, Source, irrelevant::irrelevant, mask},
    op::{BufferSlot, Ctrl, Kind, LaneMask, Lanes, MAX_LANES, Op, Range, Shape},
    sets::{
        self,
        r700::{self, Cf, CfOp, Inst, MemOp, Read},
    },
};


/// The DATA_FORMATs of one to four dwords.
const FORMATS: [u8; 4] = [13, 29, 47, 34];

/// Makes bursts, and remembers the writes that reads can follow.
struct Bursts {
    ctrl: Ctrl,
    shape: Shape,
    /// By warp, the last write to a buffer that a read can name.
    written: [Option<(Op, Lanes)>; 8],
}

impl Bursts {
    /// Starts with nothing written.
    fn new(ctrl: &Ctrl, shape: &Shape) -> Self {
        Bursts { ctrl: *ctrl, shape: *shape, written: Default::default() }
    }

    /// Makes a burst with its lanes.
    fn burst(&mut self, rng: &mut Source) -> Issue {
        let bits = rng.next_u64();
        let warp = (bits & 7) as u8;
        // A read follows the last write of its own warp, or of another one.
        let from = if bits >> 3 & 3 != 0 { warp } else { (bits >> 5) as u8 & 7 };
        let follow = self.written[usize::from(from)].clone().filter(|_| bits >> 8 & 1 == 0);
        let mut inst = if bits >> 9 & 1 == 0 { Inst::Cf(write(rng)) } else { Inst::Read(read(rng)) };
        if let (Inst::Read(read), Some((op, _))) = (&mut inst, &follow) {
            repeat(read, op);
        }
        // Sometimes the program has too few GPRs, or the loop index goes past them (R700-GPROOB).
        let gprs = if bits >> 10 & 7 == 0 { 1 + (bits >> 13) as u16 % 128 } else { r700::GPRS };
        let loop_index = match bits >> 20 & 15 {
            0 => (bits >> 32) as u32,
            1 => (bits >> 32) as u32 % 130,
            _ => (bits >> 32) as u32 % 4,
        };
        let lowered = match r700::lower(&inst, gprs, loop_index) {
            Ok(lowered) => lowered,
            Err(error) => unreachable!("the generator makes legal instructions: {inst}: {error}"),
        };
        // Warps keep their program type, except in one of four operations (R700-STAGE).
        let stage = if bits >> 61 & 3 == 0 { (bits >> 57) as u8 & 3 } else { warp & 3 };
        let stage = follow.as_ref().filter(|_| bits >> 59 & 3 != 0).map_or(stage, |(op, _)| op.stage);
        let mut op = Op { warp, stage, ..lowered.op };
        let mut inst = Some(sets::Inst::R700(inst));
        if rng.random_ratio(1, 20) {
            op.present_gprs = gprs_with_gaps(rng, op.present_gprs);
            inst = None;
        }
        let mut lanes = self.lanes(rng);
        let load = op.kind == Kind::Load as u8;
        match &follow {
            Some((_, theirs)) if load => {
                lanes.addr = theirs.addr;
                if bits >> 24 & 3 != 0 {
                    lanes.active = theirs.active;
                }
            }
            _ => index::fill(rng, &self.shape, &self.ctrl, &op, &mut lanes),
        }
        if op.use_index && lowered.address[0].is_none() {
            lanes.addr.iter_mut().for_each(|words| words[0] = 0);
        }
        let mut data = vec![[0; MAX_LANES]; op.data_beats() as usize];
        for register in &mut data {
            for pair in register[..self.shape.lanes].chunks_exact_mut(2) {
                let value = rng.next_u64();
                (pair[0], pair[1]) = (value as u32, (value >> 32) as u32);
            }
        }
        if !load && readable(op.slot).is_some() {
            self.written[usize::from(warp)] = Some((op, lanes.clone()));
        }
        if bits >> 56 & 31 == 0 {
            irrelevant(rng, &mut op);
            inst = None;
        }
        if bits >> 26 & 127 == 0 {
            refused::spoil(rng, &mut op);
            inst = None;
        }
        Issue { op, lanes, data, inst }
    }

    fn lanes(&self, rng: &mut Source) -> Lanes {
        let bits = rng.next_u64();
        Lanes {
            active: mask(rng, &self.shape, bits & 7),
            helper: if bits >> 3 & 3 == 0 { mask(rng, &self.shape, bits >> 5 & 7) } else { LaneMask::NONE },
            predicate: LaneMask::from_bits((bits >> 32) as u32) & self.shape.lane_mask(),
            addr: [[0; 3]; MAX_LANES],
        }
    }
}

/// Makes a set of GPRs without the first. A program has all GPRs up to its last, so that no instruction lacks the first
/// and has another (R700-GPROOB); but the op port can carry any set.
fn gprs_with_gaps(rng: &mut Source, gprs: u16) -> u16 {
    let bits = rng.next_u64();
    // The set is the given one shifted up, or a random one, dense or sparse.
    let gaps = match bits & 3 {
        0 => (bits >> 16) as u16,
        1 => (bits >> 16) as u16 & (bits >> 32) as u16 & (bits >> 48) as u16,
        _ => gprs << (1 + (bits >> 2) % 15),
    } & !1;
    if gaps == 0 { 1 << (1 + (bits >> 8) % 15) } else { gaps }
}

/// The kind of read that can name a buffer.
fn readable(slot: u8) -> Option<MemOp> {
    match BufferSlot::from_code(slot) {
        Some(BufferSlot::Scratch) => Some(MemOp::ReadScratch),
        Some(BufferSlot::Reduction) => Some(MemOp::ReadReduction),
        Some(BufferSlot::Export) => Some(MemOp::ReadMem),
        _ => None,
    }
}

/// Makes a read access what a write wrote.
fn repeat(read: &mut Read, write: &Op) {
    if let Some(op) = readable(write.slot) {
        read.op = op;
        read.array_base = write.array_base;
        read.array_size = write.array_size - 1;
        read.elem_size = write.elem_size;
        read.indexed = write.use_index;
    }
}

/// A BURST_COUNT (GPRs - 1), mostly small.
fn burst_count(rng: &mut Source) -> u8 {
    let bits = rng.next_u64();
    match bits & 31 {
        0..=15 => 0,
        16..=25 => (bits >> 5) as u8 & 3,
        26..=29 => (bits >> 5) as u8 & 7,
        30 => (bits >> 5) as u8 & 15,
        _ => 15,
    }
}

/// An ARRAY_BASE, and a raw ARRAY_SIZE.
fn array(rng: &mut Source) -> (u16, u16) {
    let bits = rng.next_u64();
    let base = match bits & 15 {
        0 => 0x1fff,
        1 => (bits >> 8) as u16 & 0x1fff,
        2..=4 => 0,
        5..=7 => (bits >> 8) as u16 & 0xff,
        _ => (bits >> 8) as u16 & 15,
    };
    let size = match bits >> 4 & 15 {
        0 | 1 => 0,
        2..=6 => (bits >> 24) as u16 & 15,
        7..=9 => (bits >> 24) as u16 & 0x7f,
        10 => (bits >> 24) as u16 & 0xfff,
        _ => 0xfff,
    };
    (base, size)
}

/// Any GPR, but sometimes one of the last, where a burst runs out of them.
fn gpr(bits: u64) -> u8 {
    if bits & 7 == 0 { 112 + (bits >> 3) as u8 % 16 } else { (bits >> 3) as u8 % 112 }
}

fn write(rng: &mut Source) -> Cf {
    const MOSTLY: [CfOp; 3] = [CfOp::MemScratch, CfOp::MemReduction, CfOp::MemExport];
    const OTHERS: [CfOp; 5] = [CfOp::MemStream0, CfOp::MemStream1, CfOp::MemStream2, CfOp::MemStream3, CfOp::MemRing];
    let bits = rng.next_u64();
    let op = match bits & 7 {
        0..=4 => MOSTLY[(bits >> 3) as usize % 3],
        _ => OTHERS[(bits >> 3) as usize % 5],
    };
    let (array_base, array_size) = array(rng);
    Cf {
        array_base,
        array_size,
        ty: (bits >> 8) as u8 & 3,
        rw_gpr: gpr(bits >> 10),
        rw_rel: bits >> 20 & 7 == 0,
        index_gpr: (bits >> 23) as u8 & 127,
        elem_size: (bits >> 30) as u8 & 3,
        comp_mask: if bits >> 32 & 1 == 0 { 15 } else { (bits >> 33) as u8 & 15 },
        burst_count: burst_count(rng),
        end_of_program: bits >> 37 & 1 == 1,
        valid_pixel_mode: bits >> 38 & 3 == 0,
        whole_quad_mode: bits >> 40 & 1 == 1,
        barrier: bits >> 41 & 1 == 1,
        op,
        reserved: [0; 2],
    }
}

fn read(rng: &mut Source) -> Read {
    let bits = rng.next_u64();
    let (array_base, array_size) = array(rng);
    let mut read = Read::new(MemOp::ALL[(bits & 0xff) as usize % 3]);
    // Mostly the components as they are; otherwise anything but the reserved select.
    let selects = rng.next_u64();
    read.set_selects(match bits >> 8 & 3 {
        0 | 1 => [0, 1, 2, 3],
        2 => [0, 3, 6, 9].map(|at| (selects >> at & 3) as u8),
        _ => [0, 3, 6, 9].map(|at| [0, 1, 2, 3, 4, 5, 7, 7][(selects >> at & 7) as usize]),
    });
    Read {
        array_base,
        array_size,
        elem_size: (bits >> 10) as u8 & 3,
        fetch_whole_quad: bits >> 12 & 1 == 1,
        uncached: bits >> 13 & 1 == 1,
        indexed: bits >> 14 & 3 != 0,
        src_sel_y: (bits >> 16) as u8 & 3,
        src_gpr: (bits >> 18) as u8 & 127,
        src_rel: bits >> 25 & 7 == 0,
        src_sel_x: (bits >> 28) as u8 & 3,
        burst_count: burst_count(rng),
        lds_req: bits >> 30 & 1 == 1,
        coalesced_read: bits >> 31 & 1 == 1,
        dst_gpr: gpr(bits >> 32),
        dst_rel: bits >> 42 & 7 == 0,
        data_format: if bits >> 45 & 1 == 0 { FORMATS[3] } else { FORMATS[(bits >> 46) as usize & 3] },
        num_format_all: (bits >> 48) as u8 % 3,
        format_comp_all: bits >> 50 & 1 == 1,
        srf_mode_all: bits >> 51 & 1 == 1,
        endian_swap: 0,
        ..read
    }
}

impl Stimulus for super::Set {
    fn stream(rng: &mut Source, which: u64, shape: &Shape, operations: u64) -> Case {
        rate::stream(rng, which, shape, operations)
    }

    fn ground(rng: &mut Source, shape: &Shape, ground: &mut Ground) {
        config::control(rng, shape, &mut ground.ctrl);
    }

    fn bus_errors(rng: &mut Source, ctrl: &Ctrl) -> Vec<Range> {
        config::bus_errors(rng, ctrl)
    }

    fn used(ctrl: &Ctrl) -> Vec<Range> {
        config::used(ctrl)
    }

    fn maker(_: &mut Source, ctrl: &Ctrl, shape: &Shape) -> Box<dyn Maker> {
        Box::new(Bursts::new(ctrl, shape))
    }

    fn forbidden(rng: &mut Source) -> Option<Forbidden> {
        Some(refused::forbidden(rng))
    }
}

impl Maker for Bursts {
    fn issue(&mut self, rng: &mut Source, _: &[Issue]) -> Issue {
        self.burst(rng)
    }
}
