// SPDX-License-Identifier: MIT OR Apache-2.0
//! The lines that the programs of each instruction set have besides the common ones.

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

/// The lines of one instruction set.
pub(crate) trait Lines {
    type Inst;
    /// What its directives leave behind for later lines.
    type State: Default;

    /// Directives that only some sets have.
    const DIRECTIVES: &'static [Directive];
    /// The set's own directives, in a message for a directive of another set.
    const HAS: &'static str;
    /// The possible lines, in a message for a line that is none of them.
    const FORMS: &'static str;
    /// What can be given a starting value, in a message.
    const VALUES: &'static str;
    /// Largest number of registers of a thread, which is also the default, and the range as an error states it.
    const REGISTERS: (u16, &'static str) = (255, "1 to 255 registers");
    /// The unit of bases, sizes and strides of spaces.
    const GRAIN: Grain = LINE;
    /// The character before every register name, if it is not a letter.
    const SIGIL: Option<char> = None;
    /// Whether register names include indices: `cb0[3]`.
    const INDEXED: bool = false;
    /// A line, for `explain --set`, that makes some memory available.
    const MEMORY: &'static str;

    /// The control registers before the first line.
    fn control() -> Ctrl;

    /// What to look at first if the result is surprising.
    fn hint(program: &Program) -> Option<&'static str>;

    /// Whether the line is an instruction, as text and as a word, judged by its first token.
    fn is_instruction(line: &str, head: &Token<'_>) -> [bool; 2];

    /// Reads an instruction, as a word instead of text if `word`.
    fn instruction(
        reader: &Reader,
        line: &str,
        word: bool,
        span: Range<usize>,
    ) -> Result<Instruction<Self::Inst>, Trouble>;

    /// Completes a lowered instruction with what the program says, such as its registers.
    fn settle(_reader: &Reader, _lowered: &mut Lowered, _span: Range<usize>) -> Result<(), Failure> {
        Ok(())
    }

    /// Reads a starting value after its `=`. Returns false if nothing of this name has one.
    fn value(
        reader: &mut Reader,
        name: &Token<'_>,
        component: Option<&Token<'_>>,
        input: &mut Input<'_>,
    ) -> Parsed<bool>;
}
