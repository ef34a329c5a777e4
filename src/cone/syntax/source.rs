// SPDX-License-Identifier: MIT OR Apache-2.0
//! A file's words, and where its statements, lists and blocks end.

use std::ops::Range;

use super::{
    super::tokens::Token,
    balance::{OUTSIDE, balance},
    directives,
};

/// A file's words.
pub(super) struct Source {
    words: Vec<Token>,
    /// By word: the place of the word that closes or opens it, or its own.
    pairs: Vec<usize>,
}

impl Source {
    pub fn new(words: Vec<Token>) -> Self {
        let (words, pairs) = balance(directives::without(words));
        Source { words, pairs }
    }

    pub fn len(&self) -> usize {
        self.words.len()
    }

    /// The text of a word; empty past the last one.
    pub fn text(&self, at: usize) -> &str {
        self.words.get(at).map_or("", |word| &word.text)
    }

    pub fn line(&self, at: usize) -> usize {
        self.words.get(at).map_or(0, |word| word.line)
    }

    pub fn is_name(&self, at: usize) -> bool {
        self.words.get(at).is_some_and(Token::is_name)
    }

    /// Whether `name:` stands here, which `begin:` is not.
    pub fn is_label(&self, at: usize) -> bool {
        self.is_name(at) && self.pair(at) == at && self.text(at + 1) == ":"
    }

    pub fn words(&self, range: Range<usize>) -> Vec<Token> {
        self.words.get(range).unwrap_or_default().to_vec()
    }

    /// The place of the word that closes or opens this one, or its own.
    pub fn pair(&self, at: usize) -> usize {
        self.pairs.get(at).copied().unwrap_or(at)
    }

    /// The place behind a word, or behind the bracket that it opens.
    pub fn past(&self, at: usize) -> usize {
        let bracket = ["(", "[", "{", "'{"].contains(&self.text(at));
        if bracket { self.pair(at) + 1 } else { at + 1 }
    }

    /// The place behind a word; its own if it closes something.
    pub fn past_word(&self, at: usize) -> usize {
        let closes = at >= self.len() || self.pair(at) < at;
        if closes { at } else { self.past(at) }
    }

    /// The place behind `#1.5`, `@(posedge clk)`, `wait (ready)`.
    pub fn past_delay(&self, at: usize) -> usize {
        let mut after = self.past_word(at + 1);
        while self.text(after) == "." {
            after = self.past_word(after + 1);
        }
        after
    }

    /// The place behind a name and its package, indices, fields and parameters.
    pub fn past_path(&self, at: usize) -> usize {
        let mut after = self.past_word(at);
        loop {
            after = match self.text(after) {
                "::" | "." | "#" => self.past_word(after + 1),
                "[" => self.past(after),
                _ => return after,
            };
        }
    }

    /// The contents of the bracket that opens here, if one does.
    pub fn inside(&self, at: usize, opener: &str) -> Option<Range<usize>> {
        (self.text(at) == opener).then(|| at + 1..self.pair(at))
    }

    /// The place of the next of these words outside brackets, at most where the statement ends.
    pub fn until(&self, mut at: usize, stops: &[&str]) -> usize {
        while !stops.contains(&self.text(at)) && !self.ends(at) {
            at = self.past(at);
        }
        at
    }

    /// Whether a statement ends here, even if its semicolon is missing.
    fn ends(&self, at: usize) -> bool {
        at >= self.len() || self.text(at) == ";" || self.pair(at) < at || OUTSIDE.contains(&self.text(at))
    }

    /// The place behind the next semicolon.
    pub fn past_semicolon(&self, at: usize) -> usize {
        let end = self.until(at, &[]);
        end + usize::from(self.text(end) == ";")
    }

    /// The place behind a block and the name after it.
    pub fn past_block(&self, at: usize) -> usize {
        let after = self.pair(at) + 1;
        if self.text(after) == ":" { self.past_word(after + 1) } else { after }
    }

    /// The place behind a statement that is skipped, and behind what follows its `else`.
    pub fn past_statement(&self, mut at: usize) -> usize {
        let is_do = self.text(at) == "do";
        // The number of statements that may still have an `else`.
        let mut open = 0;
        loop {
            at = self.until(at, &["else", "if", "assert", "assume", "cover", "expect"]);
            match self.text(at) {
                "else" if open > 0 => {
                    open -= 1;
                    at += 1;
                    continue;
                }
                "if" | "assert" | "assume" | "cover" | "expect" => {
                    open += 1;
                    at += 1;
                    continue;
                }
                ";" => at += 1,
                "begin" | "fork" | "case" | "casex" | "casez" | "randcase" => at = self.past_block(at),
                _ => return at,
            }
            if self.text(at) != "else" {
                return if is_do { self.past_semicolon(at) } else { at };
            }
        }
    }

    /// The parts between commas.
    pub fn parts(&self, range: Range<usize>) -> Vec<Range<usize>> {
        let mut found = Vec::new();
        let mut from = range.start;
        while from < range.end {
            let end = self.until(from, &[","]).min(range.end);
            found.push(self.bare(from)..end);
            from = end + 1;
        }
        found
    }

    /// The place behind attributes, which are for tools alone: `(* keep *)`.
    pub fn bare(&self, mut at: usize) -> usize {
        while self.text(at) == "(" && self.text(at + 1) == "*" {
            at = self.past(at);
        }
        at
    }
}
