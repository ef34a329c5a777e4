// SPDX-License-Identifier: MIT OR Apache-2.0
//! One block through Yosys and the solver.

use std::{
    fs, io, iter,
    path::Path,
    sync::atomic::AtomicBool,
    time::{Duration, Instant},
};

use super::{
    Counterexample, Outcome, ProveError, Tools, Verdict,
    block::{Obligation, Port, Question},
    failed, no_room,
    part::{Ask, Machine, RUN, Trace},
    parts::Part,
    sources::Copy,
    tools::Ended,
    unroll::Unrolled,
};

/// The beginning of every script.
const HEAD: &str = "(set-option :produce-models true)\n(set-logic QF_BV)\n";

/// Packages with functions and types that a simulator reads differently.
pub(crate) const PACKAGES: [&str; 2] = ["lsu_internal_pkg.sv", "lsu_spad_pkg.sv"];

/// The end of the name of a module or package that is read as a simulator reads it, beside the hardware's.
const TWIN: &str = "_loop";

/// The directory, tools and limits of checks.
pub(crate) struct Check<'a> {
    pub dir: &'a Path,
    /// The RTL, files of `dir`.
    pub rtl: &'a Copy,
    pub limit: Duration,
    pub tools: &'a Tools,
    pub stop: &'a AtomicBool,
}

/// What Yosys needs for a wrapper besides what every wrapper needs.
#[derive(Default)]
struct More<'a> {
    /// Files of the RTL, besides the packages.
    files: &'a str,
    passes: &'a str,
    /// Options of `write_smt2`.
    options: &'a str,
}

/// A solver's answer.
enum Answer {
    /// There are no such values.
    Unsat,
    /// There are such values: these.
    Sat(Vec<u64>),
    /// The solver does not know; the reason in words.
    Unknown(String),
}

