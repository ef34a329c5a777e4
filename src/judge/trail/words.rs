// SPDX-License-Identifier: MIT OR Apache-2.0
//! Trails in sentences, one a line. Indented lines belong to the line above.

use std::fmt;

use super::{Author, ByteTrail, Kept, ModelWrite, PadTrail, RegisterTrail, Source, Stored, UnitWrite, Write};
use crate::sets::text::count;

fn byte(value: Option<u8>) -> String {
    value.map_or_else(|| "not known".to_owned(), |value| format!("{value:#04x}"))
}

fn word(value: Option<u32>) -> String {
    value.map_or_else(|| "not known".to_owned(), |value| format!("{value:#010x}"))
}

/// The last cycle of a trail, in words.
fn at(until: Option<u64>) -> String {
    until.map_or_else(|| "at the end".to_owned(), |cycle| format!("after cycle {cycle}"))
}

impl fmt::Display for ByteTrail {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (addr, at) = (self.addr, at(self.until));
        match (self.unit, self.model, self.writes.is_empty()) {
            (unit, _, true) => writeln!(f, "byte {addr:#x} {at}: nobody wrote it, value {}", byte(unit))?,
            (unit, model, _) if self.parts.is_none() && unit == model => {
                writeln!(f, "byte {addr:#x} {at}: {} in unit and model", byte(unit))?;
            }
            (unit, model, _) => {
                writeln!(f, "byte {addr:#x} {at}: {} in the unit, {} in the model", byte(unit), byte(model))?;
            }
        }
        if let Some(before) = self.before {
            writeln!(f, "as the log begins: {before:#04x}")?;
        }
        self.writes.iter().try_for_each(|write| write!(f, "{write}"))
    }
}

impl fmt::Display for Write {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Write { cycle, by, unit, model, refused, pending, cut, parts } = self;
        writeln!(f, "cycle {cycle}: {by}")?;
        if *by == Author::Foreign {
            return writeln!(f, "  writes {}", byte(unit.as_ref().map(|unit| unit.value)));
        }
        match unit {
            Some(unit) => writeln!(f, "  unit:  {unit}")?,
            None if *refused => writeln!(f, "  unit:  its write was refused by memory, and changes nothing")?,
            None => writeln!(f, "  unit:  does not write it")?,
        }
        match model {
            Some(model) => writeln!(f, "  model: {model}")?,
            None if *refused => {}
            None => writeln!(f, "  model: does not write it")?,
        }
        if *pending {
            writeln!(f, "  this is on its way as the log ends")?;
        }
        if *cut {
            writeln!(f, "  a reset cuts it off: memory may have done it or not, and the log does not say")?;
        }
        parts.iter().try_for_each(|part| writeln!(f, "  they part at the {part}"))
    }
}

impl fmt::Display for UnitWrite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#04x}", self.value)?;
        self.request.iter().try_for_each(|request| write!(f, ", by the {request}"))?;
        self.like.iter().try_for_each(|like| write!(f, "; the value of {like}"))
    }
}

impl fmt::Display for ModelWrite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.value {
            Some(value) => write!(f, "{value:#04x}")?,
            None => write!(f, "a value that the log has not")?,
        }
        self.from.iter().try_for_each(|from| write!(f, ", from {from}"))?;
        self.request.iter().try_for_each(|which| write!(f, ", in request {which} of the operation"))?;
        match &self.lanes[..] {
            [_, _, ..] => write!(f, "; lanes {} have this byte", list(&self.lanes)),
            _ => Ok(()),
        }
    }
}

fn list(lanes: &[usize]) -> String {
    lanes.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

impl fmt::Display for Kept {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "  lane {} {}", self.lane, self.why)
    }
}

impl fmt::Display for PadTrail {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = match (self.value, self.writes.is_empty()) {
            (None, true) => "nobody was seen to store it".to_owned(),
            (None, false) => byte(None),
            (value, _) => format!("{} by the model", byte(value)),
        };
        writeln!(f, "byte {:#x} of the scratchpad {}: {value}", self.offset, at(self.until))?;
        self.writes.iter().try_for_each(|write| {
            writeln!(f, "cycle {}: {}\n  {}, from {}", write.by.accepted, write.by, byte(write.value), write.from)
        })
    }
}

impl fmt::Display for RegisterTrail {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let RegisterTrail { op, lane, register, until, address, clauses, source, beats, unit, model, parts } = self;
        let at = at(*until);
        match (unit, model) {
            (None, None) => writeln!(f, "register {register} of lane {lane} {at}: not written back")?,
            (None, model) => {
                writeln!(
                    f,
                    "register {register} of lane {lane} {at}: not written back; {} in the model",
                    word(*model)
                )?;
            }
            (unit, model) if unit == model => {
                writeln!(f, "register {register} of lane {lane} {at}: {} in unit and model", word(*unit))?;
            }
            (unit, model) => {
                let (unit, model) = (word(*unit), word(*model));
                writeln!(f, "register {register} of lane {lane} {at}: {unit} in the unit, {model} in the model")?;
            }
        }
        writeln!(f, "{op}\n  lane {lane}: address {address:#x} ({})", clauses.join(", "))?;
        write!(f, "{source}")?;
        for beat in beats {
            writeln!(f, "cycle {}: written back as {:#010x}", beat.cycle, beat.value)?;
        }
        parts.iter().try_for_each(|part| writeln!(f, "they part at the {part}"))
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Source::Memory { request, line, addr, bytes, made, error } => {
                writeln!(
                    f,
                    "from memory: {} at {addr:#x}, in request {request} of the operation, line {line:#x}",
                    count(bytes.len() as u64, "byte")
                )?;
                made.iter().try_for_each(|made| writeln!(f, "  unit:  {made}"))?;
                if *error {
                    writeln!(f, "  the answer says that nothing is there: the lane gets 0 (COM-BUSERR)")?;
                } else if bytes.iter().any(Option::is_some) {
                    let bytes: Vec<_> = bytes.iter().map(|value| byte(*value)).collect();
                    writeln!(f, "  answered: {}", bytes.join(", "))?;
                }
                Ok(())
            }
            Source::Scratchpad { offset, bytes, unknown } => {
                let what = if *unknown { ", which no store is known to have reached" } else { "" };
                writeln!(f, "from the scratchpad: {} at {offset:#x}{what}", count(*bytes as u64, "byte"))
            }
            Source::Filled { value, .. } => writeln!(f, "from no memory: the lane gets {value:#010x} by these rules"),
            Source::Nothing { why } => writeln!(f, "{why}"),
        }
    }
}

impl fmt::Display for Stored {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = format!("{} at {:#x}", count(self.bytes as u64, "byte"), self.addr);
        match (&self.by, self.cycle) {
            (Some(by), Some(cycle)) => writeln!(f, "{what}: stored in cycle {cycle} by {by}"),
            _ => writeln!(f, "{what}: nobody was seen to store it"),
        }
    }
}
