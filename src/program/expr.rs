// SPDX-License-Identifier: MIT OR Apache-2.0
//! Expressions: initial values of a register or predicate in every lane.
//!
//! ```text
//! mask  = sum [ ("<" | "<=" | ">" | ">=" | "==" | "!=") sum ]
//! sum   = term { ("+" | "-") term }
//! term  = unary { ("*" | "/" | "%") unary }
//! unary = "-" unary | "(" sum ")" | integer | "lane" | "warp"
//! ```

use std::ops::Range;

use crate::{
    op::{LaneMask, MAX_LANES},
    sets::text::{Failure, Input, Parsed, Token, at, eat, expect, peek, token, wide_in},
};

/// Deepest nesting of parentheses and signs.
const MAX_DEPTH: usize = 64;

/// The names that an expression may use.
#[derive(Clone, Copy, Debug)]
pub struct Scope {
    /// Number of lanes that count: only their values must be in range.
    pub lanes: usize,
    /// The value of `warp`.
    pub warp: usize,
}

type Comparison = fn(&i128, &i128) -> bool;

/// The value of an expression in every lane.
struct Value {
    lanes: [i128; MAX_LANES],
    /// Whether it is independent of the lane.
    uniform: bool,
    /// Whether it is a literal that needs all 128 bits, which `lanes` holds as a negative number.
    wide: bool,
    span: Range<usize>,
}

impl Value {
    /// Refuses a literal of 128 bits where a signed number is required.
    fn narrow(self) -> Parsed<Self> {
        match self.wide {
            true => Err(Failure::refused(self.span, "does not fit in 127 bits", "a number of 128 bits stands alone")),
            false => Ok(self),
        }
    }
}

/// Reads a value of 16, 32, 64 or 128 bits for each lane. Lanes past the program's are 0.
pub fn lanes(input: &mut Input<'_>, scope: Scope, bits: u32) -> Parsed<[u128; MAX_LANES]> {
    let value = sum(input, scope, 0)?;
    let mut words = [0; MAX_LANES];
    for (lane, word) in words.iter_mut().enumerate().take(scope.lanes) {
        *word = fits(&value, lane, bits)?;
    }
    Ok(words)
}

/// Reads a value of `bits` bits that is the same in every lane.
pub fn uniform(input: &mut Input<'_>, scope: Scope, bits: u32) -> Parsed<u128> {
    let value = sum(input, scope, 0)?;
    if !value.uniform {
        return Err(Failure::refused(value.span, "depends on the lane", "write a number here"));
    }
    fits(&value, 0, bits)
}

/// Reads a value of 32 bits that is the same in every lane.
pub fn word(input: &mut Input<'_>, scope: Scope) -> Parsed<u32> {
    uniform(input, scope, 32).map(|word| word as u32)
}

/// Reads a set of lanes: a number with a bit for each lane, or a comparison.
pub fn mask(input: &mut Input<'_>, scope: Scope) -> Parsed<LaneMask> {
    let left = sum(input, scope, 0)?.narrow()?;
    let Some(compare) = comparison(input)? else {
        return match u32::try_from(left.lanes[0]) {
            Ok(mask) if left.uniform => Ok(LaneMask::from_bits(mask)),
            _ => Err(Failure::refused(
                left.span,
                "is no mask",
                "write one number with a bit for each lane, such as 0xff, or a comparison, such as `lane < 8`",
            )),
        };
    };
    let right = sum(input, scope, 0)?.narrow()?;
    Ok((0..scope.lanes).filter(|&lane| compare(&left.lanes[lane], &right.lanes[lane])).collect())
}

/// The lane's value modulo 2^`bits`, if it fits in `bits` bits, signed or unsigned.
fn fits(value: &Value, lane: usize, bits: u32) -> Parsed<u128> {
    let number = value.lanes[lane];
    let (why, help) = match bits {
        128.. => return Ok(number as u128),
        16 => ("does not fit in 16 bits", "16 bits hold -0x8000 to 0xffff"),
        64 => ("does not fit in 64 bits", "64 bits hold -0x8000000000000000 to 0xffffffffffffffff"),
        _ => ("does not fit in 32 bits", "32 bits hold -0x80000000 to 0xffffffff"),
    };
    let end = 1 << bits;
    if !value.wide && number < end && number >= -end / 2 {
        return Ok(number as u128 & (end as u128 - 1));
    }
    Err(Failure::refused(value.span.clone(), why, help))
}

