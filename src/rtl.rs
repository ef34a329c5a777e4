// SPDX-License-Identifier: MIT OR Apache-2.0
//! The identity of the RTL: a directory and a hash of its sources. A verdict that does not name its RTL is no verdict.

use std::{
    ffi::OsStr,
    fmt, io,
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};

use crate::sets::text::printable;

#[path = "../build/identity.rs"]
mod identity;
#[path = "../build/listing.rs"]
pub(crate) mod listing;

/// Digits of a hash in messages.
const SHORT: usize = 12;

/// The sources of a unit: its .sv, .v and .vlt files.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sources {
    /// The directory, absolute.
    pub path: String,
    /// SHA-256 over names and contents, in hexadecimal; build/identity.rs says how to compute it by hand.
    pub hash: String,
}

/// GPU_LSU_RTL names other sources than those that this program was built from.
#[derive(Debug, thiserror::Error)]
pub enum Other {
    /// It cannot be read.
    #[error("GPU_LSU_RTL is `{}`, which cannot be read: {error}; this program was built from {built}", path.display())]
    Unreadable {
        /// The path as given.
        path: PathBuf,
        /// The system's error.
        error: io::Error,
        /// The sources that this program was built from.
        built: Sources,
    },
    /// It holds other sources.
    #[error("GPU_LSU_RTL names {asked}, and this program was built from {built}")]
    Differs {
        /// The sources that GPU_LSU_RTL names.
        asked: Sources,
        /// The sources that this program was built from.
        built: Sources,
    },
}

/// What became of the sources that this program was built from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// They are unchanged.
    Same,
    /// They can no longer be read: the program was installed, and its checkout is gone.
    Gone,
    /// They have changed since.
    Changed,
}

impl Sources {
    /// The present sources of a directory.
    ///
    /// # Errors
    ///
    /// The system's error, if a file cannot be read.
    pub fn of(dir: &Path) -> io::Result<Self> {
        let path = dir.canonicalize()?;
        Ok(Sources { hash: identity::hash(&path)?, path: path.to_string_lossy().into_owned() })
    }

    /// The hash's first twelve digits.
    pub fn short(&self) -> &str {
        self.hash.get(..SHORT).unwrap_or(&self.hash)
    }
    /// Compares these sources, from which a program was built, with those that `asked` names, the value of GPU_LSU_RTL;
    /// unset or empty, it names none. A relative path is tried from the working directory, then from the checkout, as
    /// in the build. The same sources in another directory count as the same.
    ///
    /// # Errors
    ///
    /// If `asked` names other sources, or sources that cannot be read.
    pub fn check(&self, asked: Option<&OsStr>) -> Result<Standing, Other> {
        let Some(asked) = asked.filter(|asked| !asked.is_empty()).map(Path::new) else {
            return Ok(match Sources::of(Path::new(&self.path)) {
                Ok(found) if found.hash == self.hash => Standing::Same,
                Ok(_) => Standing::Changed,
                Err(_) => Standing::Gone,
            });
        };
        let from_root = || Sources::of(&Path::new(env!("CARGO_MANIFEST_DIR")).join(asked));
        match Sources::of(asked).or_else(|error| from_root().map_err(|_| error)) {
            Ok(found) if found.hash == self.hash => Ok(Standing::Same),
            Ok(asked) => Err(Other::Differs { asked, built: self.clone() }),
            Err(error) => Err(Other::Unreadable { path: asked.to_owned(), error, built: self.clone() }),
        }
    }
}

/// Writes the path and the short hash.
impl fmt::Display for Sources {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` ({})", printable(&self.path), printable(self.short()))
    }
}

/// The sources that the unit in this program was built from.
#[cfg(feature = "rtl")]
pub fn built() -> Sources {
    Sources { path: env!("GPU_LSU_BUILT_RTL").to_owned(), hash: env!("GPU_LSU_BUILT_HASH").to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_terminal_has_nothing_to_act_on() {
        let sources = Sources { path: "\u{1b}[31mrtl\n".to_owned(), hash: "0\u{7}".to_owned() };
        assert_eq!(sources.to_string(), r"`\u{1b}[31mrtl\n` (0\u{7})");
    }
}
