// SPDX-License-Identifier: MIT OR Apache-2.0
//! The interface of every instruction set's front end: from text and words to an operation.

use std::fmt;

use super::{Context, Lowered, Refused, Source, text::ParseError};
use crate::{
    explain::{
        explanation::{Array, Burst, Explanation, Forms, Note},
        play::Told,
    },
    model::R700Trace,
    op::{Ctrl, Op, Rule},
    prove::block::Obligation,
};

/// The front end of a set. An operation's meaning is given by its address rule, which may be another set's.
pub(crate) trait FrontEnd {
    /// An instruction, legal or not.
    type Inst: Copy + fmt::Display;
    /// The address rule of its operations, except those that follow another set's rule.
    const RULE: Rule;
    /// Blocks with a proof obligation, in the order of the pipeline.
    const PROOFS: &'static [&'static dyn Obligation];

    /// What the steps of a program leave behind for the notes of later steps.
    type Past: Default;

    /// Why the set has no machine words, if it has none.
    const WORDLESS: Option<&'static str> = None;

    /// Whether there is a text that names every field, because the usual one leaves some out: see [`FrontEnd::long`].
    const LONG: bool = false;

    /// The name of a register by its number in [`Lowered`]. `None` stands for no register.
    fn register(number: Option<u16>) -> String;

    /// The name of a word's source or destination.
    fn source(source: Option<Source>) -> String {
        match source {
            Some(Source::Constant(value)) => format!("{value:#x}"),
            Some(Source::Negated(number)) => format!("-{}", Self::register(Some(number))),
            source => Self::register(source.and_then(Source::register)),
        }
    }

    /// The instruction's words in hexadecimal, as `asm` prints them, or its text if the set has no words.
    fn code(inst: &Self::Inst) -> String;

    /// Decodes what [`FrontEnd::code`] returns.
    fn from_code(code: &str) -> Result<Self::Inst, ParseError>;

    /// Parses a line into the instruction and its annotations.
    fn assemble(line: &str) -> Result<(Self::Inst, Vec<String>), ParseError>;

    /// The fields of the instruction's words, by their names in the manual.
    fn fields(_: &Self::Inst) -> Vec<(&'static str, u32)> {
        Vec::new()
    }

    /// The text that names every field, if the set has one.
    fn long(_: &Self::Inst) -> Option<String> {
        None
    }

    /// Both forms of the instruction's address equation, if it has two and they differ.
    fn both_forms(_: &Self::Inst) -> Option<Forms> {
        None
    }

    /// Hints and warnings about an executed step, for the reader of the program.
    fn notes(_: &Self::Inst, _: &mut Self::Past, _: &Told<'_>, _: &Explanation) -> Vec<Note> {
        Vec::new()
    }

    /// What the lanes of a burst have in common; none for any other operation.
    fn array(_: &Ctrl, _: &Op) -> Option<Array> {
        None
    }

    /// One lane's part of a burst, with the registers by their names.
    fn burst(_: &R700Trace, _: &Lowered) -> Option<Burst> {
        None
    }

    /// The GPR that the requests of one group serve.
    fn gpr(_: &Lowered, _group: u8) -> Option<String> {
        None
    }

    /// Lowers the instruction to its operation and the registers that feed it.
    fn lower(inst: &Self::Inst, context: &Context) -> Result<Lowered, Refused>;
}
