// SPDX-License-Identifier: MIT OR Apache-2.0
//! Explains a vector in words and tables: what should happen.

use serde::Serialize;

use super::{Expected, Set, Vector, judged, manifest::About};
use crate::{
    clause::Clause,
    cosim::case::{Bytes, Case, Schedule},
    explain::{
        explanation::Hex,
        group,
        words::{count, table, wrap},
    },
    model::{self, Memory, Place, Plan, Scratchpad},
    op::{Fault, Range, ReqKind},
};

/// A vector in JSON.
#[derive(Serialize)]
pub struct Json<'a> {
    vector: usize,
    text: &'a str,
    segment: usize,
    warp: u8,
    tag: u8,
    waits: bool,
    prepares: bool,
    lanes: Vec<Lane>,
    requests: Vec<Request>,
    registers: Vec<Register>,
    clauses: &'a [String],
}

#[derive(Serialize)]
struct Lane {
    lane: usize,
    words: [Hex<u32>; 3],
    ea: Hex<u64>,
    space: &'static str,
    #[serde(skip_serializing_if = "String::is_empty")]
    fault: String,
}

#[derive(Serialize)]
struct Request {
    kind: &'static str,
    line: Hex<u64>,
    byte_enable: Hex<u128>,
    /// For a write, the enabled bytes, ascending.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    bytes: Vec<u8>,
    lanes: Vec<usize>,
    error: bool,
}

#[derive(Serialize)]
struct Register {
    register: u8,
    lanes: Vec<usize>,
    values: Vec<Hex<u32>>,
}

/// What should happen, as JSON.
pub fn json<'a>(set: &Set, number: usize, about: &'a About) -> Json<'a> {
    let vector = &set.vectors[number];
    let all = vector.requests.iter().chain(&vector.seconds);
    let registers = vector.registers.iter().map(|written| Register {
        register: written.register,
        lanes: written.lanes.iter().collect(),
        values: written.lanes.iter().map(|lane| Hex(written.data[lane])).collect(),
    });
    Json {
        vector: number,
        text: &about.text,
        segment: vector.segment,
        warp: vector.issue.op.warp,
        tag: vector.issue.op.tag,
        waits: vector.waits,
        prepares: vector.prepares,
        lanes: lanes(set, vector),
        requests: all.map(|expected| request(set, expected)).collect(),
        registers: registers.collect(),
        clauses: &about.clauses,
    }
}

fn lanes(set: &Set, vector: &Vector) -> Vec<Lane> {
    let (op, lanes, ctrl) = (&vector.issue.op, &vector.issue.lanes, &set.segments[vector.segment]);
    let lane = |lane: usize| {
        let trace = model::trace(&set.shape, ctrl, op, lanes, lane);
        let space = match trace.place {
            Place::Nowhere => "none",
            Place::Global(_) => "global",
            Place::Local { .. } => "local",
            Place::Shared(_) => "shared",
            Place::Param { .. } => "param",
            Place::Cluster { .. } => "cluster",
            Place::Uav { .. } => "uav",
            Place::Tgsm { .. } => "tgsm",
            Place::Buffer { .. } => "buffer",
        };
        Lane { lane, words: lanes.addr[lane].map(Hex), ea: Hex(trace.ea), space, fault: fault(vector.faults[lane]) }
    };
    (lanes.active & set.shape.lane_mask()).iter().map(lane).collect()
}

fn request(set: &Set, expected: &Expected) -> Request {
    let line = &set.lines[expected.line];
    let writes = matches!(expected.kind, ReqKind::Write | ReqKind::WriteExclusive);
    let enabled = (0..set.shape.line_bytes).filter(|at| writes && expected.byte_enable >> at & 1 == 1);
    Request {
        kind: kind(expected.kind),
        line: Hex(line.addr),
        byte_enable: Hex(expected.byte_enable),
        bytes: enabled.map(|at| expected.data[at]).collect(),
        lanes: expected.lanes.iter().collect(),
        error: line.fails,
    }
}

fn fault(fault: Fault) -> String {
    if fault == Fault::None { String::new() } else { fault.name().to_owned() }
}

fn kind(kind: ReqKind) -> &'static str {
    match kind {
        ReqKind::Read => "read",
        ReqKind::Write => "write",
        ReqKind::ReadExclusive => "read-exclusive",
        ReqKind::WriteExclusive => "write-exclusive",
    }
}

