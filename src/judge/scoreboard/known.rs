// SPDX-License-Identifier: MIT OR Apache-2.0
//! Bytes of the scratchpad whose contents the log shows: a unit's scratchpad has no value before it is stored to, and none
//! that is known after a reset in the middle of that.

use crate::{
    model::{Plan, vector},
    op::{Kind, LaneMask, Op},
};

/// A bit a byte. No access crosses 64 of them: it is aligned to its size, which is at most 32 bytes.
pub(crate) struct Known(Vec<u64>);

impl Known {
    /// Nothing of so many bytes.
    pub fn new(bytes: usize) -> Self {
        Known(vec![0; bytes.div_ceil(64)])
    }

    /// An operation is made in the scratchpad; `dataless`: nobody knows what it stores. The lanes that load what nobody
    /// knows.
    pub fn access(&mut self, op: &Op, plan: &Plan, dataless: bool) -> LaneMask {
        let moved = u64::from(vector::moved(op));
        let store = op.kind == Kind::Store as u8;
        let mut unknown = LaneMask::NONE;
        for lane in plan.shared.iter() {
            let Some(bytes) = self.0.get_mut((plan.addr[lane] / 64) as usize) else { continue };
            let mask = moved << (plan.addr[lane] % 64);
            let known = *bytes & mask == mask;
            match (store, dataless) {
                (true, false) => *bytes |= mask,
                (_, true) => *bytes &= !mask,
                // What a compare-and-store leaves of an unknown word is unknown as well.
                _ => unknown.insert_if(!known, lane),
            }
        }
        unknown
    }

    /// A reset cuts an operation off: what it stores may be there or not.
    pub fn cut_off(&mut self, op: &Op, plan: &Plan) {
        if op.kind != Kind::Load as u8 {
            self.access(op, plan, true);
        }
    }
}
