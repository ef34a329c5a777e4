// SPDX-License-Identifier: MIT OR Apache-2.0
//! Declarations: ports, arguments, variables and their types, the values of enumerations.

use std::ops::Range;

use super::{super::value, Context, Reader, Source};

const DIRECTIONS: [&str; 4] = ["input", "output", "inout", "ref"];

/// Words that begin a declaration, besides names of types.
pub(super) const DECLARES: [&str; 39] = [
    "automatic",
    "bit",
    "byte",
    "chandle",
    "const",
    "enum",
    "event",
    "int",
    "integer",
    "interconnect",
    "logic",
    "longint",
    "real",
    "realtime",
    "reg",
    "shortint",
    "shortreal",
    "signed",
    "static",
    "string",
    "struct",
    "supply0",
    "supply1",
    "time",
    "tri",
    "tri0",
    "tri1",
    "triand",
    "trior",
    "trireg",
    "type",
    "union",
    "unsigned",
    "uwire",
    "var",
    "virtual",
    "wand",
    "wire",
    "wor",
];

impl Reader {
    /// Ports of a module, or arguments of a function.
    pub(super) fn ports(&mut self, list: Range<usize>, context: &Context) {
        let (source, Some(scope)) = (context.source, context.scope) else { return };
        let mut out = false;
        for part in source.parts(list) {
            let Some(name) = name(source, &part) else { continue };
            let name = source.text(name).to_owned();
            // A port without a direction has that of the one before.
            if DIRECTIONS.contains(&source.text(part.start)) {
                out = source.text(part.start) != "input";
            }
            let is_kind = |at: &usize| source.is_name(*at) && !DIRECTIONS.contains(&source.text(*at));
            let kind = part.clone().find(is_kind).map_or("", |kind| source.text(kind)).to_owned();
            self.design.declared_at.insert((scope, name.clone()), (self.file, source.line(part.start)));
            let scope = &mut self.design.scopes[scope];
            if out {
                scope.outputs.insert(name.clone());
            }
            // The list of a module may name ports that only its body declares.
            if scope.declared.insert(name.clone(), kind).is_none() {
                scope.ports.push(name);
            }
        }
    }

    /// Ports that are declared in the body.
    pub(super) fn late_ports(&mut self, context: &Context) {
        let list = self.rest(context.source);
        self.ports(list, context);
    }

    /// Variables and nets, with their initial values.
    pub(super) fn declare(&mut self, statement: Range<usize>, context: &Context) {
        let (source, Some(scope)) = (context.source, context.scope) else { return };
        let kind = statement.clone().find(|&at| source.is_name(at)).map_or("", |kind| source.text(kind)).to_owned();
        let parts = source.parts(statement);
        let names: Vec<_> = parts.iter().filter_map(|part| Some((name(source, part)?, part.end))).collect();
        for &(at, _) in &names {
            let name = source.text(at).to_owned();
            self.design.declared_at.insert((scope, name.clone()), (self.file, source.line(at)));
            self.design.scopes[scope].declared.insert(name, kind.clone());
        }
        for (at, end) in names {
            let value = source.until(at, &["=", ","]) + 1;
            self.put(at..at + 1, value.min(end)..end, false, context);
        }
    }

    /// Values of enumerations: the stated value, or one more than the value before.
    pub(super) fn constants(&mut self, source: &Source) {
        for at in (0..source.len()).filter(|&at| source.text(at) == "enum") {
            let open = source.until(at + 1, &["{", "enum"]);
            let mut next = Some(0);
            for part in source.parts(source.inside(open, "{").unwrap_or_default()) {
                let stated = source.until(part.start, &["=", ","]);
                // A computed value is unknown.
                let value = match part.end.checked_sub(stated) {
                    None | Some(0) => next,
                    Some(2) => value::number(source.text(stated + 1)),
                    Some(_) => None,
                };
                next = value.and_then(|value| value.checked_add(1));
                if let Some(value) = value {
                    self.design.constants.insert(source.text(part.start).to_owned(), value);
                }
            }
        }
    }
}

/// The name that a part of a declaration declares: the last one before its dimensions and its value.
fn name(source: &Source, part: &Range<usize>) -> Option<usize> {
    let mut end = source.until(part.start, &["=", ","]).min(part.end);
    while end > part.start && source.text(end - 1) == "]" {
        end = source.pair(end - 1);
    }
    (part.start..end).next_back().filter(|&name| source.is_name(name))
}
