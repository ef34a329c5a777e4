// SPDX-License-Identifier: MIT OR Apache-2.0
//! Constant expressions, as values and offsets.
//!
//! Integers have 64 bits and wrap. An integer is unsigned if it is marked `U`, is cast to `.u64`, does not fit in a
//! signed one, or results from `~` or `%`. An operation with it is then unsigned as well. Doubles have `+ - * /` and
//! comparisons among themselves. A single (`0f...`) takes no operator.

use super::{
    lex::{Kind, Token, Tokens},
    literal::number,
};
use crate::sets::text::{Failure, Parsed};

/// Deepest nesting of parentheses and signs. Deeper text is refused, so that no text exhausts the stack.
const DEPTH: u32 = 64;

/// The value of `WARP_SZ`, the number of threads in a warp.
const WARP_SZ: u64 = 32;

/// A constant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Constant {
    /// An integer modulo 2^64.
    Integer {
        /// Its bits.
        bits: u64,
        /// Whether it is compared, divided and shifted as a signed integer.
        signed: bool,
    },
    /// `1.5`, `0d3FF8000000000000`.
    Double(f64),
    /// The bits given after `0f`.
    Single(u32),
}

impl Constant {
    fn truth(value: bool) -> Self {
        Constant::Integer { bits: value.into(), signed: true }
    }
}

/// Whether a constant begins with this token.
pub fn begins(token: &Token<'_>) -> bool {
    match token.kind {
        Kind::Number => true,
        Kind::Name => token.text == "WARP_SZ",
        Kind::Sign => matches!(token.text, "(" | "-" | "+" | "!" | "~"),
        _ => false,
    }
}

/// Reads a whole expression.
pub fn constant(tokens: &mut Tokens<'_>) -> Parsed<Constant> {
    ternary(tokens, DEPTH)
}

/// Reads an expression that must be an integer.
pub fn integer(tokens: &mut Tokens<'_>) -> Parsed<u64> {
    let start = tokens.peek().span.start;
    match constant(tokens)? {
        Constant::Integer { bits, .. } => Ok(bits),
        _ => Err(Failure::refused(tokens.since(start).1, "is no integer", "an offset is an integer")),
    }
}

/// Reads an integer literal.
pub fn plain(tokens: &mut Tokens<'_>) -> Parsed<u64> {
    let token = tokens.peek().clone();
    match (token.kind == Kind::Number).then(|| number(&token)) {
        Some(Ok(Constant::Integer { bits, .. })) => {
            tokens.take();
            Ok(bits)
        }
        _ => Err(tokens.expected("an integer")),
    }
}

fn ternary(tokens: &mut Tokens<'_>, depth: u32) -> Parsed<Constant> {
    let start = tokens.peek().span.start;
    let condition = binary(tokens, 0, depth)?;
    if !tokens.eat("?") {
        return Ok(condition);
    }
    let depth = deeper(tokens, depth)?;
    let yes = ternary(tokens, depth)?;
    tokens.expect(":", "`:` and the other value")?;
    let no = ternary(tokens, depth)?;
    match (condition, yes, no) {
        (Constant::Integer { bits, .. }, Constant::Integer { .. }, Constant::Integer { .. }) => {
            Ok(if bits != 0 { yes } else { no })
        }
        _ => Err(Failure::refused(tokens.since(start).1, "is no integer", "`? :` chooses between integers")),
    }
}

/// The operators, those that bind least tightly first.
const LEVELS: &[&[&str]] = &[
    &["||"],
    &["&&"],
    &["|"],
    &["^"],
    &["&"],
    &["==", "!="],
    &["<", "<=", ">", ">="],
    &["<<", ">>"],
    &["+", "-"],
    &["*", "/", "%"],
];

fn binary(tokens: &mut Tokens<'_>, from: usize, depth: u32) -> Parsed<Constant> {
    let start = tokens.peek().span.start;
    let mut left = unary(tokens, depth)?;
    loop {
        let token = tokens.peek();
        let level = LEVELS.iter().position(|signs| signs.iter().any(|sign| token.is(sign)));
        let Some(level) = level.filter(|&level| level >= from) else { return Ok(left) };
        let operator = tokens.take().text;
        let depth = deeper(tokens, depth)?;
        let right = binary(tokens, level + 1, depth)?;
        left = apply(operator, left, right)
            .map_err(|why| Failure::refused(tokens.since(start).1, why, "compute the value, and write it out"))?;
    }
}

