// SPDX-License-Identifier: MIT OR Apache-2.0
//! `--contract FILE`: what a unit promises instead of what this project's does.

use std::path::{Path, PathBuf};

use super::{Error, shared::read_text};
use crate::{
    explain::words::wrap,
    judge::promises::{self, LaneOrder, Promises, Stated},
    op::Shape,
};

/// Columns of a line that is shown.
const WIDTH: usize = 80;

/// Which unit is judged, and by what.
#[derive(Clone, Debug, Default, clap::Args)]
#[group(skip)]
pub struct Args {
    /// Read what the unit promises from this TOML file: clauses that it does not keep, bounds of its own
    /// (docs/contract.md)
    #[arg(long, value_name = "FILE")]
    contract: Option<PathBuf>,
    /// Accept any choice that the sources leave open, not only this project's: the order of a compare-and-store's lanes,
    /// which of the lanes that store to a byte is the last, and the contents of what became undefined
    #[arg(long)]
    allowed_sets: bool,
}

/// What a contract says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Asked {
    /// What the unit promises, if there is a file that says it.
    promises: Option<Promises>,
    any_lane_order: bool,
    /// Parameters that the file states.
    pub unit: Stated,
}

impl Args {
    /// The file, if there is one.
    pub fn file(&self) -> Option<&Path> {
        self.contract.as_deref()
    }

    /// Whether `--allowed-sets` was given.
    pub fn any_lane_order(&self) -> bool {
        self.allowed_sets
    }

    /// Reads the file, if there is one.
    ///
    /// # Errors
    ///
    /// When it cannot be read or says what no contract says.
    pub fn read(&self) -> Result<Asked, Error> {
        let asked = match &self.contract {
            Some(path) => file(path)?,
            None => Asked::default(),
        };
        Ok(Asked { any_lane_order: self.allowed_sets, ..asked })
    }

    /// What a unit promises of which `known` is said already.
    ///
    /// # Errors
    ///
    /// As [`Args::read`], and when the contract is another unit's.
    #[cfg(feature = "rtl")]
    pub fn of(&self, unit: Shape, known: Promises) -> Result<Promises, Error> {
        let asked = self.read()?;
        check(asked.unit, unit)?;
        Ok(asked.over(known))
    }
}

impl Asked {
    /// What a unit promises of which `known` is said already.
    pub fn over(&self, known: Promises) -> Promises {
        let mut promises = self.promises.unwrap_or(known);
        if self.any_lane_order {
            promises.lane_order = LaneOrder::Any;
        }
        promises
    }
}

fn file(path: &Path) -> Result<Asked, Error> {
    let text = read_text(path)?;
    let (promises, unit) = promises::read(&text).map_err(|error| {
        let error: Vec<_> = error.to_string().trim_end().lines().map(fitted).collect();
        Error::Refused(format!("the contract `{}`: {}", path.display(), error.join("\n")))
    })?;
    Ok(Asked { promises: Some(promises), unit, ..Asked::default() })
}

/// A line of the message is wrapped; one of the file, which may be that of a log, is cut.
fn fitted(line: &str) -> String {
    let quoted = line.trim_start_matches(|c: char| c.is_ascii_digit() || c == ' ').starts_with('|');
    match line.char_indices().nth(WIDTH) {
        Some(_) if quoted => line.chars().take(WIDTH - 4).collect::<String>() + " ...",
        Some(_) => wrap(line, 2).trim_end().to_owned(),
        None => line.to_owned(),
    }
}

/// Holds a unit that is known to what is stated.
///
/// # Errors
///
/// When it is another.
pub fn check(stated: Stated, found: Shape) -> Result<(), Error> {
    match stated.over(found) {
        stated if stated == found => Ok(()),
        stated => {
            let differing = |shape: Shape, other: Shape| {
                let pairs = shape.parameters().into_iter().zip(other.parameters()).filter(|(one, other)| one != other);
                pairs.map(|((name, value), _)| format!("{name}={value}")).collect::<Vec<_>>().join(" ")
            };
            let (theirs, ours) = (differing(stated, found), differing(found, stated));
            Err(Error::Usage(format!(
                "the contract is of a unit with {theirs}, and this one has {ours}: leave `[unit]` out to hold this one to it"
            )))
        }
    }
}
