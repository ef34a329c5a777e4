// SPDX-License-Identifier: MIT OR Apache-2.0
// The twins of lsu_spad_match: hardware compares all lanes with all, a simulator makes lists lane after lane. Both must
// find the same lane groups, the same writers, and the same words of each bank.
//
// The inputs are free, except that an access has 2^n bytes, as lsu_spad_pkg::span_of gives it.

module lsu_spad_match_tree_proof #(
  parameter int unsigned LANES = 4,
  parameter int unsigned WORD_BITS = 4
) (
  input logic                            valid_i,
  input logic                            swap_i,
  input logic [LANES-1:0]                shared_i,
  input logic [LANES-1:0][WORD_BITS-1:0] word_i,
  input logic [LANES-1:0][1:0]           byte_i,
  input logic [4:0]                      span_i,
  input logic [31:0]                     moves_i
);
  /* verilator lint_off PINMISSING */
  lsu_spad_match #(.LANES(LANES), .WORD_BITS(WORD_BITS)) u_tree (
    .valid_i, .swap_i, .shared_i, .word_i, .byte_i, .span_i, .moves_i
  );
  lsu_spad_match_loop #(.LANES(LANES), .WORD_BITS(WORD_BITS)) u_loop (
    .valid_i, .swap_i, .shared_i, .word_i, .byte_i, .span_i, .moves_i
  );
  /* verilator lint_on PINMISSING */

  always_comb begin
    Power: assume ((span_i & (span_i + 5'd1)) == '0);
    Rest: assert (u_tree.rest_o == u_loop.rest_o);
    if (valid_i) Group: assert (u_tree.group_o == u_loop.group_o);
    if (valid_i) Writer: assert (u_tree.writer_o == u_loop.writer_o && u_tree.has_o == u_loop.has_o);
  end
endmodule
