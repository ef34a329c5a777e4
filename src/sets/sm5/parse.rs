// SPDX-License-Identifier: MIT OR Apache-2.0
//! Parses the text of an instruction.
//!
//! Different tokens may share one text. Parsing it gives the tokens that vkd3d's compiler writes: a source's single
//! component is a swizzle of four equal ones, but that of an index's register is selected; an offset of 0 is left out;
//! u# and g# have no components; and a name without suffix has one.
//!
//! Beyond what vkd3d prints, the parser accepts any case, hexadecimal numbers, a `;` at the end, and comments.

use std::ops::Range;

use super::{Components, File, Index, Inst, Modifier, Operand, Reference, Scalar, Value, print::LETTERS};
use crate::sets::text::{self, Failure, Input, ParseError, Parsed, Token, at, eat, expect, integer, peek, skip, token};

/// The name of the instruction.
pub const NAME: &str = "atomic_cmp_store";

const OPERANDS: &str = "an operand is a literal such as `l(1)`, or a register such as `r0.x`, `cb0[1].y`, `v0.x` or \
                        `vThreadID.x`";

/// Reads one instruction.
///
/// ```
/// use gpu_lsu::sets::sm5;
///
/// let inst = sm5::parse("atomic_cmp_store u[r1.x + 3], -r0.x, l(0xf), cb0[r1.y + 0].w").unwrap();
/// assert_eq!(sm5::parse_code(&sm5::code(&inst)), Ok(inst));
/// assert_eq!(sm5::parse("atomic_cmp_store u0, r0.x, r1.x").unwrap_err().column, 32);
/// ```
pub fn parse(line: &str) -> Result<Inst, ParseError> {
    instruction(&mut Input::new(line)).map_err(|failure| failure.explain(line))
}

/// Whether a word begins the text of an instruction.
pub fn is_name(word: &str) -> bool {
    word.eq_ignore_ascii_case(NAME)
}

fn instruction(input: &mut Input<'_>) -> Parsed<Inst> {
    skip(input)?;
    let name = token(input)?;
    if !is_name(name.text) {
        return Err(Failure::expected(name.span, "`atomic_cmp_store`"));
    }
    let destination = destination(input)?;
    let mut source = || {
        expect(input, ',', "`,` and an operand")?;
        source(input)
    };
    let inst = Inst { destination, address: source()?, compare: source()?, new: source()? };
    eat(input, ';')?;
    text::end(input)?;
    Ok(inst)
}

fn destination(input: &mut Input<'_>) -> Parsed<Reference> {
    let (file, first) = file(input)?;
    let indices = indices(input, first.map(immediate), index)?;
    let components = match letters(input)? {
        None => absent(file),
        Some((letters, span)) => {
            let ascending = letters.windows(2).all(|pair| pair[0] < pair[1]);
            if !ascending {
                return Err(Failure::expected(span, "components in their order, such as `.xyz`"));
            }
            Components::Mask(letters.iter().map(|letter| 1 << letter).sum())
        }
    };
    Ok(Reference { file, indices, components })
}

fn source(input: &mut Input<'_>) -> Parsed<Operand> {
    let negated = eat(input, '-')?;
    let absolute = eat(input, '|')?;
    let modifier = match (negated, absolute) {
        (false, false) => Modifier::None,
        (true, false) => Modifier::Negate,
        (false, true) => Modifier::Absolute,
        (true, true) => Modifier::NegateAbsolute,
    };
    let mut ahead = *input;
    let value = match token(&mut ahead)?.is("l") && peek(&ahead) == Some('(') {
        true => {
            *input = ahead;
            literal(input)?
        }
        false => {
            let (file, first) = file(input)?;
            let indices = indices(input, first.map(immediate), index)?;
            let components = taken(input, file, |component| Components::Swizzle([component; 4]))?;
            Value::Register(Reference { file, indices, components })
        }
    };
    if absolute {
        expect(input, '|', "`|`, as there is one in front")?;
    }
    Ok(Operand { modifier, value })
}

/// `(1)` or `(1, 2, 3, 4)`.
fn literal(input: &mut Input<'_>) -> Parsed<Value> {
    let from = at(input);
    expect(input, '(', "`(`")?;
    let mut values = vec![dword(input)?];
    while eat(input, ',')? {
        values.push(dword(input)?);
    }
    expect(input, ')', "`,` or `)`")?;
    match values[..] {
        [value] => Ok(Value::Scalar(value)),
        [x, y, z, w] => Ok(Value::Vector([x, y, z, w])),
        _ => Err(Failure::refused(
            from..at(input),
            "has neither one component nor four",
            "write `l(7)` or `l(7, 0, 0, 0)`",
        )),
    }
}

/// A dword, with or without a sign.
fn dword(input: &mut Input<'_>) -> Parsed<u32> {
    let from = at(input);
    let negative = eat(input, '-')?;
    let (value, span) = integer(input)?;
    let bits = match negative {
        true if value <= 1 << 31 => Some((value as u32).wrapping_neg()),
        true => None,
        false => u32::try_from(value).ok(),
    };
    bits.ok_or_else(|| {
        Failure::refused(from..span.end, "does not fit in 32 bits", "a literal's component holds 32 bits")
    })
}

