// SPDX-License-Identifier: MIT OR Apache-2.0
//! The divergence in sentences: from the first wrong event back to the operation.

use serde::Serialize;

use super::{details, transfers::Transfers, watched::Watched};
use crate::{
    clause::Clause,
    judge::{
        Figures, Mismatch, Site,
        log::{lane_inputs, text},
        trail::{Author, Source, Trail},
    },
    op::Fault,
    sets::text::count,
};

/// A sentence or two, and the place where the reader can look.
#[derive(Serialize)]
pub(super) struct Sentence {
    pub text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cycle: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub op: Option<usize>,
}

fn plain(text: String) -> Sentence {
    Sentence { text, cycle: None, op: None }
}

/// The story of a run without a divergence; the page shows `cycles` cycles.
pub(super) fn agrees(figures: &Figures, cycles: u64) -> Vec<Sentence> {
    if figures.comparisons == 0 {
        return vec![plain("Nothing was compared: the log shows no operation to its end.".to_owned())];
    }
    let (operations, requests) = (count(figures.operations, "operation"), count(figures.requests, "request"));
    let (cycles, values) = (count(cycles, "cycle"), count(figures.comparisons, "value"));
    vec![plain(format!("Unit and model agree: {operations}, {requests}, {cycles}, {values} compared."))]
}

/// The story of a divergence.
pub(super) fn diverges(trail: &Trail<'_>, watched: &Watched<'_>, transfers: &Transfers, m: &Mismatch) -> Vec<Sentence> {
    let mut story = vec![first(m), rule(m)];
    if let Some(since) = m.since {
        let text = format!("The operation got on last in cycle {since}; what was due after that never came.");
        story.push(Sentence { text, cycle: Some(since + 1), op: None });
    }
    if let Some(op) = m.op.filter(|&op| op < transfers.accepted.len()) {
        story.extend(operation(trail, watched, transfers, m, op));
    }
    story.push(before(watched, m));
    story
}

/// The first wrong event.
fn first(m: &Mismatch) -> Sentence {
    let what = match m.field.site {
        Site::Op => "at the op port",
        Site::MemReq => "at the memory request port",
        Site::Wb => "at the write-back port",
        Site::Done => "at the done port",
        Site::Scratchpad => "in the scratchpad",
        Site::Memory => "in memory",
        Site::Unit => "in the unit as a whole",
        Site::FrontEnd => "in the front end",
    };
    let lane = m.lane.map_or(String::new(), |lane| format!(" In lane {lane}:"));
    let text = format!(
        "In cycle {} something is wrong {what}: {}.{lane} the model has {}, and the unit {}.",
        m.cycle, m.field, m.expected, m.actual
    );
    let text = if lane.is_empty() { text.replacen(". the model", ". The model", 1) } else { text };
    Sentence { text, cycle: Some(m.cycle), op: None }
}

/// The rules that it breaks.
fn rule(m: &Mismatch) -> Sentence {
    let one = |clause: &Clause| format!("{clause} ({})", clause.text());
    if m.or.is_empty() {
        return plain(format!("That breaks {}.", one(&m.clause)));
    }
    let all: Vec<_> = [m.clause].iter().chain(&m.or).map(one).collect();
    plain(format!("Nothing tells apart which of these it breaks: {}.", all.join("; ")))
}

/// The operation at fault.
fn operation(
    trail: &Trail<'_>,
    watched: &Watched<'_>,
    transfers: &Transfers,
    m: &Mismatch,
    op: usize,
) -> Vec<Sentence> {
    let issue = &trail.record().log.issues()[op];
    let (taken, active) = (transfers.accepted[op], watched.active.get(op).copied().unwrap_or_default());
    let age = count(m.cycle.saturating_sub(taken), "cycle");
    let executing = match active.count() {
        0 => "No lane executes it".to_owned(),
        1 => format!("Only lane {} executes it", details::lanes(active)),
        _ => format!("Lanes {} execute it", details::lanes(active)),
    };
    let text = format!(
        "It belongs to operation {op}, {}, of warp {} with tag {:#04x}: taken in cycle {taken}, {age} before. {executing}.",
        text(issue).trim_end_matches(';'),
        issue.op.warp,
        issue.op.tag
    );
    let mut story = vec![Sentence { text, cycle: Some(taken), op: Some(op) }];
    if let Some(lane) = m.lane.filter(|&lane| lane < trail.record().header.unit.lanes) {
        story.extend(of_lane(trail, m, op, lane));
    }
    if let Some(state) = &watched.state {
        let (made, sent) = match state.requests {
            0 => ("nothing".to_owned(), String::new()),
            all => (count(all, "line"), format!("the unit had asked for {}, and ", state.sent)),
        };
        let awaited = awaited(&state.owed);
        story.push(plain(format!(
            "The model asks memory for {made}. Before that cycle, {sent}the operation still waited for {awaited}."
        )));
    }
    story
}

