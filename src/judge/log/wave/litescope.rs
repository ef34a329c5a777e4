// SPDX-License-Identifier: MIT OR Apache-2.0
//! LiteScope, the logic analyser of many boards with an ECP5, writes scopes of no kind, `$scope NAME $end`, and ends them
//! by `$unscope`. Viewers pass over that; the reader of waves refuses it.

use std::{
    fs::File,
    io::{self, BufRead, BufReader, Read, Seek, Write},
};

/// Bytes of a header at most before its scope.
const HEAD: u64 = 1 << 14;

/// A VCD as the standard has it, if it is one of LiteScope's.
///
/// # Errors
///
/// When it cannot be read, or there is no room for another.
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

/// What a scope of no kind is called.
fn name(line: &[u8]) -> Option<&[u8]> {
    let words: Vec<_> = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).collect();
    match words[..] {
        [b"$scope", name, b"$end"] => Some(name),
        _ => None,
    }
}
