// SPDX-License-Identifier: MIT OR Apache-2.0
//! `gpu-lsu wave why`: who produced that byte, or that value, in the unit and in the model, and where they part.

use std::{io::Write, process::ExitCode};

use serde::Serialize;

use crate::{
    cli::{
        Error, Stdout, json_line, note,
        recorded::{self, Chosen},
        report, tell,
        units::{number, positive, whole},
    },
    explain::words::wrap,
    judge::{
        Judge,
        trail::{ByteTrail, Kept, PadTrail, Part, RegisterTrail, Source, Stored, Trail},
    },
    op::ADDR_WIDTH,
    ports::PORTS,
};

const EXAMPLES: &str = "\
FILE is a log in JSON Lines (docs/log.md), or a wave of the unit's ports, VCD or FST. The answer is a chain: the \
operation, the lane and its register, the request, memory's answer, and the byte or the beat. docs/why.md walks \
through one.

Examples:
  gpu-lsu run examples/spa5_saxpy.lsu --log run.jsonl && \\
    gpu-lsu wave why run.jsonl --byte 0x20000
  gpu-lsu wave why sim.vcd --scope tb.dut --byte 0x1004 --cycle 120
  gpu-lsu wave why run.jsonl --wb 0x05.3.0

Exit codes: 0 unit and model agree on it, 1 they do not, nobody ever wrote it, or the file is refused, 2 a usage \
error, or a file that cannot be read or written";

/// As clap has it, it is wider than a terminal.
const USAGE: &str = "\
gpu-lsu wave why [OPTIONS] --byte <ADDR> <FILE>
       gpu-lsu wave why [OPTIONS] --shared <OFFSET> <FILE>
       gpu-lsu wave why [OPTIONS] --wb <TAG.LANE.REG> <FILE>";

/// Trace who produced a byte of memory, or a value that was written back, and where unit and model part
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES, override_usage = USAGE)]
#[command(group(clap::ArgGroup::new("what").required(true).args(["byte", "shared", "wb"])))]
#[group(skip)]
pub struct Args {
    #[command(flatten)]
    recorded: recorded::Args,
    /// Trace the byte of memory at this address
    #[arg(long, value_name = "ADDR", value_parser = number, allow_negative_numbers = true)]
    byte: Option<u64>,
    /// Trace the byte of the scratchpad at this offset, in the model alone: no port shows what the scratchpad holds
    #[arg(long, value_name = "OFFSET", value_parser = number, allow_negative_numbers = true)]
    shared: Option<u64>,
    /// Trace what was written back to a register of a lane: the operation's tag, the lane, and the register's index in
    /// the operation
    #[arg(long, value_name = "TAG.LANE.REG", value_parser = written_back)]
    wb: Option<(u8, usize, usize)>,
    /// Trace the state after this cycle [default: at the end]
    #[arg(long, value_name = "N", value_parser = whole::<u64>, allow_negative_numbers = true)]
    cycle: Option<u64>,
    /// Use this run of a log with several runs, counted from 1 [default: the first that fails, or the first]
    #[arg(long, value_name = "N", value_parser = positive::<u64>, allow_negative_numbers = true)]
    run: Option<u64>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// What is found.
#[derive(Serialize)]
#[serde(untagged)]
enum Found {
    Byte { byte: Box<ByteTrail>, kept: Vec<Kept> },
    Shared { shared: PadTrail },
    Register { register: Box<RegisterTrail>, stored: Vec<Stored> },
}

#[derive(Serialize)]
struct Json<'a> {
    /// Unit and model, on what was asked for; none if the model's value is not known.
    agrees: Option<bool>,
    /// They do not, and the judge lets it pass.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    passes: bool,
    run: u64,
    #[serde(flatten)]
    found: &'a Found,
    /// What the judge says of the whole run.
    #[serde(skip_serializing_if = "Option::is_none")]
    mismatch: Option<report::Json<'a>>,
}

