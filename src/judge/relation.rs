// SPDX-License-Identifier: MIT OR Apache-2.0
//! Where an access lies against a range: the edges that stimulus seeks and coverage counts.

use crate::op::{Ctrl, Range};

/// Bytes around a range that count as its edge: the widest access.
const NEAR: u64 = 16;

/// Where an aligned access lies against a range.
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
    /// First, inside, last; none if it is outside.
    pub fn edge(self) -> Option<usize> {
        match self {
            Relation::First => Some(0),
            Relation::Inside => Some(1),
            Relation::Last => Some(2),
            _ => None,
        }
    }

    /// In the order of the variants.
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

/// Whether a byte lies in an allocation.
pub fn inside(ctrl: &Ctrl, addr: u64) -> bool {
    ctrl.alloc.iter().any(|range| addr >= range.base && addr - range.base < range.size)
}
