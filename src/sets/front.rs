// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the front end of every instruction set offers: text and words to an operation.

use std::fmt;

use super::{Context, Lowered, Refused, text::ParseError};
use crate::{op::Rule, prove::block::Obligation};

/// A front end. What its operations mean, their address rule says, which may be another set's.
pub(crate) trait FrontEnd {
    /// An instruction, legal or not.
    type Inst: Copy + fmt::Display;
    /// The rule that its operations are of, but for those that are made in another set's way.
    const RULE: Rule;
    /// Blocks that are proved, in the order of the pipeline.
    const PROOFS: &'static [&'static dyn Obligation];

    /// Why there are no machine words, if there are none.
    const WORDLESS: Option<&'static str> = None;

    /// A register's name, by its number in [`Lowered`]; `None` is no register.
    fn register(number: Option<u16>) -> String;

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

    /// The operation, and the registers that feed it.
    fn lower(inst: &Self::Inst, context: &Context) -> Result<Lowered, Refused>;
}
