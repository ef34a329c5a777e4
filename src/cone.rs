// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which lines of the RTL to look at first, when RTL and model disagree.
//!
//! ```text
//!  sources --> syntax --> design --> walk --> lines that reach the wrong signal --> rank --> the first ten
//!                (what drives what,     (how far)          ^                         ^
//!                 under which conditions)                  |                         |
//!                  failing operation --> value (what cannot act)    comments, names
//! ```
//!
//! Nothing here is certain: it is a place to begin. docs/lines.md says how often it is right.

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

/// Lines that are named.
pub const NAMED: usize = 10;

/// A line of the RTL that may be to blame.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Line {
    /// The file, from the directory of the RTL on.
    pub file: String,
    /// From 1.
    pub line: usize,
    /// The module or package that it stands in.
    pub module: String,
    /// The line, without the space around it.
    pub text: String,
    /// The signal, variable or argument that it drives, or whose driving it decides.
    pub drives: String,
    /// Registers between it and the port.
    pub registers: u32,
    /// What speaks for it, in words.
    pub why: String,
}

/// Why no line is named.
#[derive(Debug, thiserror::Error)]
pub enum Unread {
    /// The sources cannot be read.
    #[error("the RTL cannot be read: {0}")]
    Sources(#[from] io::Error),
    /// They are not those that failed.
    #[error("the RTL has changed since it was built")]
    Changed,
    /// They have no module with the unit's ports.
    #[error("no module `lsu` was found in the RTL")]
    NoTop,
    /// They are like nothing that was foreseen.
    #[error("the search ended in a panic")]
    Panicked,
}

/// The lines to look at first, the likeliest first, of the RTL that a mismatch was found in. The operations and the
/// control registers are those of the case, as small as it is.
///
/// # Errors
///
/// When the RTL is not there any more, or is another now, or has no module `lsu`.
pub fn look(rtl: &Sources, ctrl: &Ctrl, issues: &[Issue], mismatch: &Mismatch) -> Result<Vec<Line>, Unread> {
    // Reading somebody's sources takes no verdict back.
    let searched = panic::catch_unwind(AssertUnwindSafe(|| search(rtl, ctrl, issues, mismatch)));
    searched.unwrap_or(Err(Unread::Panicked))
}

/// The same in sentences, for a page; none if no line is named.
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
    /// As a row of a report.
    pub fn row(&self) -> String {
        let Line { file, line, text, why, .. } = self;
        format!("{file}:{line}  {text}  ({why})")
    }
}

#[cfg(test)]
mod tests;
