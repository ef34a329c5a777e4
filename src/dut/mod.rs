// SPDX-License-Identifier: MIT OR Apache-2.0
//! A Verilated unit behind a Rust type: pins, a clock, a trace. This module computes nothing.
//!
//! Port addresses are fetched once, so that a cycle calls into C++ only to evaluate.

mod bridge;
mod layout;
mod pin;

use std::{cell::RefCell, rc::Rc};

pub use bridge::Piece;
use bridge::{Sink, ffi};
use cxx::UniquePtr;
pub use pin::Pin;

use crate::op::Shape;

/// Why the RTL could not be driven.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DutError {
    /// No unit in this build has this many lanes.
    #[error("no unit with {lanes} lanes is in this build, which holds {}", built_list())]
    NotBuilt {
        /// The lanes that were asked for.
        lanes: usize,
    },
    /// No unit in this build has these parameters.
    #[error("no unit with {0} is in this build, which holds {list}", list = built_list())]
    NotThis(Shape),
    /// The unit's parameters are out of range.
    #[error("this unit cannot be driven: {0}")]
    Shape(String),
    /// The RTL's structs differ from those of rtl/lsu_pkg.sv.
    #[error("this unit cannot be driven: its lsu_pkg.sv is another one; {0}")]
    Package(String),
    /// The unit does not count how often lines of its RTL ran.
    #[error("lines of the RTL cannot be counted: {0}")]
    Lines(String),
    /// The top-level ports differ from rtl/lsu.sv.
    #[error("port `{name}` has {found} bytes where this unit needs {expected}")]
    Port {
        /// The name of the port.
        name: &'static str,
        /// Bytes in the Verilated class; 0 if it has no such port.
        found: usize,
        /// Bytes that the port's width requires.
        expected: usize,
    },
}

/// What the RTL itself reported during evaluation: the text of a failed assertion.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Report(pub String);

/// The Verilated classes of this build, each by name and with the parameters that its RTL states.
fn units() -> impl Iterator<Item = (&'static str, Shape)> {
    env!("GPU_LSU_BUILT_UNITS").split(',').filter_map(|unit| {
        let (prefix, numbers) = unit.split_once(' ')?;
        let mut numbers = numbers.split(' ').map_while(|number| number.parse().ok());
        let mut next = || numbers.next();
        let (lanes, line_bytes, warps, pending, shared_bytes) = (next()?, next()?, next()?, next()?, next()?);
        Some((prefix, Shape { lanes, line_bytes, warps, pending, shared_bytes }))
    })
}

/// The class with planted faults, which is used only on request.
const FAULTY: &str = "Vlsu_faulty";

/// Its port that chooses one of them.
pub const FAULT: &str = "fault_i";

/// The class that counts how often lines run, which makes it slower.
const COUNTED: &str = "Vlsu_lines";

/// The units in this build, first the one with the RTL's own parameters or those of GPU_LSU_PARAMETERS.
pub fn built() -> Vec<Shape> {
    units().filter(|&(prefix, _)| is_plain(prefix)).map(|(_, shape)| shape).collect()
}

fn is_plain(prefix: &str) -> bool {
    prefix != FAULTY && prefix != COUNTED
}

/// The first unit with this many lanes.
///
/// # Errors
///
/// [`DutError::NotBuilt`] if there is none.
pub fn with_lanes(lanes: usize) -> Result<Shape, DutError> {
    built().into_iter().find(|shape| shape.lanes == lanes).ok_or(DutError::NotBuilt { lanes })
}

fn built_list() -> String {
    built().iter().map(Shape::to_string).collect::<Vec<_>>().join("; ")
}

/// The packed layout of every struct of lsu_pkg, as the RTL states it: `struct bits` and `struct.field mask` lines.
pub fn layout() -> String {
    ffi::layout()
}

/// What registers and memories hold when a unit is made, before its first reset.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PowerUp {
    /// Zeros.
    Zeros = 0,
    /// Ones.
    Ones = 1,
    /// Random values, the same in every unit.
    #[default]
    Random = 2,
}

/// The C++ object. A [`Dut`] and its pins share it, but only the `Dut` calls it. Part of its state is thread-local, so
/// it stays in the thread that made it.
struct Unit(RefCell<UniquePtr<ffi::Unit>>);

/// A Verilated unit.
pub struct Dut {
    unit: Rc<Unit>,
    ports: Vec<ffi::Port>,
    /// Of the Verilated class.
    prefix: &'static str,
    shape: Shape,
}

impl Dut {
    /// The first unit with this many lanes.
    ///
    /// # Errors
    ///
    /// [`DutError::NotBuilt`] if the build does not hold it.
    pub fn new(lanes: usize) -> Result<Self, DutError> {
        Self::of(&with_lanes(lanes)?)
    }

