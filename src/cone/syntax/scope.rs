// SPDX-License-Identifier: MIT OR Apache-2.0
//! Scopes with names of their own (modules, packages, functions), and processes.

use super::{super::design::Scope, Context, Reader};

impl Reader {
    /// A module or a package.
    pub(super) fn module(&mut self, context: &Context) {
        let (source, from) = (context.source, self.at);
        let lifetime = ["automatic", "static"].contains(&source.text(from + 1));
        let name = from + 1 + usize::from(lifetime);
        let scope = self.scope(source.text(name), None, source.line(from));
        let inside = Context { scope: Some(scope), guards: Vec::new(), clocked: false, steps: false, source };
        let mut at = source.past_word(name);
        loop {
            at = match source.text(at) {
                "import" => source.past_semicolon(at),
                "#" => source.past_delay(at),
                _ => break,
            };
        }
        if let Some(ports) = source.inside(at, "(") {
            self.ports(ports, &inside);
        }
        self.at = source.past_semicolon(at);
        self.block(from, &inside);
    }

    /// A function or a task; those of classes are skipped.
    pub(super) fn function(&mut self, context: &Context) {
        let (source, from) = (context.source, self.at);
        let open = source.until(from + 1, &["("]);
        let name = open - 1;
        if name == from || !source.is_name(name) || source.text(name - 1) == "::" {
            return self.at = source.past_block(from);
        }
        // Code outside any module belongs to the scope without a name.
        let owner = Some(context.scope.unwrap_or_default());
        let scope = self.scope(source.text(name), owner, source.line(from));
        let inside = Context { scope: Some(scope), guards: Vec::new(), clocked: false, steps: true, source };
        if let Some(ports) = source.inside(open, "(") {
            self.ports(ports, &inside);
        }
        self.at = source.past_semicolon(open);
        self.block(from, &inside);
    }

    fn scope(&mut self, name: &str, owner: Option<usize>, line: usize) -> usize {
        let scope = Scope { name: name.to_owned(), owner, file: self.file, line, ..Scope::default() };
        self.design.scopes.push(scope);
        self.design.scopes.len() - 1
    }

    /// `always`, clocked if it names an edge.
    pub(super) fn process(&mut self, context: &Context) {
        let (source, from) = (context.source, self.at);
        let end = source.past_statement(from + 1);
        let clocked = (from..end).any(|at| ["posedge", "negedge", "edge"].contains(&source.text(at)));
        self.at = from + 1;
        self.all(end, &Context { clocked, steps: true, ..context.clone() });
    }
}
