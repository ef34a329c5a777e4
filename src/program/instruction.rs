// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reads a line with an instruction, lowers it, and adds it to the program.

use super::{
    Step,
    reader::{Reader, Trouble},
};
use crate::sets::Context;

impl Reader {
    /// `start` is where the instruction begins in its line; `word` tells that it is a word instead of text.
    pub(crate) fn step(&mut self, line: &str, start: usize, word: bool) -> Result<(), Trouble> {
        self.started.insert(self.warp);
        let text = line.trim();
        let span = start..start + line.get(start..).map_or(0, |rest| rest.trim_end().len());
        let (inst, annotations) = self.program.isa.instruction(self, line, word, span.clone())?;
        let (count, loop_index) = (self.program.register_count, self.state().loop_index);
        let context = Context::of(&self.program.ctrl, count, loop_index, &self.states);
        let mut lowered = inst.lower(context).map_err(|refused| Trouble::Illegal(refused, span.clone()))?;
        lowered.op.warp = self.warp as u8;
        self.program.isa.settle(self, &mut lowered, span)?;
        self.program.steps.push(Step {
            warp: self.warp,
            line: self.line,
            text: text.to_owned(),
            inst,
            lowered,
            annotations,
        });
        Ok(())
    }
}
