// SPDX-License-Identifier: MIT OR Apache-2.0
//! Writes a log.

use std::{
    convert::Infallible,
    io::{self, Write},
};

use serde::Serialize;
use serde_json::{Map, Value};

use super::{
    super::{Event, Log, Offer, Port, sample},
    AppliedLine, CHANNELS, EndLine, ForeignLine, Header, short, value,
};
use crate::{
    op::{Bits, Ctrl, Shape},
    ports::{Channel, Holds, Levels, Ports},
};

/// Writes the logs of one run, one after the other, as a single log.
pub struct Writer<W> {
    out: W,
    shape: Shape,
    ports: Ports<Levels>,
    /// For the log that is written now: its first cycle, and the number of its first request.
    cycle: u64,
    requests: u32,
}

/// Room for the values of each port.
pub(super) fn levels(shape: &Shape) -> Ports<Levels> {
    let made: Result<_, Infallible> = Ports::make(|port| Ok(Levels::new(port.width(shape))));
    made.unwrap_or_else(|never| match never {})
}

impl<W: Write> Writer<W> {
    /// Writes the header.
    ///
    /// # Errors
    ///
    /// An error of the system, here and in the other functions.
    pub fn new(mut out: W, header: &Header) -> io::Result<Self> {
        let shape = header.unit;
        serde_json::to_writer(&mut out, header)?;
        out.write_all(b"\n")?;
        Ok(Writer { out, shape, ports: levels(&shape), cycle: 0, requests: 0 })
    }

    /// Writes the control registers that hold from here on.
    pub fn control(&mut self, ctrl: &Ctrl) -> io::Result<()> {
        sample::drive_control(&mut self.ports, ctrl);
        let port = &crate::ports::PORTS.ctrl;
        let content = port.content(&self.shape);
        let bits = &Bits::from_slice(self.ports.ctrl.words())[..port.width(&self.shape)];
        self.line(0, "ctrl", &value::write(&content, bits))
    }

    /// Writes a log, from its first event to its last. The run ends with it unless it `goes_on`.
    pub fn log(&mut self, log: &Log, goes_on: bool) -> io::Result<()> {
        for entry in log.entries() {
            let cycle = entry.cycle;
            match entry.event {
                Event::Reset => self.line(cycle, "reset", &true)?,
                Event::Control(number) => {
                    sample::drive_control(&mut self.ports, log.controls(number));
                    self.control(log.controls(number))?;
                }
                Event::Op(number) => {
                    let issue = &log.issues()[number as usize];
                    sample::drive_op(&mut self.ports, &self.shape, &issue.op, &issue.lanes);
                    self.transfer(cycle, Channel::Op, true)?;
                }
                Event::Data(number) => {
                    sample::drive_data(&mut self.ports, log.beat_data(number));
                    self.transfer(cycle, Channel::Data, true)?;
                }
                Event::Request(number) => {
                    sample::drive_request(&mut self.ports, log.requested(number));
                    self.transfer(cycle, Channel::Request, true)?;
                }
                Event::Applied(request, made) => {
                    let request = self.requests + request;
                    self.line(cycle, "applied", &AppliedLine { request, made })?;
                }
                Event::Response(number) => {
                    sample::drive_response(&mut self.ports, log.responded(number));
                    self.transfer(cycle, Channel::Response, true)?;
                }
                Event::Beat(number) => {
                    sample::drive_beat(&mut self.ports, log.written_back(number));
                    self.transfer(cycle, Channel::WriteBack, true)?;
                }
                Event::Done(number) => {
                    sample::drive_done(&mut self.ports, log.completed(number));
                    self.transfer(cycle, Channel::Done, true)?;
                }
                Event::Offer(number) => {
                    let offer = log.offered(number);
                    match offer {
                        Offer::Request(seen) => sample::drive_request(&mut self.ports, seen),
                        Offer::Beat(beat) => sample::drive_beat(&mut self.ports, beat),
                        Offer::Done(done) => sample::drive_done(&mut self.ports, done),
                    }
                    self.transfer(cycle, channel(offer.port()), false)?;
                }
                Event::Withdrawn(port) => self.line(cycle, "withdrawn", &name(channel(port)))?,
                Event::Foreign(number) => {
                    let access = log.made(number);
                    let (addr, bytes, compare) = (access.addr, access.bytes.clone(), access.compare);
                    self.line(cycle, "foreign", &ForeignLine { addr, bytes, compare })?;
                }
                Event::Report(number) => self.line(cycle, "report", &log.reported(number).text)?,
                Event::End(offered) if !goes_on => {
                    self.line(cycle, "end", &EndLine { offered, held: log.held().to_vec() })?
                }
                Event::End(_) => {}
            }
        }
        self.cycle += log.entries().last().map_or(0, |last| last.cycle + 1);
        self.requests += log.next_request();
        Ok(())
    }

    /// Returns the output when all events are written.
    pub fn finish(self) -> W {
        self.out
    }

    /// Writes the current values of a channel's ports.
    fn transfer(&mut self, cycle: u64, of: Channel, taken: bool) -> io::Result<()> {
        let mut object = Map::new();
        let mut whole = None;
        for (port, levels) in self.ports.payload(of) {
            let bits = &Bits::from_slice(levels.words())[..port.width(&self.shape)];
            let value = match port.holds {
                Holds::LaneMask | Holds::ByteMask | Holds::Line => value::hex(bits),
                _ => value::write(&port.content(&self.shape), bits),
            };
            match (short(port.name), value) {
                ("", Value::Object(fields)) => object.extend(fields),
                ("", value) => whole = Some(value),
                (name, value) => drop(object.insert(name.to_owned(), value)),
            }
        }
        let value = whole.unwrap_or(Value::Object(object));
        let waits = if taken { "" } else { "\"taken\":false," };
        write!(self.out, "{{\"cycle\":{},{waits}\"{}\":", self.cycle + cycle, name(of))?;
        serde_json::to_writer(&mut self.out, &value)?;
        self.out.write_all(b"}\n")
    }

    fn line(&mut self, cycle: u64, event: &str, value: &(impl Serialize + ?Sized)) -> io::Result<()> {
        write!(self.out, "{{\"cycle\":{},\"{event}\":", self.cycle + cycle)?;
        serde_json::to_writer(&mut self.out, value)?;
        self.out.write_all(b"}\n")
    }
}

fn name(of: Channel) -> &'static str {
    CHANNELS.iter().find(|(channel, _)| *channel == of).map_or("", |(_, name)| name)
}

fn channel(port: Port) -> Channel {
    match port {
        Port::Request => Channel::Request,
        Port::Beat => Channel::WriteBack,
        Port::Done => Channel::Done,
    }
}
