// SPDX-License-Identifier: MIT OR Apache-2.0
//! The clock loop. Each cycle sets the inputs, lets the outputs settle, looks, judges, and only then clocks.

use super::{Bench, Event, Figures, Watch};
use crate::{
    clause::Clause,
    cosim::{
        case::{Case, Issue, Rate, Schedule, stall},
        diagnose,
        environment::{Environment, Offer, Seen},
        hold::Held,
        mismatch::Mismatch,
        pace::Pace,
        sample,
        scoreboard::Scoreboard,
    },
    dut::Report,
};

/// Cycles without any handshake, while the environment offers its readies, that count as a hang (PORT-PROGRESS): more
/// than the 32 that an access of 32 lanes to one bank takes, and longer than any answer waits.
const HANG_CYCLES: u64 = 1200;
/// Cycles in which no operation is done, though ports move, that count as one: more than 32 pairs take that are refused as
/// often as a schedule can, one after the other.
const LIVELOCK_CYCLES: u64 = 1 << 20;
/// Cycles that a finished case is watched for something that should not come.
const AFTERMATH_CYCLES: u64 = 12;

/// What a phase needs besides the bench.
pub(super) struct Phase<'a> {
    pub case: &'a Case,
    pub issues: &'a [Issue],
    pub schedule: &'a Schedule,
    pub serial: bool,
    pub rate: Option<Rate>,
    /// Whether this is the case itself, rather than what prepares it.
    pub main: bool,
}

impl Bench {
    #[inline]
    pub(super) fn settle(&mut self) -> Result<(), Report> {
        self.pins.clk.set(false);
        if let Some(recorder) = &mut self.recorder {
            recorder.cycle();
        }
        self.dut.eval()?;
        if self.tracing {
            self.dut.dump(self.time + 5);
        }
        Ok(())
    }

    #[inline]
    pub(super) fn clock(&mut self) -> Result<(), Report> {
        self.pins.clk.set(true);
        self.dut.eval()?;
        self.time += 10;
        if self.tracing {
            self.dut.dump(self.time);
        }
        Ok(())
    }

