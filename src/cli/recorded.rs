// SPDX-License-Identifier: MIT OR Apache-2.0
//! A run that somebody recorded, as the commands that read one are given it: a log, or a wave of the ports.

use std::{
    fs::File,
    io::{self, BufRead, BufReader, Read},
    iter,
    num::NonZero,
    path::{Path, PathBuf},
    process::ExitCode,
};

use wellen::WellenError;

use super::{
    Error, clash,
    contract::{self, Asked},
    note, read_text, refusal, report, shared, units,
};
use crate::{
    explain::words::wrap,
    judge::{
        Judge, Promises,
        log::{
            lines::{Header, ReadError, Reader, Record},
            wave::{self, Cycles, Names, WaveError},
        },
    },
    op::{Ctrl, Shape},
    ports::{Channel, Direction, PORTS},
    program::Program,
    sets::text::unmarked,
};

/// What a capsule begins with.
const CAPSULE: &[u8] = b"# gpu-lsu capsule";

/// What the commands expect that read a run, and nothing else.
pub const RUN: &str = "neither a log nor a wave: JSON Lines, a VCD or an FST";

/// What to do about a log that is refused.
pub const LOG: &str = "docs/log.md has every line, `gpu-lsu layout` every field of a port";

/// Which run, and of which unit.
#[derive(Debug, clap::Args)]
#[group(skip)]
pub struct Args {
    /// A log (`-` for standard input), or a wave (VCD or FST)
    pub file: PathBuf,
    /// Scope of the wave that has the ports [default: the one that has most of them]
    #[arg(long, value_name = "SCOPE")]
    scope: Option<String>,
    /// Map a port to its name in the wave, or to a number if the design ties it; `*` in both stands for all ports
    #[arg(long, value_name = "PORT=NAME", value_parser = mapped)]
    map: Vec<(String, String)>,
    /// Read a wave that was sampled by the clock and has no clock itself. Each cycle is STEPS time steps; without a
    /// number, the most that divide the time between any two changes
    #[arg(long, value_name = "STEPS", num_args = 0..=1, require_equals = true, value_parser = units::at_least_one)]
    sampled: Option<Option<NonZero<u64>>>,
    /// Take the control registers from this program's header, for a wave without `ctrl_i`
    #[arg(long, value_name = "PROGRAM")]
    ctrl: Option<PathBuf>,
    /// Assume that nothing is in flight where a wave begins, though it does not begin in reset
    #[arg(long)]
    idle: bool,
    /// WARPS of the unit, which a wave does not show [default: 8]
    #[arg(long, value_name = "N", value_parser = units::whole::<usize>, allow_negative_numbers = true)]
    warps: Option<usize>,
    /// PENDING of the unit, which a wave does not show [default: 16]
    #[arg(long, value_name = "N", value_parser = units::whole::<usize>, allow_negative_numbers = true)]
    pending: Option<usize>,
    /// SHARED_BYTES of the unit, which a wave does not show [default: 32768]
    #[arg(long, value_name = "N", value_parser = units::whole::<usize>, allow_negative_numbers = true)]
    shared_bytes: Option<usize>,
    #[command(flatten)]
    pub contract: contract::Args,
}

/// The runs of a file.
pub struct Recorded {
    /// What the unit promises.
    pub asked: Asked,
    /// Parameters that a wave does not show and nobody told, with the values that they are taken to have.
    pub assumed: Vec<String>,
    /// What the command says of a wave's inputs.
    pub given: Vec<String>,
    pub records: Box<dyn Iterator<Item = Result<Record, ReadError>>>,
}

/// One of them.
pub struct Chosen {
    /// From 1.
    pub number: u64,
    pub record: Record,
    /// What its unit promises.
    pub promises: Promises,
    /// Which one, for messages.
    pub place: String,
    /// Of how many.
    pub runs: u64,
    /// The first of those judged in which nothing is compared.
    pub silent: Option<u64>,
    /// As of [`Recorded::assumed`].
    pub assumed: Vec<String>,
}

