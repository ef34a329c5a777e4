// SPDX-License-Identifier: MIT OR Apache-2.0
//! `gpu-lsu prove`: RTL and model are equal for every input, block by block.

use std::{
    env, fs,
    io::{self, Write},
    num::NonZero,
    path::{Path, PathBuf},
    process::ExitCode,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use serde::Serialize;

use super::{Error, Stdout, clash, say, signals::Signals, units};
use crate::explain::words::wrap;
use crate::{
    output::Output,
    prove::{self, Counterexample, Outcome, ProveError, Settings, Tools, Verdict},
    rtl::Sources,
    sets::text::count,
};

const EXAMPLES: &str = "\
Examples:
  gpu-lsu prove
  gpu-lsu prove --block array --block clamp
  gpu-lsu prove --rtl my-unit/rtl --out /tmp

Each block proves that functions of the RTL's packages answer as the model does, for every input that they can be \
given, or that parts with a clock keep what they promise, in every cycle. What surrounds them is not proved: `verify` \
checks handshakes, order, requests and write-back of the whole unit.

Proofs need Yosys and a solver (Bitwuzla); `scripts/setup test` installs both. GPU_LSU_YOSYS names another Yosys that \
has read_slang, and GPU_LSU_SOLVER another SMT-LIB solver, each with its options: `cvc5 --lang=smt2 \
--bitblast=eager`.

Exit codes: 0 every block is proved, 1 one is not, 2 a usage error or a missing tool, \
130, 143 or 129 interrupted before a difference was found";

/// Prove that blocks of the RTL equal the model for every input
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
#[group(skip)]
pub struct Args {
    /// Block to prove; repeatable [default: every block]
    #[arg(long = "block", value_name = "NAME", value_parser = clap::builder::PossibleValuesParser::new(prove::names()))]
    blocks: Vec<String>,
    /// Directory of the RTL's packages, or a `.f` list of them [default: GPU_LSU_RTL, or rtl/ here, or rtl/ of the checkout that this program
    /// was built from]
    #[arg(long, value_name = "DIR")]
    rtl: Option<PathBuf>,
    /// Directory for programs that show a difference, and for waves of promises that are not kept
    #[arg(long, value_name = "DIR", default_value = ".")]
    out: PathBuf,
    /// Number of blocks to prove in parallel [default: GPU_LSU_JOBS, or one per core]
    #[arg(long, value_name = "N", value_parser = units::jobs, allow_negative_numbers = true)]
    jobs: Option<NonZero<usize>>,
    /// Time limit for each question to the solver, such as 90s or 10m
    #[arg(long, value_name = "T", default_value = "5m", value_parser = units::duration, allow_hyphen_values = true)]
    timeout: Duration,
    /// Print one JSON object per block, and one for the verdict
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Row<'a> {
    block: &'a str,
    verdict: &'a str,
    clauses: Vec<&'static str>,
    solver: &'a str,
    seconds: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    counterexample: Option<Difference>,
    #[serde(skip_serializing_if = "Option::is_none")]
    program: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    assertion: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    wave: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'a str>,
}

#[derive(Serialize)]
struct Difference {
    inputs: serde_json::Map<String, serde_json::Value>,
    model: serde_json::Map<String, serde_json::Value>,
    rtl: serde_json::Map<String, serde_json::Value>,
}

#[derive(Serialize)]
struct Total {
    proved: bool,
    verdict: &'static str,
    rtl: Sources,
    /// Files that a simulator reads otherwise, and nobody has proved so.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    hardware_alone: Vec<String>,
    blocks: usize,
    blocks_proved: usize,
}

pub fn run(args: &Args) -> Result<ExitCode, Error> {
    let tools = Tools::find()?;
    room_for(&args.out)?;
    let dir = args.rtl.clone().unwrap_or_else(default_rtl);
    let rtl = Sources::of(&dir).map_err(|error| {
        let name = format!("`{}`", dir.display());
        Error::Given { name, error, hint: "give a folder that can be read: the one of the RTL's packages" }
    })?;
    let differs = Arc::new(AtomicBool::new(false));
    let signals = Signals::listen({
        let differs = Arc::clone(&differs);
        move |code| {
            let code = if differs.load(Ordering::Relaxed) { 1 } else { code };
            ("ended at the second signal: the other blocks are not proved\n".to_owned(), code)
        }
    });
    let settings = Settings {
        rtl: dir,
        blocks: args.blocks.clone(),
        jobs: args.jobs.map_or_else(units::usual_jobs, Ok)?,
        limit: args.timeout,
    };
    let hardware_alone = prove::of_hardware_alone(&settings.rtl)?;
    if !hardware_alone.is_empty() {
        let text = format!("note: proved as hardware alone, as SYNTHESIS makes it: {}", hardware_alone.join(", "));
        super::note(&wrap(&text, 6));
    }
    let mut output = Stdout::new();
    let asked = |block: &&str| args.blocks.is_empty() || args.blocks.iter().any(|name| name == block);
    let blocks = prove::names().filter(asked).count();
    let mut proved = 0;
    let verdicts = prove::prove(&settings, &tools, signals.stop(), |verdict| {
        proved += usize::from(verdict.outcome == Outcome::Proved);
        differs.fetch_or(verdict.outcome.is_counterexample(), Ordering::Relaxed);
        tell(args, tools.solver(), verdict, &mut output);
    });
    let interrupted = match verdicts {
        Ok(_) => false,
        Err(ProveError::Interrupted) => true,
        // What was found stands, whatever became of the other blocks.
        Err(error) if differs.load(Ordering::Relaxed) => {
            say(&error.into());
            false
        }
        Err(error) => return Err(error.into()),
    };
    let verdict = match () {
        () if differs.load(Ordering::Relaxed) => "counterexample",
        () if interrupted => "interrupted",
        () if proved == blocks => "proved",
        () => "not proved",
    };
    let all = verdict == "proved";
    if args.json {
        super::json_line(
            &mut output,
            &Total { proved: all, verdict, rtl, hardware_alone, blocks, blocks_proved: proved },
        )?;
    } else {
        write!(output, "\n{}", wrap(&format!("rtl {rtl}"), 2))?;
        match all {
            true if args.blocks.is_empty() => writeln!(output, "every block is proved: {}", count(proved, "block"))?,
            true => writeln!(
                output,
                "proved: {}, which {} asked for",
                count(proved, "block"),
                if proved == 1 { "was" } else { "were" }
            )?,
            false => writeln!(
                output,
                "{proved} of {} {} proved",
                count(blocks, "block"),
                if blocks == 1 { "is" } else { "are" }
            )?,
        }
    }
    if interrupted {
        super::tell("interrupted: the other blocks are not proved\n");
    }
    output.finish(match verdict {
        "proved" => 0,
        "interrupted" => signals.code(),
        _ => 1,
    })
}

/// What GPU_LSU_RTL names; else the checkout's.
fn default_rtl() -> PathBuf {
    let named = env::var_os("GPU_LSU_RTL").filter(|dir| !dir.is_empty());
    named.map_or_else(prove::default_rtl, PathBuf::from)
}

/// A program that cannot be written is told before anything runs, not when there is one.
fn room_for(dir: &Path) -> Result<(), Error> {
    let name = || format!("`{}`", dir.display());
    clash::folder(dir)?;
    fs::create_dir_all(dir)
        .and_then(|()| Output::create(&file(dir, "block")).map(drop))
        .map_err(|error| Error::Output { name: name(), error })
}

fn file(dir: &Path, block: &str) -> PathBuf {
    dir.join(format!("prove-{block}.lsu"))
}

/// Says what became of a block: on standard error at once if it differs, on standard output in full.
fn tell(args: &Args, solver: &str, verdict: &Verdict, output: &mut Stdout) {
    match verdict.outcome {
        Outcome::Differs(_) => super::tell(&format!("error: RTL and model differ: {}\n", verdict.block)),
        Outcome::Fails(_) => super::tell(&format!("error: the RTL does not keep its promise: {}\n", verdict.block)),
        _ => {}
    }
    // What standard output does not take, it keeps to itself.
    let _ = row(args, solver, verdict, output).and_then(|()| Ok(output.flush()?));
}

fn row(args: &Args, solver: &str, verdict: &Verdict, output: &mut Stdout) -> Result<(), Error> {
    let &Verdict { block, clauses, seconds, ref outcome } = verdict;
    let program = match outcome {
        Outcome::Differs(Counterexample { program: Some(text), .. }) => {
            let write = |output: &mut Output| output.write_all(text.as_bytes());
            written(&file(&args.out, block), write).map_err(|error| say(&error)).ok()
        }
        _ => None,
    };
    let trace = match outcome {
        Outcome::Fails(trace) | Outcome::NotKept(trace) => Some(trace),
        _ => None,
    };
    let wave = trace.and_then(|trace| {
        let path = file(&args.out, block).with_extension("vcd");
        written(&path, |output| trace.write(output)).map_err(|error| say(&error)).ok()
    });
    let (word, reason) = match outcome {
        Outcome::Proved => ("proved", None),
        Outcome::Differs(_) | Outcome::Fails(_) => ("counterexample", None),
        Outcome::NotKept(_) => ("undecided", Some("not kept by induction")),
        Outcome::Undecided(why) => ("undecided", Some(why.as_str())),
        Outcome::Refused(why) => ("refused", Some(why.as_str())),
    };
    let clauses: Vec<_> = clauses.iter().map(|clause| clause.id()).collect();
    if args.json {
        let counterexample = match outcome {
            Outcome::Differs(found) => Some(Difference::new(found)),
            _ => None,
        };
        let assertion = trace.map(|trace| trace.assertion.as_str());
        let row =
            Row { block, verdict: word, clauses, solver, seconds, counterexample, program, assertion, wave, reason };
        return super::json_line(output, &row);
    }
    let start = format!("{block:<14} {word:<14} {seconds:>6.1} s  {solver}  ");
    write!(output, "{}", wrap(format!("{start}{}", clauses.join(", ")).trim_end(), start.len()))?;
    match outcome {
        Outcome::Proved => {}
        Outcome::Differs(found) => write!(output, "{}", paragraph(found, program.as_deref()))?,
        Outcome::Fails(trace) => {
            let cycles = trace.cycles.len().saturating_sub(1);
            let text = format!("  `{}` does not hold {} after reset", trace.assertion, count(cycles, "cycle"));
            write!(output, "{}", wrap(&(text + &shown(wave.as_deref())), 2))?;
        }
        Outcome::NotKept(trace) => {
            let text = format!(
                "  not proved: `{}` need not hold in the cycle after one in which all do. That one may never be",
                trace.assertion
            );
            write!(output, "{}", wrap(&(text + &shown(wave.as_deref())), 2))?;
        }
        Outcome::Undecided(why) => writeln!(output, "  not proved: {why}")?,
        Outcome::Refused(why) => writeln!(output, "  not proved: Yosys refuses the RTL\n{}", indented(why))?,
    }
    Ok(())
}

/// Writes a file; its name.
fn written(path: &Path, write: impl FnOnce(&mut Output) -> io::Result<()>) -> Result<String, Error> {
    let name = path.display().to_string();
    let written = Output::create(path).and_then(|mut output| {
        write(&mut output)?;
        output.finish()
    });
    written.map(|()| name.clone()).map_err(|error| Error::Output { name: format!("`{name}`"), error })
}

fn shown(wave: Option<&str>) -> String {
    wave.map_or_else(|| ": its wave cannot be written".to_owned(), |name| format!(": {name}"))
}

fn paragraph(found: &Counterexample, program: Option<&str>) -> String {
    let list = |name: &str, values: &[(&str, u64)]| {
        let values: Vec<_> = values.iter().map(|(name, value)| format!("{name}={value:#x}")).collect();
        wrap(&format!("  {name:<8}{}", values.join(", ")), 10)
    };
    let mut text = list("inputs", &found.inputs) + &list("model", &found.model) + &list("rtl", &found.rtl);
    text += &match program {
        Some(name) => format!(
            "  replay  gpu-lsu run {name}\n          (built with GPU_LSU_RTL of that RTL, if it is not this one)\n"
        ),
        None if found.program.is_some() => "  no program: its file cannot be written\n".to_owned(),
        None => "  no program: no single instruction was found that shows it\n".to_owned(),
    };
    text
}

fn indented(text: &str) -> String {
    text.trim_end().lines().map(|line| format!("    {line}\n")).collect()
}

impl Difference {
    fn new(found: &Counterexample) -> Self {
        let map = |values: &[(&'static str, u64)]| {
            values.iter().map(|&(name, value)| (name.to_owned(), format!("{value:#x}").into())).collect()
        };
        Difference { inputs: map(&found.inputs), model: map(&found.model), rtl: map(&found.rtl) }
    }
}
