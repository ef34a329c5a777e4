// SPDX-License-Identifier: MIT OR Apache-2.0
//! A wave to compare: its signals by path, their changes, and its times.

use std::{
    fs,
    io::BufReader,
    path::{Path, PathBuf},
};

use rustc_hash::FxHashMap;
use wellen::{Hierarchy, LoadOptions, Signal, SignalRef, SignalSource, Time, viewers};

use super::value;
use crate::judge::log::wave::{WaveError, guarded, lengths, vcd, widths};

pub struct File {
    path: PathBuf,
    pub hierarchy: Hierarchy,
    source: SignalSource,
    pub times: Vec<Time>,
}

/// A variable of a wave.
pub struct Variable {
    pub path: String,
    pub signal: SignalRef,
    /// `None` for reals and texts.
    pub width: Option<u32>,
}

impl File {
    pub fn open(path: &Path) -> Result<Self, WaveError> {
        let mut file = fs::File::open(path).map_err(|error| WaveError::Open { path: path.to_owned(), error })?;
        let malformed = |message: String| WaveError::Malformed { path: path.to_owned(), message };
        lengths(BufReader::new(&file)).map_err(|error| malformed(error.to_string()))?;
        vcd::whole(&mut file, path)?;
        let options = LoadOptions { multi_thread: false, ..LoadOptions::default() };
        let header = guarded(path, || viewers::read_header_from_file(path, &options))?;
        widths(path, &header.hierarchy)?;
        let body = guarded(path, || viewers::read_body(header.body, &header.hierarchy, None))?;
        let (hierarchy, source, times) = (header.hierarchy, body.source, body.time_table);
        Ok(File { path: path.to_owned(), hierarchy, source, times })
    }

    /// All variables. Those that share a path have their indices appended.
    pub fn variables(&self) -> Vec<Variable> {
        let mut all: Vec<(Variable, String)> = Vec::new();
        let mut named: FxHashMap<String, usize> = FxHashMap::default();
        for var in self.hierarchy.all_vars() {
            let var = &self.hierarchy[var];
            // A reader may take an array for a scope.
            let path = var.full_name(&self.hierarchy).replace(".[", "[");
            let index = var.index().map_or(String::new(), |index| match (index.msb(), index.lsb()) {
                (msb, lsb) if msb == lsb => format!("[{msb}]"),
                (msb, lsb) => format!("[{msb}:{lsb}]"),
            });
            *named.entry(path.clone()).or_default() += 1;
            let width = var.length(&self.hierarchy).filter(|_| var.is_bit_vector(&self.hierarchy));
            all.push((Variable { path, signal: var.signal_ref(), width }, index));
        }
        let of = |(mut variable, index): (Variable, String)| {
            if named.get(&variable.path).is_some_and(|&number| number > 1) {
                variable.path += &index;
            }
            variable
        };
        all.into_iter().map(of).collect()
    }

    /// Loads the changes of some signals.
    pub fn load(
        &mut self,
        signals: impl Iterator<Item = SignalRef>,
    ) -> Result<FxHashMap<SignalRef, Signal>, WaveError> {
        let mut wanted: Vec<SignalRef> = signals.collect();
        wanted.sort_unstable_by_key(|signal| signal.index());
        wanted.dedup();
        let File { source, hierarchy, path, .. } = self;
        let loaded = guarded(path, || Ok(source.load_signals(&wanted, hierarchy, false)))?;
        Ok(loaded.into_iter().map(|signal| (signal.signal_ref(), signal)).collect())
    }

    /// The times at which a one-bit signal rises.
    pub fn edges(&mut self, signal: SignalRef) -> Result<Vec<Time>, WaveError> {
        let loaded = self.load([signal].into_iter())?;
        let mut edges = Vec::new();
        let Some(clock) = loaded.get(&signal) else { return Ok(edges) };
        let (mut before, times) = (None, clock.time_indices());
        for (place, &time) in times.iter().enumerate().filter(|&(place, time)| times.get(place + 1) != Some(time)) {
            let now = value::bit(clock.data().get_value_at(place));
            if (before, now) == (Some(false), Some(true)) {
                edges.push(self.times[time as usize]);
            }
            before = now;
        }
        Ok(edges)
    }

    /// The last time of the wave.
    pub fn end(&self) -> Time {
        self.times.last().copied().unwrap_or(0)
    }

    /// The time unit in seconds, as a factor and a power of ten.
    pub fn scale(&self) -> Option<(u32, i8)> {
        let scale = self.hierarchy.timescale()?;
        Some((scale.factor.max(1), scale.unit.to_exponent()?))
    }

    /// A time with its unit.
    pub fn in_words(&self, time: Time) -> String {
        let unit = |(factor, exponent): (u32, i8)| {
            let name = ["zs", "as", "fs", "ps", "ns", "us", "ms", "s"];
            let name = name.get(((i32::from(exponent) + 21) / 3) as usize).copied().unwrap_or("");
            format!("{} {name}", u128::from(time) * u128::from(factor))
        };
        self.scale().map_or_else(|| time.to_string(), unit)
    }
}
