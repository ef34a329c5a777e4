// SPDX-License-Identifier: MIT OR Apache-2.0
//! The files that make up a unit: those of a directory and its subfolders, or those that a `.f` list names. The build
//! compiles them; the program computes their hash again.

use std::{
    collections::BTreeSet,
    fs, io,
    path::{Path, PathBuf},
};

/// The depth of nested folders; more is a link that leads back.
const DEEPEST: usize = 16;
/// The number of lists; more is a list that names itself.
const MOST_LISTS: usize = 64;

/// The sources that GPU_LSU_RTL names.
#[derive(Debug, Default)]
pub struct Listing {
    /// In the order of discovery, or of the list.
    pub files: Vec<PathBuf>,
    /// Folders in which included files are looked for.
    pub include_dirs: Vec<PathBuf>,
    /// `NAME` or `NAME=VALUE`.
    pub defines: Vec<String>,
    /// Files that count only for the hash: included files, and the lists themselves.
    pub others: Vec<PathBuf>,
    /// Whether `files` are in the order of a list, in which they must be read.
    pub ordered: bool,
}

impl Listing {
    /// # Errors
    ///
    /// The system's error, or what is not understood in a list.
    pub fn of(path: &Path) -> io::Result<Self> {
        let mut listing = Listing::default();
        if path.is_file() {
            if has_extension(path, &["sv", "v", "svh", "vh"]) {
                return Err(io::Error::other("it is a source: name its directory, or a .f list"));
            }
            listing.ordered = true;
            listing.list(path, &mut 0)?;
        } else {
            listing.folder(path, 0)?;
        }
        for paths in [&mut listing.files, &mut listing.others, &mut listing.include_dirs] {
            let mut seen = BTreeSet::new();
            paths.retain(|path| seen.insert(path.clone()));
        }
        Ok(listing)
    }

    /// Adds every source in a folder and its subfolders, by name; each folder is also one to include from.
    fn folder(&mut self, dir: &Path, depth: usize) -> io::Result<()> {
        if depth > DEEPEST {
            return Err(io::Error::other(format!(
                "`{}` is {DEEPEST} folders deep: a link that leads back?",
                dir.display()
            )));
        }
        let mut entries = fs::read_dir(dir)?.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>()?;
        entries.sort();
        self.include_dirs.push(dir.to_owned());
        for path in entries {
            let hidden = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
            if path.is_dir() && !hidden {
                self.folder(&path, depth + 1)?;
            } else if has_extension(&path, &["sv", "v", "vlt"]) {
                self.files.push(path);
            } else if has_extension(&path, &["svh", "vh"]) {
                self.others.push(path);
            }
        }
        Ok(())
    }

    /// Reads a list as simulators do: words that are a file, `+incdir+DIR`, `+define+NAME=VALUE`, `-f LIST` or `-F
    /// LIST`; `//` and `#` begin a comment. Paths are relative to the list.
    fn list(&mut self, path: &Path, lists: &mut usize) -> io::Result<()> {
        *lists += 1;
        if *lists > MOST_LISTS {
            return Err(io::Error::other(format!(
                "`{}` is the {MOST_LISTS}th list: one that names itself?",
                path.display()
            )));
        }
        let text = fs::read_to_string(path)?;
        self.others.push(path.to_owned());
        let dir = path.parent().unwrap_or(Path::new("."));
        for (number, line) in text.lines().enumerate() {
            let wrong = |what: String| io::Error::other(format!("`{}`, line {}: {what}", path.display(), number + 1));
            let line = line.split("//").next().unwrap_or_default();
            let line = if line.trim_start().starts_with('#') { "" } else { line };
            let mut words = line.split_whitespace();
            while let Some(word) = words.next() {
                if let Some(dirs) = word.strip_prefix("+incdir+") {
                    for include in dirs.split('+').filter(|include| !include.is_empty()) {
                        self.included(&dir.join(include)).map_err(|error| wrong(format!("`{include}`: {error}")))?;
                    }
                } else if let Some(defines) = word.strip_prefix("+define+") {
                    self.defines.extend(defines.split('+').map(str::to_owned));
                } else if word == "-f" || word == "-F" {
                    let Some(other) = words.next() else { return Err(wrong(format!("`{word}` without a list"))) };
                    self.list(&dir.join(other), lists).map_err(|error| wrong(format!("`{other}`: {error}")))?;
                } else if word.starts_with(['-', '+']) {
                    return Err(wrong(format!("`{word}` is not understood: files, +incdir+, +define+, -f and -F are")));
                } else {
                    let file = dir.join(word);
                    fs::metadata(&file).map_err(|error| wrong(format!("`{word}`: {error}")))?;
                    self.files.push(file);
                }
            }
        }
        Ok(())
    }

    /// Adds a folder to include from; any of its files may be included.
    fn included(&mut self, dir: &Path) -> io::Result<()> {
        let mut entries = fs::read_dir(dir)?.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>()?;
        entries.sort();
        self.include_dirs.push(dir.to_owned());
        self.others.extend(entries.into_iter().filter(|path| has_extension(path, &["sv", "v", "svh", "vh"])));
        Ok(())
    }
}

pub fn has_extension(path: &Path, extensions: &[&str]) -> bool {
    path.extension().is_some_and(|found| extensions.iter().any(|extension| found == *extension))
}
