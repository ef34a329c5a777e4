// SPDX-License-Identifier: MIT OR Apache-2.0
//! From values to the bits of a port, and back.

use crate::op::{Bits, FAULT_WIDTH, Lanes, MAX_LANES, Op, Packed, ReqKind};

use super::pins::Pins;
use crate::judge::log::{Beat, Done, Issue, Seen};

/// Puts an operation on the op port.
pub fn drive_op(pins: &mut Pins, issue: &Issue, tag: u8) {
    pins.op.set_words(&Op { tag, ..issue.op }.to_words());
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
pub fn request(pins: &Pins, whole: bool, seen: &mut Seen) {
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
    // A read has no data, and nobody looks at what stands there unless it has to stay.
    if whole || ![ReqKind::Read as u8, ReqKind::ReadExclusive as u8].contains(&seen.kind) {
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
pub fn done(pins: &Pins) -> Done {
    let mut words = [0; MAX_LANES * FAULT_WIDTH / 32];
    pins.done_fault.copy_words(&mut words);
    // Most completions have no fault.
    let faults =
        if words.iter().all(|&word| word == 0) { [0; MAX_LANES] } else { Packed::unpack(Bits::from_slice(&words)) };
    Done { warp: pins.done_warp.value() as u8, tag: pins.done_tag.value() as u8, faults }
}
