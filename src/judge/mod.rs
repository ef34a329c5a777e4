// SPDX-License-Identifier: MIT OR Apache-2.0
//! The judge: says of a log whether the unit did what the clauses promise, and if not, which clause it broke.
//!
//! ```text
//!  Log, Contract --> Judge: hold, scoreboard (order, pairs), history, prompt, fair, wait, pace, coverage
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
mod history;
mod hold;
pub(crate) mod image;
pub mod log;
pub mod mismatch;
mod pace;
pub mod promises;
mod prompt;
pub mod relation;
pub mod scoreboard;
pub mod trail;
mod wait;
mod watch;

pub use contract::{Contract, Rate};
pub use figures::{Figures, Unjudged};
pub use mismatch::{Field, Mismatch, Site};
pub use promises::Promises;
pub use watch::{Shown, Watch};

use crate::{
    clause::Clause,
    model::Memory,
    op::{Kind, LaneMask, Shape},
};
use coverage::Coverage;
use diagnose::Evidence;
use fair::Fair;
use history::History;
use hold::Held;
use image::Image;
use log::{Entry, Event, Log};
use pace::Pace;
use prompt::Prompt;
use scoreboard::{Divergence, Scoreboard};
use wait::Wait;

/// What is judged, and who looks on.
pub struct Trial<'a> {
    /// What the unit promises.
    pub contract: &'a Contract,
    /// What it did.
    pub log: &'a Log,
    /// Memory as the log begins.
    pub memory: &'a dyn Fn() -> Memory,
    /// Whether it counts for coverage.
    pub counts: bool,
    /// Whether histories of compare-and-stores are explained, if the log is timed: each pair is judged by itself anyway.
    pub histories: bool,
}

/// Judges one log after the other of a unit, each from a cycle in which nothing is in flight. What the scratchpad holds
/// stays.
pub struct Judge {
    board: Scoreboard,
    coverage: Coverage,
    history: History,
}

/// What is followed through one log.
struct Run<'a, 'w> {
    trial: &'a Trial<'a>,
    /// With the control registers as they are now.
    contract: Contract,
    image: Option<Image>,
    figures: Figures,
    held: Held<'a>,
    pace: Pace,
    prompt: Prompt,
    fair: Fair,
    wait: Wait,
    /// The cycles of the last handshake and of the last completion.
    moved: u64,
    last_done: u64,
    watch: Option<&'w mut dyn Watch>,
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
    pub fn judge(&mut self, trial: &Trial<'_>, watch: Option<&mut dyn Watch>) -> Result<Figures, Box<Mismatch>> {
        let log = trial.log;
        let promises = &trial.contract.promises;
        self.board.restart(log.issues(), log.unseen(), promises);
        self.history.restart();
        self.coverage.start(log.issues());
        // Histories want to know when memory did what it was asked.
        let follows =
            trial.histories && log.is_timed() && log.issues().iter().any(|issue| issue.op.kind == Kind::CmpStore as u8);
        let mut run = Run {
            trial,
            contract: *trial.contract,
            image: follows.then(|| Image::new((trial.memory)())),
            figures: Figures::default(),
            held: Held::default(),
            pace: Pace::default(),
            prompt: Prompt::default(),
            fair: Fair::default(),
            wait: Wait::default(),
            moved: 0,
            last_done: 0,
            watch,
        };
        // A log that just stops has not shown that anything is over.
        let stops = log.entries().last().filter(|last| !matches!(last.event, Event::End(_)));
        let end = stops.map(|last| Entry { cycle: last.cycle, event: Event::End(false) });
        for (place, entry) in log.entries().iter().chain(&end).enumerate() {
            self.board.cycle = entry.cycle;
            if let Err(divergence) = self.event(&mut run, place, entry) {
                let image = Image::new((trial.memory)());
                let evidence = Evidence { contract: &run.contract, log, place, board: &self.board, image };
                let mut mismatch = diagnose::name(*divergence, evidence);
                mismatch.cycle = entry.cycle;
                if [Clause::PortMin, Clause::PortGroup].contains(&mismatch.clause) && !promises.keeps(mismatch.clause) {
                    // Whatever it looks like: that it need not keep.
                    mismatch.clause = Clause::PortReq;
                }
                if let Some(watch) = &mut run.watch {
                    watch.diverged(&mismatch, &self.board);
                }
                return Err(mismatch);
            }
        }
        let mut figures = run.figures;
        (figures.comparisons, figures.unjudged) = (self.board.comparisons, self.board.unjudged);
        (figures.histories, figures.histories_unsettled) = (self.history.explained, self.history.unsettled);
        Ok(figures)
    }

