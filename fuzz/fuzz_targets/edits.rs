// SPDX-License-Identifier: MIT OR Apache-2.0
//! Files that are nearly right. Bytes at will seldom come past a reader's first line; edits of a whole file do.

/// A file for some bytes of a fuzzer: they themselves, or one of the samples as they edit it.
pub fn file(samples: &[&[u8]], data: &[u8]) -> Vec<u8> {
    let Some((&first, rest)) = data.split_first() else { return Vec::new() };
    match first {
        0..0x20 => rest.to_vec(),
        _ => edited(samples, usize::from(first), rest),
    }
}

/// The sample after up to eight edits, each of which takes five bytes and what it puts in.
fn edited(samples: &[&[u8]], number: usize, data: &[u8]) -> Vec<u8> {
    let mut file = samples[number % samples.len()].to_vec();
    let mut data = data;
    for _ in 0..8 {
        let [what, high, low, long, rest @ ..] = data else { break };
        let at = (usize::from(*high) << 8 | usize::from(*low)) % (file.len() + 1);
        let end = (at + usize::from(*long)).min(file.len());
        data = rest;
        match what % 6 {
            0 => drop(file.drain(at..end)),
            // A part of a file is put in the place of another one: fields twice, lines in another order.
            1 => {
                let other = samples[usize::from(*what) / 6 % samples.len()];
                let from = other.len() * usize::from(*long) / 256;
                let part = &other[from..(from + 40).min(other.len())];
                file.splice(at..at, part.iter().copied());
            }
            2 => {
                let twice = file[at..end].to_vec();
                file.splice(end..end, twice);
            }
            3 => file.truncate(at.max(file.len() / 2)),
            // Numbers at the edges of what they may be.
            4 => {
                const NUMBERS: [&[u8]; 8] = [
                    b"0",
                    b"-1",
                    b"4294967296",
                    b"18446744073709551615",
                    b"1e400",
                    b"0xffffffffffffffff",
                    b"65536",
                    b"0.5",
                ];
                let digits = file[at..].iter().position(u8::is_ascii_digit).map_or(file.len(), |place| at + place);
                let count = file[digits..].iter().take_while(|byte| byte.is_ascii_digit()).count();
                file.splice(digits..digits + count, NUMBERS[usize::from(*long) % 8].iter().copied());
            }
            _ => {
                let (new, rest) = data.split_at(data.len().min(usize::from(*long) % 8));
                data = rest;
                let end = (at + new.len()).min(file.len());
                file.splice(at..end, new.iter().copied());
            }
        }
    }
    file
}

/// The same as text.
#[allow(dead_code)]
pub fn text(samples: &[&[u8]], data: &[u8]) -> String {
    String::from_utf8_lossy(&file(samples, data)).into_owned()
}
