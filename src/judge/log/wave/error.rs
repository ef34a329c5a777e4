// SPDX-License-Identifier: MIT OR Apache-2.0
//! Errors in reading a wave.

use std::{io, path::PathBuf};

/// Why a wave gives no log.
#[derive(Debug, thiserror::Error)]
pub enum WaveError {
    /// The file cannot be opened.
    #[error("cannot read the wave `{}`: {error}", path.display())]
    Open {
        /// As given.
        path: PathBuf,
        /// The system's reason.
        error: io::Error,
    },
    /// The file is no wave, or a damaged one.
    #[error("the wave `{}` is not understood: {message}; JSON Lines, a VCD or an FST is expected", path.display())]
    Malformed {
        /// As given.
        path: PathBuf,
        /// What is wrong with it.
        message: String,
    },
    /// No scope has a signal of a port's name.
    #[error(
        "the wave `{}` has none of the unit's ports (clk_i, op_valid_i, mem_req_valid_o ...) in any scope: \
         --map PORT=SIGNAL says what a port is called there", path.display()
    )]
    NoUnit {
        /// As given.
        path: PathBuf,
    },
    /// Several scopes might be the unit.
    #[error("the wave `{}` has more than one unit: {scopes}; --scope names one", path.display())]
    Ambiguous {
        /// As given.
        path: PathBuf,
        /// The scopes, each with the number of ports that it has.
        scopes: String,
    },
    /// There is no such scope.
    #[error("the wave `{}` has no scope `{scope}`; the unit's ports are in {scopes}", path.display())]
    NoScope {
        /// As given.
        path: PathBuf,
        /// As given.
        scope: String,
        /// The scopes with most of the ports.
        scopes: String,
    },
    /// The scope lacks ports without which nothing can be judged.
    #[error(
        "the wave `{}` lacks {ports} in the scope `{scope}`: --map PORT=SIGNAL names each, or --scope another scope; \
         most ports are in {scopes}", path.display()
    )]
    Missing {
        /// As given.
        path: PathBuf,
        /// The scope that was searched.
        scope: String,
        /// The missing ports.
        ports: String,
        /// Scopes with most of the ports.
        scopes: String,
    },
    /// The wave has no clock.
    #[error(
        "the wave `{}` lacks clk_i in the scope `{scope}`: --map clk_i=SIGNAL names it; a wave that it sampled, as a logic \
         analyser's, has none, and is read with --sampled", path.display()
    )]
    NoClock {
        /// As given.
        path: PathBuf,
        /// The unit's scope.
        scope: String,
    },
    /// The wave has a clock, and is to be sampled.
    #[error(
        "the wave `{}` has a clock, clk_i in the scope `{scope}`: its edges are the cycles, without --sampled; \
         --sampled=STEPS is for samples beside it", path.display()
    )]
    Clock {
        /// As given.
        path: PathBuf,
        /// The unit's scope.
        scope: String,
    },
    /// The wave has more samples than any logic analyser takes.
    #[error(
        "the wave `{}` has more than {most} samples: --sampled=STEPS says how many of its time steps one is; one that a \
         simulator made has a clock, which --map clk_i=SIGNAL names", path.display()
    )]
    NotSampled {
        /// As given.
        path: PathBuf,
        /// The most samples that can be read.
        most: u64,
    },
    /// A port cannot be tied, or not to this value.
    #[error("`{port}` of --map {port}={value} {why}")]
    Tied {
        /// The port.
        port: String,
        /// As given, or its beginning.
        value: String,
        /// The reason.
        why: String,
    },
    /// A name is given for something that is no port.
    #[error("`{port}` of --map {port}={signal} is no port of the unit: {ports}")]
    NoPort {
        /// As given.
        port: String,
        /// As given.
        signal: String,
        /// All ports.
        ports: String,
    },
    /// There is no such signal.
    #[error("the wave `{}` has no signal `{signal}` for the port `{port}`, by itself or in the scope `{scope}`", path.display())]
    NoSignal {
        /// As given.
        path: PathBuf,
        /// The port.
        port: &'static str,
        /// As given.
        signal: String,
        /// The unit's scope.
        scope: String,
    },
    /// A port is there in parts, and one of them is missing.
    #[error("the wave `{}` has the port `{port}` in parts, and lacks `{part}`", path.display())]
    Part {
        /// As given.
        path: PathBuf,
        /// The port.
        port: &'static str,
        /// The part.
        part: String,
    },
    /// A signal has another width than its port, or than a part of it.
    #[error("the wave `{}`: the port `{port}` has {found} bits, where {expected} are expected", path.display())]
    Width {
        /// As given.
        path: PathBuf,
        /// The port, or its part.
        port: String,
        /// The bits that it has.
        found: usize,
        /// The bits that it must have, and why.
        expected: String,
    },
    /// The clock is unknown for a time, as where a dump was switched off and on again.
    #[error(
        "the wave `{}` has a gap: `clk_i` is unknown from time {from} to {to}, and cycles are missing there; a wave is one \
         recording of consecutive cycles", path.display()
    )]
    Gap {
        /// As given.
        path: PathBuf,
        /// The time from which the clock is unknown.
        from: u64,
        /// The time from which it is known again.
        to: u64,
    },
    /// The clock never rises.
    #[error("the wave `{}` has no cycle: `clk_i` in the scope `{scope}` never rises", path.display())]
    NoCycle {
        /// As given.
        path: PathBuf,
        /// The unit's scope.
        scope: String,
    },
}