impl Args {
    /// The run that is asked for, else the first that fails, else the first; inside, the exit code of a refusal that was
    /// said. `expected` is as [`RUN`].
    ///
    /// # Errors
    ///
    /// When the file, or the contract, cannot be read, or is of another unit.
    pub fn choose(&self, asked_for: Option<u64>, expected: &str) -> Result<Result<Chosen, ExitCode>, Error> {
        let Recorded { asked, assumed, mut records, .. } = match self.open(expected)? {
            Ok(recorded) => recorded,
            Err(code) => return Ok(Err(code)),
        };
        let (mut kept, mut runs, mut silent) = (None, 0, None);
        for record in records.by_ref() {
            let record = match record {
                Ok(record) => record,
                Err(error) => return self.refused(error).map(Err),
            };
            runs += 1;
            if asked_for.is_some_and(|run| run != runs) {
                continue;
            }
            contract::check(asked.unit, record.header.unit)?;
            let promises = asked.over(record.header.contract);
            let verdict = || record.judge(&mut Judge::new(&record.header.unit), promises);
            let wanted = asked_for.is_some()
                || match verdict() {
                    Ok(figures) if figures.comparisons == 0 => {
                        silent = silent.or(Some(runs));
                        false
                    }
                    verdict => verdict.is_err(),
                };
            if wanted || kept.is_none() {
                kept = Some((runs, record, promises));
            }
            if wanted {
                break;
            }
        }
        let Some((number, record, promises)) = kept else {
            let has = report::count(runs, "run");
            super::refused(
                &format!("there is no such run: {} has {has}", self.file.display()),
                "`--run` counts from 1",
            );
            // Without a number it is the log that has none.
            return Ok(Err(ExitCode::from(if asked_for.is_some() { 2 } else { 1 })));
        };
        // Those after it are only counted: what is wrong with their lines is not about this one.
        for record in records {
            runs += 1;
            if record.is_err() {
                break;
            }
        }
        let place = if runs > 1 { format!(", run {number} (line {})", record.line) } else { String::new() };
        Ok(Ok(Chosen { number, record, promises, place, runs, silent, assumed }))
    }

    /// Opens the file; inside, the exit code of a refusal that was said. `expected` is as [`RUN`].
    ///
    /// # Errors
    ///
    /// When it, or the contract, cannot be read.
    pub fn open(&self, expected: &str) -> Result<Result<Recorded, ExitCode>, Error> {
        let name = || format!("`{}`", self.file.display());
        clash::one_input([Some(&*self.file), self.contract.file(), self.ctrl.as_deref()].into_iter().flatten())?;
        let mut input = open(&self.file).map_err(|error| Error::Read { name: name(), error })?;
        let asked = self.contract.read()?;
        let first = input.fill_buf().map_err(|error| Error::Read { name: name(), error })?;
        // A VCD begins so, and an FST with a byte that is no text.
        let wave = |byte: &u8| *byte == b'$' || *byte < b'\t';
        if self.file == Path::new("-") && unmarked(first).trim_ascii_start().first().is_some_and(wave) {
            super::refused("standard input is read as a log, and this is a wave", "give the name of its file");
            return Ok(Err(ExitCode::FAILURE));
        }
        let is_log =
            self.file == Path::new("-") || unmarked(first).trim_ascii_start().starts_with(b"{") || first.is_empty();
        if !is_log {
            let ctrl = match self.ctrl.as_deref().map(control).transpose()? {
                Some(Err(code)) => return Ok(Err(code)),
                Some(Ok(ctrl)) => Some(ctrl),
                None => None,
            };
            return Ok(self.of_wave(&asked, ctrl, expected).map(|record| {
                let assumed = self.assumed(&asked, record.header.unit);
                let records = Box::new(iter::once(Ok(record)));
                Recorded { asked, assumed, given: self.given(), records }
            }));
        }
        if let Some(option) = self.of_waves() {
            let what =
                format!("`{option}` is for waves: a log's header says of which unit it is, and its lines say the rest");
            return Err(Error::Usage(what));
        }
        match Reader::new(input) {
            Ok(reader) => {
                let records = Box::new(reader);
                Ok(Ok(Recorded { asked, assumed: Vec::new(), given: Vec::new(), records }))
            }
            Err(error) => self.refused(error).map(Err),
        }
    }

