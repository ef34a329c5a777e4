// SPDX-License-Identifier: MIT OR Apache-2.0
//! The operands of LD and ST: an address, registers, predicates.

use std::ops::Range;

use super::{PT, RZ};
use crate::{
    clause::Clause,
    sets::text::{Failure, Input, Parsed, Token, at, eat, expect, integer, peek, token},
};

/// Reads `[R1]`, `[R1+0x14]`, `[R1 - 20]` or `[0x10]`, and returns the register, [`RZ`] if there is none, and the
/// offset.
pub(crate) fn address(input: &mut Input<'_>) -> Parsed<(u8, u32)> {
    expect(input, '[', "an address such as `[R1+0x14]`")?;
    let from = at(input);
    let mut sign = from;
    let (ra, negative) = match peek(input) {
        Some('R' | 'r') => {
            let ra = register(input)?;
            if eat(input, ']')? {
                return Ok((ra, 0));
            }
            sign = at(input);
            let minus = eat(input, '-')?;
            if !minus {
                expect(input, '+', "`+`, `-` or `]`")?;
                sign = at(input);
            }
            (ra, minus ^ eat(input, '-')?)
        }
        _ => (RZ, eat(input, '-')?),
    };
    if ra == RZ && !peek(input).is_some_and(|c| c.is_ascii_digit()) && at(input) == from {
        return Err(Failure::expected(from..from, "a register or a number"));
    }
    let (value, span) = integer(input)?;
    expect(input, ']', "`]`")?;
    Ok((ra, offset(ra, negative, value, sign..span.end)?))
}

fn offset(ra: u8, negative: bool, value: u64, span: Range<usize>) -> Parsed<u32> {
    match (u32::try_from(value), negative) {
        (Ok(0), _) => Ok(0),
        (Ok(imm), false) if ra == RZ || imm < 1 << 31 => Ok(imm),
        (Ok(imm), true) if ra != RZ && imm <= 1 << 31 => Ok(imm.wrapping_neg()),
        _ if ra == RZ => {
            let help = "without a register the address is unsigned, 0 to 0xffffffff";
            Err(Failure::refused(span, "is out of range", help).by(Clause::Spa5EaAbs))
        }
        _ => {
            let help = "beside a register the offset is signed, -0x80000000 to 0x7fffffff";
            Err(Failure::refused(span, "is out of range", help))
        }
    }
}

pub(crate) fn register(input: &mut Input<'_>) -> Parsed<u8> {
    let name = token(input)?;
    numbered(&name, 'R', "RZ", RZ)
        .ok_or_else(|| Failure::expected(name.span, "a register").help("registers are R0 to R254, and RZ"))
}

pub(crate) fn predicate(input: &mut Input<'_>) -> Parsed<u8> {
    let name = token(input)?;
    numbered(&name, 'P', "PT", PT)
        .ok_or_else(|| Failure::expected(name.span, "a predicate").help("predicates are P0 to P6, and PT"))
}

/// The number in a name such as `R12`: the letter, then a number below `end`, which is named `last` instead.
fn numbered(name: &Token<'_>, letter: char, last: &str, end: u8) -> Option<u8> {
    if name.is(last) {
        return Some(end);
    }
    let mut chars = name.text.chars();
    let digits = chars.next().filter(|first| first.eq_ignore_ascii_case(&letter)).map(|_| chars.as_str())?;
    let number = digits.bytes().all(|digit| digit.is_ascii_digit()).then(|| digits.parse().ok()).flatten()?;
    (number < end).then_some(number)
}