fn comparison(input: &mut Input<'_>) -> Parsed<Option<Comparison>> {
    let (first, from) = (peek(input), at(input));
    if !matches!(first, Some('<' | '>' | '=' | '!')) {
        return Ok(None);
    }
    eat(input, first.unwrap_or_default())?;
    let equal = eat(input, '=')?;
    Ok(Some(match (first, equal) {
        (Some('<'), false) => i128::lt,
        (Some('<'), true) => i128::le,
        (Some('>'), false) => i128::gt,
        (Some('>'), true) => i128::ge,
        (Some('='), true) => i128::eq,
        (Some('!'), true) => i128::ne,
        _ => return Err(Failure::expected(from..from + 1, "`<`, `<=`, `>`, `>=`, `==` or `!=`")),
    }))
}

fn sum(input: &mut Input<'_>, scope: Scope, depth: usize) -> Parsed<Value> {
    let mut value = term(input, scope, depth)?;
    loop {
        value = if eat(input, '+')? {
            combine(value, term(input, scope, depth)?, i128::checked_add)?
        } else if eat(input, '-')? {
            combine(value, term(input, scope, depth)?, i128::checked_sub)?
        } else {
            return Ok(value);
        }
    }
}

fn term(input: &mut Input<'_>, scope: Scope, depth: usize) -> Parsed<Value> {
    let mut value = unary(input, scope, depth)?;
    loop {
        value = if eat(input, '*')? {
            combine(value, unary(input, scope, depth)?, i128::checked_mul)?
        } else if eat(input, '/')? {
            divide(value, unary(input, scope, depth)?, i128::checked_div)?
        } else if eat(input, '%')? {
            divide(value, unary(input, scope, depth)?, i128::checked_rem)?
        } else {
            return Ok(value);
        }
    }
}

fn unary(input: &mut Input<'_>, scope: Scope, depth: usize) -> Parsed<Value> {
    let start = at(input);
    if depth > MAX_DEPTH {
        return Err(Failure::refused(start..start + 1, "is nested too deep", "leave out needless parentheses"));
    }
    if eat(input, '(')? {
        let value = sum(input, scope, depth + 1)?;
        expect(input, ')', "`)`").map_err(|failure| failure.or_help("end what `(` begins with `)`"))?;
        return Ok(Value { span: start..at(input), ..value });
    }
    if eat(input, '-')? {
        let zero = Value { lanes: [0; MAX_LANES], uniform: true, wide: false, span: start..start };
        let value = unary(input, scope, depth + 1)?;
        return combine(zero, value, i128::checked_sub);
    }
    let word = token(input)?;
    let (lanes, wide) = match word {
        _ if word.is("lane") => (std::array::from_fn(|lane| lane as i128), false),
        _ if word.is("warp") => ([scope.warp as i128; MAX_LANES], false),
        _ => {
            let value = literal(&word, input)?;
            ([value as i128; MAX_LANES], i128::try_from(value).is_err())
        }
    };
    Ok(Value { lanes, uniform: !word.is("lane"), wide, span: word.span })
}

fn literal(word: &Token<'_>, input: &mut Input<'_>) -> Parsed<u128> {
    if !word.text.starts_with(|c: char| c.is_ascii_digit()) {
        return Err(Failure::expected(word.span.clone(), "a number, `lane` or `warp`"));
    }
    if peek(input) == Some('.') {
        eat(input, '.')?;
        let help = "a float is given by its bits: 1.5 is 0x3fc00000 in 32 bits, 0x3ff8000000000000 in 64";
        return Err(Failure::refused(word.span.start..token(input)?.span.end, "is no integer", help));
    }
    let largest = "the widest register holds 128 bits";
    wide_in(word)?.ok_or_else(|| Failure::refused(word.span.clone(), "does not fit in 128 bits", largest))
}

/// Computes a quotient or a remainder.
fn divide(left: Value, right: Value, apply: fn(i128, i128) -> Option<i128>) -> Parsed<Value> {
    if right.lanes.contains(&0) {
        let span = left.span.start..right.span.end;
        let help = if right.uniform { "divide by another number" } else { "divide by what is 0 in no lane" };
        return Err(Failure::refused(span, "divides by zero", help));
    }
    combine(left, right, apply)
}

fn combine(left: Value, right: Value, apply: fn(i128, i128) -> Option<i128>) -> Parsed<Value> {
    let (left, right) = (left.narrow()?, right.narrow()?);
    let span = left.span.start..right.span.end;
    let mut lanes = [0; MAX_LANES];
    for ((result, a), b) in lanes.iter_mut().zip(left.lanes).zip(right.lanes) {
        *result = apply(a, b)
            .ok_or_else(|| Failure::refused(span.clone(), "overflows", "keep every lane's value within 127 bits"))?;
    }
    Ok(Value { lanes, uniform: left.uniform && right.uniform, wide: false, span })
}
