// SPDX-License-Identifier: MIT OR Apache-2.0
//! Sources as words.

/// A word of an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// As it stands in the source.
    pub text: String,
    /// Its line, from 1.
    pub line: usize,
}

impl Token {
    /// Whether it is a name.
    pub fn is_name(&self) -> bool {
        self.text.starts_with(|first: char| first.is_alphabetic() || first == '_') && !KEYWORDS.contains(&&*self.text)
    }
}

const KEYWORDS: [&str; 14] = [
    "inside",
    "default",
    "posedge",
    "negedge",
    "signed",
    "unsigned",
    "int",
    "logic",
    "automatic",
    "return",
    "if",
    "or",
    "and",
    "not",
];
const LONG: [&str; 22] = [
    "<<<", ">>>", "===", "!==", "==?", "!=?", "&&", "||", "==", "!=", "<=", ">=", "<<", ">>", "+:", "-:", "::", "'{",
    "~&", "~|", "~^", "**",
];

/// The words of a text that begins in `line`; comments are none.
pub fn tokens(text: &str, mut line: usize) -> Vec<Token> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let name = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
        let length = if first.is_whitespace() {
            line += usize::from(first == '\n');
            rest = &rest[first.len_utf8()..];
            continue;
        } else if rest.starts_with("//") || rest.starts_with("/*") {
            let end = if rest.starts_with("//") { rest.find('\n') } else { rest.find("*/").map(|at| at + 2) };
            let comment = &rest[..end.unwrap_or(rest.len())];
            line += comment.matches('\n').count();
            rest = &rest[comment.len()..];
            continue;
        } else if name(first) || first == '`' {
            let word = rest[1..].find(|c| !name(c)).map_or(rest.len(), |at| at + 1);
            // 4'd5
            if first.is_ascii_digit() { word + based(&rest[word..]) } else { word }
        } else if based(rest) > 0 {
            based(rest)
        } else if let Some(long) = LONG.iter().find(|long| rest.starts_with(**long)) {
            long.len()
        } else {
            first.len_utf8()
        };
        found.push(Token { text: rest[..length].to_owned(), line });
        rest = &rest[length..];
    }
    found
}

/// Bytes of `'d5`, `'0`; 0 for what is no digits of a number.
fn based(text: &str) -> usize {
    let Some(digits) = text.strip_prefix('\'') else { return 0 };
    if !digits.starts_with(|first: char| first.is_ascii_alphanumeric()) {
        return 0;
    }
    1 + digits.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(digits.len())
}
