// SPDX-License-Identifier: MIT OR Apache-2.0
//! `--rank FILE`: the seeds that are worth keeping, as a file that `verify --seeds` reads.

use std::fmt::Write;

use crate::{
    cli::report::count,
    explain::words::wrap,
    regress::{Ranking, Results},
};

/// The file.
pub fn text(results: &Results, ranking: &Ranking) -> String {
    let mut text = String::new();
    for line in sentence(results, ranking).lines() {
        let _ = writeln!(text, "# {line}"); // a String takes everything
    }
    for (seed, bins) in &ranking.kept {
        let _ = writeln!(text, "{:#x} # {}", seed.0, count(*bins as u64, "more bin"));
    }
    text
}

/// What it says, in a sentence.
pub fn sentence(results: &Results, ranking: &Ranking) -> String {
    let Ranking { kept, bins, least } = ranking;
    let how = if kept.len() == *least {
        "no smaller set does".to_owned()
    } else {
        format!("a smaller one may, of {least} at least")
    };
    let all = count(results.campaign.seeds.len() as u64, "seed");
    wrap(&format!("worth keeping: {} of {all} hit all {bins} bins that are hit; {how}", kept.len()), 2)
}
