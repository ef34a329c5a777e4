// SPDX-License-Identifier: MIT OR Apache-2.0
//! `gpu-lsu run`: a program on RTL and model.

use std::{
    io::{self, BufWriter, Write},
    path::PathBuf,
    process::ExitCode,
};

use serde::Serialize;

use super::{Error, explain, report, units};
use crate::{
    cosim::{Bench, play, waves},
    op::Shape,
    program::Session,
};

const EXAMPLES: &str = "\
Examples:
  gpu-lsu run examples/spa5_worked.lsu
  gpu-lsu run examples/ptx_worked.lsu
  gpu-lsu run examples/sm5_worked.lsu
  gpu-lsu run examples/spa5_shared.lsu --vcd shared.vcd && gtkwave shared.vcd
  gpu-lsu run --json - < examples/spa5_saxpy.lsu

Exit codes: 0 RTL and model agree, 1 they do not or the program is refused, 2 usage";

/// Play a program on RTL and model: lanes, memory, faults
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
#[group(skip)]
pub struct Args {
    /// The program, `-` for standard input
    file: PathBuf,
    /// The unit's lanes: the program's choice, or 32
    #[arg(long, value_parser = units::lanes())]
    lanes: Option<usize>,
    /// Write the RTL's waves to this file, and what the model expects beside them
    #[arg(long, value_name = "FILE")]
    vcd: Option<PathBuf>,
    /// One JSON object for each instruction, and one for the verdict
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Verdict {
    agrees: bool,
    operations: u64,
    cycles: u64,
    requests: u64,
    comparisons: u64,
}

pub fn run(args: &Args) -> Result<ExitCode, Error> {
    let text = super::read_text(&args.file)?;
    let program = match crate::program::Program::parse(&args.file.display().to_string(), &text) {
        Ok(program) => program,
        Err(error) => {
            super::tell(&format!("{:?}", miette::Report::new(error)));
            return Ok(ExitCode::FAILURE);
        }
    };
    let lanes = args.lanes.or(program.lanes).unwrap_or(32);
    if let Some(asked) = program.lanes.filter(|&asked| asked != lanes) {
        return Err(Error::Usage(format!("the program asks for {asked} lanes, `--lanes` for {lanes}")));
    }
    if program.steps.is_empty() {
        super::tell("error: the program holds no instruction\n");
        return Ok(ExitCode::FAILURE);
    }
    let shape = Shape::with_lanes(lanes);
    let case = play::case(&program, &shape);
    let mut bench = Bench::new(lanes)?;
    let result = match &args.vcd {
        Some(path) => waves::run(&mut bench, &case, path)?,
        None => bench.run(&case),
    };

    let mut output = BufWriter::new(io::stdout().lock());
    explain::every_step(&program, lanes, args.json, &mut output)?;
    if !args.json {
        memory(&program, shape, &mut output)?;
    }
    let code = match result {
        Ok(figures) => {
            let (operations, cycles, requests) = (figures.operations, figures.cycles, figures.requests);
            if args.json {
                let comparisons = figures.comparisons;
                let verdict = Verdict { agrees: true, operations, cycles, requests, comparisons };
                super::json_line(&mut output, &verdict)?;
            } else {
                writeln!(
                    output,
                    "\nRTL and model agree: {operations} operations, {requests} requests, {cycles} cycles"
                )?;
            }
            ExitCode::SUCCESS
        }
        Err(mismatch) => {
            if args.json {
                super::json_line(&mut output, &report::json(&case, &mismatch))?;
            } else {
                write!(output, "\n{}", report::paragraph(&case, &mismatch))?;
            }
            ExitCode::FAILURE
        }
    };
    output.flush()?;
    for hint in program.hints() {
        super::tell(&format!("\nhint: {hint}\n"));
    }
    if let Some(path) = &args.vcd {
        super::tell(&format!("wave written to {}\n", path.display()));
    }
    Ok(code)
}

/// What memory holds in the end, where the program stored to it.
fn memory(program: &crate::program::Program, shape: Shape, output: &mut impl Write) -> Result<(), Error> {
    let mut session = Session::new(program, shape);
    let mut stored = std::collections::BTreeSet::new();
    for step in &program.steps {
        let executed = session.step(step);
        for (line, byte_enable) in executed.written {
            let rows = (0..8).filter(|row| byte_enable >> (16 * row) & 0xffff != 0);
            stored.extend(rows.map(|row| line + 16 * row as u64));
        }
    }
    if stored.is_empty() {
        return Ok(());
    }
    writeln!(output, "\nMemory that was stored to:")?;
    for row in stored {
        let bytes: Vec<String> = (0..16).map(|i| format!("{:02x}", session.memory.byte(row + i))).collect();
        writeln!(output, "  {row:#012x}  {}  {}", bytes[..8].join(" "), bytes[8..].join(" "))?;
    }
    Ok(())
}
