// SPDX-License-Identifier: MIT OR Apache-2.0
//! PORT-HOLD: an offer that is not taken is repeated, unchanged, until it is taken.

use super::{
    log::{Beat, Done, Log, Offer, Port, Seen},
    mismatch::{Field, Mismatch, Site},
    scoreboard::Divergence,
};
use crate::clause::Clause;

/// The pending offers of the three output ports, as numbers of offers in the log.
#[derive(Default)]
pub struct Held {
    request: Option<u32>,
    beat: Option<u32>,
    done: Option<u32>,
}

type Verdict = Result<(), Box<Divergence>>;

impl Held {
    /// Compares an offer that is not taken with the pending one, and keeps it.
    pub fn offer(&mut self, log: &Log, number: u32) -> Verdict {
        match log.offered(number) {
            Offer::Request(seen) => same_request(request(log, self.request.replace(number)), seen),
            Offer::Beat(beat) => same_beat(self::beat(log, self.beat.replace(number)), beat),
            Offer::Done(done) => same_done(self::done(log, self.done.replace(number)), done),
        }
    }

    /// Whether any port has a pending offer.
    pub fn any(&self) -> bool {
        self.request.is_some() || self.beat.is_some() || self.done.is_some()
    }

    /// The pending offers, as numbers of offers in the log.
    pub fn offers(&self) -> impl Iterator<Item = u32> {
        [self.request, self.beat, self.done].into_iter().flatten()
    }

    /// The mismatch for a pending offer that no consumer has taken, if there is one.
    pub fn awaits_consumer(&self) -> Option<Mismatch> {
        let ports = [(self.request, Site::MemReq), (self.beat, Site::Wb), (self.done, Site::Done)];
        let (_, site) = ports.into_iter().find(|(held, _)| held.is_some())?;
        let m = Mismatch::new(Clause::PortProgress, None, Field::signal(site, "ready (environment)"));
        Some(m.values("what is offered taken at some time", "not taken until the end of the log"))
    }

    /// Drops the pending offer of a port.
    pub fn forget(&mut self, port: Port) {
        match port {
            Port::Request => self.request = None,
            Port::Beat => self.beat = None,
            Port::Done => self.done = None,
        }
    }

    /// The error for a port that withdraws its pending offer.
    pub fn withdrawn(&mut self, port: Port) -> Verdict {
        changed(port, "valid", "1: it was not taken", "0".to_owned())
    }

    /// Compares a request that is taken with the pending offer.
    #[inline]
    pub fn request(&mut self, log: &Log, seen: &Seen) -> Verdict {
        same_request(request(log, self.request.take()), seen)
    }

    /// Compares a beat that is taken with the pending offer.
    #[inline]
    pub fn beat(&mut self, log: &Log, beat: &Beat) -> Verdict {
        same_beat(self::beat(log, self.beat.take()), beat)
    }

    /// Compares a completion that is taken with the pending offer.
    #[inline]
    pub fn done(&mut self, log: &Log, done: &Done) -> Verdict {
        same_done(self::done(log, self.done.take()), done)
    }
}

fn request(log: &Log, number: Option<u32>) -> Option<&Seen> {
    if let Offer::Request(seen) = log.offered(number?) { Some(seen) } else { None }
}

fn beat(log: &Log, number: Option<u32>) -> Option<&Beat> {
    if let Offer::Beat(beat) = log.offered(number?) { Some(beat) } else { None }
}

fn done(log: &Log, number: Option<u32>) -> Option<&Done> {
    if let Offer::Done(done) = log.offered(number?) { Some(done) } else { None }
}

fn changed(port: Port, field: &str, want: &str, got: String) -> Verdict {
    let site = match port {
        Port::Request => Site::MemReq,
        Port::Beat => Site::Wb,
        Port::Done => Site::Done,
    };
    Err(Mismatch::new(Clause::PortHold, None, Field::signal(site, field)).values(want, got).into())
}

/// The error for the first field that has changed.
fn first(port: Port, fields: &[(&str, bool)]) -> Verdict {
    match fields.iter().find(|(_, same)| !same) {
        Some((field, _)) => changed(port, field, "what it was while it waits", "another value".to_owned()),
        None => Ok(()),
    }
}

fn same_request(was: Option<&Seen>, now: &Seen) -> Verdict {
    let Some(was) = was.filter(|was| *was != now) else { return Ok(()) };
    first(
        Port::Request,
        &[
            ("id", was.id == now.id),
            ("warp", was.warp == now.warp),
            ("tag", was.tag == now.tag),
            ("group", was.group == now.group),
            ("kind", was.kind == now.kind),
            ("space", was.space == now.space),
            ("attr", was.attr == now.attr),
            ("addr", was.line == now.line),
            ("be", was.byte_enable == now.byte_enable),
            ("data", was.data == now.data),
        ],
    )
}

fn same_beat(was: Option<&Beat>, now: &Beat) -> Verdict {
    let Some(was) = was.filter(|was| *was != now) else { return Ok(()) };
    first(
        Port::Beat,
        &[
            ("warp", was.warp == now.warp),
            ("tag", was.tag == now.tag),
            ("reg", was.register == now.register),
            ("mask", was.mask == now.mask),
            ("data", was.data == now.data),
        ],
    )
}

fn same_done(was: Option<&Done>, now: &Done) -> Verdict {
    let Some(was) = was.filter(|was| *was != now) else { return Ok(()) };
    let fields = [("warp", was.warp == now.warp), ("tag", was.tag == now.tag), ("fault", was.faults == now.faults)];
    first(Port::Done, &fields)
}
