// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which bits of a port hold what: descriptions of packed values, for those who print, name or compare them.

use std::fmt;

use serde::Serialize;

use super::{Bits, Packed};

/// A code and its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Code {
    /// As the Rust enum calls it.
    pub name: &'static str,
    /// As the port carries it.
    pub value: u8,
}

/// What some bits hold.
#[derive(Clone, Copy, Debug)]
pub enum Content {
    /// A number; if it is one of some codes, they.
    Number(&'static [Code]),
    /// The fields of a struct.
    Struct(&'static Struct),
    /// This many equal parts, the first lowest.
    Array(usize, &'static Content),
}

/// A packed struct of rtl/lsu_pkg.sv.
#[derive(Debug)]
pub struct Struct {
    /// Its name there.
    pub name: &'static str,
    /// Bits.
    pub width: usize,
    /// Highest bit first.
    pub members: &'static [Member],
}

/// A field of a struct.
#[derive(Debug)]
pub struct Member {
    /// Its name.
    pub name: &'static str,
    /// Its lowest bit, from the struct's.
    pub offset: usize,
    /// Bits.
    pub width: usize,
    /// What it holds.
    pub content: Content,
}

/// A number among the bits of a value, however deep it lies.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Field {
    /// Names and indices from outside in, such as `uav[3].kind`; empty if the value is this number.
    pub path: String,
    /// Its lowest bit, from the value's.
    pub offset: usize,
    /// Bits.
    pub width: usize,
    /// The codes that it can be, if it is one.
    #[serde(rename = "values", serialize_with = "by_name", skip_serializing_if = "<[Code]>::is_empty")]
    pub codes: &'static [Code],
}

/// Codes as an object.
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

/// Where two values differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Where.
    pub field: Field,
    /// What was to be there.
    pub expected: u128,
    /// What is there.
    pub actual: u128,
}

impl Difference {
    /// Both values: what was to be there, and what is.
    pub fn values(&self) -> [String; 2] {
        [self.expected, self.actual].map(|value| self.value(value))
    }

    /// A value of this field, a code with its name.
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