fn unary(tokens: &mut Tokens<'_>, depth: u32) -> Parsed<Constant> {
    let token = tokens.peek().clone();
    match (token.kind, token.text) {
        (Kind::Number, _) => {
            tokens.take();
            number(&token)
        }
        (Kind::Name, "WARP_SZ") => {
            tokens.take();
            Ok(Constant::Integer { bits: WARP_SZ, signed: true })
        }
        (Kind::Sign, "(") => {
            tokens.take();
            let depth = deeper(tokens, depth)?;
            if tokens.peek().kind == Kind::Dotted {
                return cast(tokens, depth);
            }
            let value = ternary(tokens, depth)?;
            tokens.expect(")", "`)`")?;
            Ok(value)
        }
        (Kind::Sign, "-" | "+" | "!" | "~") => {
            tokens.take();
            let depth = deeper(tokens, depth)?;
            let value = unary(tokens, depth)?;
            signed(token.text, value)
                .map_err(|why| Failure::refused(tokens.since(token.span.start).1, why, "write the value without it"))
        }
        _ => Err(tokens.expected("a number")),
    }
}

fn cast(tokens: &mut Tokens<'_>, depth: u32) -> Parsed<Constant> {
    let signed = match tokens.peek().text {
        ".s64" => true,
        ".u64" => false,
        _ => return Err(tokens.expected("`.s64` or `.u64`")),
    };
    tokens.take();
    tokens.expect(")", "`)`")?;
    let start = tokens.peek().span.start;
    match unary(tokens, depth)? {
        Constant::Integer { bits, .. } => Ok(Constant::Integer { bits, signed }),
        _ => Err(Failure::refused(tokens.since(start).1, "is no integer", "only integers are cast")),
    }
}

fn deeper(tokens: &Tokens<'_>, depth: u32) -> Parsed<u32> {
    (depth.checked_sub(1))
        .ok_or_else(|| Failure::refused(tokens.peek().span.clone(), "stands too deep in an expression", ""))
}

fn signed(sign: &str, value: Constant) -> Result<Constant, &'static str> {
    Ok(match (sign, value) {
        ("-", Constant::Integer { bits, signed }) => Constant::Integer { bits: bits.wrapping_neg(), signed },
        ("~", Constant::Integer { bits, .. }) => Constant::Integer { bits: !bits, signed: false },
        ("!", Constant::Integer { bits, .. }) => Constant::truth(bits == 0),
        ("+", Constant::Integer { .. } | Constant::Double(_)) => value,
        ("-", Constant::Double(value)) => Constant::Double(-value),
        (_, Constant::Double(_)) => return Err("is no integer with a sign of integers"),
        (_, _) => return Err("has a sign, which `0f...` does not take"),
    })
}

fn apply(operator: &str, left: Constant, right: Constant) -> Result<Constant, &'static str> {
    match (left, right) {
        (Constant::Integer { bits: a, signed: x }, Constant::Integer { bits: b, signed: y }) => {
            // A shift is signed if its left operand is.
            integers(operator, a, b, if matches!(operator, "<<" | ">>") { x } else { x && y })
        }
        (Constant::Double(a), Constant::Double(b)) => doubles(operator, a, b),
        _ => Err("mixes kinds of numbers"),
    }
}

fn integers(operator: &str, a: u64, b: u64, signed: bool) -> Result<Constant, &'static str> {
    let (i, j) = (a as i64, b as i64);
    let order = if signed { i.cmp(&j) } else { a.cmp(&b) };
    let shift = b as u32; // Taken modulo 64 by the shifts below.
    let bits = match operator {
        "||" => return Ok(Constant::truth(a != 0 || b != 0)),
        "&&" => return Ok(Constant::truth(a != 0 && b != 0)),
        "==" => return Ok(Constant::truth(order.is_eq())),
        "!=" => return Ok(Constant::truth(order.is_ne())),
        "<" => return Ok(Constant::truth(order.is_lt())),
        "<=" => return Ok(Constant::truth(order.is_le())),
        ">" => return Ok(Constant::truth(order.is_gt())),
        ">=" => return Ok(Constant::truth(order.is_ge())),
        "/" | "%" if b == 0 => return Err("divides by zero"),
        "/" if signed => i.wrapping_div(j) as u64,
        "/" => a / b,
        "%" => return Ok(Constant::Integer { bits: a % b, signed: false }),
        "*" => a.wrapping_mul(b),
        "+" => a.wrapping_add(b),
        "-" => a.wrapping_sub(b),
        "<<" => a.wrapping_shl(shift),
        ">>" if signed => i.wrapping_shr(shift) as u64,
        ">>" => a.wrapping_shr(shift),
        "|" => a | b,
        "^" => a ^ b,
        _ => a & b,
    };
    Ok(Constant::Integer { bits, signed })
}

fn doubles(operator: &str, a: f64, b: f64) -> Result<Constant, &'static str> {
    Ok(match operator {
        "/" if b == 0.0 => return Err("divides by zero"),
        "/" => Constant::Double(a / b),
        "*" => Constant::Double(a * b),
        "+" => Constant::Double(a + b),
        "-" => Constant::Double(a - b),
        "==" => Constant::truth(a == b),
        "!=" => Constant::truth(a != b),
        "<" => Constant::truth(a < b),
        "<=" => Constant::truth(a <= b),
        ">" => Constant::truth(a > b),
        ">=" => Constant::truth(a >= b),
        _ => return Err("has an operator of integers between doubles"),
    })
}
