// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is declared: ports, arguments, variables and their types, the values of enumerations.

use tree_sitter::Node;

use super::{super::value, Context, Reader, child, children, line};

const DIRECTIONS: [&str; 3] = ["input", "output", "inout"];

impl Reader {
    /// A port of a module, or an argument of a function.
    pub(super) fn port(&mut self, node: Node, context: &Context) {
        // Its name comes last, after its type.
        let mut names = children(node).into_iter().filter(|child| child.kind() == "simple_identifier");
        let Some((scope, name)) = context.scope.zip(names.next_back()) else { return };
        let name = context.text(name).to_owned();
        let words = context.words(node);
        let kind = words.iter().find(|word| word.is_name() && !DIRECTIONS.contains(&&*word.text));
        let kind = kind.map_or_else(String::new, |word| word.text.clone());
        self.design.declared_at.insert((scope, name.clone()), (self.file, line(node)));
        let scope = &mut self.design.scopes[scope];
        let stated = words.first().map(|word| &*word.text).filter(|word| DIRECTIONS.contains(word));
        // Who states no direction has that of the one before.
        let out = match stated {
            Some(direction) => direction != "input",
            None => scope.ports.last().is_some_and(|last| scope.outputs.contains(last)),
        };
        if out {
            scope.outputs.insert(name.clone());
        }
        scope.declared.insert(name.clone(), kind);
        scope.ports.push(name);
    }

    /// Variables and nets.
    pub(super) fn declare(&mut self, node: Node, context: &Context) {
        let Some(scope) = context.scope else { return };
        let words = context.words(node);
        let kind = words.iter().find(|word| word.is_name()).map_or_else(String::new, |word| word.text.clone());
        let lists = children(node).into_iter().filter(|child| child.kind().starts_with("list_of_"));
        for item in lists.flat_map(children) {
            if let Some(name) = context.name(item) {
                self.design.declared_at.insert((scope, name.to_owned()), (self.file, line(item)));
                self.design.scopes[scope].declared.insert(name.to_owned(), kind.clone());
            }
        }
    }

    /// A value of an enumeration: what is stated, or one more than the one before.
    pub(super) fn constant(&mut self, node: Node, context: &Context) {
        let Some(name) = context.name(node) else { return };
        let stated = child(node, "constant_expression").and_then(|value| value::number(context.text(value)));
        let before = node.prev_named_sibling().and_then(|before| context.name(before));
        let before = before.and_then(|before| self.design.constants.get(before)).map(|before| before + 1);
        self.design.constants.insert(name.to_owned(), stated.or(before).unwrap_or_default());
    }
}
