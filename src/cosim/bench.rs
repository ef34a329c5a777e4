// SPDX-License-Identifier: MIT OR Apache-2.0
//! A unit on the bench: a player that plays a case, and the judge of what it wrote down.
//!
//! A case is reset, what prepares the scratchpad, and the operations proper; each of the latter two has a log of its own.

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
    dut::{Dut, DutError, Piece},
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
    /// What prepared the last case, and the last case: their room is used again.
    prepared: Log,
    played: Log,
    /// What was read back after it, if anything was.
    read_back: Log,
    promises: Promises,
}

/// Who judges a case that is played.
pub struct Referee<'a> {
    judge: &'a mut Judge,
    prepared: &'a Log,
    /// Before the case proper, and in it.
    contracts: [Contract; 2],
    case: &'a Case,
}

impl Bench {
    /// A bench around the first unit of this build with this many lanes.
    ///
    /// # Errors
    ///
    /// When this build does not hold that unit, or its ports have other widths.
    pub fn new(lanes: usize) -> Result<Self, DutError> {
        Self::around(Dut::new(lanes)?)
    }

    /// A bench around the unit with these parameters.
    ///
    /// # Errors
    ///
    /// When this build does not hold that unit, or its ports have other widths.
    pub fn of(shape: &Shape) -> Result<Self, DutError> {
        Self::around(Dut::of(shape)?)
    }

    /// A bench around the copy with planted faults, with fault number `fault`.
    #[cfg(feature = "planted-faults")]
    pub fn planted(fault: u16) -> Result<Self, DutError> {
        let dut = Dut::planted()?;
        dut.pin("fault_i", 16)?.set_value(fault.into());
        Self::around(dut)
    }

    /// A bench around the unit with these parameters that counts how often lines of the RTL run.
    ///
    /// # Errors
    ///
    /// When this build does not hold it, or its ports have other widths.
    pub fn counted(shape: &Shape) -> Result<Self, DutError> {
        Self::around(Dut::counted(shape)?)
    }

    fn around(dut: Dut) -> Result<Self, DutError> {
        let player = Player::around(dut)?;
        let judge = Judge::new(&player.shape());
        Ok(Bench {
            player,
            judge,
            prepared: Log::default(),
            played: Log::default(),
            read_back: Log::default(),
            promises: Promises::OURS,
        })
    }

    /// The parameters of the unit.
    pub fn shape(&self) -> Shape {
        self.player.shape()
    }

    /// What the unit promises; without this, what this project's does.
    pub fn promise(&mut self, promises: Promises) {
        self.promises = promises;
    }

    /// What was covered since the bench was made.
    pub fn coverage(&self) -> &Coverage {
        self.judge.coverage()
    }

    /// What crossed the ports in the last case proper.
    pub fn log(&self) -> &Log {
        &self.played
    }

    /// Writes down the whole last run of a case, from reset to its end, so that anybody can judge it.
    ///
    /// # Errors
    ///
    /// What the system says.
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

    /// How often lines of the RTL ran since the bench was made; none of a unit that does not count them.
    ///
    /// # Errors
    ///
    /// When there is no place for Verilator to write it down.
    pub fn lines(&mut self) -> io::Result<Lines> {
        let file = tempfile::NamedTempFile::new()?;
        self.player.write_lines(&file.path().to_string_lossy());
        let text = String::from_utf8_lossy(&std::fs::read(file.path())?).into_owned();
        Ok(Lines::of_points(&text, &crate::rtl::built().path))
    }

    pub(super) fn coverage_mut(&mut self) -> &mut Coverage {
        self.judge.coverage_mut()
    }

    /// Runs a case from reset to its last answer.
    ///
    /// # Errors
    ///
    /// The first divergence; of a case that this unit cannot be asked to run ([`Case::check`]), that it breaks PORT-OP.
    pub fn run(&mut self, case: &Case) -> Result<Figures, Box<Mismatch>> {
        self.play(case)?;
        self.judge(case)
    }

    /// After a case that agreed: resets the unit, which keeps what its scratchpad holds ([`Bench::read_back`]).
    pub fn reset(&mut self) {
        self.player.reset(&mut self.read_back);
    }

    /// After a case that agreed: has the unit load what is allocated of its scratchpad, and judges what it gives.
    ///
    /// # Errors
    ///
    /// The first divergence, and the loads that it counts among.
    pub fn read_back(&mut self, case: &Case) -> Result<Figures, (Box<Mismatch>, Vec<Issue>)> {
        let epilogue = epilogue::case(case, &self.shape());
        self.player.control(&epilogue.ctrl);
        let phase = Phase { foreign: false, ..phase(&epilogue, self.promises.latency.hang) };
        self.player.play(&phase, &mut self.read_back, to_the_end);
        let contract = Contract { promises: self.promises, ..epilogue.contract() };
        // Memory is not asked.
        let memory = || epilogue.start();
        let trial = Trial { contract: &contract, memory: &memory, counts: false, histories: false };
        self.judge.judge(&trial, &self.read_back, None).map_err(|mismatch| (mismatch, epilogue.issues))
    }

