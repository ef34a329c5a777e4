// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the blocks of SPA 5.0 have in common.

use crate::model::word::{Truth, Word};

/// Bytes from 0 on that one range of global memory can hold: the end is a multiple of 32 below 2^40.
pub const ALL_MEMORY: u64 = 0xff_ffff_ffe0;

/// An offset as an address operand has it: hexadecimal, the sign apart.
pub fn signed(imm: u32) -> String {
    let sign = if (imm as i32) < 0 { "-" } else { "" };
    format!("{sign}{:#x}", (imm as i32).unsigned_abs())
}

/// Bytes (5 bits) that an access of SPA 5.0 can move.
pub fn is_access_size<W: Word>(bytes: &W) -> W::Truth {
    [1, 2, 4, 8, 16].iter().fold(W::Truth::constant(false), |found, &size| found.or(&bytes.is(size, 5)))
}

/// The suffix of an access of so many bytes.
pub fn access_size(bytes: u64) -> &'static str {
    match bytes {
        1 => ".U8",
        2 => ".U16",
        8 => ".64",
        16 => ".128",
        _ => "",
    }
}
