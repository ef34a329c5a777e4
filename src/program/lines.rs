// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the programs of each instruction set hold besides what all of them do.

use std::ops::Range;

use super::{
    Program,
    directive::Directive,
    number::{Grain, LINE},
    reader::{Reader, Trouble},
};
use crate::{
    op::Ctrl,
    sets::{
        Lowered,
        text::{Failure, Input, Parsed, Token},
    },
};

/// An instruction as it was read, and its annotations.
pub(crate) type Instruction<I> = (I, Vec<String>);

/// A set's own lines.
pub(crate) trait Lines {
    type Inst;
    /// What its directives leave for the lines after them.
    type State: Default;

    /// Directives that not all programs have.
    const DIRECTIVES: &'static [Directive];
    /// Which they are, for somebody who wrote another set's.
    const HAS: &'static str;
    /// What lines there are, for somebody who wrote none of them.
    const FORMS: &'static str;
    /// What has starting values.
    const VALUES: &'static str;
    /// The most registers of a thread, which it has if no line says otherwise, and how an error counts them.
    const REGISTERS: (u16, &'static str) = (255, "1 to 255 registers");
    /// What bases, sizes and strides of spaces are multiples of.
    const GRAIN: Grain = LINE;
    /// What registers' names begin with, if not with a letter.
    const SIGIL: Option<char> = None;
    /// Indices belong to registers' names: `cb0[3]`.
    const INDEXED: bool = false;
    /// A line, of `explain --set`, by which there is some memory.
    const MEMORY: &'static str;

    /// The control registers before the first line.
    fn control() -> Ctrl;

    /// What a reader of a surprising result should look at first.
    fn hint(program: &Program) -> Option<&'static str>;

    /// The line is an instruction, as text and as a word, by its first token.
    fn is_instruction(line: &str, head: &Token<'_>) -> [bool; 2];

    /// Reads it; `word`: it is not text.
    fn instruction(
        reader: &Reader,
        line: &str,
        word: bool,
        span: Range<usize>,
    ) -> Result<Instruction<Self::Inst>, Trouble>;

    /// What a program's registers, and the like, make of it.
    fn settle(_reader: &Reader, _lowered: &mut Lowered, _span: Range<usize>) -> Result<(), Failure> {
        Ok(())
    }

    /// A starting value, after its `=`; false if nothing of that name has one.
    fn value(
        reader: &mut Reader,
        name: &Token<'_>,
        component: Option<&Token<'_>>,
        input: &mut Input<'_>,
    ) -> Parsed<bool>;
}
