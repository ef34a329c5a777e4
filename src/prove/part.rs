// SPDX-License-Identifier: MIT OR Apache-2.0
//! Parts with a clock: proofs that what their wrappers assert holds in every cycle after reset.
//!
//! ```text
//!  rtl/<part>.sv + proof/<part>_proof.sv -> Yosys -> SMT-LIB: a state, and the state after it
//!
//!     reset -> state -> state -> ...      does an assertion fail in the first of them?       a run
//!     any state in which all hold -> state        does one fail in the next?                 a step
//! ```
//!
//! If neither is possible, all assertions hold for ever, by induction. A step may begin in an unreachable state; if one
//! fails, nothing is known.
//!
//! A module with a tree for the hardware and a plain loop for simulators is a twin. Its wrapper has it twice: as
//! `u_tree`, and as `u_loop`, which is read without SYNTHESIS under the name NAME_loop. Registers of the same name
//! begin alike in both; that they stay alike is asserted like the wrapper's own assertions.

use std::{collections::HashMap, fmt::Write as _};

use super::{
    parts::Part,
    unroll::{Unrolled, at},
};

/// The number of cycles from reset in which a run to a failure is looked for when a step fails.
pub(crate) const RUN: usize = 7;

/// A question to the solver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ask {
    /// Can an assertion fail within so many cycles after reset?
    Run(usize),
    /// Can an assertion fail in the cycle after one in which all hold?
    Step,
}

impl Ask {
    /// The number of the last cycle.
    fn last(self) -> usize {
        match self {
            Ask::Run(cycles) => cycles,
            Ask::Step => 1,
        }
    }
}

/// A wire of a wrapper.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signal {
    /// With the instances around it, separated by dots.
    pub name: String,
    /// Bits, 1 to 64.
    pub width: u32,
}

/// Cycles that end with a failed assertion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    /// The assertion's label.
    pub assertion: String,
    pub signals: Vec<Signal>,
    /// By cycle: the value of each signal.
    pub cycles: Vec<Vec<u64>>,
}

/// A statement that is to hold in every cycle.
enum Claim {
    /// The assertion of this number.
    Assertion(u32),
    /// The register of this name has the same value in `u_tree` and in `u_loop`.
    Alike(String),
}

impl Claim {
    fn at(&self, top: &str, cycle: usize) -> String {
        match self {
            Claim::Assertion(number) => at(&format!("{top}_a {number}"), cycle),
            Claim::Alike(name) => {
                let [tree, twin] = ["u_tree", "u_loop"].map(|twin| at(&format!("{top}_n {twin}.{name}"), cycle));
                format!("(= {tree} {twin})")
            }
        }
    }
}

/// Yosys's output for a wrapper, parsed.
pub(crate) struct Machine<'a> {
    top: &'static str,
    rtl: Unrolled<'a>,
    signals: Vec<Signal>,
    /// Each with its label; for a register, its name.
    claims: Vec<(Claim, String)>,
    /// Whether anything is kept from one cycle to the next.
    keeps: bool,
}

impl<'a> Machine<'a> {
    pub fn new(part: &Part, text: &'a str) -> Self {
        let (mut signals, mut claims) = (Vec::<Signal>::new(), Vec::new());
        let mut registers = HashMap::new();
        let mut keeps = false;
        for line in text.lines() {
            let Some(line) = line.strip_prefix("; yosys-smt2-") else { continue };
            let mut words = line.split_whitespace();
            let kind = words.next().unwrap_or_default();
            let (first, second) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
            match kind {
                "assert" => {
                    let label = second.rsplit('.').next().unwrap_or(second).split('$').next().unwrap_or(second);
                    claims.extend(first.parse().ok().map(|number| (Claim::Assertion(number), label.to_owned())));
                }
                "input" | "output" | "register" | "wire" => {
                    keeps |= kind == "register";
                    let made_up = first.contains('$');
                    // Behind a reset, a wire has the register's name.
                    let register =
                        kind == "register" || first.split('[').next().is_some_and(|name| name.ends_with("_q"));
                    if register && !made_up {
                        registers.insert(first, second);
                    }
                    let width = second.parse().ok().filter(|width| (1..=64).contains(width));
                    if let Some(width) = width.filter(|_| !made_up && signals.iter().all(|other| other.name != first)) {
                        signals.push(Signal { name: first.to_owned(), width });
                    }
                }
                _ => {}
            }
        }
        let mut alike: Vec<&str> = registers
            .iter()
            .filter_map(|(name, width)| name.strip_prefix("u_tree.").map(|own| (own, *width)))
            .filter(|(own, width)| registers.get(format!("u_loop.{own}").as_str()) == Some(width))
            .map(|(own, _)| own)
            .filter(|own| !part.apart.contains(own))
            .collect();
        alike.sort_unstable();
        claims.extend(alike.into_iter().map(|own| (Claim::Alike(own.to_owned()), own.to_owned())));
        Machine { top: part.top, rtl: Unrolled::new(text), signals, claims, keeps }
    }

