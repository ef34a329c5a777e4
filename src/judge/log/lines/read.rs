// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reads a log. Lines may come in any order, within a cycle and across cycles.

mod parsed;

use std::io::{self, BufRead};

use parsed::{Event, Parsed};
use rustc_hash::FxHashSet;
use serde_json::{Map, Value};

use super::{
    super::{Log, Offer, Port, Seen, sample},
    AppliedLine, CHANNELS, EndLine, FORMAT, ForeignLine, Header, json, short,
    value::{self, ValueError},
    write::levels,
};
use crate::{
    judge::{Contract, Figures, Judge, Mismatch, Promises, Trial, Watch},
    op::{Bits, Ctrl, Kind, Shape, Space},
    ports::{Channel, Levels, PORTS, Port as Described, Ports, Role, Wires},
    sets::text::{count, printable, unmarked},
};

/// Why a log cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The input cannot be read.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// A line does not follow the schema.
    #[error("line {line}: {what}")]
    Line {
        /// From 1.
        line: usize,
        /// What is wrong, where in the line, and what would be right.
        what: String,
    },
}

/// A run: a header and its log.
pub struct Record {
    /// The header.
    pub header: Header,
    /// The events.
    pub log: Log,
    /// The line of the header, from 1.
    pub line: usize,
    /// Values that no event of the log has, as `rsp.error`, and `ctrl` if there is no such event. They count as 0.
    pub left_out: Vec<String>,
}

impl Record {
    /// Judges the run. `judge` is for a unit of this shape; its scratchpad keeps its contents. `promises` are those of
    /// the unit, such as those of the header.
    pub fn judge(&self, judge: &mut Judge, promises: Promises) -> Result<Figures, Box<Mismatch>> {
        self.judged(judge, promises, false, None)
    }

    /// Judges the run for coverage, too, with an observer.
    pub fn watched(
        &self,
        judge: &mut Judge,
        promises: Promises,
        watch: &mut dyn Watch,
    ) -> Result<Figures, Box<Mismatch>> {
        self.judged(judge, promises, true, Some(watch))
    }

    fn judged(
        &self,
        judge: &mut Judge,
        promises: Promises,
        counts: bool,
        watch: Option<&mut dyn Watch>,
    ) -> Result<Figures, Box<Mismatch>> {
        let mut contract = Contract::new(self.header.unit, Ctrl::default());
        contract.promises = promises;
        let memory = || self.header.start();
        let histories = self.tells_histories();
        judge.judge(&Trial { contract: &contract, memory: &memory, counts, histories }, &self.log, watch)
    }

    /// Whether the histories of compare-and-stores can be judged, if memory has any.
    pub fn tells_histories(&self) -> bool {
        let mut issues = self.log.issues().iter();
        let pairs = issues.any(|issue| issue.op.kind == Kind::CmpStore as u8 && issue.op.space == Space::Uav as u8);
        !pairs || self.log.next_request() == 0 || self.log.is_timed() && self.header.memory.is_some()
    }
}

/// Reads one run after the other. Each begins with a header.
pub struct Reader<R> {
    input: R,
    line: usize,
    /// The header of the next run, and the number of its line.
    next: Option<(usize, Header)>,
}

impl<R: BufRead> Reader<R> {
    /// Reads the first header.
    ///
    /// # Errors
    ///
    /// An input without a header.
    pub fn new(input: R) -> Result<Self, ReadError> {
        let mut reader = Reader { input, line: 0, next: None };
        let title = "the first line of a log is its header, such as {\"gpu_lsu_log\":1,\"unit\":{\"lanes\":32}}";
        let Some(object) = reader.object()? else { return Err(reader.wrong(format!("nothing is there; {title}"))) };
        if !object.contains_key("gpu_lsu_log") {
            return Err(reader.wrong(format!("no header; {title}")));
        }
        reader.next = Some((reader.line, reader.header(object)?));
        Ok(reader)
    }

    fn wrong(&self, what: impl Into<String>) -> ReadError {
        // The error of an empty file is reported for line 1.
        ReadError::Line { line: self.line.max(1), what: what.into() }
    }

    /// The next line that is not blank.
    fn object(&mut self) -> Result<Option<Map<String, Value>>, ReadError> {
        loop {
            let mut bytes = Vec::new();
            if self.input.read_until(b'\n', &mut bytes)? == 0 {
                return Ok(None);
            }
            self.line += 1;
            let text = if self.line == 1 { unmarked(&bytes) } else { &bytes };
            if text.trim_ascii().is_empty() {
                continue;
            }
            return json::object(text).map(Some).map_err(|what| self.wrong(what));
        }
    }

