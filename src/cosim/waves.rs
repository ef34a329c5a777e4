// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the bench knows, as annotations beside the RTL's trace.

use std::path::Path;

use crate::{
    dut::DutError,
    judge::{Figures, Mismatch},
    output::Output,
    wave::{self, Recorder, WaveError},
};

use super::{bench::Bench, case::Case};

/// Why there is no wave.
#[derive(Debug, thiserror::Error)]
pub enum TraceError {
    /// The unit cannot be driven.
    #[error(transparent)]
    Dut(#[from] DutError),
    /// The file cannot be written.
    #[error(transparent)]
    Wave(#[from] WaveError),
    /// There is no room for the RTL's own trace.
    #[error("cannot make a temporary file for the trace: {0}")]
    Temporary(#[from] std::io::Error),
}

/// Runs a case and writes the annotated wave to `out`, and beside it, if it is a file, how it opens. Nothing is left
/// half-written.
///
/// # Errors
///
/// When the wave cannot be written; inside, the first divergence.
pub fn run(bench: &mut Bench, case: &Case, out: &Path) -> Result<Result<Figures, Box<Mismatch>>, TraceError> {
    // A path that cannot be written is told before anything runs.
    drop(Output::create(out).map_err(|error| WaveError::Write { path: out.to_owned(), error })?);
    let folder = tempfile::tempdir()?;
    let trace = folder.path().join("trace.vcd");
    let mut recorder = Recorder::new(case.shape, &case.ctrl, &case.issues);
    let result = bench.run_traced(case, &trace, &mut recorder)?;
    let annotations = recorder.finish();
    wave::annotate(&trace, &annotations, out)?;
    if out.is_file() {
        wave::save(out, &annotations)?;
    }
    Ok(result)
}

pub use crate::judge::log::{lane_inputs, text};
