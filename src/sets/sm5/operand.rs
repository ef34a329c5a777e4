// SPDX-License-Identifier: MIT OR Apache-2.0
//! Operands, as tokens encode them.

use super::File;

/// One operand: what it names, and the modifier of its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Operand {
    /// From the extended operand token; a destination has none.
    pub modifier: Modifier,
    /// What it names.
    pub value: Value,
}

/// What an operand names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Value {
    /// `l(7)`: one component, which stands for every component.
    Scalar(u32),
    /// `l(7, 0, 0, 0)`.
    Vector([u32; 4]),
    /// A register, or a resource.
    Register(Reference),
}

/// A register by its indices, and the components that are taken of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Reference {
    /// The file that is indexed.
    pub file: File,
    /// The indices; those from the first `None` on are missing.
    pub indices: [Option<Index>; 3],
    /// The components that are taken.
    pub components: Components,
}

/// What is done to a source before it is used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Modifier {
    /// Nothing.
    #[default]
    None,
    /// `-r0.x`.
    Negate,
    /// `|r0.x|`.
    Absolute,
    /// `-|r0.x|`.
    NegateAbsolute,
}

/// Which components of a register an operand takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Components {
    /// The register has no components, like u# and g#.
    None,
    /// The register has one component.
    One,
    /// A bit for each component, X the lowest. A source takes all four in their own places.
    Mask(u8),
    /// X, Y, Z and W take these components, 0 to 3.
    Swizzle([u8; 4]),
    /// All four take this one.
    Select(u8),
}

/// An index of an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Index {
    /// Representation 0.
    Immediate(u32),
    /// Representation 1.
    Wide(u64),
    /// Representation 2, or 3 with an offset: a register's value is added.
    Relative {
        /// The offset to which it is added, if the tokens have one.
        offset: Option<u32>,
        /// The register.
        register: Scalar,
    },
}

/// The register of a relative index: it has no relative index itself, and no modifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Scalar {
    /// The file that is indexed.
    pub file: File,
    /// The indices; those from the first `None` on are missing.
    pub indices: [Option<u32>; 3],
    /// The component, or components, that are taken.
    pub components: Components,
}

impl Components {
    /// The component that each of X, Y, Z and W takes.
    ///
    /// ```
    /// use gpu_lsu::sets::sm5::Components;
    ///
    /// assert_eq!(Components::Swizzle([1, 2, 1, 1]).taken(), [1, 2, 1, 1]);
    /// assert_eq!(Components::Select(3).taken(), [3; 4]);
    /// assert_eq!(Components::Mask(0b0001).taken(), [0, 1, 2, 3]);
    /// ```
    pub fn taken(self) -> [u8; 4] {
        match self {
            Components::None | Components::One => [0; 4],
            Components::Mask(_) => [0, 1, 2, 3],
            Components::Swizzle(components) => components.map(|component| component & 3),
            Components::Select(component) => [component & 3; 4],
        }
    }
}

impl Reference {
    /// The indices that are present.
    pub fn indices(&self) -> impl Iterator<Item = &Index> {
        self.indices.iter().map_while(Option::as_ref)
    }
}

impl Scalar {
    /// The indices that are present.
    pub fn indices(&self) -> impl Iterator<Item = u32> {
        self.indices.iter().copied().map_while(|index| index)
    }
}
