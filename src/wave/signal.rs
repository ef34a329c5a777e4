// SPDX-License-Identifier: MIT OR Apache-2.0
//! One variable of ours: what it is declared as, what it holds, and how values are written.

use std::{
    fmt::Write as _,
    io::{self, Write},
};

use vcd::{IdCode, ReferenceIndex, VarType, Writer};

/// How a variable is declared.
#[derive(Clone, Copy)]
pub(super) enum Kind {
    /// One bit, 0 at the start.
    Flag,
    /// So many bits, x at the start; shown in hexadecimal.
    Bits(u32),
    /// 32 bits, x at the start; shown in decimal.
    Number,
    /// Empty at the start.
    Text,
}

/// A variable, and the value it holds as the file has it.
pub(super) struct Signal {
    kind: Kind,
    id: IdCode,
    value: String,
}

impl Signal {
    /// Declares it in the scope that is open. `id` is for the first only; others get the next.
    pub(super) fn declare<W: Write>(
        writer: &mut Writer<W>,
        id: Option<IdCode>,
        kind: Kind,
        name: &str,
    ) -> io::Result<Self> {
        let (of, width, index) = match kind {
            Kind::Flag => (VarType::Wire, 1, None),
            Kind::Bits(1) => (VarType::Wire, 1, None),
            Kind::Bits(width) => (VarType::Wire, width, Some(ReferenceIndex::Range(width as i32 - 1, 0))),
            Kind::Number => (VarType::Integer, 32, None),
            Kind::Text => (VarType::String, 1, None),
        };
        let id = match id {
            Some(id) => writer.var_def(of, width, id, name, index).map(|()| id)?,
            None => writer.add_var(of, width, name, index)?,
        };
        let value = match kind {
            Kind::Flag => "0",
            Kind::Bits(_) | Kind::Number => "x",
            Kind::Text => "",
        };
        Ok(Signal { kind, id, value: value.to_owned() })
    }

    /// A flag that is up.
    pub(super) fn is_set(&self) -> bool {
        self.value == "1"
    }

    /// What it holds, as it was set.
    pub(super) fn value(&self) -> &str {
        &self.value
    }

    /// Writes the value it holds.
    pub(super) fn write<W: Write>(&self, writer: &mut Writer<W>) -> io::Result<()> {
        match self.kind {
            Kind::Text => writer.change_string(self.id, &self.value),
            Kind::Flag | Kind::Bits(1) => {
                writer.change_scalar(self.id, bits(&self.value).next().unwrap_or(vcd::Value::X))
            }
            Kind::Bits(_) | Kind::Number => writer.change_vector(self.id, bits(&self.value)),
        }
    }

    /// Writes `value`, if it is another than the one it holds.
    pub(super) fn set<W: Write>(&mut self, writer: &mut Writer<W>, value: String) -> io::Result<()> {
        if self.value == value {
            return Ok(());
        }
        self.value = value;
        self.write(writer)
    }
}

fn bits(value: &str) -> impl Iterator<Item = vcd::Value> {
    value.bytes().map(|bit| match bit {
        b'0' => vcd::Value::V0,
        b'1' => vcd::Value::V1,
        _ => vcd::Value::X,
    })
}

/// A number as bits, or x.
pub(super) fn number(value: impl Into<Option<u128>>) -> String {
    value.into().map_or_else(|| "x".to_owned(), |value| format!("{value:b}"))
}

/// Bytes as bits, the first byte lowest.
pub(super) fn bytes(value: &[u8]) -> String {
    let mut all = String::with_capacity(8 * value.len());
    for byte in value.iter().rev() {
        // Writing to a string does not fail.
        let _ = write!(all, "{byte:08b}");
    }
    match all.find('1') {
        Some(first) => all.split_off(first),
        None => "0".to_owned(),
    }
}

/// A text as the value of a string variable.
///
/// A value ends at the first space, so spaces are octal escapes, which GTKWave and Surfer undo; and so is the backslash
/// that begins one. What is not printing ASCII is spelled out, as `\n` or `\u{e9}`: GTKWave takes the bytes for UTF-8,
/// Surfer for ISO 8859-1.
pub(super) fn text(value: &str) -> String {
    let mut all = String::with_capacity(value.len() + 16);
    for symbol in value.chars() {
        match symbol {
            ' ' => all.push_str(r"\040"),
            '\\' => all.push_str(r"\134"),
            _ if symbol.is_ascii_graphic() => all.push(symbol),
            // `\n`, `\u{e9}`, with the backslash escaped in turn.
            _ => all.push_str(&symbol.escape_default().to_string().replace('\\', r"\134")),
        }
    }
    all
}
