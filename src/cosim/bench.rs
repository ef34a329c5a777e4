// SPDX-License-Identifier: MIT OR Apache-2.0
//! A unit on the bench: a player that plays a case, and the judge of the log.
//!
//! A case consists of a reset, the prologue that fills the scratchpad, and the case proper; prologue and case proper
//! have a log each.

use std::{
    io::{self, Write},
    ops::{ControlFlow, Range},
    panic, thread,
};

use super::{
    case::{Case, Issue},
    epilogue,
    player::{Phase, Player},
    prologue,
    tape::Tape,
};
use crate::{
    clause::Clause,
    dut::{Dut, DutError, Piece, PowerUp},
    judge::{
        Contract, Field, Figures, Hearing, Judge, Mismatch, Promises, Site, Trial, Watch,
        coverage::Coverage,
        log::{Log, Unseen, lines},
    },
    model::Memory,
    op::Shape,
    regress::Lines,
    rtl::Sources,
};

/// A unit, its player and its judge.
pub struct Bench {
    player: Player,
    judge: Judge,
    /// The logs of the last prologue and of the last case proper; their allocations are reused.
    prepared: Log,
    played: Log,
    /// The log of reading back the scratchpad after the case, if that was done.
    read_back: Log,
    promises: Promises,
}

/// The judge of a case that is being played.
pub struct Referee<'a> {
    judge: &'a mut Judge,
    prepared: &'a Log,
    /// The contracts before the case proper, and in it.
    contracts: [Contract; 2],
    case: &'a Case,
}

impl Bench {
    /// A bench around the first unit of this build with this many lanes.
    ///
    /// # Errors
    ///
    /// When this build does not contain that unit, or its ports have other widths.
    pub fn new(lanes: usize) -> Result<Self, DutError> {
        Self::around(Dut::new(lanes)?)
    }

    /// A bench around the unit with these parameters.
    ///
    /// # Errors
    ///
    /// When this build does not contain that unit, or its ports have other widths.
    pub fn of(shape: &Shape) -> Result<Self, DutError> {
        Self::around(Dut::of(shape)?)
    }

    /// A bench around the unit with planted faults, with fault number `fault` active.
    #[cfg(feature = "planted-faults")]
    pub fn planted(fault: u16) -> Result<Self, DutError> {
        let dut = Dut::planted()?;
        dut.pin(crate::dut::FAULT, 16)?.set_value(fault.into());
        Self::around(dut)
    }

    /// A bench around the unit with these parameters that counts how often lines of the RTL run.
    ///
    /// # Errors
    ///
    /// When this build does not contain that unit, or its ports have other widths.
    pub fn counted(shape: &Shape) -> Result<Self, DutError> {
        Self::around(Dut::counted(shape)?)
    }

    fn around(dut: Dut) -> Result<Self, DutError> {
        Ok(Self::with(Player::around(dut)?))
    }

    /// A bench around a new unit of the same kind, which promises the same and begins with these contents.
    ///
    /// # Errors
    ///
    /// When this build does not contain the unit.
    pub fn fresh(&self, power_up: PowerUp) -> Result<Self, DutError> {
        Ok(Bench { promises: self.promises, ..Self::with(self.player.fresh(power_up)?) })
    }

    /// Takes a new unit of the same kind: what a faulty one does may hang on what it has played before.
    pub fn renew(&mut self) {
        // A build that had the unit has it still.
        if let Ok(player) = self.player.fresh(PowerUp::default()) {
            self.player = player;
        }
    }

    fn with(player: Player) -> Self {
        let judge = Judge::new(&player.shape());
        Bench {
            player,
            judge,
            prepared: Log::default(),
            played: Log::default(),
            read_back: Log::default(),
            promises: Promises::OURS,
        }
    }

    /// The parameters of the unit.
    pub fn shape(&self) -> Shape {
        self.player.shape()
    }

    /// Sets what the unit promises; the default is what this project's unit promises.
    pub fn promise(&mut self, promises: Promises) {
        self.promises = promises;
    }

    /// The coverage since the bench was made.
    pub fn coverage(&self) -> &Coverage {
        self.judge.coverage()
    }

    /// The log of the last case proper.
    pub fn log(&self) -> &Log {
        &self.played
    }

    /// Writes the log of the whole last run of a case, from reset to its end, so that anybody can judge it.
    ///
    /// # Errors
    ///
    /// Any I/O error.
    pub fn write_log(&self, case: &Case, rtl: Option<Sources>, about: String, out: impl Write) -> io::Result<()> {
        let header = self.header(case, rtl, about);
        let mut writer = lines::Writer::new(out, &header)?;
        writer.control(&prologue::control(&self.shape()))?;
        writer.log(&self.prepared, true)?;
        writer.control(&case.ctrl)?;
        let goes_on = !self.read_back.entries().is_empty();
        writer.log(&self.played, goes_on)?;
        if goes_on {
            writer.control(&prologue::control(&self.shape()))?;
            writer.log(&self.read_back, false)?;
        }
        writer.finish().flush()
    }

