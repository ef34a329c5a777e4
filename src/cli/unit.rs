// SPDX-License-Identifier: MIT OR Apache-2.0
//! The unit that a command drives: which RTL it is, and how a case is played on it.

use std::{collections::BTreeMap, env};

use serde::Serialize;

use super::{Error, note, units, wave_file};
use crate::{
    cosim::{Bench, Case, Figures, Mismatch, waves},
    dut::{self, DutError},
    explain::words::wrap,
    judge::Promises,
    op::Shape,
    output::Output,
    regress::unit_name,
    rtl::{self, Sources, Standing},
    wave::WaveError,
};

/// Which copy of the unit is driven.
#[derive(Clone, Copy, Debug, Default, clap::Args)]
#[group(skip)]
pub struct Args {
    /// Drive the 4-lane copy of the unit with planted faults, with fault N of tests/harness/faults.txt; 0 is none
    #[cfg(feature = "planted-faults")]
    #[arg(long, value_name = "N", value_parser = planted, allow_negative_numbers = true)]
    fault: Option<u16>,
}

/// The number of a fault that is planted: without one the unit would agree.
#[cfg(feature = "planted-faults")]
fn planted(text: &str) -> Result<u16, String> {
    let number: Option<u16> = text.parse().ok();
    let is_planted = |number: &u16| env!("GPU_LSU_PLANTED").split(' ').any(|planted| planted.parse() == Ok(*number));
    let refused = || "no planted fault has this number: tests/harness/faults.txt lists them".to_owned();
    number.filter(|number| *number == 0 || is_planted(number)).ok_or_else(refused)
}

impl Args {
    #[cfg(feature = "planted-faults")]
    fn fault(self) -> Option<u16> {
        self.fault
    }

    #[cfg(not(feature = "planted-faults"))]
    fn fault(self) -> Option<u16> {
        None
    }

    /// Whether one is named.
    pub fn is_given(self) -> bool {
        self.fault().is_some()
    }
}

/// A unit that is in this build, and is the one that was asked for.
#[derive(Clone, Debug)]
pub struct Unit {
    pub shape: Shape,
    pub rtl: Sources,
    fault: Option<u16>,
    /// Whether it counts how often lines of its RTL run.
    counted: bool,
}

/// The unit for machines.
#[derive(Serialize)]
pub struct Json<'a> {
    path: &'a str,
    hash: &'a str,
    parameters: BTreeMap<&'static str, usize>,
}

impl Unit {
    /// The one with this many lanes; without a number the one that the RTL's own parameters make.
    ///
    /// # Errors
    ///
    /// When it is not in this build, or GPU_LSU_RTL names another.
    pub fn find(args: Args, lanes: Option<usize>) -> Result<Self, Error> {
        let shape = match (args.fault(), lanes) {
            #[cfg(feature = "planted-faults")]
            (Some(fault), _) => Bench::planted(fault)?.shape(),
            (_, Some(lanes)) => dut::with_lanes(lanes)?,
            (_, None) => dut::built().first().copied().unwrap_or_default(),
        };
        if lanes.is_some_and(|lanes| lanes != shape.lanes) {
            let what = format!("the copy with planted faults has {0} lanes: `--lanes {0}`", shape.lanes);
            return Err(Error::Usage(what));
        }
        Self::of(args, shape)
    }

    /// The one with these parameters.
    ///
    /// # Errors
    ///
    /// When it is not in this build, or GPU_LSU_RTL names another.
    pub fn of(args: Args, shape: Shape) -> Result<Self, Error> {
        let rtl = rtl::built();
        if rtl.check(env::var_os("GPU_LSU_RTL").as_deref())? == Standing::Changed {
            let text =
                format!("note: the sources have changed since this program was built from {rtl}, which it still holds");
            note(&wrap(&text, 2));
        }
        check_parameters(&units::variable("GPU_LSU_PARAMETERS")?.unwrap_or_default())?;
        let unit = Unit { shape, rtl, fault: args.fault(), counted: false };
        match unit.bench()?.shape() {
            found if found == shape => Ok(unit),
            _ => Err(DutError::NotThis(shape).into()),
        }
    }

    /// The same unit, counting how often lines of its RTL run.
    ///
    /// # Errors
    ///
    /// When it is not in this build.
    pub fn counting(self) -> Result<Self, Error> {
        if cfg!(not(feature = "line-coverage")) {
            let command = "`cargo run --release --features line-coverage -- verify --line-coverage lines.info`";
            return Err(Error::Usage(format!("this build counts no lines of the RTL; this one does: {command}")));
        }
        if self.fault.is_some() {
            return Err(Error::Usage("the copy with planted faults counts no lines".to_owned()));
        }
        let unit = Unit { counted: true, ..self };
        unit.bench()?;
        Ok(unit)
    }

