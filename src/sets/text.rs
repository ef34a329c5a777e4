// SPDX-License-Identifier: MIT OR Apache-2.0
//! The tokens of every textual format here, and the messages about wrong ones.
//!
//! A parser works on one line, and consumes the blanks and comments after each token. It refuses input with a
//! [`Failure`], which is cheap to make; [`Failure::explain`] turns it into the [`ParseError`] that people read.

use std::{borrow::Cow, fmt, ops::Range};

use winnow::{
    LocatingSlice, Parser,
    ascii::till_line_ending,
    error::ParserError,
    stream::{Location, Stream},
    token::{literal, take_until, take_while},
};

use crate::clause::Clause;

/// A line that a file gave, without what a terminal would act on.
pub fn printable(text: &str) -> Cow<'_, str> {
    if !text.contains(char::is_control) {
        return text.into();
    }
    let shown = |c: char| if c.is_control() { c.escape_default().to_string() } else { c.to_string() };
    text.chars().map(shown).collect()
}

/// A line, with the position up to which it has been read.
pub type Input<'a> = LocatingSlice<&'a str>;
/// The result of a parser in this crate.
pub type Parsed<T> = Result<T, Failure>;

/// What is wrong, and at which bytes of the line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The bytes at fault; empty where something is missing.
    pub span: Range<usize>,
    says: Says,
    clause: Option<Clause>,
    help: &'static str,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Says {
    Expected(&'static str),
    Refused(&'static str),
}

/// Why a line is refused: what is wrong, the rule and the remedy.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("column {column}: {message}")]
pub struct ParseError {
    /// Column in characters, from 1.
    pub column: usize,
    /// The bytes at fault.
    pub span: Range<usize>,
    /// What is wrong.
    pub message: String,
    /// The clause of the specification that refuses it, if there is one.
    pub clause: Option<Clause>,
    /// What to write instead; may be empty.
    pub help: &'static str,
}

impl Failure {
    /// Says that `what` was expected at `span` instead of what stands there.
    pub fn expected(span: Range<usize>, what: &'static str) -> Self {
        Failure { span, says: Says::Expected(what), clause: None, help: "" }
    }

    /// Says that the text at `span` is refused. `why` continues a sentence that starts with it, as in "`x` is no
    /// register".
    pub fn refused(span: Range<usize>, why: &'static str, help: &'static str) -> Self {
        Failure { span, says: Says::Refused(why), clause: None, help }
    }

    /// Adds the clause that refuses the text.
    pub fn by(mut self, clause: Clause) -> Self {
        self.clause = Some(clause);
        self
    }

    /// Adds the remedy.
    pub fn help(mut self, help: &'static str) -> Self {
        self.help = help;
        self
    }

    /// Adds a remedy if something was expected: what it looks like.
    pub fn or_help(self, help: &'static str) -> Self {
        if matches!(self.says, Says::Expected(_)) { self.help(help) } else { self }
    }

    /// Makes the message for people. `line` must be the line that was parsed.
    pub fn explain(self, line: &str) -> ParseError {
        let Failure { mut span, says, clause, help } = self;
        span.start = span.start.min(line.len());
        if span.is_empty() {
            span.end = span.start + unit_at(line.get(span.start..).unwrap_or_default());
        }
        let found = match line.get(span.clone()).unwrap_or_default().trim_end() {
            "" => "the end of the line".to_owned(),
            text => format!("`{}`", shown(text)),
        };
        let message = match says {
            Says::Expected(what) => format!("expected {what}, found {found}"),
            Says::Refused(why) => format!("{found} {why}"),
        };
        let column = line.get(..span.start).unwrap_or(line).chars().count() + 1;
        ParseError { column, span, message, clause, help }
    }
}

/// The byte order mark that some editors put before a text.
pub const MARK: &str = "\u{feff}";

/// The bytes of a text without a byte order mark.
pub fn unmarked(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(MARK.as_bytes()).unwrap_or(bytes)
}

/// Longest text, in characters, that a message repeats in full.
const SHOWN: usize = 40;

/// Shortens a text for a message, if it is too long.
pub fn shown(text: &str) -> Cow<'_, str> {
    match text.char_indices().nth(SHOWN) {
        None => text.into(),
        Some(_) => text.chars().take(SHOWN - 3).chain("...".chars()).collect::<String>().into(),
    }
}

/// Formats a count with its noun: `1 dword`, `2 dwords`.
pub fn count<N: fmt::Display + PartialEq + From<u8>>(number: N, noun: &str) -> String {
    let plural = if number == N::from(1) { "" } else { "s" };
    format!("{number} {noun}{plural}")
}

