// SPDX-License-Identifier: MIT OR Apache-2.0
//! Plays operations on the unit and logs what crosses its ports. The player never asks whether that is right: its
//! memory executes every request, and it accepts every completion.
//!
//! Each cycle sets the inputs, lets the outputs settle, samples them, and only then clocks.

use std::ops::{ControlFlow, Range};

use super::{
    case::{Case, Issue, Schedule, stall},
    environment::{Environment, Offer},
    pins::Pins,
    progress::Progress,
    tape::{Recorder, Tape},
    waiting::Waiting,
};
use crate::{
    dut::{Dut, DutError, Piece, PowerUp, Report},
    judge::log::{Event, Held, Log, Port, Seen, beats, sample},
    op::{Ctrl, MAX_PENDING, Op, Shape},
    wave::PERIOD,
};

/// The limits of a livelock while ports still move, counted since an operation was last done: cycles, and events, which
/// are requests, beats, and completions of no operation in flight. More than 32 pairs stay within them, one after the
/// other, each refused as often as a schedule can.
const LIVELOCK_CYCLES: u64 = 1 << 20;
const LIVELOCK_EVENTS: usize = 1 << 18;
/// More events than a lane causes: a request for each byte and a beat for each register, of an access and of a burst.
const LANE_EVENTS: usize = 32 + 8;
const BURST_EVENTS: usize = 16 * (16 + 4);
/// The interval in cycles at which a reader of the growing log is called.
const NEWS_CYCLES: u64 = 128;
/// The cycles for which a finished case is watched for output that should not come.
const AFTERMATH_CYCLES: u64 = 12;

/// A sequence of operations to play, without the memory's state.
pub(super) struct Phase<'a> {
    pub case: &'a Case,
    pub issues: &'a [Issue],
    pub schedule: &'a Schedule,
    pub serial: bool,
    /// [`Case::flushes`]
    pub flushes: &'a [usize],
    /// Whether other masters take part.
    pub foreign: bool,
    /// The number of cycles without a handshake that counts as a hang.
    pub patience: u64,
    /// The number of cycles after which the phase is cut off.
    pub cycles: Option<u64>,
}

impl Phase<'_> {
    /// The number of events (see `LIVELOCK_EVENTS`) without a completed operation that counts as a livelock. Few
    /// operations cause few events, so a phase with few operations is cut off early.
    fn enough(&self, shape: &Shape) -> usize {
        let refusals = self.schedule.refusals.iter().max().map_or(0, |&times| usize::from(times));
        let of_a_lane = |op: &Op| if op.is_burst() { BURST_EVENTS } else { LANE_EVENTS + 2 * (1 + refusals) };
        let asked: usize = self.issues.iter().map(|issue| shape.lanes * of_a_lane(&issue.op)).sum();
        // An access of another master can spoil every pair in flight.
        let spoilt = 2 * MAX_PENDING * self.schedule.foreign.len();
        LIVELOCK_EVENTS.min(asked + spoilt)
    }
}

/// A unit, and the memory at its port.
pub(super) struct Player {
    dut: Dut,
    pins: Pins,
    shape: Shape,
    time: u64,
    /// The cycles that the open trace covers.
    traced: Range<u64>,
    recorder: Option<Recorder>,
    memory: Environment,
}

impl Player {
    /// Creates a player for a unit.
    ///
    /// # Errors
    ///
    /// When the unit's parameters are out of range, or its ports have other widths.
    pub fn around(dut: Dut) -> Result<Self, DutError> {
        let shape = dut.shape();
        if let Some(problem) = shape.problem() {
            return Err(DutError::Shape(problem));
        }
        let pins = Pins::find(&dut, &shape)?;
        Ok(Player { dut, pins, shape, time: 0, traced: 0..0, recorder: None, memory: Environment::default() })
    }

    /// A player for a new unit of the same kind, which begins with these contents.
    ///
    /// # Errors
    ///
    /// When this build does not contain the unit.
    pub fn fresh(&self, power_up: PowerUp) -> Result<Self, DutError> {
        Self::around(self.dut.fresh(power_up)?)
    }

    /// The parameters of the unit.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// Writes to a file how often each line of the RTL ran, in Verilator's format.
    pub fn write_lines(&mut self, path: &str) {
        self.dut.write_lines(path);
    }

    /// Records the unit's inputs from now on.
    pub fn record(&mut self) {
        self.recorder = Some(Recorder::new(&self.dut));
    }

    /// Ends the recording and returns it.
    pub fn recorded(&mut self) -> Tape {
        self.recorder.take().map(Recorder::finish).unwrap_or_default()
    }

