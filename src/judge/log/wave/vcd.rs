// SPDX-License-Identifier: MIT OR Apache-2.0
//! Checks that a VCD is whole: what is left of its last line would be read as a change of another signal.

use std::{
    fs::File,
    io::{self, Read, Seek, SeekFrom},
    path::Path,
};

use super::WaveError;

/// More than the length of any last line of a VCD.
const TAIL: u64 = 1 << 16;

/// Refuses a VCD that is cut off within a line. The file is at its beginning afterwards.
pub(crate) fn whole(file: &mut File, path: &Path) -> Result<(), WaveError> {
    let found = cut(file).and_then(|found| file.rewind().map(|()| found));
    match found.map_err(|error| WaveError::Open { path: path.to_owned(), error })? {
        Some(message) => Err(WaveError::Malformed { path: path.to_owned(), message }),
        None => Ok(()),
    }
}

/// Where a VCD is cut off within a line, if it is. A cut at the end of a line cannot be noticed.
fn cut(file: &mut File) -> io::Result<Option<String>> {
    let mut kind = [0];
    file.seek(SeekFrom::Start(0))?;
    // Other formats begin with a byte that is not text, and are checked already.
    if file.read(&mut kind)? == 0 || kind[0] < b'\t' || kind[0] > 0x7e {
        return Ok(None);
    }
    let length = file.seek(SeekFrom::End(0))?;
    file.seek(SeekFrom::Start(length.saturating_sub(TAIL)))?;
    let mut tail = Vec::new();
    file.by_ref().take(TAIL).read_to_end(&mut tail)?;
    let last = tail.rsplit(|&byte| byte == b'\n').next().unwrap_or_default().trim_ascii();
    let whole = match last.first() {
        None => true,
        Some(b'b' | b'B' | b'r' | b'R' | b's' | b'S') => last.split(u8::is_ascii_whitespace).count() > 1,
        Some(b'$') => last.ends_with(b"$end"),
        Some(_) => last.len() > 1,
    };
    let text = String::from_utf8_lossy(&last[..last.len().min(40)]).into_owned();
    // A header that is cut off leaves nothing to read.
    let rest = if last.starts_with(b"$") { "" } else { "; without it the rest can be read" };
    let at = length - last.len() as u64;
    Ok((!whole).then(|| format!("it is cut off in its last line, at byte {at}: `{text}`{rest}")))
}
