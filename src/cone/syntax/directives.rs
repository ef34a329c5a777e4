// SPDX-License-Identifier: MIT OR Apache-2.0
//! Preprocessor directives. Both sides of an `` `ifdef `` are read, since it is not known here which one was built.

use super::super::tokens::Token;

/// Directives that reach to the end of their line.
const LINES: [&str; 9] = [
    "`define",
    "`undef",
    "`include",
    "`timescale",
    "`line",
    "`pragma",
    "`default_nettype",
    "`unconnected_drive",
    "`begin_keywords",
];
/// Directives with a name.
const NAMED: [&str; 3] = ["`ifdef", "`ifndef", "`elsif"];
/// Directives that stand alone.
const ALONE: [&str; 8] = [
    "`else",
    "`endif",
    "`resetall",
    "`undefineall",
    "`celldefine",
    "`endcelldefine",
    "`nounconnected_drive",
    "`end_keywords",
];

/// The words without directives; uses of macros stay.
pub(super) fn without(words: Vec<Token>) -> Vec<Token> {
    let mut left = Vec::with_capacity(words.len());
    let mut words = words.into_iter().peekable();
    while let Some(word) = words.next() {
        if LINES.contains(&&*word.text) {
            // A backslash at the end continues a line.
            let mut line = word.line;
            while let Some(more) = words.next_if(|more| more.line <= line) {
                line = more.line + usize::from(more.text == "\\");
            }
        } else if NAMED.contains(&&*word.text) {
            words.next();
        } else if !ALONE.contains(&&*word.text) {
            left.push(word);
        }
    }
    left
}
