// SPDX-License-Identifier: MIT OR Apache-2.0
//! Parses the text, short or long, of CF words and memory reads.
//!
//! Beyond what Mesa prints, the parser accepts: any case; MEM_REDUCTION; the items after the operands in any order;
//! hexadecimal numbers; a `;` at the end; comments; MARK, which Mesa prints although no bit holds it. What a text
//! leaves out gets the value that drivers give it ([`Cf::new`], [`Read::new`]).

use std::ops::Range;

use winnow::{Parser, token::take_while};

use super::{Cf, CfOp, Inst, MemOp, Read, long, short::SELECTS};
use crate::sets::text::{self, Failure, Input, ParseError, Parsed, Token, at, eat, expect, integer, peek, skip, token};

const NAMES: &str = "a CF word is MEM_STREAM0 to MEM_STREAM3, MEM_SCRATCH, MEM_REDUCT, MEM_RING, MEM_EXPORT, EXPORT or \
                     EXPORT_DONE; a memory read is READ_SCRATCH, READ_REDUCTION or READ_MEM";

/// Parses one instruction.
///
/// ```
/// use gpu_lsu::sets::r700;
///
/// let inst = r700::parse("MEM_SCRATCH WRITE_IND 8-9 R4-5.xyzw R1 ES:3 AS:15").unwrap();
/// assert_eq!(r700::code(&inst), "c0822008 9202f00f");
/// assert_eq!(r700::parse(&inst.long().to_string()), Ok(inst));
/// ```
pub fn parse(line: &str) -> Result<Inst, ParseError> {
    instruction(&mut Input::new(line)).map_err(|failure| failure.explain(line))
}

/// Whether a word is the name of an instruction.
pub fn is_name(word: &str) -> bool {
    CfOp::from_name(word).is_some() || MemOp::from_name(word).is_some()
}

fn instruction(input: &mut Input<'_>) -> Parsed<Inst> {
    skip(input)?;
    let name = token(input)?;
    let mut ahead = *input;
    let long = !token(&mut ahead)?.text.is_empty() && peek(&ahead) == Some('=');
    let inst = match (CfOp::from_name(name.text), MemOp::from_name(name.text), long) {
        (Some(op), _, false) => Inst::Cf(cf(input, op)?),
        (Some(op), _, true) => Inst::Cf(long::cf(input, op)?),
        (_, Some(op), false) => Inst::Read(read(input, op)?),
        (_, Some(op), true) => Inst::Read(long::read(input, op)?),
        _ => return Err(Failure::expected(name.span, "a memory write, a memory read or an export").help(NAMES)),
    };
    eat(input, ';')?;
    text::end(input)?;
    Ok(inst)
}

fn cf(input: &mut Input<'_>, op: CfOp) -> Parsed<Cf> {
    let mut cf = Cf::new(op);
    let (what, help) = match op.is_memory() {
        true => ("a type of write", "write WRITE, WRITE_IND, WRITE_ACK or WRITE_IND_ACK"),
        false => ("a type of export", "write PIXEL, POS or PARAM"),
    };
    let ty = token(input)?;
    let code = op.types().iter().zip(0..).find_map(|(name, code)| ty.is(name).then_some(code));
    cf.ty = code.ok_or_else(|| Failure::expected(ty.span, what).help(help))?;

    let base = run(input, false)?;
    in_range(cf.set("ARRAY_BASE", base.first), base.span.clone())?;
    in_range(cf.set("BURST_COUNT", base.more), base.span.clone())?;
    let gprs = run(input, true)?;
    in_range(cf.set("RW_GPR", gprs.first), gprs.span.clone())?;
    if gprs.more != base.more {
        let help = "a burst takes a GPR for each element, as in `8-9 R4-5.xyzw`";
        return Err(Failure::refused(gprs.span, "is not as long as the range of elements", help));
    }
    match op.is_memory() {
        true => cf.comp_mask = mask(input)?,
        false => cf.set_selects(selects(input)?),
    }
    let from = at(input);
    if matches!(peek(input), Some('R' | 'r')) {
        let (index, span) = register(input)?;
        if !cf.indexed() {
            return Err(Failure::refused(span, "is an index, which only _IND types have", "leave it out"));
        }
        in_range(cf.set("INDEX_GPR", index), span)?;
    } else if cf.indexed() {
        return Err(Failure::expected(from..from, "the GPR of the index"));
    }

    let mut given = Vec::new();
    let names: &[&str] = match op.is_memory() {
        true => &["ES", "AS", "NO_BARRIER", "EOP", "MARK"],
        false => &["ES", "NO_BARRIER", "EOP"],
    };
    while let Some(name) = item(input, names, "`ES:`, `AS:`, `NO_BARRIER` or `EOP`", &mut given)? {
        match name {
            "ES" => colon_number(input, |value| cf.set("ELEM_SIZE", value))?,
            "AS" => colon_number(input, |value| cf.set("ARRAY_SIZE", value))?,
            "NO_BARRIER" => cf.barrier = false,
            "EOP" => cf.end_of_program = true,
            _ => {}
        }
    }
    needs(input, &given, "ES", "`ES:` and an element's dwords - 1")?;
    Ok(cf)
}

