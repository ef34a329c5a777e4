// SPDX-License-Identifier: MIT OR Apache-2.0
//! Parts with a clock: what their wrappers assert holds in every cycle after reset.
//!
//! ```text
//!  rtl/<part>.sv + proof/<part>_proof.sv -> Yosys -> SMT-LIB: a state, and the state after it
//!
//!     reset -> state -> state -> ...      does an assertion fail in the first cycles?        a run
//!     any state in which all hold -> state        does one fail in the next?                 a step
//! ```
//!
//! If neither can be, all hold for ever: induction. A step may begin in a state that never is; then nothing is known.

use std::fmt::Write as _;

use crate::clause::Clause;

/// Cycles from reset in which a failure is looked for as a run.
pub(crate) const RUN: usize = 5;

/// A part of the unit, and what it promises to its neighbours.
pub(crate) struct Part {
    pub name: &'static str,
    pub clauses: &'static [Clause],
    /// Files of rtl/ besides the packages.
    pub files: &'static [&'static str],
    /// The wrapper's module and its text.
    pub top: &'static str,
    pub wrapper: &'static str,
}

/// All of them.
pub(crate) const PARTS: [Part; 3] = [
    Part {
        name: "fifo",
        clauses: &[],
        files: &["lsu_fifo.sv"],
        top: "lsu_fifo_proof",
        wrapper: include_str!("../../proof/lsu_fifo_proof.sv"),
    },
    Part {
        name: "turns",
        clauses: &[Clause::PortFair],
        files: &["lsu_round_robin.sv"],
        top: "lsu_round_robin_proof",
        wrapper: include_str!("../../proof/lsu_round_robin_proof.sv"),
    },
    Part {
        name: "pending",
        clauses: &[Clause::PortId, Clause::PortHazard, Clause::PortCas, Clause::PortFair, Clause::PtxSem],
        files: &["lsu_pending.sv"],
        top: "lsu_pending_proof",
        wrapper: include_str!("../../proof/lsu_pending_proof.sv"),
    },
];

/// What the solver is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ask {
    /// Can an assertion fail in so many cycles after reset?
    Run(usize),
    /// Can one fail in the cycle after one in which all hold?
    Step,
}

/// A wire of a wrapper.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signal {
    /// With the instances that it is in, separated by dots.
    pub name: String,
    /// Bits, 1 to 64.
    pub width: u32,
}

/// Cycles that end with an assertion which fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    /// The assertion's label.
    pub assertion: String,
    pub signals: Vec<Signal>,
    /// By cycle: the value of each signal.
    pub cycles: Vec<Vec<u64>>,
}

/// What Yosys wrote of a wrapper, read.
pub(crate) struct Machine<'a> {
    top: &'static str,
    text: &'a str,
    signals: Vec<Signal>,
    /// Number and label of each assertion.
    assertions: Vec<(u32, String)>,
}

impl<'a> Machine<'a> {
    pub fn new(part: &Part, text: &'a str) -> Self {
        let (mut signals, mut assertions) = (Vec::<Signal>::new(), Vec::new());
        for line in text.lines() {
            let Some(line) = line.strip_prefix("; yosys-smt2-") else { continue };
            let mut words = line.split_whitespace();
            let kind = words.next().unwrap_or_default();
            let (first, second) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
            match kind {
                "assert" => {
                    let label = second.rsplit('.').next().unwrap_or(second).split('$').next().unwrap_or(second);
                    assertions.extend(first.parse().ok().map(|number| (number, label.to_owned())));
                }
                "input" | "output" | "register" | "wire" => {
                    let made_up = first.contains('$');
                    let width = second.parse().ok().filter(|width| (1..=64).contains(width));
                    if let Some(width) = width.filter(|_| !made_up && signals.iter().all(|other| other.name != first)) {
                        signals.push(Signal { name: first.to_owned(), width });
                    }
                }
                _ => {}
            }
        }
        Machine { top: part.top, text, signals, assertions }
    }

    /// Whether the wrapper asserts anything.
    pub fn asserts(&self) -> bool {
        !self.assertions.is_empty()
    }

    /// The script: values are asked for cycle by cycle, signals first and then whether each assertion holds.
    pub fn question(&self, ask: Ask) -> String {
        let top = self.top;
        let last = match ask {
            Ask::Run(cycles) => cycles,
            Ask::Step => 1,
        };
        let mut script = self.text.to_owned();
        let mut asked = String::new();
        for cycle in 0..=last {
            let _ = writeln!(script, "(declare-fun s{cycle} () |{top}_s|)");
        }
        for cycle in 0..=last {
            let _ = writeln!(script, "(assert (|{top}_u| s{cycle}))");
            if cycle < last {
                let _ = writeln!(script, "(assert (|{top}_t| s{cycle} s{}))", cycle + 1);
            }
            let signals =
                self.signals.iter().map(|signal| (format!("(|{top}_n {}| s{cycle})", signal.name), signal.width));
            let holds = self.assertions.iter().map(|(number, _)| (format!("(|{top}_a {number}| s{cycle})"), 1));
            for (place, (value, width)) in signals.chain(holds).enumerate() {
                let value = if width == 1 { format!("(ite {value} #b1 #b0)") } else { value };
                let _ = writeln!(script, "(define-fun v{cycle}_{place} () (_ BitVec {width}) {value})");
                let _ = write!(asked, " v{cycle}_{place}");
            }
        }
        let holds = |cycle: usize| format!("(|{top}_a| s{cycle})");
        let _ = match ask {
            Ask::Run(_) => {
                let all: String = (0..=last).map(|cycle| format!(" {}", holds(cycle))).collect();
                writeln!(script, "(assert (|{top}_i| s0))\n(assert (not (and true{all})))")
            }
            Ask::Step => writeln!(script, "(assert {})\n(assert (not {}))", holds(0), holds(1)),
        };
        script + &format!("(check-sat)\n(get-value ({}))\n", asked.trim_start())
    }

    /// What the solver's values mean: up to the first cycle in which an assertion fails.
    pub fn trace(&self, values: &[u64]) -> Option<Trace> {
        let each = self.signals.len() + self.assertions.len();
        let mut cycles = Vec::new();
        for cycle in values.chunks_exact(each.max(1)) {
            let (signals, holds) = cycle.split_at(self.signals.len());
            cycles.push(signals.to_vec());
            if let Some(broken) = holds.iter().position(|&holds| holds == 0) {
                let assertion = self.assertions[broken].1.clone();
                return Some(Trace { assertion, signals: self.signals.clone(), cycles });
            }
        }
        None
    }
}

impl Trace {
    /// As a wave: a cycle takes ten units of time, and its values stand from its beginning.
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    pub fn write(&self, out: impl std::io::Write) -> std::io::Result<()> {
        let mut out = vcd::Writer::new(out);
        out.timescale(1, vcd::TimescaleUnit::NS)?;
        let mut ids = Vec::new();
        out.add_module("proof")?;
        for signal in &self.signals {
            ids.push(out.add_wire(signal.width, &signal.name.replace('.', "_"))?);
        }
        out.upscope()?;
        out.enddefinitions()?;
        for (cycle, values) in self.cycles.iter().enumerate() {
            out.timestamp(10 * cycle as u64)?;
            for ((signal, &id), &value) in self.signals.iter().zip(&ids).zip(values) {
                let bits = (0..signal.width).rev().map(|bit| vcd::Value::from(value >> bit & 1 == 1));
                out.change_vector(id, bits)?;
            }
        }
        out.timestamp(10 * self.cycles.len() as u64)
    }
}
