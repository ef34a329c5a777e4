// SPDX-License-Identifier: MIT OR Apache-2.0
//! The common interface of front ends, for R700.

use super::{Inst, LowerError, code, explain::{burst, notes}, forms, hazard::Hazards, lower, parse_code, proof};
use crate::{
    explain::{
        explanation::{Array, Burst, Explanation, Forms, Note},
        play::Told,
    },
    model::R700Trace,
    op::{Ctrl, Op, Rule},
    prove::block::Obligation,
    sets::{Context, Lowered, Refused, front::FrontEnd, text::ParseError},
};

impl FrontEnd for super::Set {
    type Inst = Inst;
    type Past = Hazards;
    const RULE: Rule = Rule::R700;
    const PROOFS: &'static [&'static dyn Obligation] = proof::BLOCKS;

    const LONG: bool = true;

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

    fn long(inst: &Inst) -> Option<String> {
        Some(inst.long().to_string())
    }

    fn both_forms(inst: &Inst) -> Option<Forms> {
        forms::of(inst)
    }

    fn notes(inst: &Inst, hazards: &mut Hazards, told: &Told<'_>, explanation: &Explanation) -> Vec<Note> {
        notes::all(inst, hazards, told, &explanation.lanes)
    }

    fn array(ctrl: &Ctrl, op: &Op) -> Option<Array> {
        burst::array(ctrl, op)
    }

    fn burst(trace: &R700Trace, lowered: &Lowered) -> Option<Burst> {
        Some(burst::burst(trace, lowered))
    }

    fn gpr(lowered: &Lowered, group: u8) -> Option<String> {
        burst::gpr(lowered, group)
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