    /// A bench around it.
    ///
    /// # Errors
    ///
    /// When its ports are not the bench's.
    pub fn bench(&self) -> Result<Bench, DutError> {
        match self.fault {
            #[cfg(feature = "planted-faults")]
            Some(fault) => Bench::planted(fault),
            None if self.counted => Bench::counted(&self.shape),
            _ => Bench::of(&self.shape),
        }
    }

    /// The planted fault, if it is the copy that has some.
    pub fn fault(&self) -> Option<u16> {
        self.fault
    }

    /// The planted fault as an option, after a blank; nothing, if there is none.
    pub fn option(&self) -> String {
        self.fault.map_or(String::new(), |fault| format!(" --fault {fault}"))
    }

    /// Path, hash and parameters, for people.
    pub fn name(&self) -> String {
        format!("{}, {}", self.rtl, unit_name(&self.shape, self.fault))
    }

    /// The same for machines.
    pub fn json(&self) -> Json<'_> {
        let fault = self.fault.map(|fault| ("planted_fault", fault.into()));
        let parameters = self.shape.parameters().into_iter().chain(fault).collect();
        Json { path: &self.rtl.path, hash: &self.rtl.hash, parameters }
    }

    /// Plays a case, with a wave if a path is given for one.
    ///
    /// # Errors
    ///
    /// When nothing could be played, or the wave has no place to go: told before anything runs.
    pub fn play(&self, case: &Case, promises: Promises, wave: &wave_file::Args) -> Result<Played, Error> {
        let bench = || -> Result<Bench, DutError> {
            let mut bench = self.bench()?;
            bench.promise(promises);
            Ok(bench)
        };
        let window = wave.window()?;
        let Some(path) = wave.path() else {
            let mut played = bench()?;
            return Ok(Played { result: played.run(case), wave: None, bench: played });
        };
        wave_file::check(path)?;
        Output::room(path).map_err(|error| {
            let path = path.to_owned();
            WaveError::Write { path, error }
        })?;
        let mut played = bench()?;
        let (result, wave) = match waves::run(&mut played, case, window, path) {
            Ok(result) => (result, Ok(())),
            // The verdict stands without a wave.
            Err(error) => {
                played = bench()?;
                (played.run(case), Err(error))
            }
        };
        Ok(Played { result, wave: Some(wave), bench: played })
    }
}

/// GPU_LSU_PARAMETERS counts while the program is built; whoever sets it now wants the unit that it made.
fn check_parameters(asked: &str) -> Result<(), Error> {
    let built = dut::built().first().copied().unwrap_or_default();
    for set in asked.split(|c: char| c == ',' || c.is_whitespace()).filter(|set| !set.is_empty()) {
        let same = |(name, value): &(&str, usize)| set == format!("{name}={value}");
        if !built.parameters().iter().any(same) {
            return Err(Error::Usage(format!(
                "GPU_LSU_PARAMETERS asks for {set}, and this program was built with {built}: build it again, or unset it"
            )));
        }
    }
    Ok(())
}

/// What a case showed, and what became of its wave.
pub struct Played {
    pub result: Result<Figures, Box<Mismatch>>,
    wave: Option<Result<(), WaveError>>,
    /// That has just played it.
    pub bench: Bench,
}

impl Played {
    /// What was not judged, in sentences, of a unit that promises this.
    pub fn not_judged(&self, promises: Promises) -> Vec<String> {
        let unjudged = self.result.as_ref().map(|figures| figures.unjudged).unwrap_or_default();
        promises.unjudged().into_iter().chain(unjudged.torn()).collect()
    }

    /// 1 for a mismatch, whatever became of the wave; 2 for a wave that was asked for and could not be written.
    pub fn code(&self) -> u8 {
        match (&self.result, &self.wave) {
            (Err(_), _) => 1,
            (Ok(_), Some(Err(_))) => 2,
            (Ok(_), _) => 0,
        }
    }

    /// Says what became of the wave.
    pub fn tell_wave(self, wave: &wave_file::Args) {
        match (self.wave, wave.path()) {
            (Some(Err(error)), _) => super::say(&error.into()),
            (Some(Ok(())), Some(path)) => {
                wave_file::written(path);
                let cycles = match &self.result {
                    Ok(figures) => figures.cycles,
                    Err(mismatch) => mismatch.cycle + 1,
                };
                wave.tell_beyond(cycles);
            }
            _ => {}
        }
    }
}
