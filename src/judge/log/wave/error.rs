// SPDX-License-Identifier: MIT OR Apache-2.0
//! Why a wave gives no log.

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
        /// With the ports that each has.
        scopes: String,
    },
    /// There is no such scope.
    #[error("the wave `{}` has no scope `{scope}`; the unit's ports are in {scopes}", path.display())]
    NoScope {
        /// As given.
        path: PathBuf,
        /// As given.
        scope: String,
        /// Those with most of the ports.
        scopes: String,
    },
    /// Ports without which nothing can be judged are not in the scope.
    #[error(
        "the wave `{}` lacks {ports} in the scope `{scope}`: --map PORT=SIGNAL names each, or --scope another scope; \
         most ports are in {scopes}", path.display()
    )]
    Missing {
        /// As given.
        path: PathBuf,
        /// Where the ports were looked for.
        scope: String,
        /// Those that it lacks.
        ports: String,
        /// Scopes with most of the ports.
        scopes: String,
    },
    /// There is no clock.
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
    /// There is a clock, and it changes between samples.
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
    /// There are more samples than anybody takes.
    #[error(
        "the wave `{}` has more than {most} samples: --sampled=STEPS says how many of its time steps one is; one that a \
         simulator made has a clock, which --map clk_i=SIGNAL names", path.display()
    )]
    NotSampled {
        /// As given.
        path: PathBuf,
        /// As many can be read.
        most: u64,
    },
    /// A port cannot be tied, or not so.
    #[error("`{port}` of --map {port}={value} {why}")]
    Tied {
        /// The port.
        port: &'static str,
        /// As given.
        value: u64,
        /// Why not.
        why: String,
    },
    /// A name was given to what is no port.
    #[error("`{port}` of --map {port}={signal} is no port of the unit: {ports}")]
    NoPort {
        /// As given.
        port: String,
        /// As given.
        signal: String,
        /// All there are.
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
    /// A port is there in parts, of which one is not.
    #[error("the wave `{}` has the port `{port}` in parts, and lacks `{part}`", path.display())]
    Part {
        /// As given.
        path: PathBuf,
        /// The port.
        port: &'static str,
        /// The part.
        part: String,
    },
    /// A signal has not the bits of its port, or of a part of one.
    #[error("the wave `{}`: the port `{port}` has {found} bits, where {expected} are expected", path.display())]
    Width {
        /// As given.
        path: PathBuf,
        /// The port, or its part.
        port: String,
        /// Bits that it has.
        found: usize,
        /// Bits that it must have, and why.
        expected: String,
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