    /// An option that says something of a wave, if one is given.
    pub fn of_waves(&self) -> Option<&'static str> {
        let given = [
            ("--scope", self.scope.is_some()),
            ("--map", !self.map.is_empty()),
            ("--sampled", self.sampled.is_some()),
            ("--ctrl", self.ctrl.is_some()),
            ("--idle", self.idle),
            ("--warps", self.warps.is_some()),
            ("--pending", self.pending.is_some()),
            ("--shared-bytes", self.shared_bytes.is_some()),
        ];
        given.into_iter().find_map(|(option, given)| given.then_some(option))
    }

    /// Says why a log is refused.
    ///
    /// # Errors
    ///
    /// When it is the file that cannot be read.
    pub fn refused(&self, error: ReadError) -> Result<ExitCode, Error> {
        match error {
            ReadError::Io(error) => Err(Error::Read { name: format!("`{}`", self.file.display()), error }),
            ReadError::Line { line, what } => {
                super::refused(&format!("{}, line {line}: {what}", self.file.display()), LOG);
                Ok(ExitCode::FAILURE)
            }
        }
    }

    /// What nobody told of the unit in a wave.
    fn assumed(&self, asked: &Asked, unit: Shape) -> Vec<String> {
        let told = &asked.unit;
        let all = [
            ("WARPS", unit.warps, self.warps.or(told.warps)),
            ("PENDING", unit.pending, self.pending.or(told.pending)),
            ("SHARED_BYTES", unit.shared_bytes, self.shared_bytes.or(told.shared_bytes)),
        ];
        let assumed = all.into_iter().filter(|(_, _, told)| told.is_none());
        assumed.map(|(name, value, _)| format!("{name} {value}")).collect()
    }

    /// What was said of inputs that a wave does not show.
    fn given(&self) -> Vec<String> {
        let ctrl = self.ctrl.iter().map(|path| format!("the control registers of {}", path.display()));
        let is_input =
            |name: &str| PORTS.iter().any(|(port, _)| port.name == name && port.direction == Direction::Input);
        let tied =
            self.map.iter().filter(|(port, value)| is_input(port) && value.starts_with(|c: char| c.is_ascii_digit()));
        ctrl.chain(tied.map(|(port, value)| format!("{port} {value}"))).collect()
    }

    /// A wave as a run; or the exit code of a refusal that was said.
    fn of_wave(&self, asked: &Asked, ctrl: Option<Ctrl>, expected: &str) -> Result<Record, ExitCode> {
        let refused = |text: &str, hint: &str| {
            super::refused(text, hint);
            ExitCode::FAILURE
        };
        let shown = self.file.display();
        if is_capsule(&self.file).is_ok_and(|is| is) {
            let hint = format!("`gpu-lsu replay {shown}` plays it, `gpu-lsu wave report {shown}` makes a page of it");
            return Err(refused(&format!("`{shown}` is a capsule, and neither a log nor a wave"), &hint));
        }
        let cycles = match self.sampled {
            None => Cycles::Edges,
            Some(None) => Cycles::Samples,
            Some(Some(steps)) => Cycles::Steps(steps),
        };
        let twice = |(place, (port, _)): &(usize, &(String, String))| {
            self.map[..*place].iter().any(|(before, _)| before == port)
        };
        if let Some((_, (port, _))) = self.map.iter().enumerate().find(twice) {
            refused(&format!("`--map` names `{port}` twice"), "a port has one name");
            return Err(ExitCode::from(2));
        }
        let promises = asked.over(Promises::OURS);
        let names = Names { scope: self.scope.clone(), map: self.map.clone(), cycles, idle: self.idle, promises };
        let mut wave = wave::read(&self.file, &names).map_err(|error| {
            let (text, hint) = no_wave(&error, expected);
            refused(&text, hint)
        })?;
        if let (Cycles::Samples, Some(steps)) = (cycles, wave.steps) {
            let (samples, steps) = (report::count(wave.cycles, "sample"), report::count(steps.get(), "time step"));
            let text =
                format!("note: {samples} of {steps} each, the most that all changes allow; --sampled=STEPS sets it");
            note(&wrap(&text, 2));
        }
        if wave.uneven {
            let text = "note: something changes within a sample: are the STEPS of --sampled those of a clock period?";
            note(&wrap(text, 2));
        }
        for (channel, what) in [(Channel::Data, "store data"), (Channel::WriteBack, "write-back")] {
            let of = PORTS.iter().map(|(port, _)| port).filter(|port| port.channel == channel);
            let (lacks, has): (Vec<_>, Vec<_>) = of.map(|port| port.name).partition(|name| wave.missing.contains(name));
            if !lacks.is_empty() && !has.is_empty() {
                let text = format!("note: no `{}` in `{}`: {what} is not judged", lacks.join("`, `"), wave.scope);
                note(&wrap(&text, 2));
            }
        }
        let lacks = wave.missing.contains(&PORTS.ctrl.name);
        if let Some(ctrl) = ctrl {
            if !lacks {
                let tied = self.map.iter().any(|(port, _)| port == PORTS.ctrl.name);
                let text = if tied {
                    "`--map` gives `ctrl_i` as well".to_owned()
                } else {
                    format!("`{shown}` has `ctrl_i` itself")
                };
                refused(&text, "`--ctrl` is for waves without it");
                return Err(ExitCode::from(2));
            }
            wave.log.begins_with(ctrl);
        } else if lacks {
            let hint = "`--ctrl` takes the control registers from a program; `--map ctrl_i=0` says that all are 0";
            return Err(refused(&format!("`{shown}` has no `ctrl_i`"), hint));
        }
        // What the command says counts most, then the contract, then the widths of the ports.
        let stated = asked.unit.over(Shape { line_bytes: wave.line_bytes, ..Shape::with_lanes(wave.lanes) });
        let shape = Shape {
            warps: self.warps.unwrap_or(stated.warps),
            pending: self.pending.unwrap_or(stated.pending),
            shared_bytes: self.shared_bytes.unwrap_or(stated.shared_bytes),
            lanes: wave.lanes,
            line_bytes: wave.line_bytes,
        };
        if let Some(problem) = shape.problem() {
            let code =
                refused(&problem, "`--warps`, `--pending` and `--shared-bytes` are those of the unit in the wave");
            let is_asked = self.warps.or(self.pending).or(self.shared_bytes).is_some();
            return Err(if is_asked { ExitCode::from(2) } else { code });
        }
        let scope = if wave.scope.is_empty() { String::new() } else { format!(" in {}", wave.scope) };
        let about = format!("{}{scope}", self.file.display());
        let header = Header { about, ..Header::new(shape) }.with_unseen(wave.log.unseen());
        Ok(Record { header, log: wave.log, line: 0, left_out: Vec::new() })
    }
}

