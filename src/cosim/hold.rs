// SPDX-License-Identifier: MIT OR Apache-2.0
//! PORT-HOLD: what was offered and not taken is offered again, unchanged, in the next cycle.

use crate::{clause::Clause, dut::Pin};

use super::{mismatch::Mismatch, pins::Pins};

/// What the three output ports offered in the last cycle without being taken. Copies are made only while a port
/// stalls, which keeps the rule cheap.
#[derive(Default)]
pub struct Held {
    request: Port,
    beat: Port,
    done: Port,
}

#[derive(Default)]
struct Port {
    waiting: bool,
    bytes: Vec<u8>,
}

impl Port {
    fn keep<'a>(&mut self, fields: impl IntoIterator<Item = (&'static str, &'a Pin)>) {
        self.waiting = true;
        self.bytes.clear();
        for (_, field) in fields {
            self.bytes.extend(field.bytes());
        }
    }

    fn check<'a>(
        &mut self,
        name: &str,
        valid: bool,
        cycle: u64,
        fields: impl IntoIterator<Item = (&'static str, &'a Pin)>,
    ) -> Result<(), Box<Mismatch>> {
        if !std::mem::take(&mut self.waiting) {
            return Ok(());
        }
        let broken = |field: &str, want: &str, got: String| {
            let mut m = Mismatch::new(Clause::PortHold, None, format!("{name}_{field}")).values(want, got);
            m.cycle = cycle;
            Err(Box::new(m))
        };
        if !valid {
            return broken("valid", "1: it was not taken", "0".to_owned());
        }
        let mut at = 0;
        for (field, pin) in fields {
            let end = at + pin.len();
            if !pin.holds(&self.bytes[at..end]) {
                return broken(field, "what it was while it waits", "another value".to_owned());
            }
            at = end;
        }
        Ok(())
    }
}

fn request(pins: &Pins) -> [(&'static str, &Pin); 10] {
    [
        ("id", &pins.req_id),
        ("warp", &pins.req_warp),
        ("tag", &pins.req_tag),
        ("group", &pins.req_group),
        ("kind", &pins.req_kind),
        ("space", &pins.req_space),
        ("attr", &pins.req_attr),
        ("addr", &pins.req_addr),
        ("be", &pins.req_be),
        ("data", &pins.req_data),
    ]
}

fn beat(pins: &Pins) -> [(&'static str, &Pin); 5] {
    [
        ("warp", &pins.wb_warp),
        ("tag", &pins.wb_tag),
        ("reg", &pins.wb_reg),
        ("mask", &pins.wb_mask),
        ("data", &pins.wb_data),
    ]
}

fn done(pins: &Pins) -> [(&'static str, &Pin); 3] {
    [("warp", &pins.done_warp), ("tag", &pins.done_tag), ("fault", &pins.done_fault)]
}

impl Held {
    /// The request is offered and not taken in this cycle.
    pub fn request(&mut self, pins: &Pins) {
        self.request.keep(request(pins));
    }

    /// The write-back beat is offered and not taken in this cycle.
    pub fn beat(&mut self, pins: &Pins) {
        self.beat.keep(beat(pins));
    }

    /// The completion is offered and not taken in this cycle.
    pub fn done(&mut self, pins: &Pins) {
        self.done.keep(done(pins));
    }

    /// Compares with the last cycle.
    #[inline]
    pub fn check(&mut self, pins: &Pins, cycle: u64) -> Result<(), Box<Mismatch>> {
        if self.request.waiting || self.beat.waiting || self.done.waiting {
            self.request.check("mem_req", pins.req_valid.is_set(), cycle, request(pins))?;
            self.beat.check("wb", pins.wb_valid.is_set(), cycle, beat(pins))?;
            self.done.check("done", pins.done_valid.is_set(), cycle, done(pins))?;
        }
        Ok(())
    }
}
