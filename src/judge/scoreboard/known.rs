// SPDX-License-Identifier: MIT OR Apache-2.0
//! The bytes of the scratchpad whose contents the log shows. A unit's scratchpad has no value before a store, and no
//! known value after a reset in the middle of a store.

use crate::{
    judge::trail::origin,
    model::{Plan, Register, vector},
    op::{Kind, LaneMask, Op},
};

/// The most registers of a load of the scratchpad: 32 bytes, or four elements.
pub(crate) const REGISTERS: usize = 8;

/// A bit for each byte. No access crosses a boundary of 64 bytes: it is aligned to its size, which is at most 32 bytes.
pub(crate) struct Known(Vec<u64>);

impl Known {
    /// A scratchpad of `bytes` bytes, none of which is known.
    pub fn new(bytes: usize) -> Self {
        Known(vec![0; bytes.div_ceil(64)])
    }

    /// Performs an operation in the scratchpad. `dataless` means that its store data are not known. Returns the lanes
    /// that load unknown bytes.
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

    /// By register of a load, the lanes that have unknown bytes in it.
    pub fn unknown(&self, op: &Op, plan: &Plan) -> [LaneMask; REGISTERS] {
        let mut unknown = [LaneMask::NONE; REGISTERS];
        let moved = vector::moved(op);
        for lane in plan.shared.iter() {
            let addr = plan.addr[lane];
            let bytes = self.0.get((addr / 64) as usize).map_or(0, |bytes| bytes >> (addr % 64));
            for byte in (0..32).filter(|byte| moved >> byte & 1 == 1 && bytes >> byte & 1 == 0) {
                unknown[origin::within(op, lane, byte).register % REGISTERS].insert(lane);
            }
        }
        unknown
    }

    /// The bits of a load's registers whose bytes are known, of registers that have other bytes as well: lane, register,
    /// bits.
    pub fn partly<'a>(&'a self, op: &'a Op, plan: &'a Plan) -> impl Iterator<Item = (usize, usize, u32)> + 'a {
        let moved = vector::moved(op);
        plan.shared.iter().flat_map(move |lane| {
            let addr = plan.addr[lane];
            let bytes = self.0.get((addr / 64) as usize).map_or(0, |bytes| bytes >> (addr % 64));
            let mut known = [0u32; REGISTERS];
            for byte in (0..32).filter(|byte| moved >> byte & bytes as u32 >> byte & 1 == 1) {
                let place = origin::within(op, lane, byte);
                known[place.register % REGISTERS] |= 0xff << (8 * place.byte);
            }
            let some = known.into_iter().enumerate().filter(|&(_, bits)| bits != 0);
            some.map(move |(register, bits)| (lane, register, bits))
        })
    }

    /// Forgets all contents, because they became undefined.
    pub fn forget(&mut self) {
        self.0.fill(0);
    }

    /// Cuts an operation off by a reset: its stores may have been performed or not.
    pub fn cut_off(&mut self, op: &Op, plan: &Plan) {
        if op.kind != Kind::Load as u8 {
            self.access(op, plan, true);
        }
    }

    /// Follows a compare-and-store that is about to be performed. `may_hold` says whether a dword may hold a value, as far
    /// as some bits tell. Where only some bytes of a dword are known, and these may be as compared, it may find the dword
    /// equal or not, and none of it is known afterwards.
    pub fn compared(&mut self, plan: &Plan, data: &[Register], may_hold: impl Fn(u64, u32, u32) -> bool) {
        let Some(compare) = data.first() else { return };
        for lane in plan.shared.iter() {
            let addr = plan.addr[lane];
            let Some(bytes) = self.0.get_mut((addr / 64) as usize) else { continue };
            let known = (*bytes >> (addr % 64)) as u8 & 0xf;
            let bits = (0..4).filter(|byte| known >> byte & 1 == 1).fold(0, |all, byte| all | 0xff << (8 * byte));
            if known != 0xf && may_hold(addr, compare[lane], bits) {
                *bytes &= !(0xf << (addr % 64));
            }
        }
    }
}
