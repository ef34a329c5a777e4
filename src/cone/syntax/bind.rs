// SPDX-License-Identifier: MIT OR Apache-2.0
//! Connections of instances and calls, made once every module and function is known.

use std::{mem, ops::Range};

use super::{
    super::{
        design::{Drive, Kind},
        tokens::Token,
        uses::uses,
    },
    Context, Reader,
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
    /// Its name, or its position.
    name: Result<String, usize>,
    value: Vec<Token>,
    line: usize,
    end: usize,
}

impl Reader {
    /// Reads `module_name #(...) one (...), other (...)`, given the module's name and the instances after it.
    pub(super) fn instance(&mut self, module: usize, instances: Range<usize>, context: &Context) {
        let (source, Some(scope)) = (context.source, context.scope) else { return };
        for part in source.parts(instances) {
            let open = source.until(part.start, &["(", ","]);
            let Some(list) = source.inside(open, "(") else { continue };
            let (mut ports, mut rest) = (Vec::new(), false);
            for (place, port) in source.parts(list).into_iter().enumerate() {
                let Range { start, end } = port;
                let named = source.text(start) == ".";
                let (name, value) = match named.then(|| source.inside(start + 2, "(")) {
                    _ if port.is_empty() => continue,
                    Some(None) if source.text(start + 1) == "*" => {
                        rest = true;
                        continue;
                    }
                    // `.a()` connects nothing.
                    Some(Some(value)) if value.is_empty() => continue,
                    Some(value) => (Ok(source.text(start + 1).to_owned()), value.unwrap_or(start + 1..end)),
                    None => (Err(place), start..end),
                };
                let (value, line, end) = (source.words(value), source.line(start), source.line(end - 1));
                ports.push(Port { name, value, line, end });
            }
            let (module, file, line) = (source.text(module).to_owned(), self.file, source.line(part.start));
            self.instances.push(Instance { scope, module, ports, rest, file, line });
        }
    }

    /// Adds the drives of connections: an output drives what it is connected to, and an input is driven.
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

    /// Adds the drives of calls: arguments drive a function's own names.
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
