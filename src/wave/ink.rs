// SPDX-License-Identifier: MIT OR Apache-2.0
//! Writers of waves: one interface for VCD and FST.

use std::io;

use super::{
    header::{Header, Var},
    trace::Change,
    value::Value,
};

/// One of our variables in a file that is being written.
#[derive(Clone, Copy)]
pub(super) struct Id(pub(super) usize);

/// How a variable is declared.
#[derive(Clone, Copy)]
pub(super) enum Kind {
    /// One bit, 0 at the start.
    Flag,
    /// This many bits, x at the start; shown in hexadecimal.
    Bits(u32),
    /// 32 bits, x at the start; shown in decimal.
    Number,
    /// Empty at the start.
    Text,
}

/// A file of waves: first the declarations, then the changes in order of time.
pub(super) trait Ink {
    /// Declares everything that the trace declares. Called first.
    fn trace(&mut self, header: &Header) -> io::Result<()>;

    /// Begins one of our scopes.
    fn scope(&mut self, name: &str) -> io::Result<()>;

    /// Ends the scope.
    fn upscope(&mut self) -> io::Result<()>;

    /// Declares one of our variables.
    fn variable(&mut self, kind: Kind, name: &str) -> io::Result<Id>;

    /// Ends the declarations.
    fn begin(&mut self) -> io::Result<()>;

    /// Sets the time of the changes that follow; it is later than the last one.
    fn time(&mut self, time: u64) -> io::Result<()>;

    /// Writes a change in the trace.
    fn change(&mut self, change: Change<'_>) -> io::Result<()>;

    /// Writes a change of a variable in the trace: the words of its value, lowest first.
    fn words(&mut self, id: usize, words: &[u32]) -> io::Result<()>;

    /// Writes a change of a one-bit variable in the trace.
    fn bit(&mut self, of_trace: &Var, bit: bool) -> io::Result<()>;

    /// Writes a change of one of our variables that holds bits.
    fn bits(&mut self, id: Id, kind: Kind, bits: &Value) -> io::Result<()>;

    /// Writes a change of one of our texts.
    fn text(&mut self, id: Id, text: &str) -> io::Result<()>;

    /// Completes the file.
    fn finish(self) -> io::Result<()>
    where
        Self: Sized;
}
