// SPDX-License-Identifier: MIT OR Apache-2.0
//! From values to the bits of a port, and back.

use crate::op::{Lanes, MAX_LANES, Op, Packed, ReqKind};

use super::{
    case::Issue,
    environment::Seen,
    pins::Pins,
    scoreboard::{Beat, Done},
};

/// Puts an operation on the op port.
pub fn drive_op(pins: &mut Pins, issue: &Issue, tag: u8) {
    let mut words = [0; (Op::WIDTH as usize).div_ceil(32)];
    Op { tag, ..issue.op }.pack(&mut words, 0, Op::WIDTH);
    pins.op.set_words(&words);
    let Lanes { active, helper, predicate, addr } = &issue.lanes;
    let mask = u32::MAX >> (32 - pins.data.len() / 4);
    pins.op_active.set_words(&[active & mask]);
    pins.op_helper.set_words(&[helper & mask]);
    pins.op_predicate.set_words(&[predicate & mask]);
    pins.op_addr.set_words(addr.as_flattened());
}

/// Puts a register on the data port.
pub fn drive_data(pins: &mut Pins, register: &[u32; MAX_LANES], lanes: usize) {
    pins.data.set_words(&register[..lanes]);
}

/// What the request port shows.
pub fn request(pins: &Pins, seen: &mut Seen) {
    seen.id = pins.req_id.value() as u8;
    seen.warp = pins.req_warp.value() as u8;
    seen.tag = pins.req_tag.value() as u8;
    seen.group = pins.req_group.value() as u8;
    seen.kind = pins.req_kind.value() as u8;
    seen.space = pins.req_space.value() as u8;
    pins.req_attr.copy_words(&mut seen.attr);
    seen.line = pins.req_addr.value();
    let mut enable = [0; 16];
    pins.req_be.copy_bytes(&mut enable);
    seen.byte_enable = u128::from_le_bytes(enable);
    // A read has no data, and nobody looks at what stands there.
    if ![ReqKind::Read as u8, ReqKind::ReadExclusive as u8].contains(&seen.kind) {
        pins.req_data.copy_bytes(&mut seen.data);
    }
}

/// What the write-back port shows.
pub fn beat(pins: &Pins) -> Beat {
    let mut data = [0; MAX_LANES];
    pins.wb_data.copy_words(&mut data);
    Beat {
        warp: pins.wb_warp.value() as u8,
        tag: pins.wb_tag.value() as u8,
        register: pins.wb_reg.value() as u8,
        mask: pins.wb_mask.value() as u32,
        data,
    }
}

/// What the done port shows.
pub fn done(pins: &Pins, lanes: usize) -> Done {
    let mut bits = [0; 16];
    pins.done_fault.copy_bytes(&mut bits);
    let bits = u128::from_le_bytes(bits);
    let mut faults = [0; MAX_LANES];
    for (lane, fault) in faults.iter_mut().enumerate().take(lanes) {
        *fault = (bits >> (3 * lane)) as u8 & 7;
    }
    Done { warp: pins.done_warp.value() as u8, tag: pins.done_tag.value() as u8, faults }
}