    /// Traces these cycles of the run that follows, counted from cycle 0. `sink` receives the trace piece by piece.
    pub fn trace(&mut self, cycles: Range<u64>, sink: impl FnMut(Piece<'_>) + 'static) {
        (self.time, self.traced) = (0, cycles);
        self.dut.open_trace(sink);
    }

    /// Ends the trace.
    pub fn close_trace(&mut self) {
        self.traced = 0..0;
        self.dut.close_trace();
    }

    /// Resets memory and time for a case.
    pub fn restart(&mut self, case: &Case) {
        self.time = 0;
        self.memory.restart(case);
    }

    /// Sets the control registers; nothing may be in flight.
    pub fn control(&mut self, ctrl: &Ctrl) {
        sample::drive_control(&mut self.pins, ctrl);
    }

    #[inline]
    fn settle(&mut self) -> Result<(), Report> {
        self.pins.clk.set(false);
        if let Some(recorder) = &mut self.recorder {
            recorder.cycle();
        }
        let settled = self.dut.eval();
        // Before the edge: the trace shows the value that each signal settles to, and no glitches.
        if self.traced.contains(&(self.time / PERIOD)) {
            self.dut.dump(self.time);
        }
        settled
    }

    #[inline]
    fn clock(&mut self) -> Result<(), Report> {
        self.pins.clk.set(true);
        self.dut.eval()?;
        self.time += PERIOD;
        Ok(())
    }

    /// Holds the unit in reset.
    pub fn reset(&mut self, log: &mut Log) {
        let p = &mut self.pins;
        for pin in [&mut p.op_valid, &mut p.data_valid, &mut p.rsp_valid, &mut p.wb_ready, &mut p.done_ready] {
            pin.set(false);
        }
        p.req_ready.set(false);
        p.rsp_exclusive_failed.set(false);
        p.rst_n.set(false);
        for _ in 0..3 {
            if let Err(report) = self.settle().and_then(|()| self.clock()) {
                log.report(0, report.0.into());
            }
        }
        log.reset(0);
        self.pins.rst_n.set(true);
    }

    /// Plays a phase that a reset then cuts off: nothing of it may be visible afterwards (PORT-RESET). The phase is not
    /// judged, as no store has initialized the scratchpad yet; but reports of the unit itself are logged.
    pub fn dirty(&mut self, phase: &Phase<'_>, log: &mut Log) {
        let mut unjudged = Log::default();
        self.play(phase, &mut unjudged, |_| ControlFlow::Continue(()));
        for entry in unjudged.entries() {
            if let Event::Report(number) = entry.event {
                log.report(0, unjudged.reported(number).clone());
            }
        }
        self.restart(phase.case);
    }

    /// Plays the operations of a phase until they are done, the phase's last cycle is reached, nothing moves any more,
    /// the unit reports an error or makes a request that no memory can execute, or `news` breaks off. `news` receives
    /// the log at intervals, and at the end.
    pub fn play(&mut self, phase: &Phase<'_>, log: &mut Log, mut news: impl FnMut(&Log) -> ControlFlow<()>) {
        let Phase { case, issues, schedule, .. } = *phase;
        let mut progress = Progress::new(issues.len(), phase.flushes, case);
        let mut waiting = Waiting::default();
        let (mut op_offered, mut data_offered) = (false, false);
        // The operation of the next data beat, the beat's index, and the number of beats of that operation.
        let beats_of = |op: usize| issues.get(op).map_or(0, |issue| beats(&issue.op));
        let (mut data_op, mut data_beat, mut data_beats) = (0, 0, beats_of(0));
        let mut offer: Option<Offer> = None;
        let (mut quiet, mut last_done, mut events, enough) = (0, 0, 0, phase.enough(&self.shape));
        let mut aftermath = 0;
        let mut cycle = 0u64;
        let mut phase_of_stalls = 0;
        let mut seen = Seen::default();

        let over = loop {
            let stalls = schedule.stalls.get(phase_of_stalls).copied().unwrap_or(0);
            phase_of_stalls += 1;
            if phase_of_stalls >= schedule.stalls.len() {
                phase_of_stalls = 0;
            }

            // Inputs
            // ------
            while progress.advance(phase.serial, self.memory.is_idle()) {}
            if !op_offered && stalls & stall::OP == 0 && progress.accepted < progress.ready {
                let tag = progress.tag(progress.accepted);
                let Issue { op, lanes, .. } = &issues[progress.accepted];
                sample::drive_op(&mut self.pins, &self.shape, &Op { tag, ..*op }, lanes);
                op_offered = true;
            }
            self.pins.op_valid.set(op_offered);

            while data_op < progress.ready && data_beat >= data_beats {
                (data_op, data_beat, data_beats) = (data_op + 1, 0, beats_of(data_op + 1));
            }
            if !data_offered && stalls & stall::DATA == 0 && data_op < progress.ready {
                sample::drive_data(&mut self.pins, &issues[data_op].data[data_beat]);
                data_offered = true;
            }
            self.pins.data_valid.set(data_offered);

            while let Some((number, made)) = self.memory.apply_next(cycle) {
                log.applied(cycle, number, made);
            }
            if phase.foreign {
                while let Some(access) = self.memory.next_foreign(cycle, schedule) {
                    self.memory.apply_foreign(access);
                    log.foreign(cycle, access.clone());
                }
            }
            if offer.is_none() && stalls & stall::RSP == 0 {
                offer = self.memory.next_offer(cycle);
                if let Some(offer) = &offer {
                    sample::drive_response(&mut self.pins, &self.memory.response(offer));
                }
            }
            self.pins.rsp_valid.set(offer.is_some());
            let takes = |bit, port| stalls & bit == 0 && (stalls & stall::SHY == 0 || waiting.waits(port));
            let takes_request = takes(stall::REQ, Port::Request);
            let takes_beat = takes(stall::WB, Port::Beat);
            let takes_done = takes(stall::DONE, Port::Done);
            self.pins.req_ready.set(takes_request);
            self.pins.wb_ready.set(takes_beat);
            self.pins.done_ready.set(takes_done);

            if let Err(report) = self.settle() {
                log.report(cycle, report.0.into());
                break true;
            }

            // What happens at this edge
            // -------------------------
            let mut moved = false;
            waiting.check(&self.pins, cycle, log);
            if data_offered && self.pins.data_ready.is_set() {
                log.data(cycle, &issues[data_op].data[data_beat]);
                data_beat += 1;
                (data_offered, moved) = (false, true);
            }
            if self.pins.req_valid.is_set() {
                if takes_request {
                    sample::request(&self.pins, waiting.taken(Port::Request), &mut seen);
                    if self.memory.is_busy(seen.id) {
                        // No memory could answer both requests.
                        log.request(cycle, seen.clone());
                        break true;
                    }
                    self.memory.accept(cycle, case, schedule, log.next_request(), &seen);
                    log.request(cycle, seen.clone());
                    (moved, events) = (true, events + 1);
                } else {
                    waiting.offers_request(&self.pins, cycle, log);
                }
            }
            if let Some(taken) = offer.filter(|_| self.pins.rsp_ready.is_set()) {
                log.response(cycle, self.memory.response(&taken));
                self.memory.taken(cycle, taken);
                (offer, moved) = (None, true);
            }
            if self.pins.wb_valid.is_set() {
                if takes_beat {
                    waiting.taken(Port::Beat);
                    log.beat(cycle, sample::beat(&self.pins));
                    (moved, events) = (true, events + 1);
                } else {
                    waiting.offers_beat(&self.pins, cycle, log);
                }
            }
            if self.pins.done_valid.is_set() {
                if takes_done {
                    let done = sample::done(&self.pins);
                    waiting.taken(Port::Done);
                    (last_done, events) =
                        if progress.completed(done.tag) { (cycle, 0) } else { (last_done, events + 1) };
                    log.done(cycle, done);
                    moved = true;
                } else {
                    waiting.offers_done(&self.pins, cycle, log);
                }
            }
            // Last, because output in the cycle in which an operation goes in cannot be that operation's.
            if op_offered && self.pins.op_ready.is_set() {
                let issue = &issues[progress.accepted];
                let op = Op { tag: progress.tag(progress.accepted), ..issue.op };
                log.op(cycle, &op, &issue.lanes, issue.inst);
                progress.accepted += 1;
                (op_offered, moved) = (false, true);
            }

            if let Err(report) = self.clock() {
                log.report(cycle, report.0.into());
                break true;
            }
            cycle += 1;
            if phase.cycles == Some(cycle) || cycle.is_multiple_of(NEWS_CYCLES) && news(log).is_break() {
                break true;
            }

            // The end, or no end
            // ------------------
            if progress.done == issues.len() && self.memory.is_idle() {
                aftermath += 1;
                if aftermath > AFTERMATH_CYCLES {
                    break false;
                }
            } else {
                aftermath = 0;
                quiet = if moved { 0 } else { quiet + 1 };
                let livelock = cycle - last_done > LIVELOCK_CYCLES || events > enough;
                if quiet > phase.patience || livelock {
                    self.dut.last_words().lines().filter_map(Held::parse).for_each(|held| log.holds(held));
                    break true;
                }
            }
        };
        log.end(cycle, over && (op_offered || data_offered || offer.is_some() || progress.done < issues.len()));
        let _ = news(log);
    }
}
