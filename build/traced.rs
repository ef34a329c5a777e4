// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a wave has of a unit.

/// Fields of structs by name, and no memories, as far as they are arrays of more elements than this.
/// Those were two thirds of all signals, and to compare them in every cycle took most of the time that a wave took.
pub const TRACED: [&str; 4] = ["--trace", "--trace-structs", "--trace-max-array", "4"];

/// Nor what is declared in blocks that have no name: what Verilator calls these nobody has read in the source. Nor, of this
/// unit, what is read from a memory at once, and who writes each byte of the scratchpad's banks: hundreds of variables each.
/// Paths are whole, so that a unit of somebody else keeps what it has under such a name.
pub const UNTRACED: [&str; 21] = [
    "*unnamedblk*",
    "*lsu.u_execute.memory_block",
    "*lsu.u_execute.u_data.merge_block_o",
    "*lsu.u_execute.u_memory.block_i",
    "*lsu.u_execute.u_memory.line_pair",
    "*lsu.u_execute.u_memory.u_merge.block_i",
    "*lsu.u_execute.u_memory.u_merge.block_q",
    "*lsu.u_execute.u_memory.u_merge.pair_o",
    "*lsu.u_execute.u_memory.u_cas.compare_i",
    "*lsu.u_execute.u_memory.u_cas.value_i",
    "*lsu.u_execute.spad_block",
    "*lsu.u_execute.u_data.spad_block_o",
    "*lsu.u_execute.u_scratchpad.block_i",
    "*lsu.u_execute.u_scratchpad.u_merge.block_i",
    "*lsu.u_execute.u_scratchpad.u_merge.writer_i",
    "*lsu.u_execute.u_scratchpad.u_match.writer_o",
    "*lsu.u_execute.u_scratchpad.u_pick.writer_i",
    "*lsu.u_execute.u_scratchpad.u_pick.writer_q",
    "*lsu.u_execute.u_scratchpad.writer",
    "*lsu.u_execute.u_scratchpad.writer_q",
    "*lsu.u_execute.u_scratchpad.bank_writer",
];
