// SPDX-License-Identifier: MIT OR Apache-2.0
//! A folder of vectors: written whole or not at all, and rejected if it was changed.

use std::{
    fs, io,
    path::{Path, PathBuf},
    sync::atomic::{AtomicBool, Ordering},
};

use super::{
    Set, bench,
    format::{Format, FormatError, Part},
    manifest::{self, Bank, Manifest, ManifestError, sha256},
    table::{self, Table, TableError},
};
use crate::output::Folder;

/// What to write.
pub struct Plan<'a> {
    pub formats: &'a [Format],
    /// The number of words per file; `None` for one file per table.
    pub depth: Option<usize>,
    /// Whether to add a bench.
    pub bench: bool,
    /// Set to end early.
    pub stop: &'a AtomicBool,
}

/// Why a folder cannot be written or read.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// The folder is not empty.
    #[error("the folder {} is not empty", .0.display())]
    NotEmpty(PathBuf),
    /// The path is not a folder.
    #[error("{} is no folder", .0.display())]
    NoFolder(PathBuf),
    /// An I/O error.
    #[error("`{}`: {error}", .path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The error.
        error: io::Error,
    },
    /// The manifest cannot be read or was changed.
    #[error("{}: {error}", .path.display())]
    Manifest {
        /// The file.
        path: PathBuf,
        /// The reason.
        error: ManifestError,
    },
    /// A file differs from its checksum in the manifest.
    #[error("{}: it was changed or cut after it was written: its SHA-256 is {found}, not {written}", .path.display())]
    Changed {
        /// The file.
        path: PathBuf,
        /// The checksum in the manifest.
        written: String,
        /// The checksum of the file.
        found: String,
    },
    /// A file is malformed.
    #[error("{}, {error}", .path.display())]
    Format {
        /// The file.
        path: PathBuf,
        /// The reason.
        error: FormatError,
    },
    /// Writing was interrupted.
    #[error("interrupted")]
    Interrupted,
    /// The tables do not fit together.
    #[error("{0}")]
    Table(#[from] TableError),
    /// The tables are not those of the unit in the manifest.
    #[error("{0}")]
    Unit(String),
}

fn io_error(path: &Path) -> impl FnOnce(io::Error) -> FolderError + '_ {
    |error| FolderError::Io { path: path.to_owned(), error }
}

/// Checks that vectors may be written to `dir`: it does not exist, or is an empty folder.
///
/// # Errors
///
/// When it is not empty, is not a folder, or cannot be made.
pub fn free(dir: &Path) -> Result<(), FolderError> {
    match fs::read_dir(dir) {
        Ok(mut entries) => match entries.next() {
            None => beside(dir).map(drop),
            Some(_) => Err(FolderError::NotEmpty(dir.to_owned())),
        },
        Err(error) if error.kind() == io::ErrorKind::NotFound => beside(dir).map(drop),
        Err(error) if error.kind() == io::ErrorKind::NotADirectory => Err(FolderError::NoFolder(dir.to_owned())),
        Err(error) => Err(io_error(dir)(error)),
    }
}

/// Writes a set and its manifest, to which it adds the tables.
///
/// # Errors
///
/// When the folder is not free, cannot be written, or `stop` is set; then nothing is written.
pub fn write(dir: &Path, set: &Set, manifest: &mut Manifest, plan: &Plan<'_>) -> Result<(), FolderError> {
    free(dir)?;
    let partial = beside(dir)?;
    let put = |name: &str, bytes: &[u8]| {
        let path = partial.path().join(name);
        fs::write(&path, bytes).map_err(io_error(&dir.join(name)))
    };
    for table in table::tables(set) {
        let mut files = Vec::new();
        for &format in plan.formats {
            for mut part in parts(&table, plan.depth) {
                if format == Format::Mem {
                    // `$readmemh` leaves words alone that are missing in the file, and surplus words are an error.
                    part.depth = part.rows.len().max(1);
                }
                if plan.stop.load(Ordering::Relaxed) {
                    return Err(FolderError::Interrupted);
                }
                let mut bytes = Vec::new();
                format.write(&part, &mut bytes).map_err(io_error(dir))?;
                let bank = plan.depth.map_or_else(String::new, |depth| format!(".{}", part.first / depth));
                let name = format!("{}{bank}.{}", table.name, format.extension());
                put(&name, &bytes)?;
                files.push(Bank { name, format, first: part.first, depth: part.depth, sha256: sha256(&bytes) });
            }
        }
        manifest.add(&table, files);
    }
    if plan.bench {
        for (name, text) in bench::files(set, manifest) {
            put(name, text.as_bytes())?;
        }
    }
    let text = manifest.to_text().map_err(|error| io_error(dir)(error.into()))?;
    put(manifest::NAME, text.as_bytes())?;
    if plan.stop.load(Ordering::Relaxed) {
        return Err(FolderError::Interrupted);
    }
    // An empty folder is replaced.
    match fs::remove_dir(dir) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(io_error(dir)(error)),
        _ => {}
    }
    fs::rename(partial.path(), dir).map_err(io_error(dir))
}

/// A folder under a temporary name beside `dir`.
fn beside(dir: &Path) -> Result<Folder, FolderError> {
    let name = dir.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let path = dir.with_file_name(format!(".{name}.{}", std::process::id()));
    Folder::create(path).map_err(io_error(dir))
}

/// The files of a table. A memory has one word at least.
fn parts(table: &Table, depth: Option<usize>) -> impl Iterator<Item = Part<'_>> {
    let count = table.rows.len().max(1);
    let depth = depth.unwrap_or(count);
    (0..count.div_ceil(depth)).map(move |bank| {
        let first = bank * depth;
        let rows = &table.rows[first.min(table.rows.len())..(first + depth).min(table.rows.len())];
        Part { table, first, rows, depth }
    })
}

/// Reads a folder; for each table, the files of the first format that it has.
///
/// # Errors
///
/// When anything in it is not as it was written.
pub fn read(dir: &Path) -> Result<(Manifest, Set), FolderError> {
    let path = dir.join(manifest::NAME);
    let text = fs::read_to_string(&path).map_err(io_error(&path))?;
    let manifest = Manifest::from_text(&text).map_err(|error| FolderError::Manifest { path, error })?;
    if let Some(problem) = manifest.unit.problem() {
        return Err(FolderError::Unit(problem));
    }
    let mut tables = Vec::new();
    for name in table::NAMES {
        let mut table = Table::empty(name, &manifest.unit);
        let Some(stored) = manifest.tables.iter().find(|stored| stored.name == name) else { continue };
        if stored.width != table.width() || stored.columns != table.columns {
            let what = format!("the columns of table `{name}` are not those of a unit with {}", manifest.unit);
            return Err(FolderError::Unit(what));
        }
        let first = stored.files.first().map(|file| file.format);
        for file in stored.files.iter().filter(|file| Some(file.format) == first) {
            let path = dir.join(&file.name);
            let bytes = fs::read(&path).map_err(io_error(&path))?;
            let found = sha256(&bytes);
            if found != file.sha256 {
                return Err(FolderError::Changed { path, written: file.sha256.clone(), found });
            }
            let text = String::from_utf8_lossy(&bytes);
            let rows = file.format.read(&text, &table).map_err(|error| FolderError::Format { path, error })?;
            table.rows.extend(rows);
        }
        table.rows.truncate(stored.rows);
        tables.push(table);
    }
    let set = table::set(manifest.unit, &tables)?;
    Ok((manifest, set))
}
