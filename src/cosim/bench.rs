// SPDX-License-Identifier: MIT OR Apache-2.0
//! A unit on the bench: a player that plays a case, and the judge of what it wrote down.
//!
//! A case is reset, what prepares the scratchpad, and the operations proper; each of the latter two has a log of its own.

use std::{
    io::{self, Write},
    ops::Range,
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
        Contract, Field, Figures, Judge, Mismatch, Promises, Site, Trial, Watch,
        coverage::Coverage,
        log::{Log, lines},
    },
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
    /// Of a case that is played again, what stands in the first two already.
    again: [Log; 2],
    promises: Promises,
}

/// Who judges what was written down of a case.
pub struct Referee<'a> {
    judge: &'a mut Judge,
    shape: Shape,
    promises: Promises,
    prepared: &'a Log,
    played: &'a Log,
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
            again: Default::default(),
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
        writer.log(&self.played, false)?;
        if !self.read_back.entries().is_empty() {
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

    /// After a case that agreed: has the unit load what is allocated of its scratchpad, and judges what it gives.
    ///
    /// # Errors
    ///
    /// The first divergence, and the loads that it counts among.
    pub fn read_back(&mut self, case: &Case) -> Result<Figures, (Box<Mismatch>, Vec<Issue>)> {
        let epilogue = epilogue::case(case, &self.shape());
        self.player.control(&epilogue.ctrl);
        let phase = Phase { foreign: false, ..phase(&epilogue, self.promises.latency.hang) };
        self.player.play(&phase, &mut self.read_back);
        let contract = Contract { promises: self.promises, ..epilogue.contract() };
        // Memory is not asked.
        let memory = || epilogue.start();
        let trial =
            Trial { contract: &contract, log: &self.read_back, memory: &memory, counts: false, histories: false };
        self.judge.judge(&trial, None).map_err(|mismatch| (mismatch, epilogue.issues))
    }

    /// Plays a case from reset to its last answer, and writes down what crosses the ports.
    ///
    /// # Errors
    ///
    /// Of a case that this unit cannot be asked to run ([`Case::check`]), that it breaks PORT-OP.
    pub fn play(&mut self, case: &Case) -> Result<(), Box<Mismatch>> {
        if let Err(error) = case.check(&self.shape()) {
            let m = Mismatch::new(Clause::PortOp, None, Field::event(Site::Op, "(environment)"));
            return Err(Box::new(m.values("a case for this unit", error.to_string())));
        }
        self.read_back.clear();
        let logs = [&mut self.prepared, &mut self.played];
        play_whole(&mut self.player, case, self.promises.latency.hang, logs, |_| {});
        Ok(())
    }

    /// Judges what was written down of the case that was played last.
    ///
    /// # Errors
    ///
    /// The first divergence.
    pub fn judge(&mut self, case: &Case) -> Result<Figures, Box<Mismatch>> {
        self.referee().0.judge(case, None)
    }

    /// The same, while somebody looks on.
    ///
    /// # Errors
    ///
    /// The first divergence.
    pub fn judge_watched(&mut self, case: &Case, watch: &mut dyn Watch) -> Result<Figures, Box<Mismatch>> {
        self.referee().0.judge(case, Some(watch))
    }

    /// What a log of the last case begins with.
    pub fn header(&self, case: &Case, rtl: Option<Sources>, about: String) -> lines::Header {
        let memory = Some(lines::Memory { seed: case.memory_seed, bytes: case.memory.clone() });
        lines::Header { rtl, about, contract: self.promises, memory, ..lines::Header::new(self.shape()) }
    }

    /// Plays the case again that was played last, and traces these cycles of it: `sink` takes, piece by piece, what the
    /// signals settle to, at each cycle's beginning, and the clock as if it stood still. Meanwhile another thread does what
    /// is to be done `beside`, with who judges what was written down; `cycles` may wait for what that one finds.
    pub fn trace<T: Send>(
        &mut self,
        case: &Case,
        cycles: impl FnOnce() -> Range<u64>,
        sink: impl FnMut(Piece<'_>) + 'static,
        beside: impl FnOnce(&mut Referee<'_>) -> T + Send,
    ) -> T {
        let patience = self.promises.latency.hang;
        let (mut referee, player, again) = self.referee();
        thread::scope(|scope| {
            let beside = scope.spawn(move || beside(&mut referee));
            let cycles = cycles();
            play_whole(player, case, patience, again.each_mut(), |player| player.trace(cycles, sink));
            player.close_trace();
            beside.join().unwrap_or_else(|panic| panic::resume_unwind(panic))
        })
    }

    /// Who judges, and what plays meanwhile.
    fn referee(&mut self) -> (Referee<'_>, &mut Player, &mut [Log; 2]) {
        let Bench { player, judge, prepared, played, again, promises, .. } = self;
        (Referee { judge, shape: player.shape(), promises: *promises, prepared, played }, player, again)
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
    /// What the judge says of the case that was played last, while somebody looks on.
    ///
    /// # Errors
    ///
    /// The first divergence.
    pub fn judge(&mut self, case: &Case, watch: Option<&mut dyn Watch>) -> Result<Figures, Box<Mismatch>> {
        let Referee { judge, shape, promises, prepared, played } = self;
        let (shape, promises) = (*shape, *promises);
        let memory = || case.start();
        let contract = Contract { promises, ..Contract::new(shape, prologue::control(&shape)) };
        let trial = Trial { contract: &contract, log: prepared, memory: &memory, counts: false, histories: false };
        judge.judge(&trial, None)?;
        let contract = Contract { promises, ..case.contract() };
        judge.coverage_mut().reset(case.dirty_cycles > 0, &case.issues);
        // They cost much, and where a unit may not choose they say little that its pairs do not: of one case in four. A
        // program has seed 0.
        let histories = promises.any_lane_order() || case.memory_seed.is_multiple_of(4);
        let trial = Trial { contract: &contract, log: played, memory: &memory, counts: true, histories };
        judge.judge(&trial, watch)
    }
}

/// Reset, what prepares the case, and the case; `before` that last.
fn play_whole(
    player: &mut Player,
    case: &Case,
    patience: u64,
    [prepared, played]: [&mut Log; 2],
    before: impl FnOnce(&mut Player),
) {
    prepared.clear();
    played.clear();
    player.restart(case);
    player.control(&case.ctrl);
    player.reset(prepared);
    if case.dirty_cycles > 0 {
        player.dirty(case, prepared);
        player.reset(prepared);
    }
    let prologue = prologue::case(case, &player.shape());
    player.control(&prologue.ctrl);
    player.play(&Phase { foreign: false, ..phase(&prologue, patience) }, prepared);
    // Nothing is in flight: the control registers may change.
    player.control(&case.ctrl);
    before(player);
    player.play(&phase(case, patience), played);
}

fn phase(case: &Case, patience: u64) -> Phase<'_> {
    let Case { issues, schedule, serial, flushes, .. } = case;
    Phase { case, issues, schedule, serial: *serial, flushes, foreign: true, patience }
}
