// SPDX-License-Identifier: MIT OR Apache-2.0
//! A wave as FST: a thirtieth of the VCD, and texts with their spaces.

use std::{
    borrow::Cow,
    io::{self, Seek, SeekFrom, Write},
};

use wavefst::{ChainCompression, FstWriter, GeomEntry, Header as Head, ScopeType, SignalValue, VarDir, VarType};

use super::{
    header::{Header, Item, Var},
    ink::{Id, Ink, Kind},
    trace::Change,
};
use crate::output::Output;

pub(super) struct Fst {
    writer: FstWriter<Sought>,
    time: u64,
    /// By number of the trace's id: its handle, 0 of one that is not declared, and its bits.
    handles: Vec<(u32, usize)>,
    /// Of ours.
    widths: Vec<(u32, usize)>,
    /// For values that are shorter than their variable.
    padded: Vec<u8>,
}

/// A file that appears only when it is whole, with a buffer that knows where it stands.
pub(super) struct Sought(Output);

impl Write for Sought {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

impl Seek for Sought {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.0.seek(to)
    }
}

fn cannot(error: wavefst::Error) -> io::Error {
    match error {
        wavefst::Error::Io(error) => error,
        error => io::Error::other(error),
    }
}

impl Fst {
    pub(super) fn new(output: Output, header: &Header) -> io::Result<Self> {
        let writer = FstWriter::builder(Sought(output)).timescale_exponent(header.timescale());
        let writer = writer.chain_compression(ChainCompression::Lz4).build().map_err(cannot)?;
        Ok(Fst { writer, time: 0, handles: Vec::new(), widths: Vec::new(), padded: Vec::new() })
    }

    fn declare(&mut self, var: &Var) -> io::Result<()> {
        let name = if var.range.is_empty() { var.name.clone() } else { format!("{} {}", var.name, var.range) };
        let (kind, geometry, width) = match var.kind.as_str() {
            "real" => (VarType::VcdReal, GeomEntry::Real, 0),
            "string" => (VarType::GenString, GeomEntry::Variable, 0),
            "integer" => (VarType::VcdInteger, GeomEntry::Fixed(var.width), var.width),
            "parameter" => (VarType::VcdParameter, GeomEntry::Fixed(var.width), var.width),
            _ => (VarType::VcdWire, GeomEntry::Fixed(var.width), var.width),
        };
        match self.handles[var.id] {
            (0, _) => {
                let handle = self.writer.add_variable(kind, VarDir::Implicit, name, geometry).map_err(cannot)?;
                self.handles[var.id] = (handle, width as usize);
            }
            (handle, _) => drop(self.writer.add_alias(kind, VarDir::Implicit, name, handle).map_err(cannot)?),
        }
        Ok(())
    }

    /// A change of bits; higher ones than are given are as the highest if that is x or z, and else 0.
    fn emit(&mut self, (handle, width): (u32, usize), bits: &[u8]) -> io::Result<()> {
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
        let value = match bits {
            [bit] => SignalValue::Bit(char::from(*bit)),
            _ => SignalValue::Bytes(Cow::Borrowed(bits)),
        };
        self.writer.emit_change(self.time, handle, value).map_err(cannot)
    }
}

impl Ink for Fst {
    fn trace(&mut self, header: &Header) -> io::Result<()> {
        self.handles.resize(header.ids(), (0, 0));
        for item in &header.items {
            match item {
                Item::Scope(kind, name) => {
                    let kind = match kind.as_str() {
                        "struct" => ScopeType::VcdStruct,
                        "union" => ScopeType::VcdUnion,
                        _ => ScopeType::VcdModule,
                    };
                    self.writer.begin_scope(kind, name.as_str(), None).map_err(cannot)?;
                }
                Item::Upscope => self.writer.end_scope().map_err(cannot)?,
                Item::Var(var) => self.declare(var)?,
            }
        }
        Ok(())
    }

    fn scope(&mut self, name: &str) -> io::Result<()> {
        self.writer.begin_scope(ScopeType::VcdModule, name, None).map(drop).map_err(cannot)
    }

    fn upscope(&mut self) -> io::Result<()> {
        self.writer.end_scope().map_err(cannot)
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
        let handle = self.writer.add_variable(of, VarDir::Implicit, name, geometry).map_err(cannot)?;
        self.widths.push((handle, width as usize));
        Ok(Id(self.widths.len() - 1))
    }

    fn begin(&mut self) -> io::Result<()> {
        let version = concat!("gpu-lsu ", env!("CARGO_PKG_VERSION")).to_owned();
        self.writer.write_header(Head { version, ..Head::default() }).map_err(cannot)
    }

    fn time(&mut self, time: u64) -> io::Result<()> {
        self.time = time;
        Ok(())
    }

    fn change(&mut self, change: Change<'_>) -> io::Result<()> {
        let place = self.handles[change.id];
        let value = match change.kind {
            b'r' => {
                let text = std::str::from_utf8(change.value).ok().and_then(|text| text.trim().parse().ok());
                SignalValue::Real(text.ok_or_else(|| io::Error::other("a real that is no number"))?)
            }
            b's' => SignalValue::Bytes(Cow::Borrowed(change.value)),
            _ => return self.emit(place, change.value),
        };
        self.writer.emit_change(self.time, place.0, value).map_err(cannot)
    }

    fn bit(&mut self, of_trace: &Var, bit: bool) -> io::Result<()> {
        self.emit(self.handles[of_trace.id], &[b'0' + u8::from(bit)])
    }

    fn bits(&mut self, id: Id, _: Kind, bits: &str) -> io::Result<()> {
        self.emit(self.widths[id.0], bits.as_bytes())
    }

    fn text(&mut self, id: Id, text: &str) -> io::Result<()> {
        // What is not printing ASCII is spelled out, as in a VCD.
        let plain = |symbol: char| symbol == ' ' || symbol.is_ascii_graphic();
        let spelled =
            |symbol: char| if plain(symbol) { symbol.to_string() } else { symbol.escape_default().to_string() };
        let text: String = text.chars().map(spelled).collect();
        let value = SignalValue::Bytes(Cow::Owned(text.into_bytes()));
        self.writer.emit_change(self.time, self.widths[id.0].0, value).map_err(cannot)
    }

    fn finish(self: Box<Self>) -> io::Result<()> {
        self.writer.finish().map_err(cannot)?.0.finish()
    }
}
