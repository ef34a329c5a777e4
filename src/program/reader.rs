// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reads a program line by line; a bad line is noted, and the rest goes on.

use std::{collections::HashSet, ops::Range};

use super::{
    Problem, Program, Step, WarpState,
    directive::{DIRECTIVES, Directive},
    expr::Scope,
    value,
};
use crate::{
    isa::{
        Context, Inst, Isa, Refused, r700, spa5,
        text::{Failure, Input, ParseError, Parsed, at, eat, peek, skip, token},
    },
    op::MAX_LANES,
};

const SPA5_LINES: &str = "a line is a directive (isa lanes registers window local shared alloc trap memory bus_error warp), \
                          a value (`R1 = ...`, `P0 = ...`, `active = ...`, `helpers = ...`), LD or ST, or a word of 16 \
                          digits";
const R700_LINES: &str = "a line is a directive (isa lanes registers buffer form memory bus_error warp), a value (`R1 = ...`, \
                          `R1.x = ...`, `active = ...`, `helpers = ...`, `loop = ...`), a memory write or read, or its \
                          dwords of 8 digits";

/// Why a line is refused.
pub(super) enum Trouble {
    Text(Failure),
    Word(ParseError),
    Illegal(Refused, Range<usize>),
}

impl From<Failure> for Trouble {
    fn from(failure: Failure) -> Self {
        Trouble::Text(failure)
    }
}

/// The program so far.
pub(super) struct Reader {
    pub program: Program,
    /// The warp that lines belong to.
    pub warp: usize,
    /// What may be given only once, and was.
    given: HashSet<(usize, String)>,
    /// Warps that have an instruction.
    started: HashSet<usize>,
    isa_named: bool,
    line: usize,
}

pub(super) fn read(text: &str) -> Result<Program, Vec<Problem>> {
    let mut reader = Reader {
        program: Program::empty(Isa::Spa5), // until a line names another
        warp: 0,
        given: HashSet::new(),
        started: HashSet::new(),
        isa_named: false,
        line: 0,
    };
    let mut problems = Vec::new();
    let mut start = 0;
    for whole in text.split_inclusive('\n') {
        reader.line += 1;
        let line = whole.trim_end_matches(['\n', '\r']);
        if let Err(trouble) = reader.line(line) {
            problems.push(problem(trouble, line, reader.line, start));
            if !reader.isa_named {
                break; // what the other lines mean, nobody knows
            }
        }
        start += whole.len();
    }
    if reader.started.is_empty() && problems.is_empty() {
        let missing = Failure::expected(0..0, "an instruction").help("a program needs at least one of them");
        problems.push(problem(missing.into(), "", reader.line.max(1), text.len()));
    }
    if problems.is_empty() { Ok(reader.program) } else { Err(problems) }
}

/// Gives a line's trouble its place in the text.
fn problem(trouble: Trouble, text: &str, line: usize, start: usize) -> Problem {
    let (error, help) = match trouble {
        Trouble::Text(failure) => (failure.explain(text), None),
        Trouble::Word(error) => (error, None),
        Trouble::Illegal(error, span) => {
            let place = Failure::refused(span, "", "").by(error.clause).explain(text);
            (ParseError { message: format!("illegal instruction: {error}"), ..place }, Some(error.help))
        }
    };
    let ParseError { column, span, message, clause, help: own } = error;
    let help = help.unwrap_or(own).to_owned();
    Problem { line, column, span: (start + span.start, span.len()).into(), message, clause, help }
}

