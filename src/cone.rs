// SPDX-License-Identifier: MIT OR Apache-2.0
//! The lines of the RTL to look at first when RTL and model disagree.
//!
//! ```text
//!  sources --> syntax --> design --> walk --> lines that reach the wrong signal --> rank --> the first ten
//!                (what drives what,     (how far)          ^                         ^
//!                 under which conditions)                  |                         |
//!                  failing operation --> value (what cannot act)    comments, names
//! ```
//!
//! The result is a place to begin, not a proof. docs/lines.md says how often it is right.

mod design;
mod notes;
mod rank;
mod symptom;
mod syntax;
mod text;
mod tokens;
mod uses;
mod value;
mod walk;

use std::{
    fs, io,
    panic::{self, AssertUnwindSafe},
    path::Path,
};

use serde::{Deserialize, Serialize};

use crate::{
    judge::{Mismatch, log::Issue},
    op::Ctrl,
    rtl::{Sources, listing::Listing},
};
use symptom::Symptom;

/// The number of lines that are named.
pub const NAMED: usize = 10;

/// A line of the RTL that may be to blame.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Line {
    /// The file, relative to the directory of the RTL.
    pub file: String,
    /// The line number, from 1.
    pub line: usize,
    /// The module or package that contains it.
    pub module: String,
    /// The line, without the space around it.
    pub text: String,
    /// The signal, variable or argument that it drives, or whose drive it decides on.
    pub drives: String,
    /// Registers between it and the port.
    pub registers: u32,
    /// Why it is named, in words.
    pub why: String,
}

/// Why no line is named.
#[derive(Debug, thiserror::Error)]
pub enum Unread {
    /// The sources cannot be read.
    #[error("the RTL cannot be read: {0}")]
    Sources(#[from] io::Error),
    /// They are not the sources that failed.
    #[error("the RTL has changed since it was built")]
    Changed,
    /// They have no module with the unit's ports.
    #[error("no module `lsu` was found in the RTL")]
    NoTop,
    /// They are like nothing that was foreseen, and the search panicked.
    #[error("the search ended in a panic")]
    Panicked,
}

/// The lines to look at first in the RTL with the mismatch, the likeliest first. `issues` and `ctrl` are the operations
/// and the control registers of the case, as small as it is.
///
/// # Errors
///
/// If the RTL is gone or has changed, if it has no module `lsu`, or if the search panics.
pub fn look(rtl: &Sources, ctrl: &Ctrl, issues: &[Issue], mismatch: &Mismatch) -> Result<Vec<Line>, Unread> {
    // Trouble with somebody's sources must not cost the verdict.
    let searched = panic::catch_unwind(AssertUnwindSafe(|| search(rtl, ctrl, issues, mismatch)));
    searched.unwrap_or(Err(Unread::Panicked))
}

/// The lines of [`look`] as sentences for a page; empty if no line is named.
pub fn sentences(rtl: &Sources, ctrl: &Ctrl, issues: &[Issue], mismatch: &Mismatch) -> Vec<String> {
    let lines = look(rtl, ctrl, issues, mismatch).unwrap_or_default();
    lines.iter().map(|line| format!("{}: {}", line.module, line.row())).collect()
}

fn search(rtl: &Sources, ctrl: &Ctrl, issues: &[Issue], mismatch: &Mismatch) -> Result<Vec<Line>, Unread> {
    let root = Path::new(&rtl.path);
    if Sources::of(root)?.hash != rtl.hash {
        return Err(Unread::Changed);
    }
    let mut files = Vec::new();
    let folder = if root.is_file() { root.parent().unwrap_or(root) } else { root };
    for path in Listing::of(root)?.files {
        let source = path.extension().is_some_and(|extension| extension == "sv" || extension == "v");
        if source {
            let name = path.strip_prefix(folder).unwrap_or(&path).to_string_lossy().into_owned();
            files.push((name, fs::read_to_string(&path)?));
        }
    }
    let design = syntax::read(files);
    let symptom = Symptom::new(ctrl, issues, mismatch);
    let ranked = rank::rank(&design, &symptom).ok_or(Unread::NoTop)?;
    Ok(ranked.into_iter().take(NAMED).map(|line| line.of(&design, &symptom)).collect())
}

impl Line {
    /// The line as a row of a report.
    pub fn row(&self) -> String {
        let Line { file, line, text, why, .. } = self;
        format!("{file}:{line}  {text}  ({why})")
    }
}

#[cfg(test)]
mod tests;
