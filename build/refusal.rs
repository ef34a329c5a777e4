// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a unit that Verilator refuses says of itself.

/// What the RTL itself says is wrong (`$error` as it is elaborated), with its place. It comes last, where a terminal shows
/// it: what Verilator finds besides follows from it, a width of nothing, a cast to it, and is long.
pub fn own_words(said: &str) -> String {
    let words = said.lines().filter_map(|line| {
        let (place, words) = line.split_once("USERERROR: ")?.1.split_once(": ")?;
        let (file_line, _column) = place.rsplit_once(':')?;
        Some(format!("\n  {words} ({file_line})"))
    });
    let words: String = words.collect();
    if words.is_empty() { words } else { format!("\n\nThe RTL itself says:{words}") }
}
