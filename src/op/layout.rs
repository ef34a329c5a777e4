// SPDX-License-Identifier: MIT OR Apache-2.0
//! Descriptions of packed values: which bits hold which field, for code that prints, names or compares them.

use std::fmt;

use serde::Serialize;

use super::{Bits, Packed};

/// A code and its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Code {
    /// Its name in the Rust enum.
    pub name: &'static str,
    /// Its value at the port.
    pub value: u8,
}

/// What some bits hold.
#[derive(Clone, Copy, Debug)]
pub enum Content {
    /// A number, with its codes if it is an enumeration.
    Number(&'static [Code]),
    /// The fields of a struct.
    Struct(&'static Struct),
    /// This many parts of equal width, the first in the lowest bits.
    Array(usize, &'static Content),
}

/// A packed struct of rtl/lsu_pkg.sv.
#[derive(Debug)]
pub struct Struct {
    /// Its name there.
    pub name: &'static str,
    /// Bits.
    pub width: usize,
    /// From the highest bit down.
    pub members: &'static [Member],
}

/// A field of a struct.
#[derive(Debug)]
pub struct Member {
    /// Its name.
    pub name: &'static str,
    /// Its lowest bit, relative to the struct's.
    pub offset: usize,
    /// Bits.
    pub width: usize,
    /// What it holds.
    pub content: Content,
}

/// A number within a value, at any depth.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Field {
    /// Names and indices from outside in, such as `uav[3].kind`; empty if the value is itself a number.
    pub path: String,
    /// Its lowest bit, relative to the value's.
    pub offset: usize,
    /// Bits.
    pub width: usize,
    /// Its codes, if it is an enumeration.
    #[serde(rename = "values", serialize_with = "by_name", skip_serializing_if = "<[Code]>::is_empty")]
    pub codes: &'static [Code],
}

/// Serializes codes as a map from name to value.
pub(crate) fn by_name<S: serde::Serializer>(codes: &[Code], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(codes.iter().map(|code| (code.name, code.value)))
}

impl Content {
    /// Every number in a value of this content and width, in the order of the declaration.
    pub fn fields(&self, width: usize) -> Vec<Field> {
        let mut fields = Vec::new();
        self.walk(String::new(), 0, width, &mut fields);
        fields
    }

    /// The first number that differs between two values of this content and width.
    pub fn first_difference(&self, width: usize, expected: &Bits, actual: &Bits) -> Option<Difference> {
        self.fields(width).into_iter().find_map(|field| {
            let value =
                |bits: &Bits| u128::unpack(bits.get(field.offset..field.offset + field.width).unwrap_or_default());
            let (expected, actual) = (value(expected), value(actual));
            (expected != actual).then_some(Difference { field, expected, actual })
        })
    }

    fn walk(&self, path: String, offset: usize, width: usize, fields: &mut Vec<Field>) {
        match *self {
            Content::Number(codes) => fields.push(Field { path, offset, width, codes }),
            Content::Struct(whole) => {
                let dot = if path.is_empty() { "" } else { "." };
                for member in whole.members {
                    let path = format!("{path}{dot}{}", member.name);
                    member.content.walk(path, offset + member.offset, member.width, fields);
                }
            }
            Content::Array(count, each) => {
                for index in 0..count {
                    each.walk(format!("{path}[{index}]"), offset + index * (width / count), width / count, fields);
                }
            }
        }
    }
}

/// A field in which two values differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The field.
    pub field: Field,
    /// The value that was expected.
    pub expected: u128,
    /// The value that was found.
    pub actual: u128,
}

impl Difference {
    /// Both values as text, the expected one first.
    pub fn values(&self) -> [String; 2] {
        [self.expected, self.actual].map(|value| self.value(value))
    }

    /// A value of this field as text; a code has its name.
    fn value(&self, value: u128) -> String {
        match self.field.codes.iter().find(|code| u128::from(code.value) == value) {
            Some(code) => format!("{value} ({})", code.name),
            None if value < 10 => format!("{value}"),
            None => format!("{value:#x}"),
        }
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [expected, actual] = self.values();
        write!(f, "{}: expected {expected}, found {actual}", self.field.path)
    }
}
