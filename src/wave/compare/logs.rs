// SPDX-License-Identifier: MIT OR Apache-2.0
//! Compares logs, or a log and a wave of the unit's ports, transfer by transfer and field by field.
//!
//! A wave may begin later than a log of the same run, and counts cycles from its own beginning. The two are aligned at
//! the wave's first operation, which is looked up in the log.

use std::{collections::BTreeMap, fs::File, io::BufReader, path::Path};

use serde_json::Value;

use super::{By, CompareError, Comparison, Difference, End, Options, matches, value};
use crate::{
    judge::log::{
        lines::{Header, Reader, Record, Writer},
        wave::{self, Names, WaveError},
    },
    op::Shape,
};

/// The ports that are compared, as a log calls them.
const PORTS: [&str; 6] = ["op", "data", "req", "rsp", "wb", "done"];

/// A transfer: its cycle, and its fields by name.
type Transfer = (u64, BTreeMap<String, String>);

/// The runs of a file.
struct Runs {
    runs: Vec<Run>,
    is_wave: bool,
}

#[derive(Default)]
struct Run {
    /// By port.
    ports: [Vec<Transfer>; 6],
    /// By port: whether the file shows nothing of it.
    unseen: [bool; 6],
    last: u64,
}

/// Whether a file is a log, judged by its first character.
pub fn is_log(path: &Path) -> Result<bool, CompareError> {
    use std::io::Read;
    let open = |error| WaveError::Open { path: path.to_owned(), error };
    let mut first = Vec::new();
    File::open(path).and_then(|file| file.take(64).read_to_end(&mut first)).map_err(open)?;
    Ok(crate::sets::text::unmarked(&first).trim_ascii_start().starts_with(b"{"))
}

/// Compares two files of which at least one is a log, or two waves by their transfers.
pub fn compare(a: &Path, b: &Path, options: &Options) -> Result<Comparison, CompareError> {
    let by = options.by.unwrap_or(By::Cycle);
    if by == By::Time {
        return Err(CompareError::NoTime);
    }
    if options.x_matches || !options.map.is_empty() {
        return Err(CompareError::OfWaves);
    }
    let (mut one, mut other) = (Runs::read(a)?, Runs::read(b)?);
    match (one.is_wave, other.is_wave) {
        (false, true) => one.begin_with(&other)?,
        (true, false) => other.begin_with(&one)?,
        _ => {}
    }
    let is_wave = one.is_wave || other.is_wave;
    let mut found =
        Found { options, by, is_wave, all: Comparison::new(by, true), first: Vec::new(), ports: Vec::new() };
    if one.runs.len() != other.runs.len() {
        let [a, b] = [&one, &other].map(|runs| runs.runs.len());
        let of = if a < b { 'A' } else { 'B' };
        found.all.end = Some(End { of, at: format!("run {}", a.min(b)) });
    }
    let several = one.runs.len().max(other.runs.len()) > 1;
    for (number, (one, other)) in one.runs.iter().zip(&other.runs).enumerate() {
        let run = if several { format!("run {}: ", number + 1) } else { String::new() };
        found.run(number as u128, &run, one, other);
    }
    found.all.signals = found.ports.len() as u64;
    if PORTS.iter().all(|name| options.ignore.iter().any(|pattern| matches(pattern, name))) {
        return Err(CompareError::Ignored { what: "port" });
    }
    if found.all.changes == 0 {
        return Err(CompareError::NoTransfer);
    }
    super::keep(&mut found.first, options.max);
    found.all.differences = found.first.into_iter().map(|(_, difference)| difference).collect();
    Ok(found.all)
}

struct Found<'a> {
    options: &'a Options,
    by: By,
    /// Whether a file is a wave, which may end at any time.
    is_wave: bool,
    all: Comparison,
    first: Vec<(u128, Difference)>,
    /// The names of the ports that were compared, and whether they differ.
    ports: Vec<(String, bool)>,
}

