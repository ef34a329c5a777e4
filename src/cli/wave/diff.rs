// SPDX-License-Identifier: MIT OR Apache-2.0
//! `gpu-lsu wave diff`: where two waves, or two logs, differ first.

use std::{
    fs::File,
    io::{Seek, Write},
    path::PathBuf,
    process::ExitCode,
};

use serde::Serialize;

use crate::{
    cli::{Error, Stdout, json_line, recorded, refused, report::count, tell, units},
    explain::words::wrap,
    judge::log::wave::WaveError,
    wave::compare::{By, CompareError, Comparison, Options, Radix, compare},
};

const EXAMPLES: &str = "\
A and B are waves, VCD or FST, of any design. Signals are matched by path and compared by value: the width of a \
number does not count, and an unknown bit differs from a known one. If one or both are logs (docs/log.md), the \
transfers of the unit's ports are compared, field by field.

Examples:
  gpu-lsu wave diff before.vcd after.fst
  gpu-lsu wave diff mine.vcd theirs.vcd \\
    --map top.lsu=tb.dut --ignore '*.u_debug.*'
  gpu-lsu wave diff a.vcd b.vcd --by time --radix bin --max 1
  gpu-lsu wave diff mine.jsonl theirs.jsonl --by transfer

Exit codes: 0 the same in all that was compared, 1 different, nothing was compared, or a file is refused, 2 a usage \
error, or a file that cannot be read or written";

/// Find where two waves or logs first differ, signal by signal
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
#[group(skip)]
pub struct Args {
    /// First wave or log
    a: PathBuf,
    /// Second wave or log
    b: PathBuf,
    /// Compare by cycle, time or transfer [default: cycle if both have clk_i or one is a log, otherwise time]
    #[arg(long, value_enum)]
    by: Option<By>,
    /// Leave out signals with this path; `*` stands for anything, `?` for one character
    #[arg(long, value_name = "GLOB")]
    ignore: Vec<String>,
    /// Map a signal or scope of the first wave to its path in the second
    #[arg(long, value_name = "A=B", value_parser = mapped)]
    map: Vec<(String, String)>,
    /// Treat an unknown bit (x, z) as equal to any bit
    #[arg(long)]
    x_matches: bool,
    /// Show only the first N differences
    #[arg(long, value_name = "N", default_value = "10", value_parser = units::positive::<u32>, allow_negative_numbers = true)]
    max: u32,
    /// Base of the numbers
    #[arg(long, value_enum, default_value = "hex")]
    radix: Radix,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Json<'a> {
    same: bool,
    #[serde(flatten)]
    found: &'a Comparison,
}

/// Nothing was compared.
#[derive(Serialize)]
struct Refused {
    same: bool,
    reason: String,
}

fn mapped(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((a, b)) if !a.is_empty() && !b.is_empty() => Ok((a.to_owned(), b.to_owned())),
        _ => Err("a path of the first wave and one of the second, such as top.lsu=tb.dut".to_owned()),
    }
}

const MAP: &str = "`--map A=B` says what a signal or a scope of the first wave is called in the second";

