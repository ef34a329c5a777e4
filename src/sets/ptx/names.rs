// SPDX-License-Identifier: MIT OR Apache-2.0
//! The meaning of the names in statements.

use rustc_hash::FxHashMap;

use super::modifier::{Class, Space};

/// The kind of a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Register {
    /// The kind of value. `.f16x2` counts as an integer, because operands treat it as one.
    pub class: Class,
    /// Width in bits.
    pub bits: u8,
    /// 1; for a vector register 2 or 4.
    pub lanes: u8,
}

/// Whether a name has elements that an index may select.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// `.b32 a`
    Scalar,
    /// `.b8 a[64]`
    Array,
}

/// The meaning of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Symbol {
    /// A register for data and addresses.
    Register(Register),
    /// A predicate register.
    Predicate,
    /// A variable. A parameter of a call that is being made is a variable of `.param`.
    Variable(Space, Extent),
    /// A parameter of the kernel or function that contains the statement, which may only read it.
    Input(Extent),
    /// The result of the function that contains the statement.
    Result(Extent),
    /// A kernel or a function.
    Function,
}

impl Symbol {
    /// A variable becomes a parameter of the given kind; a register stays a register.
    pub(crate) fn parameter(self, kind: fn(Extent) -> Symbol) -> Symbol {
        match self {
            Symbol::Variable(_, extent) => kind(extent),
            symbol => symbol,
        }
    }

    /// The extent of a variable or parameter; `None` for other symbols.
    pub fn extent(self) -> Option<Extent> {
        match self {
            Symbol::Variable(_, extent) | Symbol::Input(extent) | Symbol::Result(extent) => Some(extent),
            Symbol::Register(_) | Symbol::Predicate | Symbol::Function => None,
        }
    }
}

/// The names of a block: those declared one by one, and numbered ones such as `%r<20>`.
#[derive(Clone, Debug, Default)]
struct Block<'a> {
    single: FxHashMap<&'a str, Symbol>,
    numbered: FxHashMap<&'a str, (u64, Symbol)>,
}

/// Declarations in nested blocks. The innermost block that has a name decides.
#[derive(Clone, Debug)]
pub struct Names<'a> {
    blocks: Vec<Block<'a>>,
}

impl Default for Names<'_> {
    fn default() -> Self {
        Names { blocks: vec![Block::default()] }
    }
}

impl<'a> Names<'a> {
    /// Opens a block.
    pub fn open(&mut self) {
        self.blocks.push(Block::default());
    }

    /// Closes the innermost block; the module itself stays open.
    pub fn close(&mut self) {
        if self.is_inside() {
            self.blocks.pop();
        }
    }

    /// Whether a block is open.
    pub fn is_inside(&self) -> bool {
        self.blocks.len() > 1
    }

    /// Declares a name in the innermost block.
    pub fn declare(&mut self, name: &'a str, symbol: Symbol) {
        if let Some(block) = self.blocks.last_mut() {
            block.single.insert(name, symbol);
        }
    }

    /// Declares `prefix0` to `prefixN`, N below `count`.
    pub fn declare_numbered(&mut self, prefix: &'a str, count: u64, symbol: Symbol) {
        if let Some(block) = self.blocks.last_mut() {
            block.numbered.insert(prefix, (count, symbol));
        }
    }

    /// The meaning of a name, or `None` if it is not declared.
    pub fn find(&self, name: &str) -> Option<Symbol> {
        self.blocks.iter().rev().find_map(|block| block.find(name))
    }
}

impl Block<'_> {
    fn find(&self, name: &str) -> Option<Symbol> {
        if let Some(&symbol) = self.single.get(name) {
            return Some(symbol);
        }
        // The prefix may itself end in digits. No number has more than 20 of them.
        let digits = name.bytes().rev().take_while(u8::is_ascii_digit).count().min(20);
        (name.len() - digits..name.len()).rev().find_map(|split| {
            let &(count, symbol) = self.numbered.get(&name[..split])?;
            name[split..].parse().is_ok_and(|number: u64| number < count).then_some(symbol)
        })
    }
}
