// SPDX-License-Identifier: MIT OR Apache-2.0
//! The results that the source allows where it does not fix one: the order in which lanes take effect on one dword
//! (SM5-ORDER), and contents that become undefined (SM5-OOB-OFFSET, SM5-OOB-TGSM, SM5-ALIGN).
//!
//! The unit itself always gives one answer, which `cas` defines. This module is for a checker of other hardware.
//!
//! **Orders.** Each step is made exactly once, in any order. Draw an arrow from `compare` to `new` for each step. The
//! steps that store form a walk from the initial value that uses no arrow twice. Every other step must be made at a
//! time when the dword holds another value than its `compare`; a walk through two values offers each step such a time.
//! So, if no arrow leads from the initial value to another value, the dword never changes. Otherwise the walk must take
//! such an arrow, and every value that arrows lead to can be the last one, because the shortest way to it uses no arrow
//! twice. The initial value is among them if there is a way back to it.

use super::wild::{Wild, wild};
use crate::op::{Ctrl, Kind, Lanes, Op, Range, Shape};

/// Every value that some order of the steps `(compare, new)` leaves in a dword, ascending. Each step is made once.
///
/// ```
/// use gpu_lsu::model::allowed::finals;
///
/// assert_eq!(finals(0, &[(0, 1), (0, 2)]), [1, 2]);
/// assert_eq!(finals(0, &[(0, 1), (1, 0)]), [0, 1]); // 1, 0 in one order; 1 in the other
/// assert_eq!(finals(5, &[(0, 1), (5, 5)]), [5]);
/// ```
pub fn finals(initial: u32, steps: &[(u32, u32)]) -> Vec<u32> {
    let onward = |from: u32| steps.iter().filter(move |(compare, new)| *compare == from && new != compare);
    // The initial value counts as reached only if something leads back to it.
    let (mut reached, mut looked) = (Vec::new(), 0);
    let mut from = initial;
    loop {
        for &(_, new) in onward(from) {
            if !reached.contains(&new) {
                reached.push(new);
            }
        }
        let Some(&next) = reached.get(looked) else { break };
        (from, looked) = (next, looked + 1);
    }
    if reached.is_empty() {
        reached.push(initial);
    }
    reached.sort_unstable();
    reached
}

/// Whether some order of the steps leaves `outcome`.
///
/// ```
/// use gpu_lsu::model::allowed::allows;
///
/// assert!(!allows(0, &[(0, 1), (0, 2)], 0)); // whichever is first stores
/// ```
pub fn allows(initial: u32, steps: &[(u32, u32)], outcome: u32) -> bool {
    finals(initial, steps).contains(&outcome)
}

/// The contents that the source leaves undefined after an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Undefined {
    /// Every byte of a u#, at the memory port.
    Uav(Range),
    /// Every byte of shared memory.
    Shared,
}

/// The contents that an operation makes undefined, or `None` if none of its lanes does so.
///
/// ```
/// use gpu_lsu::{model::allowed::{Undefined, undefined}, op::*};
///
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
/// ctrl.uav[0] = Uav { kind: Resource::Raw as u8, base: 0x100, size: 64, ..Uav::default() };
/// let mut lanes = Lanes { active: LaneMask::only(0), ..Lanes::default() };
/// let shape = Shape::with_lanes(4);
/// lanes.addr[0][0] = 64;
/// assert_eq!(undefined(&shape, &ctrl, &op, &lanes), None); // dropped, says the source
/// lanes.addr[0][0] = 61;
/// let all = Undefined::Uav(Range { base: 0x100, size: 64 });
/// assert_eq!(undefined(&shape, &ctrl, &op, &lanes), Some(all));
/// ```
pub fn undefined(shape: &Shape, ctrl: &Ctrl, op: &Op, lanes: &Lanes) -> Option<Undefined> {
    if op.kind != Kind::CmpStore as u8 || !super::legal(op) {
        return None;
    }
    Some(match wild(shape, ctrl, op, lanes)? {
        Wild::Shared => Undefined::Shared,
        Wild::Uav(slot) => {
            let uav = ctrl.uav[usize::from(slot)];
            Undefined::Uav(Range { base: uav.base, size: uav.size })
        }
    })
}