    /// The unit with these parameters.
    ///
    /// # Errors
    ///
    /// [`DutError::NotThis`] if the build does not hold it.
    pub fn of(shape: &Shape) -> Result<Self, DutError> {
        layout::check()?;
        let found = units().find(|(prefix, unit)| unit == shape && is_plain(prefix));
        found.and_then(|found| Self::named(found, PowerUp::default())).ok_or(DutError::NotThis(*shape))
    }

    /// The copy with planted faults, at 4 lanes. The pin [`FAULT`] chooses one; 0 is none.
    #[cfg(feature = "planted-faults")]
    pub fn planted() -> Result<Self, DutError> {
        let found = units().find(|(prefix, _)| *prefix == FAULTY);
        found.and_then(|found| Self::named(found, PowerUp::default())).ok_or(DutError::NotBuilt { lanes: 4 })
    }

    /// The unit with these parameters that counts how often lines run.
    ///
    /// # Errors
    ///
    /// [`DutError::NotThis`] if the build does not hold it.
    pub fn counted(shape: &Shape) -> Result<Self, DutError> {
        layout::check()?;
        let found = units().find(|(prefix, unit)| unit == shape && *prefix == COUNTED);
        found.and_then(|found| Self::named(found, PowerUp::default())).ok_or(DutError::NotThis(*shape))
    }

    /// A new unit of the same kind, with the same planted fault, that has not run yet.
    ///
    /// # Errors
    ///
    /// [`DutError::NotThis`] if there is no such unit; it was there when this one was made.
    pub fn fresh(&self, power_up: PowerUp) -> Result<Self, DutError> {
        let fresh = Self::named((self.prefix, self.shape), power_up).ok_or(DutError::NotThis(self.shape))?;
        if let (Some(fault), Some(mut chosen)) = (self.any_pin(FAULT), fresh.any_pin(FAULT)) {
            chosen.set_value(fault.value());
        }
        Ok(fresh)
    }

    fn named((prefix, shape): (&'static str, Shape), power_up: PowerUp) -> Option<Self> {
        let unit = ffi::new_unit(prefix, power_up as i32);
        if unit.is_null() {
            return None;
        }
        let ports = unit.ports();
        Some(Dut { unit: Rc::new(Unit(RefCell::new(unit))), ports, prefix, shape })
    }

    /// The unit's parameters.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// The names of all ports, in the order of rtl/lsu.sv.
    pub fn port_names(&self) -> impl Iterator<Item = &'static str> + '_ {
        self.ports.iter().map(|port| port.name)
    }

    /// The port of this name, `bits` bits wide.
    ///
    /// # Errors
    ///
    /// [`DutError::Port`] if the unit has no such port of this width.
    pub fn pin(&self, name: &'static str, bits: usize) -> Result<Pin, DutError> {
        let expected = match bits {
            0..=8 => 1,
            9..=16 => 2,
            17..=32 => 4,
            33..=64 => 8,
            _ => bits.div_ceil(32) * 4,
        };
        match self.any_pin(name) {
            Some(pin) if pin.len() == expected => Ok(pin),
            pin => Err(DutError::Port { name, found: pin.map_or(0, |pin| pin.len()), expected }),
        }
    }

    /// The port of this name, whatever its width.
    pub fn any_pin(&self, name: &str) -> Option<Pin> {
        let port = self.ports.iter().find(|port| port.name == name)?;
        // SAFETY: the unit itself stated `ports`, and every C++ member has at least one byte.
        unsafe { Pin::new(&self.unit, port.address, port.bytes) }
    }

    /// Evaluates the unit, so that its outputs follow its inputs.
    ///
    /// # Errors
    ///
    /// What the RTL reports: the text of a failed assertion.
    #[inline]
    pub fn eval(&mut self) -> Result<(), Report> {
        self.unit.0.borrow_mut().pin_mut().eval().map_err(|error| Report(error.what().trim().to_owned()))
    }

    /// The output of the RTL's `final` blocks in the present state, such as who holds what in a unit that hangs. The
    /// unit's state stays as it is.
    pub fn last_words(&mut self) -> String {
        self.unit.0.borrow_mut().pin_mut().last_words()
    }

    /// Starts a trace of the signals that build/rtl.rs has traced; `sink` receives it piece by piece.
    pub fn open_trace(&mut self, sink: impl FnMut(Piece<'_>) + 'static) {
        self.unit.0.borrow_mut().pin_mut().open_trace(Box::new(Sink(Box::new(sink))));
    }

    /// Writes the present values to the trace, if one is open.
    pub fn dump(&mut self, time: u64) {
        self.unit.0.borrow_mut().pin_mut().dump(time);
    }

    /// Writes to a file how often each line of the RTL ran, in Verilator's format.
    pub fn write_lines(&mut self, path: &str) {
        self.unit.0.borrow_mut().pin_mut().write_lines(path);
    }

    /// Ends the trace.
    pub fn close_trace(&mut self) {
        self.unit.0.borrow_mut().pin_mut().close_trace();
    }
}