impl Check<'_> {
    pub fn block(&self, block: &dyn Obligation) -> Result<Verdict, ProveError> {
        let start = Instant::now();
        let outcome = self.outcome(block)?;
        let (name, clauses) = (block.name(), block.clauses());
        Ok(Verdict { block: name, clauses, seconds: start.elapsed().as_secs_f64(), outcome })
    }

    pub fn part(&self, part: &Part) -> Result<Verdict, ProveError> {
        let start = Instant::now();
        let outcome = self.kept(part)?;
        Ok(Verdict { block: part.name, clauses: part.clauses, seconds: start.elapsed().as_secs_f64(), outcome })
    }

    /// Whether the assertions of a part with a clock hold in every cycle.
    fn kept(&self, part: &Part) -> Result<Outcome, ProveError> {
        let (top, unread) = (part.top, "the solver's values cannot be read");
        // Memories become registers like any other, and so does what a reset acts on; everything with a name is shown.
        let mut files = part.files.join(" ");
        let others = [(part.twins, TWIN), (part.simulated, "")];
        let packages =
            PACKAGES.iter().map(|name| (name, TWIN)).filter(|_| others.iter().any(|(names, _)| !names.is_empty()));
        let modules = others.into_iter().flat_map(|(names, suffix)| names.iter().map(move |name| (name, suffix)));
        for (name, suffix) in packages.chain(modules.filter(|(name, _)| !PACKAGES.contains(name))) {
            // The packages are read as hardware in any case.
            if suffix == TWIN && !PACKAGES.contains(name) {
                files += &format!(" {name}");
            }
            match self.simulated(name, suffix) {
                Ok(copy) => files += &format!(" {copy}"),
                Err(error) => return Ok(Outcome::Refused(format!("{name}: {error}"))),
            }
        }
        let more = More {
            files: &files,
            passes: "opt_mem_priority; memory_share -nosat; memory_map; async2sync;",
            options: "-wires",
        };
        let rtl = match self.read(top, part.wrapper, &more)? {
            Ok(rtl) => rtl,
            Err(said) => return Ok(Outcome::Refused(said)),
        };
        let machine = Machine::new(part, &rtl);
        if !machine.asserts() {
            return Ok(Outcome::Undecided("Yosys found no assertion".to_owned()));
        }
        let script = format!("{top}.smt2");
        let any = |ask: Ask| self.ask(&script, &format!("{HEAD}{}", machine.any(ask)));
        let told = |values: &[u64], outcome: fn(Trace) -> Outcome| {
            machine.trace(values).map_or_else(|| Outcome::Undecided(unread.to_owned()), outcome)
        };
        for &question in machine.questions() {
            if part.by_claim && question == Ask::Step {
                let (each, claims) = machine.each();
                match self.solve(&script, &format!("{HEAD}{each}"))? {
                    Ok(said) if said.lines().eq(iter::repeat_n("unsat", claims)) => continue,
                    Ok(_) => {}
                    Err(late) => return Ok(Outcome::Undecided(late)),
                }
            }
            match any(question)? {
                Answer::Unsat => {}
                Answer::Unknown(why) => return Ok(Outcome::Undecided(why)),
                // If nothing is kept, one cycle is all there is to show.
                Answer::Sat(cycle) if question == Ask::Run(0) => return Ok(told(&cycle, Outcome::Fails)),
                Answer::Sat(step) => {
                    // The shortest run shows most.
                    for cycles in 1..=RUN {
                        if let Answer::Sat(run) = any(Ask::Run(cycles))? {
                            return Ok(told(&run, Outcome::Fails));
                        }
                    }
                    return Ok(told(&step, Outcome::NotKept));
                }
            }
        }
        Ok(Outcome::Proved)
    }

    /// Writes a copy of a file of the RTL as a simulator reads it, with another name for its module or package, and
    /// returns the copy's. It uses the packages as a simulator reads them.
    fn simulated(&self, file: &str, suffix: &str) -> io::Result<String> {
        let name = file.trim_end_matches(".sv");
        let mut text = fs::read_to_string(self.dir.join(file))?;
        for package in PACKAGES.map(|package| package.trim_end_matches(".sv")) {
            text = text.replace(package, &format!("{package}{TWIN}"));
        }
        text = text.replacen(&format!("\nmodule {name}"), &format!("\nmodule {name}{suffix}"), 1);
        let copy = format!("{name}_simulated.sv");
        fs::write(self.dir.join(&copy), format!("`undef SYNTHESIS\n{text}"))?;
        Ok(copy)
    }

    fn outcome(&self, block: &dyn Obligation) -> Result<Outcome, ProveError> {
        let rtl = match self.read(block.top(), block.wrapper(), &More::default())? {
            Ok(rtl) => rtl,
            Err(said) => return Ok(Outcome::Refused(said)),
        };
        let rtl = Unrolled::new(&rtl).script(1);
        let ask = |question: Question| {
            let script = format!("{HEAD}{rtl}{}", block.question(question));
            self.ask(&format!("{}.smt2", block.top()), &script)
        };
        for output in 0..block.outputs().len() {
            let any = match ask(Question::Output(output))? {
                Answer::Unsat => continue,
                Answer::Unknown(why) => return Ok(Outcome::Undecided(why)),
                Answer::Sat(values) => values,
            };
            // Among all differences, look for one that an instruction shows. What is found stands if nobody waits for it.
            return Ok(match ask(Question::Shown(output)) {
                Ok(Answer::Sat(values)) => found(block, &values, true),
                _ => found(block, &any, false),
            });
        }
        Ok(Outcome::Proved)
    }

    /// Reads a wrapper with Yosys: its SMT-LIB, or why Yosys refuses it.
    fn read(&self, top: &str, wrapper: &str, more: &More<'_>) -> Result<Result<String, String>, ProveError> {
        let More { files, passes, options } = more;
        fs::write(self.dir.join(format!("{top}.sv")), wrapper).map_err(|error| failed(no_room(), error))?;
        // A value that the RTL leaves undefined is any value.
        let script = format!(
            "read_slang --threads 1 {} --top {top} {} {files} {top}.sv; proc; flatten; {passes} opt_clean; setundef \
             -undriven -anyseq; write_smt2 -stbv {options} {top}.rtl",
            self.rtl.options,
            self.rtl.packages.join(" ")
        );
        let ended = self.tools.yosys(self.dir, &format!("{top}.log"), &script, self.stop);
        match ended.map_err(|error| failed(format!("cannot run {}", self.tools.yosys_name()), error))? {
            Ended::Done(status, _) if status.success() => fs::read_to_string(self.dir.join(format!("{top}.rtl")))
                .map(Ok)
                .map_err(|error| failed(format!("{} wrote nothing that can be read", self.tools.yosys_name()), error)),
            Ended::Done(status, said) if said.trim().is_empty() => {
                Ok(Err(format!("{} says nothing: {status}", self.tools.yosys_name())))
            }
            Ended::Done(_, said) => Ok(Err(said)),
            Ended::Late | Ended::Stopped => Err(ProveError::Interrupted),
        }
    }

    fn ask(&self, file: &str, script: &str) -> Result<Answer, ProveError> {
        Ok(self.solve(file, script)?.map_or_else(Answer::Unknown, |said| answer(self.tools.solver(), &said)))
    }

    /// Runs the solver on a script: its output, or why there is none.
    fn solve(&self, file: &str, script: &str) -> Result<Result<String, String>, ProveError> {
        fs::write(self.dir.join(file), script).map_err(|error| failed(no_room(), error))?;
        let name = self.tools.solver();
        let ended = self.tools.solve(self.dir, file, Some(self.limit), self.stop);
        match ended.map_err(|error| failed(format!("cannot run {name}"), error))? {
            Ended::Stopped => Err(ProveError::Interrupted),
            Ended::Late => Ok(Err(format!("{name} has no answer within {} s", self.limit.as_secs()))),
            Ended::Done(_, said) => Ok(Ok(said)),
        }
    }
}

