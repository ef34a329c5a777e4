// SPDX-License-Identifier: MIT OR Apache-2.0
//! A line that is an instruction: read, lowered, and added to the program.

use super::{
    Step,
    reader::{Reader, Trouble},
};
use crate::sets::{Context, Inst, Isa, ptx, r700, sm5, spa5, text::Failure};

impl Reader {
    /// `start`: where the instruction begins in its line; `word`: it is not text.
    pub(crate) fn step(&mut self, line: &str, start: usize, word: bool) -> Result<(), Trouble> {
        self.started.insert(self.warp);
        let text = line.trim();
        let span = start..start + line.get(start..).map_or(0, |rest| rest.trim_end().len());
        let mut annotations = Vec::new();
        let inst = match (self.program.isa, word) {
            (Isa::Spa5, true) => {
                let word = spa5::parse_word(line).map_err(Trouble::Word)?;
                let help = "leave other instructions out";
                Inst::Spa5(
                    spa5::decode(word).map_err(|_| Failure::refused(span.clone(), "is neither LD nor ST", help))?,
                )
            }
            (Isa::Spa5, false) => {
                let statement = spa5::parse_statement(line).map_err(Trouble::Word)?;
                annotations = statement.annotations;
                Inst::Spa5(statement.inst)
            }
            (Isa::R700, true) => Inst::R700(r700::parse_code(line).map_err(Trouble::Word)?),
            (Isa::R700, false) => Inst::R700(r700::parse(line).map_err(Trouble::Word)?),
            (Isa::Sm5, true) => Inst::Sm5(sm5::parse_code(line).map_err(Trouble::Word)?),
            (Isa::Sm5, false) => Inst::Sm5(sm5::parse(line).map_err(Trouble::Word)?),
            (Isa::Ptx, _) => {
                let version = self.version.unwrap_or(ptx::newest(self.target));
                Inst::Ptx(ptx::parse(line, self.target, version).map_err(Trouble::Statement)?)
            }
        };
        let count = self.program.register_count;
        let ctrl = &self.program.ctrl;
        let places = ptx::Places {
            variables: self.variables,
            shared_window: ctrl.shared_window.base,
            local_window: ctrl.local_window.base,
        };
        let bindings = sm5::Bindings::from(ctrl);
        let context = Context { register_count: count, loop_index: self.state().loop_index, places, bindings };
        let mut lowered = inst.lower(context).map_err(|refused| Trouble::Illegal(refused, span.clone()))?;
        (lowered.op.warp, lowered.op.stage) = (self.warp as u8, self.stage);
        // R700-GPROOB drops such registers; SPA 5.0 has no word for them.
        let missing = |register: Option<u16>| register.is_some_and(|register| register >= count);
        if self.program.isa == Isa::Spa5 && lowered.registers().any(|(_, register)| missing(register)) {
            let help = "raise `registers`, or use a lower register";
            return Err(Failure::refused(span, "moves a register that the program does not have", help).into());
        }
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
