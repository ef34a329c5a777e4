// SPDX-License-Identifier: MIT OR Apache-2.0
//! `gpu-lsu layout`: what every bit of every port is. The description alone; no RTL.

use std::{collections::VecDeque, io::Write, process::ExitCode};

use clap::builder::{PossibleValuesParser, TypedValueParser};
use serde::Serialize;

use super::{Error, Stdout, json_line, units};
use crate::explain::words::table;
use crate::{
    op::{
        Shape,
        layout::{Code, Content, Field, Member, Struct},
    },
    ports::{Direction, Holds, PORTS, Port},
    sets::text::count,
};

const EXAMPLES: &str = "\
Offsets count from the least significant bit of a port or struct. In an array, the element with index 0 is lowest.

With `--json`, every number in every port is a field of its own. The output is one object, whose `ports` have `name`, \
`direction`, `width` and `fields`; a field has `path`, `offset`, `width` and, if it holds a code, its `values` by \
name. For example, the path of the scope in `op_i` is `attr.scope`, and that of word 2 of lane 5 in `op_addr_i` is \
`[5][2]`; it is empty in a port that is a single number.

Examples:
  gpu-lsu layout
  gpu-lsu layout --lanes 8 --line-bytes 32
  gpu-lsu layout --json > layout.json

Exit codes: 0 printed, 2 a usage error, or standard output that cannot be written";

/// Print the bit layout of the unit's ports and of the structs in them
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Number of lanes in the unit
    #[arg(long, default_value = "32", value_parser = units::lanes())]
    lanes: usize,
    /// Number of bytes in a line of the memory port (LINE_BYTES)
    #[arg(long, value_name = "N", default_value = "128", value_parser = line_bytes())]
    line_bytes: usize,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

fn line_bytes() -> impl TypedValueParser<Value = usize> {
    PossibleValuesParser::new(["32", "64", "128"]).try_map(|text| text.parse::<usize>())
}

#[derive(Serialize)]
struct Json {
    lanes: usize,
    line_bytes: usize,
    ports: Vec<JsonPort>,
}

#[derive(Serialize)]
struct JsonPort {
    name: &'static str,
    direction: &'static str,
    width: usize,
    fields: Vec<Field>,
}

pub fn run(args: &Args) -> Result<ExitCode, Error> {
    let shape = Shape { line_bytes: args.line_bytes, ..Shape::with_lanes(args.lanes) };
    let mut out = Stdout::new();
    if args.json {
        let port = |(port, _): (&'static Port, _)| JsonPort {
            name: port.name,
            direction: direction(port),
            width: port.width(&shape),
            fields: port.fields(&shape),
        };
        let ports = PORTS.iter().map(port).collect();
        json_line(&mut out, &Json { lanes: shape.lanes, line_bytes: shape.line_bytes, ports })?;
    } else {
        out.write_all(text(&shape).as_bytes())?;
    }
    out.finish(0)
}

fn direction(port: &Port) -> &'static str {
    match port.direction {
        Direction::Input => "input",
        Direction::Output => "output",
    }
}

/// The ports, then each struct in them, then those in these.
fn text(shape: &Shape) -> String {
    let mut text = format!("The ports with {} lanes and lines of {} bytes:\n\n", shape.lanes, shape.line_bytes);
    let row = |(port, _): (&Port, _)| {
        vec![port.name.to_owned(), direction(port).to_owned(), port.width(shape).to_string(), held(port)]
    };
    text += &table(&["port", "direction", "bits", "holds"], PORTS.iter().map(row));
    let mut next: VecDeque<_> = PORTS.iter().filter_map(|(port, _)| whole(&port.content(shape))).collect();
    let mut told: Vec<&str> = Vec::new();
    while let Some(one) = next.pop_front() {
        if told.contains(&one.name) {
            continue;
        }
        told.push(one.name);
        text += &format!("\n{}, {} bits:\n\n", one.name, one.width);
        let row = |member: &Member| {
            let top = member.offset + member.width - 1;
            let bits = if member.width == 1 { format!("{top}") } else { format!("{top}:{}", member.offset) };
            vec![bits, member.width.to_string(), member.name.to_owned(), content(&member.content, member.width)]
        };
        text += &table(&["bits", "width", "field", "holds"], one.members.iter().map(row));
        next.extend(one.members.iter().filter_map(|member| whole(&member.content)));
    }
    text
}

/// The struct that this is, or is an array of.
fn whole(content: &Content) -> Option<&'static Struct> {
    match content {
        Content::Number(_) => None,
        Content::Struct(whole) => Some(whole),
        Content::Array(_, each) => whole(each),
    }
}

fn held(port: &Port) -> String {
    match port.holds {
        Holds::Fixed(width, what) => content(&what, width),
        Holds::LaneMask => "a bit a lane, lane 0 lowest".to_owned(),
        Holds::Lanes(width, what) => format!("each lane: {}", content(what, width)),
        Holds::ByteMask => "a bit a byte, byte 0 lowest".to_owned(),
        Holds::Line => "a line, byte 0 lowest".to_owned(),
    }
}

fn content(what: &Content, width: usize) -> String {
    match *what {
        Content::Number([]) if width == 1 => "a flag".to_owned(),
        Content::Number([]) => count(width, "bit"),
        Content::Number(codes) => {
            let names: Vec<_> = codes.iter().map(|&Code { name, value }| format!("{value}={name}")).collect();
            names.join(" ")
        }
        Content::Struct(whole) => whole.name.to_owned(),
        Content::Array(count, each) => format!("{count} of {}", content(each, width / count)),
    }
}
