// SPDX-License-Identifier: MIT OR Apache-2.0
//! One lane of an `atomic_cmp_store`, test by test, with the reasons: for `explain` and reports, not for the fast path.
//!
//! The trace follows the rules of `uav` a second time, in plain integers of 128 bits, so that it can show the numbers
//! of each test.

use super::{
    legal::legal,
    plan::active,
    sm5,
    trace::{Place, Trace},
};
use crate::{
    clause::Clause,
    op::{AddrMode, Ctrl, Dimension, Fault, Kind, Lanes, Op, Resource, Shape, Space},
};

/// An `atomic_cmp_store` as it is for one lane.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sm5Trace {
    /// [`Space::Uav`] or [`Space::Tgsm`].
    pub space: Space,
    pub slot: u8,
    /// The slot holds the kind of resource that the instruction expects; if not, it counts as unbound (SM5-UNBOUND).
    pub bound: bool,
    /// The products, each of an index and its bytes, whose sum is the distance from the base: SM5-RAW, SM5-STRUCT,
    /// SM5-TYPED.
    pub terms: Vec<Scaled>,
    /// Bytes from the base: the sum of `terms`.
    pub distance: u128,
    /// The tests, in order, up to the first that fails. Empty if the slot is unbound.
    pub tests: Vec<Test>,
    /// Base plus distance: an address at the memory port, or an offset in the scratchpad. It may lie past the end of
    /// either.
    pub addr: u128,
    /// The bytes that SM5-ALIGN took off the address: 0 to 3.
    pub forced: u8,
    pub fault: Fault,
}

/// An index, and the bytes from one index to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scaled {
    /// The lane's index, forced to a multiple of 4 where the rule demands it.
    pub index: u32,
    pub bytes: u32,
}

/// A test that an index is below a limit, or an end at most a limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Test {
    pub of: Tested,
    pub value: u128,
    pub limit: u64,
    pub passed: bool,
}

/// What is tested.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Tested {
    /// a.x is below the width.
    Width,
    /// a.y is below the height.
    Height,
    /// The index of a slice (a.y of a 1D array, otherwise a.z) is below the depth.
    Depth,
    /// The end of structure a.x is at most the size.
    Structure,
    /// a.y is below the stride.
    Stride,
    /// The end of the four bytes is at most the size.
    Size,
}

/// Follows `lane` through a compare-and-store. Returns `None` if the operation is no legal one or the lane does not
/// execute.
///
/// ```
/// use gpu_lsu::{model::{sm5_trace, Tested}, op::*};
///
/// // atomic_cmp_store u0, (3, 16), ... where a structure has 16 bytes
/// let op = Op {
///     kind: Kind::CmpStore as u8,
///     addr_mode: AddrMode::Struct as u8,
///     space: Space::Uav as u8,
///     element_bytes: 4,
///     element_count: 1,
///     element_mask: 1,
///     ..Op::default()
/// };
/// let mut ctrl = Ctrl::default();
/// ctrl.uav[0] = Uav { kind: Resource::Structured as u8, base: 0x100, size: 64, stride: 16, ..Uav::default() };
/// let mut lanes = Lanes { active: LaneMask::only(0), ..Lanes::default() };
/// lanes.addr[0] = [3, 16, 0];
/// let trace = sm5_trace(&Shape::with_lanes(4), &ctrl, &op, &lanes, 0).unwrap();
/// assert_eq!((trace.distance, trace.fault), (3 * 16 + 16, Fault::Undefined));
/// let tests: Vec<_> = trace.tests.iter().map(|test| (test.of, test.value, test.limit, test.passed)).collect();
/// assert_eq!(tests, [(Tested::Structure, 64, 64, true), (Tested::Stride, 16, 16, false)]);
/// ```
pub fn sm5_trace(shape: &Shape, ctrl: &Ctrl, op: &Op, lanes: &Lanes, lane: usize) -> Option<Sm5Trace> {
    let executes = lane < shape.lanes && active(shape, op, lanes).contains(lane);
    if !executes || op.kind != Kind::CmpStore as u8 || !legal(op) {
        return None;
    }
    let slot = op.slot % 8;
    let memory = op.space == Space::Uav as u8;
    let uav = match (memory, ctrl.uav[usize::from(slot)], ctrl.tgsm[usize::from(slot)]) {
        (true, uav, _) => uav,
        (false, _, group) => crate::op::Uav {
            kind: group.kind,
            base: group.base.into(),
            size: group.size.into(),
            stride: group.stride,
            ..Default::default()
        },
    };
    let [x, y, z] = lanes.addr[lane];
    let mode = AddrMode::from_code(op.addr_mode)?;
    let dimension = Dimension::from_code(uav.dimension);
    let (rows, slices) = match dimension {
        Some(Dimension::Texture1dArray) => (None, Some(y)),
        Some(Dimension::Texture2d) => (Some(y), None),
        Some(Dimension::Texture2dArray | Dimension::Texture3d) => (Some(y), Some(z)),
        _ => (None, None),
    };
    let scaled = |index: u32, bytes: u32| Scaled { index, bytes };
    let stride = u32::from(uav.stride);
    let (terms, forced) = match mode {
        AddrMode::Raw => (vec![scaled(x & !3, 1)], x & 3),
        AddrMode::Struct => (vec![scaled(x, stride), scaled(y & !3, 1)], y & 3),
        _ => {
            let pitched = [(rows, uav.row_pitch), (slices, uav.slice_pitch)];
            let pitched = pitched.into_iter().filter_map(|(index, pitch)| Some(scaled(index?, pitch)));
            ([scaled(x, 4)].into_iter().chain(pitched).collect(), 0)
        }
    };
    let distance: u128 = terms.iter().map(|term| u128::from(term.index) * u128::from(term.bytes)).sum();

    let below =
        |of, index: u32, limit: u32| Test { of, value: index.into(), limit: limit.into(), passed: index < limit };
    let ends = |of, end: u128| Test { of, value: end, limit: uav.size, passed: end <= u128::from(uav.size) };
    let asked = match mode {
        AddrMode::Raw => vec![ends(Tested::Size, distance + 4)],
        AddrMode::Struct => vec![
            ends(Tested::Structure, (u128::from(x) + 1) * u128::from(stride)),
            below(Tested::Stride, y & !3, stride),
        ],
        _ => {
            let indices = [
                Some(below(Tested::Width, x, uav.width)),
                rows.map(|y| below(Tested::Height, y, uav.height.into())),
                slices.map(|slice| below(Tested::Depth, slice, uav.depth.into())),
                Some(ends(Tested::Size, distance + 4)),
            ];
            indices.into_iter().flatten().collect()
        }
    };
    let kind = match mode {
        AddrMode::Raw => Resource::Raw,
        AddrMode::Struct => Resource::Structured,
        _ => Resource::Typed,
    };
    let bound = uav.kind == kind as u8 && (kind != Resource::Typed || dimension.is_some());
    let last = asked.iter().position(|test| !test.passed).map_or(asked.len(), |failed| failed + 1);
    let tests: Vec<Test> = asked.into_iter().take(if bound { last } else { 0 }).collect();
    let failed = tests.last().filter(|test| !test.passed).map(|test| test.of);
    let fault = match (bound, failed) {
        (true, None) if forced != 0 && ctrl.trap_misaligned => Fault::Misaligned,
        (true, None) => Fault::None,
        (true, Some(Tested::Stride)) => Fault::Undefined,
        _ if memory => Fault::Allocation,
        _ => Fault::Undefined,
    };
    Some(Sm5Trace {
        space: if memory { Space::Uav } else { Space::Tgsm },
        slot,
        bound,
        terms,
        distance,
        tests,
        addr: u128::from(uav.base) + distance,
        forced: forced as u8,
        fault,
    })
}

