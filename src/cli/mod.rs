// SPDX-License-Identifier: MIT OR Apache-2.0
//! The command line: a file for each subcommand. Only this module prints.
//!
//! Data goes to standard output and all else to standard error. Exit codes: 0 all is well, 1 a mismatch or a refused
//! input, 2 usage, or data that could not be delivered. A verdict is said on standard error as soon as there is one, and
//! what becomes of a stream or a file after that does not change its code; a reader that goes away is no error.

use std::{
    borrow::Cow,
    io::{self, Write},
    process::ExitCode,
};

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

use crate::prove::ProveError;

mod asm;
mod check;
mod clash;
mod completions;
mod contract;
mod disasm;
mod ended;
mod explain;
mod farm;
mod filter;
mod judge;
mod layout;
#[cfg(feature = "rtl")]
mod log_file;
#[cfg(feature = "rtl")]
mod look;
mod man;
mod manners;
mod merge;
mod prove;
mod recorded;
mod refusal;
#[cfg(feature = "rtl")]
mod replay;
mod report;
#[cfg(feature = "rtl")]
mod run;
mod seeds;
// Without the unit, `prove` alone uses a part of them.
#[cfg_attr(not(feature = "rtl"), allow(dead_code))]
mod shared;
mod signals;
mod stdout;
#[cfg(feature = "rtl")]
mod unit;
#[cfg_attr(not(feature = "rtl"), allow(dead_code))]
mod units;
#[cfg(feature = "rtl")]
mod vectors;
#[cfg(feature = "rtl")]
mod verify;
mod wave;
#[cfg(feature = "rtl")]
mod wave_file;

use shared::{json_line, named, note, quoted, read_text, refused, say, tell};
use stdout::Stdout;

const EXAMPLES: &str = "\
Examples:
  gpu-lsu verify
  gpu-lsu run examples/spa5_worked.lsu --wave wave.fst
  gpu-lsu explain --isa spa5 --set 'R1 = 0x1003 + 8*lane' 'ST.64 [R1+0x18], R4'
  echo 'ST [R1+0x14], R3' | gpu-lsu asm --isa spa5 -
  echo bc80000001470103 | gpu-lsu disasm --isa spa5 -
  echo c0018005 9200f000 | gpu-lsu disasm --isa r700 -
  gpu-lsu disasm --isa sm5 shader.cso
  gpu-lsu check --isa ptx kernel.ptx

Exit codes: 0 all is well, 1 a mismatch or a refused input, 2 a usage error, or a file that cannot be read or written";

/// A GPU load/store unit, and the workbench that checks it
#[derive(Debug, Parser)]
#[command(name = "gpu-lsu", version, after_help = EXAMPLES)]
struct Cli {
    #[command(flatten)]
    manners: manners::Args,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    #[cfg(feature = "rtl")]
    Run(run::Args),
    #[cfg(feature = "rtl")]
    Verify(verify::Args),
    #[cfg(feature = "rtl")]
    Replay(replay::Args),
    Asm(asm::Args),
    Disasm(disasm::Args),
    Check(check::Args),
    Explain(explain::Args),
    Farm(farm::Args),
    Judge(judge::Args),
    Layout(layout::Args),
    Merge(merge::Args),
    Prove(prove::Args),
    #[cfg(feature = "rtl")]
    Vectors(vectors::Args),
    Wave(wave::Args),
    Completions(completions::Args),
    Man(man::Args),
}

