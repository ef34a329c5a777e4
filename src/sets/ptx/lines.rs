// SPDX-License-Identifier: MIT OR Apache-2.0
//! The lines of PTX programs.

use std::ops::Range;

use super::{Inst, NEWEST, Reg, Target, Version, newest, parse, predicate, predicate_name, program};
use crate::{
    op::{Ctrl, LaneMask, Private, Range as Bytes},
    program::{
        Program,
        directive::{ALLOC, Directive, LOCAL, SHARED, TRAP, WINDOW, header},
        expr,
        lines::{Instruction, Lines},
        reader::{Reader, Trouble},
        value::{values, words},
        windows,
    },
    sets::{
        spa5,
        text::{Input, Parsed, Token},
    },
};

/// Target and version by which statements are judged, and the places of the variables.
pub struct State {
    pub target: Target,
    /// The version, if a line gives it; otherwise the newest that has the target.
    pub version: Option<Version>,
    /// The addresses of the variables, as in [`Places`](super::Places).
    pub variables: [u64; 8],
}

impl Default for State {
    fn default() -> Self {
        State { target: NEWEST.0, version: None, variables: [0x1_0000, 0, 0, 0, 0, 0, 0x20, 0] }
    }
}

impl Lines for super::Set {
    type Inst = Inst;
    type State = State;

    const DIRECTIVES: &'static [Directive] = &[
        WINDOW,
        LOCAL,
        SHARED,
        ALLOC,
        TRAP,
        header("param", "write `param BASE STRIDE SIZE`", program::param),
        header("cluster", "write `cluster BASE SIZE`", program::cluster),
        header("var", "write `var gbl ADDR`, or `sh`, `loc`, `prm`, `cst`, `p0`, `pe` or `k`", program::variable),
        header("target", "write `target sm_90`", program::target),
        header("ptx", "write `ptx 8.3`", program::version),
    ];
    const HAS: &'static str =
        "ptx has those of spa5 but `registers`, and `param`, `cluster`, `var`, `target` and `ptx`";
    const FORMS: &'static str = "a line is a directive (isa lanes window local shared alloc trap param cluster var target ptx memory \
                         bus_error warp), a value (`%rd1 = ...`, `%p0 = ...`, `active = ...`, `helpers = ...`) or an `st`";
    const VALUES: &'static str = "%h, %r, %rd, %q, %f and %d with a number up to 4095, %p up to 247, %pol, `active` and \
                                  `helpers` have starting values";
    const SIGIL: Option<char> = Some('%');
    const MEMORY: &'static str = "alloc BASE SIZE";

    fn control() -> Ctrl {
        let windows = windows();
        Ctrl {
            param_memory: Private { base: 0xf1_0000_0000, ..windows.local_memory },
            cluster: Bytes { base: 0xf2_0000_0000, size: 0x4_0000 },
            ..windows
        }
    }

    fn hint(program: &Program) -> Option<&'static str> {
        spa5::unallocated(program)
    }

    fn is_instruction(_: &str, head: &Token<'_>) -> [bool; 2] {
        [head.text.is_empty() || ["st", "ld"].iter().any(|name| head.is(name)), false]
    }

    fn instruction(reader: &Reader, line: &str, _: bool, _: Range<usize>) -> Result<Instruction<Inst>, Trouble> {
        let State { target, version, .. } = reader.states.ptx;
        let inst = parse(line, target, version.unwrap_or(newest(target))).map_err(|refusal| {
            let help = refusal.help.clone();
            Trouble::Statement(refusal.in_line(line), help)
        })?;
        Ok((inst, Vec::new()))
    }

    /// A register takes a value of its own width. That of a float is written as an integer.
    fn value(
        reader: &mut Reader,
        name: &Token<'_>,
        component: Option<&Token<'_>>,
        input: &mut Input<'_>,
    ) -> Parsed<bool> {
        let scope = reader.scope();
        if component.is_some() {
            return Ok(false);
        }
        if let Some(register) = Reg::parse(name.text) {
            reader.once(&register.to_string(), true, name.span.clone())?;
            let values = values(input, scope, register.bits().into())?;
            for word in 0..register.words() {
                reader.state().write(Some(register.slot() + word), LaneMask::ALL, &words(&values, word));
            }
        } else if let Some(predicate) = predicate(name.text) {
            reader.once(&predicate_name(predicate), true, name.span.clone())?;
            reader.state().predicates[usize::from(predicate)] = expr::mask(input, scope)?;
        } else {
            return Ok(false);
        }
        Ok(true)
    }
}