impl Reader {
    fn line(&mut self, line: &str) -> Result<(), Trouble> {
        let mut input = Input::new(line);
        skip(&mut input)?;
        let start = at(&input);
        if peek(&input).is_none() {
            return Ok(());
        }
        let mut ahead = input;
        let head = token(&mut ahead)?;
        if !self.isa_named && head.text != "isa" {
            return Err(Failure::expected(head.span, "`isa spa5` or `isa r700` first").into());
        }
        if let Some(directive) = DIRECTIVES.iter().find(|directive| directive.name == head.text) {
            self.directive(directive, head.span, &mut ahead)?;
            self.isa_named = true;
            return Ok(());
        }
        let mut value = ahead;
        let component = if eat(&mut value, '.')? { Some(token(&mut value)?) } else { None };
        if eat(&mut value, '=')? {
            if self.started.contains(&self.warp) {
                let help = "give starting values before the warp's first instruction";
                return Err(Failure::refused(head.span, "starts after its warp did", help).into());
            }
            return Ok(value::assign(self, &head, component.as_ref(), &mut value)?);
        }
        let (instruction, word, lines) = match self.program.isa {
            Isa::Spa5 | Isa::Ptx => (
                head.text.is_empty() || ["LD", "ST", "NOP"].iter().any(|name| head.is(name)),
                head.text.starts_with(|c: char| c.is_ascii_digit()) || spa5::parse_word(line).is_ok(),
                SPA5_LINES,
            ),
            Isa::R700 => (
                r700::is_name(head.text),
                head.text.starts_with(|c: char| c.is_ascii_digit()) || r700::is_dword(head.text),
                R700_LINES,
            ),
        };
        if !instruction && !word {
            return Err(Failure::expected(head.span, "a directive, a value or an instruction").help(lines).into());
        }
        self.step(line, start, word)
    }

    fn directive(&mut self, directive: &Directive, span: Range<usize>, rest: &mut Input<'_>) -> Parsed<()> {
        if !directive.isas.contains(&self.program.isa) {
            let help = match self.program.isa {
                Isa::Spa5 | Isa::Ptx => "spa5 has `window`, `local`, `shared`, `alloc` and `trap`",
                Isa::R700 => "r700 has `buffer` and `form`",
            };
            return Err(Failure::refused(span, "belongs to another instruction set", help));
        }
        if directive.header && !self.started.is_empty() {
            let help = "move it to the head of the program";
            return Err(Failure::refused(span, "comes after an instruction", help));
        }
        (directive.read)(self, rest).map_err(|failure| failure.or_help(directive.usage))
    }

    fn step(&mut self, line: &str, start: usize, word: bool) -> Result<(), Trouble> {
        self.started.insert(self.warp);
        let text = line.trim();
        let span = start..start + line.get(start..).map_or(0, |rest| rest.trim_end().len());
        let mut annotations = Vec::new();
        let inst = match (self.program.isa, word) {
            (Isa::Spa5 | Isa::Ptx, true) => {
                let word = spa5::parse_word(line).map_err(Trouble::Word)?;
                let help = "leave other instructions out";
                Inst::Spa5(
                    spa5::decode(word).map_err(|_| Failure::refused(span.clone(), "is neither LD nor ST", help))?,
                )
            }
            (Isa::Spa5 | Isa::Ptx, false) => {
                let statement = spa5::parse_statement(line).map_err(Trouble::Word)?;
                annotations = statement.annotations;
                Inst::Spa5(statement.inst)
            }
            (Isa::R700, true) => Inst::R700(r700::parse_code(line).map_err(Trouble::Word)?),
            (Isa::R700, false) => Inst::R700(r700::parse(line).map_err(Trouble::Word)?),
        };
        let count = self.program.register_count;
        let context = Context { register_count: count, loop_index: self.state().loop_index };
        let mut lowered = inst.lower(context).map_err(|refused| Trouble::Illegal(refused, span.clone()))?;
        lowered.op.warp = self.warp as u8;
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

    /// Notes that `what` is given, of this warp if `of_warp`; it cannot be given twice.
    pub fn once(&mut self, what: &str, of_warp: bool, span: Range<usize>) -> Result<(), Failure> {
        let owner = if of_warp { self.warp + 1 } else { 0 };
        if self.given.insert((owner, what.to_owned())) {
            return Ok(());
        }
        Err(Failure::refused(span, "is given a second time", "keep one of the two lines"))
    }

    /// Starting values were given already, so that the numbers of lanes and registers are settled.
    pub fn has_values(&self) -> bool {
        self.given.iter().any(|(owner, _)| *owner > 0)
    }

    /// The warp's starting values.
    pub fn state(&mut self) -> &mut WarpState {
        &mut self.program.warps[self.warp]
    }

    /// What expressions may name here.
    pub fn scope(&self) -> Scope {
        Scope { lanes: self.program.lanes.unwrap_or(MAX_LANES), warp: self.warp }
    }
}
