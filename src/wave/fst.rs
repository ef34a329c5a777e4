// SPDX-License-Identifier: MIT OR Apache-2.0
//! A wave as FST: a thirtieth of the VCD's size, and texts keep their spaces.

mod blocks;
mod frame;
mod packed;
mod writer;

use std::io::{self, Cursor};

use wavefst::{FstWriter, GeomEntry, Header as Head, ScopeType, VarDir, VarType};

use super::{
    header::{Header, Item, Var},
    ink::{Id, Ink, Kind},
    trace::Change,
    value::Value,
};
use crate::output::Output;
use blocks::{Blocks, Handle};

pub(super) struct Fst {
    /// The writer of the declarations, until all variables are declared.
    head: Option<FstWriter<Cursor<Vec<u8>>>>,
    blocks: Blocks,
    /// By id in the trace: the handle; 0 if the id is not declared.
    handles: Vec<Handle>,
    /// The handles of our variables.
    ours: Vec<Handle>,
    /// Room for a value that is shorter than its variable.
    padded: Vec<u8>,
    /// Room for the words of one of our values.
    words: Vec<u32>,
}

fn cannot(error: wavefst::Error) -> io::Error {
    match error {
        wavefst::Error::Io(error) => error,
        error => io::Error::other(error),
    }
}

impl Fst {
    pub(super) fn new(output: Output, header: &Header) -> io::Result<Self> {
        let head = FstWriter::builder(Cursor::default()).timescale_exponent(header.timescale()).build();
        let (head, blocks) = (Some(head.map_err(cannot)?), Blocks::new(output));
        Ok(Fst { head, blocks, handles: Vec::new(), ours: Vec::new(), padded: Vec::new(), words: Vec::new() })
    }

    fn head(&mut self) -> io::Result<&mut FstWriter<Cursor<Vec<u8>>>> {
        self.head.as_mut().ok_or_else(|| io::Error::other("a declaration after the first change"))
    }

    fn variable_of(&mut self, kind: VarType, name: String, geometry: GeomEntry) -> io::Result<Handle> {
        self.blocks.declare(&geometry);
        self.head()?.add_variable(kind, VarDir::Implicit, name, geometry).map_err(cannot)
    }

    fn declare(&mut self, var: &Var) -> io::Result<()> {
        let name = if var.range.is_empty() { var.name.clone() } else { format!("{} {}", var.name, var.range) };
        let (kind, geometry) = match &*var.kind {
            "real" => (VarType::VcdReal, GeomEntry::Real),
            "string" => (VarType::GenString, GeomEntry::Variable),
            "integer" => (VarType::VcdInteger, GeomEntry::Fixed(var.width)),
            "parameter" => (VarType::VcdParameter, GeomEntry::Fixed(var.width)),
            _ => (VarType::VcdWire, GeomEntry::Fixed(var.width)),
        };
        match self.handles[var.id] {
            0 => self.handles[var.id] = self.variable_of(kind, name, geometry)?,
            handle => drop(self.head()?.add_alias(kind, VarDir::Implicit, name, handle).map_err(cannot)?),
        }
        Ok(())
    }

    /// Writes a change of bits; missing higher bits are as the highest given bit if that is x or z, and else 0.
    fn emit(&mut self, handle: Handle, bits: &[u8]) -> io::Result<()> {
        let width = self.blocks.width(handle);
        let bits = if bits.len() == width {
            bits
        } else {
            let highest = bits.first().map_or(b'0', u8::to_ascii_lowercase);
            let fill = if highest == b'1' { b'0' } else { highest };
            self.padded.clear();
            self.padded.resize(width.saturating_sub(bits.len()), fill);
            self.padded.extend_from_slice(&bits[bits.len().saturating_sub(width)..]);
            &self.padded
        };
        self.blocks.bits(handle, bits)
    }
}

impl Ink for Fst {
    fn trace(&mut self, header: &Header) -> io::Result<()> {
        self.handles.resize(header.ids(), 0);
        for item in &header.items {
            match item {
                Item::Scope(kind, name) => {
                    let kind = match kind.as_str() {
                        "struct" => ScopeType::VcdStruct,
                        "union" => ScopeType::VcdUnion,
                        _ => ScopeType::VcdModule,
                    };
                    self.head()?.begin_scope(kind, name.as_str(), None).map_err(cannot)?;
                }
                Item::Upscope => self.head()?.end_scope().map_err(cannot)?,
                Item::Var(var) => self.declare(var)?,
            }
        }
        Ok(())
    }

