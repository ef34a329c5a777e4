// SPDX-License-Identifier: MIT OR Apache-2.0
//! PORT-HOLD: an offer that is not taken is repeated, unchanged, until it is taken.

use super::{
    log::{Beat, Done, Log, Offer, Port, Seen},
    mismatch::{Field, Mismatch, Site},
    scoreboard::Divergence,
};
use crate::{
    clause::Clause,
    op::{Attr, Bits, Packed},
};

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
    pub fn withdrawn(&mut self, log: &Log, port: Port) -> Verdict {
        let tag = match port {
            Port::Request => request(log, self.request).map(|seen| seen.tag),
            Port::Beat => beat(log, self.beat).map(|beat| beat.tag),
            Port::Done => done(log, self.done).map(|done| done.tag),
        };
        let whose = tag.map_or(String::new(), |tag| format!(" (tag {tag:#04x})"));
        changed(port, "valid", &format!("1: what is offered was not taken{whose}"), "0".to_owned())
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

/// A field of an offer: its name, its value in the pending offer, and its value now.
type Change = (String, String, String);

/// The error for the first field that has changed, in an offer with this tag.
fn first(port: Port, tag: u8, fields: impl IntoIterator<Item = Change>) -> Verdict {
    match fields.into_iter().find(|(_, was, now)| was != now) {
        Some((field, was, now)) => {
            let want = format!("{was}, as offered before and not taken (tag {tag:#04x})");
            changed(port, &field, &want, now)
        }
        None => Ok(()),
    }
}

/// A field that is one number.
fn field(name: &str, was: impl Into<u128>, now: impl Into<u128>) -> Change {
    (name.to_owned(), format!("{:#x}", was.into()), format!("{:#x}", now.into()))
}

/// The elements of a field that is an array.
fn elements<'a, T: Copy + Into<u128>>(name: &'a str, was: &'a [T], now: &'a [T]) -> impl Iterator<Item = Change> + 'a {
    let pairs = was.iter().zip(now).enumerate();
    pairs.map(move |(index, (&was, &now))| field(&format!("{name}[{index}]"), was, now))
}

/// The first attribute that differs.
fn attribute(was: &[u32; 3], now: &[u32; 3]) -> Option<Change> {
    let [was, now] = [was, now].map(|words| Attr::unpack(Bits::from_slice(words)));
    let found = was.first_difference(&now)?;
    let [was, now] = found.values();
    Some((format!("attr.{}", found.field.path), was, now))
}

fn same_request(was: Option<&Seen>, now: &Seen) -> Verdict {
    let Some(was) = was.filter(|was| *was != now) else { return Ok(()) };
    let fields = [
        field("id", was.id, now.id),
        field("warp", was.warp, now.warp),
        field("tag", was.tag, now.tag),
        field("group", was.group, now.group),
        field("kind", was.kind, now.kind),
        field("space", was.space, now.space),
        field("addr", was.line, now.line),
        field("be", was.byte_enable, now.byte_enable),
    ];
    let rest = attribute(&was.attr, &now.attr).into_iter().chain(elements("data", &was.data, &now.data));
    first(Port::Request, was.tag, fields.into_iter().chain(rest))
}

fn same_beat(was: Option<&Beat>, now: &Beat) -> Verdict {
    let Some(was) = was.filter(|was| *was != now) else { return Ok(()) };
    let fields = [
        field("warp", was.warp, now.warp),
        field("tag", was.tag, now.tag),
        field("reg", was.register, now.register),
        field("mask", was.mask.bits(), now.mask.bits()),
    ];
    first(Port::Beat, was.tag, fields.into_iter().chain(elements("data", &was.data, &now.data)))
}

fn same_done(was: Option<&Done>, now: &Done) -> Verdict {
    let Some(was) = was.filter(|was| *was != now) else { return Ok(()) };
    let fields = [field("warp", was.warp, now.warp), field("tag", was.tag, now.tag)];
    first(Port::Done, was.tag, fields.into_iter().chain(elements("fault", &was.faults, &now.faults)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::op::Scope;

    #[test]
    fn what_changes_while_it_waits_is_told_with_its_values() {
        let mut log = Log::default();
        let seen = Seen { id: 1, tag: 5, ..Seen::default() };
        log.offer(1, Offer::Request(Box::new(seen.clone())));
        let told = |now: Seen| {
            let mut held = Held::default();
            held.offer(&log, 0).map_err(|_| "nothing waited before").unwrap();
            match held.request(&log, &now).map_err(|divergence| *divergence) {
                Err(Divergence::Told(m)) => (m.clause.id(), m.field.to_string(), m.expected, m.actual),
                Err(_) | Ok(()) => Default::default(),
            }
        };
        assert_eq!(told(seen.clone()).0, "");
        let was = |value| format!("{value}, as offered before and not taken (tag 0x05)");
        let expected = ("PORT-HOLD", "mem_req_id".to_owned(), was("0x1"), "0x2".to_owned());
        assert_eq!(told(Seen { id: 2, ..seen.clone() }), expected);
        let mut data = seen.data;
        data[3] = 0x7f;
        let expected = ("PORT-HOLD", "mem_req_data[3]".to_owned(), was("0x0"), "0x7f".to_owned());
        assert_eq!(told(Seen { data, ..seen.clone() }), expected);
        let expected = ("PORT-HOLD", "mem_req_be".to_owned(), was("0x0"), "0x10000000000000000".to_owned());
        assert_eq!(told(Seen { byte_enable: 1 << 64, ..seen.clone() }), expected);
        let expected = ("PORT-HOLD", "mem_req_attr.scope".to_owned(), was("0 (Cta)"), "1 (Cluster)".to_owned());
        let mut attr = [0; 3];
        Attr { scope: Scope::Cluster as u8, ..Attr::default() }.pack(Bits::from_slice_mut(&mut attr));
        assert_eq!(told(Seen { attr, ..seen.clone() }), expected);
        let held = Held { request: Some(0), ..Held::default() };
        let gone = { held }.withdrawn(&log, Port::Request).map_err(|divergence| *divergence);
        assert!(
            matches!(gone, Err(Divergence::Told(m)) if m.expected == "1: what is offered was not taken (tag 0x05)")
        );
    }
}
