// SPDX-License-Identifier: MIT OR Apache-2.0
//! PTX-SEM: which accesses an operation must wait for, and the judge of whether it did.

mod judge;

pub use judge::{Broken, Judge};

use super::{Plan, legal::ptx_space};
use crate::op::{LaneMask, Op, Scope, Semantics, Space};

/// The order that an operation must keep among those of its warp.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Order {
    /// The scope of a release that takes effect: it is made after every earlier access of its warp was acknowledged at
    /// this scope.
    pub release: Option<Scope>,
    /// Each request is sent after every earlier mmio request of the warp was answered.
    pub mmio: bool,
    /// Each element is written in one piece, except in memory that no other thread sees.
    pub whole: bool,
    /// Nothing is written twice, with the same exception.
    pub once: bool,
}

/// The semantics of a PTX operation, or `None` if its code has no meaning. Other operations are weak: they do not use
/// the field.
#[inline(always)]
pub(super) fn semantics(op: &Op) -> Option<Semantics> {
    match ptx_space(op) {
        Some(_) => Semantics::from_code(op.attr.semantics),
        None => Some(Semantics::Weak),
    }
}

/// The order that a planned operation keeps.
///
/// A release acts as a weak store if none of its lanes reaches memory that other threads see, because they are in local
/// or parameter memory or do nothing.
///
/// ```
/// use gpu_lsu::{model::{Plan, orders}, op::{Attr, Kind, LaneMask, Op, Scope, Semantics, Space}};
///
/// let attr = Attr { semantics: Semantics::Release as u8, scope: Scope::Gpu as u8, ..Attr::default() };
/// let op = Op { kind: Kind::Store as u8, space: Space::Generic as u8, attr, ..Op::default() };
/// let plan = Plan { legal: true, memory: LaneMask::lowest(2), local: LaneMask::only(0), ..Plan::default() };
/// assert_eq!(orders(&op, &plan).release, Some(Scope::Gpu));
/// assert_eq!(orders(&op, &Plan { local: plan.memory, ..plan }).release, None);
/// ```
pub fn orders(op: &Op, plan: &Plan) -> Order {
    let semantics = semantics(op).filter(|_| plan.legal);
    let seen = plan.shared | (plan.memory - private(op, plan));
    let mmio = matches!(semantics, Some(Semantics::Mmio | Semantics::MmioRelease));
    let release = matches!(semantics, Some(Semantics::Release | Semantics::MmioRelease)) && !seen.is_empty();
    Order {
        // The port has two bits of scope.
        release: Scope::from_code(op.attr.scope % 4).filter(|_| release),
        mmio,
        whole: !matches!(semantics, None | Some(Semantics::Weak)),
        once: mmio || semantics == Some(Semantics::Volatile),
    }
}

/// Whether an operation is a release, also if it takes no effect. One that takes none may wait all the same.
pub fn is_release(op: &Op) -> bool {
    matches!(semantics(op), Some(Semantics::Release | Semantics::MmioRelease))
}

/// The lanes that access memory which no other thread sees.
pub fn private(op: &Op, plan: &Plan) -> LaneMask {
    if op.space == Space::Param as u8 { plan.memory } else { plan.local }
}
