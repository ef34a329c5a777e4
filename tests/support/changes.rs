// SPDX-License-Identifier: MIT OR Apache-2.0
//! The history of a wave's variable, for tests that read waves back.

use wellen::simple::Waveform;

/// The actual changes of a variable, with their times.
pub fn changes(wave: &mut Waveform, path: &str) -> Vec<(u64, String)> {
    let all: Vec<&str> = path.split('.').collect();
    let (name, scopes) = all.split_last().unwrap();
    let var = wave.hierarchy().lookup_var(scopes, *name).unwrap_or_else(|| panic!("no {path}"));
    let signal = wave.hierarchy()[var].signal_ref();
    wave.load_signals(&[signal]);
    let times = wave.time_table().to_vec();
    let values = wave.get_signal(signal).unwrap().iter_changes();
    let mut changes: Vec<_> = values.map(|(at, value)| (times[at as usize], value.to_string())).collect();
    changes.dedup_by(|later, earlier| later.1 == earlier.1);
    changes
}
