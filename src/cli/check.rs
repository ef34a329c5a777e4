// SPDX-License-Identifier: MIT OR Apache-2.0
//! `gpu-lsu check`: which `st` statements are legal, and the clause that refuses the others.

use std::{
    borrow::Cow,
    fs::File,
    io::{self, BufRead, BufReader, BufWriter, Read, Write},
    path::{Path, PathBuf},
    process::ExitCode,
};

use clap::ValueEnum;
use serde::Serialize;

use super::Error;
use crate::{
    clause::Clause,
    isa::ptx::{Access, Bare, Module, NEWEST, Refusal, Target, Version, is_module, judge},
};

const EXAMPLES: &str = "\
Standard input is bare statements, and so is a FILE that begins with no directive: a line gives a line, which begins \
with `accepted` or `refused`. A line may have several statements, or none, which is accepted. Declared round them are
  .global gbl[4096]  .const cst[256]  .shared sh[4096]  .local loc[256]  .param prm[64] (of a call being made)
  kernel parameters p0 and pe[64]; registers of .b16 %h, .b32 %r, .b64 %rd, .b128 %q, .f32 %f, .f64 %d, 20 each,
  3 of .pred %p, and .b64 %pol

Any other FILE is a module: its declarations count, and so do its .target and .version unless the options say \
otherwise. Each st gives a line, with its place, and so does each ld, which is not judged.

Examples:
  echo 'st.global.release.gpu.b32 [%rd1], %r2;' | gpu-lsu check --isa ptx --target sm_90 --ptx 8.3 -
  gpu-lsu check --isa ptx kernel.ptx
  gpu-lsu check --isa ptx --json --target sm_70 kernel.ptx

Exit codes: 0 everything is accepted, 1 something is refused, 2 usage";

/// Check: is each statement legal, and if not, which clause refuses it
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The instruction set
    #[arg(long, default_value = "ptx")]
    isa: Language,
    /// The target, such as sm_90 [default: what the module says, or sm_120]
    #[arg(long)]
    target: Option<Target>,
    /// The version of PTX, such as 8.3 [default: what the module says, or 8.8]
    #[arg(long, value_name = "X.Y")]
    ptx: Option<Version>,
    /// One JSON object a line
    #[arg(long)]
    json: bool,
    /// The file to read, `-` for standard input
    #[arg(default_value = "-")]
    file: PathBuf,
}

/// The instruction sets that have statements to check.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Language {
    Ptx,
}

/// A line of output.
#[derive(Serialize)]
struct Row<'a> {
    line: usize,
    verdict: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<usize>,
    /// The mnemonic, in a module.
    #[serde(skip_serializing_if = "Option::is_none")]
    statement: Option<&'a str>,
    #[serde(flatten)]
    refusal: Option<Reason<'a>>,
}

#[derive(Serialize)]
struct Reason<'a> {
    message: Cow<'a, str>,
    clause: &'static str,
    #[serde(skip_serializing_if = "str::is_empty")]
    fault: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    help: &'a str,
}