impl Found<'_> {
    fn run(&mut self, number: u128, run: &str, a: &Run, b: &Run) {
        let last = if self.by == By::Cycle { a.last.min(b.last) } else { u64::MAX };
        if self.by == By::Cycle && a.last != b.last && self.all.end.is_none() {
            let of = if a.last < b.last { 'A' } else { 'B' };
            self.all.end = Some(End { of, at: format!("{run}cycle {last}") });
        }
        for (port, name) in PORTS.iter().enumerate() {
            if a.unseen[port] || b.unseen[port] || self.options.ignore.iter().any(|pattern| matches(pattern, name)) {
                self.all.ignored += 1;
                continue;
            }
            let mut at = [0, 0];
            let before = self.all.total;
            loop {
                let next = [a.ports[port].get(at[0]), b.ports[port].get(at[1])];
                let next = next.map(|transfer| transfer.filter(|(cycle, _)| *cycle <= last));
                let cycle = next.iter().flatten().map(|(cycle, _)| *cycle).min();
                let Some(cycle) = cycle else { break };
                let now = match self.by {
                    By::Transfer if self.is_wave && next.contains(&None) => {
                        let of = if next[0].is_none() { 'A' } else { 'B' };
                        let at = format!("{run}{name}[{}]", at[0].max(at[1]).saturating_sub(1));
                        self.all.end.get_or_insert(End { of, at });
                        break;
                    }
                    By::Transfer => next,
                    _ => next.map(|transfer| transfer.filter(|(other, _)| *other == cycle)),
                };
                let place = format!("{run}{name}[{}]", at[0].max(at[1]));
                at = [at[0] + usize::from(now[0].is_some()), at[1] + usize::from(now[1].is_some())];
                self.all.changes += now.iter().flatten().count() as u64;
                let key = number << 64 | u128::from(cycle);
                self.transfer(key, name, &place, cycle, now.map(|transfer| transfer.map(|(_, fields)| fields)));
            }
            let differs = self.all.total > before;
            match self.ports.iter_mut().find(|(known, _)| known == name) {
                Some(known) => known.1 |= differs,
                None => self.ports.push(((*name).to_owned(), differs)),
            }
        }
        self.all.differing = self.ports.iter().filter(|(_, differs)| *differs).count() as u64;
    }

    fn transfer(
        &mut self,
        key: u128,
        port: &str,
        place: &str,
        cycle: u64,
        sides: [Option<&BTreeMap<String, String>>; 2],
    ) {
        let mut tell = |signal: String, [a, b]: [String; 2]| {
            self.all.total += 1;
            let difference =
                Difference { cycle: Some(cycle), time: cycle, at: String::new(), signal, other: None, a, b };
            self.first.push((key, difference));
        };
        match sides {
            [Some(a), Some(b)] => {
                let names = a.keys().chain(b.keys().filter(|name| !a.contains_key(*name)));
                for name in names.filter(|name| a.get(*name) != b.get(*name)) {
                    let dot = if name.is_empty() || name.starts_with('[') { "" } else { "." };
                    let path = format!("{port}{dot}{name}");
                    if !self.options.ignore.iter().any(|pattern| matches(pattern, &path)) {
                        let shown = |side: &BTreeMap<String, String>| {
                            side.get(name).map_or_else(|| "0".to_owned(), |text| value::again(text, self.options.radix))
                        };
                        tell(path.replacen(port, place, 1), [shown(a), shown(b)]);
                    }
                }
            }
            [a, b] => {
                tell(place.to_owned(), [a, b].map(|side| if side.is_some() { "taken" } else { "none" }.to_owned()))
            }
        }
        if self.first.len() > 1 << 16 {
            super::keep(&mut self.first, self.options.max);
        }
    }
}

impl Runs {
    fn read(path: &Path) -> Result<Runs, CompareError> {
        if !is_log(path)? {
            // Operations in flight before do not matter here, as nothing is judged.
            let wave = wave::read(path, &Names { idle: true, ..Names::default() })?;
            let header = Header::new(Shape { line_bytes: wave.line_bytes, ..Shape::with_lanes(wave.lanes) });
            let header = header.with_unseen(wave.log.unseen());
            let run = Run::of(&Record { header, log: wave.log, line: 0, left_out: Vec::new() });
            return Ok(Runs { runs: vec![run], is_wave: true });
        }
        let file = File::open(path).map_err(|error| WaveError::Open { path: path.to_owned(), error })?;
        let records = Reader::new(BufReader::new(file)).and_then(|reader| reader.collect::<Result<Vec<_>, _>>());
        let refused = |error| CompareError::Log { path: path.to_owned(), error };
        let runs = records.map_err(refused)?.iter().map(Run::of).collect();
        Ok(Runs { runs, is_wave: false })
    }

