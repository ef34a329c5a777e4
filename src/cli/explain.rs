// SPDX-License-Identifier: MIT OR Apache-2.0
//! `gpu-lsu explain`: what instructions do, lane by lane, and by which clauses. The model alone; no RTL.

use std::{fs, io::Write, path::Path, process::ExitCode};

use clap::{
    CommandFactory,
    builder::{PossibleValuesParser, TypedValueParser},
    error::ErrorKind,
};

use super::{Error, Stdout, note, refusal, shared::read_text, tell, units};
use crate::{
    explain::{
        Machine,
        words::{render, wrap},
    },
    op::{MAX_LANES, Shape},
    program::{Problem, Program, ProgramError},
    sets::Isa,
};

const EXAMPLES: &str = "\
The model executes a program in order, so a load sees what earlier stores left. Memory and registers that no line \
mentions are 0.

Examples:
  gpu-lsu explain --isa spa5 'ST.64 [R1+0x18], R4' \\
    --set 'alloc 0x1000 0x1000' --set 'R1 = 0x1000 + 8*lane'
  gpu-lsu explain --isa spa5 'LD R2, [R1], P0' \\
    --set 'R1 = 0x1000000 + 8*lane' --lane 3
  gpu-lsu explain --isa spa5 --json bca0000001870104
  gpu-lsu explain --isa r700 'c0822008 9202f00f' \\
    --set 'buffer scratch 0x10000 0x400 0x400' --set 'R1.x = 3*lane'
  gpu-lsu explain --isa ptx 'st.global.v2.b32 [%rd1+8], {%r2, 7};' \\
    --set 'alloc 0x1000 0x1000' --set '%rd1 = 0x1000 + 16*lane'
  gpu-lsu explain --isa sm5 'atomic_cmp_store u0, r0.x, l(0), r1.x' \\
    --set 'uav 0 raw 0x1000 0x40' --set 'r0.x = 4*lane' --set 'r1.x = lane'
  gpu-lsu explain examples/spa5_shared.lsu

Exit codes: 0 explained, 1 the instruction or the program is refused, 2 a usage error, or a file that cannot be read \
or written";

/// Explain what an instruction does, lane by lane, and which clauses apply
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Instruction set; a program names its own
    #[arg(long)]
    isa: Option<Isa>,
    /// Add a starting value or header line in the program format, such as `R1 = 0x1000 + 4*lane`; repeatable
    #[arg(long, value_name = "LINE")]
    set: Vec<String>,
    /// Number of lanes in the unit [default: the program's choice, or 32]
    #[arg(long, value_parser = PossibleValuesParser::new(["4", "8", "16", "32"]).try_map(|lanes| lanes.parse::<usize>()))]
    lanes: Option<usize>,
    /// Show only this lane, counted from 0
    #[arg(long, value_parser = units::whole::<usize>, allow_negative_numbers = true)]
    lane: Option<usize>,
    /// Print one JSON object per instruction
    #[arg(long)]
    json: bool,
    /// An instruction, its words in hexadecimal, a PTX statement, or a program (FILE.lsu)
    #[arg(value_name = "INSTRUCTION")]
    what: String,
}

pub fn run(args: &Args) -> Result<ExitCode, Error> {
    let is_file = Path::new(&args.what).extension().is_some_and(|extension| extension == "lsu")
        || fs::metadata(&args.what).is_ok_and(|found| !found.is_dir()); // also a pipe
    let program = if is_file { file(args)? } else { argument(args) };
    let program = match program {
        Ok(program) => program,
        Err(errors) => {
            for (number, error) in errors.iter().enumerate() {
                tell(if number == 0 { "" } else { "\n" });
                refusal::tell(error);
            }
            return Ok(ExitCode::FAILURE);
        }
    };
    if let Some(isa) = args.isa.filter(|&isa| isa != program.isa) {
        usage(
            ErrorKind::ArgumentConflict,
            format!("{} is a program of {}, `--isa` says {isa}", args.what, program.isa),
        );
    }
    let lanes = args.lanes.or(program.lanes).unwrap_or(MAX_LANES);
    if let Some(asked) = program.lanes.filter(|&asked| asked != lanes) {
        usage(ErrorKind::ArgumentConflict, format!("{} asks for {asked} lanes, `--lanes` for {lanes}", args.what));
    }
    if args.lane.is_some_and(|lane| lane >= lanes) {
        usage(ErrorKind::ValueValidation, format!("`--lane` is a lane of the {lanes}: 0 to {}", lanes - 1));
    }

    let mut output = Stdout::new();
    let unallocated = steps(&program, Shape::with_lanes(lanes), args.lane, args.json, is_file, &mut output)?;
    let code = output.finish(0)?;
    for hint in program.hints().into_iter().filter(|_| unallocated) {
        let option = if is_file { String::new() } else { format!(" Here: --set '{}'.", program.isa.memory()) };
        note(&format!("\n{}", wrap(&format!("hint: {hint}.{option}"), 6)));
    }
    Ok(code)
}

