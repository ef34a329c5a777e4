// SPDX-License-Identifier: MIT OR Apache-2.0
//! Parses text as nvdisasm prints it, and in the looser form that people and the documentation write.
//!
//! Beyond the output of [`Inst`]'s `Display`, the parser accepts: any case; suffixes in any order; defaults written out
//! (`.CA`, `.WB`, `.32`, `@PT`, `, PT`); `.8` and `.16`; a load's `.CS` (assembled as CA) and `.LU` (as CG); decimal
//! offsets, `[R1 - 20]`, `[R1 + -20]`, `[RZ+16]`; a `;` at the end; comments; the braces of dual issue; annotations
//! such as `{&req_6}`, with or without their braces: `&req_6 &rd1 ?sched`.

use super::{
    Guard, Inst, Opcode, PT, decode,
    operand::{address, predicate, register},
    suffix::suffixes,
};
use crate::{
    clause::Clause,
    sets::text::{self, Failure, Input, ParseError, Parsed, Token, at, eat, expect, in_comments, peek, skip, token},
};

/// An instruction and its annotations, which change nothing here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    /// The instruction.
    pub inst: Inst,
    /// Annotations such as `&req_6` and `?sched`, without their braces.
    pub annotations: Vec<String>,
}

/// Parses one instruction.
pub fn parse(line: &str) -> Result<Inst, ParseError> {
    parse_statement(line).map(|statement| statement.inst)
}

/// Parses one instruction and keeps its annotations.
pub fn parse_statement(line: &str) -> Result<Statement, ParseError> {
    statement(&mut Input::new(line)).map_err(|failure| failure.explain(line))
}

/// Parses a word of 16 hexadecimal digits, with or without `0x`. It may stand inside `/* */`, alone in the line, or
/// have comments around it.
pub fn parse_word(line: &str) -> Result<u64, ParseError> {
    word(line).map_err(|failure| failure.explain(line))
}

/// Parses a word and decodes it.
pub fn parse_code(line: &str) -> Result<Inst, ParseError> {
    let word = parse_word(line)?;
    decode(word).map_err(|error| {
        let start = line.len() - line.trim_start().len();
        ParseError { message: error.to_string(), ..Failure::refused(start..start, "", "").explain(line) }
    })
}

fn word(line: &str) -> Parsed<u64> {
    let mut input = Input::new(line);
    if let Some(word) = in_comments(line, |inner| hex64(&Token { text: inner.trim(), span: 0..0 }).ok()) {
        return Ok(word);
    }
    skip(&mut input)?;
    let word = hex64(&token(&mut input)?)?;
    eat(&mut input, ';')?;
    text::end(&mut input)?;
    Ok(word)
}

fn hex64(token: &Token<'_>) -> Parsed<u64> {
    let digits = token.text.strip_prefix("0x").or(token.text.strip_prefix("0X")).unwrap_or(token.text);
    let fail = || {
        Failure::expected(token.span.clone(), "a word of 16 hexadecimal digits").help("write `bca0000001870104`")
    };
    if digits.len() != 16 || !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return Err(fail());
    }
    u64::from_str_radix(digits, 16).map_err(|_| fail())
}

fn statement(input: &mut Input<'_>) -> Parsed<Statement> {
    let mut notes = Vec::new();
    skip(input)?;
    annotations(input, &mut notes)?;
    let guard = guard(input)?;
    annotations(input, &mut notes)?;
    let inst = instruction(input, guard)?;
    annotations(input, &mut notes)?;
    eat(input, ';')?;
    annotations(input, &mut notes)?;
    eat(input, '}')?;
    text::end(input)?;
    Ok(Statement { inst, annotations: notes })
}

/// Reads `{&name}` and `{?name}`, or `&name` and `?name`. Any other `{` opens a dual issue and is skipped.
fn annotations(input: &mut Input<'_>, notes: &mut Vec<String>) -> Parsed<()> {
    while let Some(next @ ('{' | '&' | '?')) = peek(input) {
        let start = at(input);
        if next != '{' {
            eat(input, next)?;
            let name = token(input)?;
            if name.text.is_empty() {
                let help = "an annotation is `&` or `?` and a name, such as `&req_6`";
                return Err(Failure::refused(start..start + 1, "has no name", help));
            }
            notes.push(format!("{next}{}", name.text));
            continue;
        }
        eat(input, '{')?;
        if !matches!(peek(input), Some('&' | '?')) {
            continue;
        }
        let Some(len) = input.find('}') else {
            return Err(Failure::refused(start..start + 1, "is never closed", "end the annotation with `}`"));
        };
        notes.push(input[..len].trim_end().to_owned());
        winnow::stream::Stream::next_slice(input, len + 1);
        skip(input)?;
    }
    Ok(())
}

fn guard(input: &mut Input<'_>) -> Parsed<Guard> {
    if !eat(input, '@')? {
        return Ok(Guard::ALWAYS);
    }
    let negated = eat(input, '!')?;
    Ok(Guard { negated, pred: predicate(input)? })
}

fn instruction(input: &mut Input<'_>, guard: Guard) -> Parsed<Inst> {
    let name = token(input)?;
    let op = match name {
        _ if name.is("LD") => Opcode::Ld,
        _ if name.is("ST") => Opcode::St,
        _ if name.is("NOP") => {
            let help = "leave it out; the one word that is printed so, 8000000000000000, is by its fields \
                        `@P0 LD.U8 R0, [R0], P0`, and is not executed";
            return Err(Failure::refused(name.span, "is neither LD nor ST", help));
        }
        _ => return Err(Failure::expected(name.span, "`LD` or `ST`").help("write `LD R4, [R1]` or `ST [R1], R4`")),
    };
    let (e, cop, size) = suffixes(input, op)?;
    let (rd, (ra, imm));
    match op {
        Opcode::Ld => {
            rd = register(input)?;
            expect(input, ',', "`,` and the address")?;
            (ra, imm) = address(input)?;
        }
        Opcode::St => {
            (ra, imm) = address(input)?;
            expect(input, ',', "`,` and the register to store")?;
            rd = register(input)?;
        }
    }
    let plg = match eat(input, ',')? {
        true if peek(input) == Some('!') => {
            let help = "swap the meaning of the predicate instead";
            return Err(Failure::refused(
                at(input)..at(input) + 1,
                "cannot be: the space predicate has no negation",
                help,
            )
            .by(Clause::Spa5Space));
        }
        true => predicate(input)?,
        false => PT,
    };
    Ok(Inst { op, guard, ra, imm, e, size, cop, plg, rd })
}