    /// Leaves out what the wave does not show, and counts cycles from the wave's beginning.
    fn begin_with(&mut self, wave: &Runs) -> Result<(), CompareError> {
        let Some((cycle, first)) = wave.runs.iter().find_map(|run| run.ports[0].first()) else {
            return Err(CompareError::NoBeginning);
        };
        let begins = |run: &Run| run.ports[0].iter().find(|(_, op)| op == first).map(|(at, _)| *at);
        let found = std::mem::take(&mut self.runs).into_iter().find_map(|run| begins(&run).map(|at| (run, at)));
        let Some((mut run, at)) = found else { return Err(CompareError::NoBeginning) };
        // A cycle of the log in the wave's count, if it is not before the wave; the wave may also begin before the log.
        let shift = |of: u64| (of + cycle).checked_sub(at);
        for port in &mut run.ports {
            *port = std::mem::take(port).into_iter().filter_map(|(of, fields)| Some((shift(of)?, fields))).collect();
        }
        run.last = shift(run.last).unwrap_or(0);
        self.runs.push(run);
        Ok(())
    }
}

impl Run {
    fn of(record: &Record) -> Run {
        let mut run = Run::default();
        let unseen = record.header.unseen();
        run.unseen = [false, unseen.data, false, false, unseen.write_back, false];
        run.last = record.log.entries().last().map_or(0, |entry| entry.cycle);
        let mut text = Vec::new();
        let written = Writer::new(&mut text, &record.header).and_then(|mut writer| writer.log(&record.log, false));
        debug_assert!(written.is_ok(), "memory takes everything");
        for line in text.split(|&byte| byte == b'\n').skip(1) {
            let Ok(Value::Object(mut line)) = serde_json::from_slice(line) else { continue };
            if line.contains_key("taken") {
                continue;
            }
            let cycle = line.get("cycle").and_then(Value::as_u64).unwrap_or(0);
            for (port, name) in PORTS.iter().enumerate() {
                if let Some(mut content) = line.remove(*name) {
                    if *name == "req" {
                        forget_unused(&mut content);
                    }
                    let mut fields = BTreeMap::new();
                    flatten(String::new(), &content, &mut fields);
                    run.ports[port].push((cycle, fields));
                }
            }
        }
        run
    }
}

/// Sets to 0 the data of a request that mean nothing: those of a read, and bytes that are not enabled.
fn forget_unused(request: &mut Value) {
    let text = |name: &str| request.get(name).and_then(Value::as_str).and_then(|text| text.strip_prefix("0x"));
    let writes = request.get("kind").and_then(Value::as_str).is_some_and(|kind| kind.starts_with("Write"));
    let enable = text("be").and_then(|be| u128::from_str_radix(be, 16).ok()).filter(|_| writes).unwrap_or(0);
    let Some(data) = text("data") else { return };
    let digits = data.chars().rev().enumerate();
    let used: String = digits.map(|(at, digit)| if enable >> (at / 2) & 1 == 1 { digit } else { '0' }).collect();
    let used: String = used.trim_end_matches('0').chars().rev().collect();
    request["data"] = Value::String(format!("0x{}", if used.is_empty() { "0" } else { &used }));
}

/// Every field that is not an object, by its path; a field that is 0 counts as absent.
fn flatten(path: String, content: &Value, fields: &mut BTreeMap<String, String>) {
    match content {
        Value::Object(inner) => inner.iter().for_each(|(name, value)| {
            let dot = if path.is_empty() { "" } else { "." };
            flatten(format!("{path}{dot}{name}"), value, fields);
        }),
        Value::Array(inner) => {
            inner.iter().enumerate().for_each(|(index, value)| flatten(format!("{path}[{index}]"), value, fields));
        }
        Value::String(text) if text == "0x0" => {}
        Value::String(text) => drop(fields.insert(path, text.clone())),
        Value::Number(number) if number.as_u64() == Some(0) => {}
        Value::Number(number) => {
            drop(fields.insert(path, number.as_u64().map_or(number.to_string(), |n| format!("{n:#x}"))))
        }
        Value::Bool(false) | Value::Null => {}
        Value::Bool(true) => drop(fields.insert(path, "0x1".to_owned())),
    }
}
