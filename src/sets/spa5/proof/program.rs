// SPDX-License-Identifier: MIT OR Apache-2.0
//! Definitions shared by the blocks of SPA 5.0.

use crate::model::word::{Truth, Word};

/// Bytes from address 0 on that one range of global memory can hold: its end is a multiple of 32 below 2^40.
pub const ALL_MEMORY: u64 = 0xff_ffff_ffe0;

/// Formats an offset as an address operand has it, in hexadecimal with its sign in front.
pub fn signed(imm: u32) -> String {
    let sign = if (imm as i32) < 0 { "-" } else { "" };
    format!("{sign}{:#x}", (imm as i32).unsigned_abs())
}

/// Whether an access of SPA 5.0 can have this size in bytes (5 bits).
pub fn is_access_size<W: Word>(bytes: &W) -> W::Truth {
    [1, 2, 4, 8, 16].iter().fold(W::Truth::constant(false), |found, &size| found.or(&bytes.is(size, 5)))
}

/// The suffix of an access of `bytes` bytes.
pub fn access_size(bytes: u64) -> &'static str {
    match bytes {
        1 => ".U8",
        2 => ".U16",
        8 => ".64",
        16 => ".128",
        _ => "",
    }
}
