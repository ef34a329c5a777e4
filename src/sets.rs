// SPDX-License-Identifier: MIT OR Apache-2.0
//! Instruction sets: text, words and operations.
//!
//! Each set has a module, which builds on the tokens of [`text`]. It converts words to text and back, and lowers an
//! instruction to the [`Op`] that the unit takes.

use std::{fmt, ops::Range};

use serde::{Deserialize, Serialize};

pub(crate) mod bends;
mod dwords;
pub(crate) mod front;
mod inst;
mod lowered;
pub(crate) mod registry;
mod rules;
#[cfg(feature = "rtl")]
mod stimuli;
pub mod text;

use crate::{
    clause::Clause,
    explain::{
        explanation::{Array, Burst, Explanation, Forms, Note},
        play::Told,
    },
    model::R700Trace,
    op::{Ctrl, Op, Rule},
    program::{
        Program, Step,
        directive::Directive,
        lines::Lines,
        number::Grain,
        reader::{Reader, Trouble},
    },
    prove::block::Obligation,
};
use front::FrontEnd;
pub use inst::{Context, Refused};
pub use lowered::{Guard, Lowered, PT, Source, Sum};
use registry::{declare, dispatch, lines, sets};
use text::{Failure, Input, ParseError, Parsed, Token};

sets! { declare }

/// The blocks with a proof obligation, set by set, in the order of the pipeline.
pub(crate) fn blocks() -> impl Iterator<Item = &'static dyn Obligation> {
    Isa::ALL.iter().flat_map(|isa| isa.proofs()).copied()
}

sets! {
    dispatch Isa Set
    {
        pub(crate) proofs: PROOFS -> &'static [&'static dyn Obligation];
        pub rule: RULE -> Rule;
        pub(crate) wordless: WORDLESS -> Option<&'static str>;
        pub(crate) has_long_text: LONG -> bool;
        pub(crate) directives: DIRECTIVES -> &'static [Directive];
        pub(crate) has: HAS -> &'static str;
        pub(crate) forms: FORMS -> &'static str;
        pub(crate) values: VALUES -> &'static str;
        pub(crate) registers: REGISTERS -> (u16, &'static str);
        pub(crate) grain: GRAIN -> Grain;
        pub(crate) sigil: SIGIL -> Option<char>;
        pub(crate) indexed: INDEXED -> bool;
        pub(crate) memory: MEMORY -> &'static str;
    }
    {
        #[doc = "A register's name, by its number in [`Lowered`]; `None` is no register."]
        pub fn register(number: Option<u16>) -> String;
        #[doc = "The name of what a word comes from or goes to."]
        pub(crate) fn source(source: Option<Source>) -> String;
        pub(crate) fn array(ctrl: &Ctrl, op: &Op) -> Option<Array>;
        pub(crate) fn burst(trace: &R700Trace, lowered: &Lowered) -> Option<Burst>;
        pub(crate) fn gpr(lowered: &Lowered, group: u8) -> Option<String>;
        pub(crate) fn control() -> Ctrl;
        pub(crate) fn hint(program: &Program) -> Option<&'static str>;
        pub(crate) fn is_instruction(line: &str, head: &Token<'_>) -> [bool; 2];
        pub(crate) fn settle(reader: &Reader, lowered: &mut Lowered, span: Range<usize>) -> Result<(), Failure>;
        pub(crate) fn value(
            reader: &mut Reader,
            name: &Token<'_>,
            component: Option<&Token<'_>>,
            input: &mut Input<'_>
        ) -> Parsed<bool>;
    }
}

impl fmt::Display for Isa {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
