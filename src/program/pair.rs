// SPDX-License-Identifier: MIT OR Apache-2.0
//! What each lane of a compare-and-store meets when its turn comes (SM5-ORDER).

use rustc_hash::FxHashMap;

use crate::{
    model::{Plan, Register, cas::compare_and_store},
    op::{LaneMask, MAX_LANES},
};

/// One lane's step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pair {
    /// What the dword held.
    pub held: u32,
    /// src0.
    pub compare: u32,
    /// src1, which it became if `held` is `compare`.
    pub new: u32,
}

impl Pair {
    /// The lane stored.
    pub fn matched(&self) -> bool {
        compare_and_store::<u64>(&self.held.into(), &self.compare.into(), &self.new.into()).matched
    }
}

/// The steps of the lanes `made`, ascending. `byte` gives what memory, or with `true` the scratchpad, holds before them.
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
