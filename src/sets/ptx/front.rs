// SPDX-License-Identifier: MIT OR Apache-2.0
//! The common interface of front ends, for PTX.

use super::{Inst, NEWEST, Offset, lower, parse, predicate_name, proof, slot_name};
use crate::{
    op::Rule,
    prove::block::Obligation,
    sets::{Context, Lowered, Refused, Source, front::FrontEnd, text::ParseError},
};

impl FrontEnd for super::Set {
    type Inst = Inst;
    type Past = ();
    const RULE: Rule = Rule::Ptx;
    const PROOFS: &'static [&'static dyn Obligation] = proof::BLOCKS;
    const WORDLESS: Option<&'static str> =
        Some("PTX has no machine words; `gpu-lsu check --isa ptx` judges its statements");

    fn register(number: Option<u16>) -> String {
        number.map_or_else(|| "none".to_owned(), slot_name)
    }

    fn source(source: Option<Source>) -> String {
        match source {
            Some(Source::Constant(value)) => format!("{value:#x}"),
            Some(Source::Sum(sum)) => {
                let register = Self::register(Some(sum.first + u16::from(sum.word)));
                format!("{register}{}", Offset(sum.add))
            }
            Some(Source::Predicate(predicate)) => predicate_name(predicate),
            source => Self::register(source.and_then(Source::register)),
        }
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
