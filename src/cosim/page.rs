// SPDX-License-Identifier: MIT OR Apache-2.0
//! A case, played, as a page that explains what came of it.

use std::io::{self, Write};

use super::{Bench, Case, Figures, Mismatch};
use crate::{
    judge::coverage::Coverage,
    rtl::Sources,
    wave::page::{self, Run, Watched},
};

/// Plays a case, judges it and writes its page. `name` is the case's, `about` what was played.
///
/// # Errors
///
/// What the system says of the page; inside, the first divergence.
pub fn write(
    bench: &mut Bench,
    case: &Case,
    (name, about): (&str, String),
    rtl: Option<Sources>,
    out: &mut impl Write,
) -> io::Result<Result<Figures, Box<Mismatch>>> {
    let played = bench.play(case);
    let log = if played.is_ok() { bench.log().clone() } else { Default::default() };
    let header = bench.header(case, rtl, about);
    let mut watched = Watched::new(&log);
    *bench.coverage_mut() = Coverage::new(&bench.shape());
    let verdict = played.and_then(|()| bench.judge_watched(case, &mut watched));
    let coverage = bench.coverage().rows(None);
    let unjudged = verdict.as_ref().map(|figures| figures.unjudged).unwrap_or_default();
    let not_judged: Vec<_> = header.contract.unjudged().into_iter().chain(unjudged.torn()).collect();
    let (coverage, not_judged) = (&coverage[..], &not_judged[..]);
    let run = Run { name, header: &header, ctrl: case.ctrl, log: &log, verdict: &verdict, coverage, not_judged };
    page::write(&run, &watched, out)?;
    Ok(verdict)
}
