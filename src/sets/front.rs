// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the front end of every instruction set offers: text and words to an operation.

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

/// A front end. What its operations mean, their address rule says, which may be another set's.
pub(crate) trait FrontEnd {
    /// An instruction, legal or not.
    type Inst: Copy + fmt::Display;
    /// The rule that its operations are of, but for those that are made in another set's way.
    const RULE: Rule;
    /// Blocks that are proved, in the order of the pipeline.
    const PROOFS: &'static [&'static dyn Obligation];

    /// What the steps of a program leave for the notes of later ones.
    type Past: Default;

    /// Why there are no machine words, if there are none.
    const WORDLESS: Option<&'static str> = None;

    /// There is a text that names every field, where the usual one leaves some out: [`FrontEnd::long`].
    const LONG: bool = false;

    /// A register's name, by its number in [`Lowered`]; `None` is no register.
    fn register(number: Option<u16>) -> String;

    /// The name of what a word comes from or goes to.
    fn source(source: Option<Source>) -> String {
        match source {
            Some(Source::Constant(value)) => format!("{value:#x}"),
            Some(Source::Negated(number)) => format!("-{}", Self::register(Some(number))),
            source => Self::register(source.and_then(Source::register)),
        }
    }

    /// Its words in hexadecimal, as `asm` prints them; its text, where there are none.
    fn code(inst: &Self::Inst) -> String;

    /// The instruction of such words.
    fn from_code(code: &str) -> Result<Self::Inst, ParseError>;

    /// The instruction of a text, and its annotations.
    fn assemble(line: &str) -> Result<(Self::Inst, Vec<String>), ParseError>;

    /// The fields of its words by their names in the manual.
    fn fields(_: &Self::Inst) -> Vec<(&'static str, u32)> {
        Vec::new()
    }

    /// That text, if there is one.
    fn long(_: &Self::Inst) -> Option<String> {
        None
    }

    /// What the forms of its equation mean, where it has two that differ.
    fn both_forms(_: &Self::Inst) -> Option<Forms> {
        None
    }

    /// What a reader of a program should look at, of a step that was executed.
    fn notes(_: &Self::Inst, _: &mut Self::Past, _: &Told<'_>, _: &Explanation) -> Vec<Note> {
        Vec::new()
    }

    /// Where the operation is a burst, what its lanes have in common.
    fn array(_: &Ctrl, _: &Op) -> Option<Array> {
        None
    }

    /// What a lane's part of it is, with the registers by their names.
    fn burst(_: &R700Trace, _: &Lowered) -> Option<Burst> {
        None
    }

    /// The GPR that the requests of one group are for.
    fn gpr(_: &Lowered, _group: u8) -> Option<String> {
        None
    }

    /// The operation, and the registers that feed it.
    fn lower(inst: &Self::Inst, context: &Context) -> Result<Lowered, Refused>;
}
