// SPDX-License-Identifier: MIT OR Apache-2.0
//! A file as it is read: where its statements, lists and blocks end.

use std::ops::Range;

use super::{
    super::tokens::Token,
    balance::{OUTSIDE, balance},
    directives,
};

/// A file's words.
pub(super) struct Source {
    words: Vec<Token>,
    /// Of what opens the place of what closes it, and the other way round; of other words their own.
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

    /// Nothing after the last word.
    pub fn text(&self, at: usize) -> &str {
        self.words.get(at).map_or("", |word| &word.text)
    }

    pub fn line(&self, at: usize) -> usize {
        self.words.get(at).map_or(0, |word| word.line)
    }

    pub fn is_name(&self, at: usize) -> bool {
        self.words.get(at).is_some_and(Token::is_name)
    }

    /// `name:`, which `begin:` is not.
    pub fn is_label(&self, at: usize) -> bool {
        self.is_name(at) && self.pair(at) == at && self.text(at + 1) == ":"
    }

    pub fn words(&self, range: Range<usize>) -> Vec<Token> {
        self.words.get(range).unwrap_or_default().to_vec()
    }

    /// The place of what closes what opens here, or the other way round.
    pub fn pair(&self, at: usize) -> usize {
        self.pairs.get(at).copied().unwrap_or(at)
    }

    /// Behind a word, and behind all of a bracket that opens with it.
    pub fn past(&self, at: usize) -> usize {
        let bracket = ["(", "[", "{", "'{"].contains(&self.text(at));
        if bracket { self.pair(at) + 1 } else { at + 1 }
    }

    /// Behind a word that closes nothing.
    pub fn past_word(&self, at: usize) -> usize {
        let closes = at >= self.len() || self.pair(at) < at;
        if closes { at } else { self.past(at) }
    }

    /// Behind `#1.5`, `@(posedge clk)`, `wait (ready)`.
    pub fn past_delay(&self, at: usize) -> usize {
        let mut after = self.past_word(at + 1);
        while self.text(after) == "." {
            after = self.past_word(after + 1);
        }
        after
    }

    /// Behind a name and its package, indices, fields and parameters.
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

    /// What stands in the bracket that opens here, if one does.
    pub fn inside(&self, at: usize, opener: &str) -> Option<Range<usize>> {
        (self.text(at) == opener).then(|| at + 1..self.pair(at))
    }

    /// The next of these words that stands in no bracket, at most where a statement ends.
    pub fn until(&self, mut at: usize, stops: &[&str]) -> usize {
        while !stops.contains(&self.text(at)) && !self.ends(at) {
            at = self.past(at);
        }
        at
    }

    /// Whether a statement ends, be it that its semicolon is missing.
    fn ends(&self, at: usize) -> bool {
        at >= self.len() || self.text(at) == ";" || self.pair(at) < at || OUTSIDE.contains(&self.text(at))
    }

    /// Behind the next semicolon.
    pub fn past_semicolon(&self, at: usize) -> usize {
        let end = self.until(at, &[]);
        end + usize::from(self.text(end) == ";")
    }

    /// Behind a block, and the name after it.
    pub fn past_block(&self, at: usize) -> usize {
        let after = self.pair(at) + 1;
        if self.text(after) == ":" { self.past_word(after + 1) } else { after }
    }

    /// Behind a statement that is not read, and what follows its `else`.
    pub fn past_statement(&self, mut at: usize) -> usize {
        let is_do = self.text(at) == "do";
        // What may have an `else` still.
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

    /// What stands between commas.
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

    /// Behind what is for tools alone: `(* keep *)`.
    pub fn bare(&self, mut at: usize) -> usize {
        while self.text(at) == "(" && self.text(at + 1) == "*" {
            at = self.past(at);
        }
        at
    }
}
