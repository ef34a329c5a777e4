// SPDX-License-Identifier: MIT OR Apache-2.0
//! The clock loop: drives a case through the unit, lets the environment answer and the scoreboard judge.
//!
//! Each cycle sets the inputs, lets the outputs settle, looks, judges, and only then clocks.

use std::path::Path;

use crate::{
    dut::{Dut, DutError, Report},
    op::{Ctrl, MAX_LANES, Packed, Shape},
};

use super::{
    case::{Case, Issue, Rate, Schedule, stall},
    coverage::Coverage,
    diagnose,
    environment::{Environment, Offer, Seen},
    hold::Held,
    mismatch::Mismatch,
    pace::Pace,
    pins::Pins,
    sample,
    scoreboard::{Beat, Scoreboard},
    tape::{Recorder, Tape},
};
use crate::clause::Clause;

/// Cycles without any handshake, while the environment offers its readies, that count as a hang (PORT-PROGRESS): more
/// than the 32 that an access of 32 lanes to one bank takes, and longer than any answer waits.
const HANG_CYCLES: u64 = 1200;
/// Cycles in which no operation is done, though ports move, that count as one: more than 32 pairs take that are refused as
/// often as a schedule can, one after the other.
const LIVELOCK_CYCLES: u64 = 1 << 20;
/// Cycles that a finished case is watched for something that should not come.
const AFTERMATH_CYCLES: u64 = 12;

/// What a run amounts to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Figures {
    /// Operations completed and compared.
    pub operations: u64,
    /// Clock cycles.
    pub cycles: u64,
    /// Memory requests.
    pub requests: u64,
    /// Values compared.
    pub comparisons: u64,
    /// Dwords whose history single atomic steps explain (SM5-CAS).
    pub histories: u64,
    /// Dwords whose history is too long to tell.
    pub histories_unsettled: u64,
}

impl std::ops::AddAssign for Figures {
    fn add_assign(&mut self, other: Self) {
        self.operations += other.operations;
        self.cycles += other.cycles;
        self.requests += other.requests;
        self.comparisons += other.comparisons;
        self.histories += other.histories;
        self.histories_unsettled += other.histories_unsettled;
    }
}

/// What happens in a cycle, for those who draw it.
pub enum Event<'a> {
    /// An operation is accepted.
    Op(usize),
    /// A request is accepted: the operation, and which of its requests the model has in its place.
    Request(usize, usize),
    /// A write-back beat is taken.
    Beat(usize, &'a Beat),
    /// A completion is taken.
    Done(usize),
}

/// Somebody who wants to see every event beside its time.
pub trait Watch {
    /// Called in the order of the cycles; `time` is that of the clock edge that begins the cycle, in the trace.
    fn event(&mut self, time: u64, event: &Event<'_>, scoreboard: &Scoreboard);

    /// The run ends here.
    fn diverged(&mut self, time: u64, mismatch: &Mismatch, scoreboard: &Scoreboard);
}

/// A unit on the bench.
pub struct Bench {
    dut: Dut,
    pins: Pins,
    shape: Shape,
    time: u64,
    tracing: bool,
    recorder: Option<Recorder>,
    allowed_sets: bool,
    environment: Environment,
    scoreboard: Option<Scoreboard>,
    pub(super) coverage: Coverage,
}

/// What a phase needs besides the bench.
struct Phase<'a> {
    case: &'a Case,
    issues: &'a [Issue],
    schedule: &'a Schedule,
    serial: bool,
    rate: Option<Rate>,
    /// Whether this is the case itself, rather than what prepares it.
    main: bool,
}

impl Bench {
    /// A bench around the unit with this many lanes.
    ///
    /// # Errors
    ///
    /// When this build does not hold that unit, or its ports have other widths.
    pub fn new(lanes: usize) -> Result<Self, DutError> {
        Self::around(Dut::new(lanes)?)
    }

    /// A bench around the copy with planted faults, with fault number `fault`.
    #[cfg(feature = "planted-faults")]
    pub fn planted(fault: u8) -> Result<Self, DutError> {
        let dut = Dut::planted()?;
        dut.pin("fault_i", 8)?.set_value(fault.into());
        Self::around(dut)
    }