fn read(input: &mut Input<'_>, op: MemOp) -> Parsed<Read> {
    let mut read = Read::new(op);
    let (gpr, span) = register(input)?;
    in_range(read.set("DST_GPR", gpr), span)?;
    read.set_selects(selects(input)?);
    expect(input, ',', "`,` and the GPR of the index")?;
    let (gpr, span) = register(input)?;
    in_range(read.set("SRC_GPR", gpr), span)?;
    let [index, second] = letters(input, "the index's component and another, such as `.xx`", |_, code| code < 4)?;
    (read.src_sel_x, read.src_sel_y) = (index, second);
    eat(input, ',')?;

    let mut given = Vec::new();
    let names = ["RID", "UNCACHED", "INDEXED", "ELEM_SIZE", "BURST_COUNT", "ARRAY_BASE", "ARRAY_SIZE", "UCF", "FMT"];
    while let Some(name) = item(input, &names, "`ELEM_SIZE:`, `ARRAY_BASE:` or another field", &mut given)? {
        match name {
            "UNCACHED" => read.uncached = true,
            "RID" | "UCF" => colon_number(input, |value| if value == 0 { Ok(()) } else { Err("a memory read has 0") })?,
            "FMT" => format(input, &mut read)?,
            _ => colon_number(input, |value| read.set(name, value))?,
        }
    }
    needs(input, &given, "ELEM_SIZE", "`ELEM_SIZE:` and an element's dwords - 1")?;
    needs(input, &given, "ARRAY_BASE", "`ARRAY_BASE:` and a number of elements")?;
    needs(input, &given, "ARRAY_SIZE", "`ARRAY_SIZE:` and a number of elements - 1")?;
    Ok(read)
}

/// Reads a format, as in `(DTA:34 NUM:1 COMP:0 MODE:0)`.
fn format(input: &mut Input<'_>, read: &mut Read) -> Parsed<()> {
    expect(input, '(', "`(` and `DTA:`")?;
    let mut given = Vec::new();
    while !eat(input, ')')? {
        let what = "`DTA:`, `NUM:`, `COMP:`, `MODE:` or `)`";
        let field = match item(input, &["DTA", "NUM", "COMP", "MODE"], what, &mut given)? {
            Some("DTA") => "DATA_FORMAT",
            Some("NUM") => "NUM_FORMAT_ALL",
            Some("COMP") => "FORMAT_COMP_ALL",
            Some(_) => "SRF_MODE_ALL",
            None => return Err(Failure::expected(at(input)..at(input), what)),
        };
        colon_number(input, |value| read.set(field, value))?;
    }
    Ok(())
}

/// A range such as `8` or `8-9`: its first number, and how many follow.
struct Run {
    first: u64,
    more: u64,
    span: Range<usize>,
}

