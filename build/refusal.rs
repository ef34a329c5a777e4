// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a unit that Verilator refuses says is wrong with itself.

/// The RTL's own errors (`$error` during elaboration), with their places. They come last, where a terminal shows them:
/// Verilator's other messages only follow from them, such as a zero width and a cast to it, and are long.
pub fn own_words(said: &str) -> String {
    let words = said.lines().filter_map(|line| {
        let (place, words) = line.split_once("USERERROR: ")?.1.split_once(": ")?;
        let (file_line, _column) = place.rsplit_once(':')?;
        Some(format!("\n  {words} ({file_line})"))
    });
    let words: String = words.collect();
    if words.is_empty() { words } else { format!("\n\nThe RTL itself says:{words}") }
}
