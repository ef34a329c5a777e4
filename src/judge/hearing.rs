// SPDX-License-Identifier: MIT OR Apache-2.0
//! The passage of one log through the judge, event by event.

mod memory;
mod ports;
mod stalls;
mod still;

use still::{idle, stands};

use super::{
    Contract, Field, Figures, Judge, Mismatch, Shown, Site, Trial, Watch,
    diagnose::{self, Evidence},
    fair::Fair,
    hold::Held,
    image::Image,
    log::{Entry, Event, Issue, Log, Port, Unseen},
    offers::Offers,
    pace::Pace,
    prompt::Prompt,
    reserve::Reservations,
    scoreboard::{Divergence, Over, Scoreboard},
    share::Share,
    wait::Wait,
};
use crate::{
    clause::Clause,
    op::{Kind, Op},
};

/// A log that is being judged, a block of entries at a time.
pub struct Hearing<'a> {
    judge: &'a mut Judge,
    run: Run<'a>,
    /// The number of entries judged so far.
    judged: usize,
}

type Verdict = Result<(), Box<Divergence>>;

/// The state that is kept for one log.
struct Run<'a> {
    trial: Trial<'a>,
    /// The contract, with the current control registers.
    contract: Contract,
    /// These registers are within their limits.
    in_limits: bool,
    image: Option<Image>,
    figures: Figures,
    held: Held,
    offers: Offers,
    pace: Pace,
    prompt: Prompt,
    fair: Fair,
    wait: Wait,
    share: Share,
    reservations: Reservations,
    /// The number of requests taken, and the number of these that a reset cut off. Memory may still come to the latter.
    requested: u32,
    cut_off: u32,
    /// The cycles of the last handshake and of the last completion.
    moved: u64,
    last_done: u64,
}

/// The entry of a log that is being judged, and the observer.
struct Heard<'a, 'w> {
    log: &'a Log,
    place: usize,
    watch: &'a mut Option<&'w mut dyn Watch>,
}

impl<'a> Hearing<'a> {
    pub(super) fn new(judge: &'a mut Judge, trial: &Trial<'a>, issues: Option<&[Issue]>, unseen: Unseen) -> Self {
        judge.board.restart(issues, unseen, &trial.contract.promises);
        judge.history.restart();
        judge.coverage.start(issues.unwrap_or_default());
        // Without compare-and-stores, nobody looks at memory.
        let compares = |issues: &[Issue]| issues.iter().any(|issue| issue.op.kind == Kind::CmpStore as u8);
        let follows = trial.histories && issues.is_none_or(compares);
        let run = Run {
            trial: *trial,
            contract: *trial.contract,
            in_limits: false,
            // What was in flight before the log may still be performed, unseen.
            image: (follows && !unseen.start).then(|| Image::new((trial.memory)())),
            figures: Figures::default(),
            held: Held::default(),
            offers: Offers::default(),
            pace: Pace::default(),
            prompt: Prompt::default(),
            fair: Fair::default(),
            wait: Wait::default(),
            share: Share::default(),
            reservations: Reservations::default(),
            requested: 0,
            cut_off: 0,
            moved: 0,
            last_done: 0,
        };
        Hearing { judge, run, judged: 0 }
    }

    /// Judges the entries that the log has so far, up to the first that is not complete: an operation waits for its
    /// data. Each call gets the same log, which may have grown. Nothing more can be judged after an error.
    ///
    /// # Errors
    ///
    /// The first divergence, or a log that has less than before (PORT-OP, "(environment)"). Its clause is chosen by what
    /// the log has so far; [`Judge::judge`] may know more of the whole log.
    pub fn go_on(&mut self, log: &Log, mut watch: Option<&mut dyn Watch>) -> Result<(), Box<Mismatch>> {
        self.goes_on_with(log)?;
        while let Some(entry) = log.entries().get(self.judged).filter(|entry| log.tells(&entry.event)) {
            self.entry(log, entry, &mut watch)?;
        }
        Ok(())
    }

    /// Judges the rest of a log that is complete: the one that [`Hearing::go_on`] got, if it was called.
    ///
    /// # Errors
    ///
    /// The first divergence, or a log that has less than before.
    pub fn end(mut self, log: &Log, mut watch: Option<&mut dyn Watch>) -> Result<Figures, Box<Mismatch>> {
        self.goes_on_with(log)?;
        // A log that merely stops does not show that its operations are over: it is judged as if it ended here.
        let stops = log.entries().last().filter(|last| !matches!(last.event, Event::End(_)));
        let end = stops.map(|last| Entry { cycle: last.cycle, event: Event::End(false) });
        for entry in log.entries()[self.judged..].iter().chain(&end) {
            self.entry(log, entry, &mut watch)?;
        }
        let Hearing { judge: Judge { board, history, .. }, run, .. } = self;
        let mut figures = run.figures;
        (figures.comparisons, figures.unjudged) = (board.comparisons, board.unjudged);
        (figures.histories, figures.histories_unsettled) = (history.explained, history.unsettled);
        Ok(figures)
    }