/// Explains every step of a program; says whether a lane left global memory.
#[cfg(feature = "rtl")]
pub fn every_step(program: &Program, shape: Shape, json: bool, output: &mut impl Write) -> Result<bool, Error> {
    steps(program, shape, None, json, true, output)
}

fn steps(
    program: &Program,
    shape: Shape,
    lane: Option<usize>,
    json: bool,
    is_file: bool,
    output: &mut impl Write,
) -> Result<bool, Error> {
    let mut machine = Machine::new(program, shape, lane);
    let mut unallocated = false;
    for (index, step) in program.steps.iter().enumerate() {
        let mut explanation = machine.play(step);
        unallocated |= explanation.leaves_memory();
        if is_file {
            (explanation.line, explanation.warp) = (Some(step.line), Some(step.warp));
        }
        if json {
            super::json_line(output, &explanation)?;
        } else {
            let gap = if index == 0 { "" } else { "\n\n" };
            write!(output, "{gap}{}", render(&explanation, step, program))?;
        }
    }
    Ok(unallocated)
}

fn usage(kind: ErrorKind, message: String) -> ! {
    let mut command = super::Cli::command();
    command.build();
    match command.find_subcommand_mut("explain") {
        Some(explain) => explain.error(kind, message).exit(),
        None => command.error(kind, message).exit(),
    }
}

type Parsed = Result<Program, Vec<ProgramError>>;

fn file(args: &Args) -> Result<Parsed, Error> {
    if !args.set.is_empty() {
        usage(ErrorKind::ArgumentConflict, "`--set` goes with an instruction; a program sets its own values".into());
    }
    let name = &args.what;
    // A program is given by its name alone.
    let text = read_text(Path::new(name)).map_err(|error| match error {
        Error::Read { name, error } => Error::Given { name, error, hint: "give the name of a readable program" },
        other => other,
    })?;
    Ok(Program::parse(name, &text).map_err(|error| vec![error]))
}

/// Makes a program of the arguments, each of them a line or more of it.
fn argument(args: &Args) -> Parsed {
    let Some(isa) = args.isa else {
        let what = &args.what;
        let is_name = !what.contains(char::is_whitespace);
        let no_file = match is_name {
            true if Path::new(what).is_dir() => format!("; `{what}` is a folder"),
            true => format!("; there is no file `{what}`"),
            false => String::new(),
        };
        let text = format!("`--isa` is needed to explain an instruction: `--isa spa5`{no_file}");
        usage(ErrorKind::MissingRequiredArgument, text);
    };
    // The format wants the header before the values; on a command line, the order is nobody's business.
    let (values, header): (Vec<_>, Vec<_>) = args.set.iter().partition(|line| line.contains('='));
    let sets = header.into_iter().chain(values).map(|line| ("--set", line.as_str()));

    let mut text = format!("isa {isa}\n");
    if let Some(lanes) = args.lanes {
        text += &format!("lanes {lanes}\n");
    }
    let mut parts = Vec::new();
    for (name, part) in sets.chain([("instruction", args.what.as_str())]) {
        parts.push((text.len(), name, part));
        text = text + part + "\n";
    }
    let problems = match Program::parse("the arguments", &text) {
        Ok(program) => match early(&program, &text, &parts) {
            None => return Ok(program),
            Some(problem) => vec![problem],
        },
        Err(error) => error.problems,
    };
    Err(problems.into_iter().map(|problem| in_argument(problem, &parts)).collect())
}

/// Where an argument starts in the program, its name and its text.
type Part<'a> = (usize, &'a str, &'a str);

/// An instruction among the starting values.
fn early(program: &Program, text: &str, parts: &[Part<'_>]) -> Option<Problem> {
    let &(last, ..) = parts.last()?;
    let line = program.steps.first()?.line;
    let start: usize = text.split_inclusive('\n').take(line - 1).map(str::len).sum();
    let length = text[start..].lines().next().map_or(0, str::len);
    (start < last).then(|| Problem {
        line,
        column: 1,
        span: start..start + length,
        message: "an instruction is no starting value".to_owned(),
        clause: None,
        help: "give the instruction without `--set`".to_owned(),
    })
}

/// A problem, in the argument that it is in.
fn in_argument(problem: Problem, parts: &[Part<'_>]) -> ProgramError {
    let at = problem.span.start;
    let &(start, name, text) = parts.iter().rfind(|part| part.0 <= at).unwrap_or(&(0, "", ""));
    let at = (at - start).min(text.len());
    let before = text.get(..at).unwrap_or(text);
    let line = before.rsplit('\n').next().unwrap_or(before);
    let problem = Problem {
        line: before.matches('\n').count() + 1,
        column: line.chars().count() + 1,
        span: at..(at + problem.span.len()).min(text.len()),
        ..problem
    };
    ProgramError { name: name.to_owned(), text: text.to_owned(), problems: vec![problem] }
}
