// SPDX-License-Identifier: MIT OR Apache-2.0
//! `--contract FILE`: what a unit promises instead of what this project's does.

use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::{Error, shared::read_text};
use crate::{
    judge::promises::{LaneOrder, Latency, LeftOut, Promises},
    op::Shape,
};

/// Which unit is judged, and by what.
#[derive(Clone, Debug, Default, clap::Args)]
#[group(skip)]
pub struct Args {
    /// What the unit promises, as TOML: clauses that it does not keep, bounds of its own (docs/contract.md)
    #[arg(long, value_name = "FILE")]
    contract: Option<PathBuf>,
    /// The unit may choose otherwise than this project's where Direct3D leaves a choice: the order of lanes, and the
    /// contents of what became undefined
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

/// Parameters of a unit, as far as they are stated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stated {
    lanes: Option<usize>,
    line_bytes: Option<usize>,
    warps: Option<usize>,
    pending: Option<usize>,
    shared_bytes: Option<usize>,
}

/// The file.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct File {
    unit: Stated,
    not_kept: LeftOut,
    lane_order: LaneOrder,
    latency: Latency,
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
        asked.unit.check(unit)?;
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
    let wrong = |error: toml::de::Error| {
        let error = error.to_string();
        Error::Usage(format!("the contract `{}`: {}", path.display(), error.trim_end()))
    };
    let File { unit, not_kept, lane_order, latency } = toml::from_str(&text).map_err(wrong)?;
    Ok(Asked { promises: Some(Promises { not_kept, lane_order, latency }), unit, ..Asked::default() })
}

impl Stated {
    /// The shape with what is stated in place of what is not known.
    pub fn over(&self, shape: Shape) -> Shape {
        Shape {
            lanes: self.lanes.unwrap_or(shape.lanes),
            line_bytes: self.line_bytes.unwrap_or(shape.line_bytes),
            warps: self.warps.unwrap_or(shape.warps),
            pending: self.pending.unwrap_or(shape.pending),
            shared_bytes: self.shared_bytes.unwrap_or(shape.shared_bytes),
        }
    }

    /// Holds a unit that is known to what is stated.
    ///
    /// # Errors
    ///
    /// When it is another.
    pub fn check(&self, found: Shape) -> Result<(), Error> {
        match self.over(found) {
            stated if stated == found => Ok(()),
            stated => Err(Error::Usage(format!("the contract is of a unit with {stated}, and this one has {found}"))),
        }
    }
}