/// Reads the solver's output. Its first line decides; without values, the error about `get-value` is ignored.
fn answer(solver: &str, said: &str) -> Answer {
    let (first, rest) = said.split_once('\n').unwrap_or((said, ""));
    match first.trim() {
        "unsat" => Answer::Unsat,
        "sat" => Answer::Sat(rest.split(['(', ')', ' ', '\n']).filter_map(number).collect()),
        "unknown" => Answer::Unknown(format!("{solver} answers `unknown`")),
        _ if said.trim().is_empty() => Answer::Unknown(format!("{solver} ended without an answer")),
        _ => Answer::Unknown(format!("{solver} ended with: {}", said.trim())),
    }
}

fn number(text: &str) -> Option<u64> {
    if let Some(digits) = text.strip_prefix("#b") {
        return u64::from_str_radix(digits, 2).ok();
    }
    u64::from_str_radix(text.strip_prefix("#x")?, 16).ok()
}

/// The outcome for the values of all inputs, then of the RTL's outputs; checked against the model on `u64`.
fn found(block: &dyn Obligation, values: &[u64], shown: bool) -> Outcome {
    if values.len() != block.inputs().len() + block.outputs().len() {
        return Outcome::Undecided("the solver's values cannot be read".to_owned());
    }
    let (inputs, rtl) = values.split_at(block.inputs().len());
    let model = block.model(inputs);
    if model == rtl || !block.assumed(inputs) {
        return Outcome::Undecided("the model computes another answer than its formula".to_owned());
    }
    let named =
        |ports: &[Port], values: &[u64]| ports.iter().map(|port| port.name).zip(values.iter().copied()).collect();
    Outcome::Differs(Counterexample {
        inputs: named(block.inputs(), inputs),
        model: named(block.outputs(), &model),
        rtl: named(block.outputs(), rtl),
        program: shown.then(|| block.program(inputs, rtl)),
    })
}

/// Asks the solver whether a block's terms mean what the model computes on `u64`, for inputs from `bits`, which is
/// called with the width of each.
///
/// # Errors
///
/// A difference, or why nothing is known, in words.
pub fn reading(name: &str, tools: &Tools, bits: &mut dyn FnMut(u32) -> u64) -> Result<(), String> {
    let block = crate::sets::blocks().find(|block| block.name() == name).ok_or("no such block")?;
    let room = tempfile::tempdir().map_err(|error| error.to_string())?;
    let (stop, limit) = (&AtomicBool::new(false), Duration::from_secs(60));
    let rtl = &Copy { packages: Vec::new(), options: String::new() };
    let check = Check { dir: room.path(), rtl, limit, tools, stop };
    let inputs: Vec<u64> = block.inputs().iter().map(|port| bits(port.width)).collect();
    let script = format!("{HEAD}{}", block.reading(&inputs));
    match check.ask("reading.smt2", &script).map_err(|error| error.to_string())? {
        Answer::Unsat => Ok(()),
        Answer::Sat(_) => Err(format!("{name}: the two readings of the model differ at {inputs:x?}")),
        Answer::Unknown(why) => Err(why),
    }
}
