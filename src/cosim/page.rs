// SPDX-License-Identifier: MIT OR Apache-2.0
//! Plays a case and explains the result on a page.

use std::io::{self, Write};

use super::{Bench, Case, Figures, Mismatch};
use crate::{
    cone,
    judge::{
        coverage::Coverage,
        log::{Log, lines::Record},
    },
    rtl::Sources,
    wave::page::{self, Run, Watched},
};

/// Plays a case, judges it and writes its page. `name` names the case, `about` says what was played.
///
/// # Errors
///
/// I/O errors of writing the page. The inner result holds the first divergence.
pub fn write(
    bench: &mut Bench,
    case: &Case,
    (name, about): (&str, String),
    rtl: Option<Sources>,
    out: &mut impl Write,
) -> io::Result<Result<Figures, Box<Mismatch>>> {
    let played = bench.play(case);
    let mut log = if played.is_ok() { bench.log().clone() } else { Log::default() };
    log.begins_with(case.ctrl);
    let record = Record { header: bench.header(case, rtl.clone(), about), log, line: 0, left_out: Vec::new() };
    let mut watched = Watched::new(&record.log);
    *bench.coverage_mut() = Coverage::new(&bench.shape());
    let verdict = played.and_then(|()| bench.judge_watched(case, &mut watched));
    let coverage = bench.coverage().rows(None);
    let unjudged = verdict.as_ref().map(|figures| figures.unjudged).unwrap_or_default();
    let not_judged: Vec<_> = record.header.contract.unjudged().into_iter().chain(unjudged.torn()).collect();
    let look = match (&rtl, &verdict) {
        (Some(rtl), Err(mismatch)) => cone::sentences(rtl, &case.ctrl, &case.issues, mismatch),
        _ => Vec::new(),
    };
    let (verdict_of, record) = (&verdict, &record);
    let run = Run { name, record, verdict: verdict_of, coverage: &coverage, not_judged: &not_judged, look: &look };
    page::write(&run, &watched, out)?;
    Ok(verdict)
}
