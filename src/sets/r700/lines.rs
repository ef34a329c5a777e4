// SPDX-License-Identifier: MIT OR Apache-2.0
//! The lines of R700 programs.

use std::ops::Range;

use super::{GPRS, Inst, is_dword, is_name, parse, parse_code, program};
use crate::{
    model::buffer,
    op::{Ctrl, LaneMask},
    program::{
        Program,
        directive::{Directive, REGISTERS, header},
        expr,
        lines::{Instruction, Lines},
        reader::{Reader, Trouble},
        value::{components, numbered, values, words},
    },
    sets::{
        Lowered,
        text::{Failure, Input, Parsed, Token},
    },
};

impl Lines for super::Set {
    type Inst = Inst;
    /// The program type of the instructions (R700-STAGE).
    type State = u8;

    const DIRECTIVES: &'static [Directive] = &[
        REGISTERS,
        header(
            "buffer",
            "write `buffer scratch BASE STRIDE SIZE`, with `pixel`, `vertex`, `geometry` or `export` before the numbers for \
             that type of program, `buffer NAME BASE SIZE` or `buffer NAME BASE STRIDE SIZE` with the name stream0 to \
             stream3 or ring, or `buffer NAME BASE SIZE` with the name reduction or export",
            program::buffer,
        ),
        header("form", "write `form driver`", program::form),
        Directive {
            name: "stage",
            usage: "write `stage pixel`, `stage vertex`, `stage geometry` or `stage export`",
            header: false,
            read: program::stage,
        },
        Directive { name: "flush", usage: "write `flush` alone", header: false, read: program::flush },
    ];
    const HAS: &'static str = "r700 has `registers`, `buffer`, `form`, `stage` and `flush`";
    const FORMS: &'static str = "a line is a directive (isa lanes registers buffer form memory bus_error warp stage flush), a value (`R1 = \
                          ...`, `R1.x = ...`, `active = ...`, `helpers = ...`, `loop = ...`), a memory write or read, or its \
                          dwords of 8 digits";
    const VALUES: &'static str = "R0 up to the program's `registers`, their components (R0.x), `active`, `helpers` and \
                                  `loop` have starting values";
    const REGISTERS: (u16, &'static str) = (GPRS, "1 to 128 GPRs");
    const MEMORY: &'static str = "buffer NAME BASE SIZE";

    fn control() -> Ctrl {
        Ctrl::default()
    }

    fn hint(program: &Program) -> Option<&'static str> {
        let nowhere = program.steps.iter().any(|step| buffer::of(&program.ctrl, &step.lowered.op).size == 0);
        nowhere.then_some(
            "a buffer that is used has no size: add `buffer NAME BASE SIZE` (scratch: `buffer scratch STAGE BASE STRIDE \
             SIZE`, with the stage of the program), or every access to it is out of allocation",
        )
    }

    fn is_instruction(_: &str, head: &Token<'_>) -> [bool; 2] {
        [is_name(head.text), head.text.starts_with(|c: char| c.is_ascii_digit()) || is_dword(head.text)]
    }

    fn instruction(_: &Reader, line: &str, word: bool, _: Range<usize>) -> Result<Instruction<Inst>, Trouble> {
        let inst = if word { parse_code(line) } else { parse(line) };
        Ok((inst.map_err(Trouble::Word)?, Vec::new()))
    }

    fn settle(reader: &Reader, lowered: &mut Lowered, _: Range<usize>) -> Result<(), Failure> {
        lowered.op.stage = reader.states.r700;
        Ok(())
    }

    fn value(
        reader: &mut Reader,
        name: &Token<'_>,
        component: Option<&Token<'_>>,
        input: &mut Input<'_>,
    ) -> Parsed<bool> {
        let scope = reader.scope();
        let register = numbered(name, 'r').map(u16::from).filter(|number| *number < reader.program.register_count);
        if let Some(number) = register {
            let components = components(component)?;
            for component in components.clone() {
                reader.once(&format!("r{number}.{component}"), true, name.span.clone())?;
            }
            let values = words(&values(input, scope, 32)?, 0);
            for component in components {
                reader.state().write(Some(4 * number + component), LaneMask::ALL, &values);
            }
        } else if component.is_none() && name.text.eq_ignore_ascii_case("loop") {
            reader.once("loop", true, name.span.clone())?;
            reader.state().loop_index = expr::word(input, scope)?;
        } else {
            return Ok(false);
        }
        Ok(true)
    }
}
