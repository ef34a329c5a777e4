// SPDX-License-Identifier: MIT OR Apache-2.0
//! The input pins of a run by cycle, so that the same stimulus can be replayed without a bench around the unit.

use crate::dut::{Dut, Pin, Report};

/// The changes of the input pins, by cycle.
#[derive(Default)]
pub struct Tape {
    changes: Vec<Change>,
    bytes: Vec<u8>,
    /// By cycle: the end of its changes in `changes`.
    cycles: Vec<usize>,
}

struct Change {
    pin: usize,
    start: usize,
    end: usize,
}

/// The input pins and the values that they held last.
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
    /// Creates a recorder to which the pins' values are unknown, so that the first cycle records all of them.
    pub fn new(dut: &Dut) -> Self {
        let pins = inputs(dut);
        let last = vec![Vec::new(); pins.len()];
        Recorder { pins, last, tape: Tape::default() }
    }

    /// Records a cycle whose inputs are set.
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

    /// Returns the recorded tape.
    pub fn finish(self) -> Tape {
        self.tape
    }
}

impl Tape {
    /// The number of clock cycles.
    pub fn cycles(&self) -> usize {
        self.cycles.len()
    }

    /// Plays the tape in the bare Verilator loop: sets the pins, evaluates, clocks, and ignores the outputs.
    ///
    /// # Errors
    ///
    /// What the RTL reports, though it reported nothing when the tape was made.
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