pub fn run(args: &Args) -> Result<ExitCode, Error> {
    let Chosen { number, record, promises, runs, .. } = match args.recorded.choose(args.run, recorded::RUN)? {
        Ok(chosen) => chosen,
        Err(code) => return Ok(code),
    };
    recorded::one_of(number, runs);
    let verdict = record.judge(&mut Judge::new(&record.header.unit), promises);
    let mismatch = verdict.as_ref().err().map(|mismatch| &**mismatch);
    let trail = Trail::new(&record, mismatch);
    let last = record.log.entries().last().map_or(0, |entry| entry.cycle);
    if let Some(cycle) = args.cycle.filter(|cycle| *cycle > last) {
        note(&format!("note: the run ends in cycle {last}, and `--cycle` is {cycle}\n"));
    }
    let found = match find(args, &trail) {
        Ok(found) => found,
        Err((code, text)) => {
            tell(&wrap(&format!("error: {text}"), 0));
            return Ok(ExitCode::from(code));
        }
    };
    let part = found.part();
    let agrees = if part.is_none() && found.is_open() { None } else { Some(part.is_none()) };
    // Where the judge finds nothing, whatever parts is left open by the contract, or not seen.
    let passes = agrees == Some(false) && mismatch.is_none();
    if let (Some(part), false) = (part, passes) {
        tell(&wrap(&format!("error: unit and model part at the {part}"), 0));
    }
    let mut output = Stdout::new();
    if args.json {
        let mismatch = mismatch.map(|mismatch| report::json(record.log.issues(), mismatch));
        let json = Json { agrees, passes, run: number, found: &found, mismatch };
        json_line(&mut output, &json)?;
    } else {
        let lines = found.text();
        for line in lines.lines() {
            let indent = line.len() - line.trim_start().len();
            write!(output, "{}", wrap(line, indent + 4))?;
        }
        if passes {
            let text = "the judge lets this pass: the contract leaves it open, or the log does not show all of it";
            write!(output, "{}", wrap(text, 4))?;
        }
        if agrees.is_none() {
            let text = "the log does not show whose data the store has; if nothing was in flight as a wave began, \
                        say so with `--idle`";
            write!(output, "{}", wrap(text, 4))?;
        }
        if let Some(mismatch) = mismatch {
            write!(output, "{}", wrap(&format!("the run's first divergence: {mismatch}"), 4))?;
        }
    }
    output.finish(u8::from(agrees != Some(true) && !passes))
}

/// What is asked for, or why there is nothing of it, with the exit code: 2 for what no log of this unit can have.
fn find(args: &Args, trail: &Trail<'_>) -> Result<Found, (u8, String)> {
    if let Some(addr) = args.byte {
        if addr >> ADDR_WIDTH != 0 {
            return Err((2, format!("an address has {ADDR_WIDTH} bits, and {addr:#x} has more")));
        }
        let (byte, kept) = (trail.byte(addr, args.cycle), trail.kept(addr, args.cycle));
        if byte.writes.is_empty() && kept.is_empty() {
            let until = args.cycle.map_or(String::new(), |cycle| format!(" up to cycle {cycle}"));
            let touched = touched(trail, addr, args.cycle);
            return Err((1, format!("nobody wrote byte {addr:#x}{until}, nor should have; {touched}")));
        }
        return Ok(Found::Byte { byte: Box::new(byte), kept });
    }
    if let Some(offset) = args.shared {
        let size = trail.record().header.unit.shared_bytes as u64;
        if offset >= size {
            return Err((2, format!("the scratchpad has {size:#x} bytes, and none at {offset:#x}")));
        }
        let shared = trail.shared(offset, args.cycle);
        if shared.writes.is_empty() {
            return Err((1, format!("nobody was seen to store byte {offset:#x} of the scratchpad")));
        }
        return Ok(Found::Shared { shared });
    }
    let (tag, lane, register) = args.wb.unwrap_or_default(); // clap wants one of the three
    let lanes = trail.record().header.unit.lanes;
    if lane >= lanes {
        return Err((2, format!("the unit has {lanes} lanes, 0 to {}, and no lane {lane}", lanes - 1)));
    }
    let registers = 1 << PORTS.wb_reg.width(&trail.record().header.unit);
    if register >= registers {
        return Err((2, format!("an operation has {registers} registers at most, and none is {register}")));
    }
    let Some(index) = trail.tagged(tag, args.cycle) else {
        let tags: Vec<_> = trail.tags().iter().map(|tag| format!("{tag:#04x}")).collect();
        return Err((1, format!("no operation has tag {tag:#04x}; there are {}", listed(&tags))));
    };
    let found = trail.register(index, lane, register, args.cycle);
    if let (Source::Nothing { why }, true) = (&found.source, found.beats.is_empty()) {
        return Err((1, format!("{}, lane {lane}: {why}, and nothing came back", found.op)));
    }
    let stored = trail.stored(&found);
    Ok(Found::Register { register: Box::new(found), stored })
}

