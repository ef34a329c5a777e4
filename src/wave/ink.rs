// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a wave is written with: one way for VCD, one for FST.

use std::io;

use super::{
    header::{Header, Var},
    trace::Change,
    value::Value,
};

/// A variable of ours, in a file that is being written.
#[derive(Clone, Copy)]
pub(super) struct Id(pub(super) usize);

/// How a variable is declared.
#[derive(Clone, Copy)]
pub(super) enum Kind {
    /// One bit, 0 at the start.
    Flag,
    /// So many bits, x at the start; shown in hexadecimal.
    Bits(u32),
    /// 32 bits, x at the start; shown in decimal.
    Number,
    /// Empty at the start.
    Text,
}

/// A file of waves: first what is declared, then time by time what changes.
pub(super) trait Ink {
    /// Declares everything that the trace has. The first of all.
    fn trace(&mut self, header: &Header) -> io::Result<()>;

    /// Begins a scope of ours.
    fn scope(&mut self, name: &str) -> io::Result<()>;

    /// Ends it.
    fn upscope(&mut self) -> io::Result<()>;

    /// Declares a variable of ours.
    fn variable(&mut self, kind: Kind, name: &str) -> io::Result<Id>;

    /// Nothing more is declared.
    fn begin(&mut self) -> io::Result<()>;

    /// What follows happens at this time, which is after the last one.
    fn time(&mut self, time: u64) -> io::Result<()>;

    /// A change of the trace's.
    fn change(&mut self, change: Change<'_>) -> io::Result<()>;

    /// A change of a variable of the trace's: the words of its value, the lowest first.
    fn words(&mut self, id: usize, words: &[u32]) -> io::Result<()>;

    /// A change of a variable of the trace's, of one bit.
    fn bit(&mut self, of_trace: &Var, bit: bool) -> io::Result<()>;

    /// A change of ours, of bits.
    fn bits(&mut self, id: Id, kind: Kind, bits: &Value) -> io::Result<()>;

    /// A change of ours, of a text.
    fn text(&mut self, id: Id, text: &str) -> io::Result<()>;

    /// The file is whole.
    fn finish(self) -> io::Result<()>
    where
        Self: Sized;
}
