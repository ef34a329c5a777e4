// SPDX-License-Identifier: MIT OR Apache-2.0
//! The suffixes of LD and ST: `.E`, a cache operator and a size.

use std::ops::Range;

use super::{LOAD_COPS, Opcode, SIZE_7, SIZE_32, SIZE_128, SIZES, STORE_COPS};
use crate::{
    clause::Clause,
    sets::text::{Failure, Input, Parsed, Token, eat, token},
};

/// Reads the suffixes, each at most once and in any order. Returns E and the codes of cache operator and size.
pub(crate) fn suffixes(input: &mut Input<'_>, op: Opcode) -> Parsed<(bool, u8, u8)> {
    let (mut e, mut cop, mut size, mut uniform) = (None, None, None, None);
    while eat(input, '.')? {
        let name = token(input)?;
        let span = name.span.clone();
        let twice = if name.is("E") {
            e.replace(true).is_some()
        } else if op == Opcode::Ld && name.is("U") {
            uniform.replace(span.clone()).is_some()
        } else if let Some(code) = size_code(op, &name) {
            size.replace(code).is_some()
        } else if let Some(code) = cop_code(op, &name) {
            cop.replace(code).is_some()
        } else {
            return Err(unknown_suffix(op, span));
        };
        if twice {
            return Err(Failure::refused(span, "is the second suffix of its kind", "keep one of them"));
        }
    }
    let size = match (uniform, size) {
        (Some(_), Some(SIZE_128)) => SIZE_7,
        (Some(span), _) => {
            return Err(Failure::refused(span, "goes with `.128` only", "write `.U.128`").by(Clause::Spa5Size));
        }
        (None, size) => size.unwrap_or(SIZE_32),
    };
    Ok((e.unwrap_or(false), cop.unwrap_or(0), size))
}

fn size_code(op: Opcode, name: &Token<'_>) -> Option<u8> {
    match name.text {
        "8" => Some(0),
        "16" => Some(2),
        _ if op == Opcode::St && name.is("INVALIDSIZE7") => Some(SIZE_7),
        _ => SIZES.iter().zip(0..).find_map(|(size, code)| name.is(size).then_some(code)),
    }
}

fn cop_code(op: Opcode, name: &Token<'_>) -> Option<u8> {
    let names = match op {
        Opcode::Ld if name.is("CS") => return Some(0),
        Opcode::Ld if name.is("LU") => return Some(1),
        Opcode::Ld => LOAD_COPS,
        Opcode::St => STORE_COPS,
    };
    names.iter().zip(0..).find_map(|(cop, code)| name.is(cop).then_some(code))
}

fn unknown_suffix(op: Opcode, span: Range<usize>) -> Failure {
    match op {
        Opcode::Ld => Failure::refused(
            span,
            "is no suffix of LD",
            "LD has .E, a cache operator (.CA .CG .CI .CV .CS .LU) and a size (.U8 .S8 .U16 .S16 .32 .64 .128 .U.128)",
        ),
        Opcode::St => Failure::refused(
            span,
            "is no suffix of ST",
            "ST has .E, a cache operator (.WB .CG .CS .WT) and a size (.U8 .S8 .U16 .S16 .32 .64 .128)",
        ),
    }
}
