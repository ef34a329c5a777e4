// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reads SystemVerilog into a [`Design`], one statement after the other. It skips what it does not understand; a report
//! then names fewer lines.

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

/// The depth of nested statements; deeper ones are skipped.
const DEEPEST: usize = 100;
/// The number of conditions of a statement beyond which no negated ones are kept: an arm of a table of thousands has as
/// many.
const MOST_GUARDS: usize = 100;

/// Reads sources, each given as its path and text.
pub fn read(files: Vec<(String, String)>) -> Design {
    let mut reader = Reader::default();
    // Code outside any module belongs to the first scope, which has no name.
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

/// The surroundings of a statement.
#[derive(Clone)]
struct Context<'a> {
    source: &'a Source,
    scope: Option<usize>,
    guards: Vec<(usize, bool)>,
    clocked: bool,
    /// Whether it stands in a process or a function, not directly in a module.
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
    /// Instances, whose modules may stand in later files.
    instances: Vec<Instance>,
    file: usize,
    /// The next word.
    at: usize,
    /// The depth of the statement that is being read.
    depth: usize,
}

impl Reader {
    /// Reads all statements up to a word.
    fn all(&mut self, end: usize, context: &Context) {
        while self.at < end {
            let from = self.at;
            self.one(context);
            // A word that begins no statement is skipped.
            self.goto(from + 1);
        }
    }

    /// Reads the next statement up to its end; nothing if a block ends here.
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

    /// Reads the rest of the block that opens at a word.
    fn block(&mut self, opener: usize, context: &Context) {
        if context.source.text(self.at) == ":" {
            self.at = context.source.past_word(self.at + 1);
        }
        self.all(context.source.pair(opener), context);
        self.goto(context.source.past_block(opener));
    }

    /// Moves on to a word, never back, so that nothing is read twice.
    fn goto(&mut self, at: usize) {
        self.at = self.at.max(at);
    }

    /// Takes the rest of a statement, up to its semicolon.
    fn rest(&mut self, source: &Source) -> Range<usize> {
        let statement = self.at..source.until(self.at, &[]);
        self.at = source.past_semicolon(statement.end);
        statement
    }
}

#[cfg(test)]
mod tests;
