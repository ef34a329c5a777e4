// SPDX-License-Identifier: MIT OR Apache-2.0
//! The command line: a file for each subcommand. Only this module prints.
//!
//! Data goes to standard output and all else to standard error. Exit codes: 0 all is well, 1 a mismatch or a refused
//! input, 2 usage. A reader that goes away ends a command quietly.

use std::{
    io::{self, Write},
    process::ExitCode,
};

use clap::{Parser, Subcommand};

mod asm;
mod disasm;
mod explain;
mod filter;

const EXAMPLES: &str = "\
Examples:
  echo 'ST [R1+0x14], R3' | gpu-lsu asm --isa spa5 -
  echo bc80000001470103 | gpu-lsu disasm --isa spa5 -

Exit codes: 0 all is well, 1 a mismatch or a refused input, 2 usage";

/// A GPU load/store unit, and the workbench that checks it
#[derive(Debug, Parser)]
#[command(name = "gpu-lsu", version, after_help = EXAMPLES)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Asm(asm::Args),
    Disasm(disasm::Args),
    Explain(explain::Args),
}

/// Why a command could not do its work.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The input cannot be read.
    #[error("cannot read {name}: {error}")]
    Read {
        /// The file, as it was given.
        name: String,
        /// What the system says.
        error: io::Error,
    },
    /// The output cannot be written.
    #[error("cannot write: {0}")]
    Write(#[from] io::Error),
}

impl Error {
    fn hint(&self) -> Option<&'static str> {
        match self {
            Error::Read { .. } => Some("give the name of a readable file, or `-` for standard input"),
            Error::Write(_) => None,
        }
    }

    /// Standard output was closed by its reader: nobody wants to hear more.
    fn is_closed_pipe(&self) -> bool {
        matches!(self, Error::Write(error) if error.kind() == io::ErrorKind::BrokenPipe)
    }
}

/// Runs the command line; what [`ExitCode`] says is in the module's documentation.
pub fn main() -> ExitCode {
    let result = match Cli::parse().command {
        Command::Asm(args) => asm::run(&args),
        Command::Disasm(args) => disasm::run(&args),
        Command::Explain(args) => explain::run(&args),
    };
    match result {
        Ok(code) => code,
        Err(error) if error.is_closed_pipe() => ExitCode::SUCCESS,
        Err(error) => {
            let mut text = format!("error: {error}\n");
            if let Some(hint) = error.hint() {
                text += &format!("\nhint: {hint}\n");
            }
            let _ = io::stderr().write_all(text.as_bytes()); // nowhere else to say it
            ExitCode::from(2)
        }
    }
}