/// What should happen, in words.
pub fn text(set: &Set, number: usize, about: &About) -> String {
    let (vector, json) = (&set.vectors[number], json(set, number, about));
    let op = &vector.issue.op;
    let mut text = wrap(&about.text, 2);
    let mut place = format!("vector {number} of {}, segment {}, warp {}", set.vectors.len(), vector.segment, op.warp);
    place += if vector.waits { ", offered when all before it are done" } else { "" };
    place += if vector.prepares { ", fills the scratchpad for later ones" } else { "" };
    text += &wrap(&place, 2);

    let hex = |value: u64| format!("{value:#x}");
    let row = |lane: &Lane| {
        let words = lane.words.iter().map(|word| hex(word.0.into())).collect::<Vec<_>>().join(" ");
        vec![lane.lane.to_string(), words, hex(lane.ea.0), lane.space.to_owned(), lane.fault.clone()]
    };
    text += &format!("\n{}:\n", count(json.lanes.len(), "active lane"));
    text += &table(&["lane", "address words", "address", "space", "fault"], json.lanes.iter().map(row));

    let bytes = |bytes: &[u8]| bytes.iter().rev().map(|byte| format!("{byte:02x}")).collect::<String>();
    let row = |request: &Request| {
        let kind = request.kind.to_owned() + if request.error { ", error" } else { "" };
        let data = match bytes(&request.bytes) {
            data if data.len() > 32 => format!("..{}", &data[data.len() - 30..]),
            data => data,
        };
        vec![kind, hex(request.line.0), group::bytes(request.byte_enable.0), group::lanes(&request.lanes), data]
    };
    if !json.requests.is_empty() {
        text += &format!("\nMemory port, {}:\n", count(json.requests.len(), "request"));
        let header = &["request", "line at", "byte enables", "lanes", "data, last byte first"];
        text += &table(header, json.requests.iter().map(row));
    }
    if !json.registers.is_empty() {
        text += "\nWritten back, of each lane:\n";
        let row = |lane: usize| {
            let value = |written: &super::Written| format!("{:08x}", written.data[lane]);
            let values: Vec<_> = vector.registers.iter().map(value).collect();
            vec![lane.to_string(), values.join(" ")]
        };
        let written = vector.registers.first().map(|written| written.lanes).unwrap_or_default();
        text += &table(&["lane", "registers, ascending"], written.iter().map(row));
    }
    text += "\nClauses:\n";
    for id in &about.clauses {
        let clause = Clause::ALL.iter().find(|clause| clause.id() == id);
        text += &wrap(&format!("  {id}: {}", clause.map_or("", |clause| clause.text())), 4);
    }
    text
}

/// The case of a vector: its segment up to the vector, in an environment that never stalls.
pub fn case(set: &Set, number: usize) -> Case {
    let segment = set.vectors[number].segment;
    let first = set.vectors.iter().position(|vector| vector.segment == segment).unwrap_or(number);
    let fails = |line: &&super::Line| line.segment == segment && line.fails;
    let issue = |vector: &Vector| crate::judge::log::Issue { inst: None, ..vector.issue.clone() };
    let waits = |&at: &usize| at > first && set.vectors[at].waits;
    let bytes = set.shape.line_bytes;
    let lines = set.lines.iter().filter(|line| line.segment == segment);
    Case {
        shape: set.shape,
        ctrl: set.segments[segment],
        memory_seed: 0,
        memory: lines.map(|line| Bytes { addr: line.addr, bytes: line.before[..bytes].to_vec() }).collect(),
        shared: vec![Bytes { addr: 0, bytes: scratchpad(set, first) }],
        bus_errors: set.lines.iter().filter(fails).map(|line| Range { base: line.addr, size: bytes as u64 }).collect(),
        issues: set.vectors[first..=number].iter().map(issue).collect(),
        schedule: Schedule::eager(),
        serial: false,
        flushes: (first..=number).filter(waits).map(|at| at - first).collect(),
        dirty_cycles: 0,
        rate: None,
    }
}

/// The scratchpad as the vectors before `number` leave it.
fn scratchpad(set: &Set, number: usize) -> Vec<u8> {
    let (mut pad, mut plan) = (Scratchpad::new(set.shape.shared_bytes), Plan::default());
    let lines = set.lines_of_segments();
    let mut memory: Option<(usize, Memory)> = None;
    for vector in &set.vectors[..number] {
        let (issue, segment) = (&vector.issue, vector.segment);
        if memory.as_ref().is_none_or(|(of, _)| *of != segment) {
            memory = Some((segment, judged::start(set, &lines[segment])));
        }
        let Some((_, memory)) = &mut memory else { continue };
        model::plan(&set.shape, &set.segments[segment], &issue.op, &issue.lanes, &issue.data, &mut plan);
        model::perform(&set.shape, &issue.op, &mut plan, &issue.data, memory, &mut pad, |line| {
            lines[segment].iter().any(|known| known.addr == line && known.fails)
        });
    }
    pad.bytes().to_vec()
}
