// SPDX-License-Identifier: MIT OR Apache-2.0
//! The lines of SM5 programs.

use std::ops::Range;

use super::{Inst, Register, is_dword, is_name, parse, parse_code, program};
use crate::{
    op::{Ctrl, LaneMask, Op, Resource, Space},
    program::{
        Program, SHARED_BYTES,
        directive::{Directive, SHARED_CONTENTS, TRAP, header},
        lines::{Instruction, Lines},
        reader::{Reader, Trouble},
        value::{components, values, words},
    },
    sets::text::{Input, Parsed, Token},
};

impl Lines for super::Set {
    type Inst = Inst;
    type State = ();

    const DIRECTIVES: &'static [Directive] = &[
        header(
            "uav",
            "write `uav N raw BASE SIZE`, `uav N structured BASE SIZE STRIDE`, or `uav N typed buffer BASE SIZE WIDTH`, or \
             1d, 1darray, 2d, 2darray or 3d with WIDTH, HEIGHT and DEPTH or slices, and maybe `row BYTES` and `slice BYTES`",
            program::uav,
        ),
        header("tgsm", "write `tgsm N raw BASE SIZE` or `tgsm N structured BASE SIZE STRIDE`", program::tgsm),
        SHARED_CONTENTS,
        TRAP,
    ];
    const HAS: &'static str = "sm5 has `uav`, `tgsm`, `shared ADDR:` and `trap`";
    const FORMS: &'static str = "a line is a directive (isa lanes uav tgsm shared trap memory bus_error warp), a value \
                         (`r1.x = ...`, `cb0[1].y = ...`, `vThreadID.x = ...`, `active = ...`, `helpers = ...`), \
                         atomic_cmp_store, or its dwords of 8 digits";
    const VALUES: &'static str = "r0 to r4095, v0 to v31, x0[0] to x15[255], cb0[0] to cb13[511], icb[0] to icb[511], the \
                                  thread ids and the numbers of the stages, their components (r0.x), `active` and `helpers` \
                                  have starting values";
    const INDEXED: bool = true;
    const MEMORY: &'static str = "uav 0 raw BASE SIZE";

    fn control() -> Ctrl {
        Ctrl { shared_size: SHARED_BYTES as u32, ..Ctrl::default() }
    }

    fn hint(program: &Program) -> Option<&'static str> {
        let bound = program.steps.iter().any(|step| binds(&program.ctrl, &step.lowered.op));
        (!bound).then_some(
            "nothing is bound to the slots that are used: add `uav N KIND BASE SIZE` or `tgsm N KIND BASE SIZE`, or \
             nothing is written through them",
        )
    }

    fn is_instruction(_: &str, head: &Token<'_>) -> [bool; 2] {
        [is_name(head.text), head.text.starts_with(|c: char| c.is_ascii_digit()) || is_dword(head.text)]
    }

    fn instruction(_: &Reader, line: &str, word: bool, _: Range<usize>) -> Result<Instruction<Inst>, Trouble> {
        let inst = if word { parse_code(line) } else { parse(line) };
        Ok((inst.map_err(Trouble::Word)?, Vec::new()))
    }

    /// Reads the values of all components of a register, or of one.
    fn value(
        reader: &mut Reader,
        name: &Token<'_>,
        component: Option<&Token<'_>>,
        input: &mut Input<'_>,
    ) -> Parsed<bool> {
        let Some(register) = Register::parse(name.text) else { return Ok(false) };
        let components = components(component)?;
        for component in components.clone() {
            reader.once(&format!("{register}.{component}"), true, name.span.clone())?;
        }
        let values = words(&values(input, reader.scope(), 32)?, 0);
        for component in components {
            reader.state().write(Some(register.slot(component as u8)), LaneMask::ALL, &values);
        }
        Ok(true)
    }
}

/// Whether something is bound to the u# or g# that an operation names.
fn binds(ctrl: &Ctrl, op: &Op) -> bool {
    let slot = usize::from(op.slot % 8);
    let tgsm = op.space == Space::Tgsm as u8;
    (if tgsm { ctrl.tgsm[slot].kind } else { ctrl.uav[slot].kind }) != Resource::None as u8
}