    fn around(dut: Dut) -> Result<Self, DutError> {
        let shape = Shape::with_lanes(dut.lanes());
        let pins = Pins::find(&dut, &shape)?;
        let coverage = Coverage::new(&shape);
        let scoreboard = Some(Scoreboard::new(shape));
        Ok(Bench {
            dut,
            pins,
            shape,
            time: 0,
            tracing: false,
            recorder: None,
            allowed_sets: false,
            environment: Environment::default(),
            scoreboard,
            coverage,
        })
    }

    /// The parameters of the unit.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// Whether a unit may choose where the sources leave a choice: the order of the lanes of a compare-and-store, and
    /// the contents of a resource that one of them has made undefined (SM5-ORDER, SM5-OOB-OFFSET, SM5-OOB-TGSM,
    /// SM5-ALIGN). If not, it must choose as this project's unit does.
    pub fn allow_sets(&mut self, allowed: bool) {
        self.allowed_sets = allowed;
    }

    /// What was covered since the bench was made.
    pub fn coverage(&self) -> &Coverage {
        &self.coverage
    }

    /// Runs a case from reset to its last answer.
    ///
    /// # Errors
    ///
    /// The first divergence.
    pub fn run(&mut self, case: &Case) -> Result<Figures, Box<Mismatch>> {
        self.run_watched(case, None)
    }

    /// Runs a case and writes the unit's signals to a VCD at `trace`, from the first operation on.
    ///
    /// # Errors
    ///
    /// [`DutError`] when the file cannot be written; inside, the first divergence.
    pub fn run_traced(
        &mut self,
        case: &Case,
        trace: &Path,
        watch: &mut dyn Watch,
    ) -> Result<Result<Figures, Box<Mismatch>>, DutError> {
        // Opened before anything runs, so that a bad path costs nothing; the preparation is not dumped.
        self.dut.open_trace(trace)?;
        let result = self.run_watched(case, Some(watch));
        self.tracing = false;
        self.dut.close_trace();
        Ok(result)
    }

    /// Runs a case and records what it does to the unit's inputs.
    ///
    /// # Errors
    ///
    /// The first divergence.
    pub fn run_taped(&mut self, case: &Case) -> Result<(Figures, Tape), Box<Mismatch>> {
        self.recorder = Some(Recorder::new(&self.dut));
        let result = self.run_watched(case, None);
        let tape = self.recorder.take().map(Recorder::finish).unwrap_or_default();
        result.map(|figures| (figures, tape))
    }

    fn run_watched(&mut self, case: &Case, watch: Option<&mut dyn Watch>) -> Result<Figures, Box<Mismatch>> {
        debug_assert_eq!(case.lanes, self.shape.lanes);
        self.time = 0;
        self.control(&case.ctrl);
        self.coverage.start(case);
        self.coverage.reset(case.dirty_cycles > 0);
        if case.dirty_cycles > 0 {
            self.reset()?;
            self.dirty(case)?;
        }
        self.reset()?;

        // Taken out for the run; kept from case to case, because what they allocated is large.
        let mut env = std::mem::take(&mut self.environment);
        let mut board = self.scoreboard.take().unwrap_or_else(|| Scoreboard::new(self.shape));
        env.restart(case);
        board.reset(case);
        board.allowed_sets = self.allowed_sets;
        let result = self.prepare_and_play(case, &mut board, &mut env, watch);
        (self.environment, self.scoreboard) = (env, Some(board));
        result
    }

    fn control(&mut self, ctrl: &Ctrl) {
        let mut words = [0; (Ctrl::WIDTH as usize).div_ceil(32)];
        ctrl.pack(&mut words, 0, Ctrl::WIDTH);
        self.pins.ctrl.set_words(&words);
    }

