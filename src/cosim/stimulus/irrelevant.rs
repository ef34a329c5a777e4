// SPDX-License-Identifier: MIT OR Apache-2.0
//! Random values in the fields of [`Op`] that its kind does not use: nothing may depend on them.

use rand::Rng;

use super::Source;
use crate::op::{Kind, Op};

/// Fills the fields of an operation, not one of PTX, that only other kinds of operations use. It then differs from any
/// lowered instruction.
pub fn irrelevant(rng: &mut Source, op: &mut Op) {
    let bits = rng.next_u64();
    let [load, compare] = [Kind::Load, Kind::CmpStore].map(|kind| op.kind == kind as u8);
    let burst = op.is_burst();
    // Only stores of PTX have an order.
    (op.attr.semantics, op.attr.scope) = ((bits >> 41) as u8 & 7, (bits >> 44) as u8 & 3);
    if burst || compare {
        op.imm = rng.next_u64();
    }
    if burst || !load {
        op.sign_extend = bits & 1 == 1;
    }
    if !burst || load {
        op.await_last = bits & 2 == 2;
    }
    if !burst {
        (op.array_base, op.array_size) = ((bits >> 2) as u16 & 0x1fff, (bits >> 15) as u16 & 0x1fff);
        (op.elem_size, op.use_index) = ((bits >> 28) as u8 & 3, bits >> 30 & 1 == 1);
        op.present_gprs = (bits >> 31) as u16;
        op.stage = (bits >> 62) as u8;
    }
    if !burst || !load {
        (op.component_select, op.one_is_float) = ((bits >> 47) as u16 & 0xfff, bits >> 59 & 1 == 1);
    }
    if !burst && !compare {
        op.slot = (bits >> 60) as u8 & 7;
    }
}