    /// How often lines of the RTL ran since the bench was made; empty for a unit that does not count them.
    ///
    /// # Errors
    ///
    /// When Verilator's temporary file cannot be created or read.
    pub fn lines(&mut self) -> io::Result<Lines> {
        let file = tempfile::NamedTempFile::new()?;
        self.player.write_lines(&file.path().to_string_lossy());
        let text = String::from_utf8_lossy(&std::fs::read(file.path())?).into_owned();
        Ok(Lines::of_points(&text, &crate::rtl::built().path))
    }

    pub(super) fn coverage_mut(&mut self) -> &mut Coverage {
        self.judge.coverage_mut()
    }

    /// Runs a case from reset to its last answer and judges it.
    ///
    /// # Errors
    ///
    /// The first divergence. A case that this unit cannot be asked to run ([`Case::check`]) violates PORT-OP.
    pub fn run(&mut self, case: &Case) -> Result<Figures, Box<Mismatch>> {
        self.play(case)?;
        self.judge(case)
    }

    /// Resets the unit after a case that agreed; the scratchpad keeps its contents ([`Bench::read_back`]).
    pub fn reset(&mut self) {
        self.player.reset(&mut self.read_back);
    }

    /// After a case that agreed, has the unit load what is allocated of its scratchpad, and judges these loads.
    ///
    /// # Errors
    ///
    /// The first divergence, with the loads that its operation number refers to.
    pub fn read_back(&mut self, case: &Case) -> Result<Figures, (Box<Mismatch>, Vec<Issue>)> {
        let epilogue = epilogue::case(case, &self.shape());
        self.player.control(&epilogue.ctrl);
        let phase = Phase { foreign: false, ..phase(&epilogue, self.promises.latency.hang) };
        self.player.play(&phase, &mut self.read_back, to_the_end);
        let contract = Contract { promises: self.promises, ..epilogue.contract() };
        // The loads do not access memory.
        let memory = || epilogue.start();
        let trial = Trial { contract: &contract, memory: &memory, counts: false, histories: false };
        self.judge.judge(&trial, &self.read_back, None).map_err(|mismatch| (mismatch, epilogue.issues))
    }

    /// Plays a case from reset to its last answer, and logs what crosses the ports.
    ///
    /// # Errors
    ///
    /// A violation of PORT-OP if this unit cannot be asked to run the case ([`Case::check`]).
    pub fn play(&mut self, case: &Case) -> Result<(), Box<Mismatch>> {
        self.play_for(case, None)
    }

    /// Like [`Bench::run`], but what takes longer than this many cycles disagrees.
    pub(super) fn run_within(&mut self, cycles: u64, case: &Case) -> Result<Figures, Box<Mismatch>> {
        self.play_for(case, Some(cycles))?;
        self.judge(case)
    }

    fn play_for(&mut self, case: &Case, cycles: Option<u64>) -> Result<(), Box<Mismatch>> {
        self.prepare(case)?;
        let phase = Phase { cycles, ..phase(case, self.promises.latency.hang) };
        self.player.play(&phase, &mut self.played, to_the_end);
        Ok(())
    }

    /// Plays the reset and the prologue of a case.
    fn prepare(&mut self, case: &Case) -> Result<(), Box<Mismatch>> {
        if let Err(error) = case.check(&self.shape()) {
            let m = Mismatch::new(Clause::PortOp, None, Field::event(Site::Op, "(environment)"));
            return Err(Box::new(m.values("a case for this unit", error.to_string())));
        }
        let Bench { player, prepared, played, read_back, .. } = self;
        [&mut *prepared, played, read_back].into_iter().for_each(Log::clear);
        player.restart(case);
        let patience = self.promises.latency.hang;
        if case.dirty_cycles > 0 {
            player.control(&case.ctrl);
            player.reset(prepared);
            let cycles = Some(case.dirty_cycles.into());
            player.dirty(&Phase { foreign: false, cycles, ..phase(case, patience) }, prepared);
        }
        let prologue = prologue::case(case, &player.shape());
        // Reset meets other control registers than the case: they may change afterwards.
        player.control(&prologue.ctrl);
        player.reset(prepared);
        let phase = Phase { foreign: false, ..phase(&prologue, patience) };
        player.play(&phase, prepared, to_the_end);
        // Nothing is in flight: the control registers may change.
        player.control(&case.ctrl);
        Ok(())
    }