/// The control registers that a program sets; inside, the exit code of a refusal that was said.
fn control(path: &Path) -> Result<Result<Ctrl, ExitCode>, Error> {
    let program = Program::header(&path.display().to_string(), &read_text(path)?);
    Ok(program.map(|program| program.ctrl).map_err(|error| {
        refusal::tell(&error);
        ExitCode::FAILURE
    }))
}

/// Why a file gives no wave, and what to do about it. `expected` is as [`RUN`].
pub fn no_wave(error: &WaveError, expected: &str) -> (String, &'static str) {
    const READ: &str = "docs/log.md says how a log is written, and how a wave is read";
    match error {
        WaveError::Malformed { path, message } if *message == WellenError::UnknownFileFormat.to_string() => {
            let shown = path.display();
            if is_capsule(path).is_ok_and(|is| is) {
                let hint = "`gpu-lsu replay` plays a capsule, `gpu-lsu wave report` makes a page of it";
                return (format!("`{shown}` is a capsule, and neither a log nor a wave"), hint);
            }
            (format!("`{shown}` is {expected} is expected"), READ)
        }
        WaveError::Open { error: why, .. } if why.kind() == io::ErrorKind::NotSeekable => {
            (error.to_string(), "a wave is no log, to be read from a pipe: give the name of its file")
        }
        WaveError::Malformed { .. } => (error.to_string(), "is the file whole? docs/log.md says how a wave is read"),
        _ => (error.to_string(), READ),
    }
}

/// Says which run it is, if there are others.
pub fn one_of(number: u64, runs: u64) {
    if runs > 1 {
        note(&format!("run {number} of {runs}: `--run` chooses another one\n"));
    }
}

/// Whether a file begins as a capsule does.
pub fn is_capsule(file: &Path) -> io::Result<bool> {
    let mut first = [0; CAPSULE.len()];
    let read = File::open(file)?.read(&mut first)?;
    Ok(first[..read] == *CAPSULE)
}

fn mapped(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some(("*", name)) if name.contains('*') => Ok(("*".to_owned(), name.to_owned())),
        Some(("*", _)) => Err("of all ports, a name with a `*` for each one's own, such as *=u_lsu_*".to_owned()),
        Some((port, "")) => Err(format!("a name for `{port}` is missing, such as clk_i=sys_clk")),
        Some((port, name)) if PORTS.iter().any(|(known, _)| known.name == port) => {
            Ok((port.to_owned(), name.to_owned()))
        }
        Some((port, _)) => Err(format!("`{port}` is no port: `gpu-lsu layout` lists them")),
        None => Err("a port and its name in the wave, such as clk_i=sys_clk".to_owned()),
    }
}

fn open(path: &Path) -> io::Result<Box<dyn BufRead>> {
    if path == Path::new("-") {
        return Ok(Box::new(BufReader::new(io::stdin())));
    }
    Ok(Box::new(BufReader::with_capacity(1 << 16, shared::open(path)?)))
}
