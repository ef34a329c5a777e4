// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is done about a mismatch: it is said at once; then it is made small, and written down. Nothing that goes wrong on
//! the way takes the verdict back.

use std::{
    fs,
    io::{self, Write},
    panic::{self, AssertUnwindSafe},
    path::{Path, PathBuf},
    sync::atomic::{AtomicBool, Ordering},
};

use crate::{
    cli::{
        Error,
        look::Look,
        manners, named, note,
        report::{self, count},
        say, tell,
        unit::Unit,
    },
    cosim::{
        campaign::{Campaign, Failure},
        capsule::Capsule,
        shrink,
        waves::{self, Window},
    },
    judge::Mismatch,
    output::Output,
    regress::{Group, Place},
};

/// Where a capsule goes if nobody says.
pub const CAPSULE: &str = "gpu-lsu.capsule";

/// A mismatch, as small as it got.
pub struct Found<'a> {
    pub unit: &'a Unit,
    /// What it stands for, before it was made small.
    pub group: Group,
    pub capsule: Capsule,
    /// Whether everything that makes it smaller was tried.
    shrunk: bool,
    /// Where they were written; until then, or if they could not be, why not.
    pub kept: Result<PathBuf, String>,
    pub wave: Result<PathBuf, String>,
}

impl<'a> Found<'a> {
    /// Says it, then makes it small, until `stop` is set.
    pub fn new(campaign: &Campaign, unit: &'a Unit, first: &Failure, stop: &AtomicBool) -> Self {
        Self::tell_line(first);
        // A panic has said what it has to say on standard error; what was found before it is not lost.
        let witness = panic::catch_unwind(AssertUnwindSafe(|| {
            campaign.best_witness(&|| unit.bench(), first.clone(), stop).unwrap_or_else(|_| first.clone())
        }));
        let witness = witness.unwrap_or_else(|_| first.clone());
        let group = Group::new(witness.mismatch.clone(), Place { seed: witness.seed, block: witness.block });
        Self::small(campaign, unit, group, witness, stop)
    }

    /// Makes the first of several failures of one cause small, until `stop` is set.
    pub fn small(campaign: &Campaign, unit: &'a Unit, mut group: Group, first: Failure, stop: &AtomicBool) -> Self {
        let Failure { seed, block, case, mismatch } = first;
        let small = panic::catch_unwind(AssertUnwindSafe(|| {
            let mut bench = unit.bench().ok()?;
            bench.promise(campaign.promises);
            // What a faulty unit shows may hang on what the same one played before, as its scratchpad outlives a reset: kept
            // is what it shows by itself, the same in any shard.
            let same = |alone: &Mismatch| (alone.clause, &alone.field) == (mismatch.clause, &mismatch.field);
            let alone = bench.run(&case).err().map(|alone| *alone).filter(same).unwrap_or_else(|| mismatch.clone());
            Some((alone.clone(), shrink::shrink(&mut bench, case.clone(), alone, stop)))
        }));
        let small = small.ok().flatten();
        let shrunk = small.is_some() && !stop.load(Ordering::Relaxed);
        let (alone, (case, mismatch)) = small.unwrap_or_else(|| (mismatch.clone(), (case, mismatch)));
        group.mismatch = alone;
        let (rtl, promises) = (Some(unit.rtl.clone()), campaign.promises);
        let capsule = Capsule { seed, block, case, mismatch, rtl, promises };
        let nothing = || Err("nothing was written yet".to_owned());
        Found { unit, group, capsule, shrunk, kept: nothing(), wave: nothing() }
    }

    /// Says it, in a line.
    pub fn tell_line(failure: &Failure) {
        let place = format!(", block {}, seed {:#x}", failure.block, failure.seed);
        tell(&report::line("RTL", &failure.mismatch, &place));
    }

    pub fn paragraph(&self) -> String {
        report::paragraph("RTL", &self.capsule.case.issues, &self.capsule.mismatch, &[("rtl", self.unit.name())])
    }

    /// The lines of RTL to look at first.
    pub fn look(&self) -> Look {
        let Capsule { case, mismatch, .. } = &self.capsule;
        Look::new(self.unit, &case.ctrl, &case.issues, mismatch)
    }

