// SPDX-License-Identifier: MIT OR Apache-2.0
//! The unit's ports by name, checked for width once.

use crate::{
    dut::{Dut, DutError, Pin},
    op::Shape,
    ports::Ports,
};

/// A pin for each port of rtl/lsu.sv.
pub type Pins = Ports<Pin>;

impl Pins {
    /// Finds every port of a unit of this shape.
    ///
    /// # Errors
    ///
    /// [`DutError::Port`] if a port is missing or has another width.
    pub fn find(dut: &Dut, shape: &Shape) -> Result<Self, DutError> {
        Ports::make(|port| dut.pin(port.name, port.width(shape)))
    }
}
