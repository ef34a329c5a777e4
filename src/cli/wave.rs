// SPDX-License-Identifier: MIT OR Apache-2.0
//! `gpu-lsu wave`: what happened at the ports, to be looked at: a file for each subcommand.

use std::process::ExitCode;

use super::Error;

mod diff;
mod report;
mod why;

const EXAMPLES: &str = "\
Examples:
  gpu-lsu wave diff before.vcd after.fst
  gpu-lsu wave report gpu-lsu.capsule
  gpu-lsu wave why run.jsonl --byte 0x20000

Exit codes: 0 all is well, 1 a difference, a mismatch or a refused file, 2 a usage error, or a file that cannot be \
read or written";

/// Examine what happened at the ports, from waves, logs and capsules
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    Diff(diff::Args),
    Report(report::Args),
    Why(Box<why::Args>),
}

pub fn run(args: &Args) -> Result<ExitCode, Error> {
    match &args.command {
        Command::Diff(args) => diff::run(args),
        Command::Report(args) => report::run(args),
        Command::Why(args) => why::run(args),
    }
}
