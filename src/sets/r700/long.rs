// SPDX-License-Identifier: MIT OR Apache-2.0
//! The long text, with `name=value` for every field.
//!
//! Mesa's decoder does not print a read's SRC_SEL_Y, FETCH_WHOLE_QUAD, LDS_REQ, COALESCED_READ and ENDIAN_SWAP, nor
//! reserved bits. They follow what it prints if they are not 0, so that every word survives the round trip.

use std::{
    fmt::{self, Display},
    sync::LazyLock,
};

use super::{
    Cf, CfOp, Inst, MemOp, Read,
    parse::{in_range, item},
};
use crate::sets::text::{Failure, Input, Parsed, at, expect, integer, token};

/// Names in the long text, with the names of the fields. Four selects together have no field name.
type Names = [(&'static str, &'static str)];

const CF: &Names = &[
    ("type", "TYPE"),
    ("array_base", "ARRAY_BASE"),
    ("elem_size", "ELEM_SIZE"),
    ("index_gpr", "INDEX_GPR"),
    ("rw_gpr", "RW_GPR"),
    ("rw_rel", "RW_REL"),
    ("burst", "BURST_COUNT"),
    ("barrier", "BARRIER"),
    ("eop", "END_OF_PROGRAM"),
    ("vpm", "VALID_PIXEL_MODE"),
    ("wqm", "WHOLE_QUAD_MODE"),
];
const WRITE: &Names = &[("array_size", "ARRAY_SIZE"), ("comp_mask", "COMP_MASK")];
const EXPORT: &Names = &[("sel", "")];
const READ: &Names = &[
    ("elem_size", "ELEM_SIZE"),
    ("uncached", "UNCACHED"),
    ("indexed", "INDEXED"),
    ("burst", "BURST_COUNT"),
    ("src_gpr", "SRC_GPR"),
    ("src_rel", "SRC_REL"),
    ("src_sel", "SRC_SEL_X"),
    ("dst_gpr", "DST_GPR"),
    ("dst_rel", "DST_REL"),
    ("dst_sel", ""),
    ("array_base", "ARRAY_BASE"),
    ("array_size", "ARRAY_SIZE"),
    ("fmt", "DATA_FORMAT"),
    ("nfa", "NUM_FORMAT_ALL"),
    ("fca", "FORMAT_COMP_ALL"),
    ("sma", "SRF_MODE_ALL"),
];
/// Fields that Mesa omits, printed if they are not 0.
const MORE: &Names = &[
    ("src_sel_y", "SRC_SEL_Y"),
    ("fetch_whole_quad", "FETCH_WHOLE_QUAD"),
    ("lds_req", "LDS_REQ"),
    ("coalesced_read", "COALESCED_READ"),
    ("endian_swap", "ENDIAN_SWAP"),
];
/// The reserved bits of any word, in their places, printed if they are not 0.
const RESERVED: &Names = &[("reserved0", "RESERVED0"), ("reserved1", "RESERVED1"), ("reserved2", "RESERVED2")];

/// The field names, for a message about a text that names none of them.
static OF_WRITES: LazyLock<String> = LazyLock::new(|| fields("a memory write", &[CF, WRITE]));
static OF_EXPORTS: LazyLock<String> = LazyLock::new(|| fields("an export", &[CF, EXPORT]));
static OF_READS: LazyLock<String> = LazyLock::new(|| fields("a memory read", &[READ, MORE]));

fn fields(what: &str, names: &[&Names]) -> String {
    let names: Vec<&str> = names.iter().copied().flatten().map(|(name, _)| *name).collect();
    format!("{what} has {}", names.join(", "))
}

/// Prints an instruction with every field.
pub struct Long<'a>(&'a Inst);

impl Inst {
    /// The long text, for printing.
    ///
    /// ```
    /// use gpu_lsu::sets::r700;
    ///
    /// let text = "MEM_STREAM0 type=0 array_base=6 elem_size=0 index_gpr=0 rw_gpr=2 rw_rel=0 burst=0 barrier=1 eop=0 \
    ///             vpm=0 wqm=0 array_size=4095 comp_mask=6";
    /// assert_eq!(r700::decode(&[0x00010006, 0x90006fff]).unwrap().long().to_string(), text);
    /// ```
    pub fn long(&self) -> Long<'_> {
        Long(self)
    }
}

impl Display for Long<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Inst::Cf(cf) => {
                f.write_str(cf.op.name())?;
                CF.iter().chain(rest(cf.op)).try_for_each(|name| print(f, name, &cf.fields(), cf.selects()))?;
                more(f, RESERVED, &cf.fields())
            }
            Inst::Read(read) => {
                f.write_str(read.op.name())?;
                READ.iter().try_for_each(|name| print(f, name, &read.fields(), read.selects()))?;
                more(f, MORE, &read.fields())?;
                more(f, RESERVED, &read.fields())
            }
        }
    }
}

/// The names that follow the fields common to all CF words.
fn rest(op: CfOp) -> &'static Names {
    if op.is_memory() { WRITE } else { EXPORT }
}

