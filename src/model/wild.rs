// SPDX-License-Identifier: MIT OR Apache-2.0
//! The resource that a compare-and-store leaves undefined according to its source, whatever this unit does (SM5-WILD).

use super::sm5_trace::sm5_trace;
use crate::op::{Ctrl, Fault, Lanes, Op, Shape, Space};

/// A resource whose contents are undefined from now on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Wild {
    /// All of a u#, by its slot.
    Uav(u8),
    /// All shared memory.
    Shared,
}

/// The resource that an operation makes undefined, or `None` if no lane does so. A lane does so by an offset past the
/// stride of a structure (SM5-OOB-OFFSET), an address outside a g# (SM5-OOB-TGSM), or an access that is made although
/// its address is not a multiple of 4 (SM5-ALIGN).
pub fn wild(shape: &Shape, ctrl: &Ctrl, op: &Op, lanes: &Lanes) -> Option<Wild> {
    let is_wild = |lane: usize| {
        let Some(trace) = sm5_trace(shape, ctrl, op, lanes, lane).filter(|trace| trace.bound) else { return false };
        let made = trace.fault != Fault::Allocation;
        trace.fault == Fault::Undefined || trace.forced != 0 && made
    };
    let of = if op.space == Space::Uav as u8 { Wild::Uav(op.slot % 8) } else { Wild::Shared };
    (0..shape.lanes).any(is_wild).then_some(of)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::op::{AddrMode, Kind, LaneMask, Resource, Tgsm, Uav};

    #[test]
    fn a_lane_makes_all_of_a_resource_undefined() {
        let mut ctrl = Ctrl::default();
        ctrl.uav[2] = Uav { kind: Resource::Structured as u8, base: 0x100, size: 64, stride: 16, ..Uav::default() };
        ctrl.uav[3] = Uav { kind: Resource::Raw as u8, base: 0x100, size: 64, ..Uav::default() };
        ctrl.tgsm[1] = Tgsm { kind: Resource::Raw as u8, base: 0, size: 64, stride: 0 };
        let of = |space: Space, slot: u8, mode: AddrMode, address: [u32; 3]| {
            let (space, addr_mode) = (space as u8, mode as u8);
            let (kind, element_bytes, element_count, element_mask) = (Kind::CmpStore as u8, 4, 1, 1);
            let op = Op { kind, addr_mode, space, slot, element_bytes, element_count, element_mask, ..Op::default() };
            let mut lanes = Lanes { active: LaneMask::only(1), ..Lanes::default() };
            lanes.addr[1] = address;
            wild(&Shape::with_lanes(4), &ctrl, &op, &lanes)
        };
        assert_eq!(of(Space::Uav, 2, AddrMode::Struct, [3, 12, 0]), None);
        assert_eq!(of(Space::Uav, 2, AddrMode::Struct, [3, 16, 0]), Some(Wild::Uav(2)));
        assert_eq!(of(Space::Uav, 2, AddrMode::Struct, [4, 16, 0]), None, "the index decides");
        assert_eq!(of(Space::Uav, 3, AddrMode::Raw, [61, 0, 0]), Some(Wild::Uav(3)));
        assert_eq!(of(Space::Uav, 3, AddrMode::Raw, [64, 0, 0]), None);
        assert_eq!(of(Space::Uav, 4, AddrMode::Raw, [61, 0, 0]), None, "nothing is bound");
        assert_eq!(of(Space::Tgsm, 1, AddrMode::Raw, [64, 0, 0]), Some(Wild::Shared));
        assert_eq!(of(Space::Tgsm, 1, AddrMode::Raw, [60, 0, 0]), None);
    }
}
