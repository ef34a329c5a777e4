// SPDX-License-Identifier: MIT OR Apache-2.0
//! Any bytes are a log that is judged, or an error with its line. `cargo +nightly fuzz run log`
#![no_main]

use gpu_lsu::judge::{
    Judge, Promises,
    log::lines::{ReadError, Reader},
};
use libfuzzer_sys::fuzz_target;

mod edits;

const SAMPLES: &[&[u8]] = &[include_bytes!("../samples/log.jsonl")];

fuzz_target!(|data: &[u8]| {
    let bytes = edits::file(SAMPLES, data);
    let lines = bytes.iter().filter(|&&byte| byte == b'\n').count() + 1;
    let Ok(reader) = Reader::new(&bytes[..]) else { return };
    for record in reader {
        match record {
            Ok(record) => {
                let mut judge = Judge::new(&record.header.unit);
                let _ = record.judge(&mut judge, Promises::default());
            }
            Err(ReadError::Line { line, .. }) => {
                assert!((1..=lines).contains(&line));
                break;
            }
            Err(ReadError::Io(error)) => unreachable!("a slice is read: {error}"),
        }
    }
});
