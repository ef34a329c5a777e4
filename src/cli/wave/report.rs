// SPDX-License-Identifier: MIT OR Apache-2.0
//! `gpu-lsu wave report`: one page that explains a run.

use std::{
    fs::File,
    io::{self, BufRead, BufReader, Write},
    path::{Path, PathBuf},
    process::ExitCode,
};

use crate::{
    cli::{Error, Stdout, contract, judge, report, tell},
    explain::words::wrap,
    judge::{
        Judge,
        log::{
            lines::{Header, ReadError, Reader, Record},
            wave::{self, Names},
        },
    },
    op::Shape,
    output::Output,
    sets::text::{MARK, unmarked},
    wave::page::{self, Run, Watched},
};

const EXAMPLES: &str = "\
FILE is a capsule that `verify` wrote, a log (docs/log.md), or a wave of the unit's ports, VCD or FST. The page is one \
file that opens in a browser without a network; docs/page.md says what it shows.

Examples:
  gpu-lsu verify || gpu-lsu wave report gpu-lsu.capsule
  gpu-lsu run examples/r700_clamp.lsu --log run.jsonl && gpu-lsu wave report run.jsonl
  gpu-lsu wave report sim.vcd --scope tb.dut -o sim.html

Exit codes: 0 the unit agrees with the model, 1 it does not, nothing was compared, or the file is refused, 2 usage, or \
the page cannot be written";

/// Write a page that explains a run: its wave, its operations lane by lane, and what went wrong
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
#[group(skip)]
pub struct Args {
    /// A capsule, a log, or a wave; `-` is standard input, which is no wave
    file: PathBuf,
    /// Where the page goes, `-` for standard output [default: the file's name with .html]
    #[arg(short, long, value_name = "PAGE")]
    output: Option<PathBuf>,
    /// Of a log with several runs, this one, from 1 [default: the first that fails, or the first]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    run: Option<u64>,
    /// The scope of a wave that has the ports; without it, the one that has most of them
    #[arg(long, value_name = "SCOPE")]
    scope: Option<String>,
    #[command(flatten)]
    contract: contract::Args,
    #[cfg(feature = "rtl")]
    #[command(flatten)]
    unit: crate::cli::unit::Args,
}

/// What a command writes to.
enum Sink {
    File(Output, PathBuf),
    Standard(Stdout),
}

pub fn run(args: &Args) -> Result<ExitCode, Error> {
    // A page that has no place to go is told before anything runs.
    let sink = Sink::open(args)?;
    let name = || format!("`{}`", args.file.display());
    let mut input = open(&args.file).map_err(|error| Error::Read { name: name(), error })?;
    let first = unmarked(input.fill_buf().map_err(|error| Error::Read { name: name(), error })?).trim_ascii_start();
    if first.starts_with(b"# gpu-lsu capsule") {
        return capsule(args, input, sink);
    }
    if first.starts_with(b"{") || first.is_empty() || args.file == Path::new("-") {
        return log(args, input, sink);
    }
    match of_wave(args) {
        Ok(record) => page(args, &record, "", sink),
        Err(code) => Ok(code),
    }
}

/// A log: its run that fails, or the one that was asked for.
fn log(args: &Args, input: Box<dyn BufRead>, sink: Sink) -> Result<ExitCode, Error> {
    let mut reader = match Reader::new(input) {
        Ok(reader) => reader,
        Err(error) => return refused(args, error),
    };
    let asked = args.contract.read()?;
    let mut kept: Option<(u64, Record)> = None;
    let mut runs = 0;
    for record in &mut reader {
        let record = match record {
            Ok(record) => record,
            Err(error) => return refused(args, error),
        };
        runs += 1;
        match args.run {
            Some(run) if run == runs => {
                kept = Some((runs, record));
                break;
            }
            Some(_) => continue,
            None => {}
        }
        // A page has room for one run: the first that fails.
        asked.unit.check(record.header.unit)?;
        let promises = asked.over(record.header.contract);
        let fails = record.judge(&mut Judge::new(&record.header.unit), promises).is_err();
        if fails || kept.is_none() {
            kept = Some((runs, record));
        }
        if fails {
            break;
        }
    }
    let Some((run, record)) = kept else {
        let what = format!("{} has {}", args.file.display(), report::count(runs, "run"));
        tell(&format!("error: {what}\nhint: `--run` counts from 1\n"));
        return Ok(ExitCode::FAILURE);
    };
    let place = if runs > 1 { format!(", run {run} (line {})", record.line) } else { String::new() };
    page(args, &record, &place, sink)
}

/// A capsule, which is played again.
#[cfg(feature = "rtl")]
fn capsule(args: &Args, mut input: Box<dyn BufRead>, sink: Sink) -> Result<ExitCode, Error> {
    use crate::{
        cli::{replay, unit::Unit},
        cosim,
    };
    let mut text = String::new();
    let name = || format!("`{}`", args.file.display());
    input.read_to_string(&mut text).map_err(|error| Error::Read { name: name(), error })?;
    let text = text.trim_start_matches(MARK);
    let Some(capsule) = replay::read(&args.file, text) else { return Ok(ExitCode::FAILURE) };
    let unit = Unit::of(args.unit, capsule.case.shape)?;
    let mut bench = unit.bench()?;
    bench.promise(args.contract.of(unit.shape, capsule.promises)?);
    let (name, about) = (args.file.display().to_string(), format!("seed {}, block {}", capsule.seed, capsule.block));
    let mut page = Vec::new();
    let rtl = Some(unit.rtl.clone());
    let verdict = cosim::page::write(&mut bench, &capsule.case, (&name, about), rtl, &mut page)?;
    if let Err(mismatch) = &verdict {
        tell(&report::line("RTL", mismatch, ""));
    }
    sink.page(|out| out.write_all(&page), u8::from(verdict.is_err()))
}

