// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the programs of several blocks have in common.

/// Bytes from 0 on that one range of global memory can hold: the end is a multiple of 32 below 2^40.
pub(super) const ALL_MEMORY: u64 = 0xff_ffff_ffe0;

/// An offset as an address operand has it: hexadecimal, the sign apart.
pub(super) fn signed(imm: u32) -> String {
    let sign = if (imm as i32) < 0 { "-" } else { "" };
    format!("{sign}{:#x}", (imm as i32).unsigned_abs())
}
