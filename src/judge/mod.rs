// SPDX-License-Identifier: MIT OR Apache-2.0
//! The judge: decides from a log whether the unit did what the clauses promise, and if not, which clause it broke.
//!
//! ```text
//!  Log, Contract --> Hearing: hold, scoreboard (order, pairs), history, prompt, fair, wait, share, pace,
//!                      |                   reservations, coverage
//!                      |
//!                      +--> Figures
//!                      \--> Divergence --> diagnose --> Mismatch
//! ```
//!
//! The judge knows the clauses, the model and the log. It knows neither the RTL nor the origin of the log: anything may
//! play the unit.

pub(crate) mod contract;
pub mod coverage;
pub(crate) mod diagnose;
pub(crate) mod fair;
mod figures;
pub(crate) mod flight;
mod hearing;
mod history;
mod hold;
pub(crate) mod image;
pub mod log;
pub mod mismatch;
mod offers;
mod pace;
pub mod promises;
mod prompt;
pub mod relation;
mod reserve;
pub mod scoreboard;
mod share;
pub mod trail;
mod wait;
mod watch;

pub use contract::{Contract, Rate};
pub use figures::{Figures, Unjudged};
pub use hearing::Hearing;
pub use mismatch::{Field, Mismatch, Site};
pub use promises::Promises;
pub use watch::{Shown, Watch};

use crate::{model::Memory, op::Shape};
use coverage::Coverage;
use history::History;
use log::{Issue, Log, Unseen};
use scoreboard::Scoreboard;

/// The inputs by which a log is judged.
#[derive(Clone, Copy)]
pub struct Trial<'a> {
    /// The promises of the unit.
    pub contract: &'a Contract,
    /// Makes memory as it is when the log begins.
    pub memory: &'a dyn Fn() -> Memory,
    /// Whether the log counts for coverage.
    pub counts: bool,
    /// Whether the histories of compare-and-stores are explained; a log that is not timed has none explained. Each pair
    /// is judged by itself in any case.
    pub histories: bool,
}

/// Judges the logs of one unit, one after the other. Each log begins in a cycle in which nothing is in flight. The
/// scratchpad keeps its contents from log to log.
pub struct Judge {
    board: Scoreboard,
    coverage: Coverage,
    history: History,
}

impl Judge {
    /// A judge for a unit of this shape.
    pub fn new(shape: &Shape) -> Self {
        Judge { board: Scoreboard::new(*shape), coverage: Coverage::new(shape), history: History::default() }
    }

    /// The coverage since the judge was made.
    pub fn coverage(&self) -> &Coverage {
        &self.coverage
    }

    /// The coverage, to add what is covered without a log.
    pub fn coverage_mut(&mut self) -> &mut Coverage {
        &mut self.coverage
    }

    /// Judges a log.
    ///
    /// # Errors
    ///
    /// The first divergence.
    pub fn judge(
        &mut self,
        trial: &Trial<'_>,
        log: &Log,
        watch: Option<&mut dyn Watch>,
    ) -> Result<Figures, Box<Mismatch>> {
        // A history needs the moment at which memory performed each request.
        let trial = Trial { histories: trial.histories && log.is_timed(), ..*trial };
        self.hear(&trial, log.issues(), log.unseen()).end(log, watch)
    }

    /// Begins to judge a log that is still being written. `issues` are its operations or the first of them; `unseen` is
    /// what the log does not show.
    pub fn hear<'a>(&'a mut self, trial: &Trial<'a>, issues: &[Issue], unseen: Unseen) -> Hearing<'a> {
        Hearing::new(self, trial, issues, unseen)
    }
}