impl Command {
    /// Whether it listens to signals itself, and ends with a report of what there is.
    fn reports_when_ended(&self) -> bool {
        match self {
            #[cfg(feature = "rtl")]
            Command::Verify(_) | Command::Vectors(_) => true,
            Command::Farm(_) | Command::Prove(_) => true,
            _ => false,
        }
    }
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
    /// A file or folder that is no input from a pipe cannot be read.
    #[error("cannot read {name}: {error}")]
    Given {
        /// As it was given, or what is looked for in it.
        name: String,
        /// What the system says.
        error: io::Error,
        /// What to give instead.
        hint: &'static str,
    },
    /// A file that has bytes of no text.
    #[error("{name} is not UTF-8 text: line {line} is none from column {column}")]
    NoText {
        /// The file, as it was given.
        name: String,
        /// The first one that is none, from 1.
        line: usize,
        /// Where, from 1.
        column: usize,
    },
    /// The output cannot be written.
    #[error("cannot write to standard output: {0}")]
    Write(#[from] io::Error),
    /// A file cannot be written.
    #[error("cannot write {name}: {error}")]
    Output {
        /// The file, as it was given.
        name: String,
        /// What the system says.
        error: io::Error,
    },
    /// Arguments that do not go together.
    #[error("{0}")]
    Usage(String),
    /// An input that can be read, and makes no sense.
    #[error("{0}")]
    Refused(String),
    /// Nothing can be proved.
    #[error(transparent)]
    Prove(#[from] crate::prove::ProveError),
    /// The unit cannot be driven.
    #[cfg(feature = "rtl")]
    #[error(transparent)]
    Dut(#[from] crate::dut::DutError),
    /// The wave cannot be written.
    #[cfg(feature = "rtl")]
    #[error(transparent)]
    Wave(#[from] crate::wave::WaveError),
    /// The unit is not the one that was asked for.
    #[cfg(feature = "rtl")]
    #[error(transparent)]
    Rtl(#[from] crate::rtl::Other),
}

const NO_SPACE: &str = "no space is left there: free some, or name another place";

/// Whether it is space that is missing, where something is written.
fn is_full(error: &io::Error) -> bool {
    [io::ErrorKind::StorageFull, io::ErrorKind::QuotaExceeded].contains(&error.kind())
}

impl Error {
    /// 1 for a refused input, 2 for all else.
    fn code(&self) -> u8 {
        if matches!(self, Error::Refused(_) | Error::NoText { .. }) { 1 } else { 2 }
    }

    fn hint(&self) -> Option<Cow<'static, str>> {
        let hint = match self {
            Error::Read { .. } => "give the name of a readable file, or `-` for standard input",
            Error::Given { hint, .. } => hint,
            Error::NoText { .. } => "a text is read here: `--help` says which; waves are for `gpu-lsu judge`",
            Error::Write(error) | Error::Output { error, .. } if is_full(error) => NO_SPACE,
            #[cfg(feature = "rtl")]
            Error::Wave(crate::wave::WaveError::Write { error, .. }) if is_full(error) => NO_SPACE,
            Error::Output { .. } => "give a path in a folder that can be written",
            Error::Prove(ProveError::NoYosys) => {
                "`scripts/setup test` installs it; GPU_LSU_YOSYS names another one that has read_slang"
            }
            Error::Prove(ProveError::NoSolver) => {
                "`scripts/setup test` installs it; GPU_LSU_SOLVER names another one that reads SMT-LIB"
            }
            Error::Prove(ProveError::Twice { .. }) => "leave one of them out: name the files in a .f list",
            Error::Prove(ProveError::Macro { .. }) => {
                "include a file that defines it, or say it with +define+ in a .f list"
            }
            Error::Prove(ProveError::NotThere { .. }) => {
                "name one that is; without the variable, what `scripts/setup test` installs is used"
            }
            Error::Prove(ProveError::NoRtl(_)) => "name the directory of the RTL's packages with `--rtl`",
            #[cfg(feature = "rtl")]
            Error::Dut(crate::dut::DutError::NotBuilt { .. }) => {
                "the feature `all-lanes` builds 4, 8 and 16 as well: `cargo run --release --features all-lanes -- ...`"
            }
            #[cfg(feature = "rtl")]
            Error::Dut(crate::dut::DutError::NotThis(shape)) => {
                return Some(format!("GPU_LSU_PARAMETERS=\"{shape}\" while it is built makes that unit").into());
            }
            #[cfg(feature = "rtl")]
            Error::Dut(crate::dut::DutError::Package(_)) => "build the RTL with the rtl/lsu_pkg.sv of this checkout",
            #[cfg(feature = "rtl")]
            Error::Rtl(_) => {
                "in the checkout, `cargo run --release -- ...` with GPU_LSU_RTL set builds that RTL; or unset it"
            }
            _ => return None,
        };
        Some(hint.into())
    }
}

fn command() -> clap::Command {
    Cli::command()
}

/// Help or the version, which are data like any other, or what is wrong with the command line.
fn tell_usage(told: &clap::Error) -> ExitCode {
    let printed = told.print().and_then(|()| io::stdout().flush());
    match printed {
        Err(error) if !told.use_stderr() && error.kind() != io::ErrorKind::BrokenPipe => {
            say(&Error::Write(error));
            ExitCode::from(2)
        }
        _ => ExitCode::from(if told.use_stderr() { 2 } else { 0 }),
    }
}

/// Runs the command line; what [`ExitCode`] says is in the module's documentation.
pub fn main() -> ExitCode {
    let asked = command().color(manners::Color::of_help(std::env::args_os().skip(1))).try_get_matches();
    let Cli { manners, command } = match asked.and_then(|asked| Cli::from_arg_matches(&asked)) {
        Ok(cli) => cli,
        Err(told) => return tell_usage(&told),
    };
    manners.keep();
    signals::limits_are_errors();
    crate::judge::log::wave::silence();
    if !command.reports_when_ended() {
        signals::clean_up();
    }
    let result = match command {
        #[cfg(feature = "rtl")]
        Command::Run(args) => run::run(&args),
        #[cfg(feature = "rtl")]
        Command::Verify(args) => verify::run(&args),
        #[cfg(feature = "rtl")]
        Command::Replay(args) => replay::run(&args),
        Command::Asm(args) => asm::run(&args),
        Command::Disasm(args) => disasm::run(&args),
        Command::Check(args) => check::run(&args),
        Command::Explain(args) => explain::run(&args),
        Command::Farm(args) => farm::run(&args),
        Command::Judge(args) => judge::run(&args),
        Command::Layout(args) => layout::run(&args),
        Command::Merge(args) => merge::run(&args),
        Command::Prove(args) => prove::run(&args),
        #[cfg(feature = "rtl")]
        Command::Vectors(args) => vectors::run(&args),
        Command::Wave(args) => wave::run(&args),
        Command::Completions(args) => completions::run(&args),
        Command::Man(args) => man::run(&args),
    };
    match result {
        Ok(code) => code,
        Err(error) => {
            say(&error);
            ExitCode::from(error.code())
        }
    }
}