    fn header(&self, object: Map<String, Value>) -> Result<Header, ReadError> {
        let format = object.get("gpu_lsu_log").and_then(Value::as_u64);
        if format != Some(FORMAT.into()) {
            let found = format.map_or("no number".to_owned(), |format| format.to_string());
            return Err(self.wrong(format!("a log of format {found}; this version reads format {FORMAT}")));
        }
        let header: Header = serde_json::from_value(Value::Object(object))
            .map_err(|error| self.wrong(format!("the header: {error}")))?;
        match header.unit.problem() {
            Some(problem) => Err(self.wrong(format!("the header's unit: {problem}"))),
            None => Ok(header),
        }
    }

    fn record(&mut self, line: usize, mut header: Header) -> Result<Record, ReadError> {
        let told = FxHashSet::default();
        let mut parser = Parser { shape: header.unit, ports: levels(&header.unit), line, told, waits: false };
        let mut events: Vec<Event> = Vec::new();
        while let Some(object) = self.object()? {
            if object.contains_key("gpu_lsu_log") {
                self.next = Some((self.line, self.header(object)?));
                break;
            }
            parser.line = self.line;
            parser.event(object, &mut events).map_err(|error| self.wrong(error.to_string()))?;
        }
        events.sort_by_key(|(cycle, _, event)| (*cycle, event.rank()));
        parsed::can_be(&events)?;
        let mut log = Log::default();
        let ends = events.iter().any(|(.., event)| matches!(event, Parsed::End(_)));
        if !ends && !header.unseen.contains(&super::What::End) {
            header.unseen.push(super::What::End);
        }
        let withdrawn = events.iter().any(|(.., event)| matches!(event, Parsed::Withdrawn(_)));
        if !header.offers && !parser.waits && !withdrawn && !header.unseen.contains(&super::What::Offers) {
            header.unseen.push(super::What::Offers);
        }
        let unseen = header.unseen();
        log.set_unseen(unseen);
        // In mid-flight, the control registers are what they were.
        let known = events.iter().find(|(.., event)| matches!(event, Parsed::Ctrl(_) | Parsed::Op(_)));
        if let Some((_, line, Parsed::Op(_))) = known.filter(|_| unseen.start) {
            let what = "the control registers are not known: a log that begins in mid-flight has a `ctrl` event before its first operation";
            return Err(ReadError::Line { line: *line, what: what.to_owned() });
        }
        let controlled = events.iter().any(|(.., event)| matches!(event, Parsed::Ctrl(_)));
        let requests = events.iter().filter(|(.., event)| matches!(event, Parsed::Request(_))).count();
        for (cycle, line, event) in events {
            // A request from before the log may be applied within the log.
            if let Parsed::Applied(AppliedLine { request, .. }) = event
                && request >= log.next_request()
                && !unseen.start
            {
                let what = match (request as usize) < requests {
                    true => {
                        format!("request {request} is applied no sooner than in the cycle after the one that takes it")
                    }
                    false => format!("no request {request}: the log has {}, from 0 on", count(requests, "request")),
                };
                return Err(ReadError::Line { line, what: format!("`applied.request`: {what}") });
            }
            event.put(cycle, &mut log);
        }
        let mut left_out = parser.left_out();
        if !controlled {
            left_out.push("ctrl".to_owned());
        }
        Ok(Record { header, log, line, left_out })
    }
}

impl<R: BufRead> Iterator for Reader<R> {
    type Item = Result<Record, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        let (line, header) = self.next.take()?;
        Some(self.record(line, header))
    }
}

/// The parser of a line, with the ports that it fills.
struct Parser {
    shape: Shape,
    ports: Ports<Levels>,
    /// From 1.
    line: usize,
    /// The ports that some event has.
    told: FxHashSet<&'static str>,
    /// Whether some line says since when its transfer waited, or that it was not taken.
    waits: bool,
}

const EVENTS: &str = "op, data, req, rsp, wb, done, reset, ctrl, foreign, applied, withdrawn, report, end";

