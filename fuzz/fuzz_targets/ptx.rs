// SPDX-License-Identifier: MIT OR Apache-2.0
//! Any text is a PTX module whose accesses are read, one after the other. `cargo +nightly fuzz run ptx`
#![no_main]

use gpu_lsu::sets::ptx::{self, Module};
use libfuzzer_sys::fuzz_target;

mod edits;

const SAMPLES: &[&[u8]] = &[include_bytes!("../../examples/spa5_saxpy.ptx"), include_bytes!("../samples/module.ptx")];

fuzz_target!(|data: &[u8]| {
    let text = edits::text(SAMPLES, data);
    let _ = ptx::is_module(&text);
    let mut module = Module::new(&text);
    let mut accesses = 0;
    while module.next_access().is_some() {
        accesses += 1;
        assert!(accesses <= text.len());
    }
    let _ = (module.target(), module.version());
});
