// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which RTL is meant: a directory, and a hash of its sources. A verdict that does not say whose it is is no verdict.

use std::{
    ffi::OsStr,
    fmt, io,
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};

#[path = "../build/identity.rs"]
mod identity;
#[path = "../build/listing.rs"]
pub(crate) mod listing;

/// Digits of a hash that people are shown.
const SHORT: usize = 12;

/// The sources of a unit: its .sv, .v and .vlt files.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sources {
    /// The directory, absolute.
    pub path: String,
    /// SHA-256 over names and contents, in hexadecimal; build/identity.rs says how to take it by hand.
    pub hash: String,
}

/// GPU_LSU_RTL names other sources than those that this program was built from.
#[derive(Debug, thiserror::Error)]
pub enum Other {
    /// It cannot be read.
    #[error("GPU_LSU_RTL is `{}`, which cannot be read: {error}; this program was built from {built}", path.display())]
    Unreadable {
        /// As given.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
        /// What the unit is.
        built: Sources,
    },
    /// It holds something else.
    #[error("GPU_LSU_RTL names {asked}, and this program was built from {built}")]
    Differs {
        /// What was asked for.
        asked: Sources,
        /// What the unit is.
        built: Sources,
    },
}

/// What became of the sources that this program was built from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// They are what they were.
    Same,
    /// They can no longer be read: the program was installed, and its checkout is gone.
    Gone,
    /// They are others now.
    Changed,
}

impl Sources {
    /// What stands in a directory now.
    ///
    /// # Errors
    ///
    /// What the system says.
    pub fn of(dir: &Path) -> io::Result<Self> {
        let path = dir.canonicalize()?;
        Ok(Sources { hash: identity::hash(&path)?, path: path.to_string_lossy().into_owned() })
    }

    /// The hash's first twelve digits.
    pub fn short(&self) -> &str {
        self.hash.get(..SHORT).unwrap_or(&self.hash)
    }
    /// Holds a program that was built from these to the RTL that `asked` names, which is GPU_LSU_RTL's value; unset or
    /// empty, it names none. A relative path is one from here, or from the checkout, as it was in the build. The same
    /// sources elsewhere are the same.
    ///
    /// # Errors
    ///
    /// When it names other sources.
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

/// Path and short hash.
impl fmt::Display for Sources {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` ({})", self.path, self.short())
    }
}

/// What the unit in this program was built from.
#[cfg(feature = "rtl")]
pub fn built() -> Sources {
    Sources { path: env!("GPU_LSU_BUILT_RTL").to_owned(), hash: env!("GPU_LSU_BUILT_HASH").to_owned() }
}