    /// Whether a log has all that was judged so far.
    fn goes_on_with(&self, log: &Log) -> Result<(), Box<Mismatch>> {
        let Hearing { judge: Judge { board, .. }, run, judged } = self;
        let [had, has] = [
            [*judged, board.accepted, run.requested as usize],
            [log.entries().len(), log.issues().len(), log.next_request() as usize],
        ];
        if had.iter().zip(has).all(|(&had, has)| had <= has) {
            return Ok(());
        }
        let m = Mismatch::new(Clause::PortOp, None, Field::event(Site::Unit, "log (environment)"));
        let said = |[entries, ops, requests]: [usize; 3]| {
            format!("{entries} events, among them {ops} operations and {requests} requests")
        };
        Err(Box::new(m.values(format!("the log that began with {}", said(had)), format!("one of {}", said(has)))))
    }

    #[inline]
    fn entry(&mut self, log: &Log, entry: &Entry, watch: &mut Option<&mut dyn Watch>) -> Result<(), Box<Mismatch>> {
        let place = self.judged;
        self.judged += 1;
        if place == 0 {
            self.run.moved = entry.cycle;
        }
        self.judge.board.cycle = entry.cycle;
        self.event(&mut Heard { log, place, watch }, entry).map_err(|divergence| {
            let Hearing { judge, run, .. } = self;
            let image = Image::new((run.trial.memory)());
            let evidence = Evidence { contract: &run.contract, log, place, board: &judge.board, image };
            let mut mismatch = diagnose::name(*divergence, evidence);
            mismatch.cycle = entry.cycle;
            let promises = &run.trial.contract.promises;
            if [Clause::PortMin, Clause::PortGroup].contains(&mismatch.clause) && !promises.keeps(mismatch.clause) {
                // The unit need not keep this clause, whatever the divergence looks like.
                mismatch.clause = Clause::PortReq;
            }
            if let Some(watch) = watch {
                watch.diverged(&mismatch, &judge.board);
            }
            mismatch
        })
    }

    fn event(&mut self, heard: &mut Heard<'_, '_>, entry: &Entry) -> Verdict {
        let (log, cycle) = (heard.log, entry.cycle);
        self.silence(log, heard.place, cycle)?;
        match entry.event {
            Event::Reset => self.reset(log, heard.place, cycle)?,
            Event::Op(number) => self.op(heard, cycle, number)?,
            Event::Data(number) => self.data(log, cycle, number),
            Event::Request(number) => self.request(heard, cycle, number)?,
            Event::Response(number) => self.response(log, cycle, number)?,
            Event::Beat(number) => self.beat(heard, cycle, number)?,
            Event::Done(number) => self.done(heard, cycle, number)?,
            Event::Report(number) => {
                let report = log.reported(number);
                let board = &self.judge.board;
                if !report.beat.as_ref().is_some_and(|unknown| board.may_be_unknown(log.issues(), unknown)) {
                    return Err(diagnose::assertion(report).into());
                }
            }
            // These do not count as movement.
            Event::Control(number) => return self.control(log, number),
            Event::Offer(number) => return self.offer(log, cycle, number),
            Event::Withdrawn(port) => return self.withdrawn(log, cycle, port),
            Event::Applied(number, made) => return self.applied(log, heard.place, number, made),
            Event::Foreign(number) => {
                self.foreign(log, heard.place, number);
                return Ok(());
            }
            Event::End(offered) => {
                let verdict = self.is_over(log, heard.place, cycle, offered);
                // A wrong offer takes precedence over anything that the unit still owes.
                return self.cut_off(log).and(verdict);
            }
        }
        self.run.moved = cycle;
        Ok(())
    }

    /// Judges a silence that this cycle ends (PORT-PROGRESS).
    #[inline]
    fn silence(&mut self, log: &Log, place: usize, cycle: u64) -> Verdict {
        let Hearing { judge: Judge { board, .. }, run, .. } = self;
        let promises = &run.contract.promises;
        let quiet = cycle.saturating_sub(run.moved.max(board.acted()));
        let (most_idle, hang) = (promises.latency.idle, promises.latency.hang);
        let silent = quiet > most_idle.min(hang) && !run.held.any() && board.sees_all();
        if silent && !board.unseen().offers {
            if quiet > most_idle {
                idle((board, log, place), (run.moved, quiet), most_idle)?;
            }
            if quiet > hang && board.all_is_there() {
                let what = ("no port moved", format!("a handshake within {hang} cycles"));
                return Err(stands((board, log), (board.hanging(log.issues()), None), run.moved, what).into());
            }
        }
        Ok(())
    }

    // What it sets up is large: inlined, every event would make room for it on the stack.
    #[cold]
    fn reset(&mut self, log: &Log, place: usize, cycle: u64) -> Verdict {
        self.cut_off(log)?;
        self.overdue(log, place, cycle)?;
        let Hearing { judge: Judge { board, coverage, history }, run, .. } = self;
        board.reset(log.issues());
        history.reset();
        coverage.forget();
        (run.held, run.offers) = Default::default();
        (run.prompt, run.fair, run.wait, run.share, run.reservations) = Default::default();
        run.cut_off = run.requested;
        Ok(())
    }

