// SPDX-License-Identifier: MIT OR Apache-2.0
//! `verify --html DIR`: the campaign as a file of its own beside those of others, and one page of all of them.

use std::{
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
    time::SystemTime,
};

mod campaign;
mod index;
mod plot;

pub use campaign::Clock;
use campaign::{Campaign, Clause, ENDING, FORMAT, Failure};

use super::{Found, Summary};
use crate::{
    cli::{Error, clash, note, say},
    cone,
    cosim::{self, waves::text},
    output::{Output, is_somebodys},
    sets::Isa,
};

/// The folder is there, or can be made, and what is in it can be read: told before anything runs.
///
/// # Errors
///
/// When not.
pub fn room_for(dir: &Path) -> Result<(), Error> {
    let name = || format!("`{}`", dir.display());
    clash::folder(dir)?;
    if is_somebodys(&index(dir), index::BEGINNING) {
        let what = format!("`{}` is somebody's own page: give a folder for those of campaigns", index(dir).display());
        return Err(Error::Usage(what));
    }
    fs::create_dir_all(dir).map_err(|error| Error::Output { name: name(), error })?;
    Output::create(&index(dir)).map(drop).map_err(|error| Error::Output { name: name(), error })?;
    others(dir).map(drop)
}

/// The page of all campaigns.
pub fn index(dir: &Path) -> PathBuf {
    dir.join("index.html")
}

fn others(dir: &Path) -> Result<Vec<Campaign>, Error> {
    Campaign::all(dir).map_err(|(name, error)| Error::Given {
        name,
        error,
        hint: "give a folder of campaigns that can be read, or a new one",
    })
}

/// Writes what is to be seen of a campaign; whether nothing is missing. What is missing was said.
pub fn write(dir: &Path, summary: &Summary<'_>, found: &[Found<'_>], progress: Vec<(f64, u64)>) -> bool {
    let index = index(dir);
    let written = keep(dir, summary, found, progress).and_then(|whole| {
        let page = index::page(&others(dir)?);
        put(&index, page.as_bytes())?;
        Ok(whole)
    });
    match written {
        Ok(whole) => {
            note(&format!("page written to {}\n", index.display()));
            whole
        }
        Err(error) => {
            say(&error);
            false
        }
    }
}

fn put(path: &Path, content: &[u8]) -> Result<(), Error> {
    let written = Output::create(path).and_then(|mut output| {
        output.write_all(content)?;
        output.finish()
    });
    written.map_err(|error| Error::Output { name: format!("`{}`", path.display()), error })
}

fn keep(dir: &Path, summary: &Summary<'_>, found: &[Found<'_>], progress: Vec<(f64, u64)>) -> Result<bool, Error> {
    let figures = summary.results.figures;
    let coverage = summary.rows().into_iter();
    let mut campaign = Campaign {
        format: FORMAT,
        ended: humantime::format_rfc3339_seconds(SystemTime::now()).to_string(),
        seed: summary.seed(),
        isa: summary.args.isa.map_or("all", Isa::name).to_owned(),
        lanes: summary.unit.shape.lanes,
        rtl: summary.unit.name(),
        verdict: summary.verdict(found).to_owned(),
        operations: figures.operations,
        cycles: figures.cycles,
        comparisons: figures.comparisons,
        seconds: summary.results.seconds,
        progress,
        coverage: coverage.map(|row| Clause { rule: row.rule.to_string(), id: row.clause, bins: row.each }).collect(),
        not_judged: summary.results.not_judged(),
        failure: None,
    };
    let name = campaign.name();
    campaign.failure = found.first().map(|found| failure(dir, &name, found));
    let whole = campaign
        .failure
        .as_ref()
        .is_none_or(|failure| [&failure.capsule, &failure.page, &failure.wave].into_iter().all(Option::is_some));
    let json = serde_json::to_vec(&campaign).map_err(io::Error::from)?;
    put(&dir.join(name + ENDING), &json)?;
    Ok(whole)
}

/// The failing case, whole, in the folder. A file that cannot be written is told, and the rest is there without it.
fn failure(dir: &Path, name: &str, found: &Found<'_>) -> Failure {
    let leave = |ending: &str, write: &dyn Fn(&Path) -> Result<(), Error>| {
        let file = format!("{name}.{ending}");
        write(&dir.join(&file)).map_err(|error| say(&error)).ok().map(|()| file)
    };
    let capsule = leave("capsule", &|path| put(path, found.capsule.to_text().as_bytes()));
    let page = leave("html", &|path| {
        let mut bench = found.unit.bench()?;
        bench.promise(found.capsule.promises);
        let about = format!("seed {:#x}, block {}", found.capsule.seed, found.capsule.block);
        let mut content = Vec::new();
        let (case, rtl) = (&found.capsule.case, found.capsule.rtl.clone());
        // What it says is in the capsule.
        let _ = cosim::page::write(&mut bench, case, (&format!("{name}.capsule"), about), rtl, &mut content)?;
        put(path, &content)
    });
    let wave = leave("fst", &|path| found.wave_into(path).map(drop));
    let mismatch = &found.capsule.mismatch;
    Failure {
        clause: mismatch.clause.to_string(),
        or: mismatch.or.iter().map(ToString::to_string).collect(),
        text: mismatch.to_string(),
        block: found.capsule.block,
        look: cone::sentences(&found.unit.rtl, &found.capsule.case.ctrl, &found.capsule.case.issues, mismatch),
        program: found.capsule.case.issues.iter().map(text).collect(),
        capsule,
        page,
        wave,
    }
}
