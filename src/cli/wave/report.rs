// SPDX-License-Identifier: MIT OR Apache-2.0
//! `gpu-lsu wave report`: one page that explains a run.

use std::{
    io::{self, Write},
    path::{Path, PathBuf},
    process::ExitCode,
};

use crate::{
    cli::{
        Error, Stdout, clash, judge, note,
        recorded::{self, Chosen, is_capsule},
        report, say, tell, units,
    },
    judge::Judge,
    output::{Output, is_somebodys},
    wave::page::{self as wave_page, Run, Watched},
};

const EXAMPLES: &str = "\
FILE is a capsule that `verify` wrote, a log (docs/log.md), or a wave of the unit's ports, VCD or FST. The page is a \
single file that opens in a browser without a network; docs/page.md describes what it shows.

Examples:
  gpu-lsu verify --capsule last.capsule || gpu-lsu wave report last.capsule
  gpu-lsu run examples/r700_clamp.lsu --log run.jsonl && \\
    gpu-lsu wave report run.jsonl
  gpu-lsu wave report sim.vcd --scope tb.dut -o sim.html

Exit codes: 0 the unit agrees with the model, 1 it does not, nothing was compared, or the file is refused, 2 a usage \
error, or the page cannot be written";

/// More than the other commands take that read a run.
const FILE: &str = "A capsule, a log (`-` for standard input), or a wave (VCD or FST)";

/// As [`recorded::RUN`], of this command.
const EXPECTED: &str = "neither a capsule nor a log nor a wave: what `verify` wrote, JSON Lines, a VCD or an FST";

/// Write a page that explains a run: its wave, its operations lane by lane, and what went wrong
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES, mut_arg("file", |file| file.help(FILE)))]
#[group(skip)]
pub struct Args {
    #[command(flatten)]
    recorded: recorded::Args,
    /// Write the page to this file, `-` for standard output [default: the file's name with .html, unless that is somebody's own]
    #[arg(short, long, value_name = "PAGE")]
    output: Option<PathBuf>,
    /// Use this run of a log with several runs, counted from 1 [default: the first that fails, or the first]
    #[arg(long, value_name = "N", value_parser = units::positive::<u64>, allow_negative_numbers = true)]
    run: Option<u64>,
    #[cfg(feature = "rtl")]
    #[command(flatten)]
    unit: crate::cli::unit::Args,
}

pub fn run(args: &Args) -> Result<ExitCode, Error> {
    // A page that has no place to go is told before anything runs.
    let sink = Sink::open(args)?;
    let file = &args.recorded.file;
    if file != Path::new("-") && is_capsule(file).map_err(|error| unreadable(file, error))? {
        if let Some(option) = args.recorded.of_waves() {
            return Err(Error::Usage(format!("`{option}` is for waves: a capsule says itself of which unit it is")));
        }
        if args.run.is_some() {
            return Err(Error::Usage("`--run` is for logs: a capsule is one run".to_owned()));
        }
        return capsule(args, sink);
    }
    #[cfg(feature = "rtl")]
    if args.unit.is_given() {
        return Err(Error::Usage("`--fault` is for capsules: what was recorded is not played again".to_owned()));
    }
    match args.recorded.choose(args.run, EXPECTED)? {
        Ok(chosen) => page(chosen, args, sink),
        Err(code) => Ok(code),
    }
}

fn unreadable(file: &Path, error: io::Error) -> Error {
    Error::Read { name: format!("`{}`", file.display()), error }
}

/// Where the page goes.
enum Sink {
    File(Output, PathBuf),
    Standard(Stdout),
}

impl Sink {
    fn open(args: &Args) -> Result<Self, Error> {
        let file = &args.recorded.file;
        let path = match &args.output {
            Some(path) if path == Path::new("-") => return Ok(Sink::Standard(Stdout::new())),
            Some(path) => path.clone(),
            None if file == Path::new("-") => {
                return Err(Error::Usage("standard input has no name: say with `-o` where the page goes".to_owned()));
            }
            None => file.with_extension("html"),
        };
        if args.output.is_none() && is_somebodys(&path, wave_page::beginning()) {
            let name = path.display();
            return Err(Error::Usage(format!("`{name}` is somebody's own: say with `-o` where the page goes")));
        }
        let read = [&**file].into_iter().chain(args.recorded.contract.file());
        clash::check(read, [("the page", path.clone())])?;
        let failed = |error| Error::Output { name: format!("`{}`", path.display()), error };
        Ok(Sink::File(Output::create(&path).map_err(failed)?, path))
    }

