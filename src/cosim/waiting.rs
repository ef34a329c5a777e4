// SPDX-License-Identifier: MIT OR Apache-2.0
//! Records offers that a port does not take at once, and whether they change (PORT-HOLD). Copies the bytes only while a
//! port stalls, and logs them only when they are new.

use super::pins::Pins;
use crate::{
    dut::Pin,
    judge::log::{Log, Offer, Port, Seen, sample},
};

/// The offers of the three output ports in the last cycle that were not taken.
#[derive(Default)]
pub struct Waiting {
    request: Kept,
    beat: Kept,
    done: Kept,
}

#[derive(Default)]
struct Kept {
    waits: bool,
    bytes: Vec<u8>,
}

impl Kept {
    /// Keeps the bytes of an offer that was not taken. Returns whether the offer is new.
    fn keep<'a>(&mut self, pins: impl IntoIterator<Item = &'a Pin> + Clone) -> bool {
        let mut at = 0;
        let same = self.waits
            && pins.clone().into_iter().all(|pin| {
                let from = at;
                at += pin.len();
                self.bytes.get(from..at).is_some_and(|kept| pin.holds(kept))
            });
        if !same {
            self.bytes.resize(pins.clone().into_iter().map(Pin::len).sum(), 0);
            let mut rest = &mut self.bytes[..];
            for pin in pins {
                let (here, after) = rest.split_at_mut(pin.len());
                pin.copy_bytes(here);
                rest = after;
            }
        }
        self.waits = true;
        !same
    }
}

fn request(pins: &Pins) -> [&Pin; 10] {
    let p = pins;
    [
        &p.req_id,
        &p.req_warp,
        &p.req_tag,
        &p.req_group,
        &p.req_kind,
        &p.req_space,
        &p.req_attr,
        &p.req_addr,
        &p.req_be,
        &p.req_data,
    ]
}

fn beat(pins: &Pins) -> [&Pin; 5] {
    [&pins.wb_warp, &pins.wb_tag, &pins.wb_reg, &pins.wb_mask, &pins.wb_data]
}

fn done(pins: &Pins) -> [&Pin; 3] {
    [&pins.done_warp, &pins.done_tag, &pins.done_fault]
}

impl Waiting {
    /// Begins a cycle: logs the offers that have been withdrawn.
    #[inline]
    pub fn check(&mut self, pins: &Pins, cycle: u64, log: &mut Log) {
        for (kept, valid, port) in [
            (&mut self.request, &pins.req_valid, Port::Request),
            (&mut self.beat, &pins.wb_valid, Port::Beat),
            (&mut self.done, &pins.done_valid, Port::Done),
        ] {
            if kept.waits && !valid.is_set() {
                kept.waits = false;
                log.withdrawn(cycle, port);
            }
        }
    }

    /// Whether a port offered something in the last cycle that was not taken.
    #[inline]
    pub fn waits(&self, port: Port) -> bool {
        match port {
            Port::Request => self.request.waits,
            Port::Beat => self.beat.waits,
            Port::Done => self.done.waits,
        }
    }

    /// Records that a port's offer is taken. Returns whether it had waited.
    #[inline]
    pub fn taken(&mut self, port: Port) -> bool {
        let kept = match port {
            Port::Request => &mut self.request,
            Port::Beat => &mut self.beat,
            Port::Done => &mut self.done,
        };
        std::mem::take(&mut kept.waits)
    }

    /// Records that a request is not taken in this cycle.
    pub fn offers_request(&mut self, pins: &Pins, cycle: u64, log: &mut Log) {
        if self.request.keep(request(pins)) {
            let mut seen = Seen::default();
            sample::request(pins, true, &mut seen);
            log.offer(cycle, Offer::Request(Box::new(seen)));
        }
    }

    /// Records that a write-back beat is not taken in this cycle.
    pub fn offers_beat(&mut self, pins: &Pins, cycle: u64, log: &mut Log) {
        if self.beat.keep(beat(pins)) {
            log.offer(cycle, Offer::Beat(Box::new(sample::beat(pins))));
        }
    }

    /// Records that a completion is not taken in this cycle.
    pub fn offers_done(&mut self, pins: &Pins, cycle: u64, log: &mut Log) {
        if self.done.keep(done(pins)) {
            log.offer(cycle, Offer::Done(Box::new(sample::done(pins))));
        }
    }
}
