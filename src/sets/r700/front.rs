// SPDX-License-Identifier: MIT OR Apache-2.0
//! What all front ends have in common, of this one.

use super::{Inst, LowerError, code, lower, parse_code, proof};
use crate::{
    op::Rule,
    prove::block::Obligation,
    sets::{Context, Lowered, Refused, front::FrontEnd, text::ParseError},
};

impl FrontEnd for super::Set {
    type Inst = Inst;
    const RULE: Rule = Rule::R700;
    const PROOFS: &'static [&'static dyn Obligation] = proof::BLOCKS;

    fn register(number: Option<u16>) -> String {
        let name = |number: u16| format!("R{}.{}", number / 4, ["x", "y", "z", "w"][usize::from(number % 4)]);
        number.map_or_else(|| "none".to_owned(), name)
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

    fn fields(inst: &Inst) -> Vec<(&'static str, u32)> {
        inst.fields()
    }

    fn lower(inst: &Inst, context: &Context) -> Result<Lowered, Refused> {
        Ok(lower(inst, context.register_count, context.loop_index)?)
    }
}

impl From<LowerError> for Refused {
    fn from(error: LowerError) -> Self {
        Refused { message: error.to_string(), clause: error.clause(), field: error.field(), help: error.help() }
    }
}
