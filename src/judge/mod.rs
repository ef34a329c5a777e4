// SPDX-License-Identifier: MIT OR Apache-2.0
//! The judge: says of a log whether the unit did what the clauses promise, and if not, which clause it broke.
//!
//! ```text
//!  Log, Contract --> Hearing: hold, scoreboard (order, pairs), history, prompt, fair, wait, share, pace,
//!                      |                   reservations, coverage
//!                      |
//!                      +--> Figures
//!                      \--> Divergence --> diagnose --> Mismatch
//! ```
//!
//! It knows the clauses, the model and the log: never the RTL, nor how the log came to be. Who plays a unit may be
//! anybody.

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

/// What a log is judged by.
#[derive(Clone, Copy)]
pub struct Trial<'a> {
    /// What the unit promises.
    pub contract: &'a Contract,
    /// Memory as the log begins.
    pub memory: &'a dyn Fn() -> Memory,
    /// Whether it counts for coverage.
    pub counts: bool,
    /// Whether histories of compare-and-stores are explained: of a log that is timed, if at all. Each pair is judged by
    /// itself anyway.
    pub histories: bool,
}

/// Judges one log after the other of a unit, each from a cycle in which nothing is in flight. What the scratchpad holds
/// stays.
pub struct Judge {
    board: Scoreboard,
    coverage: Coverage,
    history: History,
}

impl Judge {
    /// Of a unit of this shape.
    pub fn new(shape: &Shape) -> Self {
        Judge { board: Scoreboard::new(*shape), coverage: Coverage::new(shape), history: History::default() }
    }

    /// What was covered since the judge was made.
    pub fn coverage(&self) -> &Coverage {
        &self.coverage
    }

    /// For what is covered without a log.
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
        // Histories want to know when memory did what it was asked.
        let trial = Trial { histories: trial.histories && log.is_timed(), ..*trial };
        self.hear(&trial, log.issues(), log.unseen()).end(log, watch)
    }

    /// Begins with a log that is still being written: of these operations, or the first of them, and without what is unseen.
    pub fn hear<'a>(&'a mut self, trial: &Trial<'a>, issues: &[Issue], unseen: Unseen) -> Hearing<'a> {
        Hearing::new(self, trial, issues, unseen)
    }
}
