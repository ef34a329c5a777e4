// SPDX-License-Identifier: MIT OR Apache-2.0
//! Declarations such as `.reg .b64 %rd<20>;` and `.shared .align 32 .b8 sh[4096];`, and parameters.

use super::{
    constant::plain,
    lex::{Kind, Token, Tokens},
    modifier::{Class, Modifier, Space, Type},
    names::{Extent, Names, Register, Symbol},
};
use crate::sets::text::Parsed;

/// The space in which a directive declares names: `Some(None)` for registers, `None` if it declares nothing.
fn place(directive: &str) -> Option<Option<Space>> {
    Some(match directive {
        ".reg" => None,
        ".global" => Some(Space::Global),
        ".shared" => Some(Space::Shared),
        ".local" => Some(Space::Local),
        ".param" => Some(Space::Param),
        ".const" => Some(Space::Const),
        _ => return None,
    })
}

/// Reads the rest of the directive that was just taken, to its semicolon. Fails if it declares nothing.
pub fn variables<'a>(tokens: &mut Tokens<'a>, directive: &Token<'a>, names: &mut Names<'a>) -> Parsed<()> {
    let Some(space) = place(directive.text) else {
        return Err(tokens.expected("a declaration"));
    };
    let symbol = attributes(tokens, space)?;
    loop {
        if tokens.peek().kind != Kind::Name {
            return Err(tokens.expected("a name"));
        }
        let name = tokens.take().text;
        if tokens.eat("<") {
            names.declare_numbered(name, plain(tokens)?, symbol);
            tokens.expect(">", "`>`")?;
        } else {
            names.declare(name, extended(symbol, tokens));
        }
        pass_value(tokens);
        if !tokens.eat(",") {
            return tokens.expect(";", "`,` and a name, or `;`");
        }
    }
}

/// Reads parameters, as in `(.param .b64 a, .reg .b32 b)`.
pub fn parameters<'a>(tokens: &mut Tokens<'a>, declared: &mut Vec<(&'a str, Symbol)>) -> Parsed<()> {
    tokens.expect("(", "`(`")?;
    while !tokens.eat(")") {
        let Some(space) = place(tokens.peek().text) else { return Err(tokens.expected("a parameter")) };
        tokens.take();
        let symbol = attributes(tokens, space)?;
        if tokens.peek().kind == Kind::Name {
            let name = tokens.take().text;
            declared.push((name, extended(symbol, tokens)));
        }
        pass_value(tokens);
        tokens.eat(",");
    }
    Ok(())
}

/// Reads alignment, vector and type, which stand in front of the names.
fn attributes(tokens: &mut Tokens<'_>, space: Option<Space>) -> Parsed<Symbol> {
    let mut register = Register { class: Class::Bits, bits: 0, lanes: 1 };
    let mut symbol = None;
    while tokens.peek().kind == Kind::Dotted {
        let text = tokens.take().text;
        match (text, Modifier::parse(text)) {
            (".align", _) => {
                plain(tokens)?;
            }
            (".attribute", _) => pass_group(tokens),
            (".pred", _) => symbol = Some(Symbol::Predicate),
            (".f16" | ".bf16", _) => register = Register { class: Class::Float, bits: 16, ..register },
            (".f16x2" | ".bf16x2", _) => register = Register { class: Class::Integer, bits: 32, ..register },
            (_, Some(Modifier::Vector(lanes))) => register.lanes = lanes,
            (_, Some(Modifier::Type(Type { class, bits }))) => register = Register { class, bits, ..register },
            _ => {} // `.ptr .global` of a kernel's parameter.
        }
    }
    Ok(match space {
        None => symbol.unwrap_or(Symbol::Register(register)),
        Some(space) => Symbol::Variable(space, Extent::Scalar),
    })
}

/// Completes what was declared, with the dimensions after the name.
fn extended(symbol: Symbol, tokens: &Tokens<'_>) -> Symbol {
    match symbol {
        Symbol::Variable(space, _) if tokens.peek().is("[") => Symbol::Variable(space, Extent::Array),
        symbol => symbol,
    }
}

/// Skips dimensions and initial value, up to the comma, parenthesis, brace or semicolon after them.
fn pass_value(tokens: &mut Tokens<'_>) {
    loop {
        let token = tokens.peek();
        match token.kind {
            Kind::End | Kind::Broken(_) => return,
            Kind::Sign if matches!(token.text, "," | ";" | ")" | "}") => return,
            Kind::Sign if matches!(token.text, "{" | "[" | "(") => pass_group(tokens),
            _ => {
                tokens.take();
            }
        }
    }
}

/// Skips a group in brackets, with the brackets.
pub fn pass_group(tokens: &mut Tokens<'_>) {
    let mut depth = 0_usize;
    loop {
        let token = tokens.peek();
        if matches!(token.kind, Kind::End | Kind::Broken(_)) {
            return;
        }
        match token.text {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth = depth.saturating_sub(1),
            _ => {}
        }
        tokens.take();
        if depth == 0 {
            return;
        }
    }
}