#[cfg(not(feature = "rtl"))]
fn capsule(args: &Args, _: Box<dyn BufRead>, _: Sink) -> Result<ExitCode, Error> {
    let what = format!("{} is a capsule, and this program was built without the unit to play it", args.file.display());
    tell(&format!("error: {what}\nhint: build it with the feature `rtl`, which is a default\n"));
    Ok(ExitCode::FAILURE)
}

impl Sink {
    fn open(args: &Args) -> Result<Self, Error> {
        let path = match &args.output {
            Some(path) if path == Path::new("-") => return Ok(Sink::Standard(Stdout::new())),
            Some(path) => path.clone(),
            None if args.file == Path::new("-") => {
                return Err(Error::Usage("standard input has no name: say with `-o` where the page goes".to_owned()));
            }
            None => args.file.with_extension("html"),
        };
        let failed = |error| Error::Output { name: format!("`{}`", path.display()), error };
        let output = Output::create(&path).map_err(failed)?;
        Ok(Sink::File(output, path))
    }

    /// Writes a page about a verdict; its exit code.
    fn page(self, write: impl FnOnce(&mut dyn Write) -> io::Result<()>, code: u8) -> Result<ExitCode, Error> {
        match self {
            Sink::Standard(mut stdout) => {
                write(&mut stdout)?;
                stdout.finish(code)
            }
            Sink::File(mut output, path) => {
                let written = write(&mut output).and_then(|()| output.finish());
                match written {
                    Ok(()) => tell(&format!("page written to {}\n", path.display())),
                    // A mismatch is 1 whatever becomes of files.
                    Err(error) if code == 0 => {
                        return Err(Error::Output { name: format!("`{}`", path.display()), error });
                    }
                    Err(error) => {
                        crate::cli::say(&Error::Output { name: format!("`{}`", path.display()), error });
                    }
                }
                Ok(ExitCode::from(code))
            }
        }
    }
}

/// Judges a run, says what came of it, and writes its page.
fn page(args: &Args, record: &Record, place: &str, sink: Sink) -> Result<ExitCode, Error> {
    let Record { header, log, .. } = record;
    let asked = args.contract.read()?;
    asked.unit.check(header.unit)?;
    let promises = asked.over(header.contract);
    let (mut judge, mut watched) = (Judge::new(&header.unit), Watched::new(log));
    let verdict = record.watched(&mut judge, promises, &mut watched);
    if let Err(mismatch) = &verdict {
        tell(&report::line("unit", mismatch, place));
    }
    let figures = verdict.as_ref().copied().unwrap_or_default();
    let (coverage, not_judged) = (judge.coverage().rows(None), judge::gaps(record, figures, promises.unjudged()));
    let name = args.file.display().to_string();
    let run = Run { name: &name, record, verdict: &verdict, coverage: &coverage, not_judged: &not_judged };
    let agrees = figures.comparisons > 0;
    if verdict.is_ok() && !agrees {
        tell("error: nothing was compared: the log shows no operation to its end\n");
    }
    sink.page(|mut out| page::write(&run, &watched, &mut out), u8::from(!agrees))
}

fn of_wave(args: &Args) -> Result<Record, ExitCode> {
    let refused = |text: &str, hint: &str| {
        tell(&format!("{}\nhint: {hint}\n", wrap(&format!("error: {text}"), 0)));
        ExitCode::FAILURE
    };
    let names = Names { scope: args.scope.clone(), ..Names::default() };
    let wave = wave::read(&args.file, &names)
        .map_err(|error| refused(&error.to_string(), "docs/log.md says how a wave is read"))?;
    let shape = Shape { line_bytes: wave.line_bytes, ..Shape::with_lanes(wave.lanes) };
    let about = format!("{}", args.file.display());
    let header = Header { about, ..Header::new(shape) }.with_unseen(wave.log.unseen());
    Ok(Record { header, log: wave.log, line: 0 })
}

fn open(path: &Path) -> io::Result<Box<dyn BufRead>> {
    if path == Path::new("-") {
        return Ok(Box::new(BufReader::new(io::stdin())));
    }
    Ok(Box::new(BufReader::with_capacity(1 << 16, File::open(path)?)))
}

fn refused(args: &Args, error: ReadError) -> Result<ExitCode, Error> {
    match error {
        ReadError::Io(error) => Err(Error::Read { name: format!("`{}`", args.file.display()), error }),
        ReadError::Line { line, what } => {
            let text = wrap(&format!("error: {}, line {line}: {what}", args.file.display()), 0);
            tell(&format!("{text}\nhint: docs/log.md has every line, `gpu-lsu layout` every field of a port\n"));
            Ok(ExitCode::FAILURE)
        }
    }
}