impl Sm5Trace {
    /// Whether the lane makes its compare-and-store.
    pub fn made(&self) -> bool {
        matches!(self.fault, Fault::None | Fault::Misaligned)
    }

    /// The same trace, in the terms common to all operations.
    pub(super) fn summary(&self, shape: &Shape, ctrl: &Ctrl, op: &Op, lanes: &Lanes, lane: usize) -> Trace {
        let memory = self.space == Space::Uav;
        let refused = self.bound && !self.made();
        let mut clauses = vec![match AddrMode::from_code(op.addr_mode) {
            Some(AddrMode::Raw) => Clause::Sm5Raw,
            Some(AddrMode::Struct) => Clause::Sm5Struct,
            _ => Clause::Sm5Typed,
        }];
        for (matters, clause) in [
            (self.forced != 0, Clause::Sm5Align),
            (self.made(), Clause::Sm5Cas),
            (self.made() && self.shared_dword(shape, ctrl, op, lanes, lane), Clause::Sm5Order),
            (!self.bound, Clause::Sm5Kind),
            (!self.bound && memory, Clause::Sm5Unbound),
            (refused && memory && self.fault == Fault::Allocation, Clause::Sm5OobUav),
            (refused && memory && self.fault == Fault::Undefined, Clause::Sm5OobOffset),
            (!self.made() && !memory, Clause::Sm5OobTgsm),
        ] {
            clauses.extend(matters.then_some(clause));
        }
        // A value that does not fit belongs to a refused access: it is only shown.
        let [addr, offset] = [self.addr, self.distance].map(|bytes| u64::try_from(bytes).unwrap_or(u64::MAX));
        let place = match memory {
            true => Place::Uav { slot: self.slot, offset, addr },
            false => Place::Tgsm { slot: self.slot, offset, addr },
        };
        let ea = addr.saturating_add(self.forced.into());
        Trace { ea, aligned: addr, place, clauses, fault: self.fault }
    }

    /// Whether another lane makes its compare-and-store on the same dword.
    fn shared_dword(&self, shape: &Shape, ctrl: &Ctrl, op: &Op, lanes: &Lanes, lane: usize) -> bool {
        active(shape, op, lanes).iter().filter(|&other| other != lane).any(|other| {
            let target = sm5::target(ctrl, op, lanes, other);
            !target.allocation && !target.undefined && u128::from(target.addr) == self.addr
        })
    }
}
