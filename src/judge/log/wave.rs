// SPDX-License-Identifier: MIT OR Apache-2.0
//! Turns a wave of a unit's ports into a log: a VCD or an FST of Verilator, Icarus or a logic analyser.
//!
//! Cycle n is the n-th rising edge of `clk_i`, from 0. Its values are those just before the time of the edge; what
//! changes at that time is the effect of the edge. A logic analyser's wave has no clock, and each sample is a cycle
//! ([`Cycles`]). A wave does not show when memory performs requests, so the log is not timed.
//!
//! Unknown bits (`x`, `z`) count as 0. Where they matter, in a handshake or in what is taken, the log reports the first
//! one of each port, with the port's clause. Before the first reset everything in a unit may be unknown, and nothing is
//! reported.
//!
//! ```
//! use gpu_lsu::judge::log::wave::{self, Names, WaveError};
//!
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("counter.vcd");
//! std::fs::write(&path, "$scope module top $end $var wire 1 ! clk_i $end $var wire 1 \" rst_ni $end\n\
//!                        $upscope $end $enddefinitions $end\n#0\n0!\n0\"\n#10\n1!\n")?;
//! let error = wave::read(&path, &Names::default()).unwrap_err();
//! assert!(matches!(error, WaveError::Missing { ports, .. } if ports.starts_with("op_valid_i, op_ready_o, op_i")));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod error;
mod find;
mod fst;
mod litescope;
mod sampler;
#[cfg(test)]
mod tests;
mod unknown;
pub(crate) mod vcd;
mod walk;

use std::{
    fs::File,
    io::{BufReader, Seek},
    num::NonZero,
    panic::{self, AssertUnwindSafe, catch_unwind},
    path::Path,
    sync::atomic::{AtomicUsize, Ordering},
};

pub use error::WaveError;
pub(crate) use fst::check as lengths;
use sampler::Sampler;
use wellen::{Hierarchy, LoadOptions, Signal, SignalRef, Time, WellenError, viewers};

use super::{Log, Unseen};
use crate::{
    judge::Promises,
    ports::{Channel, PORTS},
};

/// The names of the ports in a wave, as far as the wave itself does not tell.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Names {
    /// The scope that has the ports, such as `top.lsu`. The default is the scope with most ports and, of several inside
    /// each other, the outermost.
    pub scope: Option<String>,
    /// Ports with another name, and that name: in the scope, or from the top. A number is the value of an input that
    /// the design ties, and that is therefore not in the wave. `*` is every port that is not listed and, in the name,
    /// the port's own name.
    pub map: Vec<(String, String)>,
    /// What a cycle is.
    pub cycles: Cycles,
    /// Whether nothing is in flight where the wave begins, although it does not begin in reset.
    pub idle: bool,
    /// What the unit promises. Bits of which it promises nothing may be unknown.
    pub promises: Promises,
}

/// What a cycle is in a wave.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Cycles {
    /// A rising edge of `clk_i`.
    #[default]
    Edges,
    /// A sample, in a wave without a clock that the clock sampled. Its length is the greatest common divisor of the
    /// times between changes.
    Samples,
    /// A sample of this many time steps.
    Steps(NonZero<u64>),
}

