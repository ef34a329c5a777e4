// SPDX-License-Identifier: MIT OR Apache-2.0
//! A unit's sources as drives: every assignment, connection and argument, with the conditions that it stands under.

use std::collections::{HashMap, HashSet};

use super::tokens::Token;

/// A module, package or function.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    /// Its name.
    pub name: String,
    /// The module or package that contains a function.
    pub owner: Option<usize>,
    /// The names that it declares, with their types where these are names.
    pub declared: HashMap<String, String>,
    /// Ports of a module or arguments of a function, in order.
    pub ports: Vec<String>,
    /// Those ports that are driven from inside.
    pub outputs: HashSet<String>,
    /// Its file.
    pub file: usize,
    /// Its first line.
    pub line: usize,
}

/// The kind of a drive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// An assignment without a clock.
    Wire,
    /// An assignment at a clock.
    Register,
    /// An argument of a function, a connection of an instance.
    Bind,
}

/// A name in a scope.
pub type Symbol = (usize, String);

/// One source of a name's value.
#[derive(Clone, Debug)]
pub struct Drive {
    /// The symbol that is driven.
    pub target: Symbol,
    /// The field of it, if only one is driven.
    pub field: Option<String>,
    /// The scope in which the value is made.
    pub scope: usize,
    /// The value.
    pub value: Vec<Token>,
    /// Indices of conditions, and whether each must hold.
    pub guards: Vec<(usize, bool)>,
    /// Its kind.
    pub kind: Kind,
    /// Its file.
    pub file: usize,
    /// Its first line.
    pub line: usize,
    /// Its last line.
    pub end: usize,
}

/// A condition, or the head of a loop.
#[derive(Clone, Debug)]
pub struct Guard {
    /// The scope that contains it.
    pub scope: usize,
    /// The expression.
    pub asks: Vec<Token>,
    /// Whether it is the head of a loop.
    pub is_loop: bool,
    /// Its file.
    pub file: usize,
}

/// The sources of a unit.
#[derive(Clone, Debug, Default)]
pub struct Design {
    /// Path and text of each source.
    pub files: Vec<(String, String)>,
    /// Modules, packages, functions.
    pub scopes: Vec<Scope>,
    /// All drives.
    pub drives: Vec<Drive>,
    /// The conditions of the drives.
    pub guards: Vec<Guard>,
    /// The values of enumerations, by name.
    pub constants: HashMap<String, u128>,
    pub declared_at: HashMap<Symbol, (usize, usize)>,
    /// Lines of comments, by file and line.
    pub comments: HashMap<(usize, usize), String>,
}

impl Design {
    /// The module or package of this name.
    pub fn module(&self, name: &str) -> Option<usize> {
        self.scopes.iter().position(|scope| scope.owner.is_none() && scope.name == name)
    }

    /// The function that a name refers to in a scope.
    pub fn function(&self, from: usize, name: &str) -> Option<usize> {
        let owner = self.scopes[from].owner.unwrap_or(from);
        let named = |scope: &Scope| scope.owner.is_some() && scope.name == name;
        let own = self.scopes.iter().position(|scope| named(scope) && scope.owner == Some(owner));
        own.or_else(|| self.scopes.iter().position(named))
    }

    /// The symbol that a name refers to in a scope.
    pub fn resolve(&self, from: usize, name: &str) -> Symbol {
        let scope = &self.scopes[from];
        let owner = scope.owner.filter(|_| !scope.declared.contains_key(name) && scope.name != name);
        (owner.unwrap_or(from), name.to_owned())
    }
}
