// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the ports carried, cycle by cycle.

use std::fmt::Write;

use gpu_lsu::dut::{Dut, Pin};

/// The clock is not recorded: it is what counts the cycles.
pub const CLOCK: &str = "clk_i";

/// A port, and its place in a cycle's bytes.
pub struct Port {
    pub name: &'static str,
    pub at: usize,
    pub bytes: usize,
    pin: Pin,
}

impl Port {
    pub fn is_output(&self) -> bool {
        self.name.ends_with("_o")
    }

    /// The valid that tells whether this output means anything; none for a valid or a ready.
    pub fn valid(&self) -> Option<String> {
        if !self.is_output() || self.name.ends_with("_valid_o") || self.name.ends_with("_ready_o") {
            return None;
        }
        let channel = ["wb", "done", "mem_req"].into_iter().find(|channel| self.name.starts_with(channel));
        Some(format!("{}_valid_o", channel.unwrap_or_else(|| panic!("`{}` is of no known channel", self.name))))
    }
}

pub struct Recording {
    pub ports: Vec<Port>,
    cycles: Vec<Vec<u8>>,
}

impl Recording {
    pub fn of(dut: &Dut) -> Self {
        let (mut ports, mut at) = (Vec::new(), 0);
        for name in dut.port_names().filter(|&name| name != CLOCK) {
            let pin = dut.any_pin(name).expect("a port that was just named");
            let bytes = pin.len();
            ports.push(Port { name, at, bytes, pin });
            at += bytes;
        }
        Recording { ports, cycles: Vec::new() }
    }

    /// Takes down the ports as they are now.
    pub fn take(&mut self) {
        self.cycles.push(self.ports.iter().flat_map(|port| port.pin.bytes()).collect());
    }

    pub fn cycles(&self) -> usize {
        self.cycles.len()
    }

    /// Bytes of a cycle.
    pub fn width(&self) -> usize {
        self.ports.iter().map(|port| port.bytes).sum()
    }

    fn at(&self, name: &str) -> usize {
        self.ports.iter().find(|port| port.name == name).unwrap_or_else(|| panic!("there is no port `{name}`")).at
    }

    /// How often an output channel offered something.
    pub fn transfers(&self) -> usize {
        let valids = ["wb_valid_o", "done_valid_o", "mem_req_valid_o"].map(|name| self.at(name));
        self.cycles.iter().map(|cycle| valids.iter().filter(|&&at| cycle[at] != 0).count()).sum()
    }

    /// Falsifies a port's lowest bit in one cycle.
    pub fn flip(&mut self, cycle: usize, port: &str) {
        let at = self.at(port);
        self.cycles[cycle][at] ^= 1;
    }

    /// A cycle a line, for `$readmemh`: the first port lowest.
    pub fn hex(&self) -> String {
        let mut text = String::with_capacity(self.cycles.len() * (self.width() * 2 + 1));
        for cycle in &self.cycles {
            for byte in cycle.iter().rev() {
                write!(text, "{byte:02x}").expect("a String takes all");
            }
            text.push('\n');
        }
        text
    }
}