impl Parser {
    fn event(&mut self, mut object: Map<String, Value>, events: &mut Vec<Event>) -> Result<(), ValueError> {
        let cycle = match object.remove("cycle") {
            Some(cycle) => cycle.as_u64().ok_or_else(|| ValueError::new("no number of a cycle").within("cycle"))?,
            None => return Err(ValueError::new("no `cycle`: every event has the number of its clock cycle")),
        };
        let waited = object.remove("waited");
        let waited = waited.map(|waited| match waited.as_u64() {
            Some(since) if since <= cycle => Ok(since),
            _ => Err(ValueError::new(format!("no number of a cycle up to {cycle}")).within("waited")),
        });
        let waited = waited.transpose()?;
        let taken = match object.remove("taken") {
            None => true,
            Some(taken) => taken.as_bool().ok_or_else(|| ValueError::new("neither true nor false").within("taken"))?,
        };
        let mut rest = object.into_iter();
        let Some((name, value)) = rest.next() else {
            return Err(ValueError::new(format!("no event: one of {EVENTS}")));
        };
        if let Some((other, _)) = rest.next() {
            return Err(ValueError::new(format!("`{other}` beside `{name}`: a line has one event, one of {EVENTS}")));
        }
        let within = |error: ValueError| error.within(&name);
        let Some(&(channel, _)) = CHANNELS.iter().find(|(_, known)| *known == name) else {
            let event = self.other(&name, value).map_err(within)?;
            if !taken || waited.is_some() {
                return Err(ValueError::new("has neither `taken` nor `waited`: it is no transfer").within(&name));
            }
            events.push((cycle, self.line, event));
            return Ok(());
        };
        self.fill(channel, &value).map_err(within)?;
        if let Some(offer) = self.offer(channel) {
            self.waits |= !taken || waited.is_some();
            if !taken {
                if waited.is_some() {
                    return Err(
                        ValueError::new("is beside `\"taken\":false`: what waits is not taken yet").within("waited")
                    );
                }
                events.push((cycle, self.line, Parsed::Offer(offer)));
                return Ok(());
            }
            if let Some(since) = waited.filter(|&since| since < cycle) {
                events.push((since, self.line, Parsed::Offer(offer)));
            }
        } else if !taken {
            return Err(ValueError::new("what the environment offers is logged when it is taken").within(&name));
        }
        events.push((cycle, self.line, self.taken(channel)));
        Ok(())
    }

    /// The offer of the unit at a channel.
    fn offer(&self, channel: Channel) -> Option<Offer> {
        match self.taken(channel) {
            Parsed::Request(seen) => Some(Offer::Request(seen)),
            Parsed::Beat(beat) => Some(Offer::Beat(beat)),
            Parsed::Done(done) => Some(Offer::Done(done)),
            _ => None,
        }
    }

    fn taken(&self, channel: Channel) -> Parsed {
        let ports = &self.ports;
        match channel {
            Channel::Op | Channel::Unit => Parsed::Op(Box::new(sample::op(ports))),
            Channel::Data => Parsed::Data(Box::new(sample::data(ports))),
            Channel::WriteBack => Parsed::Beat(Box::new(sample::beat(ports))),
            Channel::Done => Parsed::Done(Box::new(sample::done(ports))),
            Channel::Response => Parsed::Response(Box::new(sample::response(ports))),
            Channel::Request => {
                let mut seen = Seen::default();
                sample::request(ports, true, &mut seen);
                Parsed::Request(Box::new(seen))
            }
        }
    }

    /// The ports of which no event has a value, although others of their channel have one.
    fn left_out(&self) -> Vec<String> {
        let is_told = |channel| PORTS.iter().any(|(port, _)| port.channel == channel && self.told.contains(port.name));
        let channels = CHANNELS.iter().filter(|(channel, _)| is_told(*channel));
        let of = |&(channel, name): &(Channel, &str)| {
            let ports = PORTS.iter().map(|(port, _)| port);
            let payload = ports.filter(move |port| port.channel == channel && port.role == Role::Payload);
            let untold = payload.filter(|port| !short(port.name).is_empty() && !self.told.contains(port.name));
            untold.map(|port| format!("{name}.{}", short(port.name))).collect::<Vec<_>>()
        };
        channels.flat_map(of).collect()
    }

