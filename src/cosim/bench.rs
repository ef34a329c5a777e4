// SPDX-License-Identifier: MIT OR Apache-2.0
//! Drives a case through the unit, lets the environment answer and the scoreboard judge: reset, preparation, the case,
//! and memory at its end. `cycles` is the clock loop.

mod cycles;

use std::path::Path;

use crate::{
    clause::Clause,
    dut::{Dut, DutError},
    op::{Ctrl, MAX_LANES, Shape},
};

use super::{
    case::Case,
    coverage::Coverage,
    diagnose,
    environment::Environment,
    mismatch::Mismatch,
    pins::Pins,
    sample,
    scoreboard::{Beat, Scoreboard},
    tape::{Recorder, Tape},
};
use cycles::Phase;

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
        self.pins.ctrl.set_words(&ctrl.to_words());
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
}
