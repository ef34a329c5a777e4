// SPDX-License-Identifier: MIT OR Apache-2.0
//! Goes once through the log, and finds which of the model's requests each request of the unit stands for, and what
//! memory performed when.
//!
//! Both memories are written at the same moments: when memory performs a request of the unit, the model's own request
//! is performed in the model's memory. What the unit never requests is performed when its operation is done.

use rustc_hash::FxHashMap;

use super::{Asked, Trail, Work, running::Running};
use crate::{
    judge::{
        Mismatch,
        log::{Event, Log, Seen, lines::Record},
        scoreboard::Known,
    },
    model::{self, Memory, Scratchpad},
    op::{Kind, MAX_LANES, MAX_REGISTERS, ReqKind},
};

pub struct Walk<'a> {
    pub trail: Trail<'a>,
    pub running: FxHashMap<usize, Running>,
    /// By tag: the operation in flight.
    tags: [Option<usize>; 256],
    /// By id: the request in flight, and whether memory has come to it.
    pub flights: FxHashMap<u8, (u32, bool)>,
    pad: Scratchpad,
    known: Known,
    pub unit: Memory,
    pub model: Memory,
    /// Whether something from before the log may be in flight.
    pub before: bool,
    /// Whether the log has ended.
    pub over: bool,
}

pub fn walk<'a>(record: &'a Record, verdict: Option<&'a Mismatch>) -> Trail<'a> {
    let trail = Trail {
        record,
        verdict,
        works: Vec::new(),
        asked: Vec::new(),
        stores: Vec::new(),
        blocks: FxHashMap::default(),
        controls: vec![Default::default()],
        start: record.header.start(),
    };
    let (shared, start) = (record.header.unit.shared_bytes, trail.start.clone());
    let mut walk = Walk {
        trail,
        running: FxHashMap::default(),
        tags: [None; 256],
        flights: FxHashMap::default(),
        pad: Scratchpad::new(shared),
        known: Known::new(shared),
        unit: start.clone(),
        model: start,
        before: record.header.unseen().start,
        over: false,
    };
    let log = &record.log;
    for entry in log.entries() {
        let cycle = entry.cycle;
        match entry.event {
            Event::Reset => {
                walk.requests_cut_off(cycle);
                walk.cut_off();
                walk.running.clear();
                walk.flights.clear();
                walk.before = false;
                walk.tags = [None; 256];
            }
            Event::Control(number) => walk.trail.controls.push(*log.controls(number)),
            Event::Op(_) => walk.op(cycle),
            Event::Request(number) => walk.request(cycle, number, log.requested(number)),
            Event::Applied(number, made) => walk.applied(cycle, number, made),
            Event::Response(number) => walk.answered(cycle, number, log),
            Event::Beat(number) => {
                let beat = log.written_back(number);
                if let Some(index) = walk.owner(beat.warp, beat.tag) {
                    walk.trail.works[index].beats.push((cycle, number));
                }
            }
            Event::Done(number) => {
                let done = log.completed(number);
                if let Some(index) = walk.owner(done.warp, done.tag) {
                    walk.done(cycle, index);
                    walk.tags[usize::from(done.tag)] = None;
                }
            }
            Event::Foreign(number) => walk.foreign(cycle, number, log.made(number)),
            Event::Data(_) | Event::Offer(_) | Event::Withdrawn(_) | Event::Report(_) | Event::End(_) => {}
        }
    }
    walk.end(log.entries().last().map_or(0, |entry| entry.cycle));
    walk.trail
}

