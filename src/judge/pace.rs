// SPDX-License-Identifier: MIT OR Apache-2.0
//! The rate of directed streams: PORT-RATE, PORT-BANK.

use crate::clause::Clause;

use super::{
    Figures,
    contract::Rate,
    mismatch::{Field, Mismatch, Site},
    scoreboard::Divergence,
};

/// The first and the last cycle of requests and of completions in a directed stream.
#[derive(Default)]
pub struct Pace {
    requests: Option<(u64, u64)>,
    dones: Option<(u64, u64)>,
}

impl Pace {
    /// Records that a request was accepted.
    pub fn request(&mut self, cycle: u64) {
        self.requests = Some((self.requests.map_or(cycle, |(first, _)| first), cycle));
    }

    /// Records that a completion was taken.
    pub fn done(&mut self, cycle: u64) {
        self.dones = Some((self.dones.map_or(cycle, |(first, _)| first), cycle));
    }

    /// Whether the stream kept its rate.
    pub fn judge(&self, rate: Rate, figures: &Figures) -> Result<(), Box<Divergence>> {
        let span = |range: Option<(u64, u64)>| range.map_or(0, |(first, last)| last - first);
        let check = |clause, site, found: u64, events: u64, each: u64| {
            let want = events.saturating_sub(1) * each;
            if found == want {
                return Ok(());
            }
            let field = Field::event(site, format!("cycles from the first to the last of {events}"));
            let m = Mismatch::new(clause, None, field);
            Err(m.values(want.to_string(), found.to_string()).into())
        };
        match rate {
            Rate::Requests => check(Clause::PortRate, Site::MemReq, span(self.requests), figures.requests, 1),
            Rate::Operations => {
                check(Clause::PortRate, Site::MemReq, span(self.requests), figures.requests, 1)?;
                check(Clause::PortRate, Site::Done, span(self.dones), figures.operations, 1)
            }
            Rate::Banks(cost) => {
                check(Clause::PortBank, Site::Done, span(self.dones), figures.operations, u64::from(cost))
            }
        }
    }
}
