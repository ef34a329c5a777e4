// SPDX-License-Identifier: MIT OR Apache-2.0
//! What speaks to the preprocessor. Of `` `ifdef `` both sides are read: which one was built is not known here.

use super::super::tokens::Token;

/// They reach to the end of their line.
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
/// A name follows.
const NAMED: [&str; 3] = ["`ifdef", "`ifndef", "`elsif"];
/// They stand alone.
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

/// The words without directives; macros that are used stay.
pub(super) fn without(words: Vec<Token>) -> Vec<Token> {
    let mut left = Vec::with_capacity(words.len());
    let mut words = words.into_iter().peekable();
    while let Some(word) = words.next() {
        if LINES.contains(&&*word.text) {
            // A backslash at its end continues a line.
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
