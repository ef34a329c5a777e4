// SPDX-License-Identifier: MIT OR Apache-2.0
//! The passage of one log through the judge, event by event.

mod still;

use still::{idle, stands};

use super::{
    Contract, Field, Figures, Judge, Mismatch, Promises, Shown, Site, Trial, Watch,
    diagnose::{self, Evidence},
    fair::Fair,
    flight,
    hold::Held,
    image::Image,
    log::{Entry, Event, Issue, Log, Port, Report, Unseen},
    offers::Offers,
    pace::Pace,
    prompt::Prompt,
    reserve::Reservations,
    scoreboard::{Divergence, Scoreboard},
    share::Share,
    wait::Wait,
};
use crate::{
    clause::Clause,
    op::{Kind, LaneMask},
};

/// A log that is being judged, a block of entries at a time.
pub struct Hearing<'a> {
    judge: &'a mut Judge,
    run: Run<'a>,
    /// The number of entries judged so far.
    judged: usize,
}

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
    pub(super) fn new(judge: &'a mut Judge, trial: &Trial<'a>, issues: &[Issue], unseen: Unseen) -> Self {
        judge.board.restart(issues, unseen, &trial.contract.promises);
        judge.history.restart();
        judge.coverage.start(issues);
        let follows = trial.histories && issues.iter().any(|issue| issue.op.kind == Kind::CmpStore as u8);
        let run = Run {
            trial: *trial,
            contract: *trial.contract,
            in_limits: false,
            image: follows.then(|| Image::new((trial.memory)())),
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
    /// data. Each call gets the same log, which may have grown.
    ///
    /// # Errors
    ///
    /// The first divergence. Its clause is chosen by what the log has so far; [`Judge::judge`] may know more of the
    /// whole log.
    pub fn go_on(&mut self, log: &Log, mut watch: Option<&mut dyn Watch>) -> Result<(), Box<Mismatch>> {
        while let Some(entry) = log.entries().get(self.judged).filter(|entry| log.tells(&entry.event)) {
            self.entry(log, entry, &mut watch)?;
        }
        Ok(())
    }

    /// Judges the rest of a log that is complete.
    ///
    /// # Errors
    ///
    /// The first divergence.
    pub fn end(mut self, log: &Log, mut watch: Option<&mut dyn Watch>) -> Result<Figures, Box<Mismatch>> {
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

    #[inline]
    fn entry(&mut self, log: &Log, entry: &Entry, watch: &mut Option<&mut dyn Watch>) -> Result<(), Box<Mismatch>> {
        let place = self.judged;
        self.judged += 1;
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

    fn event(&mut self, heard: &mut Heard<'_, '_>, entry: &Entry) -> Result<(), Box<Divergence>> {
        let Hearing { judge: Judge { board, coverage, history }, run, .. } = self;
        let (counts, log, place) = (run.trial.counts, heard.log, heard.place);
        let contract = &run.contract;
        let promises = &contract.promises;
        let (issues, cycle) = (log.issues(), entry.cycle);
        let quiet = cycle.saturating_sub(run.moved.max(board.acted()));
        let (most_idle, hang) = (promises.latency.idle, promises.latency.hang);
        let silent = quiet > most_idle.min(hang) && !run.held.any() && board.sees_all();
        if silent && !board.unseen().offers {
            if quiet > most_idle {
                idle((board, log, place), (run.moved, quiet), most_idle)?;
            }
            if quiet > hang && board.all_is_there() {
                let what = ("no port moved", format!("a handshake within {hang} cycles"));
                return Err(stands((board, log), (board.hanging(issues), None), run.moved, what).into());
            }
        }
        match entry.event {
            Event::Reset => {
                cut_off(board, log, run)?;
                board.reset(issues);
                history.reset();
                (run.held, run.offers) = Default::default();
                (run.prompt, run.fair, run.wait, run.share, run.reservations) = Default::default();
                run.cut_off = run.requested;
            }
            Event::Control(number) => {
                if board.done < board.accepted && *log.controls(number) != contract.ctrl {
                    let m = Mismatch::new(Clause::PortOp, None, Field::event(Site::Unit, "ctrl_i (environment)"));
                    let found = format!("another value while {} are", board.accepted - board.done);
                    return Err(m.values("control registers that hold while operations are in flight", found).into());
                }
                run.contract.ctrl = *log.controls(number);
                run.in_limits = false;
            }
            Event::Op(number) => {
                let index = number as usize;
                if !run.in_limits {
                    within_limits(contract)?;
                    run.in_limits = true;
                }
                board.op_accepted(contract, &issues[index])?;
                run.wait.op(cycle, &issues[index]);
                if let Some(image) = &mut run.image {
                    image.advance(log, place);
                    history.begin(index, &issues[index], &board.op(index).plan, image);
                    if let Some(range) = board.op(index).wild() {
                        history.forget(range);
                    }
                }
                if counts {
                    coverage.op(contract, &issues[index], board, index);
                }
                heard.show(cycle, &Shown::Op(index), board);
            }
            Event::Data(number) => {
                if let Some(owner) = log.owner(number).filter(|_| counts) {
                    coverage.data(&issues[owner], owner, board.accepted, issues[owner].data.len());
                }
                run.wait.data(cycle, log, number, board.accepted);
                board.data_taken();
            }
            Event::Request(number) => {
                let seen = log.requested(number);
                run.requested = number + 1;
                run.wait.taken((run.offers.taken(cycle, Port::Request), cycle), number);
                kept(promises, run.held.request(log, seen))?;
                run.reservations.asked(seen.id);
                let fair = board.sees_all() && promises.keeps(Clause::PortFair);
                let turn = if fair { run.fair.request(board, promises.passed(&board.shape()), seen)? } else { None };
                let Some((index, which)) = board.request(contract, issues, seen)? else {
                    run.moved = cycle;
                    return Ok(());
                };
                if fair && !board.unseen().offers {
                    run.wait.request((log, place), board, contract, (index, which), run.held.any())?;
                }
                if counts {
                    coverage.silence(&issues[index], cycle.saturating_sub(run.moved + 1));
                    if let Some(turn) = turn {
                        coverage.turn(turn);
                    }
                    coverage.request(&board.flights, seen, &issues[index], board.op(index), which);
                }
                heard.show(cycle, &Shown::Request(index, which), board);
                run.figures.requests += 1;
                run.pace.request(cycle);
            }
            Event::Applied(number, made) => {
                let seen = log.requested(number);
                let line_bytes = contract.shape.line_bytes as u64;
                let flight = board.flights.iter().find(|flight| flight.id == seen.id && number >= run.cut_off);
                if number < run.cut_off {
                    run.reservations.late(seen, made, line_bytes);
                } else if let Err((expected, found)) = run.reservations.applied(seen, made, line_bytes) {
                    let op = flight.map(|flight| flight.op);
                    let m = Mismatch::new(Clause::PortCas, op, Field::event(Site::Memory, "exclusive (environment)"));
                    return Err(m.values(expected, found).into());
                }
                if let Some(image) = &mut run.image {
                    image.advance(log, place + 1);
                    if made && !history.is_empty() {
                        // A request that a reset cut off belongs to no operation, so only memory itself accounts for
                        // its effect.
                        let free = flight.is_none_or(|flight| flight.request == flight::WILD);
                        history.memory(seen, free, image);
                        if let Some(flight) = flight.filter(|flight| flight.exclusive && !free) {
                            let served = board.op(flight.op).plan.requests.get(flight.request);
                            history.served(flight.op, served.map_or(LaneMask::NONE, |request| request.lanes));
                        }
                    }
                }
                return Ok(());
            }
            Event::Response(number) => {
                let response = log.responded(number);
                run.wait.answer(cycle);
                board.may_answer(contract, issues, response)?;
                if let Some(answered) = board.flights.find(response) {
                    if answered.first
                        && let Err((expected, found)) = run.reservations.answered(response, answered.flight)
                    {
                        let field = Field::event(Site::Memory, "answer (environment)");
                        let m = Mismatch::new(Clause::PortRsp, Some(answered.flight.op), field);
                        return Err(m.values(expected, found).into());
                    }
                    if counts {
                        coverage.response(issues, board, &answered);
                    }
                }
                board.answered(issues, response);
            }
            Event::Beat(number) => {
                let beat = log.written_back(number);
                kept(promises, run.held.beat(log, beat))?;
                let offered = run.offers.taken(cycle, Port::Beat);
                let Some((index, ripened)) = board.beat(contract, issues, beat)? else {
                    run.moved = cycle;
                    return Ok(());
                };
                run.wait.stalled(offered, cycle);
                run.share.beat((offered, cycle), board, contract, index, ripened)?;
                if counts {
                    coverage.silence(&issues[index], cycle.saturating_sub(run.moved + 1));
                    coverage.beat(beat, board.op(index), &issues[index]);
                }
                heard.show(cycle, &Shown::Beat(index, beat), board);
            }
            Event::Done(number) => {
                let done = log.completed(number);
                kept(promises, run.held.done(log, done))?;
                let offered = run.offers.taken(cycle, Port::Done);
                run.wait.stalled(offered, cycle);
                let Some(index) = board.completed(contract, issues, done)? else {
                    run.prompt.stranger(offered, cycle, done.warp);
                    run.moved = cycle;
                    return Ok(());
                };
                // A load may wait last for a beat that the log does not show.
                if !board.unseen().write_back && !board.unseen().offers {
                    let op = &issues[index].op;
                    run.prompt.done((offered, cycle), (index, op), board, run.wait.placed(op), contract)?;
                }
                if let Some(image) = &mut run.image {
                    image.advance(log, place);
                    history.end(index, &board.op(index).plan, image).map_err(|m| Box::new(Divergence::Told(m)))?;
                }
                if counts {
                    coverage.silence(&issues[index], cycle.saturating_sub(run.moved + 1));
                    coverage.done(contract, &issues[index], board.op(index), index, board.warps());
                }
                heard.show(cycle, &Shown::Done(index), board);
                run.figures.operations += 1;
                run.pace.done(cycle);
                run.last_done = cycle;
            }
            Event::Offer(number) => {
                let port = log.offered(number).port();
                let same = run.held.offer(log, number);
                if same.is_err() {
                    run.offers.taken(cycle, port);
                }
                kept(promises, same)?;
                board.offered(contract, issues, log.offered(number))?;
                run.offers.offer(cycle, port);
                if counts {
                    coverage.hold(port);
                }
                return Ok(());
            }
            Event::Withdrawn(port) => {
                kept(promises, run.held.withdrawn(log, port))?;
                run.held.forget(port);
                run.offers.taken(cycle, port);
                return Ok(());
            }
            Event::Foreign(number) => {
                let access = log.made(number);
                let mut found = None;
                if let Some(image) = &mut run.image {
                    found = access.compare.map(|_| {
                        image.advance(log, place);
                        image.word(access.addr)
                    });
                    image.advance(log, place + 1);
                    history.foreign(access, found, image);
                }
                let line_bytes = contract.shape.line_bytes as u64;
                run.reservations.foreign(access, found, line_bytes);
                let end = access.addr.saturating_add(access.bytes.len() as u64);
                board.flights.written(access.addr, end, line_bytes);
                return Ok(());
            }
            Event::Report(number) => {
                let Report { text, beat } = log.reported(number);
                if !beat.is_some_and(|(warp, tag, lanes)| board.may_be_unknown(warp, tag, lanes)) {
                    return Err(diagnose::assertion(text).into());
                }
            }
            Event::End(offered) => {
                let verdict = self.is_over(log, cycle, offered);
                // A wrong offer takes precedence over anything that the unit still owes.
                cut_off(&mut self.judge.board, log, &self.run)?;
                return verdict;
            }
        }
        run.moved = cycle;
        Ok(())
    }

    /// Judges the end of the log: whether nothing is left in flight, and whether a directed stream kept its rate.
    fn is_over(&mut self, log: &Log, cycle: u64, offered: bool) -> Result<(), Box<Divergence>> {
        let Hearing { judge: Judge { board, coverage, .. }, run, .. } = self;
        let contract = run.trial.contract;
        let issues = log.issues();
        run.figures.cycles = cycle;
        if offered || board.done < board.accepted || !board.flights.is_empty() {
            let silent = cycle.saturating_sub(run.moved);
            let patience = contract.promises.latency.hang;
            let awaited = run.held.awaits_consumer();
            let awaited = if offered { awaited } else { awaited.or_else(|| board.awaits_environment()) };
            if log.unseen().end && (silent <= patience || awaited.is_some()) {
                board.unjudged.unfinished = (board.accepted - board.done) as u64;
                return Ok(());
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
            let m = awaited.unwrap_or_else(|| stands((board, log), (oldest, next), run.moved, what));
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

/// Passes a violation of PORT-HOLD on only if the unit promises that clause.
fn kept(promises: &Promises, verdict: Result<(), Box<Divergence>>) -> Result<(), Box<Divergence>> {
    if promises.keeps(Clause::PortHold) { verdict } else { Ok(()) }
}

/// Checks the limits of the control registers when an operation is taken. They are the environment's business.
fn within_limits(contract: &Contract) -> Result<(), Box<Divergence>> {
    contract.ctrl.check(&contract.shape).map_err(|what| {
        let m = Mismatch::new(Clause::PortOp, None, Field::event(Site::Unit, "ctrl_i (environment)"));
        m.values("control registers within their limits", what).into()
    })
}

/// Judges offers that a reset or the end of the log cuts off. They could have been taken, so they must be right.
fn cut_off(board: &mut Scoreboard, log: &Log, run: &Run<'_>) -> Result<(), Box<Divergence>> {
    let promised = run.contract.promises.keeps(Clause::PortHold);
    let mut offers = run.held.offers().filter(|_| promised);
    offers.try_for_each(|number| board.cut_off(&run.contract, log.issues(), log.offered(number)))
}

impl Heard<'_, '_> {
    #[inline]
    fn show(&mut self, cycle: u64, event: &Shown<'_>, board: &Scoreboard) {
        if let Some(watch) = self.watch {
            watch.event(cycle, event, board);
        }
    }
}
