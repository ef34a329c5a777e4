// SPDX-License-Identifier: MIT OR Apache-2.0
//! The identity of a unit's sources, as one number. The build writes it into the program, which compares it with that
//! of the sources that a user names.
//!
//! It is the SHA-256 of a list of SHA-256s, so that anybody can compute it with common tools: docs/working.md says how.

use std::{fmt::Write, fs, io, path::Path};

use hmac_sha256::Hash;

use super::listing::Listing;

/// The hash of the sources in a directory, or of those that a `.f` list names, over names and contents: 64 hexadecimal
/// digits.
pub fn hash(path: &Path) -> io::Result<String> {
    let Listing { files, others, .. } = Listing::of(path)?;
    let root = if path.is_file() { path.parent().unwrap_or(path) } else { path };
    let mut sums = Vec::new();
    for file in files.iter().chain(&others) {
        // A list may name files elsewhere; their name is what the list says.
        let name = file.strip_prefix(root).unwrap_or(file).to_string_lossy().into_owned();
        sums.push((name, hex(&Hash::hash(&fs::read(file)?))));
    }
    sums.sort();
    sums.dedup();
    let mut list = Hash::new();
    for (name, sum) in sums {
        list.update(format!("{sum}  {name}\n"));
    }
    Ok(hex(&list.finalize()))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}"); // a String takes everything
        text
    })
}
