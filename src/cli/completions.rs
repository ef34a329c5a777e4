// SPDX-License-Identifier: MIT OR Apache-2.0
//! `gpu-lsu completions`: what a shell completes a command line with.

use std::{io::Write, process::ExitCode};

use clap_complete::Shell;

use super::{Error, Stdout};

const EXAMPLES: &str = "\
Examples:
  gpu-lsu completions bash > ~/.local/share/bash-completion/completions/gpu-lsu
  gpu-lsu completions zsh > ~/.zfunc/_gpu-lsu
  gpu-lsu completions fish > ~/.config/fish/completions/gpu-lsu.fish

Exit codes: 0 printed, 2 a usage error, or standard output that cannot be written";

/// Print the completion script for a shell
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Shell to print the script for
    shell: Shell,
}

pub fn run(args: &Args) -> Result<ExitCode, Error> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut super::command(), "gpu-lsu", &mut script);
    let mut output = Stdout::new();
    output.write_all(&script)?;
    output.finish(0)
}
