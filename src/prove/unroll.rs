// SPDX-License-Identifier: MIT OR Apache-2.0
//! Yosys's SMT-LIB for a wrapper, written out cycle by cycle.
//!
//! Yosys writes each wire as a function of the state, and the state as one vector of bits. A solver then spends much of
//! its time on calls of functions, and cannot put a register's next value in the register's place:
//!
//! ```text
//!  (define-fun |top#8| ((state |top_s|)) (_ BitVec 4) ((_ extract 9 6) state))
//!  (define-fun |top#9| ((state |top_s|)) Bool (bvult (|top#8| state) #x3))
//!
//!  in cycle 0:   (declare-fun |6 @0| () (_ BitVec 4))
//!                (define-fun |top#8 @0| () (_ BitVec 4) |6 @0|)
//!                (define-fun |top#9 @0| () Bool (bvult |top#8 @0| #x3))
//! ```
//!
//! All proofs together take less than half the time that way; where a term is long, a tenth.

use std::{
    collections::BTreeSet,
    fmt::{self, Write as _},
};

/// Yosys's output for a wrapper, parsed.
pub(crate) struct Unrolled<'a> {
    functions: Vec<Function<'a>>,
    /// Where the vector of the state is cut: no part that is used has one of these between its bits. Bits are counted
    /// from the lowest.
    cuts: BTreeSet<u32>,
}

/// A function of the state, or of the state and the next one.
struct Function<'a> {
    name: &'a str,
    /// Its type, and its value.
    rest: Vec<Piece<'a>>,
    has_next: bool,
}

enum Piece<'a> {
    Token(&'a str),
    /// A function of a state.
    Call {
        name: &'a str,
        next: bool,
    },
    /// A part of a state, from its lowest bit to the one after its highest.
    Bits {
        from: u32,
        to: u32,
        next: bool,
    },
}

/// The symbol for the value of a function in a cycle.
pub(crate) fn at(name: &str, cycle: usize) -> String {
    format!("|{name} @{cycle}|")
}

impl<'a> Unrolled<'a> {
    pub fn new(text: &'a str) -> Self {
        let (mut functions, mut cuts) = (Vec::new(), BTreeSet::new());
        let mut tokens = Tokens(text).peekable();
        while tokens.peek().is_some() {
            let command = command(&mut tokens);
            let ["(", "define-fun", name, "(", rest @ .., ")"] = &command[..] else { continue };
            let Some(types) = rest.windows(2).position(|pair| pair == [")", ")"]) else { continue };
            let (parameters, rest) = rest.split_at(types + 2);
            let rest = pieces(rest);
            for piece in &rest {
                if let Piece::Bits { from, to, .. } = piece {
                    cuts.extend([from, to]);
                }
            }
            functions.push(Function { name: bare(name), rest, has_next: parameters.contains(&"next_state") });
        }
        Unrolled { functions, cuts }
    }

    /// The script that declares every state of so many cycles, and defines every function for each cycle; a function of
    /// two states, for each cycle but the last.
    pub fn script(&self, cycles: usize) -> String {
        let mut script = String::new();
        // Writing to a string cannot fail.
        for cycle in 0..cycles {
            for (from, to) in self.cuts.iter().zip(self.cuts.iter().skip(1)) {
                let _ = writeln!(script, "(declare-fun |{from} @{cycle}| () (_ BitVec {}))", to - from);
            }
        }
        let (of_two, of_one): (Vec<_>, Vec<_>) = self.functions.iter().partition(|function| function.has_next);
        for (functions, cycles) in [(of_one, cycles), (of_two, cycles.saturating_sub(1))] {
            for cycle in 0..cycles {
                for function in &functions {
                    let _ = self.define(&mut script, function, cycle);
                }
            }
        }
        script
    }

    fn define(&self, script: &mut String, function: &Function<'_>, cycle: usize) -> fmt::Result {
        write!(script, "(define-fun |{} @{cycle}| ()", function.name)?;
        for piece in &function.rest {
            match *piece {
                Piece::Token(token) => write!(script, " {token}")?,
                Piece::Call { name, next } => write!(script, " |{name} @{}|", cycle + usize::from(next))?,
                Piece::Bits { from, to, next } => self.bits(script, from, to, cycle + usize::from(next))?,
            }
        }
        writeln!(script, ")")
    }