    /// Writes capsule and wave, if that has no place of its own beside each other and over no file that is there, and says
    /// where or why not. A place that nobody named is no condition.
    pub fn keep(&mut self, named: Option<&Path>, wave: Option<&Path>) {
        let wanted = named.unwrap_or(Path::new(CAPSULE));
        let written = self.write_capsule(wanted).map_err(|error| {
            let text = error.to_string();
            match named {
                Some(_) => say(&Error::Output { name: format!("`{}`", wanted.display()), error }),
                None => {
                    tell(&format!("warning: no capsule was written: cannot write `{CAPSULE}`: {text}\n"));
                    note("\nhint: `--capsule FILE` names a place for it\n");
                }
            }
            text
        });
        // Beside a capsule that is a pipe or a device, nobody looks for a wave.
        let number = written.as_ref().copied().unwrap_or(1);
        self.kept = written.map(|number| numbered(wanted, number));
        let beside = self.kept.as_deref().unwrap_or(wanted);
        if let Some(path) = wave {
            self.wave = self.write_wave(path).map(|()| path.to_owned());
        } else if named.is_none() && self.kept.is_err() {
            self.wave = Err("there is no capsule beside which it could stand".to_owned());
        } else if fs::metadata(beside).is_ok_and(|found| !found.is_file()) {
            self.wave = Err(format!("`{}` is no ordinary file, beside which a wave could stand", beside.display()));
        } else {
            let path = wave_of(wanted, number);
            self.wave = self.write_wave(&path).map(|()| path);
        }
        self.tell();
    }

    /// Takes the first number of which there is neither capsule nor wave, and returns it.
    fn write_capsule(&self, wanted: &Path) -> io::Result<u64> {
        for number in 1.. {
            let path = numbered(wanted, number);
            if path.is_file() || wave_of(wanted, number).exists() {
                continue;
            }
            let mut file = Output::create(&path)?;
            file.write_all(self.capsule.to_text().as_bytes())?;
            match file.finish_new() {
                // Somebody else took the number just now.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                result => return result.map(|()| number),
            }
        }
        Err(io::ErrorKind::AlreadyExists.into())
    }

    /// Writes the wave of the case.
    ///
    /// # Errors
    ///
    /// When that is not possible.
    pub fn wave_into(&self, path: &Path) -> Result<(), Error> {
        // The front end's own errors run clean: what is in the wave is then what the unit does.
        let mut bench = self.unit.bench()?;
        bench.promise(self.capsule.promises);
        waves::run(&mut bench, &self.capsule.case, Window::default(), path).map(drop).map_err(Error::from)
    }

    fn write_wave(&self, path: &Path) -> Result<(), String> {
        let written = panic::catch_unwind(AssertUnwindSafe(|| self.wave_into(path)));
        match written {
            Ok(Ok(())) => Ok(()),
            Ok(Err(error)) => {
                let text = error.to_string();
                say(&error);
                Err(text)
            }
            Err(_) => Err("the run for the wave ended in a panic".to_owned()),
        }
    }

    fn tell(&self) {
        let operations = count(self.capsule.case.issues.len() as u64, "operation");
        let how = if self.shrunk { "shrunk to" } else { "not shrunk to the end:" };
        let (capsule, wave) = (self.kept.as_ref(), self.wave.as_ref());
        let mut text = format!("\n{how} {operations}");
        text += &capsule.map_or(String::new(), |path| format!(": `{}`", path.display()));
        text += &wave.map_or(String::new(), |path| format!(", wave `{}`", path.display()));
        if let (Ok(path), false) = (capsule, manners::quiet()) {
            let wave = wave.ok().cloned().unwrap_or_else(|| path.with_extension("vcd"));
            let fault = self.unit.fault().map_or(String::new(), |fault| format!(" --fault {fault}"));
            let (capsule, wave) = (named(path), named(&wave));
            text += &format!("\n\nhint: replay it with `gpu-lsu replay {capsule} --wave {wave}{fault}`");
        }
        tell(&(text + "\n"));
    }
}

/// The wave beside a capsule of that number: `a.vcd`, `a.2.vcd`, whatever the capsule's extension, if it has one.
fn wave_of(wanted: &Path, number: u64) -> PathBuf {
    numbered(&wanted.with_extension("vcd"), number)
}

/// `a.capsule`, `a.2.capsule`, `a.3.capsule`. What is no ordinary file has no second.
fn numbered(path: &Path, number: u64) -> PathBuf {
    if number == 1 {
        return path.to_owned();
    }
    let mut name = path.file_stem().unwrap_or_default().to_owned();
    name.push(format!(".{number}"));
    if let Some(extension) = path.extension() {
        name.push(".");
        name.push(extension);
    }
    path.with_file_name(name)
}
