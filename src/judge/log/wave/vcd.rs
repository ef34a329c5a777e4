// SPDX-License-Identifier: MIT OR Apache-2.0
//! Checks that a VCD is whole and that its time goes on. What is left of its last line would be read as something else,
//! and the reader of waves leaves out what comes after a step back, with a word on standard output.

use std::{
    fs::File,
    io::{self, BufRead, BufReader, Read, Seek, SeekFrom},
    path::Path,
};

use super::WaveError;

/// More than the length of any last line of a VCD.
const TAIL: u64 = 1 << 16;

/// Refuses a VCD that is cut off within a line, or whose time goes back. The file is at its beginning afterwards.
pub(crate) fn whole(file: &mut File, path: &Path) -> Result<(), WaveError> {
    let found = wrong(file).and_then(|found| file.rewind().map(|()| found));
    match found.map_err(|error| WaveError::Open { path: path.to_owned(), error })? {
        Some(message) => Err(WaveError::Malformed { path: path.to_owned(), message }),
        None => Ok(()),
    }
}

fn wrong(file: &mut File) -> io::Result<Option<String>> {
    let mut first = Vec::new();
    file.rewind()?;
    file.by_ref().take(TAIL).read_to_end(&mut first)?;
    // What begins with anything but a command is no VCD.
    if !first.trim_ascii_start().starts_with(b"$") {
        return Ok(None);
    }
    match cut(file)? {
        Some(message) => Ok(Some(message)),
        None => back(file),
    }
}

/// Where a VCD is cut off within a line, if it is. A cut at the end of a line cannot be noticed.
fn cut(file: &mut File) -> io::Result<Option<String>> {
    let length = file.seek(SeekFrom::End(0))?;
    file.seek(SeekFrom::Start(length.saturating_sub(TAIL)))?;
    let mut tail = Vec::new();
    file.by_ref().take(TAIL).read_to_end(&mut tail)?;
    let last = tail.rsplit(|&byte| byte == b'\n').next().unwrap_or_default();
    if last.is_empty() {
        return Ok(None);
    }
    let text = String::from_utf8_lossy(&last[..last.len().min(40)]).into_owned();
    // A header that is cut off leaves nothing to read.
    let rest = if last.starts_with(b"$") { "" } else { "; without it the rest can be read" };
    let at = length - last.len() as u64;
    Ok(Some(format!("it is cut off in its last line, at byte {at}: `{text}`{rest}")))
}

/// Where a VCD's time goes back, if it does.
fn back(file: &mut File) -> io::Result<Option<String>> {
    file.rewind()?;
    let mut lines = BufReader::with_capacity(1 << 16, file);
    let (mut line, mut number, mut last) = (Vec::new(), 0_u64, None);
    while lines.read_until(b'\n', &mut line)? > 0 {
        number += 1;
        let time = line.strip_prefix(b"#").and_then(|time| str::from_utf8(time.trim_ascii()).ok()?.parse::<u64>().ok());
        if let Some(time) = time {
            if let Some(before) = last.filter(|&before| before > time) {
                return Ok(Some(format!("its time goes back from {before} to {time}, in line {number}")));
            }
            last = Some(time);
        }
        line.clear();
    }
    Ok(None)
}
