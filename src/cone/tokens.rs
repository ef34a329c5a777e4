// SPDX-License-Identifier: MIT OR Apache-2.0
//! Sources as words and comments.

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
        self.text.starts_with(|first: char| first.is_alphabetic() || ['_', '\\'].contains(&first))
            && !KEYWORDS.contains(&&*self.text)
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

/// The words of a text that begins at `line`.
pub fn tokens(text: &str, line: usize) -> Vec<Token> {
    split(text, line).0
}

/// The words and the comments of a text that begins at `line`.
pub fn split(text: &str, mut line: usize) -> (Vec<Token>, Vec<Token>) {
    let (mut words, mut comments) = (Vec::new(), Vec::new());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let (length, kind) = match comment(rest) {
            0 => (word(rest, first), &mut words),
            length => (length, &mut comments),
        };
        let (text, more) = rest.split_at(length);
        if !first.is_whitespace() {
            kind.push(Token { text: text.to_owned(), line });
        }
        line += text.matches('\n').count();
        rest = more;
    }
    (words, comments)
}

/// The length in bytes of the comment that a text begins with; 0 if there is none.
fn comment(text: &str) -> usize {
    let end = match text.get(..2) {
        Some("//") => text.find('\n'),
        Some("/*") => text[2..].find("*/").map(|at| at + 4),
        _ => return 0,
    };
    end.unwrap_or(text.len())
}

/// The length in bytes of the word that a text begins with; a space counts as a word.
fn word(text: &str, first: char) -> usize {
    let name = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    if name(first) || first == '`' {
        let after = first.len_utf8();
        let word = text[after..].find(|c| !name(c)).map_or(text.len(), |at| at + after);
        // 4'd5
        if first.is_ascii_digit() { word + based(&text[word..]) } else { word }
    } else if first == '"' {
        string(text)
    } else if first == '\\' {
        // A name of any characters.
        text[1..].find(char::is_whitespace).map_or(text.len(), |at| at + 1)
    } else if based(text) > 0 {
        based(text)
    } else if let Some(long) = LONG.iter().find(|long| text.starts_with(**long)) {
        long.len()
    } else {
        first.len_utf8()
    }
}

/// The length in bytes of a string, which ends with its line if nothing else ends it.
fn string(text: &str) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return at + 1,
            '\n' => return at,
            _ => {}
        }
    }
    text.len()
}

/// The length in bytes of `'d5`, `'0`, `'b1??0`; 0 if no digits of a number follow.
fn based(text: &str) -> usize {
    let Some(digits) = text.strip_prefix('\'') else { return 0 };
    if !digits.starts_with(|first: char| first.is_ascii_alphanumeric()) {
        return 0;
    }
    let any = digits.trim_start_matches(['s', 'S']).starts_with(['b', 'B', 'o', 'O', 'h', 'H']);
    let digit = |c: char| c.is_ascii_alphanumeric() || c == '_' || (any && c == '?');
    1 + digits.find(|c: char| !digit(c)).unwrap_or(digits.len())
}
