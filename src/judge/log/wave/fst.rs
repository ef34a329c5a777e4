// SPDX-License-Identifier: MIT OR Apache-2.0
//! Checks whether the lengths that an FST states can be true. Its reader allocates whatever they say, and a process
//! that asks for too much memory ends. Some lengths also lead the reader back in the file, for ever.

use std::io::{self, Error, Read, Seek, SeekFrom};

/// The most bytes that one compressed byte can become, with zlib and with LZ4; and what small blocks have beyond that.
const RATIO: u64 = 1032;
const SLACK: u64 = 1024;
/// More signals than any design has. A few words of memory for each of them do no harm.
const SIGNALS: u64 = 1 << 26;

/// Checks every block of a file, if it is an FST.
///
/// # Errors
///
/// A file that cannot be read, or that states impossible lengths.
pub fn check(mut file: impl Read + Seek) -> io::Result<()> {
    let end = file.seek(SeekFrom::End(0))?;
    let mut at = 0;
    while at < end {
        file.seek(SeekFrom::Start(at))?;
        let kind = byte(&mut file)?;
        match (at, kind) {
            (0, 254) => return Err(Error::other("an FST that is compressed as a whole is not read")),
            // Code that looks for blocks would take it for a block of a longer file.
            (0, 1..=8 | 255) => return Err(Error::other("it is no VCD, and no FST, which begins with its header")),
            // The file has another format.
            (0, 9..) => return Ok(()),
            _ => {}
        }
        let length = number(&mut file)?;
        if (kind, length) == (255, 0) {
            return Ok(());
        }
        let next = at.checked_add(1).and_then(|at| at.checked_add(length)).filter(|&next| next <= end);
        let Some(next) = next.filter(|_| length >= 8) else {
            return Err(Error::other(format!("the block at byte {at} has not the {length} bytes that it states")));
        };
        if !block(&mut file, kind, length, next)? {
            return Err(Error::other(format!("the block at byte {at} states sizes that it cannot have")));
        }
        at = next;
    }
    Ok(())
}

/// Whether a block's lengths can be true. The file is positioned after the block's length.
fn block(file: &mut (impl Read + Seek), kind: u8, length: u64, next: u64) -> io::Result<bool> {
    let fits =
        |whole: u64, packed: u64| packed <= length && whole <= packed.saturating_mul(RATIO).saturating_add(SLACK);
    Ok(match kind {
        // Value changes: a frame of first values, the changes, and the times at the end.
        1 | 5 | 8 => {
            if length < 7 * 8 {
                return Ok(false);
            }
            file.seek_relative(3 * 8)?;
            let (whole, packed, signals) = (varint(file)?, varint(file)?, varint(file)?);
            if !fits(whole, packed) || signals > SIGNALS {
                return Ok(false);
            }
            file.seek_relative(packed as i64)?;
            let changing = varint(file)?;
            file.seek(SeekFrom::Start(next - 3 * 8))?;
            let (whole, packed, times) = (number(file)?, number(file)?, number(file)?);
            changing <= SIGNALS && fits(whole, packed) && times <= whole
        }
        2 => varint(file)? <= length,
        // Widths.
        3 => {
            let (whole, signals) = (number(file)?, number(file)?);
            length >= 3 * 8 && fits(whole, length - 3 * 8) && signals <= whole
        }
        // Names.
        4 | 6 => length >= 2 * 8 && fits(number(file)?, length - 2 * 8),
        // Names, compressed twice.
        7 => {
            let (whole, once) = (number(file)?, varint(file)?);
            fits(once, length) && whole <= once.saturating_mul(RATIO).saturating_add(SLACK)
        }
        _ => true,
    })
}

fn byte(file: &mut impl Read) -> io::Result<u8> {
    let mut byte = [0];
    file.read_exact(&mut byte)?;
    Ok(byte[0])
}

fn number(file: &mut impl Read) -> io::Result<u64> {
    let mut bytes = [0; 8];
    file.read_exact(&mut bytes)?;
    Ok(u64::from_be_bytes(bytes))
}

/// Reads seven bits from each byte, the lowest first, as long as the eighth bit is set.
fn varint(file: &mut impl Read) -> io::Result<u64> {
    let mut value = 0;
    for shift in (0..64).step_by(7) {
        let byte = byte(file)?;
        value |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Ok(value);
        }
    }
    Err(Error::other("a number without an end"))
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::check;

    #[test]
    fn a_block_that_leads_back_is_refused() {
        // Read with a sign, the length is -1, and leads back for ever.
        for kind in [0, 1, 8, 255] {
            let mut bytes = vec![kind];
            bytes.extend([0xff; 8]);
            bytes.extend([0; 20]);
            assert!(check(Cursor::new(bytes)).is_err(), "{kind}");
        }
        check(Cursor::new("$timescale 1 ns $end")).unwrap();
    }
}
