// SPDX-License-Identifier: MIT OR Apache-2.0
//! Any text is a program, or has problems that point into it. `cargo +nightly fuzz run program`
#![no_main]

use gpu_lsu::program::Program;
use libfuzzer_sys::fuzz_target;

mod edits;

const SAMPLES: &[&[u8]] = &[
    include_bytes!("../../examples/spa5_worked.lsu"),
    include_bytes!("../../examples/spa5_saxpy.lsu"),
    include_bytes!("../../examples/r700_stages.lsu"),
    include_bytes!("../../examples/r700_clamp.lsu"),
    include_bytes!("../../examples/ptx_forms.lsu"),
    include_bytes!("../../examples/ptx_worked.lsu"),
    include_bytes!("../../examples/sm5_forms.lsu"),
    include_bytes!("../../examples/sm5_worked.lsu"),
];

fuzz_target!(|data: &[u8]| {
    let text = edits::text(SAMPLES, data);
    if let Err(error) = Program::parse("fuzz.lsu", &text) {
        assert!(!error.to_string().is_empty());
    }
});
