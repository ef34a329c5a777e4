// SPDX-License-Identifier: MIT OR Apache-2.0
//! `gpu-lsu wave report`: one page that explains a run.

use std::{path::PathBuf, process::ExitCode};

use crate::cli::Error;

/// Write a page that explains a run: its wave, its operations lane by lane, and what went wrong
#[derive(Debug, clap::Args)]
pub struct Args {
    /// A capsule, a log, or a wave of the unit's ports
    file: PathBuf,
}

pub fn run(args: &Args) -> Result<ExitCode, Error> {
    Err(Error::Usage(format!("no page of {} yet", args.file.display())))
}
