// SPDX-License-Identifier: MIT OR Apache-2.0
//! `gpu-lsu replay`: a capsule again, with a wave.

use std::{
    io::Write,
    path::{Path, PathBuf},
    process::ExitCode,
};

use super::{
    Error, Stdout, clash, contract,
    look::Look,
    report::{self, Counts, Differs, Verdict, count},
    unit::{self, Unit},
    wave_file,
};
use crate::{
    clause::Clause,
    cosim::{
        capsule::{Capsule, CapsuleError},
        outlived,
    },
    explain::words::wrap,
    sets::text::printable,
};

const EXAMPLES: &str = "\
Examples:
  gpu-lsu replay gpu-lsu.capsule
  gpu-lsu replay gpu-lsu.capsule --wave wave.fst && gtkwave wave.gtkw
  gpu-lsu replay gpu-lsu.capsule --wave wave.vcd --around 2

Exit codes: 0 RTL and model agree now, 1 they do not or the capsule is refused, 2 a usage error, or a file that \
cannot be read or written";

/// Replay a capsule that `verify` wrote, optionally with a wave
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
#[group(skip)]
pub struct Args {
    /// Capsule to replay, `-` for standard input
    file: PathBuf,
    #[command(flatten)]
    wave: wave_file::Args,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    contract: contract::Args,
    #[command(flatten)]
    unit: unit::Args,
}

pub fn run(args: &Args) -> Result<ExitCode, Error> {
    clash::check([&*args.file].into_iter().chain(args.contract.file()), args.wave.files())?;
    let text = super::read_text(&args.file)?;
    let Some(capsule) = read(&args.file, &text) else { return Ok(ExitCode::FAILURE) };
    let unit = Unit::of(args.unit, capsule.case.shape)?;
    let promises = args.contract.of(unit.shape, capsule.promises)?;
    if let Some(other) = capsule.rtl.as_ref().filter(|rtl| rtl.hash != unit.rtl.hash) {
        let text = format!("note: the capsule was written for another RTL, {other}; this is {}", unit.rtl);
        super::note(&wrap(&text, 2));
    }
    let mut played = unit.play(&capsule.case, promises, &args.wave)?;
    if capsule.mismatch.clause == Clause::PortReset
        && let Err(mismatch) = &mut played.result
        && let Some(power_up) = outlived::hangs_on(&played.bench, &[&capsule.case])?
    {
        outlived::blame(mismatch, power_up);
    }
    if let Err(mismatch) = &played.result {
        super::tell(&report::line("RTL", mismatch, ""));
    }
    let not_judged = played.not_judged(promises);
    let mut output = Stdout::new();
    match &played.result {
        Ok(figures) if args.json => {
            let content = Counts::of(figures);
            let verdict = Verdict { agrees: true, verdict: "agrees", rtl: unit.json(), not_judged, content };
            super::json_line(&mut output, &verdict)?;
        }
        Ok(figures) => {
            let (operations, cycles) = (count(figures.operations, "operation"), count(figures.cycles, "cycle"));
            writeln!(output, "RTL and model agree now: {operations}, {cycles}")?;
            write!(output, "{}", wrap(&format!("rtl {}", unit.name()), 2))?;
            write!(output, "{}", report::not_judged(&not_judged))?;
            write!(
                output,
                "{}",
                wrap(&format!("the capsule was written for: {}", printable(&capsule.mismatch.to_string())), 2)
            )?;
        }
        Err(mismatch) if args.json => {
            let look = Look::new(&unit, &capsule.case.ctrl, &capsule.case.issues, mismatch);
            let content = Differs { mismatch: report::json(&capsule.case.issues, mismatch).look(look) };
            let verdict = Verdict { agrees: false, verdict: "mismatch", rtl: unit.json(), not_judged, content };
            super::json_line(&mut output, &verdict)?;
        }
        Err(mismatch) => {
            write!(output, "{}", report::paragraph("RTL", &capsule.case.issues, mismatch, &[("rtl", unit.name())]))?;
            output.flush()?;
            let look = Look::new(&unit, &capsule.case.ctrl, &capsule.case.issues, mismatch);
            write!(output, "{}", look.text())?;
            if **mismatch != capsule.mismatch {
                let other = capsule.mismatch.to_string();
                let text = format!("this is not what the capsule was written for: {}", printable(&other));
                write!(output, "\n{}", wrap(&text, 2))?;
            }
        }
    }
    let code = output.finish(played.code());
    played.tell_wave(&args.wave);
    code
}

/// A capsule; why it is none, or cannot be read, is said.
pub fn read(file: &Path, text: &str) -> Option<Capsule> {
    let error = match Capsule::from_text(text) {
        Ok(capsule) => return Some(capsule),
        Err(error) => error,
    };
    let hint = match error {
        CapsuleError::Title => "`gpu-lsu verify` writes a capsule when RTL and model disagree",
        CapsuleError::Checksum { .. } => "to replay it as it is now, delete the line that begins with `checksum`",
        CapsuleError::Format { .. } => "replay it with the version that wrote it",
        _ => "compare it with a capsule that this version wrote",
    };
    let text = format!("error: {}: {}", file.display(), error.to_string().trim_end());
    // A problem of TOML has the line that it is in, and a mark below.
    let text = if text.contains('\n') { text + "\n" } else { wrap(&text, 2) };
    super::tell(&text);
    super::note(&format!("\n{}", wrap(&format!("hint: {hint}"), 6)));
    None
}
