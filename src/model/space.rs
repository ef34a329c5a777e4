// SPDX-License-Identifier: MIT OR Apache-2.0
//! Where an aligned access of PTX lies: PTX-SPACE, PTX-OFFSET, PTX-EA, PTX-GLOBAL-ONLY, COM-PRIVATE, COM-GLOBAL, and
//! the rule of PTX-SEM for mmio.
//!
//! As in `window`, every rule is containment in intervals, in exact arithmetic.

use super::{
    window::{EXACT, Interval, Map, item},
    word::{Truth, Word},
};
use crate::op::{ADDR_WIDTH, Ctrl, Private, Space};

/// The control registers that place PTX accesses. Every word has [`EXACT`] bits.
#[derive(Clone, Debug)]
pub struct Spaces<W> {
    /// Windows, local memory, the scratchpad's size and the allocation ranges, which all instruction sets share.
    pub map: Map<W>,
    /// Parameter memory (COM-PRIVATE).
    pub param: Item<W>,
    /// The cluster's shared memory, at the memory port.
    pub cluster_base: W,
    pub cluster_size: W,
}

/// A space that is private to a thread, at `base + thread * stride`.
#[derive(Clone, Debug)]
pub struct Item<W> {
    pub base: W,
    pub stride: W,
    pub size: W,
}

impl From<&Private> for Item<u64> {
    fn from(private: &Private) -> Self {
        Item { base: u64::literal(ADDR_WIDTH, private.base), stride: private.stride.into(), size: private.size.into() }
    }
}

impl From<&Ctrl> for Spaces<u64> {
    fn from(ctrl: &Ctrl) -> Self {
        Spaces {
            map: ctrl.into(),
            param: (&ctrl.param_memory).into(),
            cluster_base: u64::literal(ADDR_WIDTH, ctrl.cluster.base),
            cluster_size: u64::literal(ADDR_WIDTH, ctrl.cluster.size),
        }
    }
}

/// Size in bytes of the access that a generic address may make in global memory only.
const WIDEST: u64 = 32;

/// Where a lane's access is made. Exactly one of the five spaces holds, or none if `window` does.
#[derive(Clone, Debug)]
pub struct Site<W: Word> {
    pub local: W::Truth,
    pub global: W::Truth,
    pub shared: W::Truth,
    pub cluster: W::Truth,
    pub param: W::Truth,
    /// An mmio or 256-bit store whose generic address lies in local or shared memory.
    pub illegal: W::Truth,
    /// Out of window.
    pub window: W::Truth,
    /// In its space, but out of what is allocated there.
    pub allocation: W::Truth,
    /// Of [`ADDR_WIDTH`] bits: the byte address at the memory port, or the offset in the scratchpad.
    pub addr: W,
}

/// Places one aligned access of a PTX store. If several faults hold, the first in the order of COM-FAULT counts.
///
/// `space` is the 4-bit [`Space`] code, one of PTX's; `aligned` is EA' (64 bits), `bytes` the size of the whole access
/// (6 bits), `thread` warp * LANES + lane ([`THREAD_WIDTH`](super::window::THREAD_WIDTH) bits). `alloc` is
/// `spaces.map.alloc` or a part of it, as for [`place`](super::window::place).
///
/// - PTX-EA: a bit at 40 or above is out of window, in every space.
/// - PTX-SPACE: a generic address in the local window is local, else in the shared window shared, else global.
/// - PTX-OFFSET: in a space that is written out, no window is tested: EA' is the address in global, and the offset in
///   every other space.
/// - PTX-SEM: mmio must access global memory.
/// - PTX-GLOBAL-ONLY: so must a 256-bit access at a generic address.
/// - COM-PRIVATE, COM-GLOBAL: as for SPA 5.0. An offset in shared memory or the cluster must be below its size.
///
/// ```
/// use gpu_lsu::{model::space::{Spaces, place}, op::{Ctrl, Range, Space}};
///
/// let cluster = Range { base: 0x4_0000, size: 0x100 };
/// let spaces = Spaces::from(&Ctrl { cluster, ..Ctrl::default() });
/// let at = |offset| place::<u64>(&spaces, &spaces.map.alloc, &(Space::Cluster as u64), &false, &offset, &4, &0);
/// assert_eq!((at(0xfc).addr, at(0xfc).allocation), (0x4_00fc, false));
/// assert!(at(0x100).allocation);
/// ```
#[inline(always)]
pub fn place<W: Word>(
    spaces: &Spaces<W>,
    alloc: &[Interval<W>],
    space: &W,
    mmio: &W::Truth,
    aligned: &W,
    bytes: &W,
    thread: &W,
) -> Site<W> {
    let at = exact(aligned);
    let extent = bytes.zero_extend(6, EXACT);
    let allocated = alloc.iter().fold(W::Truth::constant(false), |found, range| found.or(&range.holds(&at, &extent)));
    let item = item(thread, &stride(spaces, space));
    place_if(spaces, &Given { allocated, item }, space, mmio, aligned, bytes)
}

