// SPDX-License-Identifier: MIT OR Apache-2.0
//! The names that an expression reads, and how it reads them.

use std::ops::Range;

use super::tokens::Token;

/// A name that an expression reads.
#[derive(Clone, Debug)]
pub struct Use {
    /// The name, without its package.
    pub name: String,
    /// The field of it that is read, if only one is.
    pub field: Option<String>,
    /// Its line.
    pub line: usize,
    /// Whether it is the whole value, so that a field of the result is a field of it.
    pub whole: bool,
    /// Whether it stands in an index, and so only selects.
    pub index: bool,
    /// In `'{key: ...}`: the field that it goes to.
    pub key: Option<String>,
    /// The arguments, if it is a call of a function.
    pub arguments: Option<Vec<Range<usize>>>,
}

/// The names that an expression reads.
pub fn uses(tokens: &[Token]) -> Vec<Use> {
    let text = |at: usize| tokens.get(at).map_or("", |token| &*token.text);
    let mut found = Vec::new();
    // The open brackets, and the key for those of a pattern.
    let mut open: Vec<(&str, Option<String>)> = Vec::new();
    for at in 0..tokens.len() {
        match text(at) {
            "(" | "[" | "{" | "'{" => open.push((text(at), None)),
            ")" | "]" | "}" => drop(open.pop()),
            _ => {}
        }
        let before = at.checked_sub(1).map_or("", text);
        if !tokens[at].is_name() || before == "." || text(at + 1) == "::" {
            continue;
        }
        if text(at + 1) == ":" && ["'{", ","].contains(&before) && open.last().is_some_and(|(kind, _)| *kind == "'{") {
            open.last_mut().expect("just seen").1 = Some(text(at).to_owned());
            continue;
        }
        // A cast.
        if text(at + 1) == "'" || (text(at + 1) == "'{" && before != ".") {
            continue;
        }
        let call = text(at + 1) == "(";
        let mut after = at + 1;
        let arguments = call.then(|| {
            let arguments = arguments(tokens, at + 1);
            after = arguments.last().map_or(at + 2, |last| last.end) + 1;
            arguments
        });
        let mut field = None;
        loop {
            match text(after) {
                "[" => after = closing(tokens, after) + 1,
                "." => {
                    field = field.or_else(|| Some(text(after + 1).to_owned()));
                    after += 2;
                }
                _ => break,
            }
        }
        let whole = ["", "?", ":", "(", "'{", ","].contains(&before) && ["", ":", ")", "}", ","].contains(&text(after));
        found.push(Use {
            name: text(at).to_owned(),
            field,
            line: tokens[at].line,
            whole: whole && open.iter().all(|(kind, key)| *kind == "(" || key.is_some()),
            index: open.iter().any(|(kind, _)| *kind == "["),
            key: open.iter().find_map(|(_, key)| key.clone()),
            arguments,
        });
    }
    found
}

/// The place of the bracket that closes the one at `at`.
pub fn closing(tokens: &[Token], at: usize) -> usize {
    let mut depth = 0;
    for (place, token) in tokens.iter().enumerate().skip(at) {
        match &*token.text {
            "(" | "[" | "{" | "'{" => depth += 1,
            ")" | "]" | "}" => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return place;
        }
    }
    tokens.len().saturating_sub(1)
}

/// The parts between the commas of the bracket that opens at `at`.
pub fn arguments(tokens: &[Token], at: usize) -> Vec<Range<usize>> {
    let end = closing(tokens, at);
    let (mut found, mut from, mut place) = (Vec::new(), at + 1, at + 1);
    while place < end {
        match &*tokens[place].text {
            "(" | "[" | "{" | "'{" => place = closing(tokens, place),
            "," => {
                found.push(from..place);
                from = place + 1;
            }
            _ => {}
        }
        place += 1;
    }
    if from < end {
        found.push(from..end);
    }
    found
}
