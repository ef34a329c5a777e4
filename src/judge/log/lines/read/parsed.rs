// SPDX-License-Identifier: MIT OR Apache-2.0
//! The contents of a line, before its event is sorted in among those of other lines.

use super::{
    super::{
        super::{Log, Offer, Port, Response, Seen, event},
        AppliedLine, CHANNELS, EndLine, ForeignLine,
    },
    ReadError,
};
use crate::{
    model::Register,
    op::{Ctrl, Lanes, Op},
    ports::Channel,
};

/// An event with its cycle and its line, not sorted yet.
pub type Event = (u64, usize, Parsed);

/// The contents of a line.
pub enum Parsed {
    Reset,
    Ctrl(Box<Ctrl>),
    Op(Box<(Op, Lanes)>),
    Data(Box<Register>),
    Offer(Offer),
    Request(Box<Seen>),
    Applied(AppliedLine),
    Foreign(ForeignLine),
    Response(Box<Response>),
    Beat(Box<event::Beat>),
    Done(Box<event::Done>),
    Withdrawn(Port),
    Report(String),
    End(EndLine),
}

impl Parsed {
    /// The rank of the event within a cycle, in the order of [`Log::entries`].
    pub fn rank(&self) -> u8 {
        match self {
            Parsed::Reset => 0,
            Parsed::Ctrl(_) => 1,
            Parsed::Applied(_) | Parsed::Foreign(_) => 2,
            Parsed::Withdrawn(_) => 3,
            Parsed::Data(_) => 4,
            Parsed::Request(_) | Parsed::Offer(Offer::Request(_)) => 5,
            Parsed::Response(_) => 6,
            Parsed::Beat(_) | Parsed::Offer(Offer::Beat(_)) => 7,
            Parsed::Done(_) | Parsed::Offer(Offer::Done(_)) => 8,
            Parsed::Op(_) => 9,
            Parsed::Report(_) => 10,
            Parsed::End(_) => 11,
        }
    }

    /// The channel of which the event is an offer that is not taken in its cycle.
    fn waits_at(&self) -> Option<Channel> {
        let Parsed::Offer(offer) = self else { return None };
        Some(match offer {
            Offer::Request(_) => Channel::Request,
            Offer::Beat(_) => Channel::WriteBack,
            Offer::Done(_) => Channel::Done,
        })
    }

    /// The channel of which the event is a handshake.
    fn channel(&self) -> Option<Channel> {
        Some(match self {
            Parsed::Op(_) => Channel::Op,
            Parsed::Data(_) => Channel::Data,
            Parsed::Request(_) => Channel::Request,
            Parsed::Response(_) => Channel::Response,
            Parsed::Beat(_) => Channel::WriteBack,
            Parsed::Done(_) => Channel::Done,
            _ => return None,
        })
    }

    pub fn put(self, cycle: u64, log: &mut Log) {
        match self {
            Parsed::Reset => log.reset(cycle),
            Parsed::Ctrl(ctrl) => log.control(cycle, *ctrl),
            Parsed::Op(op) => log.op(cycle, &op.0, &op.1, None),
            Parsed::Data(register) => log.data(cycle, &register),
            Parsed::Offer(offer) => log.offer(cycle, offer),
            Parsed::Request(seen) => log.request(cycle, *seen),
            Parsed::Applied(applied) => log.applied(cycle, applied.request, applied.made),
            Parsed::Foreign(foreign) => log.foreign(cycle, foreign.at(cycle)),
            Parsed::Response(response) => log.response(cycle, *response),
            Parsed::Beat(beat) => log.beat(cycle, *beat),
            Parsed::Done(done) => log.done(cycle, *done),
            Parsed::Withdrawn(port) => log.withdrawn(cycle, port),
            Parsed::Report(text) => log.report(cycle, text.into()),
            Parsed::End(end) => {
                end.held.into_iter().for_each(|held| log.holds(held));
                log.end(cycle, end.offered);
            }
        }
    }
}

/// Checks that sorted events can happen: a port has one handshake a cycle, no offer beside it, and nothing comes after
/// the end.
pub fn can_be(events: &[Event]) -> Result<(), ReadError> {
    let mut last = [None; CHANNELS.len()];
    let mut waits = [None; CHANNELS.len()];
    let mut end = None;
    for &(cycle, line, ref event) in events {
        let wrong = |what: String| Err(ReadError::Line { line, what });
        if let Some((ended, before)) = end {
            return wrong(format!("cycle {cycle} comes after the log's `end`, in cycle {ended} (line {before})"));
        }
        if let Parsed::End(_) = event {
            end = Some((cycle, line));
        }
        let (channel, waiting) = (event.channel(), event.waits_at());
        let at = channel.or(waiting);
        let Some(place) = CHANNELS.iter().position(|(known, _)| Some(*known) == at) else { continue };
        let name = CHANNELS[place].1;
        let now = |other: Option<(u64, usize)>| other.filter(|&(before, _)| before == cycle).map(|(_, line)| line);
        if waiting.is_some() {
            waits[place] = Some((cycle, line));
        }
        let before = if channel.is_some() { last[place].replace((cycle, line)) } else { None };
        if let Some(first) = now(before) {
            return wrong(format!("`{name}`: a second one in cycle {cycle} (line {first}): a port has one a cycle"));
        }
        if let (Some(taken), Some(offered)) = (now(last[place]), now(waits[place])) {
            let other = if waiting.is_some() { taken } else { offered };
            return wrong(format!(
                "`{name}`: one is taken in cycle {cycle}, and another is offered and waits (line {other}): a port has one a cycle"
            ));
        }
    }
    Ok(())
}
