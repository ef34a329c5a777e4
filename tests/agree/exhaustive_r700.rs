// SPDX-License-Identifier: MIT OR Apache-2.0
//! Every burst of a small array: base, size and index of three bits, every ELEM_SIZE, COMP_MASK and a burst of up to
//! four GPRs, in both forms of the equations, against a buffer that ends in the middle.

use gpu_lsu::{
    cosim::Issue,
    op::{Buffer, BufferSlot, Ctrl, Lanes, MAX_LANES, Shape},
    sets::{
        self,
        r700::{self, Cf, CfOp, Inst, MemOp, Read},
    },
};

use crate::units::{agree, built, case};

/// Not at the start of a line, so that transfers cross lines.
const BASE: u64 = 0x1_0054;
/// The buffer holds this many of the 72 dwords that a burst can reach.
const DWORDS: u32 = 45;

fn ctrl(r700_driver_form: bool, stride: u32) -> Ctrl {
    let mut ctrl = Ctrl { r700_driver_form, ..Ctrl::default() };
    for (slot, buffer) in (0..).zip(&mut ctrl.buffer) {
        *buffer = Buffer { base: BASE + 0x1_0000 * slot, stride: 0, size: 4 * DWORDS };
    }
    ctrl.buffer[BufferSlot::Scratch as usize].stride = stride;
    ctrl.buffer[BufferSlot::Ring as usize].stride = stride;
    ctrl
}

/// The instruction for every lane, with all indices of three bits in turn; the data encodes lane and register.
fn burst(shape: &Shape, inst: Inst, salt: u32) -> Issue {
    let lowered = r700::lower(&inst, r700::GPRS, 0).unwrap();
    let mut lanes = Lanes { active: shape.lane_mask(), ..Lanes::default() };
    for (lane, words) in (0..).zip(lanes.addr.iter_mut().take(shape.lanes)) {
        // With fewer lanes than indices, the indices take turns.
        words[0] = (lane + salt * shape.lanes as u32) % 8;
    }
    let mut data = vec![[0; MAX_LANES]; lowered.op.data_beats() as usize];
    for (number, word) in (0u32..).zip(data.as_flattened_mut()) {
        *word = (salt << 12 ^ number).wrapping_mul(0x9e37_79b1);
    }
    let mut op = lowered.op;
    op.warp = (salt % 8) as u8;
    Issue { op, lanes, data, inst: Some(sets::Inst::R700(inst)) }
}

/// Calls `with` for every base, size field, mask and burst field.
fn each(mut with: impl FnMut(u16, u16, u8, u8)) {
    for base in 0..8 {
        for size in 0..8 {
            for mask in 0..16 {
                for count in 0..4 {
                    with(base, size, mask, count);
                }
            }
        }
    }
}

/// Runs the instructions that `make` makes of every combination, in both forms.
fn every(stride: u32, make: impl Fn(u8, (u16, u16, u8, u8)) -> Inst) {
    for shape in built() {
        let turns = 8usize.div_ceil(shape.lanes);
        for driver in [false, true] {
            for elem_size in 0..4 {
                let mut issues = Vec::new();
                each(|base, size, mask, count| {
                    for _ in 0..turns {
                        issues.push(burst(&shape, make(elem_size, (base, size, mask, count)), issues.len() as u32));
                    }
                });
                agree(&case(shape, ctrl(driver, stride), issues));
            }
        }
    }
}

fn write(op: CfOp, elem_size: u8, (array_base, array_size, comp_mask, burst_count): (u16, u16, u8, u8)) -> Inst {
    Inst::Cf(Cf { ty: 1, array_base, array_size, comp_mask, burst_count, elem_size, ..Cf::new(op) })
}

/// The components of the mask go to their own places; every other base is read in a format without W.
fn read(op: MemOp, elem_size: u8, (array_base, array_size, mask, burst_count): (u16, u16, u8, u8)) -> Inst {
    let mut read = Read { indexed: true, array_base, array_size, burst_count, elem_size, ..Read::new(op) };
    read.set_selects([0, 1, 2, 3].map(|component| if mask >> component & 1 == 1 { component } else { 7 }));
    if array_base % 2 == 1 {
        read.data_format = 47;
    }
    Inst::Read(read)
}

#[test]
fn every_write_to_scratch() {
    every(4 * DWORDS, |elem_size, fields| write(CfOp::MemScratch, elem_size, fields));
}

#[test]
fn every_write_to_a_ring() {
    every(0, |elem_size, fields| write(CfOp::MemRing, elem_size, fields));
}

/// R700-PLACE: each thread has a record.
#[test]
fn every_write_to_a_ring_of_records() {
    every(4 * DWORDS, |elem_size, fields| write(CfOp::MemRing, elem_size, fields));
}

#[test]
fn every_write_to_general_export() {
    every(0, |elem_size, fields| write(CfOp::MemExport, elem_size, fields));
}

#[test]
fn every_read_of_general_export() {
    every(0, |elem_size, fields| read(MemOp::ReadMem, elem_size, fields));
}

#[test]
fn every_read_of_scratch() {
    every(4 * DWORDS, |elem_size, fields| read(MemOp::ReadScratch, elem_size, fields));
}

#[test]
fn every_read_of_reduction() {
    every(0, |elem_size, fields| read(MemOp::ReadReduction, elem_size, fields));
}
