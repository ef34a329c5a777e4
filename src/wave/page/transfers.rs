// SPDX-License-Identifier: MIT OR Apache-2.0
//! Turns a log into the transfers of each channel, with the model's values beside the unit's.

use std::{collections::BTreeMap, convert::Infallible, ops::Range};

use super::{
    group::{Group, Span},
    memory::Asked,
    offer::{Open, expected},
    watched::Watched,
};
use crate::{
    clause::Clause,
    judge::log::{Beat, Done, Entry, Event, Log, Offer, Port, Seen, sample},
    op::Shape,
    ports::{Channel, Levels, Ports},
};

/// All channels of a run.
pub(super) struct Transfers {
    pub groups: Vec<Group>,
    /// The cycle in which each operation was taken.
    pub accepted: Vec<u64>,
    /// What the operations of interest requested from memory, or should have.
    pub asked: BTreeMap<usize, Asked>,
}

struct Walk<'a> {
    log: &'a Log,
    watched: &'a Watched<'a>,
    shape: Shape,
    /// The levels at the unit's ports, and those that the model expects.
    unit: Ports<Levels>,
    model: Ports<Levels>,
    op: Group,
    data: Group,
    request: Group,
    response: Group,
    beat: Group,
    done: Group,
    accepted: Vec<u64>,
    which: Range<usize>,
    asked: BTreeMap<usize, Asked>,
    /// The last operation with each tag, and the operation of the last request with each id.
    by_tag: [Option<usize>; 256],
    by_id: [Option<usize>; 64],
    requests: Open<Seen>,
    beats: Open<Beat>,
    dones: Open<Done>,
    /// How many of the expected requests, beats and completions are behind.
    seen: [usize; 3],
}

/// Follows a log that was judged; `which` are the operations of interest.
pub(super) fn transfers(log: &Log, shape: Shape, watched: &Watched<'_>, which: Range<usize>) -> Transfers {
    let group = |channel, name, title, clause| Group::new(channel, name, title, clause, &shape);
    let mut walk = Walk {
        log,
        watched,
        shape,
        unit: levels(&shape),
        model: levels(&shape),
        op: group(Channel::Op, "op", "operations", Clause::PortOp),
        data: group(Channel::Data, "data", "store data", Clause::PortData),
        request: group(Channel::Request, "mem_req", "memory requests", Clause::PortReq),
        response: group(Channel::Response, "mem_rsp", "memory answers", Clause::PortRsp),
        beat: group(Channel::WriteBack, "wb", "write-back", Clause::PortWb),
        done: group(Channel::Done, "done", "completions", Clause::PortDone),
        accepted: Vec::new(),
        which,
        asked: BTreeMap::new(),
        by_tag: [None; 256],
        by_id: [None; 64],
        requests: Open::default(),
        beats: Open::default(),
        dones: Open::default(),
        seen: [0; 3],
    };
    log.entries().iter().for_each(|entry| walk.entry(entry));
    let end = log.entries().last().map_or(0, |last| last.cycle + 1);
    walk.leave(end, None);
    let groups = [walk.op, walk.data, walk.request, walk.response, walk.beat, walk.done];
    Transfers { groups: groups.map(Group::finish).into(), accepted: walk.accepted, asked: walk.asked }
}

fn levels(shape: &Shape) -> Ports<Levels> {
    let made: Result<_, Infallible> = Ports::make(|port| Ok(Levels::new(port.width(shape))));
    made.unwrap_or_else(|never| match never {})
}

