// SPDX-License-Identifier: MIT OR Apache-2.0
//! The common interface of front ends, for SPA 5.0.

use super::{Inst, LowerError, encode, lower, parse_code, proof};
use crate::{
    op::Rule,
    prove::block::Obligation,
    sets::{Context, Lowered, Refused, front::FrontEnd, text::ParseError},
};

impl FrontEnd for super::Set {
    type Inst = Inst;
    type Past = ();
    const RULE: Rule = Rule::Spa5;
    const PROOFS: &'static [&'static dyn Obligation] = proof::BLOCKS;

    fn register(number: Option<u16>) -> String {
        number.map_or_else(|| "RZ".to_owned(), |number| format!("R{number}"))
    }

    fn code(inst: &Inst) -> String {
        format!("{:016x}", encode(inst))
    }

    fn from_code(code: &str) -> Result<Inst, ParseError> {
        parse_code(code)
    }

    fn assemble(line: &str) -> Result<(Inst, Vec<String>), ParseError> {
        super::parse_statement(line).map(|statement| (statement.inst, statement.annotations))
    }

    fn lower(inst: &Inst, context: &Context) -> Result<Lowered, Refused> {
        Ok(lower(inst, context.register_count)?)
    }
}

impl From<LowerError> for Refused {
    fn from(error: LowerError) -> Self {
        Refused { message: error.to_string(), clause: error.clause(), field: error.field(), help: error.help() }
    }
}
