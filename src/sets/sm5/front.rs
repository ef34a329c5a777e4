// SPDX-License-Identifier: MIT OR Apache-2.0
//! The parts of this front end that all front ends have in common.

use super::{Inst, LowerError, code, lower, parse_code, proof, slot_name};
use crate::{
    op::Rule,
    prove::block::Obligation,
    sets::{Context, Lowered, Refused, front::FrontEnd, text::ParseError},
};

impl FrontEnd for super::Set {
    type Inst = Inst;
    type Past = ();
    const RULE: Rule = Rule::Sm5;
    const PROOFS: &'static [&'static dyn Obligation] = proof::BLOCKS;

    fn register(number: Option<u16>) -> String {
        number.map_or_else(|| "none".to_owned(), slot_name)
    }

    fn code(inst: &Inst) -> String {
        code(inst)
    }

    fn from_code(code: &str) -> Result<Inst, ParseError> {
        parse_code(code)
    }

    fn assemble(line: &str) -> Result<(Inst, Vec<String>), ParseError> {
        super::parse(line).map(|inst| (inst, Vec::new()))
    }

    fn lower(inst: &Inst, context: &Context) -> Result<Lowered, Refused> {
        Ok(lower(inst, &context.bindings)?)
    }
}

impl From<LowerError> for Refused {
    fn from(error: LowerError) -> Self {
        Refused { message: error.to_string(), clause: error.clause(), field: error.field(), help: error.help() }
    }
}
