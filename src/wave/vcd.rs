// SPDX-License-Identifier: MIT OR Apache-2.0
//! A wave as VCD; the trace's part is copied byte for byte.
//!
//! Declarations go through the `vcd` crate. Values do not: the crate formats them bit by bit, which would take most of
//! the time that a wave takes.

use std::{
    io::{self, Write},
    iter,
};

use vcd::{IdCode, ReferenceIndex, VarType, Writer};

use super::{
    header::{self, Header, Var},
    ink::{Id, Ink, Kind},
    trace::Change,
    value::Value,
};
use crate::output::Output;

pub(super) struct Vcd {
    output: Output,
    /// Our declarations.
    declared: Writer<Vec<u8>>,
    /// The id of our first variable, until it is declared.
    free: Option<IdCode>,
    ids: Vec<IdCode>,
    /// By id in the trace: width in bits, whether it is a real, and the end of its lines.
    traced: Vec<(u32, bool, Box<[u8]>)>,
    line: Vec<u8>,
}

impl Vcd {
    pub(super) fn new(output: Output) -> Self {
        Vcd {
            output,
            declared: Writer::new(Vec::new()),
            free: None,
            ids: Vec::new(),
            traced: Vec::new(),
            line: Vec::new(),
        }
    }
}

impl Ink for Vcd {
    fn trace(&mut self, header: &Header) -> io::Result<()> {
        self.free = Some(header.free);
        self.traced.resize_with(header.ids(), Default::default);
        for var in header.variables() {
            let end = format!("{}{}\n", if var.width == 1 { "" } else { " " }, header::code(var.id));
            self.traced[var.id] = (var.width, *var.kind == *"real", end.into_bytes().into());
        }
        self.output.write_all(&header.text)?;
        if header.text.ends_with(b"\n") { Ok(()) } else { self.output.write_all(b"\n") }
    }

    fn scope(&mut self, name: &str) -> io::Result<()> {
        self.declared.add_module(name)
    }

    fn upscope(&mut self) -> io::Result<()> {
        self.declared.upscope()
    }

    fn variable(&mut self, kind: Kind, name: &str) -> io::Result<Id> {
        let (of, width, index) = match kind {
            Kind::Flag | Kind::Bits(1) => (VarType::Wire, 1, None),
            Kind::Bits(width) => (VarType::Wire, width, Some(ReferenceIndex::Range(width as i32 - 1, 0))),
            Kind::Number => (VarType::Integer, 32, None),
            Kind::Text => (VarType::String, 1, None),
        };
        let id = match self.free.take() {
            Some(id) => self.declared.var_def(of, width, id, name, index).map(|()| id)?,
            None => self.declared.add_var(of, width, name, index)?,
        };
        self.ids.push(id);
        Ok(Id(self.ids.len() - 1))
    }

    fn begin(&mut self) -> io::Result<()> {
        self.declared.enddefinitions()?;
        self.output.write_all(self.declared.writer())
    }

    fn time(&mut self, time: u64) -> io::Result<()> {
        writeln!(self.output, "#{time}")
    }

    fn change(&mut self, change: Change<'_>) -> io::Result<()> {
        self.output.write_all(change.line)
    }

    fn words(&mut self, id: usize, words: &[u32]) -> io::Result<()> {
        let (width, real, end) = &self.traced[id];
        self.line.clear();
        match (words, width) {
            (&[low, high], _) if *real => {
                write!(self.line, "r{}", f64::from_bits(u64::from(high) << 32 | u64::from(low)))?;
            }
            (_, 1) => self.line.push(b'0' + (words[0] & 1) as u8),
            _ => {
                self.line.push(b'b');
                let highest = (width - 1) % 32 + 1;
                for (word, bits) in words.iter().rev().zip(iter::once(highest).chain(iter::repeat(32))) {
                    self.line.extend((0..bits).rev().map(|bit| b'0' + (word >> bit & 1) as u8));
                }
            }
        }
        self.line.extend_from_slice(end);
        self.output.write_all(&self.line)
    }

    fn bit(&mut self, of_trace: &Var, bit: bool) -> io::Result<()> {
        writeln!(self.output, "{}{}", u8::from(bit), header::code(of_trace.id))
    }

    fn bits(&mut self, id: Id, kind: Kind, bits: &Value) -> io::Result<()> {
        let bits = bits.digits();
        let id = self.ids[id.0];
        match kind {
            Kind::Flag | Kind::Bits(1) => writeln!(self.output, "{bits}{id}"),
            _ => writeln!(self.output, "b{bits} {id}"),
        }
    }

    fn text(&mut self, id: Id, text: &str) -> io::Result<()> {
        let id = self.ids[id.0];
        writeln!(self.output, "s{} {id}", escaped(text))
    }

    fn finish(self) -> io::Result<()> {
        self.output.finish()
    }
}

/// A text as the value of a string variable.
///
/// A value ends at the first space, so spaces become octal escapes, which GTKWave and Surfer decode, and so do
/// backslashes. Other characters than printing ASCII are spelled out, as `\n` or `\u{e9}`: GTKWave takes the bytes for
/// UTF-8, Surfer for ISO 8859-1.
fn escaped(value: &str) -> String {
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
