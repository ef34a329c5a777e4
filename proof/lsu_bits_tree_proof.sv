// SPDX-License-Identifier: MIT OR Apache-2.0
// The twins of the functions on masks, and of the comparisons of two requests, which hardware keeps by parts: the
// hardware's body and the simulator's agree for every mask, line and byte enable.

module lsu_bits_tree_proof
  import lsu_pkg::*;
  import lsu_internal_pkg::line_be_t;
(
  input logic [31:0] mask_i,
  input addr_t       line_i,
  input addr_t       other_line_i,
  input line_be_t    be_i,
  input line_be_t    other_be_i
);
  always_comb begin
    Lowest: assert (lsu_internal_pkg::lowest_bit(mask_i) == lsu_internal_pkg_loop::lowest_bit(mask_i));
    Line: assert ((lsu_internal_pkg::equal_parts(line_i, other_line_i) == '1)
                  == (lsu_internal_pkg_loop::equal_parts(line_i, other_line_i) == '1));
    Bytes: assert ((lsu_internal_pkg::shared_parts(be_i, other_be_i) != '0)
                   == (lsu_internal_pkg_loop::shared_parts(be_i, other_be_i) != '0));
    Several: assert (lsu_spad_pkg::several(mask_i) == lsu_spad_pkg_loop::several(mask_i));
  end
endmodule