    /// The questions to ask: if the answer to each is no, all claims hold for ever. If nothing is kept, every cycle is
    /// like any other.
    pub fn questions(&self) -> &'static [Ask] {
        if self.keeps { &[Ask::Run(1), Ask::Step] } else { &[Ask::Run(0)] }
    }

    /// Whether the wrapper asserts anything.
    pub fn asserts(&self) -> bool {
        !self.claims.is_empty()
    }

    /// The script that asks of each claim in turn whether it can fail in a step, and the number of answers.
    pub fn each(&self) -> (String, usize) {
        let mut script = format!("(set-option :incremental true)\n{}", self.begin(Ask::Step));
        for claim in self.asked(Ask::Step) {
            let _ = writeln!(script, "(push 1)\n(assert (not {claim}))\n(check-sat)\n(pop 1)");
        }
        (script, self.claims.len())
    }

    /// The script that asks whether any claim can fail. Values come cycle by cycle, first those of the signals, then
    /// whether each claim holds.
    pub fn any(&self, ask: Ask) -> String {
        let top = self.top;
        let (mut script, mut asked) = (self.begin(ask), String::new());
        for cycle in 0..=ask.last() {
            let signals =
                self.signals.iter().map(|signal| (at(&format!("{top}_n {}", signal.name), cycle), signal.width));
            let holds = self.claims.iter().map(|(claim, _)| (claim.at(top, cycle), 1));
            for (place, (value, width)) in signals.chain(holds).enumerate() {
                let value = if width == 1 { format!("(ite {value} #b1 #b0)") } else { value };
                let _ = writeln!(script, "(define-fun v{cycle}_{place} () (_ BitVec {width}) {value})");
                let _ = write!(asked, " v{cycle}_{place}");
            }
        }
        let all: String = self.asked(ask).map(|claim| format!(" {claim}")).collect();
        script + &format!("(assert (not (and true{all})))\n(check-sat)\n(get-value ({}))\n", asked.trim_start())
    }

    /// The premises: the cycles, how they begin, and what each has to do with the next.
    fn begin(&self, ask: Ask) -> String {
        let top = self.top;
        let cycles = ask.last() + 1;
        let mut script = self.rtl.script(cycles);
        for cycle in 0..cycles {
            let _ = writeln!(script, "(assert {})", at(&format!("{top}_u"), cycle));
            if cycle + 1 < cycles {
                let _ = writeln!(script, "(assert {})", at(&format!("{top}_t"), cycle));
            }
        }
        if matches!(ask, Ask::Run(_)) {
            let _ = writeln!(script, "(assert {})", at(&format!("{top}_i"), 0));
        }
        for (claim, _) in &self.claims {
            if ask == Ask::Step || matches!(claim, Claim::Alike(_)) {
                let _ = writeln!(script, "(assert {})", claim.at(top, 0));
            }
        }
        script
    }

    /// The claims that must follow from the premises.
    fn asked(&self, ask: Ask) -> impl Iterator<Item = String> {
        let first = if ask == Ask::Step { 1 } else { 0 };
        (first..=ask.last()).flat_map(move |cycle| self.claims.iter().map(move |(claim, _)| claim.at(self.top, cycle)))
    }

    /// The trace of the solver's values, up to the first cycle in which a claim fails.
    pub fn trace(&self, values: &[u64]) -> Option<Trace> {
        let each = self.signals.len() + self.claims.len();
        let mut cycles = Vec::new();
        for cycle in values.chunks_exact(each.max(1)) {
            let (signals, holds) = cycle.split_at(self.signals.len());
            cycles.push(signals.to_vec());
            if let Some(broken) = holds.iter().position(|&holds| holds == 0) {
                let assertion = self.claims[broken].1.clone();
                return Some(Trace { assertion, signals: self.signals.clone(), cycles });
            }
        }
        None
    }
}

impl Trace {
    /// Writes a wave: a cycle takes ten units of time, and its values hold from its beginning.
    ///
    /// # Errors
    ///
    /// The error of the writer.
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