    /// Plays a case from reset to its last answer, and writes down what crosses the ports.
    ///
    /// # Errors
    ///
    /// Of a case that this unit cannot be asked to run ([`Case::check`]), that it breaks PORT-OP.
    pub fn play(&mut self, case: &Case) -> Result<(), Box<Mismatch>> {
        self.prepare(case)?;
        let phase = phase(case, self.promises.latency.hang);
        self.player.play(&phase, &mut self.played, to_the_end);
        Ok(())
    }

    /// Reset, and what comes before a case proper.
    fn prepare(&mut self, case: &Case) -> Result<(), Box<Mismatch>> {
        if let Err(error) = case.check(&self.shape()) {
            let m = Mismatch::new(Clause::PortOp, None, Field::event(Site::Op, "(environment)"));
            return Err(Box::new(m.values("a case for this unit", error.to_string())));
        }
        let Bench { player, prepared, played, read_back, .. } = self;
        [&mut *prepared, played, read_back].into_iter().for_each(Log::clear);
        player.restart(case);
        player.control(&case.ctrl);
        player.reset(prepared);
        let patience = self.promises.latency.hang;
        if case.dirty_cycles > 0 {
            let cycles = Some(case.dirty_cycles.into());
            player.dirty(&Phase { foreign: false, cycles, ..phase(case, patience) }, prepared);
            player.reset(prepared);
        }
        let prologue = prologue::case(case, &player.shape());
        player.control(&prologue.ctrl);
        let phase = Phase { foreign: false, ..phase(&prologue, patience) };
        player.play(&phase, prepared, to_the_end);
        // Nothing is in flight: the control registers may change.
        player.control(&case.ctrl);
        Ok(())
    }

    /// Judges what was written down of the case that was played last.
    ///
    /// # Errors
    ///
    /// The first divergence.
    pub fn judge(&mut self, case: &Case) -> Result<Figures, Box<Mismatch>> {
        self.judged(case, None)
    }

    /// The same, while somebody looks on.
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

    /// What a log of the last case begins with.
    pub fn header(&self, case: &Case, rtl: Option<Sources>, about: String) -> lines::Header {
        let memory = Some(lines::Memory { seed: case.memory_seed, bytes: case.memory.clone() });
        lines::Header { rtl, about, contract: self.promises, memory, ..lines::Header::new(self.shape()) }
    }

    /// Plays a case and traces these cycles of it: `sink` takes, piece by piece, what the signals settle to, at each cycle's
    /// beginning, and the clock as if it stood still; `news` sees what is written down, now and then and at the end, and
    /// may stop it. Meanwhile another thread does what is to be done `beside`, with who judges the case.
    ///
    /// # Errors
    ///
    /// Of a case that this unit cannot be asked to run ([`Case::check`]), that it breaks PORT-OP.
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

    /// Who judges a case, what plays meanwhile, and what it writes down.
    fn referee<'a>(&'a mut self, case: &'a Case) -> (Referee<'a>, &'a mut Player, &'a mut Log) {
        let Bench { player, judge, prepared, played, promises, .. } = self;
        let (shape, promises) = (player.shape(), *promises);
        let contracts =
            [Contract::new(shape, prologue::control(&shape)), case.contract()].map(|of| Contract { promises, ..of });
        (Referee { judge, prepared, contracts, case }, player, played)
    }

    /// Runs a case and records what it does to the unit's inputs.
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
    /// Judges what came before the case proper, and begins with that; `memory` is as it starts.
    ///
    /// # Errors
    ///
    /// The first divergence.
    pub fn hear<'a>(&'a mut self, memory: &'a dyn Fn() -> Memory) -> Result<Hearing<'a>, Box<Mismatch>> {
        let Referee { judge, prepared, contracts: [before, contract], case } = self;
        let trial = Trial { contract: before, memory, counts: false, histories: false };
        judge.judge(&trial, prepared, None)?;
        judge.coverage_mut().reset(case.dirty_cycles > 0, &case.issues);
        // They cost much, and where a unit may not choose they say little that its pairs do not: of one case in four. A
        // program has seed 0.
        let histories = contract.promises.any_lane_order() || case.memory_seed.is_multiple_of(4);
        Ok(judge.hear(&Trial { contract, memory, counts: true, histories }, &case.issues, Unseen::default()))
    }
}

/// Nobody stops what is played.
pub(super) fn to_the_end(_: &Log) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

fn phase(case: &Case, patience: u64) -> Phase<'_> {
    let Case { issues, schedule, serial, flushes, .. } = case;
    Phase { case, issues, schedule, serial: *serial, flushes, foreign: true, patience, cycles: None }
}
