// SPDX-License-Identifier: MIT OR Apache-2.0
//! Goes through a wave cycle by cycle, and logs what crosses the ports.

use std::collections::VecDeque;

use rustc_hash::FxHashSet;
use wellen::TimeTableIdx;

use super::{
    find::Part,
    sampler::Sampler,
    unknown::{self, Stored},
};
use crate::{
    judge::{
        Promises,
        log::{self, Event, Log, Offer, Report, Seen, Unseen, sample},
    },
    op::{Ctrl, ReqKind},
    ports::{Channel, PORTS, Port, Role, Wires},
};

/// The channels, in the order of a log's cycle.
const ORDER: [Channel; 6] =
    [Channel::Data, Channel::Request, Channel::Response, Channel::WriteBack, Channel::Done, Channel::Op];

/// The state of a channel in a cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Idle,
    Waits,
    Taken,
}

/// The valid and the ready of a channel.
struct Shake {
    channel: Channel,
    valid: (&'static Port, Part),
    ready: (&'static Port, Part),
    /// The offer that waited in the last cycle: its words, and those that have its unknown bits.
    kept: Option<Vec<u32>>,
}

/// A request that has an id.
#[derive(Clone, Copy, Default)]
pub struct Flight {
    pub reads: bool,
    pub exclusive: bool,
    pub byte_enable: u128,
    pub answered: bool,
}

/// The state on the way through a wave.
struct Walk {
    sampler: Sampler,
    log: Log,
    /// The channels of which all ports are there.
    shakes: Vec<Shake>,
    /// The times at which the control registers change, and the number of these times that are past.
    changes: Vec<TimeTableIdx>,
    changed: usize,
    ctrl: Option<Ctrl>,
    /// By id.
    flights: [Option<Flight>; 64],
    seen: Seen,
    promises: Promises,
    /// The number of data beats, and those with unknown bits whose operation is not known yet.
    beats: u32,
    stored: VecDeque<Stored>,
    /// Ports that have been reported as unknown.
    reported: FxHashSet<&'static str>,
    /// Whether the unit has been in reset, or never will be: its outputs then mean something.
    settled: bool,
    /// Whether the unit is offered something that it does not take in this cycle.
    offered: bool,
}

/// Makes the log of a wave with these cycles.
pub fn walk(sampler: Sampler, cycles: &[TimeTableIdx], unseen: Unseen, promises: &Promises) -> Log {
    let rst = sampler.parts.rst_n.clone();
    let first = cycles.first().copied().unwrap_or(0);
    let resets = sampler.low(&rst, None, TimeTableIdx::MAX);
    let mut log = Log::default();
    log.set_unseen(Unseen { start: unseen.start && !sampler.low(&rst, None, first), ..unseen });
    let shakes = ORDER.iter().filter(|&&channel| match channel {
        Channel::Data => !unseen.data,
        Channel::WriteBack => !unseen.write_back,
        _ => true,
    });
    let shakes = shakes.filter_map(|&channel| Shake::find(&sampler, channel)).collect();
    let changes = sampler.changes(&sampler.parts.ctrl);
    let mut walk = Walk {
        sampler,
        log,
        shakes,
        changes,
        changed: 0,
        ctrl: None,
        flights: [None; 64],
        seen: Seen::default(),
        promises: *promises,
        beats: 0,
        stored: VecDeque::new(),
        reported: FxHashSet::default(),
        settled: !resets,
        offered: false,
    };

    // Whether the unit is in reset, or was between the edges.
    let mut in_reset = false;
    let mut before = None;
    let mut last = 0;
    for (cycle, &at) in (0..).zip(cycles) {
        let level = rst.first().and_then(|rst| walk.sampler.bit(rst, at));
        if walk.sampler.low(&rst, before, at) {
            if !std::mem::replace(&mut in_reset, true) {
                // A reset that is over before the edge belongs to the cycle before.
                walk.log.reset(if level == Some(true) { last } else { cycle });
            }
            walk.reset();
        }
        match level {
            Some(true) => {
                in_reset = false;
                walk.control(cycle, at);
                walk.cycle(cycle, at);
            }
            level => {
                walk.control(cycle, at);
                walk.offered = false;
                if level.is_none() && walk.settled && !in_reset {
                    walk.unknown(&PORTS.rst_n, cycle, "x");
                }
            }
        }
        (before, last) = (Some(at), cycle);
    }
    walk.log.end(last, walk.offered);
    walk.log
}

impl Shake {
    fn find(sampler: &Sampler, channel: Channel) -> Option<Self> {
        let find = |role| {
            let mut ports = sampler.parts.iter();
            let (port, parts) = ports.find(|(port, _)| port.channel == channel && port.role == role)?;
            Some((port, *parts.first()?))
        };
        Some(Shake { channel, valid: find(Role::Valid)?, ready: find(Role::Ready)?, kept: None })
    }

    /// The port, if the unit makes its offers there.
    fn port(&self) -> Option<log::Port> {
        match self.channel {
            Channel::Request => Some(log::Port::Request),
            Channel::WriteBack => Some(log::Port::Beat),
            Channel::Done => Some(log::Port::Done),
            _ => None,
        }
    }
}

impl Walk {
    /// Drops everything in flight, and everything that waits.
    fn reset(&mut self) {
        self.settled = true;
        self.flights = [None; 64];
        self.stored.clear();
        self.shakes.iter_mut().for_each(|shake| shake.kept = None);
    }

    /// Logs the control registers, if they are new.
    fn control(&mut self, cycle: u64, at: TimeTableIdx) {
        let before = self.changed;
        self.changed += self.changes[before..].partition_point(|&time| time <= at);
        let is_there = !self.sampler.parts.ctrl.is_empty();
        if is_there && (self.ctrl.is_none() || self.changed > before) {
            self.sampler.read(at, |port| port.name == PORTS.ctrl.name);
            let ctrl = sample::control(&self.sampler.now);
            if self.ctrl.as_ref() != Some(&ctrl) {
                self.ctrl = Some(ctrl);
                self.log.control(cycle, ctrl);
            }
        }
    }

    fn cycle(&mut self, cycle: u64, at: TimeTableIdx) {
        let mut states = [State::Idle; ORDER.len()];
        for (place, state) in (0..self.shakes.len()).zip(&mut states) {
            *state = self.state(place, cycle, at);
        }
        for (shake, state) in self.shakes.iter_mut().zip(states) {
            if let (Some(port), State::Idle, true) = (shake.port(), state, shake.kept.is_some()) {
                shake.kept = None;
                self.log.withdrawn(cycle, port);
            }
        }
        self.offered = false;
        for (place, state) in (0..self.shakes.len()).zip(states) {
            let (channel, port) = (self.shakes[place].channel, self.shakes[place].port());
            match state {
                State::Idle => {}
                State::Waits if port.is_some() => self.waits(place, cycle, at),
                State::Waits => self.offered = true,
                State::Taken => {
                    let waited = self.shakes[place].kept.take().is_some();
                    self.sampler.read_payload(channel, at);
                    self.taken(channel, cycle, waited);
                }
            }
        }
    }

    fn state(&mut self, place: usize, cycle: u64, at: TimeTableIdx) -> State {
        let Shake { valid, ready, .. } = &self.shakes[place];
        let (valid, ready) = (*valid, *ready);
        let mut level = |(port, part): (&'static Port, Part)| {
            let level = self.sampler.bit(&part, at);
            if level.is_none() && self.settled {
                self.unknown(port, cycle, "x");
            }
            level.unwrap_or(false)
        };
        // Without an offer, ready does not matter.
        match level(valid) {
            false => State::Idle,
            true if level(ready) => State::Taken,
            true => State::Waits,
        }
    }

    /// Reports a port with an unknown value.
    fn unknown(&mut self, port: &'static Port, cycle: u64, value: &str) {
        if self.reported.insert(port.name) {
            self.log.report(cycle, unknown::report(port, port.name, cycle, value));
        }
    }

    /// Logs an offer of the unit that is not taken.
    fn waits(&mut self, place: usize, cycle: u64, at: TimeTableIdx) {
        let channel = self.shakes[place].channel;
        self.sampler.read_payload(channel, at);
        unknown::forgive(&mut self.sampler, channel, None, &self.promises);
        let Sampler { now, unknown, .. } = &self.sampler;
        let known = now.payload(channel).flat_map(|(_, levels)| levels.words());
        let words: Vec<u32> = known.chain(unknown.payload(channel).flat_map(|(_, words)| words)).copied().collect();
        let kept = &mut self.shakes[place].kept;
        if kept.as_ref() == Some(&words) {
            return;
        }
        *kept = Some(words);
        self.unknowns(channel, cycle);
        let now = &self.sampler.now;
        self.log.offer(
            cycle,
            match channel {
                Channel::WriteBack => Offer::Beat(Box::new(sample::beat(now))),
                Channel::Done => Offer::Done(Box::new(sample::done(now))),
                _ => {
                    let mut seen = Seen::default();
                    sample::request(now, true, &mut seen);
                    Offer::Request(Box::new(seen))
                }
            },
        );
    }

    /// Reports the unknown bits that mean something in what was read of a channel.
    fn unknowns(&mut self, channel: Channel, cycle: u64) {
        for (port, part, value) in unknown::payload(&self.sampler, channel) {
            // Every beat counts, because the scratchpad may give values that are unknown.
            let beat = (port.name == PORTS.wb_data.name).then(|| unknown::beat(&self.sampler));
            if beat.is_some() || self.reported.insert(port.name) {
                let report = unknown::report(port, &part, cycle, &value);
                self.log.report(cycle, Report { beat, ..report });
            }
        }
    }

    /// Logs a transfer of a channel, whose values were read.
    fn taken(&mut self, channel: Channel, cycle: u64, waited: bool) {
        let id = self.sampler.now.rsp_id.value() as usize % self.flights.len();
        unknown::forgive(&mut self.sampler, channel, self.flights[id], &self.promises);
        if channel != Channel::Data {
            self.unknowns(channel, cycle);
        }
        let now = &self.sampler.now;
        match channel {
            Channel::Data => {
                self.log.data(cycle, &sample::data(now));
                self.stored.extend(Stored::find(&self.sampler, self.beats, cycle));
                self.beats += 1;
                self.stored(cycle);
            }
            Channel::Request => {
                sample::request(now, waited, &mut self.seen);
                let (reads, exclusive) = (self.seen.reads(), self.seen.is_pair());
                let flight = Flight { reads, exclusive, byte_enable: self.seen.byte_enable, answered: false };
                self.flights[usize::from(self.seen.id) % 64] = Some(flight);
                self.log.request(cycle, self.seen.clone());
            }
            Channel::Response => {
                if let Some(flight) = &mut self.flights[id] {
                    flight.answered = true;
                }
                self.log.response(cycle, sample::response(now));
            }
            Channel::WriteBack => self.log.beat(cycle, sample::beat(now)),
            Channel::Done => self.log.done(cycle, sample::done(now)),
            Channel::Op => {
                let (op, lanes) = sample::op(now);
                self.log.op(cycle, &op, &lanes, None);
                self.stored(cycle);
            }
            Channel::Unit => {}
        }
    }

    /// Reports the unknown bits of data beats whose operation is known now. Beats that are nobody's are not judged.
    fn stored(&mut self, cycle: u64) {
        while let Some(stored) = self.stored.pop_front() {
            if !self.log.tells(&Event::Data(stored.beat)) {
                self.stored.push_front(stored);
                break;
            }
            let Some(op) = self.log.owner(stored.beat) else { continue };
            let (shape, issue) = (&self.sampler.shape, &self.log.issues()[op]);
            if let Some(report) = stored.report(shape, self.ctrl.as_ref(), issue)
                && self.reported.insert(PORTS.data.name)
            {
                self.log.report(cycle, report);
            }
        }
    }
}

/// Whether a request of this kind carries no data.
pub fn is_read(kind: u8) -> bool {
    [ReqKind::Read as u8, ReqKind::ReadExclusive as u8].contains(&kind)
}