fn run(input: &mut Input<'_>, gprs: bool) -> Parsed<Run> {
    let (first, mut span) = if gprs { register(input)? } else { integer(input)? };
    if !eat(input, '-')? {
        return Ok(Run { first, more: 0, span });
    }
    let (last, end) = if gprs && matches!(peek(input), Some('R' | 'r')) { register(input)? } else { integer(input)? };
    span.end = end.end;
    match last.checked_sub(first) {
        Some(more @ 0..16) => Ok(Run { first, more, span }),
        Some(_) => Err(Failure::refused(span, "is more than a burst of 16", "a burst moves 1 to 16 GPRs")),
        None => Err(Failure::refused(span, "runs downwards", "write the lower number first")),
    }
}

/// Reads a GPR such as `R12`.
fn register(input: &mut Input<'_>) -> Parsed<(u64, Range<usize>)> {
    let Token { text, span } = token(input)?;
    let digits = text.strip_prefix(['R', 'r']).filter(|digits| digits.bytes().all(|digit| digit.is_ascii_digit()));
    let number = digits.and_then(|digits| digits.parse().ok());
    Ok((number.ok_or_else(|| Failure::expected(span.clone(), "a GPR").help("GPRs are R0 to R127"))?, span))
}

fn mask(input: &mut Input<'_>) -> Parsed<u8> {
    let what = "the components that are written, such as `.xyzw` or `.x__w`";
    let codes: [u8; 4] = letters(input, what, |place, code| code == place || code == 7)?;
    Ok(codes.iter().zip(0..).map(|(code, bit)| u8::from(*code != 7) << bit).sum())
}

fn selects(input: &mut Input<'_>) -> Parsed<[u8; 4]> {
    letters(input, "four selects of `xyzw01?_`, such as `.xyzw`", |_, _| true)
}

/// Reads `.` and N letters, and returns their codes. `right` tells whether a code is allowed in its place.
fn letters<const N: usize>(input: &mut Input<'_>, what: &'static str, right: fn(u8, u8) -> bool) -> Parsed<[u8; N]> {
    expect(input, '.', what)?;
    let from = at(input);
    let letters: &str =
        take_while(0.., |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '?').parse_next(input)?;
    skip(input)?;
    let code =
        |c: char| SELECTS.iter().zip(0..).find_map(|(select, code)| c.eq_ignore_ascii_case(select).then_some(code));
    let codes: Option<Vec<u8>> =
        letters.chars().zip(0..).map(|(c, place)| code(c).filter(|code| right(place, *code))).collect();
    (codes.and_then(|codes| codes.try_into().ok())).ok_or_else(|| Failure::expected(from..from + letters.len(), what))
}

/// Reads the name of the next item, which may be given only once; none at the end of the instruction.
pub(crate) fn item<'n>(
    input: &mut Input<'_>,
    names: &[&'n str],
    what: &'static str,
    given: &mut Vec<&'n str>,
) -> Parsed<Option<&'n str>> {
    if matches!(peek(input), None | Some(';')) {
        return Ok(None);
    }
    let word = token(input)?;
    let name = names.iter().find(|name| word.is(name)).ok_or_else(|| Failure::expected(word.span.clone(), what))?;
    if given.contains(name) {
        return Err(Failure::refused(word.span, "is given a second time", "keep one of the two"));
    }
    given.push(name);
    Ok(Some(name))
}

/// Reads `:` and a number for a field.
fn colon_number(input: &mut Input<'_>, mut set: impl FnMut(u64) -> Result<(), &'static str>) -> Parsed<()> {
    expect(input, ':', "`:` and a number")?;
    let (value, span) = integer(input)?;
    in_range(set(value), span)
}

/// Turns the error of a value that did not fit in its field into a failure.
pub(crate) fn in_range(result: Result<(), &'static str>, span: Range<usize>) -> Parsed<()> {
    result.map_err(|help| Failure::refused(span, "is out of range", help))
}

fn needs(input: &Input<'_>, given: &[&str], name: &str, what: &'static str) -> Parsed<()> {
    if given.contains(&name) { Ok(()) } else { Err(Failure::expected(at(input)..at(input), what)) }
}
