// SPDX-License-Identifier: MIT OR Apache-2.0
//! Evaluates conditions as far as the failing operation decides them: `op_i.kind == KindLoad` is false for a store,
//! whatever the unit does. A condition that depends on anything else is unknown.

use std::collections::HashMap;

use super::{
    design::{Design, Symbol},
    tokens::Token,
    uses::closing,
};

/// The depth to which names are resolved to other names.
const DEPTH: usize = 8;

/// Known values, by type and path: `("op_t", "attr.scope")`.
pub type Known = HashMap<(String, String), u128>;

/// The value of a literal.
pub fn number(text: &str) -> Option<u128> {
    let text = text.replace('_', "");
    let Some((_, based)) = text.split_once('\'') else { return text.trim().parse().ok() };
    let based = based.trim_start_matches(['s', 'S']);
    let radix = match based.chars().next()?.to_ascii_lowercase() {
        'h' => 16,
        'd' => 10,
        'b' => 2,
        'o' => 8,
        '0' if based.len() == 1 => return Some(0),
        _ => return None,
    };
    u128::from_str_radix(based.get(1..)?.trim(), radix).ok()
}

/// Evaluates the conditions of a design under known values.
pub struct Values<'a> {
    design: &'a Design,
    by_target: HashMap<&'a Symbol, Vec<usize>>,
    known: &'a Known,
}

impl<'a> Values<'a> {
    /// Prepares a design for evaluation under `known`.
    pub fn new(design: &'a Design, known: &'a Known) -> Self {
        let mut by_target: HashMap<&Symbol, Vec<usize>> = HashMap::new();
        for (number, drive) in design.drives.iter().enumerate() {
            by_target.entry(&drive.target).or_default().push(number);
        }
        Values { design, by_target, known }
    }

    /// Whether code under these conditions may act.
    pub fn may(&self, guards: &[(usize, bool)]) -> bool {
        guards.iter().all(|&(guard, wanted)| {
            let guard = &self.design.guards[guard];
            guard.is_loop || self.of(guard.scope, &guard.asks, 0).is_none_or(|value| (value != 0) == wanted)
        })
    }

    fn of(&self, scope: usize, tokens: &[Token], depth: usize) -> Option<u128> {
        let mut reader = Reader { values: self, scope, tokens, at: 0, depth };
        let value = reader.binary(0);
        // Tokens that are left over were not understood.
        value.filter(|_| reader.at == tokens.len())
    }

    /// The value of a name and the path of fields after it.
    fn name(&self, scope: usize, name: &str, path: &[String], depth: usize) -> Option<u128> {
        if path.is_empty()
            && let Some(&value) = self.design.constants.get(name)
        {
            return Some(value);
        }
        let symbol = self.design.resolve(scope, name);
        let declared = self.design.scopes[symbol.0].declared.get(name);
        if let Some(kind) = declared
            && !path.is_empty()
        {
            return self.known.get(&(kind.clone(), path.join("."))).copied();
        }
        if depth == DEPTH || !path.is_empty() {
            return None;
        }
        // A name with one drive has that drive's value; an argument has the value that every call agrees on.
        let drives = self.by_target.get(&symbol)?;
        let is_argument =
            self.design.scopes[symbol.0].owner.is_some() && self.design.scopes[symbol.0].ports.contains(&symbol.1);
        if drives.len() != 1 && !is_argument {
            return None;
        }
        let mut values = drives.iter().map(|&drive| {
            let drive = &self.design.drives[drive];
            if drive.field.is_some() || !drive.guards.is_empty() && !is_argument {
                None
            } else {
                self.of(drive.scope, &drive.value, depth + 1)
            }
        });
        let first = values.next()??;
        values.all(|value| value == Some(first)).then_some(first)
    }