pub fn run(args: &Args) -> Result<ExitCode, Error> {
    let Language::Ptx = args.isa;
    let output = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    let mut report = Report { output, json: args.json, refused: false };
    if args.file == Path::new("-") {
        lines(args, BufReader::with_capacity(1 << 16, io::stdin().lock()), &mut report)?;
    } else {
        let mut source = Vec::new();
        let read = File::open(&args.file).and_then(|mut file| file.read_to_end(&mut source));
        read.map_err(|error| unreadable(args, error))?;
        match text(&source) {
            Ok(source) if is_module(source) => module(args, source, &mut report)?,
            Ok(_) => lines(args, source.as_slice(), &mut report)?,
            Err(refusal) => {
                let mut places = Places::new(&source);
                report.refused(places.find(refusal.span.start), &refusal)?;
            }
        }
    }
    report.output.flush()?;
    Ok(if report.refused { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

fn unreadable(args: &Args, error: io::Error) -> Error {
    Error::Read { name: args.file.display().to_string(), error }
}

/// Bare statements: a line out for each line in.
fn lines(args: &Args, mut input: impl BufRead, report: &mut Report<impl Write>) -> Result<(), Error> {
    let bare = Bare::new(args.target.unwrap_or(NEWEST.0), args.ptx.unwrap_or(NEWEST.1));
    let mut bytes = Vec::new();
    for line in 1.. {
        bytes.clear();
        if input.read_until(b'\n', &mut bytes).map_err(|error| unreadable(args, error))? == 0 {
            break;
        }
        let bytes = bytes.strip_suffix(b"\n").unwrap_or(&bytes);
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
    while let Some(access) = module.next_access() {
        let target = args.target.or(module.target()).unwrap_or(NEWEST.0);
        let version = args.ptx.or(module.version()).unwrap_or(NEWEST.1);
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

/// Characters before the byte `at` of a line, and one.
fn column(line: &[u8], at: usize) -> usize {
    let before = line.get(..at).unwrap_or(line);
    // Bytes that go on with a character are not counted.
    before.iter().filter(|&&byte| byte & 0xc0 != 0x80).count() + 1
}

/// Lines and columns of bytes that are asked for in rising order, more or less.
struct Places<'a> {
    source: &'a [u8],
    line: usize,
    /// Where that line starts.
    start: usize,
}

impl<'a> Places<'a> {
    fn new(source: &'a [u8]) -> Self {
        Places { source, line: 1, start: 0 }
    }

    fn find(&mut self, at: usize) -> (usize, usize) {
        if at < self.start {
            (self.line, self.start) = (1, 0);
        }
        let passed = self.source.get(self.start..at).unwrap_or_default();
        if let Some(last) = passed.iter().rposition(|&byte| byte == b'\n') {
            self.line += passed.iter().filter(|&&byte| byte == b'\n').count();
            self.start += last + 1;
        }
        (self.line, column(&self.source[self.start..], at - self.start))
    }
}

/// What is printed.
struct Report<W> {
    output: W,
    json: bool,
    refused: bool,
}

impl<W: Write> Report<W> {
    fn accepted(&mut self, line: usize) -> Result<(), Error> {
        match self.json {
            true => self.row(&Row { line, verdict: "accepted", column: None, statement: None, refusal: None }),
            false => Ok(self.output.write_all(b"accepted\n")?),
        }
    }

    fn found(&mut self, (line, column): (usize, usize), verdict: &'static str, mnemonic: &str) -> Result<(), Error> {
        if self.json {
            let column = Some(column);
            return self.row(&Row { line, verdict, column, statement: Some(mnemonic), refusal: None });
        }
        let rest = if verdict == "load" { "; loads are not judged" } else { "" };
        Ok(writeln!(self.output, "{verdict}: line {line}, column {column}: {}{rest}", printable(mnemonic))?)
    }

    fn refused(&mut self, (line, column): (usize, usize), refusal: &Refusal) -> Result<(), Error> {
        self.refused = true;
        let message = printable(&refusal.message);
        let clause = refusal.clause.id();
        if self.json {
            let reason = Reason { message, clause, fault: &refusal.fault, help: &refusal.help };
            let (verdict, column) = ("refused", Some(column));
            return self.row(&Row { line, verdict, column, statement: None, refusal: Some(reason) });
        }
        let gap = if refusal.help.is_empty() { "" } else { "; " };
        Ok(writeln!(self.output, "refused: line {line}, column {column}: {message} ({clause}){gap}{}", refusal.help)?)
    }

    fn row(&mut self, row: &Row<'_>) -> Result<(), Error> {
        serde_json::to_writer(&mut self.output, row).map_err(io::Error::from)?;
        Ok(self.output.write_all(b"\n")?)
    }
}

/// A line stays a line, whatever characters of the input it repeats.
fn printable(text: &str) -> Cow<'_, str> {
    let breaks = |c: char| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}');
    if text.contains(breaks) { text.replace(breaks, " ").into() } else { text.into() }
}
