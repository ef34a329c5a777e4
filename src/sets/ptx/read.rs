// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reads one statement of a program, from its text to an instruction.

use super::{
    bare::bare,
    feature::{Target, Version},
    inst::Inst,
    legal::{Refusal, judge},
    lex::{Kind, Tokens},
    register::declared,
    statement::Statement,
};
use crate::{
    clause::Clause,
    sets::text::{Failure, Parsed},
};

/// Reads the statement of a line and judges it under the declarations of programs: registers whose names show their
/// kind ([`Reg`](super::Reg)), and the variables ([`Variable`](super::Variable)). Labels before the statement and
/// comments are ignored.
///
/// ```
/// use gpu_lsu::{clause::Clause, sets::ptx::{NEWEST, parse}};
///
/// let (target, version) = NEWEST;
/// let inst = parse("st.v2.b32.global [ %rd1 + -4 ], {%r2, 16}; // any order", target, version).unwrap();
/// assert_eq!(inst.to_string(), "st.global.v2.b32 [%rd1+-0x4], {%r2, 0x10};");
/// assert_eq!(parse("st.b32 [%rd1], %h1;", target, version).unwrap_err().clause, Clause::PtxL18);
/// ```
pub fn parse(line: &str, target: Target, version: Version) -> Result<Inst, Refusal> {
    let statement = one(line).map_err(|failure| Refusal::unreadable(failure, line))?;
    judge(&statement, &declared(), target, version)?;
    Inst::new(&statement).ok_or_else(|| {
        let message = "the statement has operands that no program has".to_owned();
        Refusal::new(Clause::PtxSyntax, &statement.mnemonic, message)
    })
}

fn one(line: &str) -> Parsed<Statement<'_>> {
    let mut tokens = Tokens::new(line);
    let statement = loop {
        if let Some(statement) = bare(&mut tokens)? {
            break statement;
        }
    };
    match tokens.peek() {
        next if next.kind == Kind::End || next.is("#") => Ok(statement),
        next => Err(Failure::expected(next.span.clone(), "the end of the line").help("write a statement a line")),
    }
}
