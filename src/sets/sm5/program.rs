// SPDX-License-Identifier: MIT OR Apache-2.0
//! The directives that only SM5 has: they bind resources to u# and g#.

use std::ops::Range;

use crate::program::{
    SHARED_BYTES,
    number::{DWORD, multiple, range, word},
    reader::Reader,
};
use crate::{
    clause::Clause,
    op::{Dimension, Resource, Tgsm, Uav},
    sets::text::{Failure, Input, Parsed, at, end, integer, peek, token},
};

/// `uav N raw BASE SIZE`, `uav N structured BASE SIZE STRIDE`, `uav N typed DIMENSION BASE SIZE WIDTH ...`.
pub(crate) fn uav(reader: &mut Reader, input: &mut Input<'_>) -> Parsed<()> {
    let (slot, span) = slot(input)?;
    reader.once(&format!("u{slot}"), false, span)?;
    let kind = token(input)?;
    reader.program.ctrl.uav[slot] = match &kind {
        kind if kind.is("raw") => placed(Resource::Raw, Dimension::Buffer, input)?,
        kind if kind.is("structured") => {
            let uav = placed(Resource::Structured, Dimension::Buffer, input)?;
            Uav { stride: stride(input)?, ..uav }
        }
        kind if kind.is("typed") => typed(input)?,
        _ => return Err(Failure::expected(kind.span, "`raw`, `structured` or `typed`").by(Clause::Sm5Kind)),
    };
    end(input)
}

/// `tgsm N raw BASE SIZE`, `tgsm N structured BASE SIZE STRIDE`.
pub(crate) fn tgsm(reader: &mut Reader, input: &mut Input<'_>) -> Parsed<()> {
    let (slot, span) = slot(input)?;
    reader.once(&format!("g{slot}"), false, span)?;
    let kind = token(input)?;
    let resource = match &kind {
        kind if kind.is("raw") => Resource::Raw,
        kind if kind.is("structured") => Resource::Structured,
        _ => return Err(Failure::expected(kind.span, "`raw` or `structured`").by(Clause::Sm5Kind)),
    };
    let from = at(input);
    let (base, size) = (word(input, DWORD)?, word(input, DWORD)?);
    if u64::from(base) + u64::from(size) > SHARED_BYTES {
        let help = "the scratchpad has 32768 bytes";
        return Err(Failure::refused(from..at(input), "runs past the scratchpad", help));
    }
    let before: u64 = reader.program.ctrl.tgsm.iter().map(|tgsm| u64::from(tgsm.size)).sum();
    if before + u64::from(size) > SHARED_BYTES {
        let help = "all g# of a shader together have 32768 bytes at most";
        return Err(Failure::refused(from..at(input), "is more than is left of shared memory", help).by(Clause::Sm5Stage));
    }
    let stride = if resource == Resource::Structured { stride(input)? } else { 0 };
    reader.program.ctrl.tgsm[slot] = Tgsm { kind: resource as u8, base, size, stride };
    end(input)
}

fn slot(input: &mut Input<'_>) -> Parsed<(usize, Range<usize>)> {
    let (number, span) = integer(input)?;
    match number {
        0..8 => Ok((number as usize, span)),
        _ => Err(Failure::expected(span, "a slot, 0 to 7")),
    }
}

/// `BASE SIZE`.
fn placed(kind: Resource, dimension: Dimension, input: &mut Input<'_>) -> Parsed<Uav> {
    let range = range(input, DWORD)?;
    Ok(Uav { kind: kind as u8, dimension: dimension as u8, base: range.base, size: range.size, ..Uav::default() })
}

/// Bytes from structure to structure.
fn stride(input: &mut Input<'_>) -> Parsed<u16> {
    let (value, span) = integer(input)?;
    let value = multiple(value, &span, DWORD)?;
    match value {
        4..=2048 => Ok(value as u16),
        _ => Err(Failure::expected(span, "a stride of 4 to 2048 bytes").by(Clause::Sm5Stage)),
    }
}

/// `DIMENSION BASE SIZE WIDTH`, then the other lengths of the dimension, then maybe `row BYTES` and `slice BYTES`.
fn typed(input: &mut Input<'_>) -> Parsed<Uav> {
    let name = token(input)?;
    let (dimension, height, depth) = match () {
        () if name.is("buffer") => (Dimension::Buffer, false, false),
        () if name.is("1d") => (Dimension::Texture1d, false, false),
        () if name.is("1darray") => (Dimension::Texture1dArray, false, true),
        () if name.is("2d") => (Dimension::Texture2d, true, false),
        () if name.is("2darray") => (Dimension::Texture2dArray, true, true),
        () if name.is("3d") => (Dimension::Texture3d, true, true),
        () => {
            let what = "a dimension: buffer, 1d, 1darray, 2d, 2darray or 3d";
            return Err(Failure::expected(name.span, what).by(Clause::Sm5Typed));
        }
    };
    let mut uav = placed(Resource::Typed, dimension, input)?;
    let from = at(input);
    uav.width = length(input, u32::MAX.into())? as u32;
    if height {
        uav.height = length(input, u16::MAX.into())? as u16;
    }
    if depth {
        uav.depth = length(input, u16::MAX.into())? as u16;
    }
    let tight = 4 * u64::from(uav.width);
    if height {
        uav.row_pitch = pitch(input, "row", tight, from)?;
    }
    if depth {
        let rows = if height { u64::from(uav.row_pitch) * u64::from(uav.height) } else { tight };
        uav.slice_pitch = pitch(input, "slice", rows, from)?;
    }
    Ok(uav)
}

/// Elements along one dimension.
fn length(input: &mut Input<'_>, most: u64) -> Parsed<u64> {
    let (value, span) = integer(input)?;
    if value <= most {
        return Ok(value);
    }
    let help = "a width has 32 bits, a height, a depth or a number of slices 16";
    Err(Failure::refused(span, "is more elements than a dimension has", help).by(Clause::Sm5Typed))
}

/// `row BYTES` or `slice BYTES`; otherwise the pitch that leaves no gap.
fn pitch(input: &mut Input<'_>, name: &str, tight: u64, from: usize) -> Parsed<u32> {
    let mut ahead = *input;
    if peek(input).is_some() && token(&mut ahead)?.is(name) {
        *input = ahead;
        return word(input, DWORD);
    }
    let help = "a pitch has 32 bits: name a smaller one with `row BYTES` or `slice BYTES`";
    u32::try_from(tight).map_err(|_| Failure::refused(from..at(input), "has a pitch past 32 bits", help))
}