    fn control(&mut self, log: &Log, number: u32) -> Verdict {
        let Hearing { judge: Judge { board, .. }, run, .. } = self;
        if board.done < board.accepted && *log.controls(number) != run.contract.ctrl {
            let m = Mismatch::new(Clause::PortOp, None, Field::event(Site::Unit, "ctrl_i (environment)"));
            let found = format!("another value while {} are", board.accepted - board.done);
            return Err(m.values("control registers that hold while operations are in flight", found).into());
        }
        run.contract.ctrl = *log.controls(number);
        run.in_limits = false;
        Ok(())
    }

    /// Judges what a reset, or a log that merely stops, would forgive: an operation that others have kept nothing from for
    /// longer than a unit may stand still (PORT-PROGRESS), whoever else moved meanwhile. Cycles in which an offer waits to
    /// be taken do not count: others may have to wait behind it. A log that merely stops may lack the last offer of a port.
    fn overdue(&mut self, log: &Log, place: usize, cycle: u64) -> Verdict {
        let Hearing { judge: Judge { board, .. }, run, .. } = self;
        let promises = &run.contract.promises;
        // Without PORT-FAIR, it may wait for others as long as these go on.
        let fair = promises.keeps(Clause::PortFair);
        if !fair || !board.sees_all() || board.unseen().offers {
            return Ok(());
        }
        let latency = &promises.latency;
        // What does not show at a port has the time of a request as well.
        let done = latency.done.saturating_add(latency.waits);
        let patience = latency.hang.max(latency.beats).max(done);
        let placed = |op: &Op| run.wait.placed(op);
        let over = Over { completed: run.prompt.completed(), spad: run.prompt.spad(), placed: &placed };
        let owed = |before: u64| board.overdue(&run.contract, log.issues(), &over, before);
        let late = owed(cycle.saturating_sub(patience));
        let lost =
            || if place < log.entries().len() { [false; 3] } else { board.may_offer(&run.contract, log.issues()) };
        if let Some((op, since)) = late.and_then(|_| owed(stalls::since((log, place, cycle), lost(), patience))) {
            let within = format!("a beat or its completion within {patience} cycles in which no offer waits");
            return Err(stands((board, log), (Some(op), None), since, ("an operation stands still", within)).into());
        }
        // The request that is missing may be the one that waits to be taken.
        if run.offers.requests() {
            return Ok(());
        }
        let mut others = lost();
        others[Port::Request as usize] = false;
        let waits = run.offers.waits().unwrap_or(u64::MAX).min(stalls::lost((log, place), others));
        run.wait.missing((log, place, cycle), (run.requested, waits), board, &run.contract, patience)
    }

    /// Judges offers that a reset or the end of the log cuts off. They could have been taken, so they must be right.
    fn cut_off(&mut self, log: &Log) -> Verdict {
        let Hearing { judge: Judge { board, .. }, run, .. } = self;
        let promised = run.contract.promises.keeps(Clause::PortHold);
        let mut offers = run.held.offers().filter(|_| promised);
        offers.try_for_each(|number| board.cut_off(&run.contract, log.issues(), log.offered(number)))
    }

    /// Judges the end of the log: whether nothing is left in flight, and whether a directed stream kept its rate.
    #[cold]
    fn is_over(&mut self, log: &Log, place: usize, cycle: u64, offered: bool) -> Verdict {
        let Hearing { judge: Judge { board, coverage, .. }, run, .. } = self;
        let contract = run.trial.contract;
        let issues = log.issues();
        run.figures.cycles = cycle;
        if offered || board.done < board.accepted || !board.flights.is_empty() {
            let silent = cycle.saturating_sub(run.moved);
            let patience = contract.promises.latency.hang;
            let awaited = run.held.awaits_consumer();
            let awaited = if offered { awaited } else { awaited.or_else(|| board.awaits_environment(issues)) };
            if log.unseen().end && (silent <= patience || awaited.is_some()) {
                board.unjudged.unfinished = (board.accepted - board.done) as u64;
                return self.overdue(log, place, cycle);
            }
            let oldest = board.hanging(issues);
            let what = match silent > patience {
                true => ("no port moved", format!("a handshake within {patience} cycles")),
                false => (
                    "no operation was done",
                    format!("an operation done within {} cycles", cycle.saturating_sub(run.last_done)),
                ),
            };
            let next = offered.then_some(board.accepted);
            let environment = awaited.is_some();
            let m = awaited.unwrap_or_else(|| stands((board, log), (oldest, next), run.moved, what));
            if environment {
                // What it owes to some excuses nothing that the unit owes to others.
                self.overdue(log, place, cycle)?;
            }
            return Err(m.into());
        }
        if let Some(rate) = contract.rate.filter(|rate| contract.promises.keeps(rate.clause())) {
            run.pace.judge(rate, &run.figures)?;
            if run.trial.counts {
                coverage.rate(rate, issues);
            }
        }
        Ok(())
    }
}

impl Heard<'_, '_> {
    #[inline]
    fn show(&mut self, cycle: u64, event: &Shown<'_>, board: &Scoreboard) {
        if let Some(watch) = self.watch {
            watch.event(cycle, event, board);
        }
    }
}
