// SPDX-License-Identifier: MIT OR Apache-2.0
//! An `st` as it was written, legal or not.

use std::{borrow::Cow, ops::Range};

use super::{
    constant::Constant,
    modifier::{Cop, Modifier, Order, Priority, Scope, Space, Type},
};
use crate::sets::text::shown;

/// A part of a statement, and its place.
#[derive(Clone, Debug, PartialEq)]
pub struct At<'a, T> {
    /// The part.
    pub value: T,
    /// The text as it was written.
    pub text: &'a str,
    /// Its bytes in the source.
    pub span: Range<usize>,
}

impl<T> At<'_, T> {
    /// The text, shortened as messages repeat it.
    pub fn shown(&self) -> Cow<'_, str> {
        shown(self.text)
    }
}

/// A guard: `@%p1`, `@!%p1`.
#[derive(Clone, Debug, PartialEq)]
pub struct Guard<'a> {
    /// The register.
    pub name: &'a str,
    /// Whether the threads where it is false execute, instead of those where it is true.
    pub negated: bool,
}

/// The address in brackets.
#[derive(Clone, Debug, PartialEq)]
pub struct Address<'a> {
    /// The register or the variable; `None` for `[number]`.
    pub base: Option<At<'a, &'a str>>,
    /// The index, if the brackets follow the variable to select an element: `var[4]`.
    pub index: Option<Index<'a>>,
    /// The offset, modulo 2^64.
    pub offset: u64,
}

/// An index after a variable: `[4]`, `[%r1]`, `[%r1+4]`. The number is the offset of the address.
#[derive(Clone, Debug, PartialEq)]
pub struct Index<'a> {
    /// The register, if there is one.
    pub register: Option<At<'a, &'a str>>,
}

/// One value to store.
#[derive(Clone, Debug, PartialEq)]
pub enum Element<'a> {
    /// A register, or another name, which the clauses refuse; with `.x` for a component of a vector register.
    Name(&'a str, Option<&'a str>),
    /// A name plus an integer modulo 2^64: `gbl+4`, `%r1+4`.
    Sum(&'a str, u64),
    /// A literal or a constant expression.
    Constant(Constant),
    /// `_`: its bytes in memory stay as they are.
    Sink,
}

/// An operand after the address.
#[derive(Clone, Debug, PartialEq)]
pub struct Operand<'a> {
    /// Whether it stands in `{ }`.
    pub braces: bool,
    /// Its elements, the lowest address first; a single one without braces.
    pub elements: Vec<At<'a, Element<'a>>>,
}

/// An `st`.
#[derive(Clone, Debug, PartialEq)]
pub struct Statement<'a> {
    /// The predicate in front of it.
    pub guard: Option<At<'a, Guard<'a>>>,
    /// `st` with its modifiers.
    pub mnemonic: At<'a, ()>,
    /// The modifiers, in the order in which they were written.
    pub modifiers: Vec<At<'a, Modifier>>,
    /// The destination.
    pub address: At<'a, Address<'a>>,
    /// The value to store.
    pub data: At<'a, Operand<'a>>,
    /// The cache policy, if there is a third operand.
    pub policy: Option<At<'a, Operand<'a>>>,
}

impl<'a> Statement<'a> {
    /// The modifiers of one class, in the order in which they were written.
    pub fn of<T>(&self, class: impl Fn(Modifier) -> Option<T>) -> impl Iterator<Item = At<'a, T>> {
        self.modifiers.iter().filter_map(move |at| {
            let value = class(at.value)?;
            Some(At { value, text: at.text, span: at.span.clone() })
        })
    }

    fn first<T>(&self, class: impl Fn(Modifier) -> Option<T>) -> Option<T> {
        self.modifiers.iter().find_map(|at| class(at.value))
    }

    /// The state space, or `None` for a generic address.
    pub fn space(&self) -> Option<Space> {
        self.first(|modifier| if let Modifier::Space(space) = modifier { Some(space) } else { None })
    }

    /// The memory order, or `None` for weak.
    pub fn order(&self) -> Option<Order> {
        self.first(|modifier| if let Modifier::Order(order) = modifier { Some(order) } else { None })
    }

    /// Whether `.mmio` is given.
    pub fn mmio(&self) -> bool {
        self.modifiers.iter().any(|at| at.value == Modifier::Mmio)
    }

    /// The scope.
    pub fn scope(&self) -> Option<Scope> {
        self.first(|modifier| if let Modifier::Scope(scope) = modifier { Some(scope) } else { None })
    }

    /// The cache operator, or `None` for write-back.
    pub fn cop(&self) -> Option<Cop> {
        self.first(|modifier| if let Modifier::Cop(cop) = modifier { Some(cop) } else { None })
    }

    /// The priority in L1.
    pub fn l1(&self) -> Option<Priority> {
        self.first(|modifier| if let Modifier::L1(priority) = modifier { Some(priority) } else { None })
    }

    /// The priority in L2.
    pub fn l2(&self) -> Option<Priority> {
        self.first(|modifier| if let Modifier::L2(priority) = modifier { Some(priority) } else { None })
    }

    /// Whether `.L2::cache_hint` is given.
    pub fn hint(&self) -> bool {
        self.modifiers.iter().any(|at| at.value == Modifier::Hint)
    }

    /// The number of elements: 1, 2, 4 or 8.
    pub fn elements(&self) -> u8 {
        self.first(|modifier| if let Modifier::Vector(elements) = modifier { Some(elements) } else { None })
            .unwrap_or(1)
    }

    /// The type of an element. A legal statement has one.
    pub fn element(&self) -> Option<Type> {
        self.first(|modifier| if let Modifier::Type(element) = modifier { Some(element) } else { None })
    }

    /// Width of the whole access in bits.
    pub fn bits(&self) -> u32 {
        u32::from(self.elements()) * self.element().map_or(0, |element| element.bits.into())
    }

    /// Whether it has one of the two shapes wider than 128 bits.
    pub fn is_256(&self) -> bool {
        matches!((self.elements(), self.element()), (8, Some(Type { bits: 32, .. })) | (4, Some(Type { bits: 64, .. })))
    }
}