    /// Judges the log of the case that was played last.
    ///
    /// # Errors
    ///
    /// The first divergence.
    pub fn judge(&mut self, case: &Case) -> Result<Figures, Box<Mismatch>> {
        self.judged(case, None)
    }

    /// Like [`Bench::judge`], with an observer.
    ///
    /// # Errors
    ///
    /// The first divergence.
    pub fn judge_watched(&mut self, case: &Case, watch: &mut dyn Watch) -> Result<Figures, Box<Mismatch>> {
        self.judged(case, Some(watch))
    }

    fn judged(&mut self, case: &Case, watch: Option<&mut dyn Watch>) -> Result<Figures, Box<Mismatch>> {
        let (mut referee, _, played) = self.referee(case);
        let memory = || case.start();
        referee.hear(&memory)?.end(played, watch)
    }

    /// The header for a log of the last case.
    pub fn header(&self, case: &Case, rtl: Option<Sources>, about: String) -> lines::Header {
        let memory = Some(lines::Memory { seed: case.memory_seed, bytes: case.memory.clone() });
        lines::Header { rtl, about, contract: self.promises, memory, ..lines::Header::new(self.shape()) }
    }

    /// Plays a case and traces these cycles of it. `sink` receives, piece by piece, the values that the signals settle
    /// to, at the time at which each cycle begins; the clock seems to stand still. `news` receives the log at intervals
    /// and at the end, and may stop the run. Meanwhile another thread runs `beside`, which gets the judge of the case.
    ///
    /// # Errors
    ///
    /// A violation of PORT-OP if this unit cannot be asked to run the case ([`Case::check`]).
    pub fn trace<T: Send>(
        &mut self,
        case: &Case,
        cycles: Range<u64>,
        sink: impl FnMut(Piece<'_>) + 'static,
        news: impl FnMut(&Log) -> ControlFlow<()>,
        beside: impl FnOnce(Referee<'_>) -> T + Send,
    ) -> Result<T, Box<Mismatch>> {
        self.prepare(case)?;
        let phase = phase(case, self.promises.latency.hang);
        let (referee, player, played) = self.referee(case);
        Ok(thread::scope(|scope| {
            let beside = scope.spawn(move || beside(referee));
            player.trace(cycles, sink);
            player.play(&phase, played, news);
            player.close_trace();
            beside.join().unwrap_or_else(|panic| panic::resume_unwind(panic))
        }))
    }

    /// The judge of a case, the player that plays it meanwhile, and the log that it writes.
    fn referee<'a>(&'a mut self, case: &'a Case) -> (Referee<'a>, &'a mut Player, &'a mut Log) {
        let Bench { player, judge, prepared, played, promises, .. } = self;
        let (shape, promises) = (player.shape(), *promises);
        let contracts =
            [Contract::new(shape, prologue::control(&shape)), case.contract()].map(|of| Contract { promises, ..of });
        (Referee { judge, prepared, contracts, case }, player, played)
    }

    /// Runs a case and records the unit's inputs.
    ///
    /// # Errors
    ///
    /// The first divergence.
    pub fn run_taped(&mut self, case: &Case) -> Result<(Figures, Tape), Box<Mismatch>> {
        self.player.record();
        let result = self.run(case);
        let tape = self.player.recorded();
        result.map(|figures| (figures, tape))
    }
}

impl Referee<'_> {
    /// Judges the prologue, and then begins the judgement of the case proper; `memory` returns the initial contents of
    /// memory.
    ///
    /// # Errors
    ///
    /// The first divergence.
    pub fn hear<'a>(&'a mut self, memory: &'a dyn Fn() -> Memory) -> Result<Hearing<'a>, Box<Mismatch>> {
        let Referee { judge, prepared, contracts: [before, contract], case } = self;
        let trial = Trial { contract: before, memory, counts: false, histories: false };
        judge.judge(&trial, prepared, None)?;
        judge.coverage_mut().reset(case.dirty_cycles > 0, &case.issues);
        // Histories are costly and, where a unit may not choose the order of lanes, add little to what its pairs tell:
        // so only one case in four has them. The case of a program has seed 0, and has them.
        let histories = contract.promises.any_lane_order() || case.memory_seed.is_multiple_of(4);
        Ok(judge.hear(&Trial { contract, memory, counts: true, histories }, Some(&case.issues), Unseen::default()))
    }
}

/// The `news` of a run that is never stopped.
pub(super) fn to_the_end(_: &Log) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

fn phase(case: &Case, patience: u64) -> Phase<'_> {
    let Case { issues, schedule, serial, flushes, .. } = case;
    Phase { case, issues, schedule, serial: *serial, flushes, foreign: true, patience, cycles: None }
}
