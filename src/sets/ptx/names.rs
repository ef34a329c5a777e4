// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the names in statements stand for.

use rustc_hash::FxHashMap;

use super::modifier::{Class, Space};

/// A register's kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Register {
    /// What it holds. `.f16x2` counts as an integer: that is how operands treat it.
    pub class: Class,
    /// Its width.
    pub bits: u8,
    /// 1; 2 or 4 of a vector register.
    pub lanes: u8,
}

/// Whether a name has elements, which an index may choose from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// `.b32 a`
    Scalar,
    /// `.b8 a[64]`
    Array,
}

/// What a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Symbol {
    /// A register for data and addresses.
    Register(Register),
    /// A predicate register.
    Predicate,
    /// A variable; a parameter of a call that is being made is one of `.param`.
    Variable(Space, Extent),
    /// A parameter of the kernel or function that the statement is in, which only it may read.
    Input(Extent),
    /// What the function that the statement is in gives back.
    Result(Extent),
    /// A kernel or a function.
    Function,
}

impl Symbol {
    /// A variable as a parameter; registers stay what they are.
    pub(crate) fn parameter(self, kind: fn(Extent) -> Symbol) -> Symbol {
        match self {
            Symbol::Variable(_, extent) => kind(extent),
            symbol => symbol,
        }
    }

    /// The elements of a variable or parameter; of others there are none.
    pub fn extent(self) -> Option<Extent> {
        match self {
            Symbol::Variable(_, extent) | Symbol::Input(extent) | Symbol::Result(extent) => Some(extent),
            Symbol::Register(_) | Symbol::Predicate | Symbol::Function => None,
        }
    }
}

/// The names of a block: those declared one by one, and `%r<20>`.
#[derive(Clone, Debug, Default)]
struct Block<'a> {
    single: FxHashMap<&'a str, Symbol>,
    numbered: FxHashMap<&'a str, (u64, Symbol)>,
}

/// Declarations, block within block: the innermost says what a name is.
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

    /// A block is open.
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

    /// What a name stands for; `None` is undeclared.
    pub fn find(&self, name: &str) -> Option<Symbol> {
        self.blocks.iter().rev().find_map(|block| block.find(name))
    }
}

impl Block<'_> {
    fn find(&self, name: &str) -> Option<Symbol> {
        if let Some(&symbol) = self.single.get(name) {
            return Some(symbol);
        }
        // The prefix may itself end in digits. Nobody counts past 20 of them.
        let digits = name.bytes().rev().take_while(u8::is_ascii_digit).count().min(20);
        (name.len() - digits..name.len()).rev().find_map(|split| {
            let &(count, symbol) = self.numbered.get(&name[..split])?;
            name[split..].parse().is_ok_and(|number: u64| number < count).then_some(symbol)
        })
    }
}