    /// The value of a call, whatever its arguments: known only if the function has a single, unconditional result.
    fn call(&self, scope: usize, name: &str, depth: usize) -> Option<u128> {
        let function = self.design.function(scope, name)?;
        let symbol = (function, name.to_owned());
        let [drive] = self.by_target.get(&symbol)?[..] else { return None };
        let drive = &self.design.drives[drive];
        (depth < DEPTH && drive.guards.is_empty()).then(|| self.of(drive.scope, &drive.value, depth + 1)).flatten()
    }
}

struct Reader<'a> {
    values: &'a Values<'a>,
    scope: usize,
    tokens: &'a [Token],
    at: usize,
    depth: usize,
}

impl Reader<'_> {
    fn peek(&self) -> &str {
        self.tokens.get(self.at).map_or("", |token| &token.text)
    }

    fn binary(&mut self, least: u8) -> Option<u128> {
        let mut left = self.unary();
        loop {
            let operator = self.peek().to_owned();
            let level = match &*operator {
                "||" => 1,
                "&&" => 2,
                "|" => 3,
                "&" => 4,
                "==" | "!=" => 5,
                "inside" | "<" | ">" | ">=" | "<=" => 6,
                _ => return left,
            };
            if level < least {
                return left;
            }
            self.at += 1;
            if operator == "inside" {
                left = self.inside(left);
                continue;
            }
            let right = self.binary(level + 1);
            let both = left.zip(right);
            left = match &*operator {
                "||" | "&&" => {
                    let decides = operator == "||";
                    let one = |side: Option<u128>| side.is_some_and(|side| (side != 0) == decides);
                    if one(left) || one(right) { Some(decides.into()) } else { both.map(|_| (!decides).into()) }
                }
                "|" => both.map(|(left, right)| left | right),
                "&" => both.map(|(left, right)| left & right),
                "==" => both.map(|(left, right)| (left == right).into()),
                "!=" => both.map(|(left, right)| (left != right).into()),
                "<" => both.map(|(left, right)| (left < right).into()),
                ">" => both.map(|(left, right)| (left > right).into()),
                "<=" => both.map(|(left, right)| (left <= right).into()),
                _ => both.map(|(left, right)| (left >= right).into()),
            };
        }
    }

    fn inside(&mut self, left: Option<u128>) -> Option<u128> {
        let end = closing(self.tokens, self.at);
        let (mut found, mut unknown) = (false, false);
        self.at += 1;
        while self.at < end {
            let from = self.at;
            match (left, self.binary(0)) {
                (Some(left), Some(value)) => found |= left == value,
                _ => unknown = true,
            }
            if self.peek() == "," || self.at == from {
                self.at += 1;
            }
        }
        self.at = end + 1;
        if found { Some(1) } else { (!unknown).then_some(0) }
    }

    fn unary(&mut self) -> Option<u128> {
        match self.peek().to_owned().as_str() {
            "!" => {
                self.at += 1;
                self.unary().map(|value| (value == 0).into())
            }
            "(" => {
                let end = closing(self.tokens, self.at);
                self.at += 1;
                let value = self.binary(0);
                let whole = self.at == end;
                self.at = end + 1;
                value.filter(|_| whole)
            }
            text if self.tokens.get(self.at).is_some_and(Token::is_name) => self.name(text),
            text => {
                self.at += 1;
                number(text)
            }
        }
    }

    fn name(&mut self, name: &str) -> Option<u128> {
        self.at += 1;
        if self.peek() == "::" {
            self.at += 1;
            let name = self.peek().to_owned();
            return self.name(&name);
        }
        if self.peek() == "(" {
            self.at = closing(self.tokens, self.at) + 1;
            return self.values.call(self.scope, name, self.depth);
        }
        let mut path = Vec::new();
        let mut chosen = false;
        loop {
            match self.peek() {
                "." => {
                    path.push(self.tokens.get(self.at + 1)?.text.clone());
                    self.at += 2;
                }
                "[" => {
                    self.at = closing(self.tokens, self.at) + 1;
                    chosen = true;
                }
                _ => break,
            }
        }
        if chosen { None } else { self.values.name(self.scope, name, &path, self.depth) }
    }
}
