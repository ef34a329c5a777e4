// SPDX-License-Identifier: MIT OR Apache-2.0
//! The wave that a run leaves: where, and which cycles of it.

use std::path::{Path, PathBuf};

use super::{
    Error,
    clash::{self, Written},
    named, note, units,
};
use crate::{cosim::waves::Window, explain::words::count, wave};

/// Where a run's wave goes.
#[derive(Clone, Debug, Default, clap::Args)]
#[group(skip)]
pub struct Args {
    /// Write the RTL's waves to this file (`.vcd` or `.fst`), and beside them what the model expects
    #[arg(long, value_name = "FILE", visible_alias = "vcd")]
    pub wave: Option<PathBuf>,
    #[command(flatten)]
    part: Part,
}

/// Which cycles of it.
#[derive(Clone, Copy, Debug, Default, clap::Args)]
#[group(skip)]
struct Part {
    /// Begin the wave with this cycle
    #[arg(long, value_name = "CYCLE", requires = "wave", value_parser = units::whole::<u64>, allow_negative_numbers = true)]
    from: Option<u64>,
    /// End the wave with this cycle
    #[arg(long, value_name = "CYCLE", requires = "wave", value_parser = units::whole::<u64>, allow_negative_numbers = true)]
    to: Option<u64>,
    /// Limit the wave to the operation that diverges, or else the last one, and N operations before and after it
    #[arg(long, value_name = "N", requires = "wave", value_parser = units::whole::<usize>, allow_negative_numbers = true)]
    around: Option<usize>,
}

impl Args {
    /// The file, if there is to be one.
    pub fn path(&self) -> Option<&Path> {
        self.wave.as_deref()
    }

    /// What is written, if anything is.
    pub fn files(&self) -> Vec<Written> {
        self.path().map_or(Vec::new(), |wave| files("--wave", wave))
    }

    /// The cycles.
    ///
    /// # Errors
    ///
    /// When they end before they begin.
    pub fn window(&self) -> Result<Window, Error> {
        let Part { from, to, around } = self.part;
        if let (Some(from), Some(to)) = (from, to)
            && to < from
        {
            return Err(Error::Usage(format!("the wave would end at cycle {to}, before it begins at cycle {from}")));
        }
        Ok(Window { from, to, around, last: None })
    }

    /// Says so where a wave begins behind a run of so many cycles.
    pub fn tell_beyond(&self, cycles: u64) {
        if let Some(from) = self.part.from.filter(|from| *from >= cycles) {
            let ran = count(cycles, "cycle");
            note(&format!("note: the wave is empty: the run has {ran}, and `--from` is {from}\n"));
        }
    }
}

/// A wave, and beside it how it opens.
pub fn files(what: &'static str, wave: &Path) -> Vec<Written> {
    let beside = [wave::save_file(wave), wave::surfer_file(wave)];
    [(what, wave.to_owned())].into_iter().chain(beside.map(|path| ("the wave's save file", path))).collect()
}

/// A wave is a file.
///
/// # Errors
///
/// When it is `-`.
pub fn check(path: &Path) -> Result<(), Error> {
    clash::not_standard("a wave", "--wave", path)
}

/// Says that it was written, and what opens it.
pub fn written(path: &Path) {
    let opens = match wave::own_save_file(path) {
        Some(save) => format!("; `gtkwave {}` opens it", named(&save)),
        None if path.is_file() => {
            let save = wave::save_file(path);
            format!("; `gtkwave {}` opens it, without a layout:\n`{}` is somebody's own", named(path), save.display())
        }
        None => String::new(),
    };
    note(&format!("wave written to {}{opens}\n", path.display()));
}
