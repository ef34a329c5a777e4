// SPDX-License-Identifier: MIT OR Apache-2.0
//! The number of the cycle, for an axis of its own: reports name cycles, viewers show units of time.

use std::io;

use super::{
    PERIOD,
    ink::{Ink, Kind},
    signal::{Declarer, Signal},
    value::number,
};

pub(super) struct Axis {
    cycle: Signal,
}

impl Axis {
    /// Declares the scope `axis`.
    pub(super) fn declare(declarer: &mut Declarer<'_>) -> io::Result<Self> {
        declarer.scope("axis", |axis| Ok(Axis { cycle: axis.signal(Kind::Number, "cycle")? }))
    }

    /// It is `time`.
    pub(super) fn at(&mut self, ink: &mut dyn Ink, time: u64) -> io::Result<()> {
        self.cycle.set(ink, number(u128::from(time / PERIOD)))
    }
}
