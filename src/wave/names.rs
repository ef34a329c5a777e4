// SPDX-License-Identifier: MIT OR Apache-2.0
//! The names of codes: `names.op_i.kind` is a text beside `top.op_i.kind`, which is a number. So every viewer can show
//! them.

use std::io;

use super::{
    header::Header,
    ink::{Ink, Kind},
    signal::{Declarer, Signal},
    trace::Change,
};
use crate::op::{
    Attr, Op, Packed,
    layout::{self, Code},
};

/// The fields that hold codes, of ports that are structs.
pub(super) struct Names {
    fields: Vec<Field>,
    /// By id in the trace: its index in `fields`.
    of: Vec<Option<u16>>,
}

struct Field {
    signal: Signal,
    bits: usize,
    codes: &'static [Code],
}

impl Field {
    /// Sets the name of the code `value`; `digits` spells a value that has no name.
    fn holds(&mut self, ink: &mut dyn Ink, value: Option<u32>, digits: impl FnOnce() -> String) -> io::Result<()> {
        let code = self.codes.iter().find(|code| Some(u32::from(code.value)) == value);
        self.signal.set(ink, code.map_or_else(|| format!("{}?", digits()).into(), |code| code.name.into()))
    }
}

impl Names {
    /// Declares the scope `names`, for the fields that the trace has.
    pub(super) fn declare(declarer: &mut Declarer<'_>, header: &Header) -> io::Result<Self> {
        let mut names = Names { fields: Vec::new(), of: vec![None; header.ids()] };
        let ports = [
            ("op_i", Op::CONTENT.fields(Op::LAYOUT.width)),
            ("mem_req_attr_o", Attr::CONTENT.fields(Attr::LAYOUT.width)),
        ];
        declarer.scope("names", |declarer| {
            for (port, fields) in ports {
                declarer.scope(port, |declarer| names.port(declarer, header, port, &fields))?;
            }
            Ok(())
        })?;
        Ok(names)
    }

    fn port(
        &mut self,
        declarer: &mut Declarer<'_>,
        header: &Header,
        port: &str,
        fields: &[layout::Field],
    ) -> io::Result<()> {
        for field in fields.iter().filter(|field| !field.codes.is_empty()) {
            let path = format!("top.{port}.{}", field.path);
            let Some((scope, name)) = path.rsplit_once('.') else { continue };
            let Some(var) = header.find(scope, name) else { continue };
            let signal = declarer.signal(Kind::Text, &field.path.replace('.', "_"))?;
            self.of[var.id] = Some(self.fields.len() as u16);
            self.fields.push(Field { signal, bits: var.width as usize, codes: field.codes });
        }
        Ok(())
    }

    /// Writes the initial values.
    pub(super) fn write_all(&self, ink: &mut dyn Ink) -> io::Result<()> {
        self.fields.iter().try_for_each(|field| field.signal.write(ink))
    }

    /// Whether a variable of the trace is one of these fields.
    pub(super) fn names(&self, id: usize) -> bool {
        self.of[id].is_some()
    }

    /// Writes the new name if a change in the trace is one of these fields.
    pub(super) fn changed(&mut self, ink: &mut dyn Ink, change: Change<'_>) -> io::Result<()> {
        let Some(number) = self.of[change.id] else { return Ok(()) };
        let digits = std::str::from_utf8(change.value).unwrap_or_default();
        self.fields[usize::from(number)].holds(ink, u32::from_str_radix(digits, 2).ok(), || digits.to_owned())
    }

    /// The same for a change given as words.
    pub(super) fn words(&mut self, ink: &mut dyn Ink, id: usize, words: &[u32]) -> io::Result<()> {
        let Some(number) = self.of[id] else { return Ok(()) };
        let field = &mut self.fields[usize::from(number)];
        let width = field.bits;
        field.holds(ink, Some(words[0]), || format!("{:0width$b}", words[0]))
    }
}
