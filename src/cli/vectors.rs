// SPDX-License-Identifier: MIT OR Apache-2.0
//! `gpu-lsu vectors`: test vectors, and a bench that plays them.

use std::{
    io::Write,
    path::{Path, PathBuf},
    process::ExitCode,
    sync::atomic::AtomicBool,
};

use clap::builder::{PossibleValuesParser, TypedValueParser};
use serde::Serialize;

use super::{Error, Stdout, note, refusal, refused, signals::Signals, tell, units};
use crate::{
    cosim::{capsule::Capsule, case::Case, play},
    explain::words::{count, wrap},
    judge::{Mismatch, log::lines::Reader},
    op::Shape,
    program::Program,
    sets::Isa,
    vectors::{
        Set, choose,
        expect::Builder,
        folder::{self, FolderError},
        format::Format,
        judged,
        manifest::{Manifest, Source},
        source,
    },
};

mod explain;

const EXAMPLES: &str = "\
The folder appears whole or not at all. It holds tables of words for simulators and FPGA tools, and manifest.json, \
which describes each table and each vector. The expected results come from the model. From a campaign, the operations \
that together hit the most bins become vectors; if they load from the scratchpad, stores that fill it come before \
them.

Examples:
  gpu-lsu vectors --isa r700 --ops 64 --seed 1 --lanes 4 --line-bytes 32 \\
    --warps 2 --pending 8 --shared-bytes 1024 --bench --out vectors
  scripts/synth netlist lsu.v && cd vectors        # a netlist of these sizes
  iverilog -g2005 -DNETLIST -s lsu_vectors_tb -o play bench.v ../lsu.v && \\
    vvp -n play
  gpu-lsu vectors explain vectors --vector 17
  gpu-lsu vectors --lanes 4 --depth 512 --format mem,coe,mif --out tables
  gpu-lsu vectors examples/r700_worked.lsu --out worked

Exit codes: 0 the folder is written, 1 the file is refused, or the folder is not empty, 2 a usage error, or DIR \
is no folder or cannot be written, 130, 143 or 129 interrupted";

/// Write test vectors for any simulator and for boards
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES, args_conflicts_with_subcommands = true)]
#[group(skip)]
pub struct Args {
    #[command(subcommand)]
    explain: Option<Command>,
    /// A program, capsule or log whose operations become vectors [default: those of a campaign]
    #[arg(value_name = "FILE", conflicts_with_all = ["isa", "ops", "seed"])]
    file: Option<PathBuf>,
    /// Use this run of a log with several runs, counted from 1
    #[arg(long, value_name = "N", default_value = "1", value_parser = units::positive::<u64>, allow_negative_numbers = true)]
    run: u64,
    /// Instruction set of the campaign [default: all, in turn and together]
    #[arg(long)]
    isa: Option<Isa>,
    /// Number of operations of the campaign, such as 64 or 10k
    #[arg(long, value_name = "N", value_parser = units::operations, default_value = "64", allow_negative_numbers = true)]
    ops: u64,
    /// Seed for everything random [default: GPU_LSU_SEED, or a new one]
    #[arg(long, value_name = "SEED", value_parser = units::seed, allow_negative_numbers = true)]
    seed: Option<u64>,
    /// Write the vectors to this folder, which must be new or empty
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Number of lanes in the unit (LANES); a log or a capsule states its own unit
    #[arg(long, value_parser = units::lanes())]
    lanes: Option<usize>,
    /// Number of bytes in a line of the memory port (LINE_BYTES) [default: 128]
    #[arg(long, value_name = "N", value_parser = line_bytes())]
    line_bytes: Option<usize>,
    /// WARPS of the unit [default: 8]
    #[arg(long, value_name = "N", value_parser = units::whole::<usize>, allow_negative_numbers = true)]
    warps: Option<usize>,
    /// PENDING of the unit [default: 16]
    #[arg(long, value_name = "N", value_parser = units::whole::<usize>, allow_negative_numbers = true)]
    pending: Option<usize>,
    /// SHARED_BYTES of the unit [default: 32768]
    #[arg(long, value_name = "N", value_parser = units::whole::<usize>, allow_negative_numbers = true)]
    shared_bytes: Option<usize>,
    /// File formats of the tables, separated by commas
    #[arg(long, value_delimiter = ',', default_value = "mem")]
    format: Vec<Format>,
    /// Split each table into files of this many words, to fit a block RAM: `op.0.mem`, `op.1.mem`
    #[arg(long, value_name = "WORDS", value_parser = units::positive::<u32>, allow_negative_numbers = true)]
    depth: Option<u32>,
    /// Also write a self-checking bench, bench.v, in plain Verilog
    #[arg(long)]
    bench: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    Explain(explain::Args),
}

