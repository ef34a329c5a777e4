// SPDX-License-Identifier: MIT OR Apache-2.0
//! The dword that each lane of a compare-and-store finds when its turn comes (SM5-ORDER).

use rustc_hash::FxHashMap;

use crate::{
    model::{Plan, Register, cas::compare_and_store},
    op::{LaneMask, MAX_LANES},
};

/// One lane's compare-and-store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pair {
    /// The previous value of the dword.
    pub held: u32,
    /// src0.
    pub compare: u32,
    /// src1, which the dword gets if `held` equals `compare`.
    pub new: u32,
}

impl Pair {
    /// Whether the lane stored.
    pub fn matched(&self) -> bool {
        compare_and_store::<u64>(&self.held.into(), &self.compare.into(), &self.new.into()).matched
    }
}

/// The compare-and-stores of the lanes in `made`, in ascending order. `byte` gives a byte as it was before them, of
/// memory or, with `true`, of the scratchpad.
pub(crate) fn pairs(
    plan: &Plan,
    data: &[Register],
    made: LaneMask,
    byte: impl Fn(bool, u64) -> u8,
) -> [Option<Pair>; MAX_LANES] {
    let mut dwords: FxHashMap<(bool, u64), u32> = FxHashMap::default();
    let mut pairs = [None; MAX_LANES];
    for lane in made.iter() {
        let place = (plan.shared.contains(lane), plan.addr[lane]);
        let start = || (0..4).rev().fold(0, |word, at| word << 8 | u32::from(byte(place.0, place.1 + at)));
        let dword = dwords.entry(place).or_insert_with(start);
        let [compare, new] = [0, 1].map(|beat| data.get(beat).map_or(0, |register: &Register| register[lane]));
        let pair = Pair { held: *dword, compare, new };
        if pair.matched() {
            *dword = new;
        }
        pairs[lane] = Some(pair);
    }
    pairs
}
