// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reads whole PTX modules: remembers declarations, returns stores and loads, and skips everything else.

use std::str::FromStr;

use super::{
    declare,
    feature::{Target, Version},
    lex::{Kind, Token, Tokens},
    names::{Names, Symbol},
    parse::{guard, store},
    statement::{At, Statement},
};
use crate::sets::text::{Failure, Parsed};

/// An access to memory in a module.
#[derive(Clone, Debug)]
pub enum Access<'a> {
    /// An `st`.
    Store(Box<Statement<'a>>),
    /// The mnemonic of an `ld`, about which the clauses say nothing.
    Load(At<'a, ()>),
    /// An `st` that cannot be read, or text that ends too early.
    Broken(Failure),
}

/// Reads a module from its beginning to its end.
#[derive(Clone, Debug)]
pub struct Module<'a> {
    tokens: Tokens<'a>,
    names: Names<'a>,
    target: Option<Target>,
    version: Option<Version>,
}

/// Whether a text begins like a module, with a directive.
pub fn is_module(source: &str) -> bool {
    Tokens::new(source).peek().kind == Kind::Dotted
}

impl<'a> Module<'a> {
    /// Starts to read the text of a module.
    pub fn new(source: &'a str) -> Self {
        Module { tokens: Tokens::new(source), names: Names::default(), target: None, version: None }
    }

    /// The names declared at the place of the access returned last.
    pub fn names(&self) -> &Names<'a> {
        &self.names
    }

    /// The names declared at the end.
    pub(crate) fn into_names(self) -> Names<'a> {
        self.names
    }

    /// The target that `.target` gives, once it has been read.
    pub fn target(&self) -> Option<Target> {
        self.target
    }

    /// The version that `.version` gives, once it has been read.
    pub fn version(&self) -> Option<Version> {
        self.version
    }

    /// Reads on to the next access. Returns `None` at the end.
    pub fn next_access(&mut self) -> Option<Access<'a>> {
        loop {
            let token = self.tokens.peek().clone();
            match token.kind {
                Kind::End => return None,
                Kind::Broken(_) => {
                    self.tokens.take();
                    return Some(Access::Broken(Failure::refused(token.span, "is never closed", "close it")));
                }
                Kind::Dotted => {
                    self.tokens.take();
                    if let Err(failure) = self.directive(&token) {
                        return Some(Access::Broken(failure));
                    }
                }
                Kind::Sign if token.text == "{" => {
                    self.tokens.take();
                    self.names.open();
                }
                Kind::Sign if token.text == "}" => {
                    self.tokens.take();
                    self.names.close();
                }
                Kind::Name | Kind::Sign => {
                    if let Some(access) = self.instruction() {
                        return Some(access);
                    }
                }
                Kind::Number | Kind::Text => {
                    self.tokens.take();
                }
            }
        }
    }

    /// Reads a label, or an instruction to its semicolon.
    fn instruction(&mut self) -> Option<Access<'a>> {
        let guard = match guard(&mut self.tokens) {
            Ok(guard) => guard,
            Err(_) => {
                // Old compilers write debug data as lines of `@@DWARF`.
                let at = self.tokens.take().span.start;
                self.tokens.pass_line(at);
                return None;
            }
        };
        let word = self.tokens.take();
        if self.tokens.eat(":") {
            return None;
        }
        match word.text {
            "st" if !matches!(self.tokens.peek().text, ".async" | ".bulk") => {
                Some(match store(&mut self.tokens, guard, &word) {
                    Ok(statement) => Access::Store(Box::new(statement)),
                    Err(failure) => {
                        self.pass_statement();
                        Access::Broken(failure)
                    }
                })
            }
            "ld" => {
                while self.tokens.peek().kind == Kind::Dotted {
                    self.tokens.take();
                }
                let (text, span) = self.tokens.since(word.span.start);
                self.pass_statement();
                Some(Access::Load(At { value: (), text, span }))
            }
            _ => {
                self.pass_statement();
                None
            }
        }
    }

    /// Skips to the semicolon, and past it.
    fn pass_statement(&mut self) {
        while !matches!(self.tokens.peek().kind, Kind::End | Kind::Broken(_)) && !self.tokens.eat(";") {
            self.tokens.take();
        }
    }

    fn directive(&mut self, directive: &Token<'a>) -> Parsed<()> {
        match directive.text {
            ".version" => self.version = Some(stated(&mut self.tokens, "a version such as `8.3`")?),
            ".target" => {
                self.target = Some(stated(&mut self.tokens, "a target such as `sm_90`")?);
                while self.tokens.eat(",") {
                    self.tokens.take();
                }
            }
            ".address_size" => {
                self.tokens.take();
            }
            ".loc" | ".file" => self.tokens.pass_line(directive.span.end),
            ".section" => self.section(),
            // Linkage directives stand before the declaration itself.
            ".visible" | ".extern" | ".weak" | ".common" => {}
            ".entry" | ".func" => self.function(directive),
            _ => {
                if declare::variables(&mut self.tokens, directive, &mut self.names).is_err() {
                    self.pass_statement();
                }
            }
        }
        Ok(())
    }

    /// Skips a section such as `.section .debug_info { ... }`, which holds data line by line.
    fn section(&mut self) {
        while !matches!(self.tokens.peek().kind, Kind::End | Kind::Broken(_)) && !self.tokens.take().is("}") {}
    }

    /// Reads a kernel or function, to the beginning of its body, or to the semicolon of a mere declaration.
    fn function(&mut self, directive: &Token<'a>) {
        let header = self.header(directive);
        loop {
            let token = self.tokens.peek();
            if matches!(token.kind, Kind::End | Kind::Broken(_)) {
                return;
            }
            // The brace of a body opens no block: the block of the parameters is open already.
            let (body, over) = (token.is("{"), token.is(";"));
            if header.is_err() && token.is("}") {
                return;
            }
            self.tokens.take();
            if over {
                self.names.close();
            }
            if body || over {
                return;
            }
        }
    }

    /// Reads the header, and opens the block of the parameters.
    fn header(&mut self, directive: &Token<'a>) -> Parsed<()> {
        let mut outputs = Vec::new();
        while self.tokens.peek().kind == Kind::Dotted {
            self.tokens.take(); // Such as `.noreturn` and `.attribute(...)`.
            if self.tokens.peek().is("(") {
                declare::pass_group(&mut self.tokens);
            }
        }
        if directive.text == ".func" && self.tokens.peek().is("(") {
            declare::parameters(&mut self.tokens, &mut outputs)?;
        }
        if self.tokens.peek().kind != Kind::Name {
            self.names.open();
            return Err(self.tokens.expected("a name"));
        }
        self.names.declare(self.tokens.take().text, Symbol::Function);
        self.names.open();
        for (name, symbol) in outputs {
            self.names.declare(name, symbol.parameter(Symbol::Result));
        }
        let mut inputs = Vec::new();
        if self.tokens.peek().is("(") {
            declare::parameters(&mut self.tokens, &mut inputs)?;
        }
        for (name, symbol) in inputs {
            self.names.declare(name, symbol.parameter(Symbol::Input));
        }
        Ok(())
    }
}

/// Takes what a directive states.
fn stated<T: FromStr>(tokens: &mut Tokens<'_>, what: &'static str) -> Parsed<T> {
    let token = tokens.take();
    token.text.parse().map_err(|_| Failure::expected(token.span, what))
}
