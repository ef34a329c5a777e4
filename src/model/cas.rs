// SPDX-License-Identifier: MIT OR Apache-2.0
//! Compare-and-store: one lane's step (SM5-CAS), and what the lanes of a request together do to their line (SM5-ORDER,
//! PORT-CAS).

use super::{Plan, Register, Request, word::Word};
use crate::op::{LaneMask, MAX_LINE_BYTES};

/// The result of one lane's step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stored<W: Word> {
    /// The memory held the value that the lane compares with, so the lane stored, even if it stored the same bits.
    pub matched: W::Truth,
    /// The dword in memory after the step.
    pub value: W,
}

/// One lane's compare-and-store on a dword. All words have 32 bits.
///
/// ```
/// use gpu_lsu::model::cas::{Stored, compare_and_store};
///
/// assert_eq!(compare_and_store::<u64>(&0, &0, &1), Stored { matched: true, value: 1 });
/// assert_eq!(compare_and_store::<u64>(&0xf, &0xffff_ffff, &0xffff_ffff), Stored { matched: false, value: 0xf });
/// ```
#[inline(always)]
pub fn compare_and_store<W: Word>(memory: &W, compare: &W, new: &W) -> Stored<W> {
    let matched = memory.equal(compare, 32);
    let value = W::choose(&matched, new, memory, 32);
    Stored { matched, value }
}

/// The dword in memory after the step of `lane`, or `None` if the lane did not store. `data` holds the beats compare
/// and new.
pub(super) fn step(memory: u32, data: &[Register], lane: usize) -> Option<u32> {
    let beat = |beat: usize| data.get(beat).map_or(0, |register| u64::from(register[lane]));
    let stored = compare_and_store::<u64>(&memory.into(), &beat(0), &beat(1));
    stored.matched.then_some(stored.value as u32)
}

/// The contents of a pair's write-exclusive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SecondHalf {
    /// The bytes of the dwords in which some lane stored. If 0, there is no write-exclusive, and the pair ends at the
    /// read.
    pub byte_enable: u128,
    /// The dwords as the last lane leaves them; 0 where not enabled.
    pub data: [u8; MAX_LINE_BYTES],
    /// The lanes that stored.
    pub matched: LaneMask,
}

/// Applies the compare-and-stores of a read-exclusive's lanes to the `line` of its answer, one after the other,
/// ascending.
///
/// `data` holds the operation's two beats, compare and new. After a lost reservation, the function is called again with
/// the line of the new answer.
///
/// ```
/// use gpu_lsu::{model::{Plan, cas::second_half, plan}, op::*};
///
/// // atomic_cmp_store u0, 0, 7, 8 by two lanes, and then 8, 9 by a third
/// let op = Op {
///     kind: Kind::CmpStore as u8,
///     addr_mode: AddrMode::Raw as u8,
///     space: Space::Uav as u8,
///     element_bytes: 4,
///     element_count: 1,
///     element_mask: 1,
///     ..Op::default()
/// };
/// let mut ctrl = Ctrl::default();
/// ctrl.uav[0] = Uav { kind: Resource::Raw as u8, base: 0x100, size: 4, ..Uav::default() };
/// let mut data = [[7; 32], [8; 32]];
/// (data[0][2], data[1][2]) = (8, 9);
/// let (shape, lanes, mut todo) = (Shape::with_lanes(4), Lanes { active: LaneMask::from_bits(0b111), ..Lanes::default() }, Plan::default());
/// plan(&shape, &ctrl, &op, &lanes, &data, &mut todo);
/// assert_eq!(todo.requests[0].kind, ReqKind::ReadExclusive);
///
/// let mut line = [0; 128];
/// line[0] = 7;
/// let write = second_half(&todo, &todo.requests[0], &data, &line);
/// assert_eq!((write.byte_enable, write.data[0], write.matched.bits()), (0xf, 9, 0b101));
/// ```
pub fn second_half(plan: &Plan, request: &Request, data: &[Register], line: &[u8; MAX_LINE_BYTES]) -> SecondHalf {
    let (mut byte_enable, mut matched, mut current) = (0, LaneMask::NONE, *line);
    let mut written = [0; MAX_LINE_BYTES];
    for lane in request.lanes.iter() {
        let offset = plan.addr[lane].wrapping_sub(request.line) as usize % MAX_LINE_BYTES;
        let (Some(dword), Some(to)) = (current[offset..].first_chunk_mut(), written[offset..].first_chunk_mut()) else {
            continue;
        };
        if let Some(value) = step(u32::from_le_bytes(*dword), data, lane) {
            *dword = value.to_le_bytes();
            *to = *dword;
            byte_enable |= 0xf << offset;
            matched.insert(lane);
        }
    }
    SecondHalf { byte_enable, data: written, matched }
}