/// A file, and the first index if it follows the name directly.
fn file(input: &mut Input<'_>) -> Parsed<(File, Option<u64>)> {
    let Token { text, span } = token(input)?;
    if let Some(file) = File::from_name(text) {
        return Ok((file, None));
    }
    let name = text.trim_end_matches(|c: char| c.is_ascii_digit());
    match (File::from_name(name), text[name.len()..].parse()) {
        (Some(file), Ok(number)) => Ok((file, Some(number))),
        (Some(_), Err(_)) => Err(Failure::refused(span, "has a number that does not fit in 64 bits", "")),
        (None, _) => Err(Failure::expected(span, "an operand").help(OPERANDS)),
    }
}

/// The first index, if it followed the name, and those in brackets, which `next` reads.
fn indices<I: Copy>(
    input: &mut Input<'_>,
    first: Option<I>,
    next: fn(&mut Input<'_>) -> Parsed<I>,
) -> Parsed<[Option<I>; 3]> {
    let mut indices = [first, None, None];
    let mut free = indices.iter_mut().skip(usize::from(first.is_some()));
    while peek(input) == Some('[') {
        let from = at(input);
        expect(input, '[', "`[`")?;
        let index = next(input)?;
        expect(input, ']', "`]`")?;
        let Some(slot) = free.next() else {
            return Err(Failure::refused(from..at(input), "is a fourth index", "an operand has three at most"));
        };
        *slot = Some(index);
    }
    Ok(indices)
}

fn immediate(number: u64) -> Index {
    u32::try_from(number).map_or(Index::Wide(number), Index::Immediate)
}

/// `4` or `r1.x + 4`.
fn index(input: &mut Input<'_>) -> Parsed<Index> {
    if peek(input).is_some_and(|next| next.is_ascii_digit()) {
        return Ok(immediate(integer(input)?.0));
    }
    let register = scalar(input)?;
    expect(input, '+', "`+` and a number")
        .map_err(|failure| failure.or_help("an index by a register has an offset: write `[r1.x + 0]`"))?;
    let (value, span) = integer(input)?;
    let offset = u32::try_from(value)
        .map_err(|_| Failure::refused(span, "does not fit in 32 bits", "the largest is 4294967295"))?;
    Ok(Index::Relative { offset: (offset != 0).then_some(offset), register })
}

/// The register of a relative index. Its own indices are plain, so that no text nests.
fn scalar(input: &mut Input<'_>) -> Parsed<Scalar> {
    let from = at(input);
    let (file, first) = file(input)?;
    let first = first.map(|number| narrow(number, from..at(input))).transpose()?;
    let indices = indices(input, first, plain)?;
    let components = taken(input, file, Components::Select)?;
    Ok(Scalar { file, indices, components })
}

const PLAIN: &str = "the register of an index has plain numbers of 32 bits";

/// `4`.
fn plain(input: &mut Input<'_>) -> Parsed<u32> {
    if !peek(input).is_some_and(|next| next.is_ascii_digit()) {
        return Err(Failure::expected(at(input)..at(input), "a plain number").help(PLAIN));
    }
    let (number, span) = integer(input)?;
    narrow(number, span)
}

fn narrow(number: u64, span: Range<usize>) -> Parsed<u32> {
    u32::try_from(number).map_err(|_| Failure::refused(span, "has a number that does not fit in 32 bits", PLAIN))
}

/// The components that a source takes. `one` makes them of a single letter.
fn taken(input: &mut Input<'_>, file: File, one: fn(u8) -> Components) -> Parsed<Components> {
    let Some((letters, span)) = letters(input)? else { return Ok(absent(file)) };
    match letters[..] {
        [component] => Ok(one(component)),
        [x, y, z, w] => Ok(Components::Swizzle([x, y, z, w])),
        _ => Err(Failure::refused(span, "is neither one component nor four", "write `.x` or `.xyzw`, in any order")),
    }
}

/// The components of a name without suffix.
fn absent(file: File) -> Components {
    if file.is_whole() { Components::None } else { Components::One }
}

/// `.xyzw`: the components, by number.
fn letters(input: &mut Input<'_>) -> Parsed<Option<(Vec<u8>, Range<usize>)>> {
    if !eat(input, '.')? {
        return Ok(None);
    }
    let Token { text, span } = token(input)?;
    let code =
        |c: char| LETTERS.iter().zip(0..).find_map(|(letter, code)| c.eq_ignore_ascii_case(letter).then_some(code));
    let codes: Option<Vec<u8>> = text.chars().map(code).collect();
    match codes.filter(|codes| (1..=4).contains(&codes.len())) {
        Some(codes) => Ok(Some((codes, span))),
        None => Err(Failure::expected(span, "components, of `xyzw`")),
    }
}