    fn event<'a>(&mut self, run: &mut Run<'a, '_>, place: usize, entry: &Entry) -> Result<(), Box<Divergence>> {
        let Trial { log, counts, .. } = *run.trial;
        let contract = &run.contract;
        let promises = contract.promises;
        let (issues, cycle) = (log.issues(), entry.cycle);
        let board = &mut self.board;
        let quiet = cycle.saturating_sub(run.moved.max(board.acted()));
        let silent = quiet > promises.latency.idle && !run.held.any() && board.sees_all();
        if silent && entry.event != Event::Reset && !board.unseen().offers {
            idle(board, log, place, run.moved, promises.latency.idle)?;
        }
        match entry.event {
            Event::Reset => {
                board.reset();
                self.history.restart();
                (run.held, run.prompt, run.fair, run.wait) = Default::default();
            }
            Event::Control(number) => {
                if board.done < board.accepted && *log.controls(number) != contract.ctrl {
                    let m = Mismatch::new(Clause::PortOp, None, Field::signal(Site::Op, "ctrl_i (environment)"));
                    let found = format!("another value while {} are", board.accepted - board.done);
                    return Err(m.values("control registers that hold while operations are in flight", found).into());
                }
                run.contract.ctrl = *log.controls(number);
            }
            Event::Op(number) => {
                let index = number as usize;
                board.op_accepted(contract, &issues[index])?;
                run.wait.op(cycle, &issues[index]);
                if let Some(image) = &mut run.image {
                    image.advance(log, place);
                    self.history.begin(index, &issues[index], &board.op(index).plan, image);
                    if let Some(range) = board.op(index).wild() {
                        self.history.forget(range);
                    }
                }
                if counts {
                    self.coverage.op(contract, &issues[index], board, index);
                }
                run.show(cycle, &Shown::Op(index), board);
            }
            Event::Data(number) => {
                if let Some(owner) = log.owner(number).filter(|_| counts) {
                    self.coverage.data(&issues[owner], owner, board.accepted, issues[owner].data.len());
                }
                run.wait.data(cycle, log, number, board.accepted);
                board.data_taken();
            }
            Event::Request(number) => {
                let seen = log.requested(number);
                run.wait.taken(cycle, number);
                kept(&promises, run.held.request(seen))?;
                let fair = board.sees_all() && promises.keeps(Clause::PortFair);
                let turn = if fair { run.fair.request(board, promises.passed(&board.shape()), seen)? } else { None };
                let Some((index, which)) = board.request(contract, issues, seen)? else {
                    run.moved = cycle;
                    return Ok(());
                };
                if fair && !board.unseen().offers {
                    run.wait.request((log, place), board, contract, (index, which))?;
                }
                if counts {
                    self.coverage.silence(&issues[index], cycle.saturating_sub(run.moved + 1));
                    if let Some(turn) = turn {
                        self.coverage.turn(turn);
                    }
                    self.coverage.request(&board.flights, seen, &issues[index], board.op(index), which);
                }
                run.show(cycle, &Shown::Request(index, which), board);
                run.figures.requests += 1;
                run.pace.request(cycle);
            }
            Event::Applied(number, made) => {
                if let Some(image) = &mut run.image {
                    image.advance(log, place + 1);
                    if made && !self.history.is_empty() {
                        let seen = log.requested(number);
                        let flight = board.flights.iter().find(|flight| flight.id == seen.id);
                        let free = flight.is_some_and(|flight| flight.request == flight::WILD);
                        self.history.memory(seen, free, image);
                        if let Some(flight) = flight.filter(|flight| flight.exclusive && !free) {
                            let served = board.op(flight.op).plan.requests.get(flight.request);
                            self.history.served(flight.op, served.map_or(LaneMask::NONE, |request| request.lanes));
                        }
                    }
                }
                return Ok(());
            }
            Event::Response(number) => {
                let response = log.responded(number);
                if let Some(answered) = board.flights.find(response).filter(|_| counts) {
                    self.coverage.response(issues, board, &answered);
                }
                board.answered(issues, response);
            }
            Event::Beat(number) => {
                let beat = log.written_back(number);
                kept(&promises, run.held.beat(beat))?;
                let Some(index) = board.beat(contract, issues, beat)? else {
                    run.moved = cycle;
                    return Ok(());
                };
                if counts {
                    self.coverage.silence(&issues[index], cycle.saturating_sub(run.moved + 1));
                    self.coverage.beat(beat, board.op(index), &issues[index]);
                }
                run.show(cycle, &Shown::Beat(index, beat), board);
            }
            Event::Done(number) => {
                let done = log.completed(number);
                kept(&promises, run.held.done(done))?;
                let Some(index) = board.completed(contract, issues, done)? else {
                    run.prompt.stranger(cycle, done.warp);
                    run.moved = cycle;
                    return Ok(());
                };
                // What a load waits for last may be a beat that nobody saw.
                if !board.unseen().write_back && !board.unseen().offers {
                    run.prompt.done(cycle, &issues[index].op, board.op(index), contract)?;
                }
                if let Some(image) = &mut run.image {
                    image.advance(log, place);
                    self.history.end(index, &board.op(index).plan, image).map_err(|m| Box::new(Divergence::Told(m)))?;
                }
                if counts {
                    self.coverage.silence(&issues[index], cycle.saturating_sub(run.moved + 1));
                    self.coverage.done(contract, &issues[index], board.op(index), index, board.warps());
                }
                run.show(cycle, &Shown::Done(index), board);
                run.figures.operations += 1;
                run.pace.done(cycle);
                run.last_done = cycle;
            }
            Event::Offer(number) => {
                let offer = log.offered(number);
                let port = offer.port();
                kept(&promises, run.held.offer(offer))?;
                run.prompt.offer(cycle, port);
                run.wait.offer(cycle, port);
                if counts {
                    self.coverage.hold(port);
                }
                return Ok(());
            }
            Event::Withdrawn(port) => return kept(&promises, run.held.withdrawn(port)),
            Event::Foreign(number) => {
                let access = log.made(number);
                if let Some(image) = &mut run.image {
                    let found = access.compare.map(|_| {
                        image.advance(log, place);
                        image.word(access.addr)
                    });
                    image.advance(log, place + 1);
                    self.history.foreign(access, found, image);
                }
                let line_bytes = contract.shape.line_bytes as u64;
                let end = access.addr.saturating_add(access.bytes.len() as u64);
                board.flights.written(access.addr, end, line_bytes);
                return Ok(());
            }
            Event::Report(number) => {
                return Err(diagnose::assertion(log.reported(number)).into());
            }
            Event::End(offered) => {
                self.end(run, cycle, offered)?;
                return Ok(());
            }
        }
        run.moved = cycle;
        Ok(())
    }

    /// The log ends: whether all is over, and if the unit has kept the rate that it must.
    fn end(&mut self, run: &mut Run<'_, '_>, cycle: u64, offered: bool) -> Result<(), Box<Divergence>> {
        let (board, contract, log) = (&mut self.board, run.trial.contract, run.trial.log);
        let issues = log.issues();
        run.figures.cycles = cycle;
        if offered || board.done < board.accepted || !board.flights.is_empty() {
            let silent = cycle.saturating_sub(run.moved);
            let patience = contract.promises.latency.hang;
            if log.unseen().end && silent <= patience {
                board.unjudged.unfinished = (board.accepted - board.done) as u64;
                return Ok(());
            }
            let (what, expected) = match silent > patience {
                true => ("no port moved", format!("a handshake within {patience} cycles")),
                false => (
                    "no operation was done",
                    format!("an operation done within {} cycles", cycle.saturating_sub(run.last_done)),
                ),
            };
            let oldest = board.hanging(issues);
            let state = match oldest {
                Some(index) => board.owed(index, &issues[index]),
                None => "the next operation is not accepted".to_owned(),
            };
            let op = oldest.or(offered.then_some(board.accepted));
            let held = log.held_by(oldest.map(|index| issues[index].op.tag));
            let m = Mismatch::new(Clause::PortProgress, op, Field::event(Site::Unit, what))
                .values(expected, format!("none since cycle {}; {state}{held}", run.moved))
                .since(oldest.map_or(run.moved, |index| board.op(index).moved()));
            return Err(m.into());
        }
        if let Some(rate) = contract.rate.filter(|rate| contract.promises.keeps(rate.clause())) {
            run.pace.judge(rate, &run.figures)?;
            if run.trial.counts {
                self.coverage.rate(rate, issues);
            }
        }
        Ok(())
    }
}

