// SPDX-License-Identifier: MIT OR Apache-2.0
//! What all front ends have in common, of this one.

use super::{Inst, NEWEST, lower, parse, proof, slot_name};
use crate::{
    op::Rule,
    prove::block::Obligation,
    sets::{Context, Lowered, Refused, front::FrontEnd, text::ParseError},
};

impl FrontEnd for super::Set {
    type Inst = Inst;
    const RULE: Rule = Rule::Ptx;
    const PROOFS: &'static [&'static dyn Obligation] = proof::BLOCKS;
    const WORDLESS: Option<&'static str> =
        Some("PTX has no machine words; `gpu-lsu check --isa ptx` judges its statements");

    fn register(number: Option<u16>) -> String {
        number.map_or_else(|| "none".to_owned(), slot_name)
    }

    fn code(inst: &Inst) -> String {
        inst.to_string()
    }

    fn from_code(code: &str) -> Result<Inst, ParseError> {
        let (target, version) = NEWEST;
        parse(code, target, version).map_err(|refusal| refusal.in_line(code))
    }

    fn assemble(line: &str) -> Result<(Inst, Vec<String>), ParseError> {
        Self::from_code(line).map(|inst| (inst, Vec::new()))
    }

    fn lower(inst: &Inst, context: &Context) -> Result<Lowered, Refused> {
        Ok(lower(inst, &context.places))
    }
}
