// SPDX-License-Identifier: MIT OR Apache-2.0
//! Parses tokens to an `st`. Any number of modifiers may come in any order here; the clauses judge them.

use super::{
    constant::{Constant, begins, constant, integer},
    lex::{Kind, Token, Tokens},
    modifier::Modifier,
    statement::{Address, At, Element, Guard, Index, Operand, Statement},
};
use crate::{
    clause::Clause,
    sets::text::{Failure, Parsed},
};

/// Reads a guard such as `@%p1` or `@!%p1`, if there is one.
pub fn guard<'a>(tokens: &mut Tokens<'a>) -> Parsed<Option<At<'a, Guard<'a>>>> {
    let start = tokens.peek().span.start;
    if !tokens.eat("@") {
        return Ok(None);
    }
    let negated = tokens.eat("!");
    let name = name(tokens, "a predicate")?.text;
    let (text, span) = tokens.since(start);
    Ok(Some(At { value: Guard { name, negated }, text, span }))
}

/// Reads what follows the word `st`, which was just taken, to the semicolon.
pub fn store<'a>(tokens: &mut Tokens<'a>, guard: Option<At<'a, Guard<'a>>>, word: &Token<'a>) -> Parsed<Statement<'a>> {
    let mut modifiers = Vec::with_capacity(8);
    while tokens.peek().kind == Kind::Dotted {
        modifiers.push(modifier(tokens.take())?);
    }
    let (text, span) = tokens.since(word.span.start);
    let mnemonic = At { value: (), text, span };

    let address = address(tokens)?;
    tokens.expect(",", "`,` and the value to store")?;
    let data = operand(tokens)?;
    let policy = if tokens.eat(",") { Some(operand(tokens)?) } else { None };
    tokens.expect(";", if policy.is_some() { "`;`" } else { "`;`, or `,` and a cache policy" })?;
    Ok(Statement { guard, mnemonic, modifiers, address, data, policy })
}

fn modifier(token: Token<'_>) -> Parsed<At<'_, Modifier>> {
    let Token { text, span, .. } = token;
    match Modifier::parse(text) {
        Some(value) => Ok(At { value, text, span }),
        None => {
            let help = match text {
                ".evict_first" | ".evict_last" | ".evict_normal" | ".evict_unchanged" | ".no_allocate" => {
                    "write the level of the cache with it: `.L1::evict_first`"
                }
                ".async" | ".bulk" => "`st.async` and `st.bulk` are other instructions",
                _ => "`st` takes a space, an order and its scope, cache operators and hints, a vector and a type",
            };
            Err(Failure::refused(span, "is no modifier of `st`", help).by(Clause::PtxSyntax))
        }
    }
}

fn name<'a>(tokens: &mut Tokens<'a>, what: &'static str) -> Parsed<Token<'a>> {
    match tokens.peek() {
        token if token.kind == Kind::Name && token.text != "_" => Ok(tokens.take()),
        _ => Err(tokens.expected(what)),
    }
}

fn address<'a>(tokens: &mut Tokens<'a>) -> Parsed<At<'a, Address<'a>>> {
    let start = tokens.peek().span.start;
    let variable = match tokens.peek() {
        token if token.kind == Kind::Name && !begins(token) => Some(named(tokens, "a variable")?),
        _ => None,
    };
    tokens.expect("[", "an address such as `[%rd1+16]`")?;
    let number = begins(tokens.peek());
    let (inner, offset) = if number {
        (None, integer(tokens)?)
    } else {
        let inner = named(tokens, "a register, a variable or a number")?;
        (Some(inner), if tokens.eat("+") { integer(tokens)? } else { 0 })
    };
    no_difference(tokens)?;
    tokens.expect("]", if number { "`]`" } else { "`+` and an offset, or `]`" })?;
    let (text, span) = tokens.since(start);
    let value = match variable {
        Some(_) => Address { base: variable, index: Some(Index { register: inner }), offset },
        None => Address { base: inner, index: None, offset },
    };
    Ok(At { value, text, span })
}

fn named<'a>(tokens: &mut Tokens<'a>, what: &'static str) -> Parsed<At<'a, &'a str>> {
    let Token { text, span, .. } = name(tokens, what)?;
    Ok(At { value: text, text, span })
}

fn no_difference(tokens: &Tokens<'_>) -> Parsed<()> {
    match tokens.peek() {
        next if next.is("-") => Err(Failure::refused(next.span.clone(), "cannot be: offsets are added", "write `+-4`")),
        _ => Ok(()),
    }
}

fn operand<'a>(tokens: &mut Tokens<'a>) -> Parsed<At<'a, Operand<'a>>> {
    let start = tokens.peek().span.start;
    let braces = tokens.eat("{");
    let mut elements = vec![element(tokens)?];
    while braces && tokens.eat(",") {
        elements.push(element(tokens)?);
    }
    if braces {
        tokens.expect("}", "`,` and an element, or `}`")?;
    } else {
        elements.iter_mut().try_for_each(|at| sum(tokens, at))?;
    }
    let (text, span) = tokens.since(start);
    Ok(At { value: Operand { braces, elements }, text, span })
}

fn element<'a>(tokens: &mut Tokens<'a>) -> Parsed<At<'a, Element<'a>>> {
    let start = tokens.peek().span.start;
    let value = match tokens.peek() {
        token if begins(token) => Element::Constant(constant(tokens)?),
        token if token.kind == Kind::Name => {
            let name = tokens.take().text;
            let component = (tokens.peek().kind == Kind::Dotted).then(|| tokens.take().text);
            if name == "_" && component.is_none() { Element::Sink } else { Element::Name(name, component) }
        }
        _ => return Err(tokens.expected("a register or a number")),
    };
    let (text, span) = tokens.since(start);
    Ok(At { value, text, span })
}

/// Reads `+ 4` after a name that stands alone.
fn sum<'a>(tokens: &mut Tokens<'a>, at: &mut At<'a, Element<'a>>) -> Parsed<()> {
    let Element::Name(name, None) = at.value else { return Ok(()) };
    no_difference(tokens)?;
    if tokens.eat("+") {
        at.value = Element::Sum(name, integer(tokens)?);
        (at.text, at.span) = tokens.since(at.span.start);
    }
    Ok(())
}

/// The name of a constant's kind, for messages.
pub fn kind(constant: Constant) -> &'static str {
    match constant {
        Constant::Integer { .. } => "an integer",
        Constant::Double(_) => "a double",
        Constant::Single(_) => "a single",
    }
}
