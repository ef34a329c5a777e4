// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is still to come of an operation, for the report of a hang.

use super::{Bits, Scoreboard, Step};
use crate::judge::log::Issue;

/// Registers that are named; the rest is counted.
const NAMED: usize = 3;

impl Scoreboard {
    /// What an operation that is not done owes, and what it is owed.
    pub fn owed(&self, index: usize, issue: &Issue) -> String {
        let progress = self.op(index);
        let requests = &progress.plan.requests;
        let mut owed = Vec::new();
        if !progress.has_data {
            owed.push("the environment its data beats".to_owned());
        }
        if let Some(next) = requests.get(progress.sent).filter(|_| progress.wild.is_none()) {
            let which = format!("request {} of {}", progress.sent, requests.len());
            owed.push(format!("the unit its {which}, line {:#x}", next.line));
        }
        let flights = self.flights.iter().filter(|flight| flight.op == index && !flight.answered);
        let ids: Vec<_> = flights.map(|flight| flight.id.to_string()).collect();
        if !ids.is_empty() {
            owed.push(format!("memory the answer to id {}", ids.join(", ")));
        }
        for pair in self.pairs.iter().filter(|pair| pair.op == index) {
            let half = match pair.step {
                Step::ToWrite => "exclusive write",
                Step::ToRepeat => "repeated exclusive read",
                _ => continue,
            };
            owed.push(format!("the unit the {half} of line {:#x}, due since cycle {}", pair.line, pair.since));
        }
        let (registers, lanes) = progress.owed(&issue.op);
        let missing = Bits(registers).map(|register| (register, lanes - progress.delivered(register)));
        let missing: Vec<_> = missing.filter(|(_, lanes)| !lanes.is_empty()).collect();
        for (register, lanes) in missing.iter().take(NAMED) {
            owed.push(format!("the unit register {register} of lanes {lanes:#x}"));
        }
        if missing.len() > NAMED {
            owed.push(format!("{} registers more", missing.len() - NAMED));
        }
        if owed.is_empty() {
            owed.push("the unit its done".to_owned());
        }
        format!("operation {index} is owed: {}", owed.join("; "))
    }
}