    fn scope(&mut self, name: &str) -> io::Result<()> {
        self.head()?.begin_scope(ScopeType::VcdModule, name, None).map(drop).map_err(cannot)
    }

    fn upscope(&mut self) -> io::Result<()> {
        self.head()?.end_scope().map_err(cannot)
    }

    fn variable(&mut self, kind: Kind, name: &str) -> io::Result<Id> {
        let (of, geometry, width) = match kind {
            Kind::Flag => (VarType::VcdWire, GeomEntry::Fixed(1), 1),
            Kind::Bits(width) => (VarType::VcdWire, GeomEntry::Fixed(width), width),
            Kind::Number => (VarType::VcdInteger, GeomEntry::Fixed(32), 32),
            Kind::Text => (VarType::GenString, GeomEntry::Variable, 0),
        };
        let name = match width {
            0 | 1 | 32 if !matches!(kind, Kind::Bits(32)) => name.to_owned(),
            _ => format!("{name} [{}:0]", width - 1),
        };
        let handle = self.variable_of(of, name, geometry)?;
        self.ours.push(handle);
        Ok(Id(self.ours.len() - 1))
    }

    fn begin(&mut self) -> io::Result<()> {
        let version = concat!("gpu-lsu ", env!("CARGO_PKG_VERSION")).to_owned();
        self.head()?.write_header(Head { version, ..Head::default() }).map_err(cannot)?;
        match self.head.take() {
            Some(head) => self.blocks.begin(head.finish().map_err(cannot)?.get_ref()),
            None => Ok(()),
        }
    }

    fn time(&mut self, time: u64) -> io::Result<()> {
        self.blocks.time(time)
    }

    fn change(&mut self, change: Change<'_>) -> io::Result<()> {
        let handle = self.handles[change.id];
        match change.kind {
            b'r' => {
                let real = std::str::from_utf8(change.value).ok().and_then(|text| text.trim().parse().ok());
                let real = real.ok_or_else(|| io::Error::other("a real that is no number"))?;
                self.blocks.real(handle, real)
            }
            b's' => self.blocks.text(handle, change.value),
            _ => self.emit(handle, change.value),
        }
    }

    #[inline]
    fn words(&mut self, id: usize, words: &[u32]) -> io::Result<()> {
        match words {
            &[value] => self.blocks.number(self.handles[id], value.into()),
            &[low, high] => self.blocks.number(self.handles[id], u64::from(high) << 32 | u64::from(low)),
            words => self.blocks.words(self.handles[id], words),
        }
    }

    fn bit(&mut self, of_trace: &Var, bit: bool) -> io::Result<()> {
        self.emit(self.handles[of_trace.id], &[b'0' + u8::from(bit)])
    }

    fn bits(&mut self, id: Id, _: Kind, bits: &Value) -> io::Result<()> {
        let handle = self.ours[id.0];
        if let &Value::Number(number) = bits
            && self.blocks.width(handle) <= u64::BITS as usize
        {
            return self.blocks.number(handle, number as u64);
        }
        bits.words(self.blocks.width(handle), &mut self.words);
        if self.words.is_empty() { self.emit(handle, b"x") } else { self.blocks.words(handle, &self.words) }
    }

    fn text(&mut self, id: Id, text: &str) -> io::Result<()> {
        if text.bytes().all(|byte| byte == b' ' || byte.is_ascii_graphic()) {
            return self.blocks.text(self.ours[id.0], text.as_bytes());
        }
        // Other characters than printing ASCII are spelled out, as in a VCD.
        let plain = |symbol: char| symbol == ' ' || symbol.is_ascii_graphic();
        let spelled =
            |symbol: char| if plain(symbol) { symbol.to_string() } else { symbol.escape_default().to_string() };
        let text: String = text.chars().map(spelled).collect();
        self.blocks.text(self.ours[id.0], text.as_bytes())
    }

    fn finish(self) -> io::Result<()> {
        self.blocks.finish()
    }
}