/// The low [`ADDR_WIDTH`] bits of EA', which are the whole address unless it is out of window.
fn exact<W: Word>(aligned: &W) -> W {
    aligned.extract(ADDR_WIDTH - 1, 0, 64).zero_extend(ADDR_WIDTH, EXACT)
}

/// What [`place`] works out first.
#[derive(Clone, Debug)]
pub struct Given<W: Word> {
    /// Some allocation range holds the access.
    pub allocated: W::Truth,
    /// The result of [`item`] for [`stride`].
    pub item: W,
}

/// Bytes from one thread's item to the next, [`EXACT`] bits wide: in parameter memory if that is written out, otherwise
/// in local memory.
pub fn stride<W: Word>(spaces: &Spaces<W>, space: &W) -> W {
    W::choose(&space.is(Space::Param as u64, 4), &spaces.param.stride, &spaces.map.stride, EXACT)
}

/// Like [`place`], where the values of [`Given`] are known.
#[inline(always)]
pub fn place_if<W: Word>(
    spaces: &Spaces<W>,
    given: &Given<W>,
    space: &W,
    mmio: &W::Truth,
    aligned: &W,
    bytes: &W,
) -> Site<W> {
    let map = &spaces.map;
    let at = exact(aligned);
    let bytes = bytes.zero_extend(6, EXACT);
    let one = W::literal(EXACT, 1);
    let reachable = aligned.extract(63, ADDR_WIDTH, 64).is(0, 64 - ADDR_WIDTH);
    let written = |space_: Space| reachable.and(&space.is(space_ as u64, 4));

    let generic = written(Space::Generic);
    let in_local = map.local.holds(&at, &one);
    let in_shared = in_local.not().and(&map.shared.holds(&at, &one));
    let local = written(Space::Local).or(&generic.and(&in_local));
    let shared = written(Space::Shared).or(&generic.and(&in_shared));
    let global = written(Space::Global).or(&generic.and(&in_local.or(&in_shared).not()));
    let wide = generic.and(&bytes.is(WIDEST, EXACT));
    let (cluster, param) = (written(Space::Cluster), written(Space::Param));

    // The distance from the window, or from 0 if the space is written out.
    let from = |window: &Interval<W>| at.sub(&W::choose(&generic, &window.base, &W::literal(EXACT, 0), EXACT), EXACT);
    let (local_offset, shared_offset) = (from(&map.local), from(&map.shared));

    // If the access is out of window, it does not matter which space is chosen.
    let theirs = space.is(Space::Param as u64, 4);
    let own = |local: &W, other: &W| W::choose(&theirs, other, local, EXACT);
    let base = own(&map.base, &spaces.param.base);
    let (size, offset) = (own(&map.size, &spaces.param.size), own(&local_offset, &at));
    let item = base.add(&given.item, EXACT);
    let private = local.or(&param);

    let private_bad = size.less(&offset.add(&bytes, EXACT), EXACT);
    let shared_bad = shared_offset.less(&map.shared_size, EXACT).not();
    let cluster_bad = at.less(&spaces.cluster_size, EXACT).not();
    let in_memory = private.and(&private_bad).or(&global.and(&given.allocated.not())).or(&cluster.and(&cluster_bad));

    let addr = W::choose(&cluster, &spaces.cluster_base.add(&at, EXACT), &at, EXACT);
    let addr = W::choose(&shared, &shared_offset, &addr, EXACT);
    let addr = W::choose(&private, &item.add(&offset, EXACT), &addr, EXACT);
    Site {
        illegal: mmio.or(&wide).and(&local.or(&shared)),
        window: reachable.not(),
        allocation: in_memory.or(&shared.and(&shared_bad)),
        local,
        global,
        shared,
        cluster,
        param,
        addr: addr.extract(ADDR_WIDTH - 1, 0, EXACT),
    }
}
