// SPDX-License-Identifier: MIT OR Apache-2.0
//! A file that appears at its path only when it is whole.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, BufWriter, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
    process,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicU32, Ordering},
    },
};

#[cfg(feature = "rtl")]
use tempfile::TempPath;

/// Written beside its path under another name; [`Output::finish`] moves it there. Dropped before, it leaves nothing.
///
/// What is no ordinary file (a pipe, `/dev/null`) is written directly.
pub(crate) struct Output {
    file: BufWriter<File>,
    part: Option<Part>,
}

/// Files under their other names that are still written.
static PARTS: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Removes what is written and not finished, as this process ends here. Nothing can be made after it.
pub(crate) fn abandon() {
    let parts = PARTS.lock().unwrap_or_else(PoisonError::into_inner);
    for part in &*parts {
        let _ = fs::remove_file(part); // nobody to tell
    }
    // Whoever makes another one waits for ever.
    std::mem::forget(parts);
}

/// A file under its other name, and the path it is meant for.
struct Part {
    from: PathBuf,
    to: PathBuf,
}

impl Drop for Part {
    fn drop(&mut self) {
        // Nothing to remove once it has moved, and nobody to tell if it cannot be removed.
        let _ = fs::remove_file(&self.from);
        PARTS.lock().unwrap_or_else(PoisonError::into_inner).retain(|part| *part != self.from);
    }
}

impl Output {
    pub(crate) fn create(path: &Path) -> io::Result<Self> {
        let to = match fs::metadata(path) {
            Ok(found) if found.is_dir() => return Err(io::ErrorKind::IsADirectory.into()),
            Ok(found) if !found.is_file() => {
                let file = OpenOptions::new().write(true).open(path)?;
                return Ok(Output { file: BufWriter::new(file), part: None });
            }
            // A link keeps pointing at what it points at.
            Ok(_) => fs::canonicalize(path)?,
            Err(_) if path.file_name().is_none() => return Err(io::ErrorKind::InvalidInput.into()),
            Err(_) => path.to_owned(),
        };
        let (file, from) = beside(&to)?;
        Ok(Output { file: BufWriter::new(file), part: Some(Part { from, to }) })
    }

    /// Whether something can be written there, as far as that is seen without it. A pipe is not opened: whoever reads it
    /// would see its end.
    #[cfg(feature = "rtl")]
    pub(crate) fn room(path: &Path) -> io::Result<()> {
        #[cfg(unix)]
        if fs::metadata(path).is_ok_and(|found| std::os::unix::fs::FileTypeExt::is_fifo(&found.file_type())) {
            return Ok(());
        }
        Output::create(path).map(drop)
    }

    pub(crate) fn finish(mut self) -> io::Result<()> {
        self.file.flush()?;
        match &self.part {
            Some(part) => fs::rename(&part.from, &part.to),
            None => Ok(()),
        }
    }

    /// The same where nothing is yet: a file that somebody else put there meanwhile stays, and is an error.
    #[cfg(feature = "rtl")]
    pub(crate) fn finish_new(mut self) -> io::Result<()> {
        self.file.flush()?;
        match &self.part {
            Some(part) => TempPath::try_from_path(&part.from)?.persist_noclobber(&part.to).map_err(|error| error.error),
            None => Ok(()),
        }
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// What is no ordinary file may refuse.
impl Seek for Output {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file.seek(to)
    }
}

/// A new file in the folder of `path`.
fn beside(path: &Path) -> io::Result<(File, PathBuf)> {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let mut parts = PARTS.lock().unwrap_or_else(PoisonError::into_inner);
    loop {
        let name = format!(".gpu-lsu-{}-{}.part", process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let from = path.with_file_name(name);
        match OpenOptions::new().write(true).create_new(true).open(&from) {
            // Left by a process of the same number that was killed.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            opened => {
                let file = opened?;
                parts.push(from.clone());
                return Ok((file, from));
            }
        }
    }
}