/// Prints those of the fields that are not 0.
fn more(f: &mut fmt::Formatter<'_>, names: &Names, fields: &[(&str, u32)]) -> fmt::Result {
    let set = |id: &str| fields.iter().find(|(field, value)| *field == id && *value != 0).map(|(_, value)| *value);
    names.iter().try_for_each(|(name, id)| match set(id) {
        Some(bits) if id.starts_with("RESERVED") => write!(f, " {name}={bits:#x}"),
        Some(value) => write!(f, " {name}={value}"),
        None => Ok(()),
    })
}

fn print(
    f: &mut fmt::Formatter<'_>,
    (name, id): &(&str, &str),
    fields: &[(&str, u32)],
    [x, y, z, w]: [u8; 4],
) -> fmt::Result {
    match fields.iter().find(|(field, _)| field == id) {
        Some(("COMP_MASK", mask)) => write!(f, " {name}={mask:x}"),
        Some((_, value)) => write!(f, " {name}={value}"),
        None => write!(f, " {name}={x},{y},{z},{w}"),
    }
}

pub(crate) fn cf(input: &mut Input<'_>, op: CfOp) -> Parsed<Cf> {
    let mut cf = Cf::new(op);
    let names: Vec<_> = CF.iter().chain(rest(op)).chain(&RESERVED[..2]).copied().collect();
    let help = if op.is_memory() { OF_WRITES.as_str() } else { OF_EXPORTS.as_str() };
    assignments(input, &names, help, |value| match value {
        // An export has no COMP_MASK, so that its bits are reserved.
        Value::Field("RESERVED1", value) if !op.is_memory() => {
            cf.set("RESERVED1", value & !0xf000)?;
            cf.reserved[1] |= value as u32 & 0xf000;
            Ok(())
        }
        Value::Field(id, value) => cf.set(id, value),
        Value::Selects(selects) => {
            cf.set_selects(selects);
            Ok(())
        }
    })?;
    Ok(cf)
}

pub(crate) fn read(input: &mut Input<'_>, op: MemOp) -> Parsed<Read> {
    let mut read = Read::new(op);
    let names: Vec<_> = READ.iter().chain(MORE).chain(RESERVED).copied().collect();
    assignments(input, &names, OF_READS.as_str(), |value| match value {
        Value::Field("RESERVED0", value) if value & 0x1f != 0 => Err("bits 4:0 of the first dword are MEM_INST"),
        Value::Field(id, value) => read.set(id, value),
        Value::Selects(selects) => {
            read.set_selects(selects);
            Ok(())
        }
    })?;
    Ok(read)
}

enum Value {
    Field(&'static str, u64),
    Selects([u8; 4]),
}

/// Reads `name=value` to the end, in any order. `rw?`, which Mesa's decoder adds, is ignored.
fn assignments(
    input: &mut Input<'_>,
    names: &Names,
    help: &'static str,
    mut set: impl FnMut(Value) -> Result<(), &'static str>,
) -> Parsed<()> {
    let mut given = Vec::new();
    let known: Vec<_> = names.iter().map(|(name, _)| *name).chain(["rw"]).collect();
    let mut next = |input: &mut Input<'_>| {
        item(input, &known, "the name of a field", &mut given).map_err(|failure| failure.or_help(help))
    };
    while let Some(name) = next(input)? {
        let Some((_, id)) = names.iter().find(|(known, _)| *known == name) else {
            expect(input, '?', "`rw?`")?;
            continue;
        };
        expect(input, '=', "`=` and a value")?;
        let from = at(input);
        let value = match *id {
            "" => Value::Selects(selects(input)?),
            "COMP_MASK" => Value::Field(id, hexadecimal(input)?),
            _ => Value::Field(id, integer(input)?.0),
        };
        in_range(set(value), from..at(input))?;
    }
    Ok(())
}

/// Reads four selects, as in `0,1,2,7`.
fn selects(input: &mut Input<'_>) -> Parsed<[u8; 4]> {
    let mut selects = [0; 4];
    for (index, select) in selects.iter_mut().enumerate() {
        if index > 0 {
            expect(input, ',', "`,` and the next of four selects")?;
        }
        let (value, span) = integer(input)?;
        let help = "a select is 0 to 3 for a component, 4 for 0, 5 for 1, 7 for none";
        let fits = u8::try_from(value).ok().filter(|value| *value < 8);
        *select = fits.ok_or_else(|| Failure::refused(span, "is out of range", help))?;
    }
    Ok(selects)
}

/// Reads a hexadecimal number such as `c` or `0xc`.
fn hexadecimal(input: &mut Input<'_>) -> Parsed<u64> {
    let word = token(input)?;
    let digits = word.text.strip_prefix("0x").unwrap_or(word.text);
    let fail = |_| Failure::expected(word.span.clone(), "a hexadecimal digit with a bit for each component");
    u64::from_str_radix(digits, 16).map_err(fail)
}