/// What an operation is owed, rephrased for the middle of a sentence: `the unit its done` becomes `its done from the
/// unit`.
fn awaited(owed: &str) -> String {
    let all = owed.split_once(": ").map_or(owed, |(_, rest)| rest);
    let each = all.split("; ").map(|one| {
        let who = ["the environment", "the unit", "memory"]
            .into_iter()
            .find_map(|who| one.strip_prefix(who).and_then(|what| what.strip_prefix(' ')).map(|what| (who, what)));
        who.map_or_else(|| one.to_owned(), |(who, what)| format!("{what} from {who}"))
    });
    each.collect::<Vec<_>>().join("; ")
}

/// The lane at fault: its address, the source of its value, and the link at which unit and model part.
fn of_lane(trail: &Trail<'_>, m: &Mismatch, op: usize, lane: usize) -> Vec<Sentence> {
    let issue = &trail.record().log.issues()[op];
    let trace = trail.lane(op, lane);
    let forced = match trace.ea == trace.aligned {
        true => String::new(),
        false => format!(", forced down to {:#x}", trace.aligned),
    };
    let place = match details::place(trace.place) {
        place if place.is_empty() => "which is nowhere".to_owned(),
        place => format!("which is {place}"),
    };
    let fault = match trace.fault {
        Fault::None => String::new(),
        fault => format!(" Its outcome is {}.", fault.name()),
    };
    let clauses: Vec<_> = trace.clauses.iter().map(|clause| clause.id()).collect();
    let text = format!(
        "Lane {lane} has {}. Its effective address is {:#x}{forced}, {place} ({}).{fault}",
        lane_inputs(issue, lane),
        trace.ea,
        clauses.join(", ")
    );
    let mut story = vec![Sentence { text, cycle: None, op: Some(op) }];
    if let (Site::Wb, Some(register)) = (m.field.site, m.field.register) {
        let value = trail.register(op, lane, register, Some(m.cycle));
        let lines: Vec<_> = value.source.to_string().lines().map(words).collect();
        let cycle = match &value.source {
            Source::Memory { made, .. } => {
                made.first().and_then(|made| made.answer.as_ref()).map(|answer| answer.cycle)
            }
            _ => None,
        };
        let text = match &value.source {
            Source::Nothing { why } => format!("The model writes nothing back there: {why}."),
            _ => format!("Its value comes {}.", lines.join("; ")),
        };
        story.push(Sentence { text, cycle, op: None });
        if let Source::Memory { addr, .. } = value.source {
            story.push(writer(trail, addr, m.cycle));
        }
        story.extend(value.parts.map(|part| plain(format!("Unit and model part at the {part}."))));
    }
    story
}

/// A line without the blanks that align its columns.
fn words(line: &str) -> String {
    line.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Names the last writer of the byte that a lane read.
fn writer(trail: &Trail<'_>, addr: u64, until: u64) -> Sentence {
    let byte = trail.byte(addr, Some(until));
    match byte.writes.last() {
        None => plain(format!("Nobody wrote byte {addr:#x} in this run before that.")),
        Some(write) => {
            let op = match &write.by {
                Author::Operation(name) => Some(name.index),
                _ => None,
            };
            let text = format!("Byte {addr:#x} was written last in cycle {} by {}.", write.cycle, write.by);
            Sentence { text, cycle: Some(write.cycle), op }
        }
    }
}

/// What was right before.
fn before(watched: &Watched<'_>, m: &Mismatch) -> Sentence {
    let until = |cycles: usize, noun: &str| count(cycles as u64, noun);
    let earlier = |cycle: u64| cycle < m.cycle;
    let requests = watched.requests.iter().filter(|at| earlier(at.cycle)).count();
    let beats = watched.beats.iter().filter(|at| earlier(at.cycle)).count();
    plain(format!(
        "Before that cycle all was as the model has it: {}, {} and {}. What came after it was not judged.",
        count(watched.over, "completion"),
        until(requests, "request"),
        until(beats, "write-back beat")
    ))
}
