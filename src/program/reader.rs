// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reads a program line by line; a bad line is noted, and the rest goes on.

use std::{collections::HashSet, ops::Range};

use super::{Problem, Program, Step, WarpState, directive::DIRECTIVES, expr::Scope, value};
use crate::{
    isa::{
        Context, Inst, Refused,
        spa5::{self, Statement},
        text::{Failure, Input, ParseError, at, eat, peek, skip, token},
    },
    op::MAX_LANES,
};

const LINES: &str = "a line is a directive (isa lanes registers window local shared alloc trap memory bus_error warp), \
                     a value (`R1 = ...`, `P0 = ...`, `active = ...`, `helpers = ...`), LD or ST, or a word of 16 digits";

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
        program: Program::empty(),
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
        }
        start += whole.len();
    }
    if reader.started.is_empty() && problems.is_empty() {
        let missing = Failure::expected(0..0, "an instruction").help("a program needs at least one LD or ST");
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
        if let Some(directive) = DIRECTIVES.iter().find(|directive| directive.name == head.text) {
            if !self.isa_named && directive.name != "isa" {
                self.isa_named = true; // said once
                return Err(Failure::expected(head.span, "`isa spa5` first").into());
            }
            self.isa_named = true;
            if directive.header && !self.started.is_empty() {
                let help = "move it to the head of the program";
                return Err(Failure::refused(head.span, "comes after an instruction", help).into());
            }
            return Ok((directive.read)(self, &mut ahead).map_err(|failure| failure.or_help(directive.usage))?);
        }
        if eat(&mut ahead, '=')? {
            if self.started.contains(&self.warp) {
                let help = "give starting values before the warp's first instruction";
                return Err(Failure::refused(head.span, "starts after its warp did", help).into());
            }
            return Ok(value::assign(self, &head, &mut ahead)?);
        }
        let instruction = head.text.is_empty() || ["LD", "ST", "NOP"].iter().any(|name| head.is(name));
        let word = head.text.starts_with(|c: char| c.is_ascii_digit()) || spa5::parse_word(line).is_ok();
        if !instruction && !word {
            return Err(Failure::expected(head.span, "a directive, a value or an instruction").help(LINES).into());
        }
        self.step(line, start, word)
    }

    fn step(&mut self, line: &str, start: usize, word: bool) -> Result<(), Trouble> {
        self.started.insert(self.warp);
        let text = line.trim();
        let span = start..start + line.get(start..).map_or(0, |rest| rest.trim_end().len());
        let Statement { inst, annotations } = if word {
            let word = spa5::parse_word(line).map_err(Trouble::Word)?;
            let inst = spa5::decode(word)
                .map_err(|_| Failure::refused(span.clone(), "is neither LD nor ST", "leave other instructions out"))?;
            Statement { inst, annotations: Vec::new() }
        } else {
            spa5::parse_statement(line).map_err(Trouble::Word)?
        };
        if !self.isa_named {
            self.isa_named = true;
            return Err(Failure::expected(span, "`isa spa5` first").into());
        }
        let inst = Inst::Spa5(inst);
        let context = Context { register_count: self.program.register_count, loop_index: 0 };
        let mut lowered = inst.lower(context).map_err(|refused| Trouble::Illegal(refused, span.clone()))?;
        lowered.op.warp = self.warp as u8;
        let count = self.program.register_count;
        if lowered.registers().any(|(_, register)| register.is_some_and(|register| register >= count)) {
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
