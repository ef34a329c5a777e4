// SPDX-License-Identifier: MIT OR Apache-2.0
//! The limits of a unit's parameters. The build script includes this file, too.

/// The most requests that a unit can have in flight (PENDING), and the number of request ids.
pub const MAX_PENDING: usize = 64;

/// What is wrong with LANES, LINE_BYTES, WARPS, PENDING and SHARED_BYTES, or `None` if such a unit can be built.
pub fn problem([lanes, line_bytes, warps, pending, shared_bytes]: [usize; 5]) -> Option<String> {
    if ![4, 8, 16, 32].contains(&lanes) {
        return Some(format!("LANES is 4, 8, 16 or 32, not {lanes}"));
    }
    if ![32, 64, 128].contains(&line_bytes) {
        return Some(format!("LINE_BYTES is 32, 64 or 128, not {line_bytes}"));
    }
    if !(1..=8).contains(&warps) {
        return Some(format!("WARPS is 1 to 8, not {warps}"));
    }
    // At most PENDING - 1 compare-and-stores are in flight at memory: a unit with one id could never send one.
    if !(2..=MAX_PENDING).contains(&pending) {
        return Some(format!("PENDING is 2 to {MAX_PENDING}, not {pending}"));
    }
    let sound = shared_bytes.is_power_of_two() && (8 * lanes..=1 << 20).contains(&shared_bytes);
    (!sound).then(|| format!("SHARED_BYTES is a power of two, {} to {}, not {shared_bytes}", 8 * lanes, 1 << 20))
}
