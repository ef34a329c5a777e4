// SPDX-License-Identifier: MIT OR Apache-2.0
//! `gpu-lsu vectors explain`: what should happen with a vector, and a wave of it.

use std::{io::Write, path::PathBuf, process::ExitCode};

use super::{
    super::{Error, Stdout, clash, note, report, tell, unit, units, wave_file},
    refuse,
};
use crate::{
    judge::Promises,
    vectors::{
        explain,
        folder::{self, FolderError},
    },
};

const EXAMPLES: &str = "\
Examples:
  gpu-lsu vectors explain vectors --vector 17
  gpu-lsu vectors explain vectors --vector 17 --wave wave.fst && \\
    gtkwave wave.gtkw

The wave shows the vector's segment up to the vector, on the RTL that this program was built from, with the model \
beside it.

Exit codes: 0 explained, 1 the folder is refused, or RTL and model disagree, 2 a usage error, or a file that cannot \
be read or written";

/// Explain what should happen with a vector: lanes, requests, registers, faults, clauses
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
#[group(skip)]
pub struct Args {
    /// Folder that `gpu-lsu vectors` wrote
    dir: PathBuf,
    /// Number of the vector, counted from 0
    #[arg(long, value_name = "N", value_parser = units::whole::<usize>, allow_negative_numbers = true)]
    vector: usize,
    #[command(flatten)]
    wave: wave_file::Args,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    unit: unit::Args,
}

pub fn run(args: &Args) -> Result<ExitCode, Error> {
    let (manifest, set) = match folder::read(&args.dir) {
        Ok(read) => read,
        Err(error @ FolderError::Io { .. }) => {
            tell(&format!("error: cannot read {error}\n"));
            note("\nhint: give a folder that `gpu-lsu vectors --out DIR` wrote\n");
            return Ok(ExitCode::from(2));
        }
        Err(error) => return Ok(refuse(&error)),
    };
    let known = manifest.vectors.get(args.vector).filter(|_| args.vector < set.vectors.len());
    let Some(about) = known else {
        return Err(Error::Usage(format!(
            "there is no vector {}: they are 0 to {}",
            args.vector,
            set.vectors.len() - 1
        )));
    };
    clash::check(manifest.files(&args.dir).iter().map(PathBuf::as_path), args.wave.files())?;
    let played = args.wave.path().map(|_| {
        let unit = unit::Unit::of(args.unit, set.shape)?;
        unit.play(&explain::case(&set, args.vector), Promises::OURS, &args.wave)
    });
    let played = played.transpose()?;
    let code = played.as_ref().map_or(0, |played| played.code());
    if let Some(Err(mismatch)) = played.as_ref().map(|played| &played.result) {
        tell(&report::line("RTL", mismatch, ""));
    }
    let mut output = Stdout::new();
    if args.json {
        super::super::json_line(&mut output, &explain::json(&set, args.vector, about))?;
    } else {
        write!(output, "{}", explain::text(&set, args.vector, about))?;
    }
    let code = output.finish(code);
    if let Some(played) = played {
        played.tell_wave(&args.wave);
    }
    code
}