    fn bits(&self, script: &mut String, from: u32, to: u32, cycle: usize) -> fmt::Result {
        let mut parts = self.cuts.range(from..to).rev();
        if parts.clone().nth(1).is_none() {
            return write!(script, " |{from} @{cycle}|");
        }
        write!(script, " (concat")?;
        parts.try_for_each(|part| write!(script, " |{part} @{cycle}|"))?;
        write!(script, ")")
    }
}

/// The tokens of SMT-LIB, without comments.
struct Tokens<'a>(&'a str);

impl<'a> Iterator for Tokens<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        loop {
            self.0 = self.0.trim_start();
            if !self.0.starts_with(';') {
                break;
            }
            self.0 = self.0.split_once('\n').map_or("", |(_, rest)| rest);
        }
        let length = match self.0.chars().next()? {
            '(' | ')' => 1,
            '|' => self.0[1..].find('|').map_or(self.0.len(), |end| end + 2),
            _ => self.0.find(|c: char| c.is_whitespace() || "();|".contains(c)).unwrap_or(self.0.len()),
        };
        let (token, rest) = self.0.split_at(length);
        self.0 = rest;
        Some(token)
    }
}

/// The tokens of a command.
fn command<'a>(tokens: &mut impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let (mut command, mut depth) = (Vec::new(), 0);
    for token in tokens {
        command.push(token);
        depth += i32::from(token == "(") - i32::from(token == ")");
        if depth <= 0 {
            break;
        }
    }
    command
}

fn pieces<'a>(mut tokens: &[&'a str]) -> Vec<Piece<'a>> {
    let mut pieces = Vec::new();
    while let &[token, ref after @ ..] = tokens {
        let (piece, rest) = match *tokens {
            ["(", name, state @ ("state" | "next_state"), ")", ref rest @ ..] => {
                (Piece::Call { name: bare(name), next: state == "next_state" }, rest)
            }
            ["(", "(", "_", "extract", high, low, ")", state @ ("state" | "next_state"), ")", ref rest @ ..] => {
                match (low.parse(), high.parse::<u32>()) {
                    (Ok(from), Ok(high)) => (Piece::Bits { from, to: high + 1, next: state == "next_state" }, rest),
                    _ => (Piece::Token(token), after),
                }
            }
            _ => (Piece::Token(token), after),
        };
        pieces.push(piece);
        tokens = rest;
    }
    pieces
}

/// A symbol without its bars.
fn bare(symbol: &str) -> &str {
    symbol.trim_matches('|')
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As Yosys writes them: comments with bars and parentheses, functions over several lines, parts that overlap.
    const TEXT: &str = r#"; yosys-smt2-module top
(define-sort |top_s| () (_ BitVec 12))
(define-fun |top#0| ((state |top_s|)) (_ BitVec 4) ((_ extract 9 6) state)) ; \a ( |
(define-fun |top#1| ((state |top_s|)) Bool (= ((_ extract 7 7) state) #b1))
(define-fun |top_n a [3:0]| ((state |top_s|)) Bool (bvult ((_ extract 3 0) (|top#0| state)) #x3))
(define-fun |top_t| ((state |top_s|) (next_state |top_s|)) Bool (and
  (= (|top#0| state) (|top#0| next_state)) ; $next
  (|top#1| next_state)
)) ; end
"#;

    #[test]
    fn functions_become_symbols_of_a_cycle() {
        insta::assert_snapshot!(Unrolled::new(TEXT).script(2), @r"
        (declare-fun |6 @0| () (_ BitVec 1))
        (declare-fun |7 @0| () (_ BitVec 1))
        (declare-fun |8 @0| () (_ BitVec 2))
        (declare-fun |6 @1| () (_ BitVec 1))
        (declare-fun |7 @1| () (_ BitVec 1))
        (declare-fun |8 @1| () (_ BitVec 2))
        (define-fun |top#0 @0| () ( _ BitVec 4 ) (concat |8 @0| |7 @0| |6 @0|))
        (define-fun |top#1 @0| () Bool ( = |7 @0| #b1 ))
        (define-fun |top_n a [3:0] @0| () Bool ( bvult ( ( _ extract 3 0 ) |top#0 @0| ) #x3 ))
        (define-fun |top#0 @1| () ( _ BitVec 4 ) (concat |8 @1| |7 @1| |6 @1|))
        (define-fun |top#1 @1| () Bool ( = |7 @1| #b1 ))
        (define-fun |top_n a [3:0] @1| () Bool ( bvult ( ( _ extract 3 0 ) |top#0 @1| ) #x3 ))
        (define-fun |top_t @0| () Bool ( and ( = |top#0 @0| |top#0 @1| ) |top#1 @1| ))
        ");
    }
}
