// SPDX-License-Identifier: MIT OR Apache-2.0
//! A directory that is made anew only if its inputs have changed.

use std::{
    fs,
    hash::{DefaultHasher, Hash, Hasher},
    path::Path,
};

/// The file with the key of a directory's inputs. It is written last: a directory without it is incomplete.
const STAMP: &str = "made-from";

/// Has `make` fill the empty directory `dir`, unless it was filled from equal `inputs` before.
pub fn keep(dir: &Path, inputs: &impl Hash, make: impl FnOnce(&Path) -> Result<(), String>) -> Result<(), String> {
    let mut hasher = DefaultHasher::new();
    inputs.hash(&mut hasher);
    let key = format!("{:016x}\n", hasher.finish());
    let stamp = dir.join(STAMP);
    if fs::read_to_string(&stamp).is_ok_and(|found| found == key) {
        return Ok(());
    }
    let cannot = |what: &str, error| format!("cannot {what} `{}`: {error}", dir.display());
    if dir.exists() {
        fs::remove_dir_all(dir).map_err(|error| cannot("empty", error))?;
    }
    fs::create_dir_all(dir).map_err(|error| cannot("make", error))?;
    make(dir)?;
    fs::write(&stamp, key).map_err(|error| cannot("finish", error))
}