fn line_bytes() -> impl TypedValueParser<Value = usize> {
    PossibleValuesParser::new(["32", "64", "128"]).map(|text| text.parse().unwrap_or(128))
}

/// What was written.
#[derive(Serialize)]
struct Summary {
    vectors: usize,
    operations: usize,
    requests: usize,
    bins: usize,
    hit: usize,
    /// Of a campaign.
    #[serde(skip_serializing_if = "Option::is_none")]
    seed: Option<String>,
    unit: Shape,
    out: PathBuf,
}

pub fn run(args: &Args) -> Result<ExitCode, Error> {
    if let Some(Command::Explain(args)) = &args.explain {
        return explain::run(args);
    }
    let Some(out) = &args.out else {
        return Err(Error::Usage("vectors go to a folder: give one with `--out DIR`".to_owned()));
    };
    let twice = |(place, format): (usize, &Format)| args.format[..place].contains(format);
    if args.format.iter().enumerate().any(twice) {
        return Err(Error::Usage("`--format` names each format once".to_owned()));
    }
    if args.bench && !args.format.contains(&Format::Mem) {
        return Err(Error::Usage("the bench reads .mem files: `--bench` goes with `--format mem`".to_owned()));
    }
    if let Err(error) = folder::free(out) {
        return Ok(refuse(&error));
    }
    let usual = Shape::default();
    let shape = Shape {
        lanes: args.lanes.unwrap_or(usual.lanes),
        line_bytes: args.line_bytes.unwrap_or(usual.line_bytes),
        warps: args.warps.unwrap_or(usual.warps),
        pending: args.pending.unwrap_or(usual.pending),
        shared_bytes: args.shared_bytes.unwrap_or(usual.shared_bytes),
    };
    if let Some(problem) = shape.problem() {
        return Err(Error::Usage(problem));
    }
    let signals = Signals::listen(|code| ("ended at the second signal\n".to_owned(), code));
    let (set, source) = match &args.file {
        Some(file) => match of_file(file, args, shape)? {
            Some(made) => made,
            None => return Ok(ExitCode::FAILURE),
        },
        None => {
            let seed = args.seed.map_or_else(units::drawn_seed, Ok)?;
            note(&format!("seed {seed:#x}\n"));
            let set = match of_campaign(args, seed, &shape, signals.stop()) {
                Ok(set) => set,
                Err(mismatch) => return Ok(defect(&mismatch)),
            };
            (set, Source { about: about(args, seed), isa: args.isa, seed: Some(seed) })
        }
    };
    let coverage = match judged::judge(&set) {
        Ok(coverage) => coverage,
        Err(mismatch) => return Ok(defect(&mismatch)),
    };
    let rows = coverage.rows(None);
    let mut manifest = Manifest::new(&set, source, &rows);
    let depth = args.depth.map(|depth| depth as usize);
    let plan = folder::Plan { formats: &args.format, depth, bench: args.bench, stop: signals.stop() };
    match folder::write(out, &set, &mut manifest, &plan) {
        Ok(()) => {}
        Err(FolderError::Interrupted) => {
            tell("interrupted: nothing was written\n");
            return Ok(ExitCode::from(signals.code()));
        }
        Err(error) => return Ok(refuse(&error)),
    }
    let present: Vec<_> = rows.iter().filter(|row| set.vectors.iter().any(|v| v.issue.op.rule() == row.rule)).collect();
    let bins = present.iter().filter(|row| !row.clause.starts_with("PORT-")).map(|row| row.bins).sum();
    let summary = Summary {
        vectors: set.vectors.len(),
        operations: set.operations(),
        requests: set.vectors.iter().map(|vector| vector.requests.len() + vector.seconds.len()).sum(),
        bins,
        hit: coverage.bits().count(),
        seed: manifest.source.seed.map(|seed| format!("{seed:#x}")),
        unit: set.shape,
        out: out.clone(),
    };
    let mut output = Stdout::new();
    if args.json {
        super::json_line(&mut output, &summary)?;
    } else {
        write!(output, "{}", text(&summary, &manifest))?;
    }
    output.finish(0)
}

impl Args {
    /// What says of which unit it is does so alone.
    fn refuse_shape(&self, what: &str) -> Result<(), Error> {
        let given = [
            ("--lanes", self.lanes),
            ("--line-bytes", self.line_bytes),
            ("--warps", self.warps),
            ("--pending", self.pending),
            ("--shared-bytes", self.shared_bytes),
        ];
        match given.into_iter().find(|(_, value)| value.is_some()) {
            Some((option, _)) => {
                Err(Error::Usage(format!("`{option}` is for programs and campaigns: {what} says of which unit it is")))
            }
            None => Ok(()),
        }
    }
}