pub fn run(args: &Args) -> Result<ExitCode, Error> {
    // Both are looked at twice.
    if [&args.a, &args.b].iter().any(|path| path.as_os_str() == "-") {
        return Err(Error::Usage("`wave diff` takes no standard input: give the names of two files".to_owned()));
    }
    let is_pipe = |path: &&PathBuf| File::open(path).is_ok_and(|mut file| file.stream_position().is_err());
    if let Some(path) = [&args.a, &args.b].into_iter().find(is_pipe) {
        let name = path.display();
        return Err(Error::Usage(format!("`{name}` is a pipe, and each file is read twice: give the name of a file")));
    }
    let options = Options {
        by: args.by,
        ignore: args.ignore.clone(),
        map: args.map.clone(),
        x_matches: args.x_matches,
        max: args.max as usize,
        radix: args.radix,
    };
    let found = match compare(&args.a, &args.b, &options) {
        Ok(found) => found,
        Err(CompareError::Wave(WaveError::Open { path, error })) => {
            let hint = "give the names of two files that can be read";
            return Err(Error::Given { name: format!("`{}`", path.display()), error, hint });
        }
        Err(error @ (CompareError::NoTime | CompareError::OfWaves | CompareError::Map { .. })) => {
            return Err(Error::Usage(error.to_string()));
        }
        Err(error) => {
            let (text, hint) = match &error {
                CompareError::Wave(error) => recorded::no_wave(error, recorded::RUN),
                CompareError::Nothing { .. } => (error.to_string(), MAP),
                CompareError::Log { .. } => (error.to_string(), recorded::LOG),
                _ => (error.to_string(), ""),
            };
            match hint {
                "" => tell(&wrap(&format!("error: {text}"), 0)),
                hint => refused(&text, hint),
            }
            if !args.json {
                return Ok(ExitCode::FAILURE);
            }
            let mut output = Stdout::new();
            json_line(&mut output, &Refused { same: false, reason: text })?;
            return output.finish(1);
        }
    };
    let same = found.total == 0;
    if let Some(first) = found.differences.first() {
        let place = first.cycle.map_or_else(|| format!("time {}", first.at), |cycle| format!("cycle {cycle}"));
        tell(&format!("error: they differ, first in {place}: {}\n", first.signal));
    }
    let mut output = Stdout::new();
    if args.json {
        json_line(&mut output, &Json { same, found: &found })?;
    } else {
        text(&found, &mut output)?;
    }
    output.finish(u8::from(!same))
}

fn text(found: &Comparison, output: &mut impl Write) -> Result<(), Error> {
    for difference in &found.differences {
        let at = match difference.cycle {
            Some(cycle) if difference.at.is_empty() => format!("cycle {cycle}"),
            Some(cycle) => format!("cycle {cycle}, time {}", difference.at),
            None => format!("time {}", difference.at),
        };
        let other = difference.other.as_ref().map_or(String::new(), |other| format!(" ({other})"));
        write!(output, "{}", wrap(&format!("{at}: {}{other}", difference.signal), 4))?;
        write!(output, "{}", wrap(&format!("  A {}", difference.a), 4))?;
        write!(output, "{}", wrap(&format!("  B {}", difference.b), 4))?;
    }
    let rest = found.total - found.differences.len() as u64;
    if rest > 0 {
        writeln!(output, "and {} more", count(rest, "difference"))?;
    }
    let (signal, change) = if found.logs { ("port", "transfer") } else { ("signal", "change") };
    let (signals, changes) = (count(found.signals, signal), count(found.changes, change));
    let by = match found.by {
        By::Cycle => "by cycle",
        By::Time => "by time",
        By::Transfer => "by transfer",
    };
    let verdict = match found.total {
        0 => "the same".to_owned(),
        total => format!("{} in {}", count(total, "difference"), count(found.differing, signal)),
    };
    write!(output, "{}", wrap(&format!("{verdict}: {signals} compared, {changes}, {by}"), 2))?;
    let mut note = |text: String| write!(output, "{}", wrap(&format!("- {text}"), 2));
    if let Some(end) = &found.end {
        note(format!("{} ends first, with {}: nothing is compared after it", end.of, end.at))?;
    }
    if found.late > 0 {
        let (number, ends) = (count(found.late, signal), if found.late == 1 { "ends" } else { "end" });
        note(format!("{number} {ends} with two values: nothing is compared after the last edge of clk_i"))?;
    }
    if !found.without_value.is_empty() {
        let (number, names) = (found.without_value.len() as u64, listed(&found.without_value));
        note(format!("{} without a value in one of the two, not compared: {names}", count(number, signal)))?;
    }
    for (name, only) in [("A", &found.only_a), ("B", &found.only_b)] {
        if !only.is_empty() {
            note(format!("only {name} has {}: {}", count(only.len() as u64, "signal"), listed(only)))?;
        }
    }
    if found.ignored > 0 {
        note(format!("{} left out", count(found.ignored, signal)))?;
    }
    if let Some(first) = found.widths.first() {
        let (number, signal, a, b) = (count(found.widths.len() as u64, "signal"), &first.signal, first.a, first.b);
        note(format!("{number} of two widths, compared as numbers: {signal} has {a} bits in A and {b} in B"))?;
    }
    Ok(())
}

/// The first few names.
fn listed(names: &[String]) -> String {
    const SHOWN: usize = 4;
    let more = if names.len() > SHOWN { " ..." } else { "" };
    format!("{}{more}", names[..names.len().min(SHOWN)].join(", "))
}
