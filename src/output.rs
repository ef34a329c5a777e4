// SPDX-License-Identifier: MIT OR Apache-2.0
//! A file that appears at its path only when it is complete.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, BufWriter, Read, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
    process,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicU32, Ordering},
    },
};

#[cfg(feature = "rtl")]
use tempfile::TempPath;

/// A file under a temporary name beside its path; [`Output::finish`] renames it. If dropped before that, it leaves
/// nothing behind.
///
/// A path that is no regular file (a pipe, `/dev/null`) is written directly.
pub(crate) struct Output {
    file: BufWriter<File>,
    part: Option<Part>,
}

/// The temporary files and folders that are still being written.
static PARTS: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Removes every unfinished file and folder, since this process ends here. No output can be created after it.
pub(crate) fn abandon() {
    let parts = PARTS.lock().unwrap_or_else(PoisonError::into_inner);
    for part in &*parts {
        // Somebody may just be adding a file to the folder.
        let gone = || fs::remove_file(part).is_ok() || fs::remove_dir_all(part).is_ok();
        let _ = gone() || gone(); // nobody to report it to
    }
    // Never unlocked: a thread that creates another output blocks for ever.
    std::mem::forget(parts);
}

/// A folder under a temporary name. If dropped before it is renamed, it leaves nothing behind.
#[cfg(feature = "rtl")]
pub(crate) struct Folder(PathBuf);

#[cfg(feature = "rtl")]
impl Folder {
    pub(crate) fn create(path: PathBuf) -> io::Result<Self> {
        let mut parts = PARTS.lock().unwrap_or_else(PoisonError::into_inner);
        fs::create_dir(&path)?;
        parts.push(path.clone());
        Ok(Folder(path))
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }
}

#[cfg(feature = "rtl")]
impl Drop for Folder {
    fn drop(&mut self) {
        // A renamed folder is not there any more; a failure to remove one cannot be reported.
        let _ = fs::remove_dir_all(&self.0);
        forget(&self.0);
    }
}

/// Whether a file is there that does not begin as those of this program do, with `ours`: a user made it, and keeps it.
pub(crate) fn is_somebodys(path: &Path, ours: &str) -> bool {
    let mut first = vec![0; ours.len()];
    // Of a pipe nothing is read: it may have no writer.
    path.is_file()
        && File::open(path).is_ok_and(|mut file| file.read_exact(&mut first).is_err() || first != ours.as_bytes())
}

/// The temporary name of a file, and the path that it is meant for.
struct Part {
    from: PathBuf,
    to: PathBuf,
}

impl Drop for Part {
    fn drop(&mut self) {
        // After the rename nothing is left to remove; a failure has nobody to report it to.
        let _ = fs::remove_file(&self.from);
        forget(&self.from);
    }
}

fn forget(part: &Path) {
    PARTS.lock().unwrap_or_else(PoisonError::into_inner).retain(|other| other != part);
}

impl Output {
    pub(crate) fn create(path: &Path) -> io::Result<Self> {
        let to = match fs::metadata(path) {
            Ok(found) if found.is_dir() => return Err(io::ErrorKind::IsADirectory.into()),
            Ok(found) if !found.is_file() => {
                let file = OpenOptions::new().write(true).open(path)?;
                return Ok(Output { file: BufWriter::new(file), part: None });
            }
            // Follows a symbolic link, so that the link stays and its target is replaced.
            Ok(_) => fs::canonicalize(path)?,
            Err(_) if path.file_name().is_none() => return Err(io::ErrorKind::InvalidInput.into()),
            Err(_) => path.to_owned(),
        };
        let (file, from) = beside(&to)?;
        Ok(Output { file: BufWriter::new(file), part: Some(Part { from, to }) })
    }

    /// Checks that an output can be created at `path`, as far as that shows without writing it. A pipe is not opened,
    /// since its reader would see the end of the file.
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

    /// Like [`Output::finish`], but fails if a file exists at the path, such as one that another process put there
    /// meanwhile.
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

/// Fails for files that cannot seek, such as pipes.
impl Seek for Output {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file.seek(to)
    }
}

/// Creates a temporary file in the folder of `path`.
fn beside(path: &Path) -> io::Result<(File, PathBuf)> {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let mut parts = PARTS.lock().unwrap_or_else(PoisonError::into_inner);
    loop {
        let name = format!(".gpu-lsu-{}-{}.part", process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let from = path.with_file_name(name);
        match OpenOptions::new().write(true).create_new(true).open(&from) {
            // Left behind by a killed process with the same id.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            opened => {
                let file = opened?;
                parts.push(from.clone());
                return Ok((file, from));
            }
        }
    }
}
