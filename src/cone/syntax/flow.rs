// SPDX-License-Identifier: MIT OR Apache-2.0
//! Conditions, and what they must be for the statements under them to act.

use super::{
    super::{design::Guard, tokens::Token},
    Context, Reader, Source,
};

/// The most words in the subject of a `case`; nobody writes more.
const LONGEST: usize = 1000;

impl Reader {
    fn guard(&mut self, asks: Vec<Token>, is_loop: bool, context: &Context) -> usize {
        let scope = context.scope.unwrap_or_default();
        self.design.guards.push(Guard { scope, asks, is_loop, file: self.file });
        self.design.guards.len() - 1
    }

    /// `if`, with every `else if` after it: each part stands under its own condition and the opposite of those before.
    pub(super) fn condition(&mut self, context: &Context) {
        let source = context.source;
        let mut context = context.clone();
        while source.text(self.at) == "if" {
            let open = self.at + 1;
            self.at = open;
            let Some(asks) = source.inside(open, "(") else { return };
            self.at = source.past(open);
            let guard = self.guard(source.words(asks), false, &context);
            let mut inside = context.clone();
            inside.guard(guard, true);
            self.one(&inside);
            context.guard(guard, false);
            if source.text(self.at) != "else" {
                return;
            }
            self.at += 1;
        }
        self.one(&context);
    }

    /// An arm stands under `subject inside {its values}` and the opposite of those before.
    pub(super) fn case(&mut self, context: &Context) {
        let (source, opener) = (context.source, self.at);
        let (open, end) = (opener + 1, source.pair(opener));
        let Some(subject) = source.inside(open, "(").filter(|subject| subject.len() < LONGEST) else {
            return self.at = source.past_block(opener);
        };
        let subject = source.words(subject);
        let mut context = context.clone();
        self.at = source.past(open);
        if ["inside", "matches"].contains(&source.text(self.at)) {
            self.at += 1;
        }
        while self.at < end {
            let from = self.at;
            if source.text(from) == "default" {
                self.at = from + 1 + usize::from(source.text(from + 1) == ":");
                self.one(&context);
            } else if let Some(colon) = colon(source, from) {
                // The condition counts as one of the arm's line.
                let put = |word: &str| Token { text: word.to_owned(), line: source.line(from) };
                let mut asks: Vec<_> = subject.iter().map(|token| put(&token.text)).collect();
                asks.extend([put("inside"), put("{")]);
                asks.extend(source.words(from..colon));
                asks.push(put("}"));
                let guard = self.guard(asks, false, &context);
                let mut inside = context.clone();
                inside.guard(guard, true);
                context.guard(guard, false);
                self.at = colon + 1;
                self.one(&inside);
            } else {
                self.at = source.past_semicolon(from).max(from + 1);
            }
        }
        self.goto(source.past_block(opener));
    }

    /// A loop's head is a condition that nothing decides. A loop of a module only repeats its contents.
    pub(super) fn repeat(&mut self, context: &Context) {
        let (source, from) = (context.source, self.at);
        let kind = source.text(from);
        let open = if kind == "do" { source.past_statement(from + 1) } else { from } + 1;
        let head = source.inside(open, "(").unwrap_or_default();
        self.at = match kind {
            "do" => from + 1,
            _ if head.is_empty() => open,
            _ => source.past(open),
        };
        if kind == "for" && !context.steps {
            return self.one(context);
        }
        // A counter that is declared here, or that needs no declaration.
        let is_counter = |&at: &usize| match kind {
            "for" => source.text(at + 1) == "=" && at > head.start,
            "foreach" => source.text(at - 1) == "[" || source.text(at - 1) == ",",
            _ => false,
        };
        if let Some(scope) = context.scope {
            for counter in head.clone().filter(|&at| source.is_name(at)).filter(is_counter) {
                let declared = &mut self.design.scopes[scope].declared;
                declared.entry(source.text(counter).to_owned()).or_insert_with(|| "int".to_owned());
            }
        }
        let mut asks = source.words(head);
        asks.retain(|word| word.text != ";");
        let guard = self.guard(asks, true, context);
        let mut inside = context.clone();
        inside.guard(guard, true);
        self.one(&inside);
        if kind == "do" {
            self.goto(source.past_semicolon(open));
        }
    }
}

/// The place of the colon after an arm's values.
fn colon(source: &Source, mut at: usize) -> Option<usize> {
    let mut choices = 0;
    loop {
        at = source.until(at, &[":", "?"]);
        match source.text(at) {
            "?" => choices += 1,
            ":" if choices > 0 => choices -= 1,
            ":" => return Some(at),
            _ => return None,
        }
        at += 1;
    }
}
