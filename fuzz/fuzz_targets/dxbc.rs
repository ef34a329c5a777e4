// SPDX-License-Identifier: MIT OR Apache-2.0
//! Any bytes are a container, or an error. `cargo +nightly fuzz run dxbc`
#![no_main]

use libfuzzer_sys::fuzz_target;

// Half of the inputs edit a container that is whole, so that the tokens are reached at all.
#[path = "../../tests/sm5/generate.rs"]
#[allow(dead_code)]
mod generate;

fuzz_target!(|data: &[u8]| {
    let _ = match data.split_first() {
        Some((0..0x80, rest)) => generate::read(&generate::edited(rest)),
        _ => generate::read(data),
    };
});
