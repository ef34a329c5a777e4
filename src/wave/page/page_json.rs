// SPDX-License-Identifier: MIT OR Apache-2.0
//! All data of a page, in the form that its script reads.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{
    Run,
    column::Column,
    details::{self, Detail},
    group::Group,
    story::{self, Sentence},
    transfers::transfers,
    watched::Watched,
};
use crate::{
    clause::Clause,
    judge::{
        Mismatch, Site,
        coverage::Row,
        log::{Entry, Event, Log, text},
        trail::Trail,
    },
};

/// The number of missed bins that are named for a clause; the others are counted.
const NAMED: usize = 8;

/// All data of a page.
#[derive(Serialize)]
pub(super) struct Page<'a> {
    name: &'a str,
    about: &'a str,
    rtl: String,
    unit: String,
    lanes: usize,
    line_bytes: usize,
    cycles: u64,
    agrees: bool,
    mismatch: Option<Wrong<'a>>,
    story: Vec<Sentence>,
    groups: Vec<Group>,
    /// Events other than transfers: reset, control registers, other masters, reports.
    events: Vec<Happened>,
    /// By operation: its index in `texts`.
    instructions: Column,
    texts: Vec<String>,
    /// The operation that is shown first.
    chosen: usize,
    details: Vec<Detail>,
    clauses: BTreeMap<&'static str, &'static str>,
    coverage: Vec<Covered<'a>>,
    not_judged: &'a [String],
    /// Lines of RTL to look at first.
    look: &'a [String],
}

/// The divergence.
#[derive(Serialize)]
struct Wrong<'a> {
    clause: &'static str,
    names: String,
    op: Option<usize>,
    lane: Option<usize>,
    /// The group in which it shows, and the row.
    group: &'static str,
    row: &'a str,
    field: String,
    register: Option<usize>,
    byte: Option<usize>,
    expected: &'a str,
    actual: &'a str,
    cycle: u64,
    since: Option<u64>,
}

/// An event other than a transfer.
#[derive(Serialize)]
struct Happened {
    cycle: u64,
    what: &'static str,
    text: String,
}

/// A clause that the run exercised.
#[derive(Serialize)]
struct Covered<'a> {
    isa: String,
    clause: &'a str,
    bins: usize,
    hit: usize,
    hits: u64,
    empty: &'a [String],
    more: usize,
}

impl Page<'_> {
    /// The verdict in short.
    pub fn title(&self) -> String {
        match &self.mismatch {
            Some(wrong) => format!("{} in cycle {}", wrong.names, wrong.cycle),
            None if self.agrees => "unit and model agree".to_owned(),
            None => "nothing was compared".to_owned(),
        }
    }
}

pub(super) fn page<'a>(run: &Run<'a>, watched: &Watched<'_>) -> Page<'a> {
    let (log, header) = (&run.record.log, &run.record.header);
    let shape = header.unit;
    let mismatch = run.verdict.as_ref().err();
    let (chosen, which) = details::of_interest(log, mismatch.and_then(|m| m.op));
    let transfers = transfers(log, shape, watched, which.clone());
    let trail = Trail::new(run.record, mismatch.map(|mismatch| &**mismatch));
    // In the cycle of `end` nothing was observed any more.
    let beyond = |entry: &Entry| entry.cycle + u64::from(!matches!(entry.event, Event::End(_)));
    let cycles = log.entries().iter().map(beyond).max().unwrap_or(0).max(1);
    let story = match run.verdict {
        Ok(figures) => story::agrees(figures, cycles),
        Err(mismatch) => story::diverges(&trail, watched, &transfers, mismatch),
    };
    let details = details::details(log, &shape, which, &trail, &transfers.asked);
    let (instructions, texts) = instructions(log);
    let of_details =
        details.iter().flat_map(|detail| detail.lanes.iter()).flat_map(|lane| lane.clauses.iter().copied());
    let of_groups = transfers.groups.iter().map(|group| group.clause);
    let of_mismatch = mismatch.iter().flat_map(|m| m.or.iter().chain([&m.clause])).map(|clause| clause.id());
    let of_coverage = run.coverage.iter().filter(|row| row.hits > 0).map(|row| row.clause.as_str());
    let used: Vec<&str> = of_details.chain(of_groups).chain(of_mismatch).chain(of_coverage).collect();
    let used = Clause::ALL.iter().filter(|clause| used.contains(&clause.id()));
    Page {
        name: run.name,
        about: &header.about,
        rtl: header.rtl.as_ref().map_or_else(String::new, ToString::to_string),
        unit: shape.to_string(),
        lanes: shape.lanes,
        line_bytes: shape.line_bytes,
        cycles,
        agrees: run.verdict.as_ref().is_ok_and(|figures| figures.comparisons > 0),
        mismatch: mismatch.map(|mismatch| wrong(mismatch)),
        story,
        events: happened(log),
        groups: transfers.groups,
        instructions,
        texts,
        chosen,
        details,
        clauses: used.map(|clause| (clause.id(), clause.text())).collect(),
        coverage: run.coverage.iter().filter(|row| row.hits > 0).map(covered).collect(),
        not_judged: run.not_judged,
        look: run.look,
    }
}

fn wrong(m: &Mismatch) -> Wrong<'_> {
    let group = match m.field.site {
        Site::Op | Site::MemReq | Site::Wb | Site::Done => m.field.site.name(),
        Site::Scratchpad | Site::Memory | Site::Unit | Site::FrontEnd => "",
    };
    Wrong {
        clause: m.clause.id(),
        names: m.names(),
        op: m.op,
        lane: m.lane,
        group,
        row: &m.field.signal,
        field: m.field.to_string(),
        register: m.field.register,
        byte: m.field.byte,
        expected: &m.expected,
        actual: &m.actual,
        cycle: m.cycle,
        since: m.since,
    }
}

fn covered(row: &Row) -> Covered<'_> {
    let shown = row.empty.len().min(NAMED);
    Covered {
        isa: row.rule.to_string(),
        clause: &row.clause,
        bins: row.bins,
        hit: row.hit,
        hits: row.hits,
        empty: &row.empty[..shown],
        more: row.empty.len() - shown,
    }
}

/// The texts of the operations: few in a long run, as they repeat.
fn instructions(log: &Log) -> (Column, Vec<String>) {
    let mut texts = Vec::new();
    let mut places = rustc_hash::FxHashMap::default();
    let mut column = Column::default();
    for issue in log.issues() {
        let text = text(issue);
        let place = *places.entry(text.clone()).or_insert_with(|| {
            texts.push(text);
            texts.len() - 1
        });
        column.push_number(place as u64);
    }
    (column, texts)
}

fn happened(log: &Log) -> Vec<Happened> {
    let mut controls = 0;
    let event = |(cycle, event): (u64, Event)| {
        let (what, text) = match event {
            Event::Reset => ("reset", "the unit is in reset".to_owned()),
            Event::Control(_) => {
                controls += 1;
                ("ctrl", format!("the control registers change (set {controls})"))
            }
            Event::Foreign(number) => {
                let access = log.made(number);
                let bytes: String = access.bytes.iter().map(|byte| format!("{byte:02x}")).collect();
                let compare = access.compare.map_or(String::new(), |word| format!(", where {word:#x} stands"));
                ("foreign", format!("another master writes {bytes} at {:#x}{compare}", access.addr))
            }
            Event::Report(number) => ("report", log.reported(number).text.clone()),
            _ => return None,
        };
        Some(Happened { cycle, what, text })
    };
    log.entries().iter().map(|entry| (entry.cycle, entry.event)).filter_map(event).collect()
}
