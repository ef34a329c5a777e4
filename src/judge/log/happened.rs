// SPDX-License-Identifier: MIT OR Apache-2.0
//! The transfer of a part of a log to another log.

use super::{Beat, Done, Event, Foreign, Held, Issue, Log, Offer, Port, Report, Response, Seen};
use crate::{
    model::Register,
    op::{Ctrl, Lanes, Op},
    sets::Inst,
};

/// An event with its contents, on its way to a log elsewhere.
#[derive(Clone, Debug)]
#[allow(missing_docs)] // as `Event` says
pub enum Happened {
    Reset,
    Control(Box<Ctrl>),
    Op(Box<(Op, Lanes, Option<Inst>)>),
    Data(Register),
    Request(Seen),
    Applied(u32, bool),
    Response(Response),
    Beat(Beat),
    Done(Done),
    Offer(Offer),
    Withdrawn(Port),
    Foreign(Foreign),
    Report(Report),
    /// With what the parts of the unit hold.
    End(bool, Vec<Held>),
}

impl Log {
    /// The events from an entry on, for a log elsewhere that has those before.
    pub fn since(&self, place: usize) -> Vec<(u64, Happened)> {
        let entries = self.entries.get(place..).unwrap_or_default();
        entries.iter().map(|entry| (entry.cycle, self.happened(&entry.event))).collect()
    }

    fn happened(&self, event: &Event) -> Happened {
        match *event {
            Event::Reset => Happened::Reset,
            Event::Control(number) => Happened::Control(Box::new(*self.controls(number))),
            Event::Op(number) => {
                let Issue { op, lanes, inst, .. } = &self.issues[number as usize];
                Happened::Op(Box::new((*op, lanes.clone(), *inst)))
            }
            Event::Data(number) => Happened::Data(*self.beat_data(number)),
            Event::Request(number) => Happened::Request(self.requested(number).clone()),
            Event::Applied(number, made) => Happened::Applied(number, made),
            Event::Response(number) => Happened::Response(self.responded(number).clone()),
            Event::Beat(number) => Happened::Beat(self.written_back(number).clone()),
            Event::Done(number) => Happened::Done(self.completed(number).clone()),
            Event::Offer(number) => Happened::Offer(self.offered(number).clone()),
            Event::Withdrawn(port) => Happened::Withdrawn(port),
            Event::Foreign(number) => Happened::Foreign(self.made(number).clone()),
            Event::Report(number) => Happened::Report(self.reported(number).clone()),
            Event::End(offered) => Happened::End(offered, self.held.clone()),
        }
    }
}

impl Extend<(u64, Happened)> for Log {
    fn extend<T: IntoIterator<Item = (u64, Happened)>>(&mut self, happened: T) {
        for (cycle, happened) in happened {
            match happened {
                Happened::Reset => self.reset(cycle),
                Happened::Control(ctrl) => self.control(cycle, *ctrl),
                Happened::Op(what) => self.op(cycle, &what.0, &what.1, what.2),
                Happened::Data(register) => self.data(cycle, &register),
                Happened::Request(seen) => self.request(cycle, seen),
                Happened::Applied(number, made) => self.applied(cycle, number, made),
                Happened::Response(response) => self.response(cycle, response),
                Happened::Beat(beat) => self.beat(cycle, beat),
                Happened::Done(done) => self.done(cycle, done),
                Happened::Offer(offer) => self.offer(cycle, offer),
                Happened::Withdrawn(port) => self.withdrawn(cycle, port),
                Happened::Foreign(access) => self.foreign(cycle, access),
                Happened::Report(report) => self.report(cycle, report),
                Happened::End(offered, held) => {
                    self.held.extend(held);
                    self.end(cycle, offered);
                }
            }
        }
    }
}
