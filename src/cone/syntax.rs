// SPDX-License-Identifier: MIT OR Apache-2.0
//! From SystemVerilog to a [`Design`]. What is not understood is passed over: a report names fewer lines then.

mod bind;
mod declare;
mod flow;

use tree_sitter::{Node, Parser};

use super::{
    design::{Design, Drive, Kind, Scope, Symbol},
    tokens::{Token, tokens},
    uses::uses,
};
use bind::Instance;

/// What is no hardware, and has lines that drive nothing.
const PASSED_OVER: [&str; 11] = [
    "concurrent_assertion_item",
    "assert_property_statement",
    "immediate_assertion_statement",
    "simple_immediate_assert_statement",
    "property_declaration",
    "sequence_declaration",
    "covergroup_declaration",
    "bind_directive",
    "initial_construct",
    "final_construct",
    "parameter_port_list",
];
/// Assignments with and without a clock, declarations with a value, `assign`.
const ASSIGNS: [&str; 6] = [
    "net_assignment",
    "variable_assignment",
    "blocking_assignment",
    "nonblocking_assignment",
    "variable_decl_assignment",
    "net_decl_assignment",
];

/// Reads sources: path and text of each.
pub fn read(files: Vec<(String, String)>) -> Design {
    let mut parser = Parser::new();
    let mut reader = Reader::default();
    // What stands in no module belongs to the first scope, which has no name.
    reader.design.scopes.push(Scope::default());
    if parser.set_language(&tree_sitter_systemverilog::LANGUAGE.into()).is_ok() {
        for (file, (_, text)) in files.iter().enumerate() {
            reader.file = file;
            if let Some(tree) = parser.parse(text, None) {
                reader.node(tree.root_node(), &Context { text, scope: None, guards: Vec::new(), clocked: false });
            }
        }
    }
    reader.design.files = files;
    reader.connect();
    reader.bind();
    reader.design
}

/// Where a node stands.
#[derive(Clone)]
struct Context<'a> {
    /// Of its file.
    text: &'a str,
    scope: Option<usize>,
    guards: Vec<(usize, bool)>,
    clocked: bool,
}

impl Context<'_> {
    fn text(&self, node: Node) -> &str {
        &self.text[node.byte_range()]
    }

    fn words(&self, node: Node) -> Vec<Token> {
        tokens(self.text(node), line(node))
    }

    /// The name right below a node.
    fn name(&self, node: Node) -> Option<&str> {
        child(node, "simple_identifier").map(|name| self.text(name))
    }
}

#[derive(Default)]
struct Reader {
    design: Design,
    /// Whose modules may stand in later files.
    instances: Vec<Instance>,
    file: usize,
}

fn children(node: Node<'_>) -> Vec<Node<'_>> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor).collect()
}

fn child<'a>(node: Node<'a>, kind: &str) -> Option<Node<'a>> {
    children(node).into_iter().find(|child| child.kind() == kind)
}

fn holds(node: Node, kind: &str) -> bool {
    node.kind() == kind || children(node).into_iter().any(|child| holds(child, kind))
}

fn line(node: Node) -> usize {
    node.start_position().row + 1
}

fn last_line(node: Node) -> usize {
    node.end_position().row + 1
}

impl Reader {
    fn node(&mut self, node: Node, context: &Context) {
        match node.kind() {
            kind if PASSED_OVER.contains(&kind) => {}
            kind if ASSIGNS.contains(&kind) => self.assign(node, context),
            kind if kind.ends_with("comment") => self.comment(node, context),
            "module_declaration" | "package_declaration" => self.module(node, context),
            "function_declaration" | "task_declaration" => self.function(node, context),
            "ansi_port_declaration" | "tf_port_item" => self.port(node, context),
            "always_construct" => {
                let clocked = holds(node, "edge_identifier");
                self.all(node, &Context { clocked, ..context.clone() });
            }
            "conditional_statement" | "if_generate_construct" => self.condition(node, context),
            "case_statement" | "case_generate_construct" => self.case(node, context),
            "loop_statement" => self.repeat(node, context),
            "jump_statement" => self.answer(node, context),
            "enum_name_declaration" => self.constant(node, context),
            "data_declaration" | "net_declaration" => {
                self.declare(node, context);
                self.all(node, context);
            }
            "module_instantiation" => self.instance(node, context),
            _ => self.all(node, context),
        }
    }

    fn all(&mut self, node: Node, context: &Context) {
        children(node).into_iter().for_each(|child| self.node(child, context));
    }

    fn comment(&mut self, node: Node, context: &Context) {
        for (row, text) in context.text(node).lines().enumerate() {
            let text = text.trim_start_matches(['/', '*', ' ']).to_owned();
            self.design.comments.insert((self.file, line(node) + row), text);
        }
    }

    fn module(&mut self, node: Node, context: &Context) {
        let head = children(node).into_iter().find(|child| child.kind().ends_with("_header")).unwrap_or(node);
        let name = context.name(head).unwrap_or_default();
        let scope = Some(self.scope(node, name, None));
        self.all(node, &Context { scope, guards: Vec::new(), clocked: false, text: context.text });
    }

    fn function(&mut self, node: Node, context: &Context) {
        let body = children(node).into_iter().find(|child| child.kind().ends_with("_body_declaration")).unwrap_or(node);
        let Some(name) = context.name(body) else { return };
        let scope = Some(self.scope(node, name, context.scope));
        self.all(body, &Context { scope, guards: Vec::new(), clocked: false, text: context.text });
    }

    fn scope(&mut self, node: Node, name: &str, owner: Option<usize>) -> usize {
        let scope = Scope { name: name.to_owned(), owner, file: self.file, line: line(node), ..Scope::default() };
        self.design.scopes.push(scope);
        self.design.scopes.len() - 1
    }

    fn assign(&mut self, node: Node, context: &Context) {
        // `operator_assignment` holds what a blocking one assigns.
        let parts = child(node, "operator_assignment").map_or_else(|| children(node), children);
        let [target, .., value] = &parts[..] else { return };
        let Some(scope) = context.scope.filter(|_| value.kind().ends_with("expression")) else { return };
        let left = uses(&context.words(*target));
        let mut right = context.words(*value);
        for index in left.iter().filter(|read| read.index) {
            right.extend(["[", &index.name, "]"].map(|word| Token { text: word.to_owned(), line: index.line }));
        }
        let nonblocking = node.kind() == "nonblocking_assignment";
        // `{a, b} = ...` drives both.
        for driven in left.into_iter().filter(|read| !read.index) {
            // A blocking one, too, where the name says so: stages of one process, the last first.
            let kept = context.clocked && (nonblocking || driven.name.ends_with("_q"));
            let kind = if kept { Kind::Register } else { Kind::Wire };
            let target = self.design.resolve(scope, &driven.name);
            self.drive(node, context, scope, (target, driven.field), right.clone(), kind);
        }
    }

    /// `return` drives the function's own name.
    fn answer(&mut self, node: Node, context: &Context) {
        let Some((scope, value)) = context.scope.zip(children(node).into_iter().next()) else { return };
        let target = (scope, self.design.scopes[scope].name.clone());
        self.drive(node, context, scope, (target, None), context.words(value), Kind::Wire);
    }

    fn drive(
        &mut self,
        node: Node,
        context: &Context,
        scope: usize,
        (target, field): (Symbol, Option<String>),
        value: Vec<Token>,
        kind: Kind,
    ) {
        let guards = context.guards.clone();
        let (file, line, end) = (self.file, line(node), last_line(node));
        self.design.drives.push(Drive { target, field, scope, value, guards, kind, file, line, end });
    }
}
