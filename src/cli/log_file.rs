// SPDX-License-Identifier: MIT OR Apache-2.0
//! `--log FILE`: what crossed the ports, for `gpu-lsu judge`. A log that cannot be written takes no verdict back.

use std::{
    io::{self, Write},
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard},
};

use super::{Error, clash, note, say, unit::Unit};
use crate::{
    cosim::{Bench, Case, campaign::Logs},
    output::Output,
};

/// A log that appears at its path when it is whole.
pub struct LogFile {
    path: PathBuf,
    unit: Unit,
    about: String,
    /// After the first error nothing more is written.
    file: Mutex<io::Result<Output>>,
}

impl LogFile {
    /// # Errors
    ///
    /// When it has no place to go: told before anything runs.
    pub fn create(path: &Path, unit: &Unit, about: String) -> Result<Self, Error> {
        clash::not_standard("a log", "--log", path)?;
        let failed = |error| Error::Output { name: format!("`{}`", path.display()), error };
        let file = Mutex::new(Ok(Output::create(path).map_err(failed)?));
        Ok(LogFile { path: path.to_owned(), unit: unit.clone(), about, file })
    }

    /// The log of one case, which the bench has just played.
    pub fn only(self, bench: &Bench, case: &Case) -> bool {
        self.write(&self.record(bench, case));
        self.finish()
    }

    /// The log is whole: says where it is, or why it is not. Whether it could be written.
    pub fn finish(self) -> bool {
        let file = self.file.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
        match file.and_then(Output::finish) {
            Ok(()) => note(&format!("log written to {}\n", self.path.display())),
            Err(error) => {
                say(&Error::Output { name: format!("`{}`", self.path.display()), error });
                return false;
            }
        }
        true
    }

    fn file(&self) -> MutexGuard<'_, io::Result<Output>> {
        self.file.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

impl Logs for LogFile {
    fn record(&self, bench: &Bench, case: &Case) -> Vec<u8> {
        let mut bytes = Vec::new();
        let written = bench.write_log(case, Some(self.unit.rtl.clone()), self.about.clone(), &mut bytes);
        debug_assert!(written.is_ok(), "memory takes everything");
        bytes
    }

    fn write(&self, log: &[u8]) {
        let mut file = self.file();
        let error = file.as_mut().ok().and_then(|file| file.write_all(log).err());
        if let Some(error) = error {
            *file = Err(error);
        }
    }
}

/// The exit code of a verdict, beside a log that could be written, or not.
pub fn code(verdict: u8, kept: bool) -> u8 {
    if verdict == 0 && !kept { 2 } else { verdict }
}