/// Length in bytes of the word at the start of `rest`, or of one character if there is no word.
fn unit_at(rest: &str) -> usize {
    let word = rest.find(|c: char| !is_word(c)).unwrap_or(rest.len());
    if word > 0 { word } else { rest.chars().next().map_or(0, char::len_utf8) }
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

impl<'a> ParserError<Input<'a>> for Failure {
    type Inner = Self;

    fn from_input(input: &Input<'a>) -> Self {
        Failure::expected(at(input)..at(input), "something else")
    }

    fn into_inner(self) -> Result<Self, Self> {
        Ok(self)
    }
}

/// A word of letters, digits and underscores, possibly empty, and its place.
#[derive(Clone, Debug)]
pub struct Token<'a> {
    /// The word.
    pub text: &'a str,
    /// Its bytes in the line.
    pub span: Range<usize>,
}

impl Token<'_> {
    /// Whether this is `word`, in any case.
    pub fn is(&self, word: &str) -> bool {
        self.text.eq_ignore_ascii_case(word)
    }
}

/// The number of bytes read so far.
pub fn at(input: &Input<'_>) -> usize {
    input.current_token_start()
}

/// The next character, which is not consumed.
pub fn peek(input: &Input<'_>) -> Option<char> {
    input.peek_token()
}

/// Skips blanks, `/* */`, and `//` or `#` to the end of the line.
pub fn skip(input: &mut Input<'_>) -> Parsed<()> {
    loop {
        take_while(0.., char::is_whitespace).void().parse_next(input)?;
        match peek(input) {
            Some('#') => till_line_ending.void().parse_next(input)?,
            Some('/') if input.starts_with("//") => till_line_ending.void().parse_next(input)?,
            Some('/') if input.starts_with("/*") => {
                let from = at(input);
                (take_until::<_, _, Failure>(2.., "*/"), literal("*/"))
                    .void()
                    .parse_next(input)
                    .map_err(|_| Failure::refused(from..from + 2, "is never closed", "end the comment with `*/`"))?;
            }
            _ => return Ok(()),
        }
    }
}

/// Whether the line has nothing but blanks and comments.
pub fn is_blank(line: &str) -> bool {
    let mut input = Input::new(line);
    skip(&mut input).is_ok() && peek(&input).is_none()
}

/// The result of `read` for the last `/* */` that it accepts, in a line of comments only. An address may stand in an
/// earlier comment.
pub fn in_comments<'a, T>(line: &'a str, read: impl Fn(&'a str) -> Option<T>) -> Option<T> {
    let (mut rest, mut found) = (line.trim_start(), None);
    while let Some((comment, behind)) = rest.strip_prefix("/*").and_then(|rest| rest.split_once("*/")) {
        found = read(comment).or(found);
        rest = behind.trim_start();
    }
    found.filter(|_| is_blank(rest))
}

/// Reads the next word, which may be empty.
pub fn token<'a>(input: &mut Input<'a>) -> Parsed<Token<'a>> {
    let start = at(input);
    let text: &str = take_while(0.., is_word).parse_next(input)?;
    skip(input)?;
    Ok(Token { text, span: start..start + text.len() })
}

/// Consumes the character if it is next, and returns whether it was.
pub fn eat(input: &mut Input<'_>, symbol: char) -> Parsed<bool> {
    let found = peek(input) == Some(symbol);
    if found {
        input.next_token();
        skip(input)?;
    }
    Ok(found)
}

/// Consumes the character, or fails with what was expected.
pub fn expect(input: &mut Input<'_>, symbol: char, what: &'static str) -> Parsed<()> {
    if eat(input, symbol)? { Ok(()) } else { Err(Failure::expected(at(input)..at(input), what)) }
}

/// Fails unless the line is read to its end.
pub fn end(input: &mut Input<'_>) -> Parsed<()> {
    match peek(input) {
        None => Ok(()),
        Some(_) => Err(Failure::expected(at(input)..at(input), "the end of the line")),
    }
}

/// Reads an unsigned integer, decimal or hexadecimal after `0x`, with `_` allowed between digits.
pub fn integer(input: &mut Input<'_>) -> Parsed<(u64, Range<usize>)> {
    let token = token(input)?;
    Ok((integer_in(&token)?, token.span))
}

/// The value of such an integer in a word already read.
pub fn integer_in(token: &Token<'_>) -> Parsed<u64> {
    let value = wide_in(token)?.and_then(|value| u64::try_from(value).ok());
    let help = "the largest is 0xffffffffffffffff";
    value.ok_or_else(|| Failure::refused(token.span.clone(), "does not fit in 64 bits", help))
}

/// Like [`integer_in`] for up to 128 bits; `None` if the value has more.
pub fn wide_in(token: &Token<'_>) -> Parsed<Option<u128>> {
    let (digits, radix) = match token.text.get(..2) {
        Some("0x" | "0X") => (&token.text[2..], 16),
        _ => (token.text, 10),
    };
    let mut digits =
        digits.bytes().filter(|&digit| digit != b'_').map(|digit| char::from(digit).to_digit(radix)).peekable();
    if digits.peek().is_none() || digits.clone().any(|digit| digit.is_none()) {
        return Err(Failure::expected(token.span.clone(), "a number").help("write `20` or `0x14`"));
    }
    Ok(digits.flatten().try_fold(0_u128, |value, digit| value.checked_mul(radix.into())?.checked_add(digit.into())))
}
