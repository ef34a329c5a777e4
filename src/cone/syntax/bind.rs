// SPDX-License-Identifier: MIT OR Apache-2.0
//! What instances and calls connect, once every module and function is known.

use std::mem;

use tree_sitter::Node;

use super::{
    super::{
        design::{Drive, Kind},
        tokens::Token,
        uses::uses,
    },
    Context, Reader, child, children, last_line, line,
};

/// An instance of a module.
pub(super) struct Instance {
    scope: usize,
    module: String,
    ports: Vec<Port>,
    /// `.*`
    rest: bool,
    file: usize,
    line: usize,
}

/// A connection.
struct Port {
    /// Its name, or its place.
    name: Result<String, usize>,
    value: Vec<Token>,
    line: usize,
    end: usize,
}

impl Reader {
    pub(super) fn instance(&mut self, node: Node, context: &Context) {
        let Some((scope, module)) = context.scope.zip(context.name(node)) else { return };
        for instance in children(node).into_iter().filter(|part| part.kind() == "hierarchical_instance") {
            let (mut ports, mut rest) = (Vec::new(), false);
            let list = child(instance, "list_of_port_connections").map(children).unwrap_or_default();
            for (place, connection) in list.into_iter().enumerate() {
                let (line, end) = (line(connection), last_line(connection));
                let text = context.text(connection);
                let (name, value) = match &children(connection)[..] {
                    _ if text == ".*" => {
                        rest = true;
                        continue;
                    }
                    // `.a()` connects nothing.
                    [_] if text.starts_with('.') && text.ends_with(')') => continue,
                    [name] if text.starts_with('.') => (Ok(context.text(*name).to_owned()), context.words(*name)),
                    [name, .., value] => (Ok(context.text(*name).to_owned()), context.words(*value)),
                    _ => (Err(place), context.words(connection)),
                };
                ports.push(Port { name, value, line, end });
            }
            let (module, file, line) = (module.to_owned(), self.file, line(instance));
            self.instances.push(Instance { scope, module, ports, rest, file, line });
        }
    }

    /// An output drives what it is connected to, and an input is driven.
    pub(super) fn connect(&mut self) {
        for Instance { scope, module, mut ports, rest, file, line } in mem::take(&mut self.instances) {
            let Some(inner) = self.design.module(&module) else { continue };
            let known = self.design.scopes[inner].ports.clone();
            if rest {
                let named = |port: &&String| ports.iter().any(|other| other.name.as_ref() == Ok(*port));
                let left: Vec<_> = known.iter().filter(|port| !named(port)).collect();
                ports.extend(left.into_iter().map(|port| {
                    let value = vec![Token { text: port.clone(), line }];
                    Port { name: Ok(port.clone()), value, line, end: line }
                }));
            }
            for Port { name, value, line, end } in ports {
                let Some(port) = name.map_or_else(|place| known.get(place).cloned(), Some) else { continue };
                let (guards, kind) = (Vec::new(), Kind::Bind);
                let bind = Drive { target: (inner, port), field: None, scope, value, guards, kind, file, line, end };
                if !self.design.scopes[inner].outputs.contains(&bind.target.1) {
                    self.design.drives.push(bind);
                    continue;
                }
                let inside = vec![Token { text: bind.target.1.clone(), line }];
                for read in uses(&bind.value).into_iter().filter(|read| !read.index) {
                    let target = self.design.resolve(scope, &read.name);
                    let drive =
                        Drive { target, field: read.field, scope: inner, value: inside.clone(), ..bind.clone() };
                    self.design.drives.push(drive);
                }
            }
        }
    }

    /// Arguments drive a function's own names.
    pub(super) fn bind(&mut self) {
        let drives = self.design.drives.iter().map(|drive| (drive.scope, &drive.value, &drive.guards[..], drive.file));
        let guards = self.design.guards.iter().map(|guard| (guard.scope, &guard.asks, &[][..], guard.file));
        let mut found = Vec::new();
        for (scope, value, guards, file) in drives.chain(guards) {
            for call in uses(value) {
                let Some((arguments, function)) = call.arguments.zip(self.design.function(scope, &call.name)) else {
                    continue;
                };
                for (range, port) in arguments.into_iter().zip(&self.design.scopes[function].ports) {
                    let value = value[range].to_vec();
                    let (Some(line), Some(end)) =
                        (value.first().map(|word| word.line), value.last().map(|word| word.line))
                    else {
                        continue;
                    };
                    let target = (function, port.clone());
                    let (guards, kind) = (guards.to_vec(), Kind::Bind);
                    found.push(Drive { target, field: None, scope, value, guards, kind, file, line, end });
                }
            }
        }
        self.design.drives.extend(found);
    }
}
