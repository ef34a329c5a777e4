// SPDX-License-Identifier: MIT OR Apache-2.0
//! Addresses, sizes and contents of memory, checked against their bounds.

use std::ops::Range;

use super::{Poke, expr};
use crate::{
    clause::Clause,
    op::{self, ADDR_WIDTH},
    sets::text::{Failure, Input, Parsed, at, eat, end, expect, integer, peek, token},
};

/// The end of the address space.
pub(crate) const END: u64 = 1 << ADDR_WIDTH;
/// The unit that bases, sizes and strides must be multiples of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Grain {
    bytes: u64,
    clause: Option<Clause>,
}

impl Grain {
    /// Names the clause that requires it.
    pub(crate) const fn by(self, clause: Clause) -> Grain {
        Grain { clause: Some(clause), ..self }
    }
}

/// The shortest line of memory.
pub(crate) const LINE: Grain = Grain { bytes: 32, clause: None };
/// A word of memory.
pub(crate) const DWORD: Grain = Grain { bytes: 4, clause: None };
/// No restriction.
pub(crate) const BYTE: Grain = Grain { bytes: 1, clause: None };

/// Reads `ADDR: 01 02 ff` or `ADDR: .word 1, 2`, which must end at or below `limit`.
pub(crate) fn poke(input: &mut Input<'_>, scope: expr::Scope, limit: u64) -> Parsed<Poke> {
    let (address, span) = integer(input)?;
    expect(input, ':', "`:`")?;
    let mut bytes = Vec::new();
    if eat(input, '.')? {
        let kind = token(input)?;
        if !kind.is("word") {
            return Err(Failure::expected(kind.span, "`word`"));
        }
        multiple(address, &span, DWORD)?;
        while bytes.is_empty() || eat(input, ',')? {
            bytes.extend(expr::word(input, scope)?.to_le_bytes());
        }
        end(input)?;
    } else {
        while bytes.is_empty() || peek(input).is_some() {
            bytes.push(byte(input)?);
            eat(input, ',')?;
        }
    }
    if address.checked_add(bytes.len() as u64).is_none_or(|last| last > limit) {
        let why =
            if limit == END { "runs past the 40 address bits" } else { "runs past the 32768 bytes of shared memory" };
        return Err(Failure::refused(span, why, "give a lower address"));
    }
    Ok(Poke { address, bytes })
}

fn byte(input: &mut Input<'_>) -> Parsed<u8> {
    let digits = token(input)?;
    let value = if digits.text.len() <= 2 { u8::from_str_radix(digits.text, 16).ok() } else { None };
    value.ok_or_else(|| Failure::expected(digits.span, "a byte of two hexadecimal digits"))
}

/// Reads `BASE SIZE`, both multiples of `grain`, with the end at most 2^40.
pub(crate) fn range(input: &mut Input<'_>, grain: Grain) -> Parsed<op::Range> {
    let from = at(input);
    let base = aligned(input, grain)?;
    let size = aligned(input, grain)?;
    if base + size > END {
        let help = "base + size must be at most 2^40";
        return Err(Failure::refused(from..at(input), "runs past the 40 address bits", help));
    }
    Ok(op::Range { base, size })
}

/// Reads a number of 40 bits that is a multiple of `grain`.
pub(crate) fn aligned(input: &mut Input<'_>, grain: Grain) -> Parsed<u64> {
    let (value, span) = integer(input)?;
    if value >= END {
        return Err(Failure::refused(span, "does not fit in the 40 address bits", "the largest is 0xffffffffff"));
    }
    multiple(value, &span, grain)
}

/// Reads a number of 32 bits that is a multiple of `grain`.
pub(crate) fn word(input: &mut Input<'_>, grain: Grain) -> Parsed<u32> {
    let (value, span) = integer(input)?;
    let value = multiple(value, &span, grain)?;
    let help = if grain == DWORD { "the largest is 0xfffffffc" } else { "the largest is 0xffffffe0" };
    u32::try_from(value).map_err(|_| Failure::refused(span, "does not fit in 32 bits", help))
}

/// Returns the value if it is a multiple of `grain`.
pub(crate) fn multiple(value: u64, span: &Range<usize>, grain: Grain) -> Parsed<u64> {
    if value.is_multiple_of(grain.bytes) {
        return Ok(value);
    }
    let (why, help) = match grain {
        DWORD => ("is no multiple of 4", "words lie at multiples of 4 bytes"),
        _ => {
            let help = "bases, sizes and strides are multiples of 32 bytes, so that no access straddles an edge";
            ("is no multiple of 32", help)
        }
    };
    let failure = Failure::refused(span.clone(), why, help);
    Err(match grain.clause {
        Some(clause) => failure.by(clause),
        None => failure,
    })
}