impl Walk<'_> {
    fn entry(&mut self, entry: &Entry) {
        let (cycle, log) = (entry.cycle, self.log);
        let one = Span { start: cycle, end: cycle + 1, taken: true };
        match entry.event {
            Event::Op(number) => {
                let issue = &log.issues()[number as usize];
                sample::drive_op(&mut self.unit, &self.shape, &issue.op, &issue.lanes);
                self.by_tag[usize::from(issue.op.tag)] = Some(number as usize);
                self.accepted.push(cycle);
                self.op.transfer(one, Some(number as usize), &of(&self.unit, Channel::Op), None);
            }
            Event::Data(number) => {
                sample::drive_data(&mut self.unit, log.beat_data(number));
                self.data.transfer(one, log.owner(number), &of(&self.unit, Channel::Data), None);
            }
            Event::Response(number) => {
                let response = log.responded(number);
                sample::drive_response(&mut self.unit, response);
                let op = self.by_id[usize::from(response.id % 64)];
                self.response.transfer(one, op, &of(&self.unit, Channel::Response), None);
            }
            Event::Request(number) => self.request(cycle, log.requested(number).clone()),
            Event::Beat(number) => self.beat(cycle, log.written_back(number).clone()),
            Event::Done(number) => self.done(cycle, log.completed(number).clone()),
            Event::Offer(number) => match log.offered(number) {
                Offer::Request(what) => {
                    self.leave(cycle, Some(Port::Request));
                    self.requests = Open { since: cycle, what: Some((**what).clone()) };
                }
                Offer::Beat(what) => {
                    self.leave(cycle, Some(Port::Beat));
                    self.beats = Open { since: cycle, what: Some((**what).clone()) };
                }
                Offer::Done(what) => {
                    self.leave(cycle, Some(Port::Done));
                    self.dones = Open { since: cycle, what: Some((**what).clone()) };
                }
            },
            Event::Withdrawn(port) => self.leave(cycle, Some(port)),
            Event::Reset => self.leave(cycle, None),
            Event::Control(_) | Event::Applied(..) | Event::Foreign(_) | Event::Report(_) | Event::End(_) => {}
        }
    }

    /// Ends the offers of a port, or of all ports, that are gone without having been taken.
    fn leave(&mut self, cycle: u64, port: Option<Port>) {
        let not = |since| Span { start: since, end: cycle, taken: false };
        let is = |this| port.is_none_or(|port| port == this);
        if let Some(what) = self.requests.what.take_if(|_| is(Port::Request)) {
            self.requested(not(self.requests.since), &what);
        }
        if let Some(what) = self.beats.what.take_if(|_| is(Port::Beat)) {
            self.written_back(not(self.beats.since), &what);
        }
        if let Some(what) = self.dones.what.take_if(|_| is(Port::Done)) {
            self.completed(not(self.dones.since), &what);
        }
    }

    fn request(&mut self, cycle: u64, what: Seen) {
        let start = self.requests.taken(cycle, &what);
        self.leave(cycle, Some(Port::Request));
        self.by_id[usize::from(what.id % 64)] = self.by_tag[usize::from(what.tag)];
        self.requested(Span { start, end: cycle + 1, taken: true }, &what);
    }

    fn beat(&mut self, cycle: u64, what: Beat) {
        let start = self.beats.taken(cycle, &what);
        self.leave(cycle, Some(Port::Beat));
        self.written_back(Span { start, end: cycle + 1, taken: true }, &what);
    }

    fn done(&mut self, cycle: u64, what: Done) {
        let start = self.dones.taken(cycle, &what);
        self.leave(cycle, Some(Port::Done));
        self.completed(Span { start, end: cycle + 1, taken: true }, &what);
    }

    fn requested(&mut self, when: Span, what: &Seen) {
        sample::drive_request(&mut self.unit, what);
        let watched = self.watched;
        let expected = expected(&watched.requests, &mut self.seen[0], when);
        if let Some(model) = expected {
            let mut model = Seen { id: what.id, ..model.clone() };
            // Bytes that are not enabled, and the data of a read, mean nothing.
            let reads = what.reads();
            for (byte, (mine, seen)) in model.data.iter_mut().zip(&what.data).enumerate() {
                if reads || (model.byte_enable & what.byte_enable) >> byte & 1 == 0 {
                    *mine = *seen;
                }
            }
            sample::drive_request(&mut self.model, &model);
        }
        let op = self.by_tag[usize::from(what.tag)];
        for seen in expected.into_iter().chain([what]) {
            if let Some(op) = self.by_tag[usize::from(seen.tag)].filter(|op| self.which.contains(op)) {
                self.asked.entry(op).or_default().add(seen.line, seen.byte_enable, when.end - 1);
            }
        }
        let model = expected.map(|_| of(&self.model, Channel::Request));
        self.request.transfer(when, op, &of(&self.unit, Channel::Request), model.as_deref());
    }

    fn written_back(&mut self, when: Span, what: &Beat) {
        sample::drive_beat(&mut self.unit, what);
        let watched = self.watched;
        let expected = expected(&watched.beats, &mut self.seen[1], when);
        if let Some(model) = expected {
            let mut model = model.clone();
            // Any of the lanes that may come may come alone (PORT-WB).
            if (what.mask - model.mask).is_empty() && !what.mask.is_empty() {
                model.mask = what.mask;
            }
            for (lane, (mine, seen)) in model.data.iter_mut().zip(&what.data).enumerate() {
                if !model.mask.contains(lane) {
                    *mine = *seen;
                }
            }
            sample::drive_beat(&mut self.model, &model);
        }
        let op = self.by_tag[usize::from(what.tag)];
        let model = expected.map(|_| of(&self.model, Channel::WriteBack));
        self.beat.transfer(when, op, &of(&self.unit, Channel::WriteBack), model.as_deref());
    }

    fn completed(&mut self, when: Span, what: &Done) {
        sample::drive_done(&mut self.unit, what);
        let watched = self.watched;
        let expected = expected(&watched.dones, &mut self.seen[2], when);
        if let Some(model) = expected {
            sample::drive_done(&mut self.model, model);
        }
        let op = self.by_tag[usize::from(what.tag)];
        let model = expected.map(|_| of(&self.model, Channel::Done));
        self.done.transfer(when, op, &of(&self.unit, Channel::Done), model.as_deref());
    }
}

/// The levels at a channel's payload ports.
fn of(ports: &Ports<Levels>, channel: Channel) -> Vec<&Levels> {
    ports.payload(channel).map(|(_, levels)| levels).collect()
}
