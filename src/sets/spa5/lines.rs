// SPDX-License-Identifier: MIT OR Apache-2.0
//! The lines of SPA 5.0 programs.

use std::ops::Range;

use super::{Inst, decode, parse_statement, parse_word};
use crate::{
    clause::Clause,
    op::{Ctrl, LaneMask},
    program::{
        Program,
        directive::{ALLOC, Directive, LOCAL, REGISTERS, SHARED, TRAP, WINDOW},
        expr,
        lines::{Instruction, Lines},
        number::{Grain, LINE},
        reader::{Reader, Trouble},
        value::{numbered, values, words},
        windows,
    },
    sets::{
        Lowered,
        text::{Failure, Input, Parsed, Token},
    },
};

impl Lines for super::Set {
    type Inst = Inst;
    type State = ();

    const DIRECTIVES: &'static [Directive] = &[REGISTERS, WINDOW, LOCAL, SHARED, ALLOC, TRAP];
    const HAS: &'static str = "spa5 has `registers`, `window`, `local`, `shared`, `alloc` and `trap`";
    const FORMS: &'static str = "a line is a directive (isa lanes registers window local shared alloc trap memory bus_error warp), \
                          a value (`R1 = ...`, `P0 = ...`, `active = ...`, `helpers = ...`), LD or ST, or a word of 16 \
                          digits";
    const VALUES: &'static str =
        "R0 up to the program's `registers`, P0 to P6, `active` and `helpers` have starting values";
    const GRAIN: Grain = LINE.by(Clause::Spa5Straddle);
    const MEMORY: &'static str = "alloc BASE SIZE";

    fn control() -> Ctrl {
        windows()
    }

    fn hint(program: &Program) -> Option<&'static str> {
        unallocated(program)
    }

    fn is_instruction(line: &str, head: &Token<'_>) -> [bool; 2] {
        let text = head.text.is_empty() || ["LD", "ST", "NOP"].iter().any(|name| head.is(name));
        [text, head.text.starts_with(|c: char| c.is_ascii_digit()) || parse_word(line).is_ok()]
    }

    fn instruction(_: &Reader, line: &str, word: bool, span: Range<usize>) -> Result<Instruction<Inst>, Trouble> {
        if word {
            let word = parse_word(line).map_err(Trouble::Word)?;
            let help = "leave other instructions out";
            let inst = decode(word).map_err(|_| Failure::refused(span, "is neither LD nor ST", help))?;
            return Ok((inst, Vec::new()));
        }
        let statement = parse_statement(line).map_err(Trouble::Word)?;
        Ok((statement.inst, statement.annotations))
    }

    fn settle(reader: &Reader, lowered: &mut Lowered, span: Range<usize>) -> Result<(), Failure> {
        let missing = |register: Option<u16>| register.is_some_and(|it| it >= reader.program.register_count);
        if lowered.registers().any(|(_, register)| missing(register)) {
            let help = "raise `registers`, or use a lower register";
            return Err(Failure::refused(span, "moves a register that the program does not have", help));
        }
        Ok(())
    }

    fn value(
        reader: &mut Reader,
        name: &Token<'_>,
        component: Option<&Token<'_>>,
        input: &mut Input<'_>,
    ) -> Parsed<bool> {
        let (scope, key) = (reader.scope(), name.text.to_ascii_lowercase());
        let register = numbered(name, 'r').map(u16::from).filter(|number| *number < reader.program.register_count);
        let predicate = numbered(name, 'p').filter(|number| *number < 7);
        match (component, register, predicate) {
            (None, Some(number), _) => {
                reader.once(&key, true, name.span.clone())?;
                let values = words(&values(input, scope, 32)?, 0);
                reader.state().write(Some(number), LaneMask::ALL, &values);
            }
            (None, None, Some(number)) => {
                reader.once(&key, true, name.span.clone())?;
                reader.state().predicates[usize::from(number)] = expr::mask(input, scope)?;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }
}

/// A hint for a program that allocates no global memory.
pub fn unallocated(program: &Program) -> Option<&'static str> {
    let nowhere = program.ctrl.alloc.iter().all(|range| range.size == 0);
    nowhere.then_some(
        "no global memory is allocated: add `alloc BASE SIZE`, or every global access is out of allocation",
    )
}
