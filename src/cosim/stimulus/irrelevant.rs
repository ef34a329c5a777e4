// SPDX-License-Identifier: MIT OR Apache-2.0
//! What an operation says and does not mean: the fields of `Op` that nobody may look at.

use rand::Rng;

use super::Source;
use crate::op::{Kind, Op};

/// Anything in the fields that only other kinds of operations use. The operation is no lowered instruction any more.
pub fn irrelevant(rng: &mut Source, op: &mut Op) {
    let bits = rng.next_u64();
    let [load, compare] = [Kind::Load, Kind::CmpStore].map(|kind| op.kind == kind as u8);
    let burst = op.is_burst();
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