    /// Plays the operations of a phase to the end, or to the first divergence.
    pub(super) fn play(
        &mut self,
        phase: &Phase<'_>,
        board: &mut Scoreboard,
        env: &mut Environment,
        watch: &mut Option<&mut dyn Watch>,
    ) -> Result<Figures, Box<Mismatch>> {
        let Phase { case, issues, schedule, .. } = *phase;
        let mut figures = Figures::default();
        let mut pace = Pace::default();
        let mut held = Held::default();
        let mut op_offered = false;
        let mut data_offered = false;
        let (mut data_op, mut data_beat) = (0, 0);
        let mut offer: Option<Offer> = None;
        let (mut quiet, mut last_done) = (0, 0);
        let mut aftermath = 0;
        let mut cycle = 0u64;
        let mut phase_of_stalls = 0;
        let mut seen = Seen::default();

        loop {
            let stalls = schedule.stalls.get(phase_of_stalls).copied().unwrap_or(0);
            phase_of_stalls += 1;
            if phase_of_stalls >= schedule.stalls.len() {
                phase_of_stalls = 0;
            }

            board.cycle = cycle;

            // Inputs
            // ------
            while board.planned < issues.len() && (!phase.serial || board.planned == board.done) {
                let index = board.planned;
                if board.planned - board.accepted >= 8 || !board.plan_next(case, &issues[index]) {
                    break;
                }
            }
            if !op_offered && stalls & stall::OP == 0 && board.accepted < board.planned {
                sample::drive_op(&mut self.pins, &issues[board.accepted], board.op(board.accepted).tag);
                op_offered = true;
            }
            self.pins.op_valid.set(op_offered);

            while data_op < board.planned && data_beat >= board.beats(data_op, &issues[data_op].op) {
                (data_op, data_beat) = (data_op + 1, 0);
            }
            if !data_offered && stalls & stall::DATA == 0 && data_op < board.planned {
                sample::drive_data(&mut self.pins, &issues[data_op].data[data_beat], self.shape.lanes);
                data_offered = true;
            }
            self.pins.data_valid.set(data_offered);

            while let Some(place) = env.next_due(cycle) {
                board.apply(issues, env, place).map_err(|m| when(m, cycle))?;
            }
            if phase.main && !schedule.foreign.is_empty() {
                while let Some(access) = env.next_foreign(cycle, schedule) {
                    env.apply_foreign(access);
                }
            }
            if offer.is_none() && stalls & stall::RSP == 0 {
                offer = env.next_offer(cycle);
                if let Some(offer) = &offer {
                    self.drive_response(env, offer);
                }
            }
            self.pins.rsp_valid.set(offer.is_some());
            self.pins.req_ready.set(stalls & stall::REQ == 0);
            self.pins.wb_ready.set(stalls & stall::WB == 0);
            self.pins.done_ready.set(stalls & stall::DONE == 0);

            self.settle().map_err(|report| diagnose::assertion(&report.0, cycle))?;

            // What happens at this edge
            // -------------------------
            let time = self.time;
            let mut moved = false;
            held.check(&self.pins, cycle)?;
            if data_offered && self.pins.data_ready.is_set() {
                if phase.main {
                    self.coverage.data(
                        &issues[data_op],
                        data_op,
                        board.accepted,
                        board.beats(data_op, &issues[data_op].op),
                    );
                }
                data_beat += 1;
                if data_beat == board.beats(data_op, &issues[data_op].op) {
                    board.data_taken(data_op);
                }
                (data_offered, moved) = (false, true);
            }
            if self.pins.req_valid.is_set() {
                if stalls & stall::REQ == 0 {
                    sample::request(&self.pins, &mut seen);
                    let request = board.request(case, issues, env, &seen).map_err(|m| when(m, cycle))?;
                    if phase.main {
                        self.coverage.request(env, &seen, &issues[request.0], board.op(request.0), request.1);
                    }
                    env.accept(cycle, case, schedule, request, &seen);
                    tell(watch, time, &Event::Request(request.0, request.1), board);
                    figures.requests += 1;
                    pace.request(cycle);
                    moved = true;
                } else {
                    held.request(&self.pins);
                    self.coverage.hold(0);
                }
            }
            if let Some(taken) = offer.filter(|_| self.pins.rsp_ready.is_set()) {
                if phase.main {
                    self.coverage.response(issues, board, env, taken);
                }
                board.answered(issues, env, taken);
                env.taken(cycle, taken);
                (offer, moved) = (None, true);
            }
            if self.pins.wb_valid.is_set() {
                if stalls & stall::WB == 0 {
                    let beat = sample::beat(&self.pins);
                    let index = board.beat(case, issues, env, &beat).map_err(|m| when(m, cycle))?;
                    if phase.main {
                        self.coverage.beat(&beat, board.op(index), &issues[index]);
                    }
                    tell(watch, time, &Event::Beat(index, &beat), board);
                    moved = true;
                } else {
                    held.beat(&self.pins);
                    self.coverage.hold(1);
                }
            }
            if self.pins.done_valid.is_set() {
                if stalls & stall::DONE == 0 {
                    let done = sample::done(&self.pins);
                    let index = board.completed(case, issues, env, &done).map_err(|m| when(m, cycle))?;
                    env.history.end(index, &board.op(index).plan, &env.unit).map_err(|m| when(m, cycle))?;
                    if phase.main {
                        self.coverage.done(case, &issues[index], board.op(index), index, board.warps());
                    }
                    tell(watch, time, &Event::Done(index), board);
                    figures.operations += 1;
                    pace.done(cycle);
                    (moved, last_done) = (true, cycle);
                } else {
                    held.done(&self.pins);
                    self.coverage.hold(2);
                }
            }

            // Last: what comes out in the cycle in which an operation goes in is not that operation's.
            if op_offered && self.pins.op_ready.is_set() {
                let index = board.accepted;
                board.op_accepted(case, &issues[index]);
                env.history.begin(index, &issues[index], &board.op(index).plan, &env.unit);
                if let Some(range) = board.op(index).wild() {
                    env.history.forget(range);
                }
                if phase.main {
                    self.coverage.op(env, case, &issues[index], board, index);
                }
                tell(watch, time, &Event::Op(index), board);
                (op_offered, moved) = (false, true);
            }

            self.clock().map_err(|report| diagnose::assertion(&report.0, cycle))?;
            cycle += 1;

            // The end, or a hang
            // ------------------
            if board.done == issues.len() && env.flights.is_empty() {
                aftermath += 1;
                if aftermath > AFTERMATH_CYCLES {
                    break;
                }
            } else {
                aftermath = 0;
                quiet = if moved { 0 } else { quiet + 1 };
                if quiet > HANG_CYCLES {
                    let expected = format!("a handshake within {HANG_CYCLES} cycles");
                    return Err(when(hang(board, issues, "no port moved", expected), cycle));
                }
                if cycle - last_done > LIVELOCK_CYCLES {
                    let expected = format!("an operation done within {LIVELOCK_CYCLES} cycles");
                    return Err(when(hang(board, issues, "no operation was done", expected), cycle));
                }
            }
        }
        figures.cycles = cycle;
        if let Some(rate) = phase.rate {
            pace.judge(rate, &figures)?;
            self.coverage.rate(rate, issues);
        }
        Ok(figures)
    }

    fn drive_response(&mut self, env: &Environment, offer: &Offer) {
        let flight = &env.flights[offer.flight];
        let p = &mut self.pins;
        p.rsp_id.set_value(flight.id.into());
        p.rsp_data.set_bytes(&env.lines[usize::from(flight.id)][..self.shape.line_bytes]);
        p.rsp_error.set(flight.error && offer.first);
        p.rsp_exclusive_failed.set(flight.failed && offer.first);
        p.rsp_scope.set_value(offer.scope.into());
        p.rsp_last.set(offer.last);
    }
}

#[inline]
fn tell(watch: &mut Option<&mut dyn Watch>, time: u64, event: &Event<'_>, board: &Scoreboard) {
    if let Some(watch) = watch {
        watch.event(time, event, board);
    }
}

fn when(mut mismatch: Box<Mismatch>, cycle: u64) -> Box<Mismatch> {
    mismatch.cycle = cycle;
    mismatch
}

fn hang(board: &Scoreboard, issues: &[Issue], what: &str, expected: String) -> Box<Mismatch> {
    let oldest = board.oldest_running().or((board.accepted < issues.len()).then_some(board.accepted));
    let state = match oldest {
        Some(index) if index < board.accepted => board.describe(index, &issues[index]),
        _ => "the next operation is not accepted".to_owned(),
    };
    Box::new(Mismatch::new(Clause::PortProgress, oldest, what).values(expected, format!("none; {state}")))
}
