// SPDX-License-Identifier: MIT OR Apache-2.0
//! The signals of a unit that a wave holds.

/// Traces fields of structs by name, but no memories: arrays of more elements than this. Memories were two thirds of
/// all signals, and comparing them in every cycle took most of the time of a wave.
pub const TRACED: [&str; 4] = ["--trace", "--trace-structs", "--trace-max-array", "4"];

/// Scopes that are not traced either. Verilator's names for unnamed blocks stand nowhere in the source. In this unit,
/// the signals that are read from a memory at once, and those that say who writes each byte of the scratchpad's banks,
/// are hundreds of variables each. Their paths are complete, so that another unit keeps its signals of such a name.
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
