// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reads a program line by line. After a bad line it records the problem and goes on.

use std::{borrow::Cow, collections::HashSet, ops::Range};

use super::{
    Problem, Program, WarpState,
    directive::{self, Directive},
    expr::Scope,
    number::Grain,
    value,
};
use crate::{
    op::MAX_LANES,
    sets::{
        Isa, Refused, States,
        text::{Failure, Input, ParseError, Parsed, Token, at, eat, expect, peek, skip, token},
    },
};

/// Why a line is refused.
pub(crate) enum Trouble {
    Text(Failure),
    Word(ParseError),
    /// A refused statement, with its remedy.
    Statement(ParseError, Cow<'static, str>),
    Illegal(Refused, Range<usize>),
}

impl From<Failure> for Trouble {
    fn from(failure: Failure) -> Self {
        Trouble::Text(failure)
    }
}

/// The program read so far.
pub(crate) struct Reader {
    pub program: Program,
    /// The warp that the current lines belong to.
    pub warp: usize,
    /// State that the sets' own directives left behind.
    pub states: States,
    /// What has been given and may be given only once. The number is 0, or the warp + 1.
    given: HashSet<(usize, String)>,
    /// Warps that already have an instruction.
    pub(crate) started: HashSet<usize>,
    isa_named: bool,
    pub(crate) line: usize,
}

/// Reads a program, which has an instruction unless it may be `bare`.
pub(crate) fn read(text: &str, bare: bool) -> Result<Program, Vec<Problem>> {
    let mut reader = Reader {
        program: Program::empty(Isa::ALL[0]), // Until a line names another.
        warp: 0,
        states: States::default(),
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
                break; // Without `isa`, the other lines have no meaning.
            }
        }
        start += whole.len();
    }
    if reader.started.is_empty() && problems.is_empty() && !(bare && reader.isa_named) {
        let (message, help) = match reader.isa_named {
            true => ("expected an instruction, found the end of the program", "a program needs at least one of them"),
            false => (
                "expected `isa` and an instruction set, found nothing",
                "a program begins with a line such as `isa spa5`",
            ),
        };
        problems.push(Problem {
            line: reader.line.max(1),
            column: text.lines().last().map_or(0, |line| line.chars().count()) + 1,
            span: text.len()..text.len(),
            message: message.to_owned(),
            clause: None,
            help: help.to_owned(),
        });
    }
    let steps = reader.program.steps.len();
    reader.program.flushes.retain(|before| *before < steps);
    if problems.is_empty() { Ok(reader.program) } else { Err(problems) }
}

/// Gives the trouble of a line its place in the text.
fn problem(trouble: Trouble, text: &str, line: usize, start: usize) -> Problem {
    let (error, help) = match trouble {
        Trouble::Text(failure) => (failure.explain(text), None),
        Trouble::Word(error) => (error, None),
        Trouble::Statement(error, help) => (error, Some(help)),
        Trouble::Illegal(error, span) => {
            let place = Failure::refused(span, "", "").by(error.clause).explain(text);
            (ParseError { message: format!("illegal instruction: {error}"), ..place }, Some(error.help.into()))
        }
    };
    let ParseError { column, span, message, clause, help: own } = error;
    let help = help.unwrap_or(own.into()).into_owned();
    Problem { line, column, span: start + span.start..start + span.end, message, clause, help }
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
        let isa = self.program.isa;
        if let Some(sigil) = isa.sigil()
            && eat(&mut ahead, sigil)?
        {
            return self.register(line, start, &mut ahead);
        }
        let head = token(&mut ahead)?;
        if !self.isa_named && head.text != "isa" {
            return Err(Failure::expected(head.span, Isa::FIRST).into());
        }
        if let Some((directive, own)) = directive::find(isa, head.text) {
            self.directive(directive, own, head.span, &mut ahead)?;
            self.isa_named = true;
            return Ok(());
        }
        let mut value = ahead;
        let head = if isa.indexed() { indexed(line, head, &mut value)? } else { head };
        let component = if eat(&mut value, '.')? { Some(token(&mut value)?) } else { None };
        if eat(&mut value, '=')? {
            return self.value(&head, component.as_ref(), &mut value);
        }
        let [text, word] = isa.is_instruction(line, &head);
        if !text && !word {
            return Err(Failure::expected(head.span, "a directive, a value or an instruction")
                .help(isa.forms())
                .into());
        }
        self.step(line, start, word)
    }

    /// Reads a line that begins with the sigil of registers.
    fn register(&mut self, line: &str, start: usize, input: &mut Input<'_>) -> Result<(), Trouble> {
        let end = token(input)?.span.end;
        let name = Token { text: line.get(start..end).unwrap_or_default(), span: start..end };
        expect(input, '=', "`=` and a value").map_err(|failure| failure.or_help("write `%rd1 = 0x1000 + 4*lane`"))?;
        self.value(&name, None, input)
    }

    fn value(&mut self, name: &Token<'_>, component: Option<&Token<'_>>, input: &mut Input<'_>) -> Result<(), Trouble> {
        if self.started.contains(&self.warp) {
            let help = "give starting values before the warp's first instruction";
            return Err(Failure::refused(name.span.clone(), "starts after its warp did", help).into());
        }
        Ok(value::assign(self, name, component, input)?)
    }

    fn directive(&mut self, directive: &Directive, own: bool, span: Range<usize>, rest: &mut Input<'_>) -> Parsed<()> {
        if !own {
            return Err(Failure::refused(span, "belongs to another instruction set", self.program.isa.has()));
        }
        if directive.header && !self.started.is_empty() {
            let help = "move it to the head of the program";
            return Err(Failure::refused(span, "comes after an instruction", help));
        }
        (directive.read)(self, rest).map_err(|failure| failure.or_help(directive.usage))
    }

    /// Records that `what` is given, by this warp if `of_warp`, and refuses it the second time.
    pub fn once(&mut self, what: &str, of_warp: bool, span: Range<usize>) -> Result<(), Failure> {
        let owner = if of_warp { self.warp + 1 } else { 0 };
        if self.given.insert((owner, what.to_owned())) {
            return Ok(());
        }
        Err(Failure::refused(span, "is given a second time", "keep one of the two lines"))
    }

    /// Whether a starting value has been given, so that the numbers of lanes and registers are settled.
    pub fn has_values(&self) -> bool {
        self.given.iter().any(|(owner, _)| *owner > 0)
    }

    /// The starting values of the current warp.
    pub fn state(&mut self) -> &mut WarpState {
        &mut self.program.warps[self.warp]
    }

    /// The unit of bases, sizes and strides of spaces.
    pub fn grain(&self) -> Grain {
        self.program.isa.grain()
    }

    /// The names that expressions may use here.
    pub fn scope(&self) -> Scope {
        Scope { lanes: self.program.lanes.unwrap_or(MAX_LANES), warp: self.warp }
    }
}

/// Extends a register's name by its indices: `cb0[3]`.
fn indexed<'a>(line: &'a str, mut name: Token<'a>, input: &mut Input<'_>) -> Parsed<Token<'a>> {
    while eat(input, '[')? {
        token(input)?;
        name.span.end = at(input) + 1;
        expect(input, ']', "`]`")?;
    }
    name.text = line.get(name.span.clone()).unwrap_or(name.text);
    Ok(name)
}
