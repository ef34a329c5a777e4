// SPDX-License-Identifier: MIT OR Apache-2.0
//! Splits PTX text into tokens.
//!
//! Unlike the tokens of [`text`](crate::sets::text), these cross line ends, `#` does not start a comment, and names may
//! contain `%` and `$`. The lexer does not fail: what is no token becomes a [`Kind::Broken`] one, which the parser
//! reports when it meets it.

use std::ops::Range;

use winnow::stream::{Location, Stream};

use crate::sets::text::{Failure, Input};

/// The kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `%rd1`, `st`, `$L__BB0_1`, `_`.
    Name,
    /// `.global`, `.L2::cache_hint`.
    Dotted,
    /// `0x1f`, `1.5`, `0f3F800000`. Whether it really is a number is checked when the constant is read.
    Number,
    /// `"..."`.
    Text,
    /// A sign of one character, or of two that belong together: `[`, `<=`.
    Sign,
    /// The end of the source.
    End,
    /// No token, with the reason.
    Broken(&'static str),
}

/// A token, and its bytes in the source.
#[derive(Clone, Debug)]
pub struct Token<'a> {
    pub kind: Kind,
    pub text: &'a str,
    pub span: Range<usize>,
}

impl Token<'_> {
    pub fn is(&self, sign: &str) -> bool {
        self.kind == Kind::Sign && self.text == sign
    }
}

/// A source that is read token by token, with a lookahead of one.
#[derive(Clone, Debug)]
pub struct Tokens<'a> {
    source: &'a str,
    input: Input<'a>,
    next: Token<'a>,
    /// The end of the token that was taken last, in bytes.
    end: usize,
}

impl<'a> Tokens<'a> {
    pub fn new(source: &'a str) -> Self {
        let mut input = Input::new(source);
        let next = lex(&mut input);
        Tokens { source, input, next, end: 0 }
    }

    pub fn peek(&self) -> &Token<'a> {
        &self.next
    }

    pub fn take(&mut self) -> Token<'a> {
        self.end = self.next.span.end;
        let next = lex(&mut self.input);
        std::mem::replace(&mut self.next, next)
    }

    /// Takes the sign if it is next, and returns whether it was.
    pub fn eat(&mut self, sign: &str) -> bool {
        let found = self.next.is(sign);
        if found {
            self.take();
        }
        found
    }

    /// Takes the sign, or fails with what was expected.
    pub fn expect(&mut self, sign: &str, what: &'static str) -> Result<(), Failure> {
        if self.eat(sign) { Ok(()) } else { Err(self.expected(what)) }
    }

    /// A failure at the next token: it is broken, or `what` was expected.
    pub fn expected(&self, what: &'static str) -> Failure {
        match self.next.kind {
            Kind::Broken(why) => Failure::refused(self.next.span.clone(), why, ""),
            _ => Failure::expected(self.next.span.clone(), what),
        }
    }

    /// The text from `start` to the end of the token that was taken last, and its bytes.
    pub fn since(&self, start: usize) -> (&'a str, Range<usize>) {
        let span = start..self.end.max(start);
        (self.source.get(span.clone()).unwrap_or_default(), span)
    }

    /// Skips the rest of the line that contains the byte `from`.
    pub fn pass_line(&mut self, from: usize) {
        let rest = self.source.get(from..).unwrap_or_default();
        let end = from + rest.find('\n').unwrap_or(rest.len());
        while self.next.span.start < end && self.next.kind != Kind::End {
            self.take();
        }
    }
}

fn lex<'a>(input: &mut Input<'a>) -> Token<'a> {
    if let Some(broken) = skip(input) {
        return broken;
    }
    let start = input.current_token_start();
    let rest: &'a str = input.as_ref();
    let mut characters = rest.chars();
    let first = characters.next();
    let second = characters.next();
    let (kind, length) = match first {
        None => (Kind::End, 0),
        Some(c) if c.is_ascii_alphabetic() || matches!(c, '_' | '$') => (Kind::Name, run(rest, 1)),
        Some('%') if second.is_some_and(is_name) => (Kind::Name, run(rest, 1)),
        Some(c) if c.is_ascii_digit() => (Kind::Number, number(rest)),
        Some('.') if second.is_some_and(|c| c.is_ascii_digit()) => (Kind::Number, number(rest)),
        Some('.') if second.is_some_and(is_name) => (Kind::Dotted, dotted(rest)),
        Some('"') => match rest[1..].find(['"', '\n']) {
            Some(at) if rest[1 + at..].starts_with('"') => (Kind::Text, at + 2),
            _ => (Kind::Broken("is never closed"), 1),
        },
        Some(c) => match rest.get(..2) {
            Some("<=" | ">=" | "==" | "!=" | "&&" | "||" | "<<" | ">>") => (Kind::Sign, 2),
            _ => (Kind::Sign, c.len_utf8()),
        },
    };
    let text = input.next_slice(length);
    Token { kind, text, span: start..start + length }
}

/// Skips blanks and comments. Returns a token for a comment that is never closed.
fn skip<'a>(input: &mut Input<'a>) -> Option<Token<'a>> {
    loop {
        let rest: &'a str = input.as_ref();
        let blanks = rest.bytes().take_while(|byte| byte.is_ascii_whitespace() || *byte == 0x0b).count();
        let rest = &rest[blanks..];
        let comment = match rest.get(..2) {
            Some("//") => rest.find('\n').unwrap_or(rest.len()),
            Some("/*") => match rest[2..].find("*/") {
                Some(length) => length + 4,
                None => {
                    input.next_slice(blanks);
                    let start = input.current_token_start();
                    input.next_slice(rest.len());
                    return Some(Token { kind: Kind::Broken("is never closed"), text: "/*", span: start..start + 2 });
                }
            },
            _ => 0,
        };
        input.next_slice(blanks + comment);
        if comment == 0 {
            return None;
        }
    }
}

fn is_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '$')
}

/// The end of the name that continues at `from`, in bytes of `text`.
fn run(text: &str, from: usize) -> usize {
    text[from..].find(|c| !is_name(c)).map_or(text.len(), |length| from + length)
}

fn dotted(text: &str) -> usize {
    let mut end = run(text, 1);
    while text[end..].starts_with("::") && text[end + 2..].starts_with(is_name) {
        end = run(text, end + 2);
    }
    end
}

/// The end of a number: digits, letters and points, and the sign of a decimal exponent.
fn number(text: &str) -> usize {
    let run = |from: usize| text[from..].find(|c| !is_name(c) && c != '.').map_or(text.len(), |length| from + length);
    let end = run(0);
    let decimal = !text.get(1..2).is_some_and(|radix| "xXdDfF".contains(radix));
    let exponent = text[..end].ends_with(['e', 'E']) && text[end..].starts_with(['+', '-']);
    if decimal && exponent && text[end + 1..].starts_with(|c: char| c.is_ascii_digit()) { run(end + 1) } else { end }
}
