// SPDX-License-Identifier: MIT OR Apache-2.0
//! `gpu-lsu replay`: a capsule again, with a wave.

use std::{
    io::{self, Write},
    path::PathBuf,
    process::ExitCode,
};

use super::{Error, explain::wrap, report};
use crate::cosim::{
    Bench,
    capsule::{Capsule, CapsuleError},
    waves,
};

const EXAMPLES: &str = "\
Examples:
  gpu-lsu replay gpu-lsu.capsule
  gpu-lsu replay gpu-lsu.capsule --vcd wave.vcd && gtkwave wave.vcd

Exit codes: 0 RTL and model agree now, 1 they do not or the capsule is refused, 2 usage";

/// Run a capsule that `verify` wrote again, with a wave
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
#[group(skip)]
pub struct Args {
    /// The capsule, `-` for standard input
    file: PathBuf,
    /// Write the RTL's waves to this file, and what the model expects beside them
    #[arg(long, value_name = "FILE")]
    vcd: Option<PathBuf>,
    /// One JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(args: &Args) -> Result<ExitCode, Error> {
    let text = super::read_text(&args.file)?;
    let capsule = match Capsule::from_text(&text) {
        Ok(capsule) => capsule,
        Err(error) => {
            let hint = match error {
                CapsuleError::Title => "`gpu-lsu verify` writes a capsule when RTL and model disagree",
                CapsuleError::Checksum { .. } => {
                    "to replay it as it is now, delete the line that begins with `checksum`"
                }
                CapsuleError::Format { .. } => "replay it with the version that wrote it",
                _ => "compare it with a capsule that this version wrote",
            };
            super::tell(&format!("error: {}: {}\n\nhint: {hint}\n", args.file.display(), error.to_string().trim_end()));
            return Ok(ExitCode::FAILURE);
        }
    };
    let mut bench = Bench::new(capsule.case.lanes)?;
    let result = match &args.vcd {
        Some(path) => waves::run(&mut bench, &capsule.case, path)?,
        None => bench.run(&capsule.case),
    };
    let mut output = io::stdout().lock();
    let code = match &result {
        Ok(figures) if args.json => {
            super::json_line(&mut output, &serde_json::json!({ "agrees": true, "cycles": figures.cycles }))?;
            ExitCode::SUCCESS
        }
        Ok(figures) => {
            let (operations, cycles) = (figures.operations, figures.cycles);
            writeln!(output, "RTL and model agree now: {operations} operations, {cycles} cycles")?;
            write!(output, "{}", wrap(&format!("the capsule was written for: {}", capsule.mismatch), 2))?;
            ExitCode::SUCCESS
        }
        Err(mismatch) if args.json => {
            super::json_line(&mut output, &report::json(&capsule.case, mismatch))?;
            ExitCode::FAILURE
        }
        Err(mismatch) => {
            write!(output, "{}", report::paragraph(&capsule.case, mismatch))?;
            if **mismatch != capsule.mismatch {
                let text = format!("this is not what the capsule was written for: {}", capsule.mismatch);
                write!(output, "\n{}", wrap(&text, 2))?;
            }
            ExitCode::FAILURE
        }
    };
    if let Some(path) = &args.vcd {
        super::tell(&format!("wave written to {}\n", path.display()));
    }
    Ok(code)
}
