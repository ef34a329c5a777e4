// SPDX-License-Identifier: MIT OR Apache-2.0
//! `gpu-lsu check`: which `st` statements are legal, and the clause that refuses the others.

use std::{
    io::{self, BufRead, BufReader, Read, Write},
    path::{Path, PathBuf},
    process::ExitCode,
};

use clap::ValueEnum;

use super::{Error, Stdout, filter::nothing, note, shared, tell};
use crate::{
    clause::Clause,
    sets::{
        ptx::{Access, Bare, Module, NEWEST, Refusal, Target, Version, is_module, judge, newest},
        text::unmarked,
    },
};

mod report;

use report::{Places, Report, column};

const EXAMPLES: &str = "\
Standard input is read as bare statements, and so is a FILE that does not begin with a directive. Each line of input \
gives one line of output, which begins with `accepted` or `refused`. A line may hold several statements, or none, \
which is accepted. These are declared for the statements:
  .global gbl[4096]  .const cst[256]  .shared sh[4096]  .local loc[256]
  .param prm[64] (of a call being made)
  kernel parameters p0 and pe[64]
  20 registers each of .b16 %h, .b32 %r, .b64 %rd, .b128 %q, .f32 %f, .f64 %d
  3 of .pred %p, and .b64 %pol

Any other FILE is a module: its declarations count, and so do its .target and .version unless an option overrides \
them. Each st gives a line with its place, and so does each ld, which is not judged.

Examples:
  echo 'st.global.release.gpu.b32 [%rd1], %r2;' | \\
    gpu-lsu check --isa ptx --target sm_90 --ptx 8.3 -
  gpu-lsu check --isa ptx kernel.ptx
  gpu-lsu check --isa ptx --json --target sm_70 kernel.ptx

Exit codes: 0 everything is accepted, 1 something is refused, 2 a usage error, or a file that cannot be read or \
written";

/// Check whether each statement is legal and, if not, which clause refuses it
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Instruction set
    #[arg(long, default_value = "ptx")]
    isa: Language,
    /// Target, such as sm_90 [default: the module's, or sm_120]
    #[arg(long)]
    target: Option<Target>,
    /// PTX version, such as 8.3 [default: the module's, or the newest that has the target]
    #[arg(long, value_name = "X.Y", allow_hyphen_values = true)]
    ptx: Option<Version>,
    /// Print one JSON object per line
    #[arg(long)]
    json: bool,
    /// File to read, `-` for standard input
    #[arg(default_value = "-")]
    file: PathBuf,
}

/// The instruction sets that have statements to check.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Language {
    Ptx,
}

pub fn run(args: &Args) -> Result<ExitCode, Error> {
    let Language::Ptx = args.isa;
    let mut report = Report::new(Stdout::new(), args.json);
    if args.file == Path::new("-") {
        lines(args, io::stdin().lock(), &mut report)?;
    } else {
        let mut source = Vec::new();
        let read = shared::open(&args.file).and_then(|mut file| file.read_to_end(&mut source));
        read.map_err(|error| unreadable(args, error))?;
        let source = unmarked(&source);
        if source.is_empty() {
            tell(&nothing(&args.file));
            return Ok(ExitCode::FAILURE);
        }
        match text(source) {
            Ok(source) if is_module(source) => module(args, source, &mut report)?,
            Ok(_) => lines(args, source, &mut report)?,
            Err(refusal) => {
                let mut places = Places::new(source);
                report.refused(places.find(refusal.span.start), &refusal)?;
            }
        }
    }
    report.output.finish(report.refused.into())
}

fn unreadable(args: &Args, error: io::Error) -> Error {
    Error::Read { name: format!("`{}`", args.file.display()), error }
}

/// Bare statements: a line out for each line in. Where nobody reads them any more the verdict is still to be had: it is
/// about all lines, or known with the first refusal.
fn lines(args: &Args, input: impl Read, report: &mut Report<Stdout>) -> Result<(), Error> {
    let target = args.target.unwrap_or(NEWEST.0);
    let bare = Bare::new(target, args.ptx.unwrap_or(newest(target)));
    let mut input = BufReader::with_capacity(1 << 16, input);
    let mut bytes = Vec::new();
    for line in 1.. {
        if report.refused && !report.output.is_open() {
            break;
        }
        if input.buffer().is_empty() {
            report.output.flush()?; // the next read may wait, and somebody may wait for this
        }
        bytes.clear();
        if input.read_until(b'\n', &mut bytes).map_err(|error| unreadable(args, error))? == 0 {
            break;
        }
        let bytes = if line == 1 { unmarked(&bytes) } else { &bytes };
        let bytes = bytes.strip_suffix(b"\n").unwrap_or(bytes);
        match text(bytes).and_then(|text| bare.check(text)) {
            Ok(()) => report.accepted(line)?,
            Err(refusal) => report.refused((line, column(bytes, refusal.span.start)), &refusal)?,
        }
    }
    Ok(())
}

/// A module: a line for each access to memory.
fn module(args: &Args, source: &str, report: &mut Report<impl Write>) -> Result<(), Error> {
    let mut module = Module::new(source);
    let mut places = Places::new(source.as_bytes());
    let mut judged = 0;
    while let Some(access) = module.next_access() {
        let target = args.target.or(module.target()).unwrap_or(NEWEST.0);
        let version = args.ptx.or(module.version()).unwrap_or(newest(target));
        judged += u32::from(!matches!(access, Access::Load(_)));
        match access {
            Access::Load(mnemonic) => report.found(places.find(mnemonic.span.start), "load", mnemonic.text)?,
            Access::Broken(failure) => {
                let refusal = Refusal::unreadable(failure, source);
                report.refused(places.find(refusal.span.start), &refusal)?;
            }
            Access::Store(statement) => match judge(&statement, module.names(), target, version) {
                Ok(()) => {
                    report.found(places.find(statement.mnemonic.span.start), "accepted", statement.mnemonic.text)?
                }
                Err(refusal) => report.refused(places.find(refusal.span.start), &refusal)?,
            },
        }
    }
    if judged == 0 {
        note(&format!("note: the module, `{}`, has no st\n", args.file.display()));
    }
    Ok(())
}

/// Text without NUL.
fn text(bytes: &[u8]) -> Result<&str, Refusal> {
    let bad = match std::str::from_utf8(bytes) {
        Ok(text) if !bytes.contains(&0) => return Ok(text),
        Ok(_) => bytes.iter().position(|&byte| byte == 0).unwrap_or(0),
        Err(error) => error.valid_up_to(),
    };
    Err(Refusal {
        span: bad..bad + 1,
        message: format!("the byte 0x{:02x} is no text", bytes.get(bad).copied().unwrap_or(0)),
        clause: Clause::PtxSyntax,
        fault: String::new(),
        help: "PTX is ASCII text".into(),
    })
}
