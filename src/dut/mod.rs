// SPDX-License-Identifier: MIT OR Apache-2.0
//! The RTL behind a Rust type: pins, a clock, a trace. It computes nothing.
//!
//! Port addresses are taken once, so that a cycle crosses the language border only to evaluate.

mod bridge;
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
    /// No unit has this many lanes.
    #[error("no unit with {lanes} lanes is in this build, which holds {}", built_list())]
    NotBuilt {
        /// As asked for.
        lanes: usize,
    },
    /// No unit has these parameters.
    #[error("no unit with {0} is in this build, which holds {list}", list = built_list())]
    NotThis(Shape),
    /// Its parameters are out of range.
    #[error("this unit cannot be driven: {0}")]
    Shape(String),
    /// It does not tell how often lines of its RTL ran.
    #[error("lines of the RTL cannot be counted: {0}")]
    Lines(String),
    /// The top-level ports differ from rtl/lsu.sv.
    #[error("port `{name}` has {found} bytes where this unit needs {expected}")]
    Port {
        /// Of the port.
        name: &'static str,
        /// Bytes that the Verilated class has.
        found: usize,
        /// Bytes that its width asks for.
        expected: usize,
    },
}

/// What the RTL itself reported while it was evaluated: a failed assertion, with its text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Report(pub String);

/// The Verilated classes of this build, each with its parameters as its RTL states them.
fn units() -> impl Iterator<Item = (&'static str, Shape)> {
    env!("GPU_LSU_BUILT_UNITS").split(',').filter_map(|unit| {
        let (prefix, numbers) = unit.split_once(' ')?;
        let mut numbers = numbers.split(' ').map_while(|number| number.parse().ok());
        let mut next = || numbers.next();
        let (lanes, line_bytes, warps, pending, shared_bytes) = (next()?, next()?, next()?, next()?, next()?);
        Some((prefix, Shape { lanes, line_bytes, warps, pending, shared_bytes }))
    })
}

/// Of the class of the copy with planted faults, which nobody gets who does not ask for it.
const FAULTY: &str = "Vlsu_faulty";

/// Of the class that counts how often lines run, which is slower.
const COUNTED: &str = "Vlsu_lines";

/// The units in this build: first the one that the RTL's own parameters make, or those of GPU_LSU_PARAMETERS.
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
/// [`DutError::NotBuilt`] when there is none.
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

/// The C++ object. It belongs to a [`Dut`] and its pins, of which only the former calls it. As its state is in part
/// thread-local, it stays where it was made.
struct Unit(RefCell<UniquePtr<ffi::Unit>>);

/// A Verilated unit.
pub struct Dut {
    unit: Rc<Unit>,
    ports: Vec<ffi::Port>,
    shape: Shape,
}

impl Dut {
    /// The first unit with this many lanes.
    ///
    /// # Errors
    ///
    /// [`DutError::NotBuilt`] when the build does not hold it.
    pub fn new(lanes: usize) -> Result<Self, DutError> {
        Self::of(&with_lanes(lanes)?)
    }

    /// The unit with these parameters.
    ///
    /// # Errors
    ///
    /// [`DutError::NotThis`] when the build does not hold it.
    pub fn of(shape: &Shape) -> Result<Self, DutError> {
        let found = units().find(|(prefix, unit)| unit == shape && is_plain(prefix));
        found.and_then(Self::named).ok_or(DutError::NotThis(*shape))
    }

    /// The copy with planted faults, at 4 lanes. The pin `fault_i` chooses one; 0 is none.
    #[cfg(feature = "planted-faults")]
    pub fn planted() -> Result<Self, DutError> {
        let found = units().find(|(prefix, _)| *prefix == FAULTY);
        found.and_then(Self::named).ok_or(DutError::NotBuilt { lanes: 4 })
    }

    /// The unit with these parameters that counts how often lines run.
    ///
    /// # Errors
    ///
    /// [`DutError::NotThis`] when the build does not hold it.
    pub fn counted(shape: &Shape) -> Result<Self, DutError> {
        let found = units().find(|(prefix, unit)| unit == shape && *prefix == COUNTED);
        found.and_then(Self::named).ok_or(DutError::NotThis(*shape))
    }

    fn named((prefix, shape): (&str, Shape)) -> Option<Self> {
        let unit = ffi::new_unit(prefix);
        if unit.is_null() {
            return None;
        }
        let ports = unit.ports();
        Some(Dut { unit: Rc::new(Unit(RefCell::new(unit))), ports, shape })
    }

    /// Its parameters.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// The names of all ports, in the order of rtl/lsu.sv.
    pub fn port_names(&self) -> impl Iterator<Item = &'static str> + '_ {
        self.ports.iter().map(|port| port.name)
    }

    /// A port of `bits` bits.
    ///
    /// # Errors
    ///
    /// [`DutError::Port`] when there is none of this width.
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

    /// A port of whatever width it has.
    pub fn any_pin(&self, name: &str) -> Option<Pin> {
        let port = self.ports.iter().find(|port| port.name == name)?;
        // SAFETY: `ports` are this unit's, as it said itself, and C++ has no member without a byte.
        unsafe { Pin::new(&self.unit, port.address, port.bytes) }
    }

    /// Lets the outputs follow the inputs.
    ///
    /// # Errors
    ///
    /// What the RTL reports: the text of a failed assertion.
    #[inline]
    pub fn eval(&mut self) -> Result<(), Report> {
        self.unit.0.borrow_mut().pin_mut().eval().map_err(|error| Report(error.what().trim().to_owned()))
    }

    /// What the `final` blocks of the RTL print, as it is now: of a unit that hangs, who holds what. It goes on as if
    /// nobody had asked.
    pub fn last_words(&mut self) -> String {
        self.unit.0.borrow_mut().pin_mut().last_words()
    }

    /// Starts a trace of the RTL's signals, as far as build/rtl.rs has them traced; `sink` takes it, piece by piece.
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