    fn prepare_and_play(
        &mut self,
        case: &Case,
        board: &mut Scoreboard,
        env: &mut Environment,
        watch: Option<&mut dyn Watch>,
    ) -> Result<Figures, Box<Mismatch>> {
        let tracing = watch.is_some();
        let prologue = super::prologue::case(case, &self.shape);
        let (issues, schedule) = (&prologue.issues, &prologue.schedule);
        let prepare = Phase { case: &prologue, issues, schedule, serial: false, rate: None, main: false };
        self.control(&prologue.ctrl);
        self.play(&prepare, board, env, &mut None)?;
        board.restart();
        // Nothing is in flight: the control registers may change.
        self.control(&case.ctrl);
        let before = board.comparisons;

        // In the trace, cycle n of the case is at 10 * n.
        self.time = 0;
        self.tracing = tracing;
        let phase = Phase {
            case,
            issues: &case.issues,
            schedule: &case.schedule,
            serial: case.serial,
            rate: case.rate,
            main: true,
        };
        let mut watch = watch;
        let mut figures = match self.play(&phase, board, env, &mut watch) {
            Ok(figures) => figures,
            Err(mismatch) => {
                if let Some(watch) = watch {
                    watch.diverged(self.time, &mismatch, board);
                    self.linger();
                }
                return Err(mismatch);
            }
        };
        figures.comparisons = board.comparisons - before;
        figures.histories = env.history.explained;
        figures.histories_unsettled = env.history.unsettled;
        if let Some(addr) = env.reference.first_difference(&env.unit) {
            let mut m = Mismatch::new(Clause::PortReq, None, format!("memory byte {addr:#x} at the end"))
                .values(format!("{:#04x}", env.reference.byte(addr)), format!("{:#04x}", env.unit.byte(addr)));
            m.cycle = figures.cycles;
            return Err(Box::new(m));
        }
        Ok(figures)
    }

    fn reset(&mut self) -> Result<(), Box<Mismatch>> {
        let p = &mut self.pins;
        for pin in [&mut p.op_valid, &mut p.data_valid, &mut p.rsp_valid, &mut p.wb_ready, &mut p.done_ready] {
            pin.set(false);
        }
        p.req_ready.set(false);
        p.rsp_exclusive_failed.set(false);
        p.rst_n.set(false);
        for _ in 0..3 {
            self.settle().and_then(|()| self.clock()).map_err(|report| diagnose::assertion(&report.0, 0))?;
        }
        self.pins.rst_n.set(true);
        Ok(())
    }

    /// Operations in flight when reset comes: nothing of them may be seen afterwards (PORT-RESET).
    fn dirty(&mut self, case: &Case) -> Result<(), Box<Mismatch>> {
        let (mut next, mut beat) = (0, 0);
        let p = &mut self.pins;
        p.wb_ready.set(false);
        p.req_ready.set(true);
        for _ in 0..case.dirty_cycles {
            let Some(issue) = case.issues.get(next) else { break };
            sample::drive_op(&mut self.pins, issue, next as u8);
            // The data is nobody's, so what the unit stores before the reset is arbitrary: it is overwritten after.
            let data = case.issues[beat].data.first().unwrap_or(&[0; MAX_LANES]);
            sample::drive_data(&mut self.pins, data, self.shape.lanes);
            self.pins.op_valid.set(true);
            self.pins.data_valid.set(true);
            let settled = self.settle();
            let (op_taken, data_taken) = (self.pins.op_ready.is_set(), self.pins.data_ready.is_set());
            settled.and_then(|()| self.clock()).map_err(|report| diagnose::assertion(&report.0, 0))?;
            next += usize::from(op_taken);
            beat = (beat + usize::from(data_taken)) % case.issues.len();
        }
        Ok(())
    }

    /// A few cycles more, for the trace: the environment holds still.
    fn linger(&mut self) {
        for _ in 0..4 {
            // What the RTL reports now is a consequence of what was reported already.
            let _ = self.settle();
            let _ = self.clock();
        }
    }

    #[inline]
    fn settle(&mut self) -> Result<(), Report> {
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
    fn clock(&mut self) -> Result<(), Report> {
        self.pins.clk.set(true);
        self.dut.eval()?;
        self.time += 10;
        if self.tracing {
            self.dut.dump(self.time);
        }
        Ok(())
    }

    fn play(
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
                    let done = sample::done(&self.pins, self.shape.lanes);
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
