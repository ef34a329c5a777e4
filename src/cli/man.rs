// SPDX-License-Identifier: MIT OR Apache-2.0
//! `gpu-lsu man`: the manual pages.

use std::{io::Write, path::PathBuf, process::ExitCode};

use super::{Error, Stdout, clash};
use crate::output::Output;

const EXAMPLES: &str = "\
Examples:
  gpu-lsu man | man -l -
  gpu-lsu man --out ~/.local/share/man/man1

Exit codes: 0 printed or written, 2 a usage error, or a page cannot be written";

/// Print the manual page, or write one for every command
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Write a page for each command to this existing directory: `gpu-lsu-verify.1` and so on
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

pub fn run(args: &Args) -> Result<ExitCode, Error> {
    let mut command = super::command();
    command.build();
    let Some(dir) = &args.out else {
        let mut output = Stdout::new();
        output.write_all(&page(command)?)?;
        return output.finish(0);
    };
    clash::folder(dir)?;
    let mut commands = vec![command];
    while let Some(command) = commands.pop() {
        let name = command.get_display_name().unwrap_or(command.get_name()).to_owned();
        commands.extend(command.get_subcommands().filter(|command| command.get_name() != "help").cloned());
        let path = dir.join(format!("{name}.1"));
        let page = page(command)?;
        let written = Output::create(&path).and_then(|mut output| {
            output.write_all(&page)?;
            output.finish()
        });
        written.map_err(|error| Error::Output { name: format!("`{}`", path.display()), error })?;
    }
    Ok(ExitCode::SUCCESS)
}

fn page(command: clap::Command) -> Result<Vec<u8>, Error> {
    let mut page = Vec::new();
    clap_mangen::Man::new(command.disable_help_subcommand(true)).render(&mut page)?;
    Ok(page)
}
