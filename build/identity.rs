// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the sources of a unit are, in one number; the build writes it into the program, which asks it again of a
//! directory that somebody names.
//!
//! It is the SHA-256 of a list of SHA-256s, so that anybody can take it with tools that are there:
//! `(cd rtl && sha256sum *.sv *.vlt | LC_ALL=C sort -k 2 | sha256sum)`.

use std::{fmt::Write, fs, io, path::Path};

use sha2::{Digest, Sha256};

/// The hash of the .sv, .v and .vlt files of a directory, names and contents, as 64 hexadecimal digits.
pub fn hash(dir: &Path) -> io::Result<String> {
    let mut files = Vec::new();
    for entry in fs::read_dir(dir)? {
        let path = entry?.path();
        if path.extension().is_some_and(|found| ["sv", "v", "vlt"].iter().any(|extension| found == *extension)) {
            files.push(path);
        }
    }
    files.sort();
    let mut list = Sha256::new();
    for file in files {
        list.update(format!("{}  {}\n", hex(&Sha256::digest(fs::read(&file)?)), name(&file)));
    }
    Ok(hex(&list.finalize()))
}

fn name(file: &Path) -> String {
    file.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}"); // a String takes everything
        text
    })
}
