// SPDX-License-Identifier: MIT OR Apache-2.0
//! Assignments, and what a function returns.

use std::ops::Range;

use super::{
    super::{
        design::{Drive, Kind, Symbol},
        tokens::Token,
        uses::uses,
    },
    Context, Reader,
};

/// Operators before the `=` of a compound assignment.
const OPERATORS: [&str; 12] = ["+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>", "<<<", ">>>"];

impl Reader {
    /// `assign a = b, c = d;`
    pub(super) fn assigns(&mut self, context: &Context) {
        let source = context.source;
        self.at += 1;
        // `(strong0, weak1) #1`
        while ["(", "#"].contains(&source.text(self.at)) {
            self.at = if source.text(self.at) == "#" { source.past_delay(self.at) } else { source.past(self.at) };
        }
        source.parts(self.rest(source)).into_iter().for_each(|part| self.assign(part, context));
    }

    /// One assignment, without the semicolon.
    pub(super) fn assign(&mut self, statement: Range<usize>, context: &Context) {
        let (source, Range { start, end }) = (context.source, statement);
        let operator = source.until(start, &["=", "<=", ","]);
        if operator >= end {
            return self.count(start..end, context);
        }
        let works = operator > start && OPERATORS.contains(&source.text(operator - 1));
        let mut value = operator + 1;
        // `repeat (2) @(posedge clk)`
        while ["#", "@", "repeat"].contains(&source.text(value)) {
            value = source.past_delay(value);
        }
        let nonblocking = source.text(operator) == "<=";
        self.put(start..operator - usize::from(works), value..end, nonblocking, context);
    }

    /// `count++`
    fn count(&mut self, statement: Range<usize>, context: &Context) {
        let Range { start, end } = statement;
        let is_step = |at: usize| {
            let pair = [context.source.text(at), context.source.text(at + 1)];
            pair == ["+", "+"] || pair == ["-", "-"]
        };
        if end > start + 2 && is_step(end - 2) {
            self.put(start..end - 2, start..end - 2, false, context);
        } else if end > start + 2 && is_step(start) {
            self.put(start + 2..end, start + 2..end, false, context);
        }
    }

    /// Adds the drives of an assignment.
    pub(super) fn put(&mut self, target: Range<usize>, value: Range<usize>, nonblocking: bool, context: &Context) {
        let source = context.source;
        let Some(scope) = context.scope.filter(|_| !value.is_empty()) else { return };
        let lines = (source.line(target.start), source.line(value.end - 1));
        let left = uses(&source.words(target));
        let mut right = source.words(value);
        for index in left.iter().filter(|read| read.index) {
            right.extend(["[", &index.name, "]"].map(|word| Token { text: word.to_owned(), line: index.line }));
        }
        // `{a, b} = ...` drives both.
        for driven in left.into_iter().filter(|read| !read.index) {
            // So does a blocking assignment whose target is named as a register: stages in one process, the last first.
            let kept = context.clocked && (nonblocking || driven.name.ends_with("_q"));
            let kind = if kept { Kind::Register } else { Kind::Wire };
            let target = self.design.resolve(scope, &driven.name);
            self.drive(lines, context, scope, (target, driven.field), right.clone(), kind);
        }
    }

    /// `return` drives the function's own name.
    pub(super) fn answer(&mut self, context: &Context) {
        let source = context.source;
        let line = source.line(self.at);
        self.at += 1;
        let value = self.rest(source);
        let Some(scope) = context.scope.filter(|_| !value.is_empty()) else { return };
        let target = (scope, self.design.scopes[scope].name.clone());
        let lines = (line, source.line(self.at - 1));
        self.drive(lines, context, scope, (target, None), source.words(value), Kind::Wire);
    }

    fn drive(
        &mut self,
        (line, end): (usize, usize),
        context: &Context,
        scope: usize,
        (target, field): (Symbol, Option<String>),
        value: Vec<Token>,
        kind: Kind,
    ) {
        let (guards, file) = (context.guards.clone(), self.file);
        self.design.drives.push(Drive { target, field, scope, value, guards, kind, file, line, end });
    }
}
