// SPDX-License-Identifier: MIT OR Apache-2.0
//! The cycle number as a variable of its own: reports name cycles, viewers show time units.

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

    /// Sets the cycle of this time.
    pub(super) fn at(&mut self, ink: &mut dyn Ink, time: u64) -> io::Result<()> {
        self.cycle.set(ink, number(u128::from(time / PERIOD)))
    }
}
