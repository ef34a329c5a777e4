// SPDX-License-Identifier: MIT OR Apache-2.0
//! The errors of writing an annotated wave.

use std::{io, path::PathBuf};

/// Why an annotated wave was not written. A file that was at its path before is still there.
#[derive(Debug, thiserror::Error)]
pub enum WaveError {
    /// The trace cannot be read.
    #[error("cannot read the trace `{}`: {error}", path.display())]
    Read {
        /// The trace.
        path: PathBuf,
        /// The system's reason.
        error: io::Error,
    },
    /// The wave cannot be written.
    #[error("cannot write the wave `{}`: {error}", path.display())]
    Write {
        /// The path as given.
        path: PathBuf,
        /// The system's reason.
        error: io::Error,
    },
    /// The trace is not a VCD, or is cut off.
    #[error("the trace `{}`, line {line}: {message}", path.display())]
    Malformed {
        /// The trace.
        path: PathBuf,
        /// The line number, from 1.
        line: u64,
        /// What is wrong with it.
        message: String,
    },
    /// No unit has this shape.
    #[error("a wave is of 1 to 32 lanes and 1 to 128 bytes a line, not of {lanes} and {line_bytes}")]
    Shape {
        /// As given.
        lanes: usize,
        /// As given.
        line_bytes: usize,
    },
    /// The expectations are not in order of time.
    #[error("the expectation at time {time} comes after the one at {before}")]
    Order {
        /// The earlier time.
        time: u64,
        /// The later one, which came first.
        before: u64,
    },
}
