// SPDX-License-Identifier: MIT OR Apache-2.0
//! Why two waves are not compared.

use std::path::PathBuf;

use crate::judge::log::{lines::ReadError, wave::WaveError};

/// Why two waves are not compared.
#[derive(Debug, thiserror::Error)]
pub enum CompareError {
    /// One of them is no wave, or a damaged one.
    #[error(transparent)]
    Wave(#[from] WaveError),
    /// No signal is in both.
    #[error("nothing was compared: the waves have no signal in common; the first has {a}, the second {b}")]
    Nothing {
        /// The first few paths of each.
        a: String,
        /// Those of the second wave.
        b: String,
    },
    /// No signal of theirs has a value, where both have moments.
    #[error("nothing was compared: the waves show no value at any moment that both have")]
    NoMoment,
    /// No operation, and nothing that came of one, is in either.
    #[error("nothing was compared: neither log shows a transfer")]
    NoTransfer,
    /// Signals are in both, and none of them counts.
    #[error("nothing was compared: `--ignore` leaves no {what} that is in both")]
    Ignored {
        /// Signals, or ports of logs.
        what: &'static str,
    },
    /// A name that is given for another one is in no wave.
    #[error("`--map {from}={to}`: the {which} wave has no signal and no scope {name}")]
    Map {
        /// In the first wave.
        from: String,
        /// In the second.
        to: String,
        /// `first` or `second`.
        which: &'static str,
        /// What it has not.
        name: String,
    },
    /// A log is refused.
    #[error("{}, {error}", path.display())]
    Log {
        /// As given.
        path: PathBuf,
        /// What is wrong with it.
        error: ReadError,
    },
    /// A log has no times.
    #[error("a log counts cycles, and has no times: `--by cycle`, or `--by transfer`")]
    NoTime,
    /// Transfers have the names of the unit's ports, and known bits only.
    #[error("transfers are compared by the ports' own names and values: `--map` and `--x-matches` are for waves alone")]
    OfWaves,
    /// A log and a wave are not of one run.
    #[error("nothing was compared: the log has no operation like the first that the wave shows")]
    NoBeginning,
    /// There is no clock to count by.
    #[error("no cycles: there is no signal `clk_i` of one bit that both have; `--by time`, or `--map` its name")]
    NoClock,
}
