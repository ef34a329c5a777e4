// SPDX-License-Identifier: MIT OR Apache-2.0
//! Any bytes are a wave of a unit's ports that is judged, or an error. `cargo +nightly fuzz run vcd`
#![no_main]

use std::{fs, panic, path::PathBuf, sync::LazyLock};

use gpu_lsu::{
    judge::log::wave::{self, Names},
    wave::compare,
};
use libfuzzer_sys::fuzz_target;

mod edits;

const SAMPLES: &[&[u8]] = &[include_bytes!("../samples/ports.vcd")];

/// In memory, where there is a folder for that.
static FILE: LazyLock<PathBuf> = LazyLock::new(|| {
    let shared = PathBuf::from("/dev/shm");
    let folder = if shared.is_dir() { shared } else { std::env::temp_dir() };
    folder.join(format!("gpu-lsu-fuzz-{}.vcd", std::process::id()))
});

fuzz_target!(
    // The library under the reader panics on damaged files, which the reader turns into errors. A panic that leaves the reader
    // ends the run all the same.
    init: panic::set_hook(Box::new(|_| ())),
    |data: &[u8]| {
        fs::write(&*FILE, edits::file(SAMPLES, data)).unwrap();
        let _ = wave::read(&FILE, &Names::default());
        // It takes as long again, and most of it is the same reader.
        if data.len() % 8 == 0 {
            let _ = compare::compare(&FILE, &FILE, &compare::Options::default());
        }
    }
);