/// What does not hold is a divergence where the unit promises PORT-HOLD.
fn kept(promises: &Promises, verdict: Result<(), Box<Divergence>>) -> Result<(), Box<Divergence>> {
    if promises.keeps(Clause::PortHold) { verdict } else { Ok(()) }
}

/// No port has moved since a cycle: no request may be owed that nothing holds.
fn idle(board: &Scoreboard, log: &Log, place: usize, moved: u64, patience: u64) -> Result<(), Box<Divergence>> {
    let Some(op) = board.could_send() else { return Ok(()) };
    let m = Mismatch::new(Clause::PortProgress, Some(op), Field::event(Site::MemReq, ""));
    let expected = format!("its next request, which nothing holds, within {patience} cycles");
    // What the parts of the unit say at the end they would have said here, if nothing moved in between.
    let held = if log.is_still(place) { log.held_by(Some(log.issues()[op].op.tag)) } else { String::new() };
    let found = format!("none since cycle {moved}, in which a port moved last{held}");
    Err(m.values(expected, found).since(board.op(op).moved()).into())
}

impl Run<'_, '_> {
    #[inline]
    fn show(&mut self, cycle: u64, event: &Shown<'_>, board: &Scoreboard) {
        if let Some(watch) = &mut self.watch {
            watch.event(cycle, event, board);
        }
    }
}
