// SPDX-License-Identifier: MIT OR Apache-2.0
//! The errors of comparing two waves.

use std::path::PathBuf;

use crate::judge::log::{lines::ReadError, wave::WaveError};

/// Why two waves cannot be compared.
#[derive(Debug, thiserror::Error)]
pub enum CompareError {
    /// A file is not a wave, or is damaged.
    #[error(transparent)]
    Wave(#[from] WaveError),
    /// The waves have no signal in common.
    #[error("nothing was compared: the waves have no signal in common; the first has {a}, the second {b}")]
    Nothing {
        /// The first few paths of the first wave.
        a: String,
        /// The first few paths of the second wave.
        b: String,
    },
    /// The waves have nothing in common but the clock that tells cycles.
    #[error(
        "nothing was compared: the waves have only the clock in common; {only_a} signals are in the first alone, {only_b} \
         in the second; `--map` their scopes"
    )]
    ClockAlone {
        /// The number of signals that only the first wave has.
        only_a: usize,
        /// The number of those that only the second has.
        only_b: usize,
    },
    /// Nothing but the clock that tells cycles has a value in both waves.
    #[error("nothing was compared: of the signals that both waves have, only the clock has a value in both")]
    ClockSpeaks,
    /// No signal has a value at a moment that both waves have.
    #[error("nothing was compared: the waves show no value at any moment that both have")]
    NoMoment,
    /// Neither log shows a transfer.
    #[error("nothing was compared: neither log shows a transfer")]
    NoTransfer,
    /// All signals that both waves have are ignored.
    #[error("nothing was compared: `--ignore` leaves no {what} that is in both")]
    Ignored {
        /// Signals, or ports of logs.
        what: &'static str,
    },
    /// A name given with `--map` is not in its wave.
    #[error("`--map {from}={to}`: the {which} wave has no signal and no scope {name}")]
    Map {
        /// The name in the first wave.
        from: String,
        /// The name in the second wave.
        to: String,
        /// `first` or `second`.
        which: &'static str,
        /// The missing name.
        name: String,
    },
    /// A log cannot be read.
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
    /// Options for waves were given, but transfers have the ports' own names and known bits only.
    #[error("transfers are compared by the ports' own names and values: `--map` and `--x-matches` are for waves alone")]
    OfWaves,
    /// The log and the wave are not of the same run.
    #[error("nothing was compared: the log has no operation like the first that the wave shows")]
    NoBeginning,
    /// There is no clock that counts cycles.
    #[error("no cycles: there is no signal `clk_i` of one bit that both have; `--by time`, or `--map` its name")]
    NoClock,
    /// The clock never rises in one of the waves.
    #[error("no cycles: `clk_i` never rises in one of the two; `--by time` compares without it")]
    NoEdge,
}