/// The bytes that were written, the nearest to an address first.
fn touched(trail: &Trail<'_>, addr: u64, cycle: Option<u64>) -> String {
    let mut ranges = trail.touched();
    if ranges.is_empty() {
        return "the run writes nothing at all".to_owned();
    }
    ranges.sort_by_key(|&(first, end)| if addr < first { first - addr } else { addr.saturating_sub(end) });
    let ranges: Vec<_> =
        ranges.iter().map(|(first, end)| format!("{first:#x} to {:#x}", end.wrapping_sub(1))).collect();
    let until = if cycle.is_some() { "the whole run writes" } else { "written are" };
    format!("{until} {}", listed(&ranges))
}

/// The first few.
fn listed(all: &[String]) -> String {
    const SHOWN: usize = 8;
    let rest = all.len().saturating_sub(SHOWN);
    let more = if rest > 0 { format!(" and {rest} more") } else { String::new() };
    format!("{}{more}", all[..all.len().min(SHOWN)].join(", "))
}

impl Found {
    fn part(&self) -> Option<&Part> {
        match self {
            Found::Byte { byte, .. } => byte.parts.as_ref(),
            Found::Shared { .. } => None,
            Found::Register { register, .. } => register.parts.as_ref(),
        }
    }

    /// Whether it is not known what the model has.
    fn is_open(&self) -> bool {
        matches!(self, Found::Byte { byte, .. } if byte.model.is_none() && byte.unit.is_some())
    }

    fn text(&self) -> String {
        match self {
            Found::Byte { byte, kept } => {
                let head = if kept.is_empty() { "" } else { "lanes that come here and do not store:\n" };
                // Lanes of one operation stand together.
                let by_op = kept.chunk_by(|one, next| one.op == next.op);
                by_op.fold(format!("{byte}{head}"), |text, lanes| {
                    let lanes_text: String = lanes.iter().map(ToString::to_string).collect();
                    format!("{text}{}\n{lanes_text}", lanes[0].op)
                })
            }
            Found::Shared { shared } => shared.to_string(),
            Found::Register { register, stored } => {
                stored.iter().fold(register.to_string(), |text, stored| text + &stored.to_string())
            }
        }
    }
}

/// A tag, a lane and a register.
fn written_back(text: &str) -> Result<(u8, usize, usize), String> {
    let form = || "TAG.LANE.REG, such as 0x05.3.0: the tag as reports have it, lane and register from 0".to_owned();
    let mut parts = text.split('.');
    let (Some(tag), Some(lane), Some(register), None) = (parts.next(), parts.next(), parts.next(), parts.next()) else {
        return Err(form());
    };
    let [tag, lane, register] = [tag, lane, register].map(number);
    let (tag, lane, register) = (tag.map_err(|_| form())?, lane.map_err(|_| form())?, register.map_err(|_| form())?);
    let tag = u8::try_from(tag).map_err(|_| format!("a tag is 0 to 255, not {tag}"))?;
    Ok((tag, lane.min(usize::MAX as u64) as usize, register.min(usize::MAX as u64) as usize))
}