    /// Writes a page; `code` is the verdict's.
    fn page(self, write: impl FnOnce(&mut dyn Write) -> io::Result<()>, code: u8) -> Result<ExitCode, Error> {
        let (mut output, path) = match self {
            Sink::File(output, path) => (output, path),
            Sink::Standard(mut stdout) => {
                write(&mut stdout)?;
                return stdout.finish(code);
            }
        };
        match write(&mut output).and_then(|()| output.finish()) {
            Ok(()) => note(&format!("page written to {}\n", path.display())),
            Err(error) => {
                let error = Error::Output { name: format!("`{}`", path.display()), error };
                // A mismatch is 1 whatever becomes of files.
                if code == 0 {
                    return Err(error);
                }
                say(&error);
            }
        }
        Ok(ExitCode::from(code))
    }
}

/// Judges it, says what came of it, and writes its page.
fn page(chosen: Chosen, args: &Args, sink: Sink) -> Result<ExitCode, Error> {
    let Chosen { number, record, promises, place, runs, silent, assumed } = chosen;
    let (mut judge, mut watched) = (Judge::new(&record.header.unit), Watched::new(&record.log));
    let verdict = record.watched(&mut judge, promises, &mut watched);
    let figures = verdict.as_ref().copied().unwrap_or_default();
    let agrees = figures.comparisons > 0;
    match &verdict {
        Err(mismatch) => tell(&report::line("unit", mismatch, &place)),
        Ok(_) if !agrees => tell("error: nothing was compared: the log shows no operation to its end\n"),
        Ok(_) => {}
    }
    if let (Some(silent), true) = (silent, agrees) {
        tell(&format!("error: nothing was compared in run {silent}, which shows no operation to its end\n"));
    }
    recorded::one_of(number, runs);
    let coverage = judge.coverage().rows(None);
    let not_judged = judge::gaps(&record, figures, assumed, promises.unjudged());
    let mut name = args.recorded.file.display().to_string();
    if runs > 1 {
        name += &format!(", run {number} of {runs}");
    }
    let (record, verdict, coverage) = (&record, &verdict, &coverage);
    let run = Run { name: &name, record, verdict, coverage, not_judged: &not_judged, look: &[] };
    sink.page(|mut out| wave_page::write(&run, &watched, &mut out), u8::from(!agrees || silent.is_some()))
}

/// A capsule, which is played again.
#[cfg(feature = "rtl")]
fn capsule(args: &Args, sink: Sink) -> Result<ExitCode, Error> {
    use crate::{
        cli::{read_text, replay, unit::Unit},
        cosim,
    };
    let file = &args.recorded.file;
    let Some(capsule) = replay::read(file, &read_text(file)?) else { return Ok(ExitCode::FAILURE) };
    let unit = Unit::of(args.unit, capsule.case.shape)?;
    let mut bench = unit.bench()?;
    bench.promise(args.recorded.contract.of(unit.shape, capsule.promises)?);
    let written_for = capsule.mismatch.names();
    let about = format!("seed {:#x}, block {}, a capsule written for {written_for}", capsule.seed, capsule.block);
    let name = file.display().to_string();
    let mut page = Vec::new();
    let verdict = cosim::page::write(&mut bench, &capsule.case, (&name, about), Some(unit.rtl.clone()), &mut page)?;
    match &verdict {
        Ok(_) => note(&format!("RTL and model agree now; the capsule was written for {written_for}\n")),
        Err(mismatch) => tell(&report::line("RTL", mismatch, "")),
    }
    sink.page(|out| out.write_all(&page), u8::from(verdict.is_err()))
}

#[cfg(not(feature = "rtl"))]
fn capsule(args: &Args, _: Sink) -> Result<ExitCode, Error> {
    let file = args.recorded.file.display();
    let what = format!("{file} is a capsule, and this program was built without the unit to play it");
    crate::cli::refused(&what, "build it with the feature `rtl`, which is a default");
    Ok(ExitCode::FAILURE)
}
