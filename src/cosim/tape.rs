// SPDX-License-Identifier: MIT OR Apache-2.0
//! The input pins of a run, cycle by cycle: to play the same stimulus again with nothing around the unit but its clock.

use crate::dut::{Dut, Pin, Report};

/// What changed at the input pins, by cycle.
#[derive(Default)]
pub struct Tape {
    changes: Vec<Change>,
    bytes: Vec<u8>,
    /// Ends of the cycles in `changes`.
    cycles: Vec<usize>,
}

struct Change {
    pin: usize,
    start: usize,
    end: usize,
}

/// Input pins, and what they held.
pub struct Recorder {
    pins: Vec<Pin>,
    last: Vec<Vec<u8>>,
    tape: Tape,
}

fn inputs(dut: &Dut) -> Vec<Pin> {
    let names = dut.port_names().filter(|name| name.ends_with("_i") || name.ends_with("_ni"));
    names.filter(|&name| name != "clk_i").filter_map(|name| dut.any_pin(name)).collect()
}

impl Recorder {
    /// Starts with pins of unknown value.
    pub fn new(dut: &Dut) -> Self {
        let pins = inputs(dut);
        let last = vec![Vec::new(); pins.len()];
        Recorder { pins, last, tape: Tape::default() }
    }

    /// The inputs of one cycle are set.
    pub fn cycle(&mut self) {
        for (number, (pin, last)) in self.pins.iter().zip(&mut self.last).enumerate() {
            if !pin.holds(last) {
                last.clear();
                last.extend(pin.bytes());
                let start = self.tape.bytes.len();
                self.tape.bytes.extend_from_slice(last);
                self.tape.changes.push(Change { pin: number, start, end: self.tape.bytes.len() });
            }
        }
        self.tape.cycles.push(self.tape.changes.len());
    }

    /// What was recorded.
    pub fn finish(self) -> Tape {
        self.tape
    }
}

impl Tape {
    /// Clock cycles.
    pub fn cycles(&self) -> usize {
        self.cycles.len()
    }

    /// The bare Verilator loop: sets the pins, evaluates, clocks, and looks at nothing.
    ///
    /// # Errors
    ///
    /// What the RTL reports; it reported nothing when the tape was made.
    pub fn play(&self, dut: &mut Dut) -> Result<(), Report> {
        let mut pins = inputs(dut);
        let Some(mut clock) = dut.any_pin("clk_i") else { return Ok(()) };
        let mut start = 0;
        for &end in &self.cycles {
            for change in &self.changes[start..end] {
                pins[change.pin].set_bytes(&self.bytes[change.start..change.end]);
            }
            start = end;
            clock.set(false);
            dut.eval()?;
            clock.set(true);
            dut.eval()?;
        }
        Ok(())
    }
}
