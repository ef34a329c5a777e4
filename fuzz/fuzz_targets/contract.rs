// SPDX-License-Identifier: MIT OR Apache-2.0
//! Any text is a contract, or an error. `cargo +nightly fuzz run contract`
#![no_main]

use gpu_lsu::{judge::promises, op::Shape};
use libfuzzer_sys::fuzz_target;

mod edits;

const SAMPLES: &[&[u8]] = &[
    b"lane_order = \"any\"\n\n[not_kept]\nPORT-MIN = \"a request for each lane\"\nPORT-RATE = \"one in two cycles\"\n",
    b"[unit]\nlanes = 32\nline_bytes = 64\nwarps = 8\npending = 16\nshared_bytes = 32768\n\n[latency]\ndone = 8\nrequest = 40\n",
];

fuzz_target!(|data: &[u8]| {
    let text = edits::text(SAMPLES, data);
    if let Ok((promises, stated)) = promises::read(&text) {
        let _ = stated.over(Shape::with_lanes(4)).problem();
        // What is promised is written into results and capsules, and read from there.
        let written = serde_json::to_string(&promises).unwrap();
        assert_eq!(serde_json::from_str::<promises::Promises>(&written).unwrap(), promises);
    }
});