impl Walk<'_> {
    /// Notes the operations that a reset cuts off: their stores may have reached the scratchpad, or not.
    fn cut_off(&mut self) {
        for (&index, running) in &self.running {
            let op = &self.trail.record.log.issues()[index].op;
            self.known.cut_off(op, &running.plan);
            let work = &mut self.trail.works[index];
            work.cut = true;
            if op.kind == Kind::CmpStore as u8 {
                work.unknown = running.plan.shared;
            }
        }
    }

    fn owner(&self, warp: u8, tag: u8) -> Option<usize> {
        let index = self.tags[usize::from(tag)]?;
        (self.trail.record.log.issues()[index].op.warp & 7 == warp).then_some(index)
    }

    fn op(&mut self, cycle: u64) {
        let (index, ctrl) = (self.trail.works.len(), self.trail.controls.len() - 1);
        let (found, unknown, dwords) = Default::default();
        let (requests, beats) = Default::default();
        let record = self.trail.record;
        let issue = &record.log.issues()[index];
        let dataless = (self.before || record.header.unseen().data) && !issue.data.is_empty();
        let (done, shared) = (None, false);
        let cut = false;
        let work = Work { accepted: cycle, ctrl, requests, beats, done, dataless, cut, shared, found, unknown, dwords };
        self.trail.works.push(work);
        let plan = self.trail.plan(index);
        if !plan.shared.is_empty() {
            let dword = |pad: &Scratchpad, lane: usize| pad.word(plan.addr[lane]);
            let before: Vec<_> = plan.shared.iter().map(|lane| dword(&self.pad, lane)).collect();
            let mut found = vec![[0; MAX_LANES]; MAX_REGISTERS];
            let work = &mut self.trail.works[index];
            work.shared = true;
            work.unknown = self.known.access(&issue.op, &plan, dataless);
            if issue.op.kind == Kind::CmpStore as u8 {
                let pad = &self.pad;
                let may_hold = |word, value, bits| (pad.word(word) ^ value) & bits == 0;
                self.known.compared(&plan, &issue.data, may_hold);
            }
            self.pad.access(&record.header.unit, &issue.op, &plan, &issue.data, &mut found);
            if issue.op.kind == Kind::Load as u8 {
                found.truncate(64 - issue.op.registers().leading_zeros() as usize);
                work.found = found;
            } else if issue.op.kind == Kind::CmpStore as u8 {
                let lanes = plan.shared.iter().zip(before);
                work.dwords = lanes.map(|(lane, was)| (plan.addr[lane], was, dword(&self.pad, lane))).collect();
            }
            if dataless {
                work.unknown = plan.shared;
            }
        }
        let asked = vec![0; plan.requests.len()];
        self.running.insert(index, Running { plan, asked, halves: FxHashMap::default() });
        self.tags[usize::from(issue.op.tag)] = Some(index);
    }

    fn request(&mut self, cycle: u64, number: u32, seen: &Seen) {
        let work = self.owner(seen.warp, seen.tag);
        let mut which = None;
        if let Some(index) = work {
            self.trail.works[index].requests.push(number);
            if let Some(running) = self.running.get_mut(&index) {
                which = running.stands_for(seen);
            }
        }
        self.trail.asked.push(Asked { cycle, work, which, answers: Vec::new() });
        self.flights.insert(seen.id, (number, false));
    }

    fn answered(&mut self, cycle: u64, number: u32, log: &Log) {
        let response = log.responded(number);
        let Some(&(request, over)) = self.flights.get(&response.id) else { return };
        self.trail.asked[request as usize].answers.push((cycle, number));
        let Asked { work, which, ref answers, .. } = self.trail.asked[request as usize];
        let first = answers.len() == 1;
        if first && !over {
            // If the log does not show when memory performed the request, the answer counts.
            let refused = response.exclusive_failed && log.requested(request).is_pair();
            self.make(cycle, request, !response.error && !refused);
        }
        self.flights.insert(response.id, (request, true));
        if response.last {
            self.flights.remove(&response.id);
        }
        let (Some(index), Some(which)) = (work, which) else { return };
        let Some(running) = self.running.get_mut(&index).filter(|_| first) else { return };
        let Some(asked) = running.plan.requests.get(which).filter(|asked| asked.kind == ReqKind::ReadExclusive) else {
            return;
        };
        if log.requested(request).kind == ReqKind::ReadExclusive as u8 {
            let failed = response.error || response.exclusive_failed;
            // An answer for another line than the model's tells nothing. The model's own memory is asked instead, if it
            // is known.
            let asked_it = log.requested(request).line == asked.line;
            let known = asked_it || self.trail.record.header.memory.is_some();
            let line = if asked_it { response.data } else { self.model.read_line(asked.line) };
            let data = &log.issues()[index].data;
            let half = (!failed && known).then(|| model::cas::second_half(&running.plan, asked, data, &line));
            running.halves.remove(&which);
            running.halves.extend(half.filter(|half| half.byte_enable != 0).map(|half| (which, half)));
        }
    }

    fn applied(&mut self, cycle: u64, number: u32, made: bool) {
        let id = self.trail.record.log.requested(number).id;
        if let Some(flight) = self.flights.get_mut(&id).filter(|flight| flight.0 == number) {
            flight.1 = true;
        }
        self.make(cycle, number, made);
    }
}
