// SPDX-License-Identifier: MIT OR Apache-2.0
//! Where an aligned address lies: SPA5-SPACE, SPA5-WINDOW, SPA5-OOB, COM-PRIVATE, COM-GLOBAL.
//!
//! Every rule is containment in intervals, in arithmetic wide enough to be exact. SPA5-STRADDLE (an access is wholly in
//! or wholly out) then needs no rule of its own: it follows from bases and sizes being multiples of 32 bytes.

use super::word::{Truth, Word};
use crate::op::{ADDR_WIDTH, Ctrl, Range};

/// Width, in bits, of the exact arithmetic. The largest value is base + thread * stride + offset, below 2^42.
pub const EXACT: u32 = 48;
/// Width, in bits, of a thread's number: at most 8 warps of 32 lanes.
pub const THREAD_WIDTH: u32 = 8;

/// The byte addresses from `base` up to but not including `end`, both [`EXACT`] bits wide. Empty if they are equal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval<W> {
    pub base: W,
    pub end: W,
}

impl<W: Word> Interval<W> {
    /// Whether all of the `bytes` bytes from `first` on lie inside; both have [`EXACT`] bits.
    #[inline(always)]
    pub fn holds(&self, first: &W, bytes: &W) -> W::Truth {
        let starts = first.less(&self.base, EXACT).not();
        let ends = self.end.less(&first.add(bytes, EXACT), EXACT).not();
        starts.and(&ends)
    }
}

impl From<&Range> for Interval<u64> {
    #[inline(always)]
    fn from(range: &Range) -> Self {
        let base = u64::literal(ADDR_WIDTH, range.base);
        Interval { base, end: base + u64::literal(ADDR_WIDTH, range.size) }
    }
}

/// The control registers that place accesses. Every word has [`EXACT`] bits.
#[derive(Clone, Debug)]
pub struct Map<W> {
    pub local: Interval<W>,
    pub shared: Interval<W>,
    /// Local memory (COM-PRIVATE).
    pub base: W,
    pub stride: W,
    pub size: W,
    pub shared_size: W,
    /// The allocation ranges (COM-GLOBAL).
    pub alloc: [Interval<W>; 8],
}

impl From<&Ctrl> for Map<u64> {
    fn from(ctrl: &Ctrl) -> Self {
        let private = &ctrl.local_memory;
        Map {
            local: (&ctrl.local_window).into(),
            shared: (&ctrl.shared_window).into(),
            base: u64::literal(ADDR_WIDTH, private.base),
            stride: private.stride.into(),
            size: private.size.into(),
            shared_size: ctrl.shared_size.into(),
            alloc: std::array::from_fn(|index| (&ctrl.alloc[index]).into()),
        }
    }
}

/// Where a lane's access is made. At most one of `local`, `global`, `shared` holds, and none if `window` does.
#[derive(Clone, Debug)]
pub struct Placed<W: Word> {
    pub local: W::Truth,
    pub global: W::Truth,
    pub shared: W::Truth,
    /// Out of window.
    pub window: W::Truth,
    /// In a window or in global memory, but out of what is allocated there.
    pub allocation: W::Truth,
    /// Of [`ADDR_WIDTH`] bits: the byte address at the memory port, or the offset in the scratchpad.
    pub addr: W,
}

/// Places one aligned access.
///
/// `aligned` is EA' (64 bits), `bytes` its size (5 bits), `thread` warp * LANES + lane ([`THREAD_WIDTH`] bits).
/// `alloc` is `map.alloc` or a part of it: being in one range is enough, so a caller may try the likeliest first.
///
/// - SPA5-EA-64: a bit at 40 or above is out of window, whatever the predicate.
/// - SPA5-SPACE: if the predicate is true, the access is local or global; if it is false, shared.
/// - SPA5-WINDOW: with the predicate true, an address inside the local window is local, every other one global; with it
///   false, an address outside the shared window is out of window.
/// - COM-PRIVATE: local memory is at base + thread * stride + offset, and the access must end at or below the size. The
///   memory port carries the low 40 bits.
/// - COM-GLOBAL: a global access must lie wholly in one range.
/// - SPA5-OOB: a shared offset must be below the allocated size.
///
/// ```
/// use gpu_lsu::{model::window::{Map, place}, op::{Ctrl, Range}};
///
/// let mut ctrl = Ctrl::default();
/// ctrl.alloc[0] = Range { base: 0x1000, size: 0x20 };
/// let map = Map::from(&ctrl);
/// assert!(place::<u64>(&map, &map.alloc, &0x101c, &4, &true, &0).global);
/// assert!(place::<u64>(&map, &map.alloc, &0x1020, &4, &true, &0).allocation);
/// ```
#[inline(always)]
pub fn place<W: Word>(
    map: &Map<W>,
    alloc: &[Interval<W>],
    aligned: &W,
    bytes: &W,
    predicate: &W::Truth,
    thread: &W,
) -> Placed<W> {
    place_by(map, alloc, aligned, bytes, predicate, &item(thread, &map.stride))
}

/// Bytes from the first thread's item to this thread's, [`EXACT`] bits wide. `thread` has [`THREAD_WIDTH`] bits.
#[inline(always)]
pub fn item<W: Word>(thread: &W, stride: &W) -> W {
    thread.zero_extend(THREAD_WIDTH, EXACT).mul(stride, EXACT)
}

/// Like [`place`], where the thread's [`item`] is known.
#[inline(always)]
pub fn place_by<W: Word>(
    map: &Map<W>,
    alloc: &[Interval<W>],
    aligned: &W,
    bytes: &W,
    predicate: &W::Truth,
    item: &W,
) -> Placed<W> {
    let at = aligned.extract(ADDR_WIDTH - 1, 0, 64).zero_extend(ADDR_WIDTH, EXACT);
    let bytes = bytes.zero_extend(5, EXACT);
    let one = W::literal(EXACT, 1);
    let reachable = aligned.extract(63, ADDR_WIDTH, 64).is(0, 64 - ADDR_WIDTH);

    let in_local = map.local.holds(&at, &one);
    let local = reachable.and(predicate).and(&in_local);
    let global = reachable.and(predicate).and(&in_local.not());
    let shared = reachable.and(&predicate.not()).and(&map.shared.holds(&at, &one));

    // Meaningful only for lanes in that window; for the others the result is dropped.
    let local_offset = at.sub(&map.local.base, EXACT);
    let shared_offset = at.sub(&map.shared.base, EXACT);

    let private = map.base.add(item, EXACT).add(&local_offset, EXACT);

    let local_bad = map.size.less(&local_offset.add(&bytes, EXACT), EXACT);
    let shared_bad = shared_offset.less(&map.shared_size, EXACT).not();
    let global_good = alloc.iter().fold(W::Truth::constant(false), |found, range| found.or(&range.holds(&at, &bytes)));
    let allocation = local.and(&local_bad).or(&shared.and(&shared_bad)).or(&global.and(&global_good.not()));

    let addr = W::choose(&local, &private, &W::choose(&shared, &shared_offset, &at, EXACT), EXACT);
    Placed {
        window: reachable.and(&predicate.or(&shared)).not(),
        local,
        global,
        shared,
        allocation,
        addr: addr.extract(ADDR_WIDTH - 1, 0, EXACT),
    }
}
