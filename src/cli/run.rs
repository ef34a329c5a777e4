// SPDX-License-Identifier: MIT OR Apache-2.0
//! `gpu-lsu run`: a program on RTL and model.

use std::{io::Write, path::PathBuf, process::ExitCode};

use serde::Serialize;

use super::{
    Error, Stdout, clash, contract, explain,
    log_file::{self, LogFile},
    look::Look,
    refusal,
    report::{self, Counts, Differs, Verdict, count},
    unit::{self, Unit},
    units, wave_file,
};
use crate::{cosim::play, explain::words::wrap, judge::Promises};
use end::{End, Stores};

mod end;

const EXAMPLES: &str = "\
Examples:
  gpu-lsu run examples/spa5_worked.lsu
  gpu-lsu run examples/ptx_worked.lsu
  gpu-lsu run examples/sm5_worked.lsu
  gpu-lsu run examples/spa5_shared.lsu --wave shared.fst && gtkwave shared.gtkw
  gpu-lsu run --json - < examples/spa5_saxpy.lsu

Exit codes: 0 RTL and model agree, 1 they do not or the program is refused, 2 a usage error, or a file that cannot be \
read or written";

/// Run a program on the RTL and the model, and show lanes, memory and faults
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
#[group(skip)]
pub struct Args {
    /// Program to run, `-` for standard input
    file: PathBuf,
    /// Number of lanes in the unit [default: the program's choice, or the RTL's own]
    #[arg(long, value_parser = units::lanes())]
    lanes: Option<usize>,
    #[command(flatten)]
    wave: wave_file::Args,
    /// Write what crosses the ports to this file, as JSON Lines for `gpu-lsu judge`
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// Print one JSON object per instruction, and one for the verdict
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    contract: contract::Args,
    #[command(flatten)]
    unit: unit::Args,
}

#[derive(Serialize)]
struct Agreed {
    #[serde(flatten)]
    counts: Counts,
    #[serde(flatten)]
    end: End,
}

pub fn run(args: &Args) -> Result<ExitCode, Error> {
    let written = args.wave.files().into_iter().chain(clash::given([("--log", args.log.as_ref())]));
    clash::check([&*args.file].into_iter().chain(args.contract.file()), written)?;
    let text = super::read_text(&args.file)?;
    let program = match crate::program::Program::parse(&args.file.display().to_string(), &text) {
        Ok(program) => program,
        Err(error) => {
            refusal::tell(&error);
            return Ok(ExitCode::FAILURE);
        }
    };
    if let (Some(asked), Some(lanes)) = (program.lanes, args.lanes)
        && asked != lanes
    {
        return Err(Error::Usage(format!("the program asks for {asked} lanes, `--lanes` for {lanes}")));
    }
    if program.steps.is_empty() {
        super::tell("error: the program holds no instruction\n");
        return Ok(ExitCode::FAILURE);
    }
    let unit = Unit::find(args.unit, args.lanes.or(program.lanes))?;
    let promises = args.contract.of(unit.shape, Promises::OURS)?;
    let about = format!("gpu-lsu run {}{}", args.file.display(), unit.option());
    let log = args.log.as_deref().map(|path| LogFile::create(path, &unit, about)).transpose()?;
    let shape = unit.shape;
    let mut stores = Stores::default();
    let (case, session) = play::case_with(&program, &shape, |executed| stores.add(executed));
    if let Err(error) = case.check(&shape) {
        super::tell(&format!("error: the program is not for this unit, {shape}: {error}\n"));
        return Ok(ExitCode::FAILURE);
    }
    let mut played = unit.play(&case, promises, &args.wave)?;
    // What agreed until here may have left something wrong in the scratchpad.
    let mut issues = case.issues.as_slice();
    let loads;
    if let Ok(figures) = &mut played.result {
        match played.bench.read_back(&case) {
            Ok(read) => figures.comparisons += read.comparisons,
            Err((mismatch, read)) => {
                super::note("note: found in the scratchpad, read back after the program's last operation\n");
                loads = read;
                (issues, played.result) = (&loads, Err(mismatch));
            }
        }
    }
    if let Err(mismatch) = &played.result {
        super::tell(&report::line("RTL", mismatch, ""));
    }

    let kept = log.is_none_or(|log| log.only(&played.bench, &case));
    let not_judged = played.not_judged(promises);
    let mut output = Stdout::new();
    explain::every_step(&program, shape, args.json, &mut output)?;
    let end = End::of(&session, stores);
    if !args.json {
        end.text(&mut output)?;
    }
    match &played.result {
        Ok(figures) if args.json => {
            let content = Agreed { counts: Counts::of(figures), end };
            let verdict = Verdict { agrees: true, verdict: "agrees", rtl: unit.json(), not_judged, content };
            super::json_line(&mut output, &verdict)?;
        }
        Ok(figures) => {
            let (operations, requests) = (count(figures.operations, "operation"), count(figures.requests, "request"));
            let cycles = count(figures.cycles, "cycle");
            write!(output, "\n{}", wrap(&format!("rtl {}", unit.name()), 2))?;
            writeln!(output, "RTL and model agree: {operations}, {requests}, {cycles}")?;
            write!(output, "{}", report::not_judged(&not_judged))?;
        }
        Err(mismatch) if args.json => {
            let look = Look::new(&unit, &case.ctrl, issues, mismatch);
            let content = Differs { mismatch: report::json(issues, mismatch).look(look) };
            let verdict = Verdict { agrees: false, verdict: "mismatch", rtl: unit.json(), not_judged, content };
            super::json_line(&mut output, &verdict)?;
        }
        Err(mismatch) => {
            write!(output, "\n{}", report::paragraph("RTL", issues, mismatch, &[("rtl", unit.name())]))?;
            output.flush()?;
            write!(output, "{}", Look::new(&unit, &case.ctrl, issues, mismatch).text())?;
        }
    }
    let code = output.finish(log_file::code(played.code(), kept));
    for hint in program.hints() {
        super::note(&format!("\n{}", wrap(&format!("hint: {hint}"), 6)));
    }
    played.tell_wave(&args.wave);
    code
}
