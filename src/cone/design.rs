// SPDX-License-Identifier: MIT OR Apache-2.0
//! A unit's sources as what drives what: every assignment, connection and argument, and the conditions that it stands
//! under.

use std::collections::{HashMap, HashSet};

use super::tokens::Token;

/// A module, package or function.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    /// Its name.
    pub name: String,
    /// The module or package that a function stands in.
    pub owner: Option<usize>,
    /// Names that are declared in it, and their types as far as they are names.
    pub declared: HashMap<String, String>,
    /// Ports of a module and arguments of a function, in their order.
    pub ports: Vec<String>,
    /// Those of them that are driven from inside.
    pub outputs: HashSet<String>,
    /// Its file.
    pub file: usize,
    /// Its first line.
    pub line: usize,
}

/// What makes a drive.
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
    /// What is driven.
    pub target: Symbol,
    /// The field of it.
    pub field: Option<String>,
    /// The scope in which the value is made.
    pub scope: usize,
    /// The value.
    pub value: Vec<Token>,
    /// Conditions, as indices, and how they must be.
    pub guards: Vec<(usize, bool)>,
    /// What makes it.
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
    /// The scope that it stands in.
    pub scope: usize,
    /// What is asked.
    pub asks: Vec<Token>,
    /// Whether it is a loop's.
    pub is_loop: bool,
    /// Its file.
    pub file: usize,
}

/// All of it.
#[derive(Clone, Debug, Default)]
pub struct Design {
    /// Path and text of each source.
    pub files: Vec<(String, String)>,
    /// Modules, packages, functions.
    pub scopes: Vec<Scope>,
    /// What drives what.
    pub drives: Vec<Drive>,
    /// What they stand under.
    pub guards: Vec<Guard>,
    /// Names of enumerations' values, and the values.
    pub constants: HashMap<String, u128>,
    pub declared_at: HashMap<Symbol, (usize, usize)>,
    /// Lines of comments, by file and line.
    pub comments: HashMap<(usize, usize), String>,
}

impl Design {
    /// The module or package of a name, the function that is called so.
    pub fn module(&self, name: &str) -> Option<usize> {
        self.scopes.iter().position(|scope| scope.owner.is_none() && scope.name == name)
    }

    /// The function that a name means in a scope.
    pub fn function(&self, from: usize, name: &str) -> Option<usize> {
        let owner = self.scopes[from].owner.unwrap_or(from);
        let named = |scope: &Scope| scope.owner.is_some() && scope.name == name;
        let own = self.scopes.iter().position(|scope| named(scope) && scope.owner == Some(owner));
        own.or_else(|| self.scopes.iter().position(named))
    }

    /// The name in the scope that declares it.
    pub fn resolve(&self, from: usize, name: &str) -> Symbol {
        let scope = &self.scopes[from];
        let owner = scope.owner.filter(|_| !scope.declared.contains_key(name) && scope.name != name);
        (owner.unwrap_or(from), name.to_owned())
    }
}