    /// Puts a transfer on its ports.
    fn fill(&mut self, channel: Channel, value: &Value) -> Result<(), ValueError> {
        let shape = self.shape;
        let ports = self.ports.iter_mut().filter(|(port, _)| port.channel == channel);
        let mut payload: Vec<(&Described, &mut Levels)> =
            ports.filter(|(port, _)| port.role == Role::Payload).collect();
        payload.iter_mut().for_each(|(port, levels)| **levels = Levels::new(port.width(&shape)));
        if let [(port, levels)] = &mut payload[..] {
            return put(&shape, port, value, levels);
        }
        let Value::Object(object) = value else {
            return Err(ValueError::new("no object of the values of its ports"));
        };
        let main = payload.iter().position(|(port, _)| short(port.name).is_empty());
        let mut fields = Map::new();
        for (name, value) in object {
            match payload.iter_mut().find(|(port, _)| short(port.name) == name) {
                Some((port, levels)) => {
                    self.told.insert(port.name);
                    put(&shape, port, value, levels).map_err(|error| error.within(name))?;
                }
                None if main.is_some() => drop(fields.insert(name.clone(), value.clone())),
                None => {
                    let names: Vec<_> = payload.iter().map(|(port, _)| short(port.name)).collect();
                    let what = format!("no port; there are {}", names.join(", "));
                    return Err(ValueError::new(what).within(name));
                }
            }
        }
        // The packed form of the struct has the name `bits`, beside the fields.
        if let Some((port, levels)) = main.map(|main| &mut payload[main]) {
            let packed = fields.remove("bits");
            let beside = fields.keys().next().cloned();
            put(&shape, port, &Value::Object(fields), levels)?;
            match (packed, beside) {
                (None, _) => {}
                (Some(packed), None) => put(&shape, port, &packed, levels).map_err(|error| error.within("bits"))?,
                (Some(_), Some(name)) => {
                    return Err(ValueError::new("is in `bits` already: give either `bits` or fields").within(&name));
                }
            }
        }
        Ok(())
    }

    /// Parses an event that is no transfer.
    fn other(&self, name: &str, value: Value) -> Result<Parsed, ValueError> {
        let of = |error: serde_json::Error| ValueError::new(error.to_string());
        let is = |wanted: &str| ValueError::new(format!("not {wanted}"));
        Ok(match name {
            "reset" => match value {
                Value::Bool(true) => Parsed::Reset,
                _ => return Err(is("true")),
            },
            "ctrl" => {
                let mut ports = levels(&self.shape);
                put(&self.shape, &PORTS.ctrl, &value, &mut ports.ctrl)?;
                Parsed::Ctrl(Box::new(sample::control(&ports)))
            }
            "foreign" => {
                let access: ForeignLine = serde_json::from_value(value).map_err(of)?;
                let last = access.addr.checked_add((access.bytes.len() as u64).saturating_sub(1));
                if access.compare.is_some() && !(access.addr.is_multiple_of(4) && access.bytes.len() == 4) {
                    return Err(is("four bytes at a multiple of 4, which an access that compares has"));
                }
                Parsed::Foreign(last.map(|_| access).ok_or_else(|| is("bytes up to the last 64-bit address"))?)
            }
            "applied" => Parsed::Applied(serde_json::from_value(value).map_err(of)?),
            "withdrawn" => match value.as_str() {
                Some("req") => Parsed::Withdrawn(Port::Request),
                Some("wb") => Parsed::Withdrawn(Port::Beat),
                Some("done") => Parsed::Withdrawn(Port::Done),
                _ => return Err(is("\"req\", \"wb\" or \"done\"")),
            },
            "report" => {
                let lines = value.as_str().ok_or_else(|| is("a text"))?.split('\n').map(printable);
                Parsed::Report(lines.collect::<Vec<_>>().join("\n"))
            }
            "end" => match value {
                Value::Bool(true) => Parsed::End(EndLine::default()),
                Value::Object(_) => Parsed::End(serde_json::from_value(value).map_err(of)?),
                _ => return Err(is("true, or {\"offered\":true} if something still waited for the unit")),
            },
            _ => return Err(ValueError::new(format!("no event; there are {EVENTS}"))),
        })
    }
}

fn put(shape: &Shape, port: &Described, value: &Value, levels: &mut Levels) -> Result<(), ValueError> {
    let width = port.width(shape);
    let mut words = vec![0; width.div_ceil(32)];
    value::read(&port.content(shape), value, &mut Bits::from_slice_mut(&mut words)[..width])?;
    levels.set_words(&words);
    Ok(())
}

#[cfg(test)]
mod tests;