impl Cycles {
    /// The time steps of a sample, in a wave with changes at these times; none where cycles are edges.
    fn steps(self, times: &[Time]) -> Option<NonZero<u64>> {
        match self {
            Cycles::Edges => None,
            Cycles::Samples => {
                let between = times.windows(2).map(|pair| pair[1].abs_diff(pair[0]));
                Some(NonZero::new(between.fold(0, gcd)).unwrap_or(NonZero::<u64>::MIN))
            }
            Cycles::Steps(steps) => Some(steps),
        }
    }
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// The contents of a wave of a unit.
#[derive(Clone, Debug)]
pub struct Wave {
    /// What crossed the ports.
    pub log: Log,
    /// The lanes of the unit: the width of `op_active_i`.
    pub lanes: usize,
    /// The bytes of the memory port's line: the width of `mem_req_be_o`.
    pub line_bytes: usize,
    /// The scope that has the ports; empty if they are in none.
    pub scope: String,
    /// The number of rising edges of the clock, or of samples.
    pub cycles: u64,
    /// The time steps of a sample; none where cycles are edges.
    pub steps: Option<NonZero<u64>>,
    /// Whether something changes within a sample. What it was before then does not count.
    pub uneven: bool,
    /// Ports that are not in the wave. A channel that lacks one is not in the log.
    pub missing: Vec<&'static str>,
}

/// The most bits of a variable. No design has a wider one, and a larger memory is an array.
const WIDEST: u32 = 1 << 24;

/// Reads a wave, a VCD or an FST. The ports of store data, those of write-back, and `ctrl_i` may be absent: the log
/// then lacks what crossed them. All other ports must be there.
///
/// # Errors
///
/// A file that is no wave, or that does not have the ports of one unit, with widths that fit each other.
pub fn read(path: &Path, names: &Names) -> Result<Wave, WaveError> {
    let unreadable = |error| WaveError::Open { path: path.to_owned(), error };
    let mut file = File::open(path).map_err(unreadable)?;
    let mended = litescope::mended(&mut file).map_err(unreadable)?;
    let mut file = mended.unwrap_or(file);
    vcd::whole(&mut file, path)?;
    let mut file = BufReader::new(file);
    fst::check(&mut file)
        .and_then(|()| file.rewind())
        .map_err(|error| WaveError::Malformed { path: path.to_owned(), message: error.to_string() })?;
    let options = LoadOptions { multi_thread: false, ..LoadOptions::default() };
    let header = guarded(path, || viewers::read_header(file, &options))?;
    widths(path, &header.hierarchy)?;
    let found = find::find(&header.hierarchy, names, path)?;
    let mut body = guarded(path, || viewers::read_body(header.body, &header.hierarchy, None))?;
    let axis = cycle_number(&header.hierarchy);
    let wanted: Vec<_> = found.signals.iter().copied().chain(axis).collect();
    let loaded = guarded(path, || Ok(body.source.load_signals(&wanted, &header.hierarchy, false)))?;

    // The signals come in another order than requested.
    let mut loaded: rustc_hash::FxHashMap<_, _> =
        loaded.into_iter().map(|signal| (signal.signal_ref(), signal)).collect();
    let number = axis.and_then(|axis| loaded.remove(&axis));
    let idle = names.idle || number.is_some_and(|number| first_number(&number) == Some(0));
    let signals: Option<Vec<_>> = found.signals.iter().map(|signal| loaded.remove(signal)).collect();
    let Some(signals) = signals else {
        return Err(WaveError::Malformed { path: path.to_owned(), message: "a signal has no values".to_owned() });
    };
    let lacks = |channel| PORTS.iter().any(|(port, _)| port.channel == channel && found.missing.contains(&port.name));
    let (data, write_back) = (lacks(Channel::Data), lacks(Channel::WriteBack));
    // A wave may end at any time.
    let unseen = Unseen { start: !idle, end: true, data, write_back, offers: false };
    let (lanes, line_bytes, scope) = (found.shape.lanes, found.shape.line_bytes, found.scope.clone());
    let missing = found.missing.clone();
    let sampler = Sampler::new(found, signals);
    let steps = names.cycles.steps(&body.time_table);
    let cycles = match steps {
        None => sampler.edges().map_err(|(from, to)| {
            let [from, to] = [from, to].map(|at| body.time_table[at as usize]);
            WaveError::Gap { path: path.to_owned(), from, to }
        })?,
        Some(steps) => sampler::samples(&body.time_table, steps)
            .ok_or_else(|| WaveError::NotSampled { path: path.to_owned(), most: sampler::MOST })?,
    };
    if cycles.is_empty() {
        return Err(WaveError::NoCycle { path: path.to_owned(), scope });
    }
    let first = body.time_table.first().copied().unwrap_or_default();
    let uneven = steps.is_some_and(|steps| body.time_table.iter().any(|time| (time - first) % steps != 0));
    let (log, cycles) = (walk::walk(sampler, &cycles, unseen, &names.promises), cycles.len() as u64);
    Ok(Wave { log, lanes, line_bytes, scope, cycles, steps, uneven, missing })
}

/// The number of the cycle in a wave that this crate wrote. One that begins with cycle 0 begins with nothing in flight.
fn cycle_number(hierarchy: &Hierarchy) -> Option<SignalRef> {
    let named = |var: &&wellen::Var| var.full_name(hierarchy) == "axis.cycle";
    hierarchy.all_vars().map(|var| &hierarchy[var]).find(named).map(|var| var.signal_ref())
}

/// The first value of a signal.
fn first_number(signal: &Signal) -> Option<u64> {
    let &first = signal.time_indices().first()?;
    let at = signal.get_offset(first)?;
    signal
        .get_value_at(&at, 0)
        .to_bit_string()?
        .chars()
        .try_fold(0u64, |number, bit| Some(number.checked_mul(2)? + u64::from(bit.to_digit(2)?)))
}

/// Checks that the declared variables can be read: a reader makes room for as many bits as a VCD declares, at each
/// change.
pub(crate) fn widths(path: &Path, hierarchy: &Hierarchy) -> Result<(), WaveError> {
    let wide = |bits: Option<u32>| bits.filter(|&bits| bits > WIDEST);
    for var in hierarchy.all_vars().map(|var| &hierarchy[var]) {
        if let Some(bits) = wide(var.length(hierarchy)) {
            let message = format!("`{}` is declared with {bits} bits, more than {WIDEST}", var.full_name(hierarchy));
            return Err(WaveError::Malformed { path: path.to_owned(), message });
        }
    }
    Ok(())
}

/// The number of files that [`guarded`] is reading.
static READING: AtomicUsize = AtomicUsize::new(0);

/// Has no panic printed while a wave file is being read. The library that reads it panics on some damaged files, which
/// is told as an error; without this, the panic's message goes to standard error too. For a program, which has the
/// process to itself: once.
pub fn silence() {
    let hook = panic::take_hook();
    panic::set_hook(Box::new(move |told| {
        if READING.load(Ordering::Relaxed) == 0 {
            hook(told);
        }
    }));
}

/// Runs `wellen` on a file. It panics on some damaged files, such as a VCD with letters among its bits, or an FST whose
/// names are not UTF-8; nothing that it was working on is used after that.
pub(crate) fn guarded<T>(path: &Path, read: impl FnOnce() -> Result<T, WellenError>) -> Result<T, WaveError> {
    let malformed = |message: &str| WaveError::Malformed { path: path.to_owned(), message: message.replace('\n', " ") };
    READING.fetch_add(1, Ordering::Relaxed);
    let result = catch_unwind(AssertUnwindSafe(read));
    READING.fetch_sub(1, Ordering::Relaxed);
    match result {
        Ok(result) => result.map_err(|error| malformed(&error.to_string())),
        // What a panic says is for who wrote the reader.
        Err(_) => Err(malformed("it is damaged: it holds a value that is no number, or a name that is no text")),
    }
}
