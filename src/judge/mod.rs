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
//!
//! A log that is in a file brings its own contract and memory, and [`Record::judge`](log::lines::Record::judge) needs
//! no more. A log in memory, whole or in blocks, is judged with a [`Trial`]:
//!
//! ```
//! use gpu_lsu::{judge::{Contract, Judge, Promises, Trial, log::{Log, lines::Reader}}, op::Ctrl};
//!
//! // Lane 0 loads the word at 0x1000. There is 7 in it.
//! let text = r#"{"gpu_lsu_log": 1, "unit": {"lanes": 4}}
//! {"cycle": 0, "ctrl": {"alloc": [{"base": "0x1000", "size": "0x1000"}]}}
//! {"cycle": 1, "op": {"kind": "Load", "addr_mode": "Abs", "imm": "0x1000", "element_bytes": 4, "element_count": 1,
//!   "element_mask": 1, "warp": 0, "tag": 9, "active": 1, "predicate": 1}}
//! {"cycle": 5, "req": {"id": 0, "warp": 0, "tag": 9, "kind": "Read", "space": "Global", "addr": "0x1000", "be": "0xf"}}
//! {"cycle": 8, "rsp": {"id": 0, "data": [7, 0, 0, 0], "scope": 3, "last": true}}
//! {"cycle": 9, "wb": {"warp": 0, "tag": 9, "reg": 0, "mask": 1, "data": [7]}}
//! {"cycle": 10, "done": {"warp": 0, "tag": 9, "fault": [0, 0, 0, 0]}}"#;
//! let text = text.replace("\n  ", " ");
//! let record = Reader::new(text.as_bytes()).and_then(|mut runs| runs.next().unwrap()).unwrap();
//! let mut judge = Judge::new(&record.header.unit);
//! let whole = record.judge(&mut judge, Promises::OURS).unwrap();
//!
//! let contract = Contract::new(record.header.unit, Ctrl::default());
//! let trial = Trial { contract: &contract, memory: &|| record.header.start(), counts: false, histories: true };
//! let mut hearing = judge.hear(&trial, None, record.log.unseen());
//! let mut growing = Log::default();
//! for event in record.log.since(0) {
//!     growing.extend([event]);
//!     hearing.go_on(&growing, None).unwrap();
//! }
//! assert_eq!(hearing.end(&growing, None).unwrap(), whole);
//! assert_eq!((whole.operations, whole.requests), (1, 1));
//! ```

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
    /// Makes memory as it is when the log begins. What a load should get follows from memory's answers; histories need
    /// the contents, and so does the name of a mismatch. If they are not known, any will do without `histories`.
    pub memory: &'a dyn Fn() -> Memory,
    /// Whether the log counts for coverage.
    pub counts: bool,
    /// Whether the histories of compare-and-stores are explained; a log that is not timed has none explained. Each pair
    /// is judged by itself in any case.
    pub histories: bool,
}

/// Judges the logs of one unit, one after the other. Each log begins in a cycle in which nothing is in flight. The
/// scratchpad keeps its contents from log to log. After a log that diverges, these are what the operations taken so far
/// would have left: for a unit of which that is not so, a new judge is needed.
pub struct Judge {
    board: Scoreboard,
    coverage: Coverage,
    history: History,
}

impl Judge {
    /// A judge for a unit of this shape, which must be [one that can be built](Shape::problem).
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
        self.hear(&trial, Some(log.issues()), log.unseen()).end(log, watch)
    }

    /// Begins to judge a log that is still being written; `unseen` is what the log does not show.
    ///
    /// The verdict on the blocks of a log is that on the whole log. If all the operations that the log will have are
    /// known already, they may be given as `issues`: then no time is spent on clauses that apply to none of them, and
    /// ports that hold an offer count for coverage before the first operation of a set.
    pub fn hear<'a>(&'a mut self, trial: &Trial<'a>, issues: Option<&[Issue]>, unseen: Unseen) -> Hearing<'a> {
        Hearing::new(self, trial, issues, unseen)
    }
}
