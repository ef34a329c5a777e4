// SPDX-License-Identifier: MIT OR Apache-2.0
//! Any text is a capsule that can be written again, or an error. `cargo +nightly fuzz run --features rtl capsule`
#![no_main]

use gpu_lsu::cosim::capsule::Capsule;
use libfuzzer_sys::fuzz_target;

mod edits;

// It has no checksum, which would keep out every edit.
const SAMPLES: &[&[u8]] = &[include_bytes!("../samples/capsule.toml")];

fuzz_target!(|data: &[u8]| {
    let text = edits::text(SAMPLES, data);
    if let Ok(capsule) = Capsule::from_text(&text) {
        assert_eq!(Capsule::from_text(&capsule.to_text()).unwrap(), capsule);
    }
});
