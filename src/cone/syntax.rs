// SPDX-License-Identifier: MIT OR Apache-2.0
//! From SystemVerilog to a [`Design`], one statement after the other. What is not understood is passed over: a report names
//! fewer lines then.

mod assign;
mod balance;
mod bind;
mod declare;
mod directives;
mod flow;
mod scope;
mod source;
mod statement;

use std::ops::Range;

use super::{
    design::{Design, Scope},
    tokens::split,
};
use bind::Instance;
use source::Source;

/// Statements in statements; what stands deeper is passed over.
const DEEPEST: usize = 100;
/// Conditions of a place beyond which it is not kept what must not hold: an arm of a table of thousands comes after that many.
const MOST_GUARDS: usize = 100;

/// Reads sources: path and text of each.
pub fn read(files: Vec<(String, String)>) -> Design {
    let mut reader = Reader::default();
    // What stands in no module belongs to the first scope, which has no name.
    reader.design.scopes.push(Scope::default());
    for (file, (_, text)) in files.iter().enumerate() {
        let (words, comments) = split(text, 1);
        let source = &Source::new(words);
        (reader.file, reader.at) = (file, 0);
        for comment in comments {
            for (row, text) in comment.text.lines().enumerate() {
                let text = text.trim_start_matches(['/', '*', ' ']).to_owned();
                reader.design.comments.insert((file, comment.line + row), text);
            }
        }
        reader.constants(source);
        reader.all(source.len(), &Context { source, scope: None, guards: Vec::new(), clocked: false, steps: false });
    }
    reader.design.files = files;
    reader.connect();
    reader.bind();
    reader.design
}

/// Where a statement stands.
#[derive(Clone)]
struct Context<'a> {
    source: &'a Source,
    scope: Option<usize>,
    guards: Vec<(usize, bool)>,
    clocked: bool,
    /// Whether it is one of a process or a function, not of a module.
    steps: bool,
}

impl Context<'_> {
    fn guard(&mut self, guard: usize, wanted: bool) {
        if wanted || self.guards.len() < MOST_GUARDS {
            self.guards.push((guard, wanted));
        }
    }
}

#[derive(Default)]
struct Reader {
    design: Design,
    /// Whose modules may stand in later files.
    instances: Vec<Instance>,
    file: usize,
    /// The word that is next.
    at: usize,
    /// Statements that are being read, each in the one before.
    depth: usize,
}

impl Reader {
    /// All statements up to a word.
    fn all(&mut self, end: usize, context: &Context) {
        while self.at < end {
            let from = self.at;
            self.one(context);
            // What begins no statement is passed over, a word at a time.
            self.goto(from + 1);
        }
    }

    /// The statement that is next, up to its end; nothing, if a block ends here.
    fn one(&mut self, context: &Context) {
        if self.depth == DEEPEST {
            self.at = context.source.past_statement(self.at);
            return;
        }
        self.depth += 1;
        self.labels(context.source);
        self.statement(context);
        self.depth -= 1;
    }

    /// The rest of a block that opens at a word.
    fn block(&mut self, opener: usize, context: &Context) {
        if context.source.text(self.at) == ":" {
            self.at = context.source.past_word(self.at + 1);
        }
        self.all(context.source.pair(opener), context);
        self.goto(context.source.past_block(opener));
    }

    /// Goes on at a word, never back: what is read is read once.
    fn goto(&mut self, at: usize) {
        self.at = self.at.max(at);
    }

    /// What is left of a statement, up to its semicolon.
    fn rest(&mut self, source: &Source) -> Range<usize> {
        let statement = self.at..source.until(self.at, &[]);
        self.at = source.past_semicolon(statement.end);
        statement
    }
}

#[cfg(test)]
mod tests;
