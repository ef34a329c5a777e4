// SPDX-License-Identifier: MIT OR Apache-2.0
//! Any bytes are a campaign's result, or an error with line and column; what is read is written as it was.
//! `cargo +nightly fuzz run result`
#![no_main]

use gpu_lsu::regress::Results;
use libfuzzer_sys::fuzz_target;
use sha2::{Digest, Sha256};

mod edits;

const SAMPLES: &[&[u8]] = &[include_bytes!("../samples/result.json")];
const DIGEST: &[u8] = b"\n\"digest\":\"";

/// With the digest that belongs to it, as far as it has a place for one: without, no edit comes past the digest.
fn signed(mut file: Vec<u8>) -> Vec<u8> {
    let Some(end) = file.windows(DIGEST.len()).rposition(|part| part == DIGEST) else { return file };
    let digits: String = Sha256::digest(&file[..=end])[..16].iter().map(|byte| format!("{byte:02x}")).collect();
    let from = end + DIGEST.len();
    let to = (from + digits.len()).min(file.len());
    file.splice(from..to, digits.bytes());
    file
}

fuzz_target!(|data: &[u8]| {
    let file = signed(edits::file(SAMPLES, data));
    match Results::read(&file) {
        Ok((results, _)) => {
            let text = results.to_text();
            let (again, _) = Results::read(text.as_bytes()).unwrap();
            assert_eq!(again.to_text(), text);
        }
        Err(error) => {
            assert!(error.line <= file.iter().filter(|&&byte| byte == b'\n').count() + 1);
        }
    }
});