fn text(summary: &Summary, manifest: &Manifest) -> String {
    let Summary { vectors, operations, requests, bins, hit, unit, out, .. } = summary;
    let (number, place) = (count(*vectors, "vector"), out.display());
    let mut text = wrap(&format!("{number} in {place}: {}, {unit}", manifest.source.about), 2);
    if vectors > operations {
        let fill = if vectors - operations == 1 { "fills" } else { "fill" };
        text += &format!("{} of them {fill} the scratchpad for the others\n", vectors - operations);
    }
    text += &format!("{}; {hit} of {bins} bins of what operations do\n", count(*requests, "request"));
    text
}

fn about(args: &Args, seed: u64) -> String {
    let isa = args.isa.map_or_else(|| "all instruction sets".to_owned(), |isa| isa.to_string());
    format!("campaign of {isa}, seed {seed:#x}")
}

fn of_campaign(args: &Args, seed: u64, shape: &Shape, stop: &AtomicBool) -> Result<Set, Box<Mismatch>> {
    let mut builder = Builder::new(*shape);
    choose::cases(args.isa, seed, args.ops, shape, stop)?.iter().for_each(|case| builder.add(case));
    Ok(builder.finish())
}

/// Nobody gets vectors that contradict a clause.
fn defect(mismatch: &Mismatch) -> ExitCode {
    tell(&format!("error: what is expected contradicts a clause, which is a defect of gpu-lsu: {mismatch}\n"));
    ExitCode::FAILURE
}

/// What a file holds; `None` has been told.
fn of_file(file: &Path, args: &Args, shape: Shape) -> Result<Option<(Set, Source)>, Error> {
    let name = file.display().to_string();
    let text = super::read_text(file)?;
    let refused = |what: String| {
        tell(&format!("error: {name}: {what}\n"));
        Ok(None)
    };
    let (cases, kind): (Vec<Case>, _) = if text.trim_start().starts_with('{') {
        args.refuse_shape("a log's header")?;
        let records = Reader::new(text.as_bytes()).and_then(|records| records.collect::<Result<Vec<_>, _>>());
        let records = match records {
            Ok(records) => records,
            Err(error) => return refused(error.to_string()),
        };
        let Some(record) = usize::try_from(args.run).ok().and_then(|run| records.get(run - 1)) else {
            let has = count(records.len() as u64, "run");
            return Err(Error::Usage(format!("{name}: there is no run {}: the log has {has}", args.run)));
        };
        if records.len() > 1 {
            note(&format!("run {} of {}: `--run` chooses another one\n", args.run, records.len()));
        }
        (source::of_log(record), "log")
    } else if Capsule::is(&text) {
        args.refuse_shape("a capsule")?;
        match Capsule::from_text(&text) {
            Ok(capsule) => (vec![source::of_capsule(&capsule)], "capsule"),
            Err(error) => return refused(error.to_string()),
        }
    } else {
        match Program::parse(&name, &text) {
            Ok(program) => {
                if let (Some(asked), Some(lanes)) = (program.lanes, args.lanes)
                    && asked != lanes
                {
                    return Err(Error::Usage(format!("the program asks for {asked} lanes, `--lanes` for {lanes}")));
                }
                let shape = Shape { lanes: program.lanes.unwrap_or(shape.lanes), ..shape };
                (vec![play::case(&program, &shape)], "program")
            }
            Err(error) => {
                refusal::tell(&error);
                return Ok(None);
            }
        }
    };
    let Some(first) = cases.iter().find(|case| !case.issues.is_empty()) else {
        return refused("it holds no operation".to_owned());
    };
    let shape = first.shape;
    let mut builder = Builder::new(shape);
    let mut memory = first.start();
    for case in &cases {
        if let Err(error) = case.check(&shape) {
            return refused(format!("it is not for this unit, {shape}: {error}"));
        }
        memory = builder.go_on(case, memory);
    }
    let about = format!("{kind} {}", file.file_name().unwrap_or_default().to_string_lossy());
    Ok(Some((builder.finish(), Source { about, ..Source::default() })))
}

/// Says why; what to do about it.
fn refuse(error: &FolderError) -> ExitCode {
    let hint = match error {
        FolderError::NotEmpty(_) | FolderError::NoFolder(_) => "give a folder that is not there yet, or empty",
        FolderError::Io { .. } => "give a folder where there is room and that can be written",
        FolderError::Manifest { .. } | FolderError::Changed { .. } => {
            "make the vectors again, with the seed they came from"
        }
        _ => "make the vectors again",
    };
    let verb = if matches!(error, FolderError::Io { .. }) { "cannot write " } else { "" };
    refused(&format!("{verb}{error}"), hint);
    match error {
        FolderError::Io { .. } | FolderError::NoFolder(_) => ExitCode::from(2),
        _ => ExitCode::FAILURE,
    }
}
