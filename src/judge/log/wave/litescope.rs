// SPDX-License-Identifier: MIT OR Apache-2.0
//! LiteScope, the logic analyser of many boards with an ECP5, writes scopes without a kind, `$scope NAME $end`, and
//! ends them with `$unscope`. Viewers accept this; the reader of waves does not.

use std::{
    fs::File,
    io::{self, BufRead, BufReader, Read, Seek, Write},
};

/// The most bytes of a header before its scope.
const HEAD: u64 = 1 << 14;

/// Rewrites a VCD of LiteScope in the standard's form; none if it is not LiteScope's.
///
/// # Errors
///
/// An input that cannot be read, or no room for another file.
pub fn mended(file: &mut File) -> io::Result<Option<File>> {
    let head = BufReader::new(Read::take(&mut *file, HEAD));
    let is_one = head.split(b'\n').map_while(Result::ok).any(|line| name(&line).is_some());
    file.rewind()?;
    if !is_one {
        return Ok(None);
    }
    let mut mended = tempfile::tempfile()?;
    let (mut from, mut line) = (BufReader::new(file), Vec::new());
    while from.read_until(b'\n', &mut line)? > 0 && !line.starts_with(b"$enddefinitions") {
        match name(&line) {
            Some(name) => mended.write_all(&[b"$scope module ", name, b" $end\n"].concat())?,
            None if line.starts_with(b"$unscope") => mended.write_all(b"$upscope $end\n")?,
            None => mended.write_all(&line)?,
        }
        line.clear();
    }
    mended.write_all(&line)?;
    io::copy(&mut from, &mut mended)?;
    mended.rewind()?;
    Ok(Some(mended))
}

/// The name of a scope without a kind.
fn name(line: &[u8]) -> Option<&[u8]> {
    let words: Vec<_> = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).collect();
    match words[..] {
        [b"$scope", name, b"$end"] => Some(name),
        _ => None,
    }
}
