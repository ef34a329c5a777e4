// SPDX-License-Identifier: MIT OR Apache-2.0
//! Conditions: what stands under them, and how they must be for it to act.

use tree_sitter::Node;

use super::{
    super::{design::Guard, tokens::Token},
    Context, Reader, children, line,
};

impl Reader {
    fn guard(&mut self, asks: Vec<Token>, is_loop: bool, context: &Context) -> usize {
        let scope = context.scope.unwrap_or_default();
        self.design.guards.push(Guard { scope, asks, is_loop, file: self.file });
        self.design.guards.len() - 1
    }

    /// `if`, with every `else if` after it: each part stands under its own condition and the opposite of those before.
    pub(super) fn condition(&mut self, node: Node, context: &Context) {
        let mut context = context.clone();
        let mut asked = None;
        for part in children(node) {
            match part.kind() {
                "cond_predicate" | "constant_expression" => {
                    asked = Some(self.guard(context.words(part), false, &context));
                }
                "unique_priority" => {}
                kind if kind.ends_with("comment") => self.comment(part, &context),
                _ => {
                    let mut inside = context.clone();
                    if let Some(asked) = asked.take() {
                        inside.guards.push((asked, true));
                        context.guards.push((asked, false));
                    }
                    self.node(part, &inside);
                }
            }
        }
    }

    /// An arm stands under `subject inside {its values}` and the opposite of those before.
    pub(super) fn case(&mut self, node: Node, context: &Context) {
        let is_subject = |part: &&Node| ["case_expression", "constant_expression"].contains(&part.kind());
        let parts = children(node);
        let Some(subject) = parts.iter().find(is_subject).map(|part| context.words(*part)) else { return };
        let mut context = context.clone();
        for item in parts.iter().filter(|part| part.kind().ends_with("case_item") || part.kind().ends_with("_item")) {
            let (values, body): (Vec<_>, Vec<_>) =
                children(*item).into_iter().partition(|part| part.kind().ends_with("expression"));
            let mut inside = context.clone();
            if !values.is_empty() {
                // It asks in the arm's line.
                let put = |word: &str| Token { text: word.to_owned(), line: line(*item) };
                let mut asks: Vec<_> = subject.iter().map(|token| put(&token.text)).collect();
                asks.extend([put("inside"), put("{")]);
                for value in values {
                    asks.extend(context.words(value));
                    asks.push(put(","));
                }
                asks.pop();
                asks.push(put("}"));
                let guard = self.guard(asks, false, &inside);
                inside.guards.push((guard, true));
                context.guards.push((guard, false));
            }
            body.into_iter().for_each(|part| self.node(part, &inside));
        }
    }

    /// A loop's head is a condition that nothing decides.
    pub(super) fn repeat(&mut self, node: Node, context: &Context) {
        let (body, head): (Vec<_>, Vec<_>) =
            children(node).into_iter().partition(|part| part.kind().starts_with("statement"));
        let head: Vec<_> = head.into_iter().flat_map(|part| context.words(part)).collect();
        if let Some((scope, counter)) = context.scope.zip(head.iter().find(|word| word.is_name())) {
            let declared = &mut self.design.scopes[scope].declared;
            declared.entry(counter.text.clone()).or_insert_with(|| "int".to_owned());
        }
        let guard = self.guard(head, true, context);
        let mut inside = context.clone();
        inside.guards.push((guard, true));
        body.into_iter().for_each(|part| self.node(part, &inside));
    }
}
