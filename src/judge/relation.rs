// SPDX-License-Identifier: MIT OR Apache-2.0
//! The position of an access relative to a range: the edges that stimulus aims at and coverage counts.

use crate::op::{Ctrl, Range};

/// Bytes around a range that count as its edge: the size of the widest access but those of PTX.
const NEAR: u64 = 16;

/// The position of an aligned access relative to a range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    First,
    Inside,
    Last,
    JustBelow,
    JustPast,
    Elsewhere,
}

impl Relation {
    /// 0 for first, 1 for inside, 2 for last; none outside the range.
    pub fn edge(self) -> Option<usize> {
        match self {
            Relation::First => Some(0),
            Relation::Inside => Some(1),
            Relation::Last => Some(2),
            _ => None,
        }
    }

    /// The number of the variant, in declaration order.
    pub fn code(self) -> usize {
        self as usize
    }
}

/// The relation of `bytes` bytes at `addr` to `range`.
pub fn to(range: Range, addr: u64, bytes: u64) -> Relation {
    let end = range.base + range.size;
    if addr >= range.base && addr < end {
        match addr {
            at if at == range.base => Relation::First,
            at if at + bytes == end => Relation::Last,
            _ => Relation::Inside,
        }
    } else if addr < range.base && range.base - addr <= NEAR {
        Relation::JustBelow
    } else if addr >= end && addr - end < NEAR {
        Relation::JustPast
    } else {
        Relation::Elsewhere
    }
}

/// Whether a byte lies in any allocation.
pub fn inside(ctrl: &Ctrl, addr: u64) -> bool {
    ctrl.alloc.iter().any(|range| addr >= range.base && addr - range.base < range.size)
}
